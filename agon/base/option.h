// agon/base/option.h
//
// An option, declared once beside the variable it sets. The command line, --help, docs/options.md, the arguments of
// Python, the checks and the record of a run are all made from this one declaration.
//
//   double penalty = 1;
//   const Option option{.name = "penalty", .value = "C", .help = "factor on the penalty", .range = at_least(0)};
//   const OptionField field(penalty);
//   help_text(option, field);         // "factor on the penalty (0 or more; default 1)"
//   set_field(field, option, 2.0);    // penalty is 2
//   set_field(field, option, -1.0);   // UsageError: --penalty must be 0 or more
//
// The default is the value that the variable has when the option is declared, so it cannot go stale. Where that value
// only stands for "not given", `otherwise` says in words what happens then.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "agon/base/option_value.h"

namespace agon {

// The numbers an option takes. Infinities and NaN are in no range.
class Range {
 public:
  Range() = default;  // says nothing: for texts and flags
  Range at_most(double x) const;
  Range less_than(double x) const;

  bool stated() const { return stated_; }
  bool holds(double x) const;
  std::string text() const;  // "0 or more", "more than 0 and at most 1"; "" when nothing is stated

 private:
  friend Range at_least(double x);
  friend Range more_than(double x);
  double least_ = 0, most_ = 0;
  bool stated_ = false, without_least_ = false, has_most_ = false, without_most_ = false;
};
Range at_least(double x);
Range more_than(double x);

enum class OptionGroup { kData, kSearch, kChallenger, kTraining, kResources, kOutput };
const char* to_string(OptionGroup group);  // the heading in --help

struct Option {
  std::string name;        // long spelling without dashes; the key in the record
  std::string value = {};  // what stands for the value in --help; empty: a flag
  OptionGroup group = OptionGroup::kSearch;
  std::string help = {};                  // what it does; range, choices and default are added
  Range range = {};                       // of every number: there is none without a range
  std::vector<std::string> choices = {};  // of a text; none: any text. Of a number: words that may replace it
  std::string otherwise = {};             // the default in words, where the variable's value only means "not given"
  std::vector<std::string> aliases = {};  // other spellings: one letter is a short option
  bool bare = false;                      // of a text: may be typed without a value, which is then ""
  bool common = false;                    // one of those that --help shows of a command with many
  bool splits = true;                     // of a list: commas separate its items when typed
  bool acts = true;                       // false: has no effect, given the options before it
  bool decides = false;                   // whether others act depends on it, so messages about them mention it
};

enum class OptionType { kFlag, kWhole, kNatural, kNumber, kText, kTexts };
const char* to_string(OptionType type);  // "true or false", "a whole number", ...

// The variable an option sets. It must outlive the field.
class OptionField {
 public:
  // Implicit, so that a variable can be passed where a field is expected.
  OptionField(bool& target);                      // NOLINT
  OptionField(int& target);                       // NOLINT
  OptionField(int64_t& target);                   // NOLINT
  OptionField(uint64_t& target);                  // NOLINT
  OptionField(double& target);                    // NOLINT
  OptionField(std::string& target);               // NOLINT
  OptionField(std::vector<std::string>& target);  // NOLINT
  OptionField(std::vector<int>& target);          // NOLINT: in the record a list of texts

  using Read = std::function<OptionValue()>;
  using Take = std::function<bool(const OptionValue&)>;  // false: a value of another type
  OptionField(OptionType type_, Read read_, Take take_) : type(type_), read(std::move(read_)), take(std::move(take_)) {}

  static OptionField off(bool& target);  // a flag that switches off what is on
  // A number, or a word that stands for what `word_given` switches on; the number is then `otherwise`.
  static OptionField number_or(const char* word, bool& word_given, double& number, double otherwise);
  static OptionField limits(int& low, int& high);  // LOW,HIGH
  static OptionField limits(double& low, double& high);

  OptionType type;
  Read read;
  Take take;
};

// How a program describes its options: it calls this for every one, in the order in which they are set. The fields can
// be set at once, so that `acts` of a later option may look at an earlier field.
//
//   void describe(MyOptions& o, const Describe& option) {
//     option(o.width, {.name = "width", .value = "N", .help = "width of the beam", .range = at_least(1)});
//   }
using Describe = std::function<void(const OptionField&, const Option&)>;

// UsageError when the value is outside the range or not among the choices.
void check_value(const Option& option, const OptionValue& value);
// Checks and sets; UsageError also when the value is of another type.
void set_field(const OptionField& field, const Option& option, const OptionValue& value);
// Every value outside its range among the options described: "--longest must be 1 or more; ..."; "" when there is none.
std::string out_of_range(const std::function<void(const Describe&)>& describe);

std::string help_text(const Option& option, const OptionField& field);
std::string default_text(const Option& option, const OptionField& field);        // "default 1", "default: none" or ""
std::string in_brackets(const Option& option, const std::string& default_text);  // " (0 or more; default 1)"
std::string value_text(const OptionValue& value);                                // "0.5", "a,b"

// What was typed, as a value of this type; UsageError when it is none.
OptionValue parse_value(const Option& option, OptionType type, const std::string& typed);

}  // namespace agon
