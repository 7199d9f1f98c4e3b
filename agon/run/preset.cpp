#include "agon/run/preset.h"

#include <algorithm>

namespace agon {
namespace {

using std::string;

// What both variants share, and what each has of its own.
const OptionList& published() {
  static const OptionList options = {
      {"challenger", string("paper")}, {"opponent", std::vector<string>{"ges"}},
      {"players", int64_t{1}},         {"as-visited", true},
      {"episodes", int64_t{1000}},     {"champion-every", int64_t{20}},
      {"bootstrap", int64_t{0}},       {"no-prove", true},
  };
  return options;
}

const OptionList& of_code() {
  static const OptionList options = {
      {"train-every", int64_t{4}}, {"clip", 5.0},  {"rate-steps", int64_t{10000}},
      {"rate-decay", 0.9},         {"bonus", 0.5}, {"optimizer", string("adam")},
  };
  return options;
}

const OptionList& of_text() {
  static const OptionList options = {{"optimizer", string("sgd")}};
  return options;
}

void set_unless_given(Settings& settings, const OptionList& options) {
  for (const auto& [name, value] : options) {
    if (!settings.given(name)) settings.set(name, value);
  }
}

}  // namespace

Option preset_option() {
  return {.name = "preset",
          .value = "NAME",
          .group = OptionGroup::kChallenger,
          .help = "play the published system, as its authors' code does or as its text says",
          .choices = {"paper", "paper-text"},
          .otherwise = "none"};
}

void apply_preset(Settings& settings, const string& preset) {
  if (preset.empty()) return;
  // A start is an opponent of its own; a proof or a budget that was asked for stays.
  OptionList options = published();
  std::erase_if(options, [&](const auto& option) {
    return (option.first == "opponent" && settings.given("start")) ||
           (option.first == "no-prove" && (settings.given("prove") || settings.given("prove-parents"))) ||
           (option.first == "episodes" && settings.given("moves"));
  });
  set_unless_given(settings, options);
  if (settings.given("no-learning")) return;  // the unlearned twin
  set_unless_given(settings, preset == "paper" ? of_code() : of_text());
}

string published_score(const Dataset& data) {
  const bool binary = std::ranges::all_of(data.columns(), [](const Column& column) {
    return column.is_isolated() || (column.kind == ColumnKind::kCategorical && column.levels.size() <= 2);
  });
  return binary ? "discrete-bic" : "copula-bic";
}

}  // namespace agon
