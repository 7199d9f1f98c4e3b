#include "agon/run/front_end.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "agon/base/item_list.h"
#include "agon/base/text.h"
#include "agon/run/request.h"

namespace agon {
namespace {

const std::vector<std::pair<std::string, std::string>> kCalls = {
    {"--verbose lists all, --out DIR writes them", "summary(full=True) lists all, edges_ holds them"},
    {"agon list algorithms", "agon.list_algorithms()"},
    {"agon list opponents", "agon.list_algorithms()"},
    {"agon list scores", "agon.list_scores()"},
    {"agon list challengers", "agon.list_challengers()"},
    {"agon list datasets", "agon.datasets.list_all()"},
    {"agon list formats", "agon.formats()"},
};

// Words that may follow an option where the sentence mentions it without a value.
const std::set<std::string_view> kPlainWords = {
    "and",      "are",  "as",   "asks",  "belongs", "cannot", "changes", "chooses", "does",  "for",   "from",  "gets",
    "has",      "have", "if",   "in",    "is",      "leaves", "may",     "must",    "names", "of",    "or",    "needs",
    "override", "says", "sets", "takes", "that",    "the",    "to",      "was",     "with",  "would", "writes"};
const std::set<std::string_view> kWordsAfterFlags = {"cannot", "has", "is", "must", "needs", "takes"};

struct Known {
  OptionType type;
  std::string value;
  std::vector<std::string> choices;
};

// Every option that Python takes, from the declarations.
const std::map<std::string, Known, std::less<>>& known_options() {
  static const std::map<std::string, Known, std::less<>> options = [] {
    Settings settings;
    const RunRequest request(settings, RunRequest::Kind::kMatch);
    std::map<std::string, Known, std::less<>> all;
    for (const auto& bound : settings.all()) {
      all[bound->option.name] = {bound->type, bound->option.value, bound->option.choices};
    }
    return all;
  }();
  return options;
}

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-'; }

// The option "--name" at this place, if there is one; not an edge such as -->, and not within a word.
std::string_view option_at(std::string_view text, size_t at) {
  if (text.substr(at, 2) != "--" || at + 2 >= text.size() || !is_letter(text[at + 2])) return {};
  if (at > 0 && (in_name(text[at - 1]))) return {};
  size_t end = at + 2;
  while (end < text.size() && in_name(text[end])) ++end;
  while (text[end - 1] == '-') --end;
  return end - at > 3 ? text.substr(at + 2, end - at - 2) : std::string_view{};  // a single letter is an edge: a --o b
}

// The word that begins at this place, with its quotes but without the punctuation after it.
std::string_view word_at(std::string_view text, size_t at) {
  if (at >= text.size()) return {};
  if (text[at] == '"' || text[at] == '\'') {
    const size_t close = text.find(text[at], at + 1);
    return close == std::string_view::npos ? std::string_view{} : text.substr(at, close - at + 1);
  }
  size_t end = std::min(text.find_first_of(" \n", at), text.size());
  while (end > at && std::string_view(".,;:)?!`\"").find(text[end - 1]) != std::string_view::npos) --end;
  return text.substr(at, end - at);
}

std::string literal(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) out += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return out + "\"";
}

bool is_number(std::string_view word) {
  return !word.empty() && word.find_first_not_of("0123456789.+-e") == std::string_view::npos;
}

// The value as Python writes it; nullopt when the word is not a value of this option.
std::optional<std::string> value_of(const Known& option, std::string_view word) {
  if (word.empty()) return std::nullopt;
  const bool list = option.type == OptionType::kTexts, text = list || option.type == OptionType::kText;
  if (word == option.value || (text && (word == "NAME" || word == "NAMES"))) return list ? "[...]" : "...";
  if (!text && std::ranges::find(option.choices, word) != option.choices.end()) return literal(word);
  if (!text) return is_number(word) ? std::optional(std::string(word)) : std::nullopt;
  const bool quoted_word = word.size() >= 2 && (word[0] == '"' || word[0] == '\'');
  if (!quoted_word && kPlainWords.contains(word)) return std::nullopt;
  const std::string_view bare = quoted_word ? word.substr(1, word.size() - 2) : word;
  if (!option.choices.empty() && std::ranges::find(option.choices, bare) == option.choices.end()) return std::nullopt;
  if (!list) return literal(bare);
  if (word[0] == '"') return fmt::format("[{}]", literal(bare));
  std::vector<std::string> items;
  for (const std::string& item : split_items(bare)) items.push_back(literal(item));
  return fmt::format("[{}]", joined(items, ", "));
}

std::string argument_name(std::string_view option) {
  std::string name(option);
  std::replace(name.begin(), name.end(), '-', '_');
  return name == "lambda" ? "lambda_" : name;
}

}  // namespace

std::string as_python(std::string_view message) {
  std::string out;
  for (size_t at = 0; at < message.size();) {
    const auto call =
        std::ranges::find_if(kCalls, [&](const auto& c) { return message.substr(at).starts_with(c.first); });
    if (call != kCalls.end()) {
      out += call->second;
      at += call->first.size();
      continue;
    }
    const std::string_view name = option_at(message, at);
    if (name.empty()) {
      out += message[at++];
      continue;
    }
    out += argument_name(name);
    at += 2 + name.size();
    const auto known = known_options().find(name);
    if (known == known_options().end()) continue;
    const bool word_follows = at < message.size() && (message[at] == ' ' || message[at] == '=');
    const std::string_view word = word_follows ? word_at(message, at + 1) : std::string_view{};
    if (known->second.type == OptionType::kFlag) {
      if (!kWordsAfterFlags.contains(word)) out += "=True";
    } else if (const std::optional<std::string> value = value_of(known->second, word)) {
      out += "=" + *value;
      at += 1 + word.size();
      if (message.substr(at).starts_with(" --")) out += ',';
    }
  }
  return out;
}

}  // namespace agon
