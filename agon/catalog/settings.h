// agon/catalog/settings.h
//
// Binds variables to options, so that every front end of the library (command line, Python) takes the same options,
// refuses the same values with the same words and records the same names.
//
//   Settings settings;
//   double penalty = 1;
//   settings.option(penalty, {.name = "penalty", .value = "C", .help = "factor on the penalty", .range = at_least(0)});
//   settings.set("penalty", 2.0);            // by a caller that has values; a command line has words
//   settings.given("penalty");               // did the user ask for it?
//   settings.in_force();                     // names and values of all that may change the answer, for the record
//
// The variables must live as long as the settings. Options that several commands share are declared in options.h.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agon/base/option.h"

namespace agon {

class Settings {
 public:
  enum Need { kRequired, kOptional };

  Settings() = default;
  Settings(const Settings&) = delete;
  Settings& operator=(const Settings&) = delete;
  virtual ~Settings() = default;

  // The value that the variable has now is the default.
  void option(const OptionField& field, const Option& option);

  // An option whose variable is known only after other options are set: fill() writes the value given into the
  // variable, and keeps the value in force for the record. An option that is never filled is not in force.
  void later(const Option& option, OptionType type, const std::string& help);
  void fill(const OptionField& field, const Option& option);

  // A positional argument; `alias` is an option that may be used instead. Only a command line has positions, so here
  // this does nothing.
  virtual void positional(const std::string& name, std::string& target, const std::string& help, Need need = kRequired,
                          const std::string& alias = "");

  // UsageError when there is no such option (it suggests the nearest one), or the value has another type or is out of
  // range. Dashes may be written as underscores.
  void set(const std::string& name, const OptionValue& value);

  bool given(const std::string& name) const;
  OptionList in_force() const;
  void leave_out(const std::string& name);  // out of in_force(), because it has no effect this time

  struct Bound {
    Option option;
    OptionType type;
    std::string help;                  // with range and default
    std::optional<OptionField> field;  // absent: declared by later()
    std::optional<OptionValue> value;  // declared by later(): the value given, then the value in force
    bool given = false, filled = false, left_out = false;
  };
  const std::vector<std::shared_ptr<Bound>>& all() const { return bound_; }  // in the order in which they were bound

 protected:
  // Called for every option, so that a front end that reads words can register it; give() sets what it read.
  virtual void bound(const std::shared_ptr<Bound>&) {}
  static void give(Bound& bound, const OptionValue& value);

 private:
  void add(Bound bound);

  std::vector<std::shared_ptr<Bound>> bound_;
};

}  // namespace agon
