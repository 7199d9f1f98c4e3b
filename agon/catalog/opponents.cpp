#include "agon/catalog/opponents.h"

#include <fmt/format.h>

#include "agon/base/error.h"
#include "agon/base/suggest.h"

namespace agon {
namespace {

SearchResult propose_hc(const OpponentInput& in) {
  return hill_climb(in.score, in.start, {.threads = in.threads}, in.watch);
}

SearchResult propose_tabu(const OpponentInput& in) {
  return tabu_search(in.score, in.start, {.climb = {.threads = in.threads}}, in.watch);
}

}  // namespace

const char* to_string(Maturity maturity) {
  switch (maturity) {
    case Maturity::kChecked:
      return "checked";
    case Maturity::kLight:
      return "light";
    case Maturity::kKnownProblems:
      break;
  }
  return "known problems";
}

const std::vector<OpponentEntry>& opponent_entries() {
  static const std::vector<OpponentEntry> table = {
      {"hc", "hill climbing: the best single edit until none improves", "Heckerman, Geiger & Chickering 1995",
       Maturity::kChecked, propose_hc},
      {"tabu", "tabu search: hill climbing that may go down for a while", "Glover 1989, ORSA J. Computing 1",
       Maturity::kChecked, propose_tabu},
  };
  return table;
}

const OpponentEntry& opponent_entry(const std::string& name) {
  std::vector<std::string> names;
  for (const OpponentEntry& entry : opponent_entries()) {
    if (entry.name == name) return entry;
    names.push_back(entry.name);
  }
  const std::string near = did_you_mean(name, names);
  throw UsageError(fmt::format("there is no algorithm {}", quoted(name)),
                   near.empty() ? "the algorithms are " + listed(names) : near);
}

}  // namespace agon
