// cli/help.h
//
// How --help looks: one spelling per option, with the description wrapped beside it. For a command with many options it
// shows those that people commonly use, and --help-all shows all.
#pragma once

#include <CLI/CLI.hpp>
#include <set>
#include <string>

namespace agon::cli {

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

}  // namespace agon::cli
