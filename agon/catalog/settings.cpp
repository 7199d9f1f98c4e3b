#include "agon/catalog/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "agon/base/error.h"
#include "agon/base/suggest.h"

namespace agon {
namespace {

// What a variable can take of a value: its own type, whole numbers where they fit, and one text for a list of texts.
bool take(bool& target, const OptionValue& value) {
  const bool* given = std::get_if<bool>(&value);
  if (given) target = *given;
  return given != nullptr;
}
bool take(std::string& target, const OptionValue& value) {
  const std::string* given = std::get_if<std::string>(&value);
  if (given) target = *given;
  return given != nullptr;
}
bool take(double& target, const OptionValue& value) {
  if (const double* number = std::get_if<double>(&value)) {
    target = *number;
    return true;
  }
  const int64_t* whole = std::get_if<int64_t>(&value);
  if (whole) target = static_cast<double>(*whole);
  return whole != nullptr;
}
template <class Whole>
bool take_whole(Whole& target, const OptionValue& value) {
  const int64_t* given = std::get_if<int64_t>(&value);
  if (!given || !std::in_range<Whole>(*given)) return false;
  target = static_cast<Whole>(*given);
  return true;
}
bool take(int& target, const OptionValue& value) { return take_whole(target, value); }
bool take(uint64_t& target, const OptionValue& value) { return take_whole(target, value); }
bool take(std::vector<std::string>& target, const OptionValue& value) {
  if (const std::string* one = std::get_if<std::string>(&value)) {
    target = {*one};
    return true;
  }
  const auto* all = std::get_if<std::vector<std::string>>(&value);
  if (all) target = *all;
  return all != nullptr;
}

const char* type_name(const bool*) { return "true or false"; }
const char* type_name(const std::string*) { return "a text"; }
const char* type_name(const double*) { return "a number"; }
const char* type_name(const int*) { return "a whole number"; }
const char* type_name(const uint64_t*) { return "a whole number of 0 or more"; }
const char* type_name(const std::vector<std::string>*) { return "a list of texts"; }

}  // namespace

Settings::Bound& Settings::bind(const std::string& name, Target target, bool splits) {
  bound_.push_back({.entry = &option_entry(name), .target = target, .splits = splits, .typed = nullptr});
  bound(bound_.back());
  return bound_.back();
}

void Settings::list(const std::string& name, std::vector<std::string>& target) { bind(name, &target, true); }
void Settings::files(const std::string& name, std::vector<std::string>& target) { bind(name, &target); }
void Settings::positional(const std::string&, std::string&, const std::string&, Need, const std::string&) {}

void Settings::set(const std::string& name, const OptionValue& value) {
  std::string dashed = name;
  std::replace(dashed.begin(), dashed.end(), '_', '-');
  std::vector<std::string> known;
  for (Bound& bound : bound_) {
    const OptionEntry& entry = *bound.entry;
    known.push_back(entry.name);
    if (entry.name != dashed && std::find(entry.aliases.begin(), entry.aliases.end(), dashed) == entry.aliases.end()) {
      continue;
    }
    const bool fits = std::visit([&](auto* target) { return take(*target, value); }, bound.target);
    if (!fits) {
      throw UsageError(fmt::format("--{} takes {}", entry.name,
                                   std::visit([](const auto* target) { return type_name(target); }, bound.target)),
                       entry.help);
    }
    bound.given = true;
    return;
  }
  throw UsageError(fmt::format("there is no option {}", quoted("--" + dashed)), did_you_mean(dashed, known));
}

bool Settings::given(const std::string& name) const {
  for (const Bound& bound : bound_) {
    if (bound.entry->name == name) return bound.given || (bound.typed && bound.typed());
  }
  return false;
}

OptionList Settings::in_force() const {
  const auto read = [](const auto* target) {
    if constexpr (std::is_same_v<decltype(target), const int*> || std::is_same_v<decltype(target), const uint64_t*>) {
      return OptionValue(static_cast<int64_t>(*target));
    } else {
      return OptionValue(*target);
    }
  };
  OptionList list;
  for (const Bound& bound : bound_) {
    const OptionGroup group = bound.entry->group;
    if (group != OptionGroup::kOutput && group != OptionGroup::kResources && !bound.left_out) {
      list.emplace_back(bound.entry->name, std::visit(read, bound.target));
    }
  }
  return list;
}

void Settings::leave_out(const std::string& name) {
  for (Bound& bound : bound_) bound.left_out = bound.left_out || bound.entry->name == name;
}

std::vector<Settings::Tied> Settings::tied() const {
  std::vector<Tied> all;
  for (const Bound& bound : bound_) {
    all.push_back({bound.entry, std::visit([](const auto* target) { return type_name(target); }, bound.target)});
  }
  return all;
}

}  // namespace agon
