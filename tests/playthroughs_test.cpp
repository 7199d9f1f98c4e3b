// A short match of each challenger, written out move by move as checked-in text: tests/playthroughs/*.txt. The best
// introduction to the game that a newcomer can read, and a test: a change in how somebody plays shows as a diff.
// tools/regen rewrites the files. Figures are rounded, so that the last bits of a sum do not reach the text.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "agon/agent/challengers.h"
#include "agon/agent/flat_player.h"
#include "agon/agent/local_player.h"
#include "agon/agent/move_facts.h"
#include "agon/agent/paper_player.h"
#include "agon/catalog/scores.h"
#include "agon/data/embedded.h"
#include "agon/match/match.h"
#include "agon/opponent/hill_climbing.h"
#include "tests/program.h"

namespace agon {
namespace {

namespace fs = std::filesystem;

std::string signed_figure(double x) { return fmt::format("{:+.3f}", std::abs(x) < 5e-4 ? 0 : x); }

// Looks on and writes down: each state with its valid moves, then the move played there; what became of it.
class Scribe {
 public:
  Scribe(Game& game, Champion& champion, const Dataset& data, std::string opponent)
      : game_(game), champion_(champion), names_(data.names()), holder_(std::move(opponent) + "'s graph") {
    crowned_ = champion.score;
    look();
    champion.on_new = [this](long, double found, const Dag&) {
      settle();
      text_ += fmt::format("  new champion {:.3f}: {} on the one before\n", found, signed_figure(found - crowned_));
      crowned_ = found;
      holder_ = "the challenger's graph";
      look();
    };
    game.set_onlooker([this](const Game&, GameEvent event, const Undo& undo) { note(event, undo); });
  }
  ~Scribe() {
    game_.set_onlooker(nullptr);
    champion_.on_new = nullptr;
  }
  Scribe(const Scribe&) = delete;

  void write(const std::string& text) { text_ += text; }
  std::string end() {
    settle();
    return text_ + "\nthe end   " + state_;
  }

 private:
  // The state as it is now, to be printed when a move is played from it.
  void look() {
    double best = kNoGain;
    for (EdgeMove move : game_.valid_moves()) best = std::max(best, game_.gain(move));
    state_ = describe(game_, names_);
    state_.insert(state_.find('\n'), fmt::format("   champion {:.3f} ({})", champion_.score, holder_));
    state_.insert(state_.size() - 1, fmt::format("   best gain {}", signed_figure(best)));
  }

  // What became of the perturbation that has ended.
  void settle() {
    if (taken_back_ > 0) {
      text_ += fmt::format("  taken back, all {} moves: together they gained {}\n", taken_back_, signed_figure(net_));
    } else if (!verdict_.empty()) {
      text_ += verdict_;
    }
    if (taken_back_ > 0 || !verdict_.empty()) net_ = 0;
    taken_back_ = 0;
    verdict_.clear();
  }

  void note(GameEvent event, const Undo& undo) {
    switch (event) {
      case GameEvent::kPlayed:
        settle();
        net_ += undo.gain;
        text_ += fmt::format("\nstate {}   {}  {}: {}", ++moves_, state_, what_, describe(undo, names_));
        if (undo.move.kind == MoveKind::kReverse && is_covered(game_.dag(), undo.move.to, undo.move.from)) {
          text_.insert(text_.size() - 1, "   (same class)");
        }
        break;
      case GameEvent::kTakenBack:
        ++taken_back_;
        break;
      case GameEvent::kReset:
        settle();
        text_ += fmt::format("\nepisode {} begins at the warm start\n", ++episodes_);
        break;
      case GameEvent::kAscentBegins:
        what_ = "climbs";
        break;
      case GameEvent::kAscentEnds:
        what_ = "perturbs";
        if (moves_ > 0) verdict_ = fmt::format("  kept: together they gained {}\n", signed_figure(net_));
        break;
    }
    look();
  }

  Game& game_;
  Champion& champion_;
  const std::vector<std::string> names_;
  std::string holder_, state_, text_, verdict_, what_ = "plays";
  double crowned_ = 0, net_ = 0;
  int moves_ = 0, episodes_ = 0, taken_back_ = 0;
};

// The table, the opponent's graph and the game of a playthrough.
struct Board {
  Board(size_t rows, uint64_t seed, bool climbed)
      : data(embedded_table("asia", rows, seed)),
        score(make_score("discrete-bic", data)),
        cache(*score),
        start(climbed ? hill_climb(*score, Dag(data.size())).dag : Dag(data.size())),
        game(cache, start, {}, nothing),
        champion{start, game.score(), {}} {}
  Dataset data;
  std::unique_ptr<LocalScore> score;
  ColumnCache cache;
  Dag start;
  Knowledge nothing;
  Game game;
  Champion champion;
};

// What every file begins with.
std::string heading(const std::string& about, const Board& board, const std::string& opponent, bool states = true) {
  const std::string how_to_read =
      "# A state is a graph: its edges, how many of the 3p(p - 1) moves are valid there, the best gain among those. "
      "Then\n"
      "# the move played, what it gained, and its reward, gain / p - 0.005 edges - 0.01.\n";
  return fmt::format(
      "{}\n#\n# The table: {} rows sampled from the network asia, score discrete-bic. The opponent: {}.\n{}"
      "# Written by tools/regen.\n",
      about, board.data.rows(), opponent, states ? how_to_read : "");
}

constexpr size_t kRows = 500;
constexpr uint64_t kTable = 3;  // here hill climbing ends 6.5 nats below the best graph

std::string local_play() {
  Board board(kRows, kTable, true);
  Scribe scribe(board.game, board.champion, board.data, "hc");
  LocalPlayer(board.game, {}, Rng(17)).play(board.game, board.champion, {.moves = 18});
  return heading(
             "# local: a few edits near each other, ranked by the trained proposal; then steepest ascent; then on "
             "from\n"
             "# there, or everything back when the score fell.",
             board, "hill climbing") +
         scribe.end();
}

std::string flat_play() {
  Board board(kRows, kTable, true);
  const FlatOptions options{.episode_moves = 6,
                            .discount = 0.8,
                            .shortlist = 64,
                            .hidden = {32, 32},
                            .batch = 32,
                            .train_every = 1,
                            .exploration = {.from = 1, .floor = 0.1, .steps = 3000}};
  FlatPlayer player(board.game, options, Rng(1));
  std::string text = heading(
      "# flat: single edits, episodes from the warm start, Double DQN. First two episodes, nearly all exploration; "
      "then,\n"
      "# after 6000 moves of learning, one episode of what it holds best: it pays first and gains more with what "
      "follows.",
      board, "hill climbing");
  {
    Scribe scribe(board.game, board.champion, board.data, "hc");
    player.play(board.game, board.champion, {.moves = 10});
    text += scribe.end();
  }
  player.play(board.game, board.champion, {.moves = 6000});
  text += fmt::format("\n# 6000 moves later; champion by now {:.3f}. It is forgotten for what follows.\n",
                      board.champion.score);
  board.game.reset(board.start);
  board.champion = {board.start, board.game.score(), {}};
  Scribe scribe(board.game, board.champion, board.data, "hc");
  player.show(board.game, board.champion);
  return text + scribe.end();
}

std::string paper_play() {
  Board board(kRows, kTable, false);
  PaperOptions options;
  options.episode_moves = 8;
  options.hidden = {32, 32};
  options.batch = 4;
  options.exploration = {.from = 0.5, .floor = 0.05, .steps = 16};
  Scribe scribe(board.game, board.champion, board.data, "none");
  PaperPlayer(board.game, options, Rng(1)).play(board.game, board.champion, {.moves = 16});
  return heading(
             "# paper: the published challenger, here with two layers of 32 units, batches of 4 and episodes of 8 "
             "moves, so\n"
             "# that it learns within view. One update per move from the fourth on; half of the first moves are "
             "random.",
             board, "none, the empty graph") +
         scribe.end();
}

std::string auto_play() {
  Board board(kRows, kTable, true);
  MatchOptions options;
  options.moves = 960;
  options.round_moves = 20;
  std::string text = heading(
      "# auto: several challengers share the moves, and who gains more per cost gets more of the next round. Told "
      "round\n"
      "# by round; the games themselves look like those of local.txt and flat.txt.",
      board, "hill climbing", false);
  int round = 0;
  Watch watch;
  watch.report = [&](const Progress& p) {
    if (p.phase != "play") return;
    text += fmt::format("round {:>2}   {:>3} moves so far   champion {:.3f} with {} edges, {} over the opponent\n",
                        ++round, p.steps, p.score, p.edges, signed_figure(*p.gain));
  };
  const auto opponent = [&](const Watch&, const auto&) { return hill_climb(*board.score, Dag(board.data.size())); };
  text += fmt::format("\nopponent hc   score {:.3f}   edges {}\n\n", board.game.score(), board.start.edge_count());
  const MatchResult result = play_match(*board.score, {{"hc", opponent}}, options, {}, Rng(1), watch);
  text += "\n";
  for (const ArmResult& arm : result.arms) {
    text += fmt::format("{:<14}  cost {:.1f}   {:>3} moves   {:>3} episodes   gained {}   champions {}\n", arm.name,
                        arm.cost, arm.counts.moves, arm.counts.episodes, signed_figure(arm.gained), arm.champions);
  }
  return text + fmt::format("\nchampion {:.3f}, found by {}; stopped by: {}\n", result.score, result.found_by,
                            result.stopped_by);
}

// What the file of this challenger should say; nothing when it has none.
std::string playthrough(const std::string& challenger) {
  if (challenger == "auto") return auto_play();
  if (challenger == "local") return local_play();
  if (challenger == "flat") return flat_play();
  if (challenger == "paper") return paper_play();
  return "";
}

std::string content_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

TEST(Playthroughs, AreHowEveryChallengerPlays) {
  for (const ChallengerEntry& entry : challenger_entries()) {
    const std::string& name = entry.name;
    const std::string now = playthrough(name);
    ASSERT_NE(now, "") << "the challenger " << name << " has no playthrough: write one in tests/playthroughs_test.cpp";
    const fs::path path = fs::path(AGON_SOURCE_DIR "/tests/playthroughs") / (name + ".txt");
    if (std::getenv("AGON_REGEN") != nullptr) {
      std::ofstream(path, std::ios::binary) << now;
      continue;
    }
    std::istringstream expected(content_of(path)), plays(now);
    std::string want, got;
    for (int line = 1; bool(std::getline(expected, want)) | bool(std::getline(plays, got)); ++line) {
      ASSERT_EQ(want, got) << path.string() << ":" << line << "\nif the change is meant, tools/regen rewrites it";
      want.clear(), got.clear();
    }
  }
}

TEST(Playthroughs, NoneIsLeftOfAChallengerThatIsGone) {
  std::vector<std::string> names;
  for (const ChallengerEntry& entry : challenger_entries()) names.push_back(entry.name);
  for (const auto& entry : fs::directory_iterator(AGON_SOURCE_DIR "/tests/playthroughs")) {
    EXPECT_NE(std::find(names.begin(), names.end(), entry.path().stem().string()), names.end()) << entry.path();
  }
}

}  // namespace
}  // namespace agon
