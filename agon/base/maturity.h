// agon/base/maturity.h
//
// How well an entry of a table of algorithms is tested, for those who choose one.
#pragma once

namespace agon {

// Against known values or another implementation; a little; not as it should be.
enum class Maturity { kChecked, kLight, kKnownProblems };

constexpr const char* to_string(Maturity maturity) {  // "checked", "light", "known problems"
  return maturity == Maturity::kChecked ? "checked" : maturity == Maturity::kLight ? "light" : "known problems";
}

}  // namespace agon
