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

// CLI11 lets -5 wrap around.
std::string check_whole(std::string& text) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? "" : "not a whole number of 0 or more: " + text;
}

}  // namespace

void Binding::bound(Bound& bound) {
  const OptionEntry& entry = *bound.entry;
  const auto add = [&](auto* target) -> CLI::Option* {
    using T = std::remove_pointer_t<decltype(target)>;
    if constexpr (std::is_same_v<T, bool>) {
      return app_.add_flag(spellings(entry), *target, entry.help);
    } else {
      CLI::Option* option = app_.add_option(spellings(entry), *target, entry.help)->option_text(entry.value);
      if constexpr (std::is_same_v<T, uint64_t>) option->check(CLI::Validator(check_whole, ""));
      if constexpr (std::is_same_v<T, std::vector<std::string>>) option->allow_extra_args(false);
      return bound.splits ? option->delimiter(',') : option;
    }
  };
  CLI::Option* option = std::visit(add, bound.target);
  option->group(to_string(entry.group));
  bound.typed = [option] { return option->count() > 0; };
}

void Binding::positional(const std::string& name, std::string& target, const std::string& help, Need need,
                         const std::string& alias) {
  CLI::Option* option = app_.add_option(alias.empty() ? name : name + "," + alias, target, help);
  option->group("Arguments")->required(need == kRequired);
}

void Binding::examples(const std::string& text) { app_.footer("Examples:\n" + text); }

}  // namespace agon::cli
