#include "agon/opponent/ges.h"

#include <fmt/format.h>

#include <array>
#include <cassert>

#include "agon/base/archive.h"
#include "agon/graph/central_member.h"
#include "agon/graph/equivalence.h"
#include "agon/opponent/ges_search.h"

namespace agon {
namespace {

const char* phase_name(OperatorKind kind) {
  switch (kind) {
    case OperatorKind::kInsert:
      return "forward";
    case OperatorKind::kRemove:
      return "backward";
    case OperatorKind::kTurn:
      break;
  }
  return "turning";
}

const char* done_word(OperatorKind kind) {
  switch (kind) {
    case OperatorKind::kInsert:
      return "inserted";
    case OperatorKind::kRemove:
      return "deleted";
    case OperatorKind::kTurn:
      break;
  }
  return "turned";
}

// The state of a search, incremental or by spec.
class Classes {
 public:
  Classes(GainStore& store, const Cpdag& start, const GesOptions& options, const Knowledge& knowledge)
      : score_(store.score()), knowledge_(knowledge) {
    if (options.by_spec) {
      spec_ = start;
      tolerance_ = tie_tolerance(score_);
    } else {
      search_.emplace(store, start, options.max_cliques, knowledge, options.threads);
    }
  }
  const Pdag& pdag() const { return search_ ? search_->pdag() : spec_.pdag(); }
  bool capped() const { return search_ && search_->capped(); }

  // Whether best() can answer at once; false: it was asked to stop.
  bool prepare(OperatorKind kind, const Watch& watch) { return !search_ || search_->refresh(kind, watch); }
  std::optional<GesOperator> best(OperatorKind kind) {
    if (search_) return search_->best(kind);
    std::vector<GesOperator> operators = operators_by_spec(score_, spec_, kind, tolerance_);
    std::erase_if(operators, [&](const GesOperator& op) {
      return !is_admissible_by_spec(spec_, op, knowledge_, score_.traits().row_set);
    });
    const GesOperator* chosen = choose(operators, tolerance_);
    return chosen ? std::optional(*chosen) : std::nullopt;
  }
  void apply(const GesOperator& op) {
    if (search_) {
      search_->apply(op);
    } else {
      std::optional<Cpdag> next = applied_by_spec(spec_, op, score_.traits().row_set);
      assert(next);
      if (next) spec_ = *std::move(next);
    }
  }

 private:
  const LocalScore& score_;
  const Knowledge& knowledge_;
  std::optional<GesSearch> search_;
  Cpdag spec_;
  double tolerance_ = 0;
};

// How far the phases have come. Together with the class and the number of operators this is all a search needs in order
// to continue: which operator comes next depends on nothing else.
struct PhasePlace {
  size_t turn = 0;          // phases before the present one
  size_t idle = 0;          // of them the last ones that found nothing
  int told = 0;             // of them those with a sentence in the story
  size_t sentences = 0;     // of the story when the phase began
  long steps = 0;           // operators when the phase began
  double score_before = 0;  // when the phase began
  double score = 0;         // now
  bool capped = false;
  std::array<long, 3> made = {};  // operators of each kind, where they take turns
};

class Phases {
 public:
  Phases(GainStore& store, const Dag& start, const GesOptions& options, const Watch& watch, const Knowledge& knowledge)
      : store_(store),
        options_(options),
        watch_(watch),
        knowledge_(knowledge),
        row_set_(store.score().traits().row_set),
        classes_(store, cpdag_of(repair(start, knowledge), row_set_), options, knowledge) {
    counts_before_ = store.counts();
    at_.score = total(store.score(), repair(start, knowledge));
  }

  // From where another search was stopped.
  Phases(GainStore& store, const SearchResult& cut, const GesOptions& options, const Watch& watch,
         const Knowledge& knowledge)
      : store_(store),
        options_(options),
        watch_(watch),
        knowledge_(knowledge),
        row_set_(store.score().traits().row_set),
        classes_(store, cut.cpdag.value(), options, knowledge) {
    Archive archive(std::string_view(cut.unfinished));
    archive(at_);
    archive.finish();
    Archive::demand(at_.sentences <= cut.story.size());
    begun_ = true;
    counts_before_ = {store.counts().columns - cut.counts.columns, store.counts().hits - cut.counts.hits};
    result_.steps = cut.steps;
    result_.story.assign(cut.story.begin(), cut.story.begin() + static_cast<long>(at_.sentences));
  }

  void run_all() {
    if (row_set_.empty() || options_.in_phases) {
      run_in_turn();
    } else {
      run_by_priority();
    }
    at_.capped |= classes_.capped();
    if (!stopped_by_watch_) return;
    Archive archive;
    archive(at_);
    result_.unfinished = archive.bytes();
  }

  void run_in_turn() {
    std::vector<OperatorKind> kinds = {OperatorKind::kInsert, OperatorKind::kRemove};
    if (options_.turning || !row_set_.empty()) kinds.push_back(OperatorKind::kTurn);
    // Each phase ends when none of its operators gains. So when all the other phases then find nothing, it would find
    // nothing either.
    while (at_.idle < kinds.size()) {
      const long made = run(kinds[at_.turn % kinds.size()]);
      if (!result_.stopped_by.empty()) break;
      at_.idle = made > 0 ? 1 : at_.idle + 1;
      ++at_.turn;
    }
  }

  // Experiments direct an edge as it enters, when little of the graph is known. Where the direction turns out to be
  // wrong, edges that enter later make up for it, and the error stays. So it is corrected at once: an edge enters only
  // where no deletion and no turn gains (the order of Nazaret & Blei 2024, who found it to help on observations too).
  void run_by_priority() {
    constexpr std::array kinds = {OperatorKind::kRemove, OperatorKind::kTurn, OperatorKind::kInsert};
    if (!begun_) at_.score_before = at_.score;
    while (!must_stop()) {
      std::optional<GesOperator> op;
      bool ready = true;
      for (const OperatorKind kind : kinds) {
        ready = classes_.prepare(kind, watch_);
        if (!ready || (op = classes_.best(kind))) break;
      }
      if (!ready) continue;
      if (!op) break;
      apply(*op);
      ++at_.made[static_cast<size_t>(op->kind)];
    }
    const auto made = [&](OperatorKind kind) { return at_.made[static_cast<size_t>(kind)]; };
    watch_.tell({"search", result_.steps, classes_.pdag().edge_count(), at_.score});
    result_.story.push_back(
        fmt::format("inserted {}, deleted {} and turned {} edges, gained {:.3f}, score {:.3f} with {} edges",
                    made(OperatorKind::kInsert), made(OperatorKind::kRemove), made(OperatorKind::kTurn),
                    at_.score - at_.score_before, at_.score, classes_.pdag().edge_count()));
  }

  // Applies operators of one kind until none gains; returns how many were applied.
  long run(OperatorKind kind) {
    if (!begun_) {
      at_.sentences = result_.story.size();
      at_.steps = result_.steps;
      at_.score_before = at_.score;
    }
    begun_ = false;
    while (!must_stop()) {
      if (!classes_.prepare(kind, watch_)) continue;
      const std::optional<GesOperator> op = classes_.best(kind);
      if (!op) break;
      apply(*op);
    }
    const long made = result_.steps - at_.steps;
    watch_.tell({phase_name(kind), result_.steps, classes_.pdag().edge_count(), at_.score});
    if (made == 0 && at_.told >= 3) return made;  // a phase without operators is reported in the first round only
    if (!stopped_by_watch_) ++at_.told;
    result_.story.push_back(fmt::format("{} phase: {} {} edge{}, gained {:.3f}, score {:.3f} with {} edges",
                                        phase_name(kind), done_word(kind), made, made == 1 ? "" : "s",
                                        at_.score - at_.score_before, at_.score, classes_.pdag().edge_count()));
    return made;
  }

  SearchResult finish() {
    if (result_.stopped_by.empty()) result_.stopped_by = "no operator improves";
    if (at_.capped || classes_.capped()) {
      result_.story.push_back(fmt::format(
          "a target had more than {} cliques of neighbours: the larger ones were not tried", options_.max_cliques));
    }
    result_.cpdag = Cpdag::trusted(classes_.pdag());
    const std::optional<Dag> some = member_within(*result_.cpdag, knowledge_, row_set_);
    assert(some);
    result_.dag = *central_member(mpdag_of(*some, knowledge_, row_set_));
    result_.score = total(store_.score(), result_.dag);
    const double score_of_some = total(store_.score(), *some);
    // Members score the same, except in nearly singular models.
    if (!(result_.score >= score_of_some - tie_tolerance(store_.score()))) {
      result_.dag = *some;
      result_.score = score_of_some;
    }
    result_.counts = {store_.counts().columns - counts_before_.columns, store_.counts().hits - counts_before_.hits};
    return std::move(result_);
  }

 private:
  bool must_stop() {
    result_.stopped_by = watch_.stop_reason();
    stopped_by_watch_ = !result_.stopped_by.empty();
    if (options_.max_steps > 0 && result_.steps >= options_.max_steps) result_.stopped_by = "step limit";
    return !result_.stopped_by.empty();
  }
  void apply(const GesOperator& op) {
    classes_.apply(op);
    at_.score += op.gain;
    ++result_.steps;
    if (result_.steps % 64 == 0) {
      watch_.tell({phase_name(op.kind), result_.steps, classes_.pdag().edge_count(), at_.score});
    }
  }

  GainStore& store_;
  const GesOptions& options_;
  const Watch& watch_;
  const Knowledge& knowledge_;
  const std::vector<int>& row_set_;
  Classes classes_;
  PhasePlace at_;
  bool begun_ = false;  // the present phase had begun before the stop
  bool stopped_by_watch_ = false;
  CacheCounts counts_before_;
  SearchResult result_;
};

}  // namespace

SearchResult ges_from(GainStore& store, const Dag& start, const GesOptions& options, const Watch& watch,
                      const Knowledge& knowledge) {
  Phases phases(store, start, options, watch, knowledge);
  phases.run_all();
  return phases.finish();
}

SearchResult resume_ges(GainStore& store, const SearchResult& cut, const GesOptions& options, const Watch& watch,
                        const Knowledge& knowledge) {
  Phases phases(store, cut, options, watch, knowledge);
  phases.run_all();
  return phases.finish();
}

SearchResult ges(const LocalScore& score, const GesOptions& options, const Watch& watch, const Knowledge& knowledge) {
  GainStore store(score, options.store_bytes);
  return ges_from(store, Dag(score.size()), options, watch, knowledge);
}

SearchResult backward_phase(GainStore& store, const Dag& start, const GesOptions& options, const Watch& watch,
                            const Knowledge& knowledge) {
  Phases phases(store, start, options, watch, knowledge);
  phases.run(OperatorKind::kRemove);
  return phases.finish();
}

}  // namespace agon
