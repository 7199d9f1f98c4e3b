// Compares the splitter of delimited text with a plain twin that takes the whole text at once, one byte at a time.
#include "agon/data/records.h"

#include <gtest/gtest.h>

#include <optional>

#include "agon/base/error.h"
#include "agon/base/rng.h"

namespace agon {
namespace {

struct PlainCell {
  std::string text;
  bool quoted = false;
  size_t offset = 0;
  friend bool operator==(const PlainCell&, const PlainCell&) = default;
};

struct PlainRecord {
  size_t line = 0;
  std::vector<PlainCell> cells;
  friend bool operator==(const PlainRecord&, const PlainRecord&) = default;
};

// The records before the first error, and its message.
struct Outcome {
  std::vector<PlainRecord> records;
  std::string problem;
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

void PrintTo(const Outcome& outcome, std::ostream* os) {
  for (const PlainRecord& record : outcome.records) {
    *os << "\n  line " << record.line << ":";
    for (const PlainCell& cell : record.cells) {
      *os << ' ' << quoted(cell.text) << (cell.quoted ? "q@" : "@") << cell.offset;
    }
  }
  *os << "\n  " << outcome.problem;
}

class PlainSplitter {
 public:
  PlainSplitter(std::string_view text, const Dialect& dialect) : text_(text), dialect_(dialect) {}

  Outcome split() {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
    while (at_ < text_.size() && out_.problem.empty()) {
      if (!skip_comment()) take_record();
    }
    return out_;
  }

 private:
  bool ends() const { return at_ == text_.size(); }
  bool at_line_end() const { return ends() || text_[at_] == '\n' || text_[at_] == '\r'; }
  bool at_blank() const { return !ends() && (text_[at_] == ' ' || text_[at_] == '\t') && text_[at_] != delimiter(); }
  bool by_blanks() const { return dialect_.delimiter == ' '; }
  char delimiter() const { return by_blanks() ? '\n' : dialect_.delimiter; }
  bool at_cell_end() const { return at_line_end() || text_[at_] == delimiter() || (by_blanks() && at_blank()); }

  void take_line_end() {
    if (ends()) return;
    at_ += text_.substr(at_, 2) == "\r\n" ? 2 : 1;
    ++line_;
  }

  bool skip_comment() {
    size_t at = at_;
    while (dialect_.indented_comments && at < text_.size() && (text_[at] == ' ' || text_[at] == '\t')) ++at;
    if (dialect_.comment.empty() || !text_.substr(at).starts_with(dialect_.comment)) return false;
    while (!at_line_end()) ++at_;
    take_line_end();
    return true;
  }

  void take_record() {
    PlainRecord record{line_, {}};
    for (;;) {
      while (at_blank()) ++at_;
      if (by_blanks() && !record.cells.empty() && at_line_end()) break;
      const std::optional<PlainCell> cell = take_cell();
      if (!cell) return;
      record.cells.push_back(*cell);
      if (at_line_end()) break;
      ++at_;
    }
    take_line_end();
    const bool nothing = record.cells.size() == 1 && record.cells[0].text.empty() && !record.cells[0].quoted;
    if (!nothing) out_.records.push_back(record);
  }

  std::optional<PlainCell> take_cell() {
    if (!ends() && dialect_.quote != 0 && text_[at_] == dialect_.quote) return take_quoted();
    PlainCell cell{"", false, at_};
    while (!at_cell_end()) cell.text += text_[at_++];
    while (!cell.text.empty() && (cell.text.back() == ' ' || cell.text.back() == '\t')) cell.text.pop_back();
    return cell;
  }

  std::optional<PlainCell> take_quoted() {
    const size_t opening_line = line_;
    PlainCell cell{"", true, ++at_};
    for (;; ++at_) {
      if (ends()) return fault(opening_line, "a quoted cell opens here and is never closed");
      if (text_[at_] == dialect_.quote && text_.substr(at_ + 1, 1) != std::string(1, dialect_.quote)) break;
      if (text_[at_] == dialect_.quote) ++at_;
      if (text_[at_] == '\n' || (text_[at_] == '\r' && text_.substr(at_ + 1, 1) != "\n")) ++line_;
      cell.text += text_[at_];
    }
    ++at_;
    while (!by_blanks() && at_blank()) ++at_;
    if (!at_cell_end()) return fault(line_, "text after the closing quote of ");
    return cell;
  }

  std::nullopt_t fault(size_t line, const std::string& problem) {
    out_.problem = "t:" + std::to_string(line) + ": " + problem;
    return std::nullopt;
  }

  std::string_view text_;
  Dialect dialect_;
  size_t at_ = 0, line_ = 1;
  Outcome out_;
};

Outcome read(std::string_view text, const Dialect& dialect, size_t buffer_bytes) {
  Outcome out;
  try {
    RecordReader reader(text_source(text), "t", dialect, buffer_bytes);
    std::vector<Cell> cells;
    while (reader.next(cells)) {
      PlainRecord& record = out.records.emplace_back();
      record.line = reader.line();
      for (const Cell& cell : cells) {
        record.cells.push_back({std::string(cell.text()), cell.quoted, reader.offset(cell)});
      }
    }
  } catch (const InputError& error) {
    out.problem = error.what();
    // The twin reports neither the quoted text nor the hint.
    out.problem.resize(out.problem.find('\n'));
    const std::string known = "closing quote of ";
    if (const size_t at = out.problem.find(known); at != std::string::npos) out.problem.resize(at + known.size());
  }
  return out;
}

TEST(Records, AreWhatThePlainTwinFinds) {
  const std::string spice = "aab1,,;\t  \"\"\"\n\n\r#\xEF\xBB\xBF'";
  Rng rng(1);
  size_t faults = 0, records = 0;
  for (int round = 0; round < 60000; ++round) {
    std::string text;
    for (size_t length = rng.below(40); text.size() < length;) {
      text.append(rng.below(12) == 0 ? 1 + rng.below(40) : 1, spice[rng.below(spice.size())]);  // some cells are long
    }
    if (rng.below(8) == 0) text.insert(0, "\xEF\xBB\xBF");
    Dialect dialect;
    dialect.delimiter = ",;\t  "[rng.below(4)];
    dialect.quote = "\"\"\"'\0"[rng.below(5)];
    dialect.comment = std::vector<std::string>{"#", "#", "", "a1"}[rng.below(4)];
    dialect.indented_comments = rng.below(2);
    const size_t buffer_bytes = 4 + rng.below(50);
    const Outcome expected = PlainSplitter(text, dialect).split();
    faults += !expected.problem.empty();
    records += expected.records.size();
    ASSERT_EQ(read(text, dialect, buffer_bytes), expected)
        << quoted(text, 100) << " by " << quoted(std::string(1, dialect.delimiter)) << ", quote " << int{dialect.quote}
        << ", comment " << dialect.comment << (dialect.indented_comments ? ", indented" : "") << ", " << buffer_bytes;
  }
  EXPECT_GT(faults, 5000u);
  EXPECT_GT(records, 60000u);
}

TEST(Records, AQuotedCellIsReadBack) {
  Rng rng(2);
  for (int round = 0; round < 5000; ++round) {
    std::string text;
    for (size_t length = rng.below(12); text.size() < length;) text += "ab,\" \t\r\n#"[rng.below(9)];
    const Outcome found = read(quoted_cell(text) + "," + quoted_cell("z"), {}, 8);
    ASSERT_EQ(found.records.size(), 1u) << quoted(text);
    ASSERT_EQ(found.records[0].cells.size(), 2u) << quoted(text);
    ASSERT_EQ(found.records[0].cells[0].text, text);
  }
}

TEST(Records, ALineOfBlanksIsBlankWhereTabsDelimit) {
  RecordReader reader(text_source("\t \t\n\"\"\t\na\t\n"), "t", {.delimiter = '\t'}, 64);
  std::vector<Cell> cells;
  ASSERT_TRUE(reader.next(cells));
  EXPECT_TRUE(is_blank(cells));
  ASSERT_TRUE(reader.next(cells));
  EXPECT_FALSE(is_blank(cells));
  ASSERT_TRUE(reader.next(cells));
  EXPECT_FALSE(is_blank(cells));
}

TEST(Records, QuotesThatDoNotMatchGetTheHintOfTheDialect) {
  Dialect dialect;
  dialect.quote_hint = "mind the quotes";
  for (const char* text : {"\"a", "\"a\"b"}) {
    RecordReader reader(text_source(text), "t", dialect, 64);
    std::vector<Cell> cells;
    try {
      reader.next(cells);
      ADD_FAILURE() << text;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("hint: mind the quotes"), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace agon
