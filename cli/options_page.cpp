#include "cli/options_page.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "agon/base/option.h"
#include "cli/app.h"

namespace agon::cli {
namespace {

// An option, and the commands that describe it with the same words.
struct Row {
  std::string name, group, left, help, others;
  std::vector<std::string> commands;
};

Row row_of(const CLI::Option& option) {
  Row row;
  row.name = option.get_lnames()[0];
  row.group = option.get_group();
  row.left = "--" + row.name + (option.get_option_text().empty() ? "" : " " + option.get_option_text());
  for (const char c : option.get_description()) row.help += c == '|' ? std::string("\\|") : std::string(1, c);
  for (size_t k = 1; k < option.get_lnames().size(); ++k) row.others += fmt::format(" `--{}`", option.get_lnames()[k]);
  for (const std::string& letter : option.get_snames()) row.others += fmt::format(" `-{}`", letter);
  return row;
}

std::vector<Row> all_rows() {
  std::vector<Row> rows;
  for (const CommandEntry& command : commands()) {
    CLI::App app;
    command.set_up(app);
    for (const CLI::Option* option : app.get_options()) {
      if (option->get_positional() || option->get_lnames().empty() || option == app.get_help_ptr()) continue;
      Row row = row_of(*option);
      const auto same = std::find_if(rows.begin(), rows.end(), [&](const Row& r) {
        return r.name == row.name && r.help == row.help && r.group == row.group;
      });
      if (same == rows.end()) {
        row.commands = {command.name};
        rows.push_back(std::move(row));
      } else {
        same->commands.push_back(command.name);
      }
    }
  }
  return rows;
}

}  // namespace

std::string options_page() {
  std::string page =
      "# Options\n\nEvery option of the command line, as `agon list options` prints it. Other spellings are accepted "
      "too, those of\ncausal-cmd among them. In Python the same options are keyword arguments, with underscores.\n";
  const std::vector<Row> rows = all_rows();
  using enum OptionGroup;
  for (const OptionGroup group : {kData, kSearch, kChallenger, kTraining, kResources, kOutput}) {
    page += fmt::format("\n## {}\n\n| option | meaning | commands | other spellings |\n|---|---|---|---|\n",
                        to_string(group));
    for (const Row& row : rows) {
      if (row.group != to_string(group)) continue;
      page += fmt::format("| `{}` | {} | {} |{} |\n", row.left, row.help, fmt::join(row.commands, ", "), row.others);
    }
  }
  return page;
}

}  // namespace agon::cli
