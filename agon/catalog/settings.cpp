#include "agon/catalog/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "agon/base/error.h"
#include "agon/base/suggest.h"

namespace agon {
namespace {

bool is_called(const Option& option, const std::string& name) {
  return option.name == name || std::ranges::find(option.aliases, name) != option.aliases.end();
}

}  // namespace

void Settings::add(Bound bound) {
  bound_.push_back(std::make_shared<Bound>(std::move(bound)));
  this->bound(bound_.back());
}

void Settings::option(const OptionField& field, const Option& option) {
  add({.option = option, .type = field.type, .help = help_text(option, field), .field = field, .value = {}});
}

void Settings::later(const Option& option, OptionType type, const std::string& help) {
  add({.option = option, .type = type, .help = help, .field = {}, .value = {}});
}

void Settings::fill(const OptionField& field, const Option& option) {
  for (const auto& bound : bound_) {
    if (bound->option.name != option.name) continue;
    if (bound->given) set_field(field, option, *bound->value);
    bound->value = field.read();
    bound->filled = true;
    return;
  }
  throw std::logic_error("an option is filled that was never announced: --" + option.name);
}

void Settings::positional(const std::string&, std::string&, const std::string&, Need, const std::string&) {}

void Settings::give(Bound& bound, const OptionValue& value) {
  if (bound.field) {
    set_field(*bound.field, bound.option, value);
  } else {
    check_value(bound.option, value);
    bound.value = value;
  }
  bound.given = true;
}

void Settings::set(const std::string& name, const OptionValue& value) {
  std::string dashed = name;
  std::replace(dashed.begin(), dashed.end(), '_', '-');
  std::vector<std::string> known;
  for (const auto& bound : bound_) {
    if (is_called(bound->option, dashed)) return give(*bound, value);
    known.push_back(bound->option.name);
  }
  const std::string near = nearest(dashed, known);
  throw UsageError(fmt::format("there is no option {}", quoted("--" + dashed)),
                   near.empty() ? "" : fmt::format("did you mean --{}?", near));
}

bool Settings::given(const std::string& name) const {
  return std::ranges::any_of(bound_, [&](const auto& bound) { return bound->option.name == name && bound->given; });
}

OptionList Settings::in_force() const {
  OptionList list;
  for (const auto& bound : bound_) {
    const OptionGroup group = bound->option.group;
    if (group == OptionGroup::kOutput || group == OptionGroup::kResources || bound->left_out) continue;
    if (bound->field) {
      list.emplace_back(bound->option.name, bound->field->read());
    } else if (bound->filled) {
      list.emplace_back(bound->option.name, *bound->value);
    }
  }
  return list;
}

void Settings::leave_out(const std::string& name) {
  for (const auto& bound : bound_) bound->left_out = bound->left_out || bound->option.name == name;
}

}  // namespace agon
