#include "cli/help.h"

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

}  // namespace

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

}  // namespace agon::cli
