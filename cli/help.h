// cli/help.h
//
// How --help looks: one spelling per option, descriptions wrapped beside it.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace agon::cli {

class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter() { label("Positionals", "Arguments"); }
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;
  std::string make_option(const CLI::Option* option, bool is_positional) const override;
  std::string make_usage(const CLI::App* app, std::string name) const override;
};

}  // namespace agon::cli
