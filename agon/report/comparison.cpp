#include "agon/report/comparison.h"

#include <fmt/format.h>

#include "agon/graph/equivalence.h"
#include "agon/report/table.h"

namespace agon {
namespace {

std::string cell(int count) { return std::to_string(count); }
std::string cell(long count) { return std::to_string(count); }
std::string cell(double value) { return fmt::format("{:.3f}", value); }
template <class T>
std::string cell(const std::optional<T>& value) {
  return value ? cell(*value) : "";
}

}  // namespace

Comparison compare_with_truth(std::string source, const std::vector<Edge>& truth, const Dag& answer, const Rng& rng,
                              const std::vector<int>& row_set, const Watch& watch) {
  Comparison c;
  c.truth = std::move(source);
  c.cyclic = !find_cycle(answer.size(), truth).empty();
  c.answer = measure(truth, answer, row_set, watch);
  c.empty = measure(truth, Dag(answer.size()), row_set, watch);
  Rng members = rng.split("class members"), graphs = rng.split("random graphs");
  const Cpdag cpdag = cpdag_of(answer, row_set);
  c.class_mean = class_mean(truth, cpdag, kClassMembers, members, row_set, watch);
  c.credited = measure_credited(truth, cpdag);
  c.random = random_control(truth, answer.size(), answer.edge_count(), kRandomGraphs, graphs, row_set, watch);
  const bool whole = c.class_mean.graphs == kClassMembers && c.random.graphs == kRandomGraphs;
  if (!whole) c.stopped_by = watch.stop_reason();
  return c;
}

std::string comparison_sentence(const Comparison& c) {
  const Measures& m = c.answer;
  return fmt::format("against the truth, {} ({}): {} right, {} reversed, {} extra, {} missing", shown(c.truth),
                     counted(m.true_edges, "edge"), m.correct, m.reversed, m.extra, m.missing);
}

std::string cut_sentence(const Comparison& c) {
  if (c.stopped_by.empty()) return "";
  return fmt::format("Cut short ({}): the mean of its class is over {}, that of random graphs over {}.", c.stopped_by,
                     counted(c.class_mean.graphs, "graph"), c.random.graphs);
}

std::string comparison_text(const Comparison& c, const TextStyle& style) {
  Table table({"~", ">graph", ">mean of its class", ">empty graph", ">random graphs"});
  for_each_measure(c,
                   [&](const char* name, const auto& graph, const auto& mean, const auto& empty, const auto& random) {
                     table.row({name, cell(graph), cell(mean), cell(empty), cell(random)});
                   });
  std::string text = wrapped(comparison_sentence(c), style);
  text += table.text(style, "  ");
  if (!c.stopped_by.empty()) text += wrapped(cut_sentence(c), style, "  ");
  text += wrapped(fmt::format("As gCastle counts, where an open edge is right if the truth joins its ends: TPR {:.3f}, "
                              "FDR {:.3f}, SHD {}, Score {:.3f}.",
                              c.credited.tpr, c.credited.fdr, c.credited.shd, c.credited.score),
                  style, "  ");
  if (c.varsortability) {
    text +=
        wrapped(fmt::format("Varsortability {:.2f}: the share of causal paths along which the variance of the columns "
                            "grows. Near 0.5 it says nothing, near 1 scales alone give the order away.",
                            *c.varsortability),
                style, "  ");
  }
  if (c.cyclic) text += wrapped("The truth has a cycle, so no CPDAG and no SID: edge measures only.", style, "  ");
  return text;
}

}  // namespace agon
