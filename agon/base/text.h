// agon/base/text.h
//
// Strings: UTF-8, numbers and nouns, and how a text is written where a person, a shell, XML, HTML or a parser will read
// it. Nothing here depends on the locale, and every function takes any bytes unless it says otherwise.
//
//   std::string line = "read " + counted(1234, "row") + " of " + quoted("asia\t");  // read 1,234 rows of "asia\t"
//   std::string hint = "pass --na " + shell_word("not seen");                       // pass --na 'not seen'
//
// UTF-8 is RFC 3629: no overlong forms, no surrogates, nothing past U+10FFFF. A letter is a code point.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace agon {

// UTF-8.

bool is_utf8(std::string_view text);
// Bytes of the letter at text[at], which goes to `code`; 0 when no valid letter starts there.
size_t utf8_at(std::string_view text, size_t at, uint32_t& code);
void append_utf8(std::string& out, uint32_t code);
// Every byte that is not part of a valid letter becomes '_'.
std::string replace_broken_utf8(const std::string& text);
// Whether the byte is not the first of its letter.
inline bool continues_letter(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }
// Letters of valid UTF-8: its width in a terminal, wide and combining letters apart.
size_t letter_count(std::string_view text);

// ASCII. Other letters are left as they are.

inline bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'; }
inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
std::string_view trimmed(std::string_view text);  // without spaces at both ends
std::string lower(std::string_view text);

// Numbers and nouns.

std::string with_commas(long long number);                       // 1234567 as "1,234,567"
std::string counted(long long number, const std::string& noun);  // "1 row", "1,234 rows"

std::string joined(std::span<const std::string> texts, std::string_view separator);  // "a, b, c"

// For people. What a terminal obeys instead of showing (control characters, marks that turn the direction of the text)
// and what is not UTF-8 is written as \n, \t, \r or \xNN, so a name from a file cannot forge what the program says.

// In double quotes, cut after `limit` letters with "...": what a message may quote from a file. Quotes inside stay as
// they are.
std::string quoted(const std::string& text, size_t limit = 40);
// Of a string that may change, too: beside <filesystem> or <iomanip>, such a call would find std::quoted instead.
inline std::string quoted(std::string& text) { return quoted(std::as_const(text)); }
// A name as it may be shown in a terminal: as it is when it is safe, else quoted in full.
std::string shown(const std::string& name);
// A whole message: only its line ends stay as they are.
std::string printable(std::string_view text);

// For programs. Each gives a text from which the program reads back `text`.

// One word for a POSIX shell: in single quotes unless it is made of letters, digits and -_=+,./:@% alone.
std::string shell_word(const std::string& word);
// In double quotes, with a backslash before each double quote and backslash.
std::string backslash_quoted(std::string_view text);
// For text and attribute values of HTML: & < > " '.
std::string html_escaped(std::string_view text);
// The same for XML: & < > ", and tabs and line ends, which XML would turn into spaces in an attribute. Control
// characters have no place in XML, not even escaped; the caller replaces them first.
std::string xml_escaped(std::string_view text);
// The way back from both: decodes &amp; &lt; &gt; &quot; &apos; &#38; &#x26;. An unknown entity stays as it is; it
// sets `ok` to false unless the reader is `tolerant`.
std::string decode_entities(std::string_view text, bool tolerant, bool& ok);

}  // namespace agon
