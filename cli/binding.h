// cli/binding.h
//
// The settings of a command, read from the command line. A command binds variables to options (settings.h); their
// descriptions, aliases and places in --help follow from that. Commands use CLI11 only through this class.
//
//   Binding binding(app);
//   binding.positional("DATA", args.source, "file or name", Binding::kRequired, "--dataset");
//   binding.option(args.penalty, {.name = "penalty", .value = "C", .help = "factor", .range = at_least(0)});
//   binding.option(args.json, json_option());
//   ...
//   binding.given("penalty");     // did the user pass it?
#pragma once

#include <string>

#include "agon/catalog/settings.h"

namespace CLI {
class App;
}  // namespace CLI

namespace agon::cli {

class Binding : public Settings {
 public:
  explicit Binding(CLI::App& app) : app_(app) {}

  void positional(const std::string& name, std::string& target, const std::string& help, Need need = kRequired,
                  const std::string& alias = "") override;
  void examples(const std::string& text);  // shown at the end of --help

 private:
  void bound(const std::shared_ptr<Bound>& bound) override;

  CLI::App& app_;
};

}  // namespace agon::cli
