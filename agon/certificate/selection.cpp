#include "agon/certificate/selection.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "agon/base/draws.h"
#include "agon/base/parallel.h"
#include "agon/base/rng.h"
#include "agon/certificate/neighbours.h"
#include "agon/graph/equivalence.h"

namespace agon {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kMostDraws = 4e9;  // counts have 32 bits; fewer draws than n make the bootstrap more cautious

// The champion first, then one graph per other class, in the order given. Experiments make classes smaller.
std::vector<Dag> one_per_class(const Dag& champion, const std::vector<Dag>& candidates,
                               const std::vector<int>& row_set) {
  std::vector<Dag> graphs = {champion};
  std::vector<Cpdag> classes = {cpdag_of(champion, row_set)};
  for (const Dag& graph : candidates) {
    if (!descendants_of(graph)) continue;
    Cpdag cpdag = cpdag_of(graph, row_set);
    if (std::find(classes.begin(), classes.end(), cpdag) != classes.end()) continue;
    classes.push_back(std::move(cpdag));
    graphs.push_back(graph);
  }
  return graphs;
}

// The families in which the candidates differ: those of nodes whose parents are not the same in all of them. A
// candidate is then a list of indices into these families.
struct Differing {
  std::vector<plain::Family> families;
  std::vector<std::vector<int>> of_graph;
};

Differing differing_families(const std::vector<Dag>& graphs) {
  Differing out;
  out.of_graph.resize(graphs.size());
  std::map<plain::Family, int> index;
  for (Node v = 0; v < graphs[0].size(); ++v) {
    const bool same = std::all_of(graphs.begin(), graphs.end(),
                                  [&](const Dag& graph) { return graph.parents(v) == graphs[0].parents(v); });
    if (same) continue;
    for (size_t k = 0; k < graphs.size(); ++k) {
      plain::Family family = plain::family_of(graphs[k], v);
      const auto [at, fresh] = index.try_emplace(family, static_cast<int>(out.families.size()));
      if (fresh) out.families.push_back(std::move(family));
      out.of_graph[k].push_back(at->second);
    }
  }
  return out;
}

double sum_of(const std::vector<int>& families, const std::vector<double>& scores) {
  double sum = 0;
  for (int f : families) sum += scores[f];
  return sum;
}

// How often each of some rows is drawn, in as many draws as they count. A row with a weight is drawn in proportion to
// it.
void draw(const plain::Scorer& scorer, const std::vector<size_t>& rows, Rng& rng, std::vector<uint32_t>& times) {
  if (scorer.weights().empty()) {
    for (size_t k = 0; k < rows.size(); ++k) ++times[rows[rng.below(static_cast<int>(rows.size()))]];
    return;
  }
  std::vector<double> weights;
  double sum = 0;
  for (const size_t row : rows) sum += weights.emplace_back(scorer.weights()[row]);
  const double draws = std::clamp(std::round(sum), 1.0, kMostDraws);
  const std::vector<uint32_t> drawn = drawn_by_weight(weights, static_cast<uint32_t>(draws), rng);
  for (size_t k = 0; k < rows.size(); ++k) times[rows[k]] = drawn[k];
}

// The rows of each experiment are drawn by themselves: how many there are of each was decided, not observed.
std::vector<std::vector<size_t>> drawn_together(const plain::Scorer& scorer) {
  const size_t rows = scorer.weights().empty() ? static_cast<size_t>(scorer.rows()) : scorer.weights().size();
  std::vector<std::vector<size_t>> out(1);
  for (size_t row = 0; row < rows; ++row) {
    const size_t regime = scorer.regimes().empty() ? 0 : static_cast<size_t>(scorer.regimes()[row]);
    out.resize(std::max(out.size(), regime + 1));
    out[regime].push_back(row);
  }
  return out;
}

std::vector<uint32_t> resampled_weights(const plain::Scorer& scorer, const std::vector<std::vector<size_t>>& together,
                                        uint64_t seed, int resample) {
  Rng rng = Rng(seed).split("bootstrap", static_cast<uint64_t>(resample));
  size_t rows = 0;
  for (const std::vector<size_t>& some : together) rows += some.size();
  std::vector<uint32_t> times(rows);
  for (const std::vector<size_t>& some : together) draw(scorer, some, rng, times);
  return times;
}

std::vector<std::string> assumptions(const plain::Scorer& scorer, bool gap_positive) {
  std::vector<std::string> out = scorer.assumptions();
  out.push_back(
      "The candidates, their parameters, the gap and the constant come from the same rows, so the rows asked for and "
      "the delta reached are indications, not proofs; the bootstrap share is the figure to trust.");
  if (!gap_positive) {
    out.push_back("Another candidate scores as well as the champion, so no number of rows could tell them apart.");
  }
  return out;
}

}  // namespace

size_t affordable_resamples(int wanted, double operations) {
  constexpr double kMost = 2e9, kLeast = 20;
  const double most = operations > 0 ? std::max(kLeast, std::floor(kMost / operations)) : wanted;
  return static_cast<size_t>(std::max(0.0, std::min(most, static_cast<double>(wanted))));
}

double lipschitz_rows(double lipschitz, double gap, int candidates, double delta) {
  if (!(gap > 0)) return kInfinity;
  return 8 * lipschitz * lipschitz / (gap * gap) * std::log(2 * candidates / delta);
}

double lipschitz_delta(double lipschitz, double gap, int candidates, double rows) {
  if (!(gap > 0)) return 1;
  return std::min(1.0, 2 * candidates * std::exp(-rows * gap * gap / (8 * lipschitz * lipschitz)));
}

double hoeffding_rows(double range, double gap, int candidates, double delta) {
  if (!(gap > 0)) return kInfinity;
  return range * range / (2 * gap * gap) * std::log(candidates / delta);
}

double hoeffding_delta(double range, double gap, int candidates, double rows) {
  if (!(gap > 0)) return 1;
  return std::min(1.0, candidates * std::exp(-2 * rows * gap * gap / (range * range)));
}

Selection selection_figures(const plain::Scorer& scorer, const Dag& champion, const std::vector<Dag>& candidates,
                            const SelectionOptions& options, const Watch& watch) {
  Selection out;
  out.wanted_delta = options.delta;
  const std::vector<Dag> graphs = one_per_class(champion, candidates, scorer.row_set());
  out.candidates = static_cast<int>(graphs.size());
  if (graphs.size() == 1) {
    out.gap = kInfinity;
    out.delta = 0;
    out.assumptions = {"There is one candidate, so there was nothing to select."};
    return out;
  }
  const Differing differing = differing_families(graphs);
  const int family_count = static_cast<int>(differing.families.size());
  const int others = out.candidates - 1;

  // 1. The gap.
  std::vector<double> scores(family_count);
  parallel_for(family_count, options.threads, [&](int f) {
    scores[f] = scorer.local(differing.families[f].child, differing.families[f].parents).score;
  });
  const double own = sum_of(differing.of_graph[0], scores);
  out.gap = kInfinity;
  for (int k = 1; k <= others; ++k) {
    out.gap = std::min(out.gap, (own - sum_of(differing.of_graph[k], scores)) / scorer.rows());
  }
  if (std::abs(out.gap) * scorer.rows() <= options.tolerance) out.gap = 0;  // a tie

  // 2. The inequality.
  out.lipschitz = scorer.row_constant(graphs, options.threads);
  const auto rows_needed = scorer.has_gradient() ? lipschitz_rows : hoeffding_rows;
  const auto delta_reached = scorer.has_gradient() ? lipschitz_delta : hoeffding_delta;
  out.n_required = rows_needed(out.lipschitz, out.gap, out.candidates, options.delta);
  out.delta = delta_reached(out.lipschitz, out.gap, out.candidates, scorer.rows());
  out.assumptions = assumptions(scorer, out.gap > 0);

  // 3. The bootstrap.
  const auto resampler = scorer.resampler(differing.families);
  const std::vector<std::vector<size_t>> together = drawn_together(scorer);
  enum : char { kNotDrawn, kLost, kKept };
  std::vector<char> verdict(affordable_resamples(options.resamples, resampler->operations()), kNotDrawn);
  parallel_for(static_cast<int>(verdict.size()), options.threads, [&](int b) {
    if (watch.stop_requested()) return;
    const std::vector<double> drawn = resampler->scores(resampled_weights(scorer, together, options.seed, b));
    double best = -kInfinity;
    for (int k = 1; k <= others; ++k) best = std::max(best, sum_of(differing.of_graph[k], drawn));
    verdict[b] = sum_of(differing.of_graph[0], drawn) >= best - options.tolerance ? kKept : kLost;
  });
  const auto kept = std::count(verdict.begin(), verdict.end(), kKept);
  out.resamples = static_cast<int>(kept + std::count(verdict.begin(), verdict.end(), kLost));
  out.bootstrap_share = out.resamples > 0 ? static_cast<double>(kept) / out.resamples : 0;
  return out;
}

}  // namespace agon
