#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "agon/base/parallel.h"
#include "agon/base/text.h"
#include "agon/catalog/opponents.h"
#include "agon/catalog/scores.h"
#include "agon/certificate/plain_score.h"
#include "agon/data/simulate.h"
#include "agon/match/match.h"
#include "agon/study/theorems.h"

namespace agon {
namespace {

struct MatchOutcome {
  int nodes = 0;
  size_t rows = 0;
  std::string score, opponent, challenger;
  int required = 0;
  long forbidden = 0;
  double before = 0, after = 0, slack = 0;
  bool holds() const { return after >= before - slack; }
};

Dataset random_table(bool discrete, const Rng& rng) {
  Rng draw = rng.split("size");
  const int nodes = 4 + draw.below(9);
  const size_t rows = 50 + static_cast<size_t>(draw.below(451));
  const auto parents =
      random_graph({.nodes = nodes, .average_degree = draw.uniform(1, std::min(4, nodes - 1))}, rng.split("graph"));
  if (discrete)
    return sample(random_bayes_net(parents, 2, 4, 0.7, rng.split("net")), rows, rng.split("rows"), "random");
  return simulate_sem(parents, rows, {.noise_low = 0.5, .noise_high = 1.5}, rng.split("rows")).data;
}

// Nothing in one case of three; otherwise required edges along a random order, and forbidden ones anywhere else.
Knowledge random_knowledge(const Dataset& data, Rng rng) {
  if (rng.below(3) == 0) return Knowledge(data.size());
  const std::vector<std::string> names = data.names();
  std::vector<Node> order(names.size());
  for (Node v = 0; v < data.size(); ++v) order[v] = v;
  rng.shuffle(order);
  KnowledgeBuilder builder(names);
  for (size_t a = 0; a < order.size(); ++a) {
    for (size_t b = 0; b < order.size(); ++b) {
      if (a == b) continue;
      const bool varies = !data.column(order[a]).is_isolated() && !data.column(order[b]).is_isolated();
      const double u = rng.uniform();
      if (a < b && varies && u < 0.05) {
        builder.require(names[order[a]], names[order[b]], "random");
      } else if (u > 0.85) {
        builder.forbid(names[order[a]], names[order[b]], "random");
      }
    }
  }
  return builder.build();
}

// The published agent as it plays, without an ascent at the end; in one case of two only every third episode may
// crown. Its network is small, so that hundreds of matches take seconds: what is tested does not depend on what it
// learns.
void play_as_published(MatchOptions& options, Rng& draw) {
  options.as_visited = true;
  options.players = 1;
  options.patience = options.moves;
  options.challenger.paper = {.episode_moves = 20, .hidden = {16}, .batch = 16, .train_every = 4};
  options.challenger.paper.exploration = {.from = 1, .floor = 0.05, .steps = 500};
  if (draw.below(2) == 0) options.challenger.paper.champion_every = 3;
}

MatchOutcome play(const Rng& rng, const Watch& watch) {
  Rng draw = rng.split("choices");
  const bool discrete = draw.below(2) == 0, first = draw.below(2) == 0;
  const Dataset data = random_table(discrete, rng);
  const Knowledge known = random_knowledge(data, rng.split("knowledge"));
  MatchOutcome out;
  out.nodes = data.size();
  out.rows = data.rows();
  out.score = discrete ? (first ? "discrete-bic" : "bdeu") : (first ? "gaussian-bic" : "copula-bic");
  const std::vector<std::string> opponents = {"hc", "tabu", "ges", "boss", "pc", "none"};
  out.opponent = opponents[draw.below(static_cast<int>(opponents.size()))];
  out.required = known.required_count();
  out.forbidden = known.forbidden_count();

  MatchOptions options;
  const char* const challengers[] = {"auto", "local", "flat", "paper"};
  options.challenger.name = out.challenger = challengers[draw.below(4)];
  options.moves = 100 + draw.below(1900);
  options.round_moves = 250;
  if (out.challenger == "paper") play_as_published(options, draw);
  const ScoreEntry& entry = score_entry(out.score);
  const auto score = entry.make(data, {});
  const Dag empty(data.size());
  const Entrant entrant{out.opponent, [&](const Watch& inner, const OpponentResults&) {
                          return opponent_entry(out.opponent)
                              .propose({.data = data,
                                        .score = *score,
                                        .start = empty,
                                        .knowledge = known,
                                        .rng = rng.split("opponent"),
                                        .watch = inner});
                        }};
  const MatchResult match = play_match(*score, {entrant}, options, known, rng.split("match"), watch);
  const auto scorer = entry.make_plain(data, {});
  const plain::Value before = plain::total(*scorer, match.opponents[0].result.dag);
  const plain::Value after = plain::total(*scorer, match.champion);
  out.before = before.score;
  out.after = after.score;
  out.slack = 2e-9 * (1 + std::abs(before.score)) + before.rounding + after.rounding;
  return out;
}

}  // namespace

Study study_theorem1(const StudyOptions& options, const Watch& watch) {
  const int matches = options.trials > 0 ? options.trials : kTheorem1Matches;
  const Rng root = Rng(options.seed).split("theorem1");
  std::vector<MatchOutcome> outcomes(static_cast<size_t>(matches));
  parallel_for(matches, options.threads, [&](int i) {
    if (watch.was_interrupted()) return;
    outcomes[static_cast<size_t>(i)] = play(root.split("match", static_cast<uint64_t>(i)), watch);
  });
  if (watch.was_interrupted()) throw std::runtime_error("interrupted");

  Study study;
  study.headings = {"match",    "nodes",     "rows",           "score",          "opponent", "challenger",
                    "required", "forbidden", "opponent_score", "champion_score", "holds"};
  struct Sum {
    int matches = 0, better = 0, worse = 0;
    double gain = 0;
  };
  std::map<std::string, Sum> by_opponent, by_challenger;
  int worse = 0, better = 0;
  FigureSeries points{.name = "a match", .line = false};
  for (size_t i = 0; i < outcomes.size(); ++i) {
    const MatchOutcome& o = outcomes[i];
    study.rows.push_back({std::to_string(i), std::to_string(o.nodes), std::to_string(o.rows), o.score, o.opponent,
                          o.challenger, std::to_string(o.required), std::to_string(o.forbidden),
                          fmt::format("{}", o.before), fmt::format("{}", o.after), o.holds() ? "1" : "0"});
    const bool gained = o.after > o.before + o.slack;
    for (Sum* sum : {&by_opponent[o.opponent], &by_challenger[o.challenger]}) {
      sum->matches += 1;
      sum->better += gained;
      sum->worse += !o.holds();
      sum->gain += o.after - o.before;
    }
    worse += !o.holds();
    better += gained;
    points.points.push_back({o.before, o.after - o.before});
  }
  study.table_headings = {"", ">matches", ">better", ">worse", ">mean gain"};
  const auto add_lines = [&](const std::map<std::string, Sum>& sums, const std::string& role) {
    for (const auto& [name, sum] : sums) {
      study.table.push_back({role + name, std::to_string(sum.matches), std::to_string(sum.better),
                             std::to_string(sum.worse), fmt::format("{:.3f}", sum.gain / sum.matches)});
    }
  };
  add_lines(by_opponent, "against ");
  add_lines(by_challenger, "played by ");
  study.holds = worse == 0;
  study.verdict = study.holds ? fmt::format(
                                    "Theorem 1 holds in all of {} matches: {} ended above the opponent, {} level "
                                    "with it, none below.",
                                    matches, better, matches - better)
                              : fmt::format("Theorem 1 FAILS in {} of {} matches.", worse, matches);
  study.figure = {.title = "Gain over the opponent", .x = "score of the opponent", .left = "gain, nats", .right = ""};
  study.figure.series = {points};
  return study;
}

std::string Study::csv() const {
  std::string out = fmt::format("{}\n", joined(headings, ","));
  for (const auto& row : rows) out += fmt::format("{}\n", joined(row, ","));
  return out;
}

}  // namespace agon
