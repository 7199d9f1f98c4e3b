// cli/command_line.h
//
// The options of one command, the words that a user typed, and --help. CLI11 stays behind this header, in one unit,
// because it takes seconds to compile.
//
// A command binds variables to options (settings.h); their descriptions, aliases and places in --help follow from that:
//
//   CommandLine line("find the causal graph of a table", "agon discover");
//   Binding binding(line.app());
//   binding.positional("DATA", args.source, "file or name", Binding::kRequired, "--dataset");
//   binding.option(args.penalty, {.name = "penalty", .value = "C", .help = "factor", .range = at_least(0)});
//   binding.option(args.json, json_option());
//   ...
//   std::optional<std::string> help = line.parse({"my.csv", "--penalty", "2"});
//   binding.given("penalty");     // did the user pass it?
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agon/catalog/settings.h"

namespace CLI {
class App;
}  // namespace CLI

namespace agon::cli {

class CommandLine {
 public:
  // With the words that will be parsed, options that none of them can mean stay unknown to CLI11, to which each costs
  // more than all else that is done for it. Without words, and for --help, it knows them all.
  CommandLine(const std::string& summary, const std::string& name, std::vector<std::string> words = {});
  ~CommandLine();

  CLI::App& app() { return *app_; }

  // Fills in the variables that are bound; UsageError for words that do not fit. Returns the text of --help or
  // --help-all if that is what the user asked for.
  std::optional<std::string> parse(std::vector<std::string> words);

  // The options that are bound, as --help describes them.
  struct OptionText {
    std::string group, value, help;
    std::vector<std::string> names, letters;  // "rows"; "n"
  };
  std::vector<OptionText> options() const;

 private:
  std::unique_ptr<CLI::App> app_;
};

class Binding : public Settings {
 public:
  explicit Binding(CLI::App& app) : app_(app) {}

  void positional(const std::string& name, std::string& target, const std::string& help, Need need = kRequired,
                  const std::string& alias = "") override;
  void positionals(const std::string& name, std::vector<std::string>& target, const std::string& help);  // one or more
  void examples(const std::string& text);  // shown at the end of --help

 private:
  void bound(const std::shared_ptr<Bound>& bound) override;

  CLI::App& app_;
};

}  // namespace agon::cli
