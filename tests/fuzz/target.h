// tests/fuzz/target.h
//
// What every fuzz target needs. A target is one function of bytes; it must come back, whatever they are. libFuzzer
// calls it in the clang build (`make fuzz`); replay.cpp calls it with the files of a corpus in every other build.
//
//   FUZZ_TARGET(text) {
//     refusable([&] { parse_graph(text, "fuzz"); });      // a graph, or an InputError: both are fine
//     must(copy == original, "what was written reads back");
//   }
//
// Errors of the world (InputError, UsageError) are answers; everything else that is thrown, and every sanitizer report,
// is a bug.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "agon/base/error.h"

#define FUZZ_TARGET(text)                                                    \
  static void fuzz_one(std::string_view text);                               \
  extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) { \
    fuzz_one(std::string_view(reinterpret_cast<const char*>(bytes), size));  \
    return 0;                                                                \
  }                                                                          \
  static void fuzz_one(std::string_view text)

namespace agon::fuzz {

// A law that was broken ends the program, as libFuzzer and the replay expect it.
inline void must(bool holds, const char* law) {
  if (holds) return;
  std::fprintf(stderr, "broken: %s\n", law);
  std::abort();
}

// True when `job` came to its end, false when it refused its input in the way that is allowed.
template <class Job>
bool refusable(Job&& job) {
  try {
    job();
    return true;
  } catch (const InputError& error) {
    must(!std::string_view(error.what()).empty(), "a refusal says why");
  } catch (const UsageError& error) {
    must(!std::string_view(error.what()).empty(), "a refusal says why");
  }
  return false;
}

// Small numbers off the front of the input; 0 when it is used up.
class Bytes {
 public:
  explicit Bytes(std::string_view text) : text_(text) {}
  bool empty() const { return text_.empty(); }
  int take() {
    if (text_.empty()) return 0;
    const int value = static_cast<unsigned char>(text_.front());
    text_.remove_prefix(1);
    return value;
  }
  int below(int limit) { return take() % limit; }
  std::string_view rest() const { return text_; }

 private:
  std::string_view text_;
};

}  // namespace agon::fuzz
