#include "agon/agent/challengers.h"

#include <fmt/format.h>

#include <algorithm>

#include "agon/agent/flat_player.h"
#include "agon/agent/local_player.h"
#include "agon/agent/paper_player.h"
#include "agon/base/error.h"
#include "agon/base/suggest.h"
#include "agon/base/text.h"

namespace agon {
namespace {

// The cost of a move relative to one of the uniform local player: medians of match_bench over tables of at least 30
// nodes.
constexpr double kRankedCost = 1.4, kDeltaCost = 1, kLearningFactor = 2.2, kFlatCost = 8, kPlainFlatCost = 1.2;
constexpr double kPaperCost = 5000;

// The price of an edge is part of the reward of flat and paper; local uses gains alone.
void describe_edge_price(GameOptions& game, const Describe& option) {
  option(game.lambda, {.name = "lambda", .value = "X", .help = "price of an edge in the reward", .range = at_least(0)});
}

void describe_local(ChallengerOptions& o, GameOptions&, const Describe& option) { describe(o.local, option); }

void describe_flat(ChallengerOptions& o, GameOptions& game, const Describe& option) {
  describe(o.flat, option);
  describe_edge_price(game, option);
}

void describe_paper(ChallengerOptions& o, GameOptions& game, const Describe& option) {
  describe(o.paper, option);
  describe_edge_price(game, option);
  option(game.step_cost,
         {.name = "step-cost", .value = "X", .help = "price of a move in the reward", .range = at_least(0)});
}

void describe_auto(ChallengerOptions& o, GameOptions& game, const Describe& option) {
  describe(o.local, option, true);
  describe_flat(o, game, option);
}

void check_local(const ChallengerOptions& o) { check(o.local); }
void check_flat(const ChallengerOptions& o) { check(o.flat); }
void check_paper(const ChallengerOptions& o) { check(o.paper); }
void check_auto(const ChallengerOptions& o) {
  check(o.local);
  check(o.flat);
}

Arm local_arm(std::string name, double weight, const LocalOptions& options) {
  double cost = options.proposal.kind == ProposalKind::kUniform ? 1
                : options.proposal.kind == ProposalKind::kDelta ? kDeltaCost
                                                                : kRankedCost;
  if (options.learning) cost *= kLearningFactor;
  return {std::move(name), cost, weight,
          [options](const Game& game, Rng rng) { return std::make_unique<LocalPlayer>(game, options, rng); }};
}

Arm flat_arm(double weight, const FlatOptions& options) {
  return {options.learning ? "flat" : "flat unlearned", options.learning ? kFlatCost : kPlainFlatCost, weight,
          [options](const Game& game, Rng rng) { return std::make_unique<FlatPlayer>(game, options, rng); }};
}

std::string local_name(const LocalOptions& options) {
  return std::string("local ") + to_string(options.proposal.kind) + (options.learning ? " learning" : "");
}

std::vector<Arm> local_alone(const ChallengerOptions& o) { return {local_arm(local_name(o.local), 1, o.local)}; }

std::vector<Arm> flat_alone(const ChallengerOptions& o) { return {flat_arm(1, o.flat)}; }

std::vector<Arm> paper_alone(const ChallengerOptions& o) {
  const auto make = [paper = o.paper](const Game& game, Rng rng) {
    return std::make_unique<PaperPlayer>(game, paper, rng);
  };
  const auto refuse = [paper = o.paper](int nodes, long moves, bool has_time_limit) {
    refuse_what_is_too_much(nodes, paper, moves, has_time_limit);
  };
  const auto needs = [paper = o.paper](int nodes, long moves) {
    const PaperCost cost = paper_cost(nodes, paper, moves);
    return ArmNeeds{cost.seconds, cost.bytes};
  };
  const auto wants = [paper = o.paper](int nodes, long usual) { return paper_moves(nodes, paper, usual); };
  return {{o.paper.learning ? "paper" : "paper unlearned", kPaperCost, 1, make, refuse, needs, wants}};
}

// Four arms: local with the proposal asked for; local with uniform and bolder perturbations; local with a softmax on
// the gain; flat.
std::vector<Arm> several(const ChallengerOptions& o) {
  LocalOptions bold = o.local, delta = o.local;
  bold.learning = delta.learning = false;
  bold.proposal.kind = ProposalKind::kUniform;
  bold.longest = 2 * o.local.longest;
  bold.temperature = 5;
  bold.return_after = 500;
  delta.proposal.kind = ProposalKind::kDelta;
  return {local_arm(local_name(o.local), 4, o.local), local_arm("local uniform", 2, bold),
          local_arm("local delta", 2, delta), flat_arm(1, o.flat)};
}

// One declaration of an option: the challenger that made it, and what the help would show.
struct Declared {
  std::string owner;
  Option option;
  std::string preset;  // "default 16"
};

bool same_meaning(const Declared& a, const Declared& b) {
  return a.option.help == b.option.help && a.option.range.text() == b.option.range.text();
}

// Challengers that mean the same by an option share one sentence, with the first one's default and any that differ.
std::string help_of(const std::vector<Declared>& all, size_t owners_in_all) {
  std::string text;
  std::vector<bool> told(all.size());
  for (size_t k = 0; k < all.size(); ++k) {
    if (told[k]) continue;
    std::vector<std::string> owners;
    std::string preset = all[k].preset;
    for (size_t j = k; j < all.size(); ++j) {
      if (!same_meaning(all[k], all[j])) continue;
      told[j] = true;
      owners.push_back(all[j].owner);
      if (all[j].preset == all[k].preset) continue;
      preset += fmt::format(", {} {}", all[j].owner, all[j].preset.substr(std::string("default ").size()));
    }
    if (!text.empty()) text += "; ";
    if (owners.size() < owners_in_all) text += fmt::format("{}: ", joined(owners, ", "));
    text += all[k].option.help + in_brackets(all[k].option, preset);
  }
  return text;
}

}  // namespace

const std::vector<ChallengerEntry>& challenger_entries() {
  static const std::vector<ChallengerEntry> table = {
      {.name = "auto",
       .summary = "local with three proposals and flat compete for the moves",
       .source = "agon",
       .maturity = Maturity::kChecked,
       .competitors = {"local", "flat"},
       .defaults = {},
       .describe = describe_auto,
       .check = check_auto,
       .arms = several},
      {.name = "local",
       .summary = "perturb the graph in one place, climb, keep what is not worse",
       .source = "agon; Lourenco et al. 2003, Handbook of Metaheuristics",
       .maturity = Maturity::kChecked,
       .competitors = {},
       .defaults = {.name = "local", .local = {.learning = true}},
       .describe = describe_local,
       .check = check_local,
       .arms = local_alone},
      {.name = "flat",
       .summary = "single edits by a Double DQN that may accept a loss now for a later gain",
       .source = "agon; van Hasselt et al. 2016, AAAI 30",
       .maturity = Maturity::kChecked,
       .competitors = {},
       .defaults = {.name = "flat"},
       .describe = describe_flat,
       .check = check_flat,
       .arms = flat_alone},
      {.name = "paper",
       .summary = "the published challenger, for comparison; --preset paper plays it as published",
       .source = "the paper's algorithm 1",
       .maturity = Maturity::kLight,
       .competitors = {},
       .defaults = {.name = "paper"},
       .describe = describe_paper,
       .check = check_paper,
       .arms = paper_alone},
  };
  return table;
}

const ChallengerEntry& challenger_entry(const std::string& name) {
  std::vector<std::string> names;
  for (const ChallengerEntry& entry : challenger_entries()) {
    if (entry.name == name) return entry;
    names.push_back(entry.name);
  }
  const std::string near = did_you_mean(name, names);
  throw UsageError(fmt::format("there is no challenger {}", quoted(name)),
                   near.empty() ? "the challengers are " + listed(names) : near);
}

std::vector<Arm> make_arms(const ChallengerOptions& options) { return challenger_entry(options.name).arms(options); }

std::vector<ChallengerOption> challenger_options() {
  std::vector<std::pair<OptionType, std::vector<Declared>>> all;
  size_t owners = 0;
  for (const ChallengerEntry& entry : challenger_entries()) {
    if (!entry.competitors.empty()) continue;
    ++owners;
    ChallengerOptions options = entry.defaults;
    GameOptions game;
    entry.describe(options, game, [&](const OptionField& field, const Option& option) {
      auto known =
          std::find_if(all.begin(), all.end(), [&](const auto& a) { return a.second[0].option.name == option.name; });
      if (known == all.end()) known = all.insert(all.end(), {field.type, {}});
      known->second.push_back({entry.name, option, default_text(option, field)});
    });
  }
  std::vector<ChallengerOption> merged;
  for (const auto& [type, declared] : all) {
    ChallengerOption out{declared[0].option, type, help_of(declared, owners), {}};
    out.option.group = OptionGroup::kChallenger;
    for (const Declared& d : declared) {
      out.owners.push_back(d.owner);
      if (d.option.range.text() != out.option.range.text()) out.option.range = {};
    }
    merged.push_back(std::move(out));
  }
  return merged;
}

}  // namespace agon
