#include "web/engine/asked_run.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "agon/base/error.h"
#include "agon/base/item_list.h"
#include "agon/base/text.h"

namespace agon::web {
namespace {

using Json = nlohmann::ordered_json;

OptionValue option_value(const std::string& name, const Json& value) {
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number_integer()) return value.get<int64_t>();
  if (value.is_number()) return value.get<double>();
  if (value.is_string()) return value.get<std::string>();
  if (value.is_array()) return value.get<std::vector<std::string>>();
  throw UsageError(fmt::format("--{}: a value must be a number, a text, true or false, or a list of texts", name));
}

std::optional<KnowledgeStatements> statements_of(const Json& request) {
  const Json given = request.value("knowledge", Json());
  if (!given.is_object()) return std::nullopt;
  KnowledgeStatements known{.place = "what you know"};
  known.required = given.value("required", std::vector<NamePair>());
  known.forbidden = given.value("forbidden", std::vector<NamePair>());
  known.tiers = given.value("tiers", std::vector<std::vector<std::string>>());
  if (known.required.empty() && known.forbidden.empty() && known.tiers.empty()) return std::nullopt;
  return known;
}

// An option as it is typed: "--moves 500".
std::string typed_option(const Settings::Bound& bound) {
  const std::string& name = bound.option.name;
  const OptionValue value = bound.field ? bound.field->read() : *bound.value;
  if (bound.type == OptionType::kTexts) return typed_items(name, std::get<std::vector<std::string>>(value));
  return bound.type == OptionType::kFlag ? "--" + name : "--" + name + " " + shell_word(value_text(value));
}

}  // namespace

void set_given(Settings& settings, const Json& request) {
  const Json options = request.value("options", Json::object());
  for (const auto& [name, value] : options.items()) settings.set(name, option_value(name, value));
}

OptionValue typed_value(const Settings& settings, const std::string& name, const std::string& typed) {
  for (const auto& bound : settings.all()) {
    if (bound->option.name != name) continue;
    const bool is_list = bound->type == OptionType::kTexts && bound->option.splits;
    return is_list ? OptionValue(split_items(typed)) : parse_value(bound->option, bound->type, typed);
  }
  throw UsageError(fmt::format("there is no option --{}", name));
}

AskedRun::AskedRun(const Json& wanted) : request(settings, RunRequest::Kind::kMatch) {
  set_given(settings, wanted);
  settings.set("threads", int64_t{1});
  request.data.set_source(wanted.at("source").get<std::string>());
  given.knowledge = statements_of(wanted);
}

std::string AskedRun::command() const {
  std::string text = "agon discover " + shell_word(request.data.source());
  for (const auto& bound : settings.all()) {
    if (!bound->given || bound->option.name == "start" || bound->option.name == "threads") continue;
    text += " " + typed_option(*bound);
  }
  return text;
}

}  // namespace agon::web
