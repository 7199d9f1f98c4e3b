#include "agon/data/records.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "agon/base/error.h"
#include "agon/base/text.h"
#include "agon/data/number_text.h"

namespace agon {
namespace {

constexpr size_t kMostRecordBytes = size_t{64} << 20;
constexpr size_t kPadding = 16;  // bytes that are looked at together

// The first byte from p on that is `delimiter`, '\n' or '\r'. There is one, and kPadding bytes from its place may be
// read.
const char* plain_cell_end(const char* p, char delimiter) {
#ifdef __SSE2__
  const __m128i delimiters = _mm_set1_epi8(delimiter), feeds = _mm_set1_epi8('\n'), returns = _mm_set1_epi8('\r');
  for (;; p += kPadding) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    const __m128i ends = _mm_or_si128(_mm_cmpeq_epi8(bytes, feeds), _mm_cmpeq_epi8(bytes, returns));
    const int found = _mm_movemask_epi8(_mm_or_si128(ends, _mm_cmpeq_epi8(bytes, delimiters)));
    if (found != 0) return p + std::countr_zero(static_cast<unsigned>(found));
  }
#else
  while (*p != delimiter && *p != '\n' && *p != '\r') ++p;
  return p;
#endif
}

// Counts the line ends in [begin, end): '\n', "\r\n" or '\r'.
size_t count_line_ends(const char* begin, const char* end) {
  size_t count = 0;
  for (const char* p = begin; p < end; ++p) count += *p == '\n' || (*p == '\r' && (p + 1 == end || p[1] != '\n'));
  return count;
}

}  // namespace

std::string read_head(const ByteSource& source, size_t size) {
  std::string out(size, '\0');
  size_t got = 0;
  while (got < size) {
    const size_t count = source(out.data() + got, size - got);
    if (count == 0) break;
    got += count;
  }
  out.resize(got);
  return out;
}

ByteSource prepend(std::shared_ptr<const std::string> head, ByteSource rest) {
  return [head = std::move(head), rest = std::move(rest), given = size_t{0}](char* to, size_t size) mutable {
    if (head == nullptr || given == head->size()) {
      head.reset();
      return rest(to, size);
    }
    const size_t count = std::min(size, head->size() - given);
    std::memcpy(to, head->data() + given, count);
    given += count;
    return count;
  };
}

ByteSource text_source(std::string_view text) {
  return [text](char* to, size_t size) mutable {
    const size_t count = std::min(size, text.size());
    std::memcpy(to, text.data(), count);
    text.remove_prefix(count);
    return count;
  };
}

RecordReader::RecordReader(ByteSource source, std::string name, Dialect dialect, size_t buffer_bytes, size_t first_line)
    : source_(std::move(source)), name_(std::move(name)), dialect_(std::move(dialect)), line_(first_line) {
  grow(std::max<size_t>(buffer_bytes, 4));
  is_blank_[' '] = is_blank_['\t'] = true;
  if (dialect_.delimiter == ' ') {
    ends_cell_[' '] = ends_cell_['\t'] = true;
  } else {
    is_blank_[static_cast<unsigned char>(dialect_.delimiter)] = false;
    ends_cell_[static_cast<unsigned char>(dialect_.delimiter)] = true;
  }
  ends_cell_['\n'] = ends_cell_['\r'] = true;
  refill();
  if (limit_ >= 3 && std::memcmp(buffer_.get(), "\xEF\xBB\xBF", 3) == 0) position_ = 3;
}

std::string RecordReader::place(size_t extra_lines) const { return fmt::format("{}:{}", name_, line_ + extra_lines); }

void RecordReader::grow(size_t bytes) {
  auto larger = std::make_unique_for_overwrite<char[]>(bytes + kPadding);
  if (limit_ > 0) std::memcpy(larger.get(), buffer_.get(), limit_);
  buffer_ = std::move(larger);
  capacity_ = bytes;
}

// Moves the unread bytes to the front and fills the rest. If one record fills the whole buffer, the buffer grows.
void RecordReader::refill() {
  const size_t unread = limit_ - position_;
  if (position_ > 0) {
    std::memmove(buffer_.get(), buffer_.get() + position_, unread);
  } else if (unread == capacity_) {
    if (unread >= kMostRecordBytes) {
      throw InputError(place(0), fmt::format("no end of line within {} MB", kMostRecordBytes >> 20),
                       "is this a table with one row per line, and is every quote closed?");
    }
    grow(2 * unread);
  }
  position_ = 0;
  limit_ = unread;
  while (limit_ < capacity_) {
    const size_t count = source_(buffer_.get() + limit_, capacity_ - limit_);
    if (count == 0) {
      at_end_ = true;
      break;
    }
    if (const void* nul = std::memchr(buffer_.get() + limit_, 0, count)) {
      const size_t where = bytes_read_ + (static_cast<const char*>(nul) - (buffer_.get() + limit_));
      throw InputError(name_, fmt::format("not a text file: byte {} is zero", where + 1),
                       "a table is expected as text, one row per line (CSV or TSV)");
    }
    limit_ += count;
    bytes_read_ += count;
  }
  std::memset(buffer_.get() + limit_, 0, kPadding);
}

bool RecordReader::next(std::vector<Cell>& cells) {
  for (;;) {
    switch (parse(cells)) {
      case Outcome::kRecord:
        return true;
      case Outcome::kNothing:
        if (at_end_ && position_ == limit_) return false;
        break;
      case Outcome::kNeedMore:
        refill();
        break;
    }
  }
}

// Skips the rest of a comment without keeping it, so that its length does not matter.
bool RecordReader::skip_comment() {
  if (!in_comment_) {
    const std::string& mark = dialect_.comment;
    size_t at = position_;
    if (dialect_.indented_comments) {
      while (at < limit_ && (buffer_[at] == ' ' || buffer_[at] == '\t')) ++at;
    }
    // A mark that is cut off by the end of the buffer is seen next time: the parser does not find a line end before the
    // end of the buffer either.
    if (mark.empty() || limit_ - at < mark.size()) return false;
    if (std::memcmp(buffer_.get() + at, mark.data(), mark.size()) != 0) return false;
    in_comment_ = true;
  }
  while (position_ < limit_ && buffer_[position_] != '\n' && buffer_[position_] != '\r') ++position_;
  if (position_ < limit_) {
    in_comment_ = false;
    after_cr_ = buffer_[position_++] == '\r';
    ++line_;
  }
  return true;
}

RecordReader::Outcome RecordReader::parse(std::vector<Cell>& cells) {
  cells.clear();
  if (position_ < limit_ && after_cr_) {
    position_ += buffer_[position_] == '\n';
    after_cr_ = false;
  }
  if (!at_end_ && limit_ - position_ < std::max<size_t>(1, dialect_.comment.size())) return Outcome::kNeedMore;
  if (skip_comment()) return position_ == limit_ && !at_end_ ? Outcome::kNeedMore : Outcome::kNothing;

  // A line end after the last byte stops every scan. p == end tells it from a real one.
  char* const base = buffer_.get();
  base[limit_] = '\n';
  const char* const end = base + limit_;
  const bool* const blank = is_blank_.data();
  const bool* const stop = ends_cell_.data();
  const auto byte = [](const char* p) { return static_cast<unsigned char>(*p); };
  const bool by_blanks = dialect_.delimiter == ' ';
  const char quote = dialect_.quote;  // 0 if there is none, which no byte equals
  const char* p = base + position_;
  size_t extra_lines = 0;
  for (;; ++p) {
    while (blank[byte(p)]) ++p;
    if (by_blanks && !cells.empty() && (*p == '\n' || *p == '\r')) {  // blanks before a line end delimit nothing
      if (p == end && !at_end_) return Outcome::kNeedMore;
      break;
    }
    Cell& cell = cells.emplace_back();  // filled in place: copying a cell just written would stall the processor
    cell.data = p;
    if (*p == quote) {
      size_t at = p - base;
      if (!parse_quoted(at, cell, extra_lines)) return Outcome::kNeedMore;
      p = base + at;
    } else {
      if (by_blanks) {
        while (!stop[byte(p)]) ++p;
      } else {
        p = plain_cell_end(p, dialect_.delimiter);
      }
      const char* last = p;
      while (last > cell.data && blank[byte(last - 1)]) --last;
      cell.size = static_cast<uint32_t>(last - cell.data);
    }
    if (p == end && !at_end_) return Outcome::kNeedMore;
    if (*p == '\n' || *p == '\r') break;
  }

  size_t at = p - base;
  cut_short_ = at == limit_;
  if (at < limit_) after_cr_ = base[at++] == '\r';
  position_ = at;
  record_line_ = line_;
  line_ += extra_lines + 1;
  if (cells.size() == 1 && cells[0].size == 0 && !cells[0].quoted) return Outcome::kNothing;
  for (Cell& cell : cells) {
    if (!cell.has_doubled_quotes) continue;
    char* const begin = buffer_.get() + (cell.data - base);
    char* out = begin;
    for (const char* in = begin; in < begin + cell.size; ++in) {
      *out++ = *in;
      if (*in == dialect_.quote) ++in;
    }
    cell.size = static_cast<uint32_t>(out - begin);
  }
  return Outcome::kRecord;
}

// On entry `at` is on the opening quote; on return, on the byte that ends the cell.
bool RecordReader::parse_quoted(size_t& at, Cell& cell, size_t& extra_lines) {
  const char* const base = buffer_.get();
  const size_t open = at;
  size_t close = open + 1;
  cell.quoted = true;
  cell.data = base + open + 1;
  for (;; close += 2) {
    const void* found = std::memchr(base + close, dialect_.quote, limit_ - close);
    if (found == nullptr) {
      const bool may_come = !at_end_ && limit_ - position_ < kMostRecordBytes;
      if (may_come) return false;
      throw InputError(place(extra_lines), "a quoted cell opens here and is never closed", dialect_.quote_hint);
    }
    close = static_cast<const char*>(found) - base;
    if (close + 1 == limit_ && !at_end_) return false;
    if (close + 1 == limit_ || base[close + 1] != dialect_.quote) break;
    cell.has_doubled_quotes = true;
  }
  cell.size = static_cast<uint32_t>(close - open - 1);
  at = close + 1;
  if (dialect_.delimiter != ' ') {
    while (at < limit_ && is_blank_[static_cast<unsigned char>(base[at])]) ++at;
  }
  if (at == limit_) return at_end_;
  const size_t lines_inside = count_line_ends(cell.data, cell.data + cell.size);
  if (!ends_cell_[static_cast<unsigned char>(base[at])]) {
    throw InputError(place(extra_lines + lines_inside),
                     fmt::format("text after the closing quote of {}", quoted(std::string(cell.text()))),
                     dialect_.quote_hint);
  }
  extra_lines += lines_inside;
  return true;
}

bool is_blank(const std::vector<Cell>& cells) {
  return std::all_of(cells.begin(), cells.end(), [](const Cell& cell) { return cell.size == 0 && !cell.quoted; });
}

std::string quoted_cell(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) out.append(c == '"' ? 2 : 1, c);
  return out + '"';
}

namespace {

// What detect_delimiter() looks at: the records of the sample, cut by one delimiter.
struct Cut {
  std::vector<size_t> sizes;  // cells of each record
  bool quoted_comma = false;  // some quoted cell has a comma
  size_t decimal_commas = 0;  // cells that are a number with a decimal comma
  size_t other_commas = 0;    // other cells without quotes that have a comma
};

Cut cut_sample(std::string_view sample, bool whole, Dialect dialect, char delimiter) {
  constexpr size_t kMostRecords = 100;
  constexpr size_t kSampleBuffer = size_t{16} << 10;
  dialect.delimiter = delimiter;
  Cut cut;
  try {
    // A small buffer, because a hundred records are mostly a small part of the sample.
    RecordReader reader(text_source(sample), "", dialect, std::min(sample.size() + 1, kSampleBuffer));
    std::vector<Cell> cells;
    double number = 0;
    while (cut.sizes.size() <= kMostRecords && reader.next(cells)) {
      if (reader.cut_short() && !whole && !cut.sizes.empty()) break;  // the record continues after the sample
      cut.sizes.push_back(cells.size());
      for (const Cell& cell : cells) {
        if (cell.text().find(',') == std::string_view::npos) continue;
        cut.quoted_comma |= cell.quoted;
        const bool decimal = parse_number(cell.text(), number, ',') && is_digit(cell.text().back());
        cut.decimal_commas += decimal;
        cut.other_commas += !decimal && !cell.quoted;
      }
    }
  } catch (const InputError&) {
    // An open quote at the end of the sample hides none of the records before it.
  }
  return cut;
}

}  // namespace

char detect_delimiter(std::string_view sample, bool whole, const Dialect& dialect, char decimal) {
  constexpr std::string_view kDelimiters = ",\t;| ";  // in order of preference
  struct Fit {
    int evenness = 0;     // 2: all records have as many cells; 1: all but a header with one fewer; 0: they differ
    double agreeing = 0;  // share of records with as many cells as the first
    size_t cells = 1;
  };
  Fit best;
  const char otherwise = decimal == ',' ? ';' : ',';
  char winner = otherwise;
  for (char delimiter : kDelimiters) {
    const Cut cut = cut_sample(sample, whole, dialect, delimiter);
    const std::vector<size_t>& sizes = cut.sizes;
    if (sizes.empty()) continue;
    if (delimiter == ',' && decimal == ',' && !cut.quoted_comma &&
        cut_sample(sample, whole, dialect, ';').other_commas == 0) {
      continue;
    }
    Fit fit;
    // R's write.table writes one name fewer than columns. With spaces as delimiters, any one-word header over two-word
    // cells would look like that too, so then there must be more than one name.
    const bool one_fewer = sizes.size() > 1 && sizes[1] == sizes[0] + 1 && (delimiter != ' ' || sizes[0] > 1);
    fit.cells = one_fewer ? sizes[1] : sizes[0];
    size_t agreeing = one_fewer ? 1 : 0;
    for (size_t size : sizes) agreeing += size == fit.cells;
    fit.agreeing = static_cast<double>(agreeing) / static_cast<double>(sizes.size());
    if (agreeing == sizes.size()) fit.evenness = one_fewer ? 1 : 2;
    if (fit.cells < 2) continue;
    if (delimiter == ' ' && best.cells > 1 && best.agreeing > 0.5) continue;
    if (delimiter != ',' && winner == ',' && fit.evenness == 2 && cut.decimal_commas > 0 && cut.other_commas == 0) {
      best = {};  // 1,5;2,5 in every line, the first among them
    }
    const bool better = fit.evenness != best.evenness ? fit.evenness > best.evenness
                        : fit.evenness > 0            ? fit.cells > best.cells
                                                      : fit.agreeing * fit.cells > best.agreeing * best.cells;
    if (better) {
      best = fit;
      winner = delimiter;
    }
  }
  // If splitting at spaces leaves many records uneven, the spaces are between words.
  if (winner == ' ' && best.evenness == 0 && best.agreeing < 0.9) return otherwise;
  return winner;
}

}  // namespace agon
