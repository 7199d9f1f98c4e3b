// agon/data/records.h
//
// Delimited text cut into records and cells, in one pass over a buffer: the one splitter of tables, graphs, knowledge,
// DREAM4 and the embedded data sets. Knows nothing of columns or kinds.
//
//   RecordReader reader(text_source(text), "asia.csv", {.delimiter = ','}, 1 << 20);
//   std::vector<Cell> cells;
//   while (reader.next(cells)) ...           // cells[0], cells[1], ..; reader.line() is where they stand
//
// Cells point into the reader's buffer and live until the next call; 8 bytes from the start of each may be read even
// when the cell is shorter. Comment lines, blank lines, a BOM and the kind of line end (\n, \r\n, \r) are dealt with
// here; blanks around a cell are not part of it, unless they are in quotes. Refused with InputError: NUL bytes, a
// quote that is never closed, text after a closing quote, a record past 64 MB.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace agon {

// Fills at most `size` bytes at `to` and says how many; 0 is the end.
using ByteSource = std::function<size_t(char* to, size_t size)>;

// The source whose first bytes are `head`, taken from it before.
ByteSource prepend(std::shared_ptr<const std::string> head, ByteSource rest);
ByteSource text_source(std::string_view text);
// The next bytes of a source, as many as there are up to `size`.
std::string read_head(const ByteSource& source, size_t size);

struct Dialect {
  char delimiter = ',';                                            // ' ' stands for any run of spaces and tabs
  char quote = '"';                                                // 0: none
  std::string comment = "#";                                       // at the start of a line; "": there are no comments
  bool indented_comments = false;                                  // there may be blanks before the mark
  std::string quote_hint = "double a quote inside a quoted cell";  // for a cell whose quotes do not match
};

struct Cell {
  const char* data = nullptr;
  uint32_t size = 0;
  bool quoted = false;
  bool has_doubled_quotes = false;  // before next() returns these become single

  std::string_view text() const { return {data, size}; }
};

class RecordReader {
 public:
  RecordReader(ByteSource source, std::string name, Dialect dialect, size_t buffer_bytes, size_t first_line = 1);

  bool next(std::vector<Cell>& cells);          // false at the end
  size_t line() const { return record_line_; }  // physical line, from `first_line`, on which the last record began
  // Bytes before the cell of the last record, the quote that opens it among them.
  size_t offset(const Cell& cell) const {
    return bytes_read_ - limit_ + static_cast<size_t>(cell.data - buffer_.get());
  }
  size_t bytes() const { return bytes_read_; }  // taken from the source so far
  size_t bytes_parsed() const { return bytes_read_ - (limit_ - position_); }
  bool cut_short() const { return cut_short_; }  // the last record ended with the file, without a line end

 private:
  enum class Outcome { kRecord, kNothing, kNeedMore };  // kNothing: a blank or comment line
  Outcome parse(std::vector<Cell>& cells);
  bool parse_quoted(size_t& at, Cell& cell, size_t& extra_lines);  // false: needs more bytes
  bool skip_comment();                                             // true if the line was one
  void grow(size_t bytes);
  void refill();
  std::string place(size_t extra_lines) const;

  ByteSource source_;
  std::string name_;
  Dialect dialect_;
  std::array<bool, 256> is_blank_{};  // skipped around cells
  std::array<bool, 256> ends_cell_{};
  std::unique_ptr<char[]> buffer_;   // not filled beforehand: of a small file most of it is never touched
  size_t capacity_ = 0;              // less than its size by what may be read after the end
  size_t position_ = 0, limit_ = 0;  // unread bytes of the buffer
  size_t bytes_read_ = 0;
  size_t line_ = 1;  // line at position_
  size_t record_line_ = 0;
  bool at_end_ = false;    // the source is exhausted
  bool after_cr_ = false;  // a '\n' that comes now belongs to the line end before it
  bool in_comment_ = false;
  bool cut_short_ = false;
};

// Whether the record has no text at all. Where tabs delimit, that is how a line of nothing but blanks looks.
bool is_blank(const std::vector<Cell>& cells);

// The text as a cell in double quotes, those inside doubled.
std::string quoted_cell(std::string_view text);

// The delimiter that cuts the sample (the first bytes of a file; `whole` if that is all of it) into the most columns
// with the same number of cells in every record; ',' when none does. Space is the last resort. Commas that are decimal
// marks between other delimiters do not count; where `decimal` says that all of them are, and they can be, the comma is
// no delimiter.
char detect_delimiter(std::string_view sample, bool whole, const Dialect& dialect, char decimal = 0);

}  // namespace agon
