// agon/report/comparison.h
//
// An answer compared with the truth, as it is shown: the measures of the graph itself, their mean over its class (a
// single member gets reversible edges right only by luck), and two controls, the empty graph and random graphs of the
// same density.
//
//   Comparison c = compare_with_truth("truth.csv", true_edges, dag, Rng(seed));
//   out << comparison_text(c);
//
// The truth is used here and nowhere earlier: no search can see it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "agon/base/rng.h"
#include "agon/base/stop.h"
#include "agon/graph/dag.h"
#include "agon/graph/measures.h"
#include "agon/report/table.h"

namespace agon {

struct Comparison {
  std::string truth;  // where it came from
  bool cyclic = false;
  Measures answer;
  MeanMeasures class_mean;
  CreditedMeasures credited;  // of its class, as gCastle counts
  Measures empty;
  MeanMeasures random;
  std::optional<double> varsortability;  // of the truth on the table, if asked for (varsortability.h)
  std::string stopped_by;                // "": nothing; else the means are over fewer graphs, and SID may be absent
};

constexpr int kClassMembers = 100;  // drawn for the mean over the class
constexpr int kRandomGraphs = 100;  // drawn for the control

// Both must be over the same nodes; the caller matches them by name. The true edges may have cycles. On a table of
// experiments, `row_set` is that of the score: classes are those that the experiments leave, of both graphs. A stop
// ends it early, and the counts of edges are there in any case.
Comparison compare_with_truth(std::string source, const std::vector<Edge>& truth, const Dag& answer, const Rng& rng,
                              const std::vector<int>& row_set = {}, const Watch& watch = {});

// "against the truth, asia (8 edges): 7 right, 1 reversed, 0 extra, 0 missing"
std::string comparison_sentence(const Comparison& comparison);

// What a stop left out of it; "" if nothing stopped it.
std::string cut_sentence(const Comparison& comparison);

// Calls use(name, graph, mean of its class, empty graph, random graphs) for every measure, the most telling first.
template <class Use>
void for_each_measure(const Comparison& c, Use&& use) {
  const auto row = [&](const char* name, auto measure) {
    use(name, measure(c.answer), measure(c.class_mean), measure(c.empty), measure(c.random));
  };
  if (!c.cyclic) row("SHD of CPDAGs", [](const auto& m) { return m.shd_cpdag; });
  row("skeleton F1", [](const auto& m) { return m.skeleton_f1; });
  row("skeleton precision", [](const auto& m) { return m.skeleton_precision; });
  row("skeleton recall", [](const auto& m) { return m.skeleton_recall; });
  row("SHD (a reversal counts once)", [](const auto& m) { return m.shd; });
  row("TPR, directed", [](const auto& m) { return m.tpr; });
  row("FDR, directed", [](const auto& m) { return m.fdr; });
  row("Score = (TPR + 1 - FDR + 1/(1+SHD))/3", [](const auto& m) { return m.score; });
  if (!c.cyclic) row("SID", [](const auto& m) { return m.sid; });
}

std::string comparison_text(const Comparison& comparison, const TextStyle& style = {});

}  // namespace agon
