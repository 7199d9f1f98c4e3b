// agon/run/journal.h
//
// Receives what was decided on the way to an answer: the command line writes it to stderr, Python keeps it with the
// result. The library itself prints nothing. A warning is about the data or the answer, and is always shown; a note is
// a decision; a detail is how the search went, for those who ask (--verbose).
//
//   KeptJournal log;
//   log.note("taken as categorical because the score asks for it: age");
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace agon {

class Journal {
 public:
  virtual ~Journal() = default;
  virtual void note(std::string_view text) = 0;  // one sentence, no line end
  virtual void warning(std::string_view text) = 0;
  virtual void detail(std::string_view text) = 0;
};

// Keeps everything in memory.
class KeptJournal : public Journal {
 public:
  void note(std::string_view text) override { notes.emplace_back(text); }
  void warning(std::string_view text) override { warnings.emplace_back(text); }
  void detail(std::string_view text) override { notes.emplace_back(text); }
  std::vector<std::string> notes, warnings;
};

}  // namespace agon
