// agon/data/bif_scanner.h
//
// Splits BIF text into words and marks; bif.cpp knows what they mean.
//
//   BifScanner scan(text, "alarm.bif");
//   BifToken word = scan.expect_word("the name of a variable");   // or InputError with alarm.bif:LINE
//
// White space and comments are skipped. The text must outlive the scanner and its tokens.
#pragma once

#include <string>
#include <string_view>

namespace agon {

bool is_bif_space(char c);
bool is_bif_mark(char c);  // , ; { } ( ) [ ] |

// A word (name, number, keyword), a mark (one character), or the end of the text.
struct BifToken {
  enum Kind { kWord, kMark, kEnd } kind = kEnd;
  std::string_view text;  // of a quoted word: what is between the quotes, escapes included
  bool is_quoted = false;
  int line = 1;

  bool is(char mark) const { return kind == kMark && text.front() == mark; }
  bool is_keyword(std::string_view word) const { return kind == kWord && !is_quoted && text == word; }
  std::string name() const;   // escapes resolved
  std::string shown() const;  // for messages
};

class BifScanner {
 public:
  BifScanner(std::string_view text, const std::string& name);

  const BifToken& peek() const { return next_; }
  BifToken take();
  BifToken expect(char mark, const char* where);
  BifToken expect_word(const char* what);
  bool take_if(char mark);

  // Past the next ';' outside quotes and braces, or up to the '}' that ends the block: a property may hold anything.
  void skip_statement();
  // Past the '}' that closes a block whose '{' is next.
  void skip_block(const char* where);

  // The place to come back to: the token that is next.
  struct Mark {
    size_t at;
    int line;
    BifToken next;
  };
  Mark mark() const { return {at_, line_, next_}; }
  void go_to(const Mark& mark);

  std::string place(int line) const;
  [[noreturn]] void fail(int line, const std::string& problem, const std::string& hint = "") const;

 private:
  void advance();
  void skip_blank();

  std::string_view text_;
  const std::string& name_;
  size_t at_ = 0;
  int line_ = 1;
  BifToken next_;
};

}  // namespace agon
