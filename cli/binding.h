// cli/binding.h
//
// Ties variables to arguments and to options of the catalog: a command names an option, and its description, its
// aliases and its place in --help follow. The commands know CLI11 through this alone.
//
//   Binding binding(app);
//   binding.positional("DATA", args.source, "file or name", Binding::kRequired, "--dataset");
//   binding.value("penalty", args.penalty);
//   binding.flag("json", args.json);
//   ...
//   binding.given("penalty");     // did the user pass it?
//   binding.in_force();           // names and values of data and search options, for the record
//
// The variables must live as long as the binding.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "agon/catalog/options.h"
#include "agon/match/run_record.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace agon::cli {

class Binding {
 public:
  enum Need { kRequired, kOptional };

  explicit Binding(CLI::App& app) : app_(app) {}

  // An argument known by its place; `alias` is an option that may be used instead.
  void positional(const std::string& name, std::string& target, const std::string& help, Need need = kRequired,
                  const std::string& alias = "");
  void flag(const std::string& name, bool& target);
  void value(const std::string& name, std::string& target);
  void value(const std::string& name, double& target);
  void value(const std::string& name, int& target);
  void value(const std::string& name, uint64_t& target);
  void list(const std::string& name, std::vector<std::string>& target);   // commas separate; may be repeated
  void files(const std::string& name, std::vector<std::string>& target);  // one path each time; may be repeated
  void examples(const std::string& text);                                 // the end of --help

  bool given(const std::string& name) const;
  OptionList in_force() const;
  void leave_out(const std::string& name);  // of in_force(): it has no effect this time

 private:
  struct Bound {
    const OptionEntry* entry;
    CLI::Option* option;
    std::function<OptionValue()> read;
    bool left_out = false;
  };
  template <class T>
  CLI::Option* bind(const std::string& name, T& target);

  CLI::App& app_;
  std::vector<Bound> bound_;
};

}  // namespace agon::cli
