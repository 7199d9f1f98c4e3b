#include "agon/run/challenger_settings.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>

#include "agon/base/error.h"
#include "agon/base/suggest.h"
#include "agon/data/text_file.h"

namespace agon {
namespace {

template <class Kind>
Kind by_name(const std::string& option, const std::string& name, const std::vector<Kind>& kinds) {
  std::vector<std::string> names;
  for (Kind kind : kinds) {
    if (to_string(kind) == name) return kind;
    names.push_back(to_string(kind));
  }
  const std::string near = did_you_mean(name, names);
  throw UsageError(fmt::format("--{} {} is unknown", option, quoted(name)),
                   near.empty() ? fmt::format("--{} takes one of {}", option, listed(names)) : near);
}

void set_proposal(const std::string& name, ProposalOptions& options) {
  using enum ProposalKind;
  std::error_code ignored;
  if (std::filesystem::is_regular_file(name, ignored)) {
    options.kind = kTrained;
    options.network = parse_proposal(read_text_file(name), name);
    return;
  }
  options.kind = by_name<ProposalKind>("proposal", name, {kUniform, kDelta, kRule, kTrained});
}

}  // namespace

std::vector<int> parse_widths(const std::vector<std::string>& texts) {
  std::vector<int> widths;
  for (const std::string& text : texts) {
    int width = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), width);
    if (error != std::errc() || end != text.data() + text.size() || width < 1 || width > 4096) {
      throw UsageError(fmt::format("--hidden {} is not a width from 1 to 4096", quoted(text)));
    }
    widths.push_back(width);
  }
  return widths;
}

ChallengerSettings::ChallengerSettings(Settings& settings) : settings_(settings) {
  settings.value("moves", moves_);
  settings.value("edge-budget", edge_budget_);
  settings.value("challenger", challenger_);
  settings.value("proposal", proposal_);
  settings.flag("no-learning", no_learning_);
  settings.value("patience", patience_);
  settings.value("round-moves", round_moves_);
  settings.value("players", players_);
  settings.value("lambda", lambda_);
  settings.value("step-cost", step_cost_);
  settings.value("longest", longest_);
  settings.flag("fixed-length", fixed_length_);
  settings.value("temperature", temperature_);
  settings.value("return-after", return_after_);
  settings.value("locality", locality_);
  settings.value("candidates", candidates_);
  settings.value("sharpness", sharpness_);
  settings.value("uniform-share", uniform_share_);
  settings.value("delta-temperature", delta_temperature_);
  settings.flag("fixed-start", fixed_start_);
  settings.value("episode-moves", episode_moves_);
  settings.value("discount", discount_);
  settings.value("future-bound", future_bound_);
  settings.value("value-temperature", value_temperature_);
  settings.list("hidden", hidden_);
  settings.value("learning-rate", learning_rate_);
  settings.value("target-rate", target_rate_);
  settings.value("batch", batch_);
  settings.value("train-every", train_every_);
  settings.value("replay", replay_);
  settings.value("epsilon", epsilon_);
  settings.value("epsilon-floor", epsilon_floor_);
  settings.value("epsilon-steps", epsilon_steps_);
}

// An option acts on some fields of the challenger chosen: what was given goes there; what was not is read from there,
// so that the record holds what was in force; and without a field it has no effect.
template <class T>
void ChallengerSettings::apply(const std::string& name, T& given, Fields<T> all) {
  std::vector<T*> fields;
  for (const auto& [holds, field] : all) {
    if (holds) fields.push_back(field);
  }
  if (fields.empty()) {
    if (settings_.given(name)) throw UsageError(fmt::format("--{} has no effect on the challenger {}", name, chosen_));
    settings_.leave_out(name);
    return;
  }
  if (!settings_.given(name)) given = *fields[0];
  for (T* field : fields) *field = given;
}

void ChallengerSettings::apply_hidden(Fields<std::vector<int>> fields) {
  std::vector<int> widths = parse_widths(hidden_);
  apply("hidden", widths, fields);
  hidden_.clear();
  for (int width : widths) hidden_.push_back(std::to_string(width));
}

void ChallengerSettings::fill(MatchOptions& options) {
  using enum ChallengerKind;
  if (settings_.given("moves") && moves_ < 0) throw UsageError("--moves must be 0 or more");
  if (settings_.given("edge-budget") && edge_budget_ < 1) throw UsageError("--edge-budget must be 1 or more");
  if (settings_.given("patience") && patience_ < 1) throw UsageError("--patience must be 1 or more");
  options.moves = moves_;
  options.patience = patience_;
  options.game.edge_budget = edge_budget_;
  int round_moves = static_cast<int>(options.round_moves);
  apply("round-moves", round_moves_, {{true, &round_moves}});
  apply("players", players_, {{true, &options.players}});
  if (round_moves < 1) throw UsageError("--round-moves must be 1 or more");
  if (options.players < 1) throw UsageError("--players must be 1 or more");
  options.round_moves = round_moves;

  ChallengerOptions& c = options.challenger;
  c.kind = by_name<ChallengerKind>("challenger", challenger_, {kAuto, kLocal, kFlat, kPaper});
  const bool has_local = c.kind == kAuto || c.kind == kLocal, has_flat = c.kind == kAuto || c.kind == kFlat,
             has_paper = c.kind == kPaper;
  chosen_ = challenger_;
  if (has_local) {
    set_proposal(proposal_, c.local.proposal);
  } else if (settings_.given("proposal")) {
    throw UsageError("--proposal has no effect on the challenger " + chosen_, "it belongs to local and auto");
  } else {
    settings_.leave_out("proposal");
  }
  c.local.learning = c.kind == kLocal && !no_learning_;
  c.flat.learning = c.paper.learning = !no_learning_;
  const ProposalKind proposal = c.local.proposal.kind;
  const bool ranks = proposal == ProposalKind::kRule || proposal == ProposalKind::kTrained;
  if (proposal != ProposalKind::kTrained && has_local) chosen_ += " with --proposal " + proposal_;
  if (no_learning_) chosen_ += " with --no-learning";
  const bool local_learns = has_local && c.local.learning, flat_learns = has_flat && c.flat.learning,
             paper_learns = has_paper && c.paper.learning;

  // Every option and the fields it acts on.
  LocalOptions& local = c.local;
  FlatOptions& flat = c.flat;
  PaperOptions& paper = c.paper;
  Exploration &flat_epsilon = flat.exploration, &paper_epsilon = paper.exploration;
  bool fixed = !local.adaptive, fixed_start = !flat.follow;
  // The local challenger looks at gains alone, and flat counts the price of an edge relative to standing still (D8).
  apply("lambda", lambda_, {{has_flat || has_paper, &options.game.lambda}});
  apply("step-cost", step_cost_, {{has_paper, &options.game.step_cost}});
  apply("longest", longest_, {{has_local, &local.longest}});
  apply("fixed-length", fixed_length_, {{has_local, &fixed}});
  apply("temperature", temperature_, {{has_local, &local.temperature}});
  apply("return-after", return_after_, {{has_local && local.temperature > 0, &local.return_after}});
  apply("locality", locality_, {{has_local, &local.proposal.locality}});
  apply("candidates", candidates_,
        {{has_local, &local.proposal.candidates}, {!has_local && flat_learns, &flat.candidates}});
  apply("sharpness", sharpness_, {{has_local && ranks, &local.proposal.sharpness}});
  apply("uniform-share", uniform_share_, {{has_local, &local.proposal.uniform_share}});
  apply("delta-temperature", delta_temperature_,
        {{c.kind == kAuto || (has_local && proposal == ProposalKind::kDelta), &local.proposal.delta_temperature}});
  apply("fixed-start", fixed_start_, {{has_flat, &fixed_start}});
  apply("episode-moves", episode_moves_, {{has_flat, &flat.episode_moves}, {has_paper, &paper.episode_moves}});
  apply("discount", discount_, {{flat_learns, &flat.discount}, {paper_learns, &paper.discount}});
  apply("future-bound", future_bound_, {{flat_learns, &flat.bound}});
  apply("value-temperature", value_temperature_, {{local_learns, &local.value_temperature}});
  apply_hidden({{local_learns, &local.hidden}, {flat_learns, &flat.hidden}, {paper_learns, &paper.hidden}});
  apply(
      "learning-rate", learning_rate_,
      {{local_learns, &local.learning_rate}, {flat_learns, &flat.learning_rate}, {paper_learns, &paper.learning_rate}});
  apply("target-rate", target_rate_,
        {{local_learns, &local.target_rate}, {flat_learns, &flat.target_rate}, {paper_learns, &paper.target_rate}});
  apply("batch", batch_, {{local_learns, &local.batch}, {flat_learns, &flat.batch}, {paper_learns, &paper.batch}});
  apply("train-every", train_every_,
        {{local_learns, &local.train_every}, {flat_learns, &flat.train_every}, {paper_learns, &paper.train_every}});
  apply("replay", replay_, {{local_learns, &local.replay}, {flat_learns, &flat.replay}, {paper_learns, &paper.replay}});
  apply("epsilon", epsilon_, {{has_flat, &flat_epsilon.from}, {has_paper, &paper_epsilon.from}});
  apply("epsilon-floor", epsilon_floor_, {{has_flat, &flat_epsilon.floor}, {has_paper, &paper_epsilon.floor}});
  apply("epsilon-steps", epsilon_steps_, {{has_flat, &flat_epsilon.steps}, {has_paper, &paper_epsilon.steps}});
  local.adaptive = !fixed;
  flat.follow = !fixed_start;
  if (options.game.lambda < 0) throw UsageError("--lambda must be 0 or more");
  if (options.game.step_cost < 0) throw UsageError("--step-cost must be 0 or more");
  if (has_local) check(local);
  if (has_flat) check(flat);
  if (has_paper) check(paper);
}

}  // namespace agon
