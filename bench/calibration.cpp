// How far the shares and probabilities of edges can be taken at their word, and whether a graph made of them is nearer
// to the truth than the graph that scores highest. The figures are in docs/results/calibration.md.
//
//   ninja -C build calibration && build/calibration 1000 3 calibration.svg
//   build/calibration 1000 3 calibration.svg DIR           with the networks DIR/NAME.bif beside the embedded ones
//
// Rows of a table, tables of each network, and the file of the figure. Prints Markdown: of the pairs of columns given a
// share between so much and so much, how many are right; then SHDs by network.
//
// Tables: those networks of the study of scores that have at most 40 nodes, under new names, and linear Gaussian models
// of 20 columns. Each is searched as `agon discover` does by default: qnml-edges, or copula-bic with ln p for an edge,
// 50 resamples by the short search, and --posterior. In place of the match there is BOSS alone.
//
//   edge, bootstrap      the share of resamples in which two columns are adjacent; right if they are in the true graph
//   edge, posterior      the probability of an edge
//   arrow, bootstrap     the share of resamples whose class fixes the arrow; right if the true class fixes it so
//   arrow, posterior     the probability of an arrow; right if the true graph has it
//
// Consensus graphs are built to be near to the truth in the mean, if shares and probabilities are right:
//
//   votes                between two columns whatever most resamples have: nothing, an open edge or an arrow. SHD
//                        counts the pairs that differ, so no graph has less on average over the resamples. An arrow
//                        that would close a cycle with stronger ones is left open.
//   bootstrap, DAG       arrows by what they gain: P(arrow) - P(no edge), best first, where they close no cycle; an
//                        open edge is half a vote for each arrow
//   posterior, DAG       the same with probabilities
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "agon/base/atomic_file.h"
#include "agon/catalog/scores.h"
#include "agon/data/simulate.h"
#include "agon/graph/equivalence.h"
#include "agon/graph/measures.h"
#include "agon/match/bootstrap.h"
#include "agon/opponent/boss.h"
#include "agon/posterior/consensus.h"
#include "agon/posterior/posterior.h"
#include "agon/study/figure.h"
#include "agon/study/score_study.h"

namespace {

using namespace agon;

constexpr uint64_t kFirstSeed = 70000;  // of table 1; nothing was tuned on these
constexpr int kResamples = 50;
constexpr int kMostNodes = 40;
constexpr int kBins = 10;
constexpr double kLeast = 0.05;  // smaller shares are of nearly all pairs, and nobody asks about those

struct Problem {
  Dataset data;
  Dag truth;
};

struct Source {
  std::string name;
  std::function<Problem(int table, size_t rows)> make;
};

Problem from_network(const StudyNetwork& network, int table, size_t rows) {
  const Rng rng = Rng(kFirstSeed + static_cast<uint64_t>(table)).split(network.name);
  const BayesNet net = renamed(network.make(table), rng.split("names"));
  Dataset data = sample(net, rows, rng.split("rows"), network.name);
  Dag truth(data.size());
  for (const auto& [from, to] : net.edges()) truth.add_edge(data.index_of(from), data.index_of(to));
  return {std::move(data), std::move(truth)};
}

Problem gaussian(double degree, int table, size_t rows) {
  const Rng rng = Rng(kFirstSeed + static_cast<uint64_t>(table)).split(fmt::format("gaussian {}", degree));
  Simulated made =
      simulate_sem(random_graph({.nodes = 20, .average_degree = degree}, rng.split("graph")), rows, {}, rng);
  Dag truth(made.data.size());
  for (Node v = 0; v < made.data.size(); ++v) {
    for (const Node q : made.parents[v]) truth.add_edge(q, v);
  }
  return {std::move(made.data), std::move(truth)};
}

std::vector<Source> sources(const std::string& folder) {
  std::vector<Source> out;
  for (const StudyNetwork& network : study_networks({.data_dir = folder, .most_nodes = kMostNodes})) {
    out.push_back({network.name, [network](int table, size_t rows) { return from_network(network, table, rows); }});
  }
  for (const double degree : {2.0, 4.0}) {
    out.push_back({fmt::format("gaussian-20, degree {}", degree),
                   [degree](int table, size_t rows) { return gaussian(degree, table, rows); }});
  }
  return out;
}

std::unique_ptr<LocalScore> score_by_default(const Dataset& data) {
  const bool numbers = data.column(0).kind == ColumnKind::kContinuous;
  return numbers ? make_score("copula-bic", data, {.priced_edges = true}) : make_score("qnml-edges", data);
}

struct Calibration {
  std::array<double, kBins> share{}, right{};
  std::array<long, kBins> pairs{};
  double squares = 0;  // of share - right, over all pairs given kLeast or more

  void add(double given, bool is_right) {
    if (given < kLeast) return;
    const size_t bin = static_cast<size_t>(std::min(kBins - 1, static_cast<int>(given * kBins)));
    share[bin] += given;
    right[bin] += is_right;
    ++pairs[bin];
    squares += (given - is_right) * (given - is_right);
  }
  long total() const {
    long sum = 0;
    for (const long n : pairs) sum += n;
    return sum;
  }
  // By how much shares are above what is right, in the mean over pairs, and how far they are from it.
  double above() const {
    double sum = 0;
    for (int k = 0; k < kBins; ++k) sum += share[k] - right[k];
    return sum / static_cast<double>(total());
  }
  double off() const {
    double sum = 0;
    for (int k = 0; k < kBins; ++k) sum += std::abs(share[k] - right[k]);
    return sum / static_cast<double>(total());
  }
};

enum Kind { kEdgeBootstrap, kEdgePosterior, kArrowBootstrap, kArrowPosterior, kKinds };
constexpr const char* kKindNames[] = {"edge, bootstrap", "edge, posterior", "arrow, bootstrap", "arrow, posterior"};
constexpr const char* kKindColours[] = {"#1f5fa8", "#c0392b", "#7fb2e5", "#e8a39b"};

// Is there a path of arrows from a to b?
bool reaches(const Pdag& graph, Node a, Node b) {
  std::vector<Node> open{a};
  std::vector<char> seen(static_cast<size_t>(graph.size()), 0);
  while (!open.empty()) {
    const Node v = open.back();
    open.pop_back();
    if (v == b) return true;
    if (seen[v]) continue;
    seen[v] = 1;
    for (Node w = 0; w < graph.size(); ++w) {
      if (graph.has_directed(v, w)) open.push_back(w);
    }
  }
  return false;
}

struct Arrow {
  double weight;
  Node from, to;
};
void sort_arrows(std::vector<Arrow>& arrows) {
  std::ranges::sort(arrows, [](const Arrow& a, const Arrow& b) {
    return std::tuple(-a.weight, a.from, a.to) < std::tuple(-b.weight, b.from, b.to);
  });
}

Pdag consensus_of_votes(const Bootstrap& votes, int nodes) {
  Pdag graph(nodes);
  std::vector<Arrow> arrows;
  for (const auto& [pair, share] : votes.pairs) {
    const double most = std::max({1 - share.edge, share.open, share.forward, share.backward});
    if (most == 1 - share.edge) continue;
    if (most == share.open) {
      graph.add_undirected(pair.first, pair.second);
    } else if (share.forward >= share.backward) {
      arrows.push_back({share.forward, pair.first, pair.second});
    } else {
      arrows.push_back({share.backward, pair.second, pair.first});
    }
  }
  sort_arrows(arrows);
  for (const Arrow& arrow : arrows) {
    if (reaches(graph, arrow.to, arrow.from)) {
      graph.add_undirected(arrow.from, arrow.to);
    } else {
      graph.add_directed(arrow.from, arrow.to);
    }
  }
  return graph;
}

template <class Probability>  // of the arrow from -> to
Cpdag consensus_dag(int nodes, Probability probability) {
  std::vector<double> arrow;
  for (Node a = 0; a < nodes; ++a) {
    for (Node b = 0; b < nodes; ++b) arrow.push_back(a == b ? 0 : probability(a, b));
  }
  return cpdag_of(consensus(nodes, arrow, nodes));
}

enum Graph { kChampion, kVotes, kBootstrapDag, kPosteriorDag, kGraphs };
constexpr const char* kGraphNames[] = {"highest score", "votes", "bootstrap, DAG", "posterior, DAG"};

struct Row {
  std::array<double, kGraphs> shd{};
  int tables = 0;
};

struct Study {
  std::array<Calibration, kKinds> calibration;
  std::vector<std::pair<std::string, Row>> rows;
  std::array<int, kGraphs> nearer{}, farther{};  // tables on which a graph is nearer than the one of highest score
  int unconverged = 0;
};

void add_table(const Problem& problem, const Rng& rng, Study& study, Row& row) {
  const int p = problem.data.size();
  const auto score = score_by_default(problem.data);
  const Dag champion = boss(*score, {}, Rng(0)).dag;
  const Bootstrap votes = bootstrap_edges(
      problem.data,
      [](const Dataset& resample, const Rng& seed, const Watch& watch) {
        return quick_match(*score_by_default(resample), {}, seed, watch);
      },
      {.resamples = kResamples}, {}, rng.split("bootstrap"));
  const Posterior posterior = edge_posterior(*score, {}, {champion}, {}, rng.split("posterior"));
  if (!posterior.converged()) ++study.unconverged;

  const Cpdag truth = cpdag_of(problem.truth);
  for (Node a = 0; a < p; ++a) {
    for (Node b = a + 1; b < p; ++b) {
      const PairShares share = votes.shares(a, b);
      const PairPosterior pair = posterior.pair(a, b);
      const bool adjacent = problem.truth.adjacent(a, b);
      study.calibration[kEdgeBootstrap].add(share.edge, adjacent);
      study.calibration[kEdgePosterior].add(pair.edge, adjacent);
      study.calibration[kArrowBootstrap].add(share.forward, truth.pdag().has_directed(a, b));
      study.calibration[kArrowBootstrap].add(share.backward, truth.pdag().has_directed(b, a));
      study.calibration[kArrowPosterior].add(pair.forward, problem.truth.has_edge(a, b));
      study.calibration[kArrowPosterior].add(pair.backward, problem.truth.has_edge(b, a));
    }
  }
  std::array<int, kGraphs> distance{};
  distance[kChampion] = shd(truth.pdag(), cpdag_of(champion).pdag());
  distance[kVotes] = shd(truth.pdag(), consensus_of_votes(votes, p));
  const Cpdag by_votes = consensus_dag(p, [&](Node from, Node to) {
    const PairShares share = votes.shares(from, to);
    return share.forward + share.open / 2;
  });
  distance[kBootstrapDag] = shd(truth.pdag(), by_votes.pdag());
  const Cpdag by_posterior = consensus_dag(p, [&](Node from, Node to) { return posterior.pair(from, to).forward; });
  distance[kPosteriorDag] = shd(truth.pdag(), by_posterior.pdag());
  for (int g = 0; g < kGraphs; ++g) {
    row.shd[g] += distance[g];
    study.nearer[g] += distance[g] < distance[kChampion];
    study.farther[g] += distance[g] > distance[kChampion];
  }
  ++row.tables;
}

// The standard error of a share of n pairs, as if they were independent.
double error_of(double share, double n) { return std::sqrt(std::max(share * (1 - share), 0.25 / n) / n); }

void print_calibration(const Study& study) {
  fmt::print("| given |");
  for (const char* name : kKindNames) fmt::print(" {} |", name);
  fmt::print("\n|---|---|---|---|---|\n");
  for (int bin = 0; bin < kBins; ++bin) {
    fmt::print("| {} to {} % |", std::max(5, bin * 10), bin * 10 + 10);
    for (const Calibration& c : study.calibration) {
      const double n = static_cast<double>(c.pairs[bin]);
      if (n < 1) {
        fmt::print("  |");
      } else {
        fmt::print(" {:.0f} % ± {:.0f} ({:.0f} of {:.0f}) |", 100 * c.right[bin] / n,
                   100 * error_of(c.right[bin] / n, n), c.right[bin], n);
      }
    }
    fmt::print("\n");
  }
  fmt::print("\n| | given on average | right | off by, mean over pairs | Brier score |\n|---|---|---|---|---|\n");
  for (int k = 0; k < kKinds; ++k) {
    const Calibration& c = study.calibration[k];
    double share = 0, right = 0;
    for (int bin = 0; bin < kBins; ++bin) share += c.share[bin], right += c.right[bin];
    const double n = static_cast<double>(c.total());
    fmt::print("| {} | {:.1f} % | {:.1f} % | {:.1f} points | {:.3f} |\n", kKindNames[k], 100 * share / n,
               100 * right / n, 100 * c.off(), c.squares / n);
  }
}

void print_graphs(const Study& study) {
  fmt::print("\n| tables |");
  for (const char* name : kGraphNames) fmt::print(" {} |", name);
  fmt::print("\n|---|---|---|---|---|\n");
  std::array<double, kGraphs> sum{};
  for (const auto& [name, row] : study.rows) {
    fmt::print("| {} |", name);
    for (int g = 0; g < kGraphs; ++g) {
      fmt::print(" {:.1f} |", row.shd[g] / row.tables);
      sum[g] += row.shd[g] / row.tables;
    }
    fmt::print("\n");
  }
  fmt::print("| sum, beside the first |");
  for (int g = 0; g < kGraphs; ++g) fmt::print(" {:.1f} ({:+.0f} %) |", sum[g], 100 * (sum[g] / sum[0] - 1));
  fmt::print("\n| nearer / farther than the first, tables |");
  for (int g = 0; g < kGraphs; ++g) fmt::print(" {} / {} |", study.nearer[g], study.farther[g]);
  fmt::print("\n");
}

std::string figure(const Study& study) {
  Figure out{.title = "Of the edges given so much, how many are right",
             .x = "share of resamples or posterior probability, %",
             .left = "right, %",
             .right = ""};
  out.series.push_back(
      {.name = "as said", .colour = "#888888", .points = {{.x = 0, .y = 0}, {.x = 100, .y = 100}}, .dashed = true});
  for (int k = 0; k < kKinds; ++k) {
    const Calibration& c = study.calibration[k];
    FigureSeries line{.name = kKindNames[k], .colour = kKindColours[k]};
    for (int bin = 0; bin < kBins; ++bin) {
      const double n = static_cast<double>(c.pairs[bin]);
      if (n < 10) continue;
      const double right = c.right[bin] / n, error = error_of(right, n);
      line.points.push_back({.x = 100 * c.share[bin] / n,
                             .y = 100 * right,
                             .low = 100 * std::max(0.0, right - error),
                             .high = 100 * std::min(1.0, right + error)});
    }
    out.series.push_back(std::move(line));
  }
  return out.svg();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4 || argc > 5) {
    fmt::print(stderr, "usage: calibration ROWS TABLES FIGURE.svg [FOLDER]\n");
    return 2;
  }
  const size_t rows = std::strtoul(argv[1], nullptr, 10);
  const int tables = std::atoi(argv[2]);
  Study study;
  for (const Source& source : sources(argc == 5 ? argv[4] : "")) {
    Row row;
    for (int table = 1; table <= tables; ++table) {
      const Rng rng = Rng(kFirstSeed + static_cast<uint64_t>(table)).split(source.name, table);
      add_table(source.make(table, rows), rng, study, row);
    }
    study.rows.emplace_back(source.name, row);
    fmt::print(stderr, "{}\n", source.name);
  }
  fmt::print("{} rows, {} tables each; samples of the posterior that did not converge: {}\n\n", rows, tables,
             study.unconverged);
  print_calibration(study);
  print_graphs(study);
  write_file_atomically(argv[3], figure(study));
}
