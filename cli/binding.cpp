#include "cli/binding.h"

#include <CLI/CLI.hpp>
#include <charconv>

namespace agon::cli {
namespace {

std::string spellings(const OptionEntry& entry) {
  std::string all = "--" + entry.name;
  for (const std::string& alias : entry.aliases) all += (alias.size() == 1 ? ",-" : ",--") + alias;
  return all;
}

}  // namespace

template <class T>
CLI::Option* Binding::bind(const std::string& name, T& target) {
  const OptionEntry& entry = option_entry(name);
  CLI::Option* option = nullptr;
  if constexpr (std::is_same_v<T, bool>) {
    option = app_.add_flag(spellings(entry), target, entry.help);
  } else {
    option = app_.add_option(spellings(entry), target, entry.help)->option_text(entry.value);
  }
  option->group(to_string(entry.group));
  bound_.push_back({&entry, option, [&target] {
                      if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
                        return OptionValue(static_cast<int64_t>(target));
                      } else {
                        return OptionValue(target);
                      }
                    }});
  return option;
}

void Binding::positional(const std::string& name, std::string& target, const std::string& help, Need need,
                         const std::string& alias) {
  CLI::Option* option = app_.add_option(alias.empty() ? name : name + "," + alias, target, help);
  option->group("Arguments")->required(need == kRequired);
}

void Binding::flag(const std::string& name, bool& target) { bind(name, target); }
void Binding::value(const std::string& name, std::string& target) { bind(name, target); }
void Binding::value(const std::string& name, double& target) { bind(name, target); }
void Binding::value(const std::string& name, int& target) { bind(name, target); }
void Binding::value(const std::string& name, uint64_t& target) {
  bind(name, target)
      ->check(CLI::Validator(  // CLI11 lets -5 wrap around
          [](std::string& text) {
            uint64_t number = 0;
            const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
            return error == std::errc() && end == text.data() + text.size()
                       ? ""
                       : "not a whole number of 0 or more: " + text;
          },
          ""));
}
void Binding::list(const std::string& name, std::vector<std::string>& target) {
  bind(name, target)->delimiter(',')->allow_extra_args(false);
}
void Binding::files(const std::string& name, std::vector<std::string>& target) {
  bind(name, target)->allow_extra_args(false);
}
void Binding::examples(const std::string& text) { app_.footer("Examples:\n" + text); }

bool Binding::given(const std::string& name) const {
  for (const Bound& bound : bound_) {
    if (bound.entry->name == name) return bound.option->count() > 0;
  }
  return false;
}

OptionList Binding::in_force() const {
  OptionList list;
  for (const Bound& bound : bound_) {
    if (bound.entry->group != OptionGroup::kOutput && !bound.left_out)
      list.emplace_back(bound.entry->name, bound.read());
  }
  return list;
}

void Binding::leave_out(const std::string& name) {
  for (Bound& bound : bound_) bound.left_out = bound.left_out || bound.entry->name == name;
}

}  // namespace agon::cli
