#include "agon/base/option.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "agon/base/error.h"
#include "agon/base/suggest.h"
#include "agon/base/text.h"

namespace agon {
namespace {

template <class Number>
std::optional<Number> number_in(std::string_view text) {
  if (text.size() > 1 && text[0] == '+') text.remove_prefix(1);
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

template <class Whole>
bool take_whole(Whole& target, const OptionValue& value) {
  const int64_t* given = std::get_if<int64_t>(&value);
  if (!given || !std::in_range<Whole>(*given)) return false;
  target = static_cast<Whole>(*given);
  return true;
}

template <class T>
bool take_same(T& target, const OptionValue& value) {
  const T* given = std::get_if<T>(&value);
  if (given) target = *given;
  return given != nullptr;
}

bool take_number(double& target, const OptionValue& value) {
  if (const int64_t* whole = std::get_if<int64_t>(&value)) {
    target = static_cast<double>(*whole);
    return true;
  }
  return take_same(target, value);
}

// One text is a list of one.
std::optional<std::vector<std::string>> texts_in(const OptionValue& value) {
  if (const std::string* one = std::get_if<std::string>(&value)) return std::vector<std::string>{*one};
  const auto* all = std::get_if<std::vector<std::string>>(&value);
  return all ? std::optional(*all) : std::nullopt;
}

template <class Number>
std::optional<std::vector<Number>> numbers_in(const OptionValue& value) {
  const auto texts = texts_in(value);
  if (!texts) return std::nullopt;
  std::vector<Number> numbers;
  for (const std::string& text : *texts) {
    const std::optional<Number> number = number_in<Number>(text);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

template <class Number>
std::vector<std::string> texts_of(const std::vector<Number>& numbers) {
  std::vector<std::string> texts;
  for (const Number number : numbers) texts.push_back(fmt::format("{}", number));
  return texts;
}

template <class Number>
OptionField limits_field(Number& low, Number& high) {
  return {OptionType::kTexts,
          [&low, &high] {
            return OptionValue(texts_of<Number>({low, high}));
          },
          [&low, &high](const OptionValue& value) {
            const auto numbers = numbers_in<Number>(value);
            if (!numbers || numbers->size() != 2 || (*numbers)[0] > (*numbers)[1]) return false;
            low = (*numbers)[0];
            high = (*numbers)[1];
            return true;
          }};
}

// "a", "a or b", "a, b or c"
std::string either(const std::vector<std::string>& words) {
  std::string text;
  for (size_t k = 0; k < words.size(); ++k) {
    text += (k == 0 ? "" : k + 1 == words.size() ? " or " : ", ") + words[k];
  }
  return text;
}

bool within(const Range& range, const OptionValue& value) {
  if (const double* number = std::get_if<double>(&value)) return range.holds(*number);
  if (const int64_t* whole = std::get_if<int64_t>(&value)) return range.holds(static_cast<double>(*whole));
  const auto numbers = numbers_in<double>(value);
  return !numbers || std::all_of(numbers->begin(), numbers->end(), [&](double x) { return range.holds(x); });
}

std::string type_words(const Option& option, OptionType type) {
  if (type == OptionType::kTexts && option.range.stated()) {
    return option.value == "LOW,HIGH" ? "two numbers, the smaller first" : "whole numbers";
  }
  if (type == OptionType::kNumber && !option.choices.empty()) return "a number or " + either(option.choices);
  return to_string(type);
}

bool is_choice(const Option& option, const std::string& typed) {
  return std::find(option.choices.begin(), option.choices.end(), typed) != option.choices.end();
}

}  // namespace

Range at_least(double x) {
  Range range;
  range.least_ = x;
  range.stated_ = true;
  return range;
}

Range more_than(double x) {
  Range range = at_least(x);
  range.without_least_ = true;
  return range;
}

Range Range::at_most(double x) const {
  Range range = *this;
  range.most_ = x;
  range.has_most_ = true;
  return range;
}

Range Range::less_than(double x) const {
  Range range = at_most(x);
  range.without_most_ = true;
  return range;
}

bool Range::holds(double x) const {
  if (!stated_) return true;
  if (!std::isfinite(x) || x < least_ || (without_least_ && x == least_)) return false;
  return !has_most_ || (without_most_ ? x < most_ : x <= most_);
}

std::string Range::text() const {
  if (!stated_) return "";
  if (has_most_ && !without_least_ && !without_most_) return fmt::format("from {} to {}", least_, most_);
  const std::string low = fmt::format(fmt::runtime(without_least_ ? "more than {}" : "{} or more"), least_);
  if (!has_most_) return low;
  return low + fmt::format(fmt::runtime(without_most_ ? " and less than {}" : " and at most {}"), most_);
}

const char* to_string(OptionGroup group) {
  switch (group) {
    case OptionGroup::kData:
      return "Data";
    case OptionGroup::kSearch:
      return "Search";
    case OptionGroup::kChallenger:
      return "Challenger";
    case OptionGroup::kTraining:
      return "Training";
    case OptionGroup::kResources:
      return "Resources";
    case OptionGroup::kOutput:
      break;
  }
  return "Output";
}

const char* to_string(OptionType type) {
  switch (type) {
    case OptionType::kFlag:
      return "true or false";
    case OptionType::kWhole:
      return "a whole number";
    case OptionType::kNatural:
      return "a whole number of 0 or more";
    case OptionType::kNumber:
      return "a number";
    case OptionType::kText:
      return "a text";
    case OptionType::kTexts:
      break;
  }
  return "a list of texts";
}

OptionField::OptionField(bool& t)
    : OptionField(
          OptionType::kFlag, [&t] { return OptionValue(t); },
          [&t](const OptionValue& value) { return take_same(t, value); }) {}
OptionField::OptionField(int& t)
    : OptionField(
          OptionType::kWhole, [&t] { return OptionValue(int64_t{t}); },
          [&t](const OptionValue& value) { return take_whole(t, value); }) {}
OptionField::OptionField(int64_t& t)
    : OptionField(
          OptionType::kWhole, [&t] { return OptionValue(t); },
          [&t](const OptionValue& value) { return take_whole(t, value); }) {}
OptionField::OptionField(uint64_t& t)
    : OptionField(
          OptionType::kNatural, [&t] { return OptionValue(static_cast<int64_t>(t)); },
          [&t](const OptionValue& value) { return take_whole(t, value); }) {}
OptionField::OptionField(double& t)
    : OptionField(
          OptionType::kNumber, [&t] { return OptionValue(t); },
          [&t](const OptionValue& value) { return take_number(t, value); }) {}
OptionField::OptionField(std::string& t)
    : OptionField(
          OptionType::kText, [&t] { return OptionValue(t); },
          [&t](const OptionValue& value) { return take_same(t, value); }) {}
OptionField::OptionField(std::vector<std::string>& t)
    : OptionField(
          OptionType::kTexts, [&t] { return OptionValue(t); },
          [&t](const OptionValue& value) {
            auto texts = texts_in(value);
            if (texts) t = std::move(*texts);
            return texts.has_value();
          }) {}
OptionField::OptionField(std::vector<int>& t)
    : OptionField(
          OptionType::kTexts, [&t] { return OptionValue(texts_of(t)); },
          [&t](const OptionValue& value) {
            auto numbers = numbers_in<int>(value);
            if (numbers) t = std::move(*numbers);
            return numbers.has_value();
          }) {}

OptionField OptionField::off(bool& t) {
  return {OptionType::kFlag, [&t] { return OptionValue(!t); },
          [&t](const OptionValue& value) {
            const bool* given = std::get_if<bool>(&value);
            if (given) t = !*given;
            return given != nullptr;
          }};
}

OptionField OptionField::number_or(const char* word, bool& word_given, double& number, double otherwise) {
  return {OptionType::kNumber,
          [=, &word_given, &number] { return word_given ? OptionValue(std::string(word)) : OptionValue(number); },
          [=, &word_given, &number](const OptionValue& value) {
            const std::string* text = std::get_if<std::string>(&value);
            if (text != nullptr ? *text != word : !take_number(number, value)) return false;
            word_given = text != nullptr;
            if (word_given) number = otherwise;
            return true;
          }};
}

OptionField OptionField::limits(int& low, int& high) { return limits_field(low, high); }
OptionField OptionField::limits(double& low, double& high) { return limits_field(low, high); }

void check_value(const Option& option, const OptionValue& value) {
  if (!within(option.range, value)) {
    throw UsageError(fmt::format("--{} must be {}", option.name, option.range.text()));
  }
  const std::string* text = std::get_if<std::string>(&value);
  const std::vector<std::string>& choices = option.choices;
  if (!text || choices.empty() || option.range.stated() || is_choice(option, *text)) return;
  throw UsageError(fmt::format("--{} must be {}, not {}", option.name, either(choices), quoted(*text)),
                   did_you_mean(*text, choices));
}

void set_field(const OptionField& field, const Option& option, const OptionValue& value) {
  check_value(option, value);
  if (!field.take(value)) {
    throw UsageError(fmt::format("--{} takes {}", option.name, type_words(option, field.type)), option.help);
  }
}

std::string out_of_range(const std::function<void(const Describe&)>& describe) {
  std::string problems;
  describe([&](const OptionField& field, const Option& option) {
    if (within(option.range, field.read())) return;
    problems += fmt::format("{}--{} must be {}", problems.empty() ? "" : "; ", option.name, option.range.text());
  });
  return problems;
}

std::string value_text(const OptionValue& value) {
  return std::visit(
      [](const auto& v) {
        using T = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<T, std::vector<std::string>>) {
          return joined(v, ",");
        } else {
          return fmt::format("{}", v);
        }
      },
      value);
}

std::string default_text(const Option& option, const OptionField& field) {
  if (!option.otherwise.empty()) return "default: " + option.otherwise;
  const std::string text = field.type == OptionType::kFlag ? "" : value_text(field.read());
  return text.empty() ? "" : "default " + text;
}

std::string help_text(const Option& option, const OptionField& field) {
  std::string text = option.help;
  if (!option.choices.empty() && !option.range.stated()) text += ": " + either(option.choices);
  return text + in_brackets(option, default_text(option, field));
}

std::string in_brackets(const Option& option, const std::string& preset) {
  std::string text = option.range.text();
  if (!text.empty() && !option.choices.empty()) text += ", or " + either(option.choices);
  text += (text.empty() || preset.empty() ? "" : "; ") + preset;
  return text.empty() ? "" : " (" + text + ")";
}

OptionValue parse_value(const Option& option, OptionType type, const std::string& typed) {
  std::optional<OptionValue> value;
  if (type == OptionType::kText) value = typed;
  if (type == OptionType::kTexts) value = std::vector<std::string>{typed};
  if (type == OptionType::kFlag && (typed == "true" || typed == "false")) value = typed == "true";
  if (type == OptionType::kWhole || type == OptionType::kNatural) {
    if (const std::optional<int64_t> number = number_in<int64_t>(typed)) value = *number;
  }
  if (type == OptionType::kNumber) {
    if (const std::optional<double> number = number_in<double>(typed)) value = *number;
    if (is_choice(option, typed)) value = typed;
  }
  if (!value) {
    throw UsageError(fmt::format("--{} takes {}, not {}", option.name, type_words(option, type), quoted(typed)),
                     option.help);
  }
  return *value;
}

}  // namespace agon
