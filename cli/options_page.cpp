#include "cli/options_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "agon/base/option.h"
#include "agon/base/text.h"
#include "cli/app.h"
#include "cli/command_line.h"

namespace agon::cli {
namespace {

// An option, and the commands that describe it with the same words.
struct Row {
  std::string name, group, left, help, others;
  std::vector<std::string> commands;
};

Row row_of(const CommandLine::OptionText& option) {
  Row row;
  row.name = option.names[0];
  row.group = option.group;
  row.left = "--" + row.name + (option.value.empty() ? "" : " " + option.value);
  for (const char c : option.help) row.help += c == '|' ? std::string("\\|") : std::string(1, c);
  for (size_t k = 1; k < option.names.size(); ++k) row.others += fmt::format(" `--{}`", option.names[k]);
  for (const std::string& letter : option.letters) row.others += fmt::format(" `-{}`", letter);
  return row;
}

std::vector<Row> all_rows() {
  std::vector<Row> rows;
  for (const CommandEntry& command : commands()) {
    CommandLine line(command.summary, command.name);
    command.set_up(line.app());
    for (const CommandLine::OptionText& option : line.options()) {
      Row row = row_of(option);
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
      page += fmt::format("| `{}` | {} | {} |{} |\n", row.left, row.help, joined(row.commands, ", "), row.others);
    }
  }
  return page;
}

}  // namespace agon::cli
