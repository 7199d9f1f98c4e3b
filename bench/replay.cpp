// A match replayed edit by edit: what the trained network preferred, and which features spoke for it.
//
//   ninja -C build replay && build/replay > docs/results/replay.md
//
// One `local` player, which accepts no losses, plays on 2,000 rows of alarm from the graph of GES. Of the perturbations
// that led to a new champion, all edits are shown. A feature speaks for an edit by what the network's score would lose
// if the feature had the mean value of the edits it was drawn with, all else as it is.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "agon/agent/proposer.h"
#include "agon/base/text.h"
#include "agon/catalog/scores.h"
#include "agon/data/embedded.h"
#include "agon/opponent/ges.h"

namespace agon {
namespace {

// The features of edit_features.h, in order.
constexpr const char* kNames[] = {"an addition",
                                  "a removal",
                                  "a reversal",
                                  "gain (2 nats)",
                                  "gain (10 nats)",
                                  "gain (50 nats)",
                                  "gain of the removal",
                                  "gain of the opposite edge",
                                  "parents of the head",
                                  "parents of the tail",
                                  "children of the head",
                                  "children of the tail",
                                  "a covered edge",
                                  "common neighbours",
                                  "common parents",
                                  "common children",
                                  "nodes on a path between",
                                  "best new parent of the head",
                                  "best new parent of the tail",
                                  "gain freed from a cycle",
                                  "tail touched before",
                                  "head touched before",
                                  "pair edited before",
                                  "parents of the head changed before",
                                  "parents of the tail changed before",
                                  "ancestors of the tail",
                                  "descendants of the head"};
static_assert(std::size(kNames) == kEditFeatures - 5);  // the others are the same for all edits drawn

bool is_flag(int feature) { return feature < 3 || feature == 12 || (feature >= 20 && feature < 25); }

// The features that speak for an edit, the strongest first: "a covered edge +1.20, not: pair edited before +0.97".
std::string reasons(const Mlp& net, const NetMatrix<float>& drawn, long chosen) {
  MlpWork<float> work;
  const NetVector<float> own = drawn.col(chosen), usual = drawn.rowwise().mean();
  const float score = net.forward_one(own, work)[0];
  std::vector<std::pair<float, int>> parts;
  for (int k = 0; k < static_cast<int>(std::size(kNames)); ++k) {
    NetVector<float> changed = own;
    changed[k] = usual[k];
    parts.emplace_back(score - net.forward_one(changed, work)[0], k);
  }
  std::ranges::sort(parts, [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> words;
  for (int k = 0; k < 3 && parts[k].first > 0.05f; ++k) {
    const auto [by, feature] = parts[k];
    const char* const absent = is_flag(feature) && own[feature] == 0 ? "not: " : "";
    words.push_back(fmt::format("{}{} {:+.2f}", absent, kNames[feature], by));
  }
  return joined(words, ", ");
}

// One decimal, never -0.0.
std::string nats(double x) { return fmt::format("{:+.1f}", std::abs(x) < 0.05 ? 0.0 : x); }

struct Line {
  std::string edit, why;
  double gain;
  float score, mean;
};

std::string in_words(const Dataset& data, EdgeMove move) {
  const char* verb = move.kind == MoveKind::kAdd ? "add" : move.kind == MoveKind::kRemove ? "remove" : "reverse";
  return fmt::format("{} {} → {}", verb, data.column(move.from).name, data.column(move.to).name);
}

void replay() {
  const Dataset data = embedded_table("alarm", 2000, 4711);
  const auto score = make_score("discrete-bic", data);
  const SearchResult start = ges(*score);
  const Knowledge nothing;
  ColumnCache cache(*score);
  Game game(cache, start.dag, {}, nothing);
  std::vector<Undo> played;
  ascend(game, played);
  const Mlp& net = shipped_proposal();
  Proposer proposer(game.size(), {});
  Rng rng = Rng(0).split("replay");
  fmt::print(
      "# A match, edit by edit\n\n"
      "Made by `build/replay` (bench/replay.cpp): 2,000 rows of alarm, from the graph of GES ({:.1f} nats), one player "
      "of `local` with the network that ships, which keeps what gains and takes back the rest. Shown are the "
      "perturbations that led to a new champion among the first {} tried.\n\n"
      "*Score* is what the network gives the edit, and in brackets the mean of the eight edits drawn: differences are "
      "in log odds of success, and the pick is by eight times them. *What spoke for it*: how much the score would fall "
      "if the feature were as in the mean of the edits drawn, so *not: an addition* counts where others drawn were "
      "additions. *Gain* is that of the edit alone, in nats; the gains of the ascent follow it.\n",
      start.score, 2000);
  int found = 0;
  for (int k = 1; k <= 2000; ++k) {
    const double before = game.score();
    const int length = 1 + rng.below(5);
    played.clear();
    std::vector<Line> lines;
    proposer.begin(length);
    for (int e = 0; e < length; ++e) {
      const std::optional<EdgeMove> move = proposer.next(game, rng);
      if (!move) break;
      MlpWork<float> work;
      const NetMatrix<float>& drawn = proposer.columns();
      Line line{in_words(data, *move), reasons(net, drawn, proposer.chosen()), game.gain(*move),
                net.forward_one(drawn.col(proposer.chosen()), work)[0], 0};
      for (long c = 0; c < drawn.cols(); ++c) {
        line.mean += net.forward_one(drawn.col(c), work)[0] / static_cast<float>(drawn.cols());
      }
      lines.push_back(line);
      played.push_back(game.play(*move));
      proposer.played(*move);
    }
    const size_t edits = played.size();
    ascend(game, played);
    const double gained = game.score() - before;
    if (gained <= game.tolerance()) {
      for (size_t u = played.size(); u-- > 0;) game.take_back(played[u]);
      continue;
    }
    fmt::print("\n## {}. Perturbation {}: {:+.1f} nats, to {:.1f}\n\n| edit | gain | score | what spoke for it |\n",
               ++found, k, gained, game.score());
    fmt::print("|---|---|---|---|\n");
    for (const Line& line : lines) {
      fmt::print("| {} | {} | {:.2f} ({:.2f}) | {} |\n", line.edit, nats(line.gain), line.score, line.mean, line.why);
    }
    std::vector<std::string> climb;
    for (size_t u = edits; u < played.size(); ++u) {
      climb.push_back(fmt::format("{} ({})", in_words(data, played[u].move), nats(played[u].gain)));
    }
    fmt::print("\nThen the ascent: {}.\n", climb.empty() ? "nothing gains" : joined(climb, ", "));
  }
}

}  // namespace
}  // namespace agon

int main() { agon::replay(); }
