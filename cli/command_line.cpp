#include "cli/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <set>
#include <sstream>

#include "agon/base/error.h"
#include "agon/base/item_list.h"
#include "agon/base/suggest.h"

namespace agon::cli {
namespace {

constexpr size_t kIndent = 24, kWidth = 100;
constexpr size_t kMostAtOnce = 30;  // --help shows all options of a command with at most this many

std::string wrapped(const std::string& text) {
  std::string out;
  size_t at = kIndent;
  std::istringstream words(text);
  for (std::string word; words >> word; at += word.size() + 1) {
    if (at > kIndent && at + word.size() > kWidth) {
      out += "\n" + std::string(kIndent, ' ');
      at = kIndent;
    } else if (at > kIndent) {
      out += " ";
    }
    out += word;
  }
  return out + "\n";
}

// How --help looks: one spelling per option, with the description wrapped beside it. For a command with many options it
// shows those that people commonly use, and --help-all shows all.
class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter() { label("Positionals", "Arguments"); }
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;
  std::string make_option(const CLI::Option* option, bool is_positional) const override;
  std::string make_usage(const CLI::App* app, std::string name) const override;

  void set_rare(const CLI::Option* option) { rare_.insert(option); }
  static bool has_many_options(const CLI::App& app);  // so that there is a --help-all

 private:
  std::set<const CLI::Option*> rare_;
};

std::string HelpFormatter::make_option(const CLI::Option* option, bool is_positional) const {
  std::string left = "  ";
  if (is_positional) {
    left += option->get_name(true, false);
  } else {
    if (!option->get_snames().empty()) left += "-" + option->get_snames()[0] + ", ";
    left += "--" + option->get_lnames().at(0);
    if (!option->get_option_text().empty()) left += " " + option->get_option_text();
  }
  left += left.size() + 2 > kIndent ? "\n" + std::string(kIndent, ' ') : std::string(kIndent - left.size(), ' ');
  return left + wrapped(option->get_description());
}

bool HelpFormatter::has_many_options(const CLI::App& app) { return app.get_options().size() > kMostAtOnce; }

std::string HelpFormatter::make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const {
  std::string text = make_description(app) + make_usage(app, name) + make_positionals(app);
  const bool all = mode == CLI::AppFormatMode::All || !has_many_options(*app);
  size_t left_out = 0;
  for (const std::string& group : app->get_groups()) {
    const auto options = app->get_options([&](const CLI::Option* option) {
      if (option->get_group() != group || !option->nonpositional() || option->get_positional()) return false;
      const bool shown = all || !rare_.contains(option);
      left_out += !shown;
      return shown;
    });
    if (!options.empty()) text += make_group(group, false, options);
  }
  if (left_out > 0) text += "\n" + std::to_string(left_out) + " more options: " + name + " --help-all\n";
  return app->get_footer().empty() ? text : text + "\n" + make_footer(app);
}

std::string HelpFormatter::make_usage(const CLI::App* app, std::string name) const {
  std::string line = "\nUsage: " + name;
  for (const CLI::Option* option : app->get_options()) {
    if (!option->get_positional()) continue;
    const std::string positional = option->get_name(true, false);
    line += option->get_required() ? " " + positional : " [" + positional + "]";
  }
  return line + " [options]\n";
}

// What is bound, and what CLI11 is told of it.
class App : public CLI::App {
 public:
  App(const std::string& summary, const std::string& name, std::vector<std::string> words)
      : CLI::App(summary, name), words_(std::move(words)) {
    add_names(*get_help_ptr());
    tells_all_ = words_.empty() || may_mean("help", {"h"}) || may_mean("help-all", {});
  }

  // Whether CLI11 must know this option. If not, it is only remembered that there is one.
  bool needs(const Option& option) {
    if (tells_all_ || may_mean(option.name, option.aliases)) return true;
    ++untold_;
    known_.push_back("--" + option.name);
    for (const bool letters : {false, true}) {
      for (const std::string& alias : option.aliases) {
        if ((alias.size() == 1) == letters) known_.push_back((letters ? "-" : "--") + alias);
      }
    }
    return false;
  }
  void add_names(const CLI::Option& option) {
    for (const std::string& name : option.get_lnames()) known_.push_back("--" + name);
    for (const std::string& name : option.get_snames()) known_.push_back("-" + name);
  }
  const std::vector<std::string>& known() const { return known_; }
  bool has_many_options() const { return get_options().size() + untold_ > kMostAtOnce; }

 private:
  // Whether a word is this option, or letters of which one is.
  bool may_mean(const std::string& name, const std::vector<std::string>& aliases) const {
    return std::ranges::any_of(words_, [&](const std::string& word) {
      if (word.size() < 2 || word[0] != '-') return false;
      if (word[1] == '-') {
        const std::string_view typed = std::string_view(word).substr(2, word.find('=') - 2);
        return typed == name || std::ranges::find(aliases, typed) != aliases.end();
      }
      return std::ranges::any_of(aliases, [&](const std::string& alias) {
        return alias.size() == 1 && word.find(alias[0]) != std::string::npos;
      });
    });
  }

  std::vector<std::string> words_, known_;  // known_: as they are typed, in the order in which they were bound
  bool tells_all_ = true;
  size_t untold_ = 0;
};

App& own(CLI::App& app) { return static_cast<App&>(app); }

// CLI11 would only report that an argument was not expected, and only if there were no other error.
void refuse_unknown_options(const std::vector<std::string>& known, const std::vector<std::string>& arguments) {
  for (const std::string& argument : arguments) {
    if (argument == "--") return;
    std::string word;
    if (argument.starts_with("--")) {
      word = argument.substr(0, argument.find('='));
    } else if (argument.size() > 1 && argument[0] == '-' && std::isalpha(static_cast<unsigned char>(argument[1]))) {
      word = argument.substr(0, 2);
    } else {
      continue;
    }
    if (std::find(known.begin(), known.end(), word) != known.end()) continue;
    const std::string whole = argument.substr(0, argument.find('='));
    throw UsageError(fmt::format("there is no option {}", quoted(whole)), did_you_mean(whole, known));
  }
}

std::string spellings(const Option& option) {
  std::string all = "--" + option.name;
  for (const std::string& alias : option.aliases) all += (alias.size() == 1 ? ",-" : ",--") + alias;
  return all;
}

}  // namespace

CommandLine::CommandLine(const std::string& summary, const std::string& name, std::vector<std::string> words)
    : app_(std::make_unique<App>(summary, name, std::move(words))) {
  app_->formatter(std::make_shared<HelpFormatter>());
}

CommandLine::~CommandLine() = default;

std::optional<std::string> CommandLine::parse(std::vector<std::string> words) {
  std::vector<std::string> known = own(*app_).known();
  if (own(*app_).has_many_options()) {
    app_->set_help_all_flag("--help-all", "Print every option and exit");
    known.push_back("--help-all");
  }
  refuse_unknown_options(known, words);
  const std::string hint = app_->get_name() + " --help";
  try {
    std::reverse(words.begin(), words.end());  // CLI11 takes them from the back
    app_->parse(words);
  } catch (const CLI::CallForHelp&) {
    return app_->help();
  } catch (const CLI::CallForAllHelp&) {
    return app_->help("", CLI::AppFormatMode::All);
  } catch (const CLI::RequiredError& error) {
    for (const CLI::Option* option : app_->get_options()) {  // CLI11 would name an alias
      if (option->get_positional() && option->get_required() && option->count() == 0) {
        throw UsageError(option->get_name(true, false) + " is required", hint);
      }
    }
    throw UsageError(error.what());
  } catch (const CLI::ParseError& error) {
    throw UsageError(error.what(), hint);
  }
  return std::nullopt;
}

std::vector<CommandLine::OptionText> CommandLine::options() const {
  std::vector<OptionText> out;
  for (const CLI::Option* option : app_->get_options()) {
    if (option->get_positional() || option->get_lnames().empty() || option == app_->get_help_ptr()) continue;
    out.push_back({option->get_group(), option->get_option_text(), option->get_description(), option->get_lnames(),
                   option->get_snames()});
  }
  return out;
}

// CLI11 only collects the words. Settings interprets them, as it does the values from Python, so that both front ends
// refuse the same values.
void Binding::bound(const std::shared_ptr<Bound>& bound) {
  const Option& option = bound->option;
  if (!own(app_).needs(option)) return;
  CLI::Option* made = nullptr;
  if (bound->type == OptionType::kFlag) {
    made = app_.add_flag_function(
        spellings(option), [bound](int64_t count) { give(*bound, count > 0); }, bound->help);
  } else if (bound->type == OptionType::kTexts) {
    made = app_.add_option_function<std::vector<std::string>>(
        spellings(option),
        [bound](const std::vector<std::string>& words) {
          if (!bound->option.splits) return give(*bound, words);
          std::vector<std::string> items;
          for (const std::string& word : words) {
            for (std::string& item : split_items(word)) items.push_back(std::move(item));
          }
          give(*bound, items);
        },
        bound->help);
    made->allow_extra_args(false);
  } else {
    made = app_.add_option_function<std::string>(
        spellings(option),
        [bound](const std::string& word) { give(*bound, parse_value(bound->option, bound->type, word)); }, bound->help);
    if (option.bare) made->expected(0, 1)->default_str("");
  }
  made->option_text(option.value)->group(to_string(option.group));
  own(app_).add_names(*made);
  const auto formatter = std::dynamic_pointer_cast<HelpFormatter>(app_.get_formatter());
  if (formatter && !option.common) formatter->set_rare(made);
}

void Binding::positional(const std::string& name, std::string& target, const std::string& help, Need need,
                         const std::string& alias) {
  CLI::Option* option = app_.add_option(alias.empty() ? name : name + "," + alias, target, help);
  option->group("Arguments")->required(need == kRequired);
  own(app_).add_names(*option);
}

void Binding::positionals(const std::string& name, std::vector<std::string>& target, const std::string& help) {
  CLI::Option* option = app_.add_option(name, target, help);
  option->group("Arguments")->required(true);
  own(app_).add_names(*option);
}

void Binding::examples(const std::string& text) { app_.footer("Examples:\n" + text); }

}  // namespace agon::cli
