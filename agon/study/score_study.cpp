#include "agon/study/score_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <numeric>
#include <unordered_map>

#include "agon/base/error.h"
#include "agon/base/hash.h"
#include "agon/base/suggest.h"
#include "agon/catalog/scores.h"
#include "agon/data/bif.h"
#include "agon/data/embedded.h"
#include "agon/data/simulate.h"
#include "agon/graph/equivalence.h"
#include "agon/graph/measures.h"
#include "agon/opponent/boss.h"
#include "agon/opponent/hill_climbing.h"

namespace agon {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kFirstStudySeed = 4000;  // of sample 1; nothing was tuned on these
constexpr size_t kHeldOut = 5000;           // rows
constexpr int kMostForSid = 120;            // nodes
constexpr int kMostForStability = 40;

// CPU time of this thread: samples run side by side.
double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct RandomKind {
  const char* name;
  int nodes;
  double degree;
  int min_levels, max_levels;
  double alpha;  // of the Dirichlet distribution that the tables are drawn from
};

// Sparse and dense, two levels and several, clear answers (small alpha) and vague ones.
constexpr RandomKind kRandom[] = {
    {"random-10", 10, 3, 2, 4, 0.5}, {"random-20-binary", 20, 4, 2, 2, 0.5}, {"random-20-wide", 20, 2, 3, 6, 1},
    {"random-40", 40, 3, 2, 4, 0.5}, {"random-40-binary", 40, 3, 2, 2, 1},   {"random-60-sparse", 60, 2, 2, 4, 1},
};

BayesNet random_network(const RandomKind& kind, int sample) {
  const Rng rng = Rng(kFirstStudySeed + static_cast<uint64_t>(sample)).split(kind.name);
  const auto graph = random_graph({.nodes = kind.nodes, .average_degree = kind.degree}, rng.split("graph"));
  return random_bayes_net(graph, kind.min_levels, kind.max_levels, kind.alpha, rng.split("tables"));
}

std::vector<StudyNetwork> all_networks(const std::string& data_dir) {
  std::vector<StudyNetwork> out;
  for (const EmbeddedInfo& info : embedded_datasets()) {
    if (info.kind == "network") {
      out.push_back({info.name, [net = embedded_network(info.name)](int) { return net; }});
    }
  }
  if (!data_dir.empty()) {
    std::vector<fs::path> files;
    std::error_code trouble;
    for (const auto& entry : fs::directory_iterator(data_dir, trouble)) {
      if (entry.path().extension() == ".bif") files.push_back(entry.path());
    }
    if (trouble || files.empty()) throw InputError(data_dir, "holds no networks NAME.bif");
    std::ranges::sort(files);
    for (const fs::path& file : files) {
      const std::string name = file.stem().string();
      if (std::ranges::any_of(out, [&](const StudyNetwork& known) { return known.name == name; })) continue;
      out.push_back({name, [net = read_bif(file.string(), nullptr)](int) { return net; }});
    }
  }
  for (const RandomKind& kind : kRandom) {
    out.push_back({kind.name, [&kind](int sample) { return random_network(kind, sample); }});
  }
  return out;
}

SearchResult search(const LocalScore& score, const Dataset& data, const Watch& watch) {
  if (score.traits().score_equivalent) return boss(score, {}, Rng(0), watch);
  const SearchResult near = boss(*make_score("qnml", data), {}, Rng(0), watch);
  SearchResult best = tabu_search(score, near.dag, {}, watch);
  SearchResult other = tabu_search(score, Dag(data.size()), {}, watch);
  return other.score > best.score ? other : best;
}

}  // namespace

BayesNet renamed(BayesNet net, Rng rng) {
  std::vector<int> number(static_cast<size_t>(net.size()));
  for (int v = 0; v < net.size(); ++v) number[v] = v;
  rng.shuffle(number);
  for (int v = 0; v < net.size(); ++v) net.names[v] = fmt::format("v{}", number[v]);
  return net;
}

std::vector<ScoreContender> score_contenders() {
  std::vector<ScoreContender> out;
  for (const ScoreEntry& entry : score_entries()) {
    if (only_kind(entry) != ColumnKind::kCategorical) continue;
    const bool priced = std::ranges::any_of(entry.parameters, [](const auto& p) { return p.option.name == "penalty"; });
    const bool prior = std::ranges::any_of(entry.parameters, [](const auto& p) { return p.option.name == "ess"; });
    if (priced) {
      out.push_back({entry.name, entry.name, {.penalty = 1}});
      out.push_back({entry.name + " 2", entry.name, {.penalty = 2}});
    } else if (prior) {
      out.push_back({entry.name + " 1", entry.name, {.ess = 1}});
      out.push_back({entry.name + " 10", entry.name, {.ess = 10}});
    } else {
      out.push_back({entry.name, entry.name});
    }
  }
  return out;
}

std::vector<StudyNetwork> study_networks(const StudyChoice& choice) {
  std::vector<StudyNetwork> all = all_networks(choice.data_dir);
  std::vector<std::string> names;
  for (const StudyNetwork& network : all) names.push_back(network.name);
  for (const std::string& name : choice.only) {
    if (std::ranges::count(names, name) > 0) continue;
    const std::string near = did_you_mean(name, names);
    throw UsageError(fmt::format("the suite has no network {}", quoted(name)),
                     near.empty() ? "its networks are " + listed(names) : near);
  }
  std::erase_if(all, [&](const StudyNetwork& network) {
    if (!choice.only.empty()) return std::ranges::count(choice.only, network.name) == 0;
    return choice.most_nodes > 0 && network.make(1).size() > choice.most_nodes;
  });
  return all;
}

bool judges_rules(const std::string& network) { return hash_text(network) % 2 == 1; }

std::vector<double> held_out_rows(const Dataset& all, size_t learned, const Dag& dag) {
  struct Row {
    double rows = 0;
    std::vector<double> cells;
  };
  std::vector<double> out(all.rows() - learned, 0);
  for (Node v = 0; v < all.size(); ++v) {
    const Column& child = all.column(v);
    const size_t levels = child.levels.size();
    if (levels < 2) continue;
    const std::vector<Node> parents = dag.parent_list(v);
    const auto configuration = [&](size_t row) {
      uint64_t key = 0;
      for (const Node q : parents) key = hash_combine(key, all.column(q).codes[row]);
      return key;
    };
    std::unordered_map<uint64_t, Row> table;  // looked up, never iterated
    for (size_t row = 0; row < learned; ++row) {
      Row& counts = table[configuration(row)];
      counts.cells.resize(levels);
      counts.rows += 1;
      counts.cells[child.codes[row]] += 1;
    }
    for (size_t row = learned; row < all.rows(); ++row) {
      const auto found = table.find(configuration(row));
      const bool known = found != table.end();
      const double cell = known ? found->second.cells[child.codes[row]] : 0, rows = known ? found->second.rows : 0;
      out[row - learned] += std::log((cell + 1 / static_cast<double>(levels)) / (rows + 1));
    }
  }
  return out;
}

double held_out_likelihood(const Dataset& all, size_t learned, const Dag& dag) {
  const std::vector<double> rows = held_out_rows(all, learned, dag);
  return std::accumulate(rows.begin(), rows.end(), 0.0) / static_cast<double>(rows.size());
}

size_t choose_out_of_sample(const std::vector<std::vector<double>>& likelihoods, const std::vector<int>& edges) {
  constexpr double kWorse = 1.645;  // standard errors: one-sided, 5 %
  const auto sum = [](const std::vector<double>& rows) { return std::accumulate(rows.begin(), rows.end(), 0.0); };
  size_t best = 0;
  for (size_t k = 1; k < likelihoods.size(); ++k) {
    if (sum(likelihoods[k]) > sum(likelihoods[best])) best = k;
  }
  size_t chosen = best;
  for (size_t k = 0; k < likelihoods.size(); ++k) {
    const double n = static_cast<double>(likelihoods[k].size());
    const double mean = (sum(likelihoods[best]) - sum(likelihoods[k])) / n;
    double squares = 0;
    for (size_t row = 0; row < likelihoods[k].size(); ++row) {
      const double d = likelihoods[best][row] - likelihoods[k][row] - mean;
      squares += d * d;
    }
    if (mean > kWorse * std::sqrt(squares / (n - 1) / n)) continue;
    if (edges[k] < edges[chosen]) chosen = k;
  }
  return chosen;
}

size_t choose_stable(const std::vector<double>& edges, const std::vector<double>& instabilities) {
  constexpr double kMostUnstable = 0.05;
  std::vector<size_t> order(edges.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, {}, [&](size_t k) { return edges[k]; });
  size_t chosen = order[0];
  for (const size_t k : order) {
    if (instabilities[k] > kMostUnstable) break;
    chosen = k;
  }
  return chosen;
}

namespace {

// Rows in random order: the first ones are a subsample without repetition.
std::vector<size_t> shuffled_rows(size_t rows, Rng rng) {
  std::vector<size_t> order(rows);
  std::iota(order.begin(), order.end(), size_t{0});
  rng.shuffle(order);
  return order;
}

// Marks the cell of the contender that StARS chooses.
void choose_by_stability(const Dataset& data, const Rng& rng, const std::vector<ScoreContender>& contenders,
                         const Watch& watch, std::vector<ScoreCell>& cells) {
  constexpr int kSubsamples = 10;
  const auto p = static_cast<size_t>(data.size());
  const size_t rows = std::min(data.rows(), static_cast<size_t>(10 * std::sqrt(static_cast<double>(data.rows()))));
  std::vector<std::vector<double>> adjacent(contenders.size(), std::vector<double>(p * p, 0));
  std::vector<double> edges(contenders.size(), 0);
  std::vector<size_t> tried;
  for (int k = 0; k < kSubsamples; ++k) {
    const std::vector<size_t> order = shuffled_rows(data.rows(), rng.split("subsample", static_cast<uint64_t>(k)));
    const Dataset part = with_rows(data, std::span(order).first(rows));
    for (size_t c = 0; c < contenders.size(); ++c) {
      const auto score = make_score(contenders[c].score, part, contenders[c].options);
      if (!score->traits().score_equivalent) continue;
      if (k == 0) tried.push_back(c);
      const SearchResult found = boss(*score, {}, Rng(0), watch);
      if (watch.stop_requested()) return;
      edges[c] += found.dag.edge_count();
      for (const Edge& edge : found.dag.edges()) {
        const auto [a, b] = std::minmax({static_cast<size_t>(edge.from), static_cast<size_t>(edge.to)});
        adjacent[c][a * p + b] += 1.0 / kSubsamples;
      }
    }
  }
  std::vector<double> sizes, instabilities;
  for (const size_t c : tried) {
    double sum = 0;
    for (const double share : adjacent[c]) sum += 2 * share * (1 - share);
    instabilities.push_back(sum / (0.5 * static_cast<double>(p * (p - 1))));
    sizes.push_back(edges[c]);
  }
  if (!tried.empty()) cells[tried[choose_stable(sizes, instabilities)]].stable = true;
}

// Marks the cell of the contender that the rows choose.
void choose_by_rows(const BayesNet& net, const Dataset& data, const Rng& rows_rng,
                    const std::vector<ScoreContender>& contenders, const Watch& watch, std::vector<ScoreCell>& cells) {
  const size_t learned = 2 * data.rows() / 3;
  const Dataset part = agon::sample(net, learned, rows_rng, data.source());
  std::vector<std::vector<double>> likelihoods;
  std::vector<int> edges;
  std::vector<ScoreCell*> taken;
  for (size_t k = 0; k < cells.size(); ++k) {
    const auto score = make_score(contenders[k].score, part, contenders[k].options);
    if (!score->traits().score_equivalent) continue;
    const SearchResult found = boss(*score, {}, Rng(0), watch);
    if (watch.stop_requested()) return;
    likelihoods.push_back(held_out_rows(data, learned, found.dag));
    edges.push_back(found.dag.edge_count());
    taken.push_back(&cells[k]);
  }
  if (!taken.empty()) taken[choose_out_of_sample(likelihoods, edges)]->chosen = true;
}

}  // namespace

std::vector<ScoreCell> study_sample(const StudyNetwork& network, size_t rows, int sample,
                                    const std::vector<ScoreContender>& contenders, const Watch& watch) {
  const Rng rng = Rng(kFirstStudySeed + static_cast<uint64_t>(sample)).split(network.name);
  const BayesNet net = renamed(network.make(sample), rng.split("names"));
  // The first rows of the longer sample are the shorter one.
  const Dataset data = agon::sample(net, rows, rng.split("rows"), network.name);
  const Dataset all = agon::sample(net, rows + kHeldOut, rng.split("rows"), network.name);
  std::vector<Edge> truth;
  for (const auto& [from, to] : net.edges()) truth.push_back({data.index_of(from), data.index_of(to)});
  double levels = 0;
  for (const auto& of_node : net.levels) levels += static_cast<double>(of_node.size()) / net.size();

  std::vector<ScoreCell> cells;
  for (const ScoreContender& contender : contenders) {
    const auto score = make_score(contender.score, data, contender.options);
    const double start = cpu_seconds();
    const SearchResult found = search(*score, data, watch);
    const double seconds = cpu_seconds() - start;
    if (watch.stop_requested()) break;
    ScoreCell cell = {network.name, net.size(), net.edge_count(), levels, rows, sample, contender.label};
    cell.edges = found.dag.edge_count();
    cell.seconds = seconds;
    cell.held_out = held_out_likelihood(all, rows, found.dag);
    if (net.size() <= kMostForSid) {
      const Measures measures = measure(truth, found.dag);
      cell.shd = measures.shd_cpdag.value();
      cell.skeleton_f1 = measures.skeleton_f1;
      cell.sid = measures.sid;
    } else {
      const PdagMeasures measures = measure(truth, cpdag_of(found.dag));
      cell.shd = measures.shd_cpdag.value();
      cell.skeleton_f1 = measures.skeleton_f1;
    }
    cells.push_back(std::move(cell));
  }
  if (cells.size() == contenders.size()) {
    choose_by_rows(net, data, rng.split("rows"), contenders, watch, cells);
    if (net.size() <= kMostForStability) choose_by_stability(data, rng.split("stability"), contenders, watch, cells);
  }
  return cells;
}

std::string score_cells_csv(const std::vector<ScoreCell>& cells) {
  std::string out =
      "network,nodes,true_edges,levels,rows,sample,score,edges,shd_cpdag,skeleton_f1,sid,held_out,seconds,chosen,"
      "stable\n";
  for (const ScoreCell& c : cells) {
    out += fmt::format("{},{},{},{:.3f},{},{},{},{},{},{:.6f},{},{:.6f},{:.4f},{},{}\n", c.network, c.nodes,
                       c.true_edges, c.levels, c.rows, c.sample, c.contender, c.edges, c.shd, c.skeleton_f1,
                       c.sid ? std::to_string(*c.sid) : "", c.held_out, c.seconds, c.chosen ? 1 : 0, c.stable ? 1 : 0);
  }
  return out;
}

}  // namespace agon
