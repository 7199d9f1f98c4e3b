// What a second thread brings, least of three runs in turn with one thread and with two, and whether the answer is the
// same to the last bit. By the clock: wall time, which suffers from whatever else the machine does. By work: CPU time
// of the thread that calls, which is what the wall time would be if the other thread always had a core to itself.
//
//   threads_bench                400 columns, categories and numbers
//   threads_bench 1000           another number of columns
//
// first sweep  every column of gains from the empty graph: the part of GES that runs on threads
// ges          the whole search
// boss         the search over orders, from the graph of GES
// bootstrap    8 resamples of a fifth of the columns, searched by BOSS
// certificate  scores and single edits of that graph, derived again
// pc           all levels
#include <fmt/format.h>

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "agon/base/hash.h"
#include "agon/catalog/scores.h"
#include "agon/certificate/certificate.h"
#include "agon/data/simulate.h"
#include "agon/graph/equivalence.h"
#include "agon/match/bootstrap.h"
#include "agon/opponent/boss.h"
#include "agon/opponent/ges.h"
#include "agon/opponent/ges_search.h"
#include "agon/opponent/pc.h"
#include "bench/clock.h"

namespace {

using namespace agon;

// Does the work on so many threads, and describes all of its answer.
using Work = std::function<std::string(int threads)>;

std::string described(const Dag& dag) {
  std::string text;
  for (const Edge& edge : dag.edges()) text += fmt::format("{}>{} ", edge.from, edge.to);
  return text;
}

std::string described(const SearchResult& found) {
  return fmt::format("{}{} {} {} {}", described(found.dag), found.score, found.steps, found.counts.columns,
                     found.counts.hits);
}

void time_threads(const std::string& name, const Work& work) {
  double wall[2] = {1e300, 1e300}, work_left[2] = {1e300, 1e300};
  std::string answer[2];
  for (int run = 0; run < 3; ++run) {
    for (const int threads : {1, 2}) {
      const auto begin = std::chrono::steady_clock::now();
      const double cpu = bench::cpu_seconds();
      answer[threads - 1] = work(threads);
      const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
      wall[threads - 1] = std::min(wall[threads - 1], taken.count());
      work_left[threads - 1] = std::min(work_left[threads - 1], bench::cpu_seconds() - cpu);
    }
  }
  fmt::print(
      "{:<24} by the clock {:>7.3f} {:>7.3f} s, {:>5.2f} times   by work {:>7.3f} {:>7.3f} s, {:>5.2f} times   {}\n",
      name, wall[0], wall[1], wall[0] / wall[1], work_left[0], work_left[1], work_left[0] / work_left[1],
      answer[0] == answer[1] ? "same answer" : "ANOTHER ANSWER");
  std::fflush(stdout);
}

Dataset part_of(const Dataset& data, int columns) {
  return make_dataset({data.columns().begin(), data.columns().begin() + columns}, "part");
}

void time_table(const std::string& kind, const Dataset& data) {
  const bool numbers = kind == "numbers";
  const ScoreOptions options{.priced_edges = numbers};
  const char* const name = numbers ? "gaussian-bic" : "discrete-bic";
  const auto score = make_score(name, data, options);
  const Knowledge none;

  time_threads(kind + " first sweep", [&](int threads) {
    GainStore store(*score);
    GesSearch search(store, cpdag_of(Dag(data.size())), 4096, {}, threads);
    search.refresh(OperatorKind::kInsert);
    const GesOperator best = search.best(OperatorKind::kInsert).value();
    return fmt::format("{} {} {} {} {}", best.x, best.y, best.gain, search.counts().targets, store.counts().columns);
  });
  SearchResult first;
  time_threads(kind + " ges", [&](int threads) {
    first = ges(*score, {.threads = threads});
    return described(first);
  });
  time_threads(kind + " boss", [&](int threads) {
    return described(boss(*score, {.random_starts = 0, .threads = threads, .ges = &first}));
  });
  const Dataset part = part_of(data, data.size() / 5);
  time_threads(kind + " bootstrap", [&](int threads) {
    const ResampleSearch search = [&](const Dataset& rows, const Rng& rng, const Watch& watch) {
      return boss(*make_score(name, rows, options), {.random_starts = 0}, rng, watch).dag;
    };
    const Bootstrap found = bootstrap_edges(part, search, {.resamples = 8, .threads = threads}, none, Rng(1));
    std::string text;
    for (const auto& [pair, shares] : found.pairs) {
      text += fmt::format("{} {} {} {} {} ", pair.first, pair.second, shares.edge, shares.forward, shares.backward);
    }
    return text;
  });
  const auto judge = score_entry(name).make_plain(data, options);
  time_threads(kind + " certificate", [&](int threads) {
    const Claim claim{.data = data,
                      .scorer = *judge,
                      .max_parents = score->traits().max_parents,
                      .opponents = {first.dag},
                      .champion = first.dag,
                      .candidates = {first.dag},
                      .knowledge = none};
    const Certificate found = certify(claim, {.threads = threads});
    return fmt::format("{} {} {} {}", found.champion_score, found.neighbours_checked, found.better_gain,
                       fmt::join(plain_lines(found), " "));
  });
  const auto test = make_independence(data);
  time_threads(kind + " pc", [&](int threads) {
    const PcResult found = pc(*test, {.skeleton = {.threads = threads}});
    std::string text = fmt::format("{} {} {} ", found.tests, found.colliders, found.conflicts);
    for (const Edge& e : found.pdag.directed_edges()) text += fmt::format("{}>{} ", e.from, e.to);
    for (const Edge& e : found.pdag.undirected_edges()) text += fmt::format("{}-{} ", e.from, e.to);
    return text;
  });
}

}  // namespace

int main(int argc, char** argv) {
  const int columns = argc > 1 ? std::atoi(argv[1]) : 400;
  const Rng rng(1);
  const auto parents = random_graph({.nodes = columns, .average_degree = 4}, rng.split("graph"));
  time_table("numbers", simulate_sem(parents, 1000, {}, rng.split("rows")).data);
  time_table("categories",
             sample(random_bayes_net(parents, 2, 4, 1, rng.split("net")), 1000, rng.split("rows"), "net"));
  return 0;
}
