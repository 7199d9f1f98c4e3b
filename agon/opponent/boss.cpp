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

constexpr int kMostForPairs = 300;  // variables up to which growing looks for pairs; the cost is quadratic in them
constexpr int kMostRounds = 4;      // of operators and sweeps in turn; every round but the last gained

// A pool of searches for the starts, so that starts that run one after the other share their parent sets.
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

// The higher score is better; within the tolerance, fewer edges are.
bool is_better(double score, int edges, double than_score, int than_edges, double tolerance) {
  if (score > than_score + tolerance) return true;
  return score >= than_score - tolerance && edges < than_edges;
}

// By variable: is it in the orders? Those that vary are, and those that a required edge touches.
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

// A topological order of `dag`, without the variables that take no part.
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

// A way out of an order that no single move improves: it displaces a few variables, and settle() lets the others
// follow.
class Perturbation {
 public:
  Perturbation(OrderSearch& search, Rng& rng)
      : search_(search), rng_(rng), m_(static_cast<int>(search.order().size())) {}

  // Displaces a few variables and returns which ones to try again: first those whose parents changed as a result, last
  // the displaced ones themselves, which would otherwise simply go back.
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
  // Moves w before one of its parents, together with those of its ancestors that are in between (the tuck of Lam,
  // Andrews & Ramsey 2022, GRaSP).
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
    // Nodes in no tier may be anywhere: they keep their places, and the others fill the rest tier by tier.
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
    // Repeatedly takes the first remaining variable whose required parents have all been placed.
    std::vector<Node> out;
    std::vector<char> placed(score.size());
    while (!order.empty()) {
      const auto it = std::ranges::find_if(
          order, [&](Node v) { return std::ranges::all_of(rules.required[v], [&](Node q) { return placed[q]; }); });
      assert(it != order.end());  // required edges contain no cycle
      placed[*it] = 1;
      out.push_back(*it);
      order.erase(it);
    }
    order = std::move(out);
  }
  return order;
}

void sweep_orders(OrderSearch& search, const Watch& watch) {
  // The score is checked too: the loop ends even if gains drown in rounding.
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

namespace {

// One run of BOSS. run() calls its steps from top to bottom.
class Boss {
 public:
  Boss(const LocalScore& score, const BossOptions& options, const Rng& rng, const Watch& watch,
       const Knowledge& knowledge)
      : score_(score),
        options_(options),
        rng_(rng),
        watch_(watch),
        knowledge_(knowledge),
        tolerance_(tie_tolerance(score)),
        rules_(order_rules(knowledge, score.size())),
        pool_(score, rules_, options.store_bytes / std::max(1, options.threads),
              options.pairs >= 0 ? options.pairs > 0 : score.size() <= kMostForPairs) {}

  SearchResult run() {
    // Step 1: the graph to beat. The counts of GES are included here, whoever ran it: it is part of this answer.
    out_ = options_.ges ? *options_.ges : ges(score_, {.store_bytes = options_.store_bytes}, watch_, knowledge_);
    const double first_score = out_.score;

    // Step 2: orders, from that graph and at random, side by side; then an iterated search from the better half of
    // them.
    sweep_starts();
    if (evaluations() > 0) iterate_better_half();
    const std::vector<Node> order = best_order();

    // Step 3: operators for the edges that no order search removes or turns; then the order of the result, as long as
    // that helps.
    auto search = pool_.take();
    search->set_order(order);
    polish_and_sweep(*search);
    pool_.give_back(std::move(search));

    // Step 4: the better of the two graphs.
    if (is_better(dag_score_, dag_.edge_count(), out_.score, out_.dag.edge_count(), tolerance_)) out_.dag = dag_;
    out_.score = total(score_, out_.dag);
    out_.cpdag = cpdag_of(out_.dag);
    count(pool_.counts());
    out_.stopped_by = watch_.stop_requested() ? watch_.stop_reason() : "no variable has a better place";
    tell("kept {:.3f}, {:.3f} above the first graph", out_.score, out_.score - first_score);
    return std::move(out_);
  }

 private:
  struct Start {
    int index;  // identifies its random stream, wherever it is among the others
    std::vector<Node> order;
    double score;
    long evaluations;
  };

  long evaluations() const {
    return options_.evaluations >= 0 ? options_.evaluations : default_evaluations(score_.size());
  }

  template <class... Args>
  void tell(fmt::format_string<Args...> text, Args&&... args) {
    out_.story.push_back(fmt::format(text, std::forward<Args>(args)...));
  }
  void count(const CacheCounts& counts) {
    out_.counts.columns += counts.columns;
    out_.counts.hits += counts.hits;
  }
  std::string listed_scores() const {
    std::string list;
    for (const Start& start : starts_) list += fmt::format("{}{:.3f}", list.empty() ? "" : ", ", start.score);
    return list;
  }

  // Applies `improve` to the order of `start`, with a search from the pool. It does not matter which one: they differ
  // only in the parent sets they happen to have computed.
  template <class Improve>
  void run_from(Start& start, Improve improve) {
    auto search = pool_.take();
    const long before = search->evaluations();
    search->set_order(start.order);
    improve(*search);
    start.order = search->order();
    start.score = search->score();
    start.evaluations += search->evaluations() - before;
    pool_.give_back(std::move(search));
  }

  void sweep_starts() {
    const int random = options_.random_starts >= 0 ? options_.random_starts : default_random_starts(score_.size());
    starts_.resize(1 + random);
    parallel_for(1 + random, options_.threads, [&](int k) {
      Rng stream = rng_.split("order", k);
      starts_[k] = {k, k == 0 ? order_of(out_.dag, score_, rules_) : random_order(score_, rules_, stream), 0, 0};
      run_from(starts_[k], [&](OrderSearch& search) { sweep_orders(search, watch_); });
    });
    tell("sweeps from the order of that graph and {} random ones: {}", random, listed_scores());
  }

  void iterate_better_half() {
    std::stable_sort(starts_.begin(), starts_.end(),
                     [&](const Start& a, const Start& b) { return a.score > b.score + tolerance_; });
    starts_.resize((starts_.size() + 1) / 2);
    parallel_for(static_cast<int>(starts_.size()), options_.threads, [&](int k) {
      Rng stream = rng_.split("start", starts_[k].index);
      run_from(starts_[k], [&](OrderSearch& search) { iterate_orders(search, evaluations(), stream, watch_); });
    });
    tell("iterated search over orders from the best {}: {}", starts_.size(), listed_scores());
  }

  std::vector<Node> best_order() {
    size_t best = 0;
    for (size_t k = 0; k < starts_.size(); ++k) {
      out_.steps += starts_[k].evaluations;
      if (starts_[k].score > starts_[best].score + tolerance_) best = k;
    }
    return starts_[best].order;
  }

  // From the order of `search` to dag_ and dag_score_. An operator of GES may reach a class that no order near this one
  // gives, and the order of that class may then be improved in turn.
  void polish_and_sweep(OrderSearch& search) {
    dag_ = search.dag();
    dag_score_ = total(score_, dag_);
    watch_.tell({"order search", out_.steps, dag_.edge_count(), dag_score_});
    for (int round = 1;; ++round) {
      SearchResult polished = polish(score_, dag_, options_, watch_, knowledge_);
      count(polished.counts);
      tell("operators of GES from the best of them: {:.3f} to {:.3f}, {} edges", dag_score_, polished.score,
           polished.dag.edge_count());
      const bool gained = polished.score > dag_score_ + tolerance_;
      if (is_better(polished.score, polished.dag.edge_count(), dag_score_, dag_.edge_count(), tolerance_)) {
        dag_ = std::move(polished.dag);
        dag_score_ = polished.score;
      }
      if (!gained || round == kMostRounds || watch_.stop_requested()) return;
      search.set_order(order_of(dag_, score_, rules_));
      sweep_orders(search, watch_);
      const Dag swept = search.dag();
      const double swept_score = total(score_, swept);
      if (swept_score <= dag_score_ + tolerance_) return;
      dag_ = swept;
      dag_score_ = swept_score;
      tell("sweeps from the order of that: {:.3f}", dag_score_);
    }
  }

  const LocalScore& score_;
  const BossOptions& options_;
  const Rng& rng_;
  const Watch& watch_;
  const Knowledge& knowledge_;
  const double tolerance_;
  const OrderRules rules_;
  SearchPool pool_;
  std::vector<Start> starts_;
  Dag dag_;  // what the orders led to
  double dag_score_ = 0;
  SearchResult out_;
};

}  // namespace

SearchResult boss(const LocalScore& score, const BossOptions& options, Rng rng, const Watch& watch,
                  const Knowledge& knowledge) {
  return Boss(score, options, rng, watch, knowledge).run();
}

}  // namespace agon
