// agon/catalog/settings.h
//
// Ties variables to options of the catalog, so that every door to the library (command line, Python) takes the same
// options, refuses the same values and records the same names.
//
//   Settings settings;
//   settings.value("penalty", penalty);      // "penalty" must be in the catalog
//   settings.set("penalty", 2.0);            // by a caller that has values; the command line has words (cli/binding.h)
//   settings.given("penalty");               // did the user ask for it?
//   settings.in_force();                     // names and values of all that may change the answer, for the record
//
// The variables must live as long as the settings.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <string>
#include <variant>
#include <vector>

#include "agon/base/option_value.h"
#include "agon/catalog/options.h"

namespace agon {

class Settings {
 public:
  enum Need { kRequired, kOptional };

  Settings() = default;
  Settings(const Settings&) = delete;
  Settings& operator=(const Settings&) = delete;
  virtual ~Settings() = default;

  void flag(const std::string& name, bool& target) { bind(name, &target); }
  void value(const std::string& name, std::string& target) { bind(name, &target); }
  void value(const std::string& name, double& target) { bind(name, &target); }
  void value(const std::string& name, int& target) { bind(name, &target); }
  void value(const std::string& name, uint64_t& target) { bind(name, &target); }
  void list(const std::string& name, std::vector<std::string>& target);   // as words: commas separate
  void files(const std::string& name, std::vector<std::string>& target);  // as words: one path each time

  // An argument known by its place; `alias` is an option that may be used instead. Only words have places, so here it
  // does nothing.
  virtual void positional(const std::string& name, std::string& target, const std::string& help, Need need = kRequired,
                          const std::string& alias = "");

  // UsageError when no such option is tied to a variable (with the nearest one) or the value is of another type. Dashes
  // may be written as underscores.
  void set(const std::string& name, const OptionValue& value);

  bool given(const std::string& name) const;
  OptionList in_force() const;
  void leave_out(const std::string& name);  // of in_force(): it has no effect this time

  struct Tied {
    const OptionEntry* entry;
    std::string type;  // of its variable, in words: "a whole number"
  };
  std::vector<Tied> tied() const;  // every option that is tied, in that order

 protected:
  using Target = std::variant<bool*, std::string*, double*, int*, uint64_t*, std::vector<std::string>*>;
  struct Bound {
    const OptionEntry* entry;
    Target target;
    bool splits = false;          // words: commas separate items
    bool given = false;           // by set()
    std::function<bool()> typed;  // given as words: the front end knows
    bool left_out = false;
  };
  virtual void bound(Bound&) {}  // a front end that reads words hears of every option; the reference stays good

 private:
  Bound& bind(const std::string& name, Target target, bool splits = false);

  std::list<Bound> bound_;
};

}  // namespace agon
