#include "agon/run/challenger_settings.h"

#include <fmt/format.h>

#include <algorithm>

#include "agon/base/error.h"
#include "agon/base/suggest.h"

namespace agon {
namespace {

std::vector<std::string> challenger_names() {
  std::vector<std::string> names;
  for (const ChallengerEntry& entry : challenger_entries()) names.push_back(entry.name);
  return names;
}

bool holds(const OptionList& options, const std::string& name) {
  return std::ranges::any_of(options, [&](const auto& option) { return option.first == name; });
}

}  // namespace

ChallengerSettings::ChallengerSettings(Settings& settings) : settings_(settings) {
  using enum OptionGroup;
  settings.option(asked_.moves, {.name = "moves",
                                 .value = "N",
                                 .help = "most game moves of the challenger; 0: the opponents alone; play ends early "
                                         "when no gain is expected",
                                 .range = at_least(0),
                                 .otherwise = "by the number of columns"});
  settings.option(asked_.game.edge_budget, {.name = "edge-budget",
                                            .value = "B",
                                            .help = "most edges of a graph, never fewer than an opponent's",
                                            .range = at_least(1),
                                            .otherwise = "does not bind"});
  settings.option(asked_.challenger.name, {.name = "challenger",
                                           .value = "NAME",
                                           .group = kChallenger,
                                           .help = "who plays, see `agon list challengers`",
                                           .choices = challenger_names()});
  settings.option(asked_.patience, {.name = "patience",
                                    .value = "N",
                                    .group = kChallenger,
                                    .help = "moves without a new champion after which play ends",
                                    .range = at_least(1),
                                    .otherwise = "by the number of columns"});
  settings.option(asked_.round_moves, {.name = "round-moves",
                                       .value = "N",
                                       .group = kChallenger,
                                       .help = "moves of each player between two comparisons with the others",
                                       .range = at_least(1)});
  settings.option(asked_.players, {.name = "players",
                                   .value = "N",
                                   .group = kChallenger,
                                   .help = "least number of players, each with a random stream of its own",
                                   .range = at_least(1)});
  settings.option(asked_.as_visited, {.name = "as-visited",
                                      .group = kChallenger,
                                      .help = "answer with the champion as play left it: no restarts from the "
                                              "champion, no last ascent, no other member of its class"});
  for (const ChallengerOption& o : challenger_options()) settings.later(o.option, o.type, o.help);
}

// Several fields may have the same name. An option sets the first of them that has an effect, which depends on the
// options before it.
void ChallengerSettings::fill(MatchOptions& options) {
  options.moves = asked_.moves;
  options.patience = asked_.patience;
  options.round_moves = asked_.round_moves;
  options.players = asked_.players;
  options.as_visited = asked_.as_visited;
  options.game.edge_budget = asked_.game.edge_budget;

  const ChallengerEntry& entry = challenger_entry(asked_.challenger.name);
  options.challenger = entry.defaults;
  OptionList acting;
  std::string chosen = entry.name;  // in words, for messages
  entry.describe(options.challenger, options.game, [&](const OptionField& field, const Option& option) {
    if (!option.acts || holds(acting, option.name)) return;
    settings_.fill(field, option);
    acting.emplace_back(option.name, field.read());
    if (option.decides && settings_.given(option.name)) {
      chosen += fmt::format(" with --{}{}", option.name, option.value.empty() ? "" : " " + value_text(field.read()));
    }
  });
  refuse_without_effect(entry, acting, chosen);
  entry.check(options.challenger);
}

void ChallengerSettings::refuse_without_effect(const ChallengerEntry& entry, const OptionList& acting,
                                               const std::string& chosen) const {
  for (const ChallengerOption& o : challenger_options()) {
    if (!settings_.given(o.option.name) || holds(acting, o.option.name)) continue;
    const bool has_it = std::ranges::any_of(o.owners, [&](const std::string& owner) {
      return owner == entry.name || std::ranges::find(entry.competitors, owner) != entry.competitors.end();
    });
    throw UsageError(fmt::format("--{} has no effect on the challenger {}", o.option.name, chosen),
                     has_it ? "" : "it belongs to " + listed(o.owners));
  }
}

}  // namespace agon
