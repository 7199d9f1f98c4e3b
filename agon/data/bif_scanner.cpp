#include "agon/data/bif_scanner.h"

#include <fmt/format.h>

#include "agon/base/error.h"

namespace agon {

bool is_bif_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'; }
bool is_bif_mark(char c) {
  return c == ',' || c == ';' || c == '{' || c == '}' || c == '(' || c == ')' || c == '[' || c == ']' || c == '|';
}

std::string BifToken::name() const {
  if (!is_quoted) return std::string(text);
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size() && (text[i + 1] == '"' || text[i + 1] == '\\')) ++i;
    out += text[i];
  }
  return out;
}

std::string BifToken::shown() const { return kind == kEnd ? "the end of the file" : quoted(std::string(text)); }

BifScanner::BifScanner(std::string_view text, const std::string& name) : text_(text), name_(name) {
  if (text_.substr(0, 3) == "\xEF\xBB\xBF") at_ = 3;
  advance();
}

BifToken BifScanner::take() {
  const BifToken token = next_;
  advance();
  return token;
}

BifToken BifScanner::expect(char mark, const char* where) {
  if (!next_.is(mark)) fail(next_.line, fmt::format("found {}, expected \"{}\" {}", next_.shown(), mark, where));
  return take();
}

BifToken BifScanner::expect_word(const char* what) {
  if (next_.kind != BifToken::kWord) fail(next_.line, fmt::format("found {}, expected {}", next_.shown(), what));
  return take();
}

bool BifScanner::take_if(char mark) {
  if (!next_.is(mark)) return false;
  advance();
  return true;
}

void BifScanner::skip_statement() {
  for (int depth = 0; next_.kind != BifToken::kEnd && (depth > 0 || !next_.is('}'));) {
    const BifToken token = take();
    depth += token.is('{') - token.is('}');
    if (depth == 0 && token.is(';')) return;
  }
}

void BifScanner::skip_block(const char* where) {
  const int line = expect('{', where).line;
  for (int depth = 1; depth > 0;) {
    if (next_.kind == BifToken::kEnd) fail(line, "this block is never closed: \"}\" is missing");
    const BifToken token = take();
    if (token.is_keyword("property")) skip_statement();
    depth += token.is('{') - token.is('}');
  }
}

void BifScanner::go_to(const Mark& mark) {
  at_ = mark.at;
  line_ = mark.line;
  next_ = mark.next;
}

std::string BifScanner::place(int line) const { return fmt::format("{}:{}", name_, line); }

void BifScanner::fail(int line, const std::string& problem, const std::string& hint) const {
  throw InputError(place(line), problem, hint);
}

void BifScanner::advance() {
  skip_blank();
  next_ = BifToken{};
  next_.line = line_;
  if (at_ >= text_.size()) return;
  const char c = text_[at_];
  if (is_bif_mark(c)) {
    next_.kind = BifToken::kMark;
    next_.text = text_.substr(at_++, 1);
    return;
  }
  next_.kind = BifToken::kWord;
  if (c == '"') {
    const size_t start = ++at_;
    while (at_ < text_.size() && text_[at_] != '"') {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
      line_ += text_[at_] == '\n';
      ++at_;
    }
    if (at_ >= text_.size()) fail(next_.line, "a quote opens here and is never closed");
    next_.text = text_.substr(start, at_++ - start);
    next_.is_quoted = true;
    return;
  }
  const size_t start = at_;
  while (at_ < text_.size() && !is_bif_space(text_[at_]) && !is_bif_mark(text_[at_])) ++at_;
  next_.text = text_.substr(start, at_ - start);
}

void BifScanner::skip_blank() {
  while (at_ < text_.size()) {
    if (is_bif_space(text_[at_])) {
      line_ += text_[at_++] == '\n';
    } else if (text_.substr(at_, 2) == "//") {
      while (at_ < text_.size() && text_[at_] != '\n') ++at_;
    } else if (text_.substr(at_, 2) == "/*") {
      const size_t end = text_.find("*/", at_ + 2);
      if (end == std::string_view::npos) fail(line_, "a comment opens here and is never closed");
      for (; at_ < end + 2; ++at_) line_ += text_[at_] == '\n';
    } else {
      return;
    }
  }
}

}  // namespace agon
