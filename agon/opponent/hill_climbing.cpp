#include "agon/opponent/hill_climbing.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "agon/graph/live_dag.h"
#include "agon/score/delta_table.h"
#include "agon/score/move_choice.h"

namespace agon {
namespace {

constexpr long kStepsPerReport = 64;

SearchResult result_of(const LocalScore& score, Dag dag, const char* phase, long steps, int start_edges,
                       std::string stopped_by) {
  SearchResult out;
  out.story = {fmt::format("{}: {} edits, from {} to {} edges", phase, steps, start_edges, dag.edge_count())};
  out.dag = std::move(dag);
  out.score = total(score, out.dag);  // the batch calls round differently
  out.steps = steps;
  out.stopped_by = std::move(stopped_by);
  return out;
}

// The state of a search: the graph, the change each edit would make, and how long the search may continue.
class Climb {
 public:
  Climb(const LocalScore& score, const Dag& start, const HillClimbOptions& options, const Watch& watch,
        const Knowledge& knowledge)
      : score_(score),
        cache_(score, options.cache_bytes),
        knowledge_(knowledge),
        live_(repair(start, knowledge)),
        deltas_(cache_, live_.dag(), options.threads, watch),
        tolerance_(tie_tolerance(score)),
        options_(options),
        watch_(watch),
        start_edges_(live_.dag().edge_count()) {}

  const LiveDag& live() const { return live_; }
  const DeltaTable& deltas() const { return deltas_; }
  double tolerance() const { return tolerance_; }
  long steps() const { return steps_; }

  // Makes the move and returns what it gained.
  double play(EdgeMove move) {
    live_.apply(move);
    ++steps_;
    return deltas_.refresh(live_.dag(), move);
  }

  // Returns "" or the reason to stop now; also reports progress.
  std::string stop_reason(const char* phase) const {
    if (steps_ % kStepsPerReport == 0) {
      watch_.tell({phase, steps_, live_.dag().edge_count(), deltas_.total()});
    }
    if (options_.max_steps > 0 && steps_ >= options_.max_steps) return "step limit";
    return watch_.stop_reason();
  }

  // The legal edit with the largest gain or smallest loss among those that `allowed` lets through.
  template <class Allowed>
  std::optional<EdgeMove> best_allowed(Allowed allowed) const {
    BestMove best(tolerance_);
    const auto consider = [&](EdgeMove move, double gain) {
      if (gain > kNoGain && best.may_win(gain) && live_.is_legal(move) && knowledge_.allows(move) &&
          allowed(move, gain)) {
        best.offer(move, gain);
      }
    };
    for (Node to = 0; to < live_.size(); ++to) {
      const GainColumn& column = deltas_.column(to);
      for (Node from = 0; from < live_.size(); ++from) consider({MoveKind::kAdd, from, to}, column.addition[from]);
      for (size_t k = 0; k < column.parents.size(); ++k) {
        const Node from = column.parents[k];
        consider({MoveKind::kRemove, from, to}, column.removal[k]);
        consider({MoveKind::kReverse, from, to}, column.removal[k] + deltas_.addition(to, from));
      }
    }
    return best.move();
  }

  // Steepest ascent from here; returns why it ended.
  std::string ascend(const char* phase) {
    for (;;) {
      if (std::string reason = stop_reason(phase); !reason.empty()) return reason;
      const std::optional<EdgeMove> move = best_gaining_move(live_, deltas_, knowledge_, tolerance_);
      if (!move) return "no edit improves";
      // A gain that was only rounding is taken back, so that the score rises with every step and the climb must end.
      if (play(*move) <= 0) {
        play(inverse(*move));
        return "no edit improves";
      }
    }
  }

  void restart(const Dag& dag) {
    live_ = LiveDag(dag);
    for (Node v = 0; v < dag.size(); ++v) deltas_.refresh(dag, v);
  }

  SearchResult result(const char* phase, std::string stopped_by) const {
    SearchResult out = result_of(score_, live_.dag(), phase, steps_, start_edges_, std::move(stopped_by));
    out.counts = cache_.counts();
    return out;
  }

 private:
  const LocalScore& score_;
  ColumnCache cache_;
  const Knowledge& knowledge_;
  LiveDag live_;
  DeltaTable deltas_;
  double tolerance_;
  HillClimbOptions options_;
  const Watch& watch_;
  int start_edges_;
  long steps_ = 0;
};

SearchResult tabu_from(Climb& climb, const TabuOptions& options) {
  std::string reason = climb.ascend("tabu search");
  if (reason != "no edit improves") return climb.result("tabu search", reason);

  const int p = climb.live().size();
  std::vector<long> free_at(static_cast<size_t>(p) * p, 0);  // by unordered pair: the step from which it may be edited
  const auto pair = [p](EdgeMove m) {
    return static_cast<size_t>(std::min(m.from, m.to)) * p + std::max(m.from, m.to);
  };
  Dag best = climb.live().dag();
  double best_score = climb.deltas().total();
  long best_step = climb.steps();
  reason = "patience";
  while (climb.steps() - best_step < options.patience) {
    if (std::string stop = climb.stop_reason("tabu search"); !stop.empty()) {
      reason = stop;
      break;
    }
    const double now = climb.deltas().total();
    const std::optional<EdgeMove> move = climb.best_allowed([&](EdgeMove m, double gain) {
      return free_at[pair(m)] <= climb.steps() || now + gain > best_score + climb.tolerance();
    });
    if (!move) break;
    climb.play(*move);
    free_at[pair(*move)] = climb.steps() + options.tenure;
    if (climb.deltas().total() > best_score + climb.tolerance()) {
      best = climb.live().dag();
      best_score = climb.deltas().total();
      best_step = climb.steps();
    }
  }
  climb.restart(best);
  if (reason == "patience") {
    if (std::string stop = climb.ascend("tabu search"); stop != "no edit improves") reason = stop;
  }
  return climb.result("tabu search", reason);
}

// What `search` makes of a Climb, or the start as it is if a stop came before the first step.
template <class Search>
SearchResult climbing(const char* phase, const LocalScore& score, const Dag& start, const HillClimbOptions& options,
                      const Watch& watch, const Knowledge& knowledge, Search search) {
  std::optional<Climb> climb;
  try {
    climb.emplace(score, start, options, watch, knowledge);
  } catch (const Interrupted&) {
    Dag repaired = repair(start, knowledge);
    const int edges = repaired.edge_count();
    return result_of(score, std::move(repaired), phase, 0, edges, watch.stop_reason());
  }
  return search(*climb);
}

}  // namespace

SearchResult hill_climb(const LocalScore& score, const Dag& start, const HillClimbOptions& options, const Watch& watch,
                        const Knowledge& knowledge) {
  return climbing("hill climbing", score, start, options, watch, knowledge, [](Climb& climb) {
    const std::string reason = climb.ascend("hill climbing");
    return climb.result("hill climbing", reason);
  });
}

SearchResult tabu_search(const LocalScore& score, const Dag& start, const TabuOptions& options, const Watch& watch,
                         const Knowledge& knowledge) {
  return climbing("tabu search", score, start, options.climb, watch, knowledge,
                  [&](Climb& climb) { return tabu_from(climb, options); });
}

}  // namespace agon
