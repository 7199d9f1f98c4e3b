#include "cli/binding.h"

#include <CLI/CLI.hpp>

#include "cli/help.h"

namespace agon::cli {
namespace {

std::string spellings(const Option& option) {
  std::string all = "--" + option.name;
  for (const std::string& alias : option.aliases) all += (alias.size() == 1 ? ",-" : ",--") + alias;
  return all;
}

}  // namespace

// CLI11 only collects the words. Settings interprets them, as it does the values from Python, so that both front ends
// refuse the same values.
void Binding::bound(const std::shared_ptr<Bound>& bound) {
  const Option& option = bound->option;
  CLI::Option* made = nullptr;
  if (bound->type == OptionType::kFlag) {
    made = app_.add_flag_function(
        spellings(option), [bound](int64_t count) { give(*bound, count > 0); }, bound->help);
  } else if (bound->type == OptionType::kTexts) {
    made = app_.add_option_function<std::vector<std::string>>(
        spellings(option), [bound](const std::vector<std::string>& words) { give(*bound, words); }, bound->help);
    made->allow_extra_args(false);
    if (option.splits) made->delimiter(',');
  } else {
    made = app_.add_option_function<std::string>(
        spellings(option),
        [bound](const std::string& word) { give(*bound, parse_value(bound->option, bound->type, word)); }, bound->help);
  }
  made->option_text(option.value)->group(to_string(option.group));
  const auto formatter = std::dynamic_pointer_cast<HelpFormatter>(app_.get_formatter());
  if (formatter && !option.common) formatter->set_rare(made);
}

void Binding::positional(const std::string& name, std::string& target, const std::string& help, Need need,
                         const std::string& alias) {
  CLI::Option* option = app_.add_option(alias.empty() ? name : name + "," + alias, target, help);
  option->group("Arguments")->required(need == kRequired);
}

void Binding::examples(const std::string& text) { app_.footer("Examples:\n" + text); }

}  // namespace agon::cli
