#include "agon/opponent/boss.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <memory>
#include <mutex>
#include <optional>

#include "agon/base/archive.h"
#include "agon/base/parallel.h"
#include "agon/graph/equivalence.h"
#include "agon/graph/graph_archive.h"
#include "agon/opponent/boss_sweeps.h"
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

// After a stop, as far as it came.
SearchResult polish(const LocalScore& score, const Dag& dag, const BossOptions& options, const Watch& watch,
                    const Knowledge& knowledge) {
  GainStore store(score, options.store_bytes);
  const GesOptions ges_options{.threads = options.threads};
  SearchResult shrunk = backward_phase(store, dag, ges_options, watch, knowledge);
  if (watch.stop_requested()) return shrunk;
  return ges_from(store, shrunk.dag, ges_options, watch, knowledge);
}

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

// Archive finds these by argument-dependent lookup, hence the named namespace.
namespace boss_detail {

// A search from one order: where it stands, and the graph it has led to.
struct Start {
  int index = 0;  // identifies its random stream, wherever it is among the others
  std::vector<Node> order = {};
  double score = kNoGain;       // of the order; until it has been computed, kNoGain
  std::optional<Dag> dag = {};  // of the order, if it was stopped: then there is no time to derive it
  long evaluations = 0;
  bool ended = false;  // the step it is in
  SweepsPlace sweeps = {};
  IterationPlace iteration = {};
};

void exchange(Archive& archive, Start& start) {
  archive(start.index);
  archive(start.order);
  archive(start.score);
  archive(start.dag);
  archive(start.evaluations);
  archive(start.ended);
  archive(start.sweeps);
  archive(start.iteration);
}

enum class Step { kFirstGraph, kSweeps, kIteration, kOperators, kEnded };

// All that a run needs in order to continue.
struct Place {
  Step step = Step::kFirstGraph;
  SearchResult first;  // of GES
  std::vector<Start> starts;
  Dag dag;  // what the orders led to, and then the operators
  double dag_score = 0;
  int round = 1;                // of operators and sweeps in turn
  std::optional<Start> follow;  // sweeps from the order that the operators led to
  CacheCounts counts;           // without those of GES
  std::vector<std::string> story;
};

void exchange(Archive& archive, Place& place) {
  archive(place.step);
  archive(place.first);
  archive(place.starts);
  archive(place.dag);
  archive(place.dag_score);
  archive(place.round);
  archive(place.follow);
  archive(place.counts);
  archive(place.story);
}

}  // namespace boss_detail

namespace {

using boss_detail::Start;
using boss_detail::Step;

// One run of BOSS. run() calls its steps from top to bottom. A step that was stopped leaves at_.step as it is, so those
// after it do nothing; a run that is resumed skips those before it.
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
              options.pairs >= 0 ? options.pairs > 0 : score.size() <= kMostForPairs) {
    if (options.cut == nullptr) return;
    Archive archive(std::string_view(options.cut->unfinished));
    archive(at_);
    archive.finish();
    Archive::demand(at_.first.dag.size() == score.size());
  }

  SearchResult run() {
    // 1. The graph to beat.
    if (at_.step == Step::kFirstGraph) find_first_graph();
    // 2. Orders, from that graph and at random, side by side; then an iterated search from the better half of them.
    if (at_.step == Step::kSweeps) sweep_starts();
    if (at_.step == Step::kIteration) iterate_starts();
    // 3. Operators for the edges that no order search removes or turns; then the order of the result, as long as that
    // helps.
    if (at_.step == Step::kOperators) polish_and_sweep();
    // 4. The better of the two graphs.
    return answer();
  }

 private:
  long evaluations() const {
    return options_.evaluations >= 0 ? options_.evaluations : default_evaluations(score_.size());
  }

  template <class... Args>
  void tell(fmt::format_string<Args...> text, Args&&... args) {
    at_.story.push_back(fmt::format(text, std::forward<Args>(args)...));
  }
  void count(const CacheCounts& counts) {
    at_.counts.columns += counts.columns;
    at_.counts.hits += counts.hits;
  }
  std::string listed_scores() const {
    std::string list;
    for (const Start& start : at_.starts) list += fmt::format("{}{:.3f}", list.empty() ? "" : ", ", start.score);
    return list;
  }

  // GES is part of this answer, whoever ran it, and so are its counts.
  void find_first_graph() {
    const SearchResult* known = options_.ges ? options_.ges : options_.cut ? &at_.first : nullptr;
    const GesOptions ges_options{.store_bytes = options_.store_bytes, .threads = options_.threads};
    if (known && !known->unfinished.empty()) {
      GainStore store(score_, ges_options.store_bytes);
      at_.first = resume_ges(store, *known, ges_options, watch_, knowledge_);
    } else {
      at_.first = known ? *known : ges(score_, ges_options, watch_, knowledge_);
    }
    if (at_.first.unfinished.empty()) at_.step = Step::kSweeps;
  }

  // Applies `improve` to the order of `start`, on so many threads, with a search from the pool. It does not matter
  // which one: they differ only in the parent sets they happen to have computed.
  template <class Improve>
  void run_from(Start& start, int threads, Improve improve) {
    if (start.ended || watch_.stop_requested()) return;
    auto search = pool_.take();
    search->use_threads(threads);
    const long before = search->evaluations();
    if (search->set_order(start.order, watch_)) {
      start.ended = improve(*search, start);
      start.order = search->order();
      start.score = search->score();
      start.dag.reset();
      if (watch_.stop_requested()) start.dag = search->dag();
      start.evaluations += search->evaluations() - before;
    }
    pool_.give_back(std::move(search));
  }

  // Returns whether all of them have ended.
  template <class Improve>
  bool run_from_all(Improve improve) {
    const int starts = static_cast<int>(at_.starts.size());
    const int each = options_.threads / std::max(1, starts);
    parallel_for(starts, options_.threads, [&](int k) { run_from(at_.starts[k], each, improve); });
    return std::ranges::all_of(at_.starts, &Start::ended);
  }

  auto sweeps() const {
    return [this](OrderSearch& search, Start& start) { return sweep_orders(search, start.sweeps, watch_); };
  }

  void sweep_starts() {
    const int random = options_.random_starts >= 0 ? options_.random_starts : default_random_starts(score_.size());
    for (int k = static_cast<int>(at_.starts.size()); k <= random; ++k) {
      Rng stream = rng_.split("order", k);
      at_.starts.push_back(
          {.index = k,
           .order = k == 0 ? order_of(at_.first.dag, score_, rules_) : random_order(score_, rules_, stream)});
    }
    if (!run_from_all(sweeps())) return;
    tell("sweeps from the order of that graph and {} random ones: {}", random, listed_scores());
    if (evaluations() > 0) {
      keep_better_half();
      at_.step = Step::kIteration;
    } else {
      begin_operators();
    }
  }

  void keep_better_half() {
    std::stable_sort(at_.starts.begin(), at_.starts.end(),
                     [&](const Start& a, const Start& b) { return a.score > b.score + tolerance_; });
    at_.starts.resize((at_.starts.size() + 1) / 2);
    for (Start& start : at_.starts) {
      start.ended = false;
      start.iteration.rng = rng_.split("start", start.index);
      start.iteration.evaluations = evaluations();
    }
  }

  void iterate_starts() {
    const auto iteration = [&](OrderSearch& search, Start& start) {
      return iterate_orders(search, start.iteration, watch_);
    };
    if (!run_from_all(iteration)) return;
    tell("iterated search over orders from the best {}: {}", at_.starts.size(), listed_scores());
    begin_operators();
  }

  // The graph of its order, which must have a score.
  Dag graph_of(const Start& start) {
    if (start.dag) return *start.dag;
    auto search = pool_.take();
    search->set_order(start.order);
    Dag dag = search->dag();
    pool_.give_back(std::move(search));
    return dag;
  }

  const Start& best_start() const {
    size_t best = 0;
    for (size_t k = 0; k < at_.starts.size(); ++k) {
      if (at_.starts[k].score > at_.starts[best].score + tolerance_) best = k;
    }
    return at_.starts[best];
  }

  void begin_operators() {
    at_.dag = graph_of(best_start());
    at_.dag_score = total(score_, at_.dag);
    at_.step = Step::kOperators;
    watch_.tell({"order search", steps(), at_.dag.edge_count(), at_.dag_score});
  }

  // Improves at_.dag. An operator of GES may reach a class that no order near this one gives, and the order of that
  // class may then be improved in turn. Operators that were cut short are a candidate for the answer; a run that is
  // resumed starts again with them.
  void polish_and_sweep() {
    for (;; ++at_.round) {
      if (!at_.follow) {
        if (watch_.stop_requested()) return;
        SearchResult polished = polish(score_, at_.dag, options_, watch_, knowledge_);
        count(polished.counts);
        if (watch_.stop_requested()) {
          polished_in_part_ = std::move(polished.dag);
          return;
        }
        tell("operators of GES from the best of them: {:.3f} to {:.3f}, {} edges", at_.dag_score, polished.score,
             polished.dag.edge_count());
        const bool gained = polished.score > at_.dag_score + tolerance_;
        if (is_better(polished.score, polished.dag.edge_count(), at_.dag_score, at_.dag.edge_count(), tolerance_)) {
          at_.dag = std::move(polished.dag);
          at_.dag_score = polished.score;
        }
        if (!gained || at_.round == kMostRounds) break;
        at_.follow = Start{.order = order_of(at_.dag, score_, rules_)};
      }
      run_from(*at_.follow, options_.threads, sweeps());
      if (!at_.follow->ended) return;
      Dag swept = graph_of(*at_.follow);
      at_.follow.reset();
      const double swept_score = total(score_, swept);
      if (swept_score <= at_.dag_score + tolerance_) break;
      at_.dag = std::move(swept);
      at_.dag_score = swept_score;
      tell("sweeps from the order of that: {:.3f}", at_.dag_score);
    }
    at_.step = Step::kEnded;
  }

  long steps() const {
    long sum = at_.first.steps;
    for (const Start& start : at_.starts) sum += start.evaluations;
    return sum;
  }

  // Of a run that was stopped, the best graph so far.
  SearchResult answer() {
    SearchResult out = at_.first;
    const auto offer = [&](const Dag& dag, double score) {
      if (!is_better(score, dag.edge_count(), out.score, out.dag.edge_count(), tolerance_)) return;
      out.dag = dag;
      out.score = score;
    };
    if (at_.step >= Step::kOperators) {
      offer(at_.dag, at_.dag_score);
      if (polished_in_part_) offer(*polished_in_part_, total(score_, *polished_in_part_));
    } else if (!at_.starts.empty() && best_start().score > kNoGain) {
      const Dag dag = graph_of(best_start());
      offer(dag, total(score_, dag));
    }
    out.score = total(score_, out.dag);
    out.cpdag = cpdag_of(out.dag, score_.traits().row_set);
    count(pool_.counts());
    out.counts.columns += at_.counts.columns;
    out.counts.hits += at_.counts.hits;
    out.steps = steps();
    out.story.insert(out.story.end(), at_.story.begin(), at_.story.end());
    out.unfinished.clear();
    out.stopped_by = "no variable has a better place";
    if (at_.step != Step::kEnded) {
      out.stopped_by = watch_.stop_reason();
      out.story.push_back(fmt::format("stopped {}", where()));
      Archive archive;
      archive(at_);
      out.unfinished = archive.bytes();
    }
    out.story.push_back(
        fmt::format("kept {:.3f}, {:.3f} above the first graph", out.score, out.score - at_.first.score));
    return out;
  }

  const char* where() const {
    switch (at_.step) {
      case Step::kFirstGraph:
        return "in the search for a first graph";
      case Step::kSweeps:
        return "in the sweeps over orders";
      case Step::kIteration:
        return "in the iterated search over orders";
      default:
        return "with the operators of GES";
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
  boss_detail::Place at_;
  std::optional<Dag> polished_in_part_;
};

}  // namespace

SearchResult boss(const LocalScore& score, const BossOptions& options, Rng rng, const Watch& watch,
                  const Knowledge& knowledge) {
  return Boss(score, options, rng, watch, knowledge).run();
}

}  // namespace agon
