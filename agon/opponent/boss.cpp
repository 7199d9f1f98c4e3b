#include "agon/opponent/boss.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <memory>
#include <mutex>
#include <numeric>

#include "agon/base/parallel.h"
#include "agon/graph/equivalence.h"
#include "agon/opponent/ges.h"

namespace agon {
namespace {

constexpr int kMostForPairs = 300;  // variables up to which growing looks for pairs, whose cost goes with their square
constexpr int kMostRounds = 4;      // of operators and sweeps in turn; each but the last gained

// Searches taken and given back by the starts, so that those that run one after the other share their parent sets.
class SearchPool {
 public:
  SearchPool(const LocalScore& score, const OrderRules& rules, size_t bytes_each, bool with_pairs)
      : score_(score), rules_(rules), bytes_each_(bytes_each), with_pairs_(with_pairs) {}
  std::unique_ptr<OrderSearch> take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return std::make_unique<OrderSearch>(score_, rules_, bytes_each_, with_pairs_);
    auto search = std::move(free_.back());
    free_.pop_back();
    return search;
  }
  void give_back(std::unique_ptr<OrderSearch> search) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(search));
  }
  CacheCounts counts() const {
    CacheCounts sum;
    for (const auto& search : free_) {
      sum.columns += search->counts().columns;
      sum.hits += search->counts().hits;
    }
    return sum;
  }

 private:
  const LocalScore& score_;
  const OrderRules& rules_;
  size_t bytes_each_;
  bool with_pairs_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<OrderSearch>> free_;
};

// Higher score; within the tolerance, fewer edges.
bool is_better(double score, int edges, double than_score, int than_edges, double tolerance) {
  if (score > than_score + tolerance) return true;
  return score >= than_score - tolerance && edges < than_edges;
}

// By variable: does it stand in orders? Those that vary do, and those that a required edge touches.
std::vector<char> takes_part(const LocalScore& score, const OrderRules& rules) {
  std::vector<char> part(score.size());
  for (Node v = 0; v < score.size(); ++v) {
    part[v] |= !score.traits().constant[v];
    if (rules.required.empty() || rules.required[v].empty()) continue;
    part[v] = 1;
    for (Node q : rules.required[v]) part[q] = 1;
  }
  return part;
}

// Topological order of `dag`, without variables that take no part.
std::vector<Node> order_of(const Dag& dag, const LocalScore& score, const OrderRules& rules) {
  std::vector<Node> order = topological_order(dag);
  const std::vector<char> part = takes_part(score, rules);
  std::erase_if(order, [&](Node v) { return !part[v]; });
  return order;
}

SearchResult polish(const LocalScore& score, const Dag& dag, const BossOptions& options, const Watch& watch,
                    const Knowledge& knowledge) {
  GainStore store(score, options.store_bytes);
  const SearchResult shrunk = backward_phase(store, dag, {}, watch, knowledge);
  return ges_from(store, shrunk.dag, {}, watch, knowledge);
}

// One way out of an order that no single move improves: `touched` are displaced, everything else follows in settle().
class Perturbation {
 public:
  Perturbation(OrderSearch& search, Rng& rng)
      : search_(search), rng_(rng), m_(static_cast<int>(search.order().size())) {}

  // Displaces a few variables and returns who should be tried again: first those whose parents changed by it, last the
  // displaced ones themselves, which would otherwise just go back.
  std::vector<Node> displace() {
    displaced_.clear();
    const int times = 1 + rng_.below(3);
    switch (rng_.below(4)) {
      case 0:
        for (int k = 0; k <= times; ++k) put(search_.order()[rng_.below(m_)], rng_.below(m_));
        break;
      case 1: {
        const int centre = rng_.below(m_);
        for (int k = 0; k <= times; ++k) put(search_.order()[near(centre)], near(centre));
        break;
      }
      default:
        for (int k = 0; k < times; ++k) tuck(search_.order()[rng_.below(m_)]);
    }
    if (displaced_.empty()) put(search_.order()[rng_.below(m_)], rng_.below(m_));
    std::vector<Node> agenda;
    for (Node w : search_.touched()) {
      if (!is_displaced(w)) agenda.push_back(w);
    }
    rng_.shuffle(agenda);
    rng_.shuffle(displaced_);
    agenda.insert(agenda.end(), displaced_.begin(), displaced_.end());
    return agenda;
  }

 private:
  bool is_displaced(Node v) const { return std::find(displaced_.begin(), displaced_.end(), v) != displaced_.end(); }
  void note(Node v) {
    if (!is_displaced(v)) displaced_.push_back(v);
  }
  void put(Node v, int position) {
    search_.move(v, position);
    note(v);
  }
  int near(int centre) {
    const int span = std::max(3, m_ / 10);
    return std::clamp(centre + rng_.below(2 * span + 1) - span, 0, m_ - 1);
  }
  // w goes before one of its parents, and with it those of its ancestors that stand between (the tuck of Lam, Andrews &
  // Ramsey 2022, GRaSP).
  void tuck(Node w) {
    const std::vector<Node> parents = search_.grown_parents(w);
    if (parents.empty()) return;
    const Node before = parents[rng_.below(static_cast<int>(parents.size()))];
    const int bar = search_.position(before);
    std::vector<Node> block = {w};
    for (size_t k = 0; k < block.size(); ++k) {
      for (Node q : search_.grown_parents(block[k])) {
        if (search_.position(q) > bar && std::find(block.begin(), block.end(), q) == block.end()) block.push_back(q);
      }
    }
    std::sort(block.begin(), block.end(), [&](Node a, Node b) { return search_.position(a) < search_.position(b); });
    for (size_t k = 0; k < block.size(); ++k) search_.move(block[k], bar + static_cast<int>(k));
    note(w);
    note(before);
  }

  OrderSearch& search_;
  Rng& rng_;
  int m_;
  std::vector<Node> displaced_;
};

}  // namespace

int default_random_starts(int p) { return p <= 150 ? 3 : 0; }
long default_evaluations(int p) { return p <= 50 ? 100000 : 5000000 / p; }

OrderRules order_rules(const Knowledge& knowledge, int p) {
  OrderRules rules;
  if (knowledge.empty()) return rules;
  rules.forbidden = BitRows(p);
  for (Node child = 0; child < p; ++child) {
    for (Node q : knowledge.forbidden_parents(child)) rules.forbidden.set(q, child);
  }
  if (knowledge.required_count() > 0) {
    for (Node child = 0; child < p; ++child) rules.required.push_back(knowledge.required_parents(child).to_vector());
  }
  if (!knowledge.tiers().empty()) {
    rules.tier.assign(p, -1);
    for (size_t k = 0; k < knowledge.tiers().size(); ++k) {
      for (Node v : knowledge.tiers()[k].members) rules.tier[v] = static_cast<int>(k);
    }
  }
  return rules;
}

std::vector<Node> random_order(const LocalScore& score, const OrderRules& rules, Rng& rng) {
  std::vector<Node> order;
  const std::vector<char> part = takes_part(score, rules);
  for (Node v = 0; v < score.size(); ++v) {
    if (part[v]) order.push_back(v);
  }
  rng.shuffle(order);
  if (!rules.tier.empty()) {
    // Nodes in no tier may stand anywhere: they keep their places, and the others fill the rest tier by tier.
    std::vector<size_t> places;
    std::vector<Node> tiered;
    for (size_t k = 0; k < order.size(); ++k) {
      if (rules.tier[order[k]] < 0) continue;
      places.push_back(k);
      tiered.push_back(order[k]);
    }
    std::stable_sort(tiered.begin(), tiered.end(), [&](Node a, Node b) { return rules.tier[a] < rules.tier[b]; });
    for (size_t k = 0; k < places.size(); ++k) order[places[k]] = tiered[k];
  }
  if (!rules.required.empty()) {
    // The first of what is left whose required parents have all come, again and again.
    std::vector<Node> out;
    std::vector<char> placed(score.size());
    while (!order.empty()) {
      const auto it = std::ranges::find_if(
          order, [&](Node v) { return std::ranges::all_of(rules.required[v], [&](Node q) { return placed[q]; }); });
      assert(it != order.end());  // required edges hold no cycle
      placed[*it] = 1;
      out.push_back(*it);
      order.erase(it);
    }
    order = std::move(out);
  }
  return order;
}

void sweep_orders(OrderSearch& search, const Watch& watch) {
  // The score is asked too: should gains drown in rounding, this still ends.
  for (double before = kNoGain; search.score() > before;) {
    before = search.score();
    if (search.sweep(watch) == 0) break;
  }
}

void iterate_orders(OrderSearch& search, long evaluations, Rng& rng, const Watch& watch) {
  if (search.order().size() < 3) return;
  const long last = search.evaluations() + evaluations;
  const double tolerance = search.tolerance();
  double best = search.score();
  Perturbation perturbation(search, rng);
  search.mark();
  while (search.evaluations() < last && !watch.stop_requested()) {
    search.settle(perturbation.displace(), last);
    const double now = search.score();
    if (now < best - tolerance) {
      search.take_back();
      continue;
    }
    best = std::max(best, now);
    search.mark();
  }
  search.forget();
  sweep_orders(search, watch);
}

SearchResult boss(const LocalScore& score, const BossOptions& options, Rng rng, const Watch& watch,
                  const Knowledge& knowledge) {
  const int p = score.size();
  const double tolerance = tie_tolerance(score);
  const OrderRules rules = order_rules(knowledge, p);

  // Step 1: the graph to beat.
  SearchResult out = ges(score, {.store_bytes = options.store_bytes}, watch, knowledge);
  const double first_score = out.score;

  // Step 2: orders, from that graph and at random, side by side; then iterated search from the better half of them.
  struct Start {
    int index;
    std::vector<Node> order;
    double score;
    long evaluations;
  };
  const int random_starts = options.random_starts >= 0 ? options.random_starts : default_random_starts(p);
  const long evaluations = options.evaluations >= 0 ? options.evaluations : default_evaluations(p);
  std::vector<Start> starts(1 + random_starts);
  const bool with_pairs = options.pairs >= 0 ? options.pairs > 0 : p <= kMostForPairs;
  SearchPool pool(score, rules, options.store_bytes / std::max(1, options.threads), with_pairs);
  const auto run = [&](Start& start, const auto& search_from) {
    auto search = pool.take();
    const long before = search->evaluations();
    search->set_order(start.order);
    search_from(*search);
    start.order = search->order();
    start.score = search->score();
    start.evaluations += search->evaluations() - before;
    pool.give_back(std::move(search));
  };
  const auto listed_scores = [&] {
    std::string list;
    for (const Start& start : starts) list += fmt::format("{}{:.3f}", list.empty() ? "" : ", ", start.score);
    return list;
  };
  parallel_for(1 + random_starts, options.threads, [&](int k) {
    Rng stream = rng.split("order", k);
    starts[k] = {k, k == 0 ? order_of(out.dag, score, rules) : random_order(score, rules, stream), 0, 0};
    run(starts[k], [&](OrderSearch& search) { sweep_orders(search, watch); });
  });
  out.story.push_back(
      fmt::format("sweeps from the order of that graph and {} random ones: {}", random_starts, listed_scores()));
  if (evaluations > 0) {
    std::stable_sort(starts.begin(), starts.end(),
                     [&](const Start& a, const Start& b) { return a.score > b.score + tolerance; });
    starts.resize((starts.size() + 1) / 2);
    parallel_for(static_cast<int>(starts.size()), options.threads, [&](int k) {
      Rng stream = rng.split("start", starts[k].index);
      run(starts[k], [&](OrderSearch& search) { iterate_orders(search, evaluations, stream, watch); });
    });
    out.story.push_back(
        fmt::format("iterated search over orders from the best {}: {}", starts.size(), listed_scores()));
  }
  size_t best = 0;
  for (size_t k = 0; k < starts.size(); ++k) {
    out.steps += starts[k].evaluations;
    if (starts[k].score > starts[best].score + tolerance) best = k;
  }

  // Step 3: edges that no order search removes or turns; then the order of what came out, while that helps.
  auto search = pool.take();
  search->set_order(starts[best].order);
  Dag dag = search->dag();
  double dag_score = total(score, dag);
  watch.tell({"order search", out.steps, dag.edge_count(), dag_score});
  for (int round = 1;; ++round) {
    SearchResult polished = polish(score, dag, options, watch, knowledge);
    out.counts.columns += polished.counts.columns;
    out.counts.hits += polished.counts.hits;
    out.story.push_back(fmt::format("operators of GES from the best of them: {:.3f} to {:.3f}, {} edges", dag_score,
                                    polished.score, polished.dag.edge_count()));
    const bool gained = polished.score > dag_score + tolerance;
    if (is_better(polished.score, polished.dag.edge_count(), dag_score, dag.edge_count(), tolerance)) {
      dag = std::move(polished.dag);
      dag_score = polished.score;
    }
    if (!gained || round == kMostRounds || watch.stop_requested()) break;
    search->set_order(order_of(dag, score, rules));
    sweep_orders(*search, watch);
    const Dag swept = search->dag();
    const double swept_score = total(score, swept);
    if (swept_score <= dag_score + tolerance) break;
    dag = swept;
    dag_score = swept_score;
    out.story.push_back(fmt::format("sweeps from the order of that: {:.3f}", dag_score));
  }

  if (is_better(dag_score, dag.edge_count(), out.score, out.dag.edge_count(), tolerance)) {
    out.dag = std::move(dag);
    out.score = dag_score;
  }
  out.score = total(score, out.dag);
  out.cpdag = cpdag_of(out.dag);
  pool.give_back(std::move(search));
  out.counts.columns += pool.counts().columns;
  out.counts.hits += pool.counts().hits;
  out.stopped_by = watch.stop_requested() ? watch.stop_reason() : "no variable has a better place";
  out.story.push_back(fmt::format("kept {:.3f}, {:.3f} above the first graph", out.score, out.score - first_score));
  return out;
}

}  // namespace agon
