// Tests of text.h: what is written can be read back, and UTF-8 is what RFC 3629 says.
#include "agon/base/text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <limits>
#include <vector>

#include "agon/base/rng.h"

namespace agon {
namespace {

// A text of bytes that some reader treats specially, and a few others.
std::string spiced(Rng& rng, std::string_view spice, size_t most) {
  std::string text;
  for (size_t length = rng.below(most + 1); text.size() < length;) {
    text += rng.below(2) ? spice[rng.below(spice.size())] : static_cast<char>(1 + rng.below(255));
  }
  return text;
}

// The same out of whole letters.
std::string spiced_letters(Rng& rng, std::string_view spice, size_t most) {
  std::string text;
  for (size_t letters = rng.below(most + 1); letters > 0; --letters) {
    if (rng.below(2)) {
      text += spice[rng.below(spice.size())];
    } else {
      const uint32_t code = 1 + static_cast<uint32_t>(rng.below(0xD7FF));
      append_utf8(text, code);
    }
  }
  return text;
}

// The grammar of RFC 3629, section 4, letter by letter: the plain twin of utf8_at.
size_t letter_by_grammar(std::string_view text) {
  struct Form {
    std::vector<std::pair<int, int>> bytes;  // from, to
  };
  static const std::vector<Form> forms = {
      {{{0x00, 0x7F}}},
      {{{0xC2, 0xDF}, {0x80, 0xBF}}},
      {{{0xE0, 0xE0}, {0xA0, 0xBF}, {0x80, 0xBF}}},
      {{{0xE1, 0xEC}, {0x80, 0xBF}, {0x80, 0xBF}}},
      {{{0xED, 0xED}, {0x80, 0x9F}, {0x80, 0xBF}}},
      {{{0xEE, 0xEF}, {0x80, 0xBF}, {0x80, 0xBF}}},
      {{{0xF0, 0xF0}, {0x90, 0xBF}, {0x80, 0xBF}, {0x80, 0xBF}}},
      {{{0xF1, 0xF3}, {0x80, 0xBF}, {0x80, 0xBF}, {0x80, 0xBF}}},
      {{{0xF4, 0xF4}, {0x80, 0x8F}, {0x80, 0xBF}, {0x80, 0xBF}}},
  };
  for (const Form& form : forms) {
    bool fits = form.bytes.size() <= text.size();
    for (size_t k = 0; fits && k < form.bytes.size(); ++k) {
      const int byte = static_cast<unsigned char>(text[k]);
      fits = byte >= form.bytes[k].first && byte <= form.bytes[k].second;
    }
    if (fits) return form.bytes.size();
  }
  return 0;
}

bool is_utf8_by_grammar(std::string_view text) {
  while (!text.empty()) {
    const size_t length = letter_by_grammar(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

TEST(Utf8, IsWhatTheGrammarSays) {
  // All texts of four bytes out of those at which a rule of the grammar begins or ends.
  const std::string edges =
      "a\x7F\x80\x8F\x90\x9F\xA0\xBF\xC0\xC1\xC2\xDF\xE0\xE1\xEC\xED\xEE\xEF\xF0\xF1\xF3\xF4\xF5\xFF";
  std::string text(4, 'a');
  uint32_t code = 0;
  int valid = 0;
  for (char a : edges) {
    for (char b : edges) {
      for (char c : edges) {
        for (char d : edges) {
          text = {a, b, c, d};
          const bool expected = is_utf8_by_grammar(text);
          valid += expected;
          ASSERT_EQ(is_utf8(text), expected) << quoted(text);
          ASSERT_EQ(utf8_at(text, 0, code), letter_by_grammar(text)) << quoted(text);
          ASSERT_TRUE(is_utf8(replace_broken_utf8(text))) << quoted(text);
          ASSERT_EQ(replace_broken_utf8(text) == text, expected) << quoted(text);
        }
      }
    }
  }
  EXPECT_GT(valid, 100);
}

TEST(Utf8, LongTextsAreCheckedToTheirLastByte) {
  Rng rng(1);
  for (int round = 0; round < 20000; ++round) {
    std::string text = spiced_letters(rng, "abc", 30);
    if (!text.empty() && rng.below(2)) text[rng.below(text.size())] = static_cast<char>(rng.below(256));
    ASSERT_EQ(is_utf8(text), is_utf8_by_grammar(text)) << quoted(text, 100);
  }
}

TEST(Utf8, EveryLetterIsReadAsItWasWritten) {
  for (uint32_t code = 0; code <= 0x10FFFF; ++code) {
    if (code >= 0xD800 && code < 0xE000) continue;
    std::string text = "x";
    append_utf8(text, code);
    uint32_t found = 0;
    ASSERT_EQ(utf8_at(text, 1, found), text.size() - 1) << code;
    ASSERT_EQ(found, code);
    ASSERT_EQ(letter_count(text), 2u) << code;
  }
}

TEST(Text, TrimsAndLowersAsciiAlone) {
  EXPECT_EQ(trimmed(" \t\r\n\f\va b\n "), "a b");
  EXPECT_EQ(trimmed(" \n"), "");
  EXPECT_EQ(lower("AZaz09\xC3\x84"), "azaz09\xC3\x84");
}

TEST(Text, CommasStandBeforeEveryThirdDigit) {
  EXPECT_EQ(with_commas(0), "0");
  EXPECT_EQ(with_commas(-123), "-123");
  EXPECT_EQ(with_commas(-1234567), "-1,234,567");
  EXPECT_EQ(with_commas(std::numeric_limits<long long>::min()), "-9,223,372,036,854,775,808");
  Rng rng(2);
  for (int round = 0; round < 2000; ++round) {
    const auto number = static_cast<long long>(rng.next() >> rng.below(64));
    std::string text = with_commas(number);
    for (size_t k = 0; k < text.size(); ++k) {
      const size_t after = text.size() - k;  // the commas among them count too
      ASSERT_EQ(text[k] == ',', k > (number < 0) && after % 4 == 0) << text;
    }
    text.erase(std::remove(text.begin(), text.end(), ','), text.end());
    ASSERT_EQ(text, std::to_string(number));
  }
  EXPECT_EQ(counted(1, "row"), "1 row");
  EXPECT_EQ(counted(0, "row"), "0 rows");
  EXPECT_EQ(counted(1234, "row"), "1,234 rows");
}

TEST(Text, JoinsWithASeparatorBetween) {
  EXPECT_EQ(joined(std::vector<std::string>{"a", "", "b"}, ", "), "a, , b");
  EXPECT_EQ(joined(std::vector<std::string>{"a"}, ", "), "a");
  EXPECT_EQ(joined({}, ", "), "");
}

TEST(Quoted, IsSafeToPrint) {
  EXPECT_EQ(quoted("plain"), "\"plain\"");
  EXPECT_EQ(quoted("a\nb\tc\x01"), "\"a\\nb\\tc\\x01\"");
  EXPECT_EQ(quoted("caf\xC3\xA9"), "\"caf\xC3\xA9\"");
  EXPECT_EQ(quoted("\xC2\x9B"
                   "31m"),
            "\"\\xc2\\x9b31m\"");  // a terminal would obey it
  EXPECT_EQ(quoted("a\xE2\x80\xAE"
                   "b"),
            "\"a\\xe2\\x80\\xaeb\"");  // turns the direction of the text
  EXPECT_EQ(quoted("bad\xFF"), "\"bad\\xff\"");
  EXPECT_EQ(quoted("cut\xC3"), "\"cut\\xc3\"");
  EXPECT_EQ(quoted("\xED\xA0\x80"), "\"\\xed\\xa0\\x80\"");  // half a surrogate pair
  EXPECT_EQ(quoted("abcdef", 3), "\"abc...\"");
  EXPECT_EQ(quoted("abc", 3), "\"abc\"");
}

TEST(Quoted, NamesAndMessagesAreShownAsTheyAreWhenTheyAreSafe) {
  EXPECT_EQ(shown("a \"b\" caf\xC3\xA9"), "a \"b\" caf\xC3\xA9");
  EXPECT_EQ(shown("a\tb"), "\"a\\tb\"");
  EXPECT_EQ(shown(std::string(100, 'x') + "\n"), "\"" + std::string(100, 'x') + "\\n\"");
  EXPECT_EQ(printable("one\ntwo"), "one\ntwo");
  EXPECT_EQ(printable("a\r\x1B[31m\xC2\x9B"), "a\\r\\x1b[31m\\xc2\\x9b");
}

TEST(Quoted, WhateverIsPrintedIsTextWithoutControls) {
  Rng rng(3);
  for (int round = 0; round < 20000; ++round) {
    const std::string text = spiced(rng, "\n\t\r\x1B\"\\\xC2\x9B\xE2\x80\xAE", 12);
    for (std::string out : {quoted(text, text.size()), shown(text), printable(text)}) {
      ASSERT_TRUE(is_utf8(out));
      out.erase(std::remove(out.begin(), out.end(), '\n'), out.end());  // printable keeps them
      ASSERT_EQ(printable(out), out);
    }
    ASSERT_EQ(shown(text).find('\n'), std::string::npos);
  }
}

TEST(ShellWord, IsPlainWhereItMayBe) {
  EXPECT_EQ(shell_word("--na"), "--na");
  EXPECT_EQ(shell_word("--out=a/b.csv"), "--out=a/b.csv");
  EXPECT_EQ(shell_word("-"), "-");
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
  for (const char* odd : {"~", "a*", "$x", "a b", "{a,b}", "!!", "#", "a;b", "\\", "`x`", "caf\xC3\xA9"}) {
    EXPECT_EQ(shell_word(odd), "'" + std::string(odd) + "'");
  }
}

TEST(ShellWord, AShellReadsItBack) {
  Rng rng(4);
  std::vector<std::string> words = {"", "-n", "--", "-", "~", "%1", "a=b", "=x", "@", "+", "'", "''", "\n", "a\n"};
  for (int k = 0; k < 500; ++k) words.push_back(spiced(rng, " '\"\\$`!*?[]{}~#&;|<>()\n\t-=%", 10));
  const std::string path = testing::TempDir() + "/agon_shell_words.sh";
  {
    std::ofstream script(path, std::ios::binary);
    for (const std::string& word : words) script << "printf '%s\\0' " << shell_word(word) << "\n";
  }
  std::FILE* pipe = popen(("LC_ALL=C sh " + shell_word(path)).c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  std::vector<std::string> found(1);
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) {
    if (c == 0) {
      found.emplace_back();
    } else {
      found.back() += static_cast<char>(c);
    }
  }
  EXPECT_EQ(pclose(pipe), 0);
  found.pop_back();  // after the last NUL
  EXPECT_EQ(found, words);
  std::filesystem::remove(path);
}

TEST(Escapes, AreReadBack) {
  EXPECT_EQ(html_escaped("<a href=\"x\">'&amp;\n"), "&lt;a href=&quot;x&quot;&gt;&#39;&amp;amp;\n");
  EXPECT_EQ(xml_escaped("<a x=\"'\">&\t\r\n"), "&lt;a x=&quot;'&quot;&gt;&amp;&#9;&#13;&#10;");
  EXPECT_EQ(backslash_quoted("a\"b\\"), "\"a\\\"b\\\\\"");
  Rng rng(5);
  for (int round = 0; round < 20000; ++round) {
    const std::string text = spiced_letters(rng, "&<>\"'\t\r\n\\;#x1amp", 12);
    bool ok = true;
    for (const std::string& out : {html_escaped(text), xml_escaped(text)}) {
      ASSERT_EQ(decode_entities(out, false, ok), text);
      ASSERT_EQ(out.find_first_of("<>\""), std::string::npos) << out;
    }
    ASSERT_TRUE(ok);
    ASSERT_EQ(xml_escaped(text).find_first_of("\t\r\n"), std::string::npos);
    ASSERT_EQ(html_escaped(text).find('\''), std::string::npos);
    const std::string in_quotes = backslash_quoted(text);
    std::string back;
    for (size_t k = 1; k + 1 < in_quotes.size(); ++k) {
      ASSERT_NE(in_quotes[k], '"');
      if (in_quotes[k] == '\\') ++k;
      back += in_quotes[k];
    }
    ASSERT_EQ(back, text);
  }
}

TEST(Escapes, UnknownEntitiesStayAsTheyStand) {
  bool ok = true;
  EXPECT_EQ(decode_entities("&apos;&#x41;&#66;&#X1F600;", false, ok), "'AB\xF0\x9F\x98\x80");
  EXPECT_TRUE(ok);
  for (const char* odd : {"&", "&;", "&nbsp;", "&#;", "&#0;", "&#xD800;", "&#x110000;", "&#12a;", "&#x;", "& amp;"}) {
    ok = true;
    EXPECT_EQ(decode_entities(odd, true, ok), odd);
    EXPECT_TRUE(ok) << odd;
    EXPECT_EQ(decode_entities(odd, false, ok), odd);
    EXPECT_FALSE(ok) << odd;
  }
}

}  // namespace
}  // namespace agon
