#include "web/engine/library.h"

#include <fast_float/fast_float.h>
#include <link.h>

#include <cmath>

namespace {

bool spells_infinity(const char* text) {
  if (*text == '-') ++text;
  return *text == 'i' || *text == 'I';
}

// Whether a digit other than 0 stands before the exponent.
bool spells_nonzero(const char* text, const char* end) {
  return std::any_of(text, std::find_if(text, end, [](char c) { return c == 'e' || c == 'E'; }),
                     [](char c) { return c >= '1' && c <= '9'; });
}

// fast_float gives zero or infinity where the standard asks for an error.
template <class Number>
std::from_chars_result read(const char* first, const char* last, Number& value) {
  Number found = 0;
  const auto [end, error] = fast_float::from_chars(first, last, found);
  if (error != std::errc()) return {end, error};
  const bool too_large = std::isinf(found) && !spells_infinity(first);
  const bool too_small = found == 0 && spells_nonzero(first, end);
  if (too_large || too_small) return {end, std::errc::result_out_of_range};
  value = found;
  return {end, std::errc()};
}

}  // namespace

namespace std {
from_chars_result from_chars(const char* first, const char* last, double& value) { return read(first, last, value); }
from_chars_result from_chars(const char* first, const char* last, float& value) { return read(first, last, value); }
}  // namespace std

// A module of WebAssembly has no notes to look into, hence no build id (agon/base/build_id.h).
extern "C" int dl_iterate_phdr(int (*)(dl_phdr_info*, size_t, void*), void*) { return 0; }
