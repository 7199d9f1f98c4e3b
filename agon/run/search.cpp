#include "agon/run/search.h"

#include <algorithm>

#include "agon/match/bootstrap.h"
#include "agon/match/cam_pruning.h"
#include "agon/score/completion.h"

namespace agon {
namespace {

// What the checkpoint holds of a search: its answer, or where it was when it was saved or stopped.
class SavedPart {
 public:
  // A match saves what its opponents found, and only trainings are worth saving before they end.
  SavedPart(const OpponentEntry& algorithm, const Plan& plan, const Task& task)
      : checkpoint_(algorithm.resumes && (plan.alone || !algorithm.learns.empty()) ? task.checkpoint : nullptr),
        name_("search of " + algorithm.name) {}

  std::optional<SearchResult> read() const {
    const std::string* bytes = checkpoint_ ? checkpoint_->part(name_) : nullptr;
    if (bytes == nullptr) return std::nullopt;
    SearchResult found;
    Archive archive{std::string_view(*bytes)};
    archive(found);
    archive.finish();
    return found;
  }
  void write(SearchResult found) const {
    if (checkpoint_ == nullptr) return;
    Archive archive;
    archive(found);
    checkpoint_->save(name_, archive.bytes());
  }
  SavedSearch during() const {
    if (checkpoint_ == nullptr) return {};
    return {.due = [this] { return checkpoint_->due(); },
            .save =
                [this](std::string place) {
                  SearchResult running;
                  running.unfinished = std::move(place);
                  write(std::move(running));
                }};
  }

 private:
  Checkpoint* checkpoint_;
  std::string name_;
};

// Algorithms that need every cell get the conditional means of the missing ones, given those seen in the row.
SearchResult propose(const OpponentEntry& algorithm, const Plan& plan, const Task& task, const Rng& rng,
                     const Watch& watch, std::span<const OpponentResult> earlier = {},
                     const SearchResult* cut = nullptr) {
  if (task.data.has_missing() && !algorithm.takes.missing) {
    const Completion filled = complete_by_means(task.data, {.threads = task.threads, .watch = &watch});
    Task complete{filled.data,  task.score, task.start,      task.knowledge, task.seed,
                  task.threads, task.watch, task.checkpoint, task.make_plain};
    SearchResult found = propose(algorithm, plan, complete, rng, watch, earlier, cut);
    found.story.insert(found.story.begin(), "missing cells were filled by their conditional means for this algorithm");
    return found;
  }
  const SavedPart part(algorithm, plan, task);
  const std::optional<SearchResult> before = part.read();
  if (before && before->unfinished.empty()) return *before;
  SearchResult found = algorithm.propose({.data = task.data,
                                          .score = task.score,
                                          .start = task.start,
                                          .knowledge = task.knowledge,
                                          .rng = rng,
                                          .threads = task.threads,
                                          .test = plan.test,
                                          .learner = plan.learner,
                                          .cache_bytes = plan.match.cache_bytes,
                                          .watch = watch,
                                          .earlier = earlier,
                                          .cut = before ? &*before : cut,
                                          .saved = part.during()});
  if (!watch.stop_requested() || !found.unfinished.empty()) part.write(found);
  return found;
}

// An opponent as the match calls it: with a random stream of its own, and its name in front of its progress reports.
Entrant entrant(const OpponentEntry& opponent, const Plan& plan, const Task& task) {
  const auto search = [&opponent, &plan, &task](const Watch& match_watch, const OpponentResults& earlier,
                                                const SearchResult* cut) {
    Watch watch = match_watch;
    watch.report = [&match_watch, &opponent](Progress progress) {
      progress.phase = opponent.name + ", " + progress.phase;
      match_watch.tell(progress);
    };
    return propose(opponent, plan, task, Rng(task.seed).split(opponent.name), watch, earlier, cut);
  };
  return {opponent.name,
          [search](const Watch& watch, const OpponentResults& earlier) { return search(watch, earlier, nullptr); },
          [search](const Watch& watch, const OpponentResults& earlier, const SearchResult& cut) {
            return search(watch, earlier, &cut);
          }};
}

}  // namespace

std::vector<std::string> story_of(const OpponentResult& opponent) {
  std::vector<std::string> story;
  for (const std::string& sentence : opponent.result.story) story.push_back(opponent.name + ": " + sentence);
  if (!opponent.cut) return story;
  std::string& cut = story.emplace_back(opponent.name + " was cut at half of the time limit, to leave time for play");
  if (opponent.resumed) {
    cut += opponent.result.unfinished.empty() ? "; resumed, it finished" : "; resumed, it was cut again";
  }
  return story;
}

Answer play(const Plan& plan, const Task& task) {
  MatchOptions options = plan.match;
  options.threads = task.threads;
  options.checkpoint = task.checkpoint;
  if (plan.prunes) {
    options.prune = [&task](const Dag& dag) {
      return pruned_candidates(task.data, dag, {.threads = task.threads}, task.knowledge);
    };
  }
  std::vector<Entrant> entrants;
  for (const OpponentEntry* opponent : plan.algorithms) entrants.push_back(entrant(*opponent, plan, task));
  MatchResult match =
      play_match(task.score, entrants, options, task.knowledge, Rng(task.seed).split("match"), task.watch);

  Answer answer;
  answer.dag = match.champion;
  answer.moves = match.counts.moves;
  answer.stopped_by = match.stopped_by;
  for (const OpponentResult& opponent : match.opponents) {
    for (const std::string& sentence : story_of(opponent)) answer.story.push_back(sentence);
  }
  answer.story.insert(answer.story.end(), match.story.begin(), match.story.end());
  answer.match = std::move(match);
  return answer;
}

Answer run_alone(const Plan& plan, const Task& task) {
  SearchResult found = propose(*plan.algorithms[0], plan, task, Rng(task.seed), task.watch);
  Answer answer;
  answer.dag = std::move(found.dag);
  answer.pag = std::move(found.pag);
  answer.moves = found.steps;
  answer.stopped_by = std::move(found.stopped_by);
  answer.story = std::move(found.story);
  answer.varsortability = found.varsortability;
  return answer;
}

Dag search_resample(const RunRequest& request, const Plan& plan, const Task& task) {
  if (request.kind == RunRequest::Kind::kAlone) return run_alone(plan, task).dag;
  // Several resamples are searched at the same time, each with caches of its own.
  const size_t cache_bytes = std::min(plan.match.cache_bytes / 8, size_t{32} << 20);
  return quick_match(task.score, task.knowledge, Rng(task.seed), task.watch, cache_bytes);
}

std::string resample_search_name(const RunRequest& request, const Plan& plan) {
  return request.kind == RunRequest::Kind::kAlone ? plan.algorithms[0]->name : "boss and a short play";
}

}  // namespace agon
