#include "agon/opponent/boss.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <numeric>

#include "agon/base/parallel.h"
#include "agon/graph/equivalence.h"
#include "agon/opponent/boss_backward.h"
#include "agon/opponent/hill_climbing.h"

namespace agon {
namespace {

// Searches taken and given back by the starts, so that those that run one after the other share their parent sets.
class SearchPool {
 public:
  SearchPool(const LocalScore& score, const OrderRules& rules, size_t bytes_each)
      : score_(score), rules_(rules), bytes_each_(bytes_each) {}
  std::unique_ptr<OrderSearch> take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return std::make_unique<OrderSearch>(score_, rules_, bytes_each_);
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
  std::mutex mutex_;
  std::vector<std::unique_ptr<OrderSearch>> free_;
};

// Higher score; within the tolerance, fewer edges.
bool is_better(double score, int edges, double than_score, int than_edges, double tolerance) {
  if (score > than_score + tolerance) return true;
  return score >= than_score - tolerance && edges < than_edges;
}

// The nodes of `dag` in topological order, without those that are constant.
std::vector<Node> order_of(const Dag& dag, const LocalScore& score) {
  std::vector<Node> order = topological_order(dag);
  std::erase_if(order, [&](Node v) { return score.traits().constant[v]; });
  return order;
}

}  // namespace

int default_random_starts(int p) { return p <= 200 ? 3 : p <= 500 ? 1 : 0; }
long default_trials(int p) { return p <= 100 ? 20000 : 2000000 / p; }

std::vector<Node> random_order(const LocalScore& score, const OrderRules& rules, Rng& rng) {
  std::vector<Node> order;
  for (Node v = 0; v < score.size(); ++v) {
    if (!score.traits().constant[v]) order.push_back(v);
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
    // The first of what is left whose required parents (and earlier tiers) have all come, again and again.
    std::vector<Node> out;
    std::vector<char> placed(score.size(), 0);
    for (Node v = 0; v < score.size(); ++v) placed[v] = score.traits().constant[v];
    while (!order.empty()) {
      const auto ready = [&](Node v) {
        if (!std::ranges::all_of(rules.required[v], [&](Node q) { return placed[q]; })) return false;
        if (rules.tier.empty() || rules.tier[v] < 0) return true;
        return std::ranges::none_of(order, [&](Node u) { return rules.tier[u] >= 0 && rules.tier[u] < rules.tier[v]; });
      };
      const auto it = std::find_if(order.begin(), order.end(), ready);
      if (it == order.end()) break;  // rules that contradict each other are refused before any search
      placed[*it] = 1;
      out.push_back(*it);
      order.erase(it);
    }
    order = std::move(out);
  }
  return order;
}

void search_orders(OrderSearch& search, long trials, Rng& rng, const Watch& watch) {
  while (search.sweep(watch) > 0) {
  }
  const int m = static_cast<int>(search.order().size());
  if (m < 3) return;
  const long end = search.trials() + trials;
  double best = search.score();
  const double tolerance = search.tolerance();
  search.mark();
  while (search.trials() < end && !watch.stop_requested()) {
    std::vector<Node> agenda;
    const int displaced = 1 + rng.below(4);
    for (int k = 0; k < displaced; ++k) {
      const Node v = search.order()[rng.below(m)];
      search.move(v, rng.below(m));
      if (std::find(agenda.begin(), agenda.end(), v) == agenda.end()) agenda.push_back(v);
    }
    for (Node w : search.touched()) {
      if (std::find(agenda.begin(), agenda.end(), w) == agenda.end()) agenda.push_back(w);
    }
    rng.shuffle(agenda);
    search.settle(agenda, end - search.trials());
    const double now = search.score();
    if (now > best + tolerance) {
      while (search.sweep(watch) > 0) {
      }
      best = search.score();
      search.mark();
    } else if (now >= best - tolerance) {
      search.mark();
    } else {
      search.take_back();
    }
  }
  search.forget();
}

SearchResult boss(const LocalScore& score, const BossOptions& options, Rng rng, const Watch& watch) {
  const int p = score.size();
  const double tolerance = tie_tolerance(score);
  const OrderRules rules;
  SearchResult out = hill_climb(score, Dag(p), {.threads = options.threads}, watch);
  out.story.push_back(fmt::format("hill climbing reached {:.3f} with {} edges", out.score, out.dag.edge_count()));
  const double first_score = out.score;

  const int random_starts = options.random_starts >= 0 ? options.random_starts : default_random_starts(p);
  const long trials = options.trials >= 0 ? options.trials : default_trials(p);
  struct Start {
    std::vector<Node> order;
    Dag dag;
    double score = 0;
    long trials = 0;
  };
  std::vector<Start> starts(1 + random_starts);
  starts[0].order = order_of(out.dag, score);
  SearchPool pool(score, rules, options.store_bytes / std::max(1, options.threads));
  parallel_for(1 + random_starts, options.threads, [&](int k) {
    Rng stream = rng.split("start", k);
    if (k > 0) starts[k].order = random_order(score, rules, stream);
    auto search = pool.take();
    const long before = search->trials();
    search->set_order(starts[k].order);
    search_orders(*search, trials, stream, watch);
    starts[k].order = search->order();
    starts[k].dag = search->dag();
    starts[k].score = total(score, starts[k].dag);
    starts[k].trials = search->trials() - before;
    pool.give_back(std::move(search));
  });
  int best = 0;
  std::string scores;
  for (int k = 0; k <= random_starts; ++k) {
    if (is_better(starts[k].score, starts[k].dag.edge_count(), starts[best].score, starts[best].dag.edge_count(),
                  tolerance)) {
      best = k;
    }
    scores += fmt::format("{}{:.3f}", k == 0 ? "" : ", ", starts[k].score);
    out.steps += starts[k].trials;
  }
  out.story.push_back(fmt::format("{} starts, from the order of that graph and {} random ones: {}", 1 + random_starts,
                                  random_starts, scores));

  const Cpdag shrunk = plain_backward_phase(score, cpdag_of(starts[best].dag), watch);
  const Dag dag = *consistent_extension(shrunk);
  const double dag_score = total(score, dag);
  out.story.push_back(fmt::format("the backward phase took the best of them from {:.3f} to {:.3f}, {} edges",
                                  starts[best].score, dag_score, dag.edge_count()));
  if (is_better(dag_score, dag.edge_count(), out.score, out.dag.edge_count(), tolerance)) {
    out.dag = dag;
    out.score = dag_score;
  }
  out.cpdag = cpdag_of(out.dag);
  out.counts.columns += pool.counts().columns;
  out.counts.hits += pool.counts().hits;
  out.stopped_by = watch.stop_requested() ? watch.stop_reason() : "no variable has a better place";
  out.story.push_back(fmt::format("kept {:.3f}, {:.3f} above the first graph", out.score, out.score - first_score));
  return out;
}

}  // namespace agon
