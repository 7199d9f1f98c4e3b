// agon/report/table.h
//
// Columns of text that line up, and what a terminal allows.
//
//   Table t({"edge", ">lost"});                 // '>' asks for flush right
//   t.row({"asia -> tub", {"12.31", Tone::kStrong}});
//   t.text({}, "  ");                           // lines, each ended; no trailing blanks
//
// A TextStyle says how wide lines may be and whether colours may be used. The default is plain text, the same
// everywhere. A terminal gets lines of its own width: columns marked '~' are continued on the next line, other columns
// of words are shortened in the middle (a…z), and columns that are flush right are never cut, though their headings may
// be broken into lines. Sentences mention options as they are typed; `spelling` respells them for other readers, before
// lines are broken.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "agon/base/text.h"

namespace agon {

struct TextStyle {
  int width = 0;  // of a line, in letters; 0: unlimited
  bool colour = false;
  std::string (*spelling)(std::string_view) = nullptr;  // of the options in a text; null: as they are typed
};

enum class Tone { kPlain, kStrong, kFaint, kGood, kDoubtful };

// The text in the colour of its tone, or as it is when the style has none.
std::string painted(std::string_view text, Tone tone, const TextStyle& style);

struct TableCell {
  std::string text;
  Tone tone = Tone::kPlain;
  TableCell(std::string text_, Tone tone_ = Tone::kPlain) : text(std::move(text_)), tone(tone_) {}  // NOLINT: implicit
  TableCell(const char* text_, Tone tone_ = Tone::kPlain) : text(text_), tone(tone_) {}             // NOLINT: implicit
};

class Table {
 public:
  explicit Table(const std::vector<std::string>& headings);  // if all are empty, there is no heading line
  void row(std::vector<TableCell> cells);
  std::string text(const TextStyle& style = {}, std::string_view indent = "") const;

 private:
  enum class Kind { kWords, kRight, kWrapped };
  Table respelled(std::string (*spelling)(std::string_view)) const;
  std::vector<size_t> widths(const TextStyle& style, size_t indent) const;

  std::vector<Kind> kinds_;
  std::vector<std::vector<TableCell>> rows_;  // the headings first
};

// The text in lines of the style's width, each after `indent`; lines after the first are indented by `hanging` more.
std::string wrapped(const std::string& text, const TextStyle& style, std::string_view indent = "", size_t hanging = 0);

// At most `most` letters: the middle of a longer text becomes "…".
std::string shortened(const std::string& text, size_t most);

// A duration to three digits in a suitable unit: "740 us", "3.1 ms", "2.06 s", "3 min 20 s".
std::string duration_text(double seconds);

}  // namespace agon
