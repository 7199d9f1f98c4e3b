#include "agon/data/bif.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <sstream>

#include "agon/base/error.h"
#include "agon/data/embedded.h"
#include "agon/data/simulate.h"

namespace agon {
namespace {

const char* kSmall = R"(network unknown {
}
variable smoke {
  type discrete [ 2 ] { yes, no };
}
variable lung {
  type discrete [ 2 ] { yes, no };
}
probability ( smoke ) {
  table 0.5, 0.5;
}
probability ( lung | smoke ) {
  (yes) 0.1, 0.9;
  (no) 0.01, 0.99;
}
)";

std::string written(const BayesNet& net) {
  std::ostringstream out;
  write_bif(out, net);
  return out.str();
}

// kSmall with one piece of text replaced by another.
std::string changed(const std::string& from, const std::string& to) {
  std::string text = kSmall;
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string problem_of(const std::string& text) {
  try {
    parse_bif(text, "net.bif");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

void expect_problem(const std::string& text, const std::string& place, const std::string& part) {
  const std::string problem = problem_of(text);
  EXPECT_EQ(problem.substr(0, place.size()), place) << problem;
  EXPECT_NE(problem.find(part), std::string::npos) << problem;
}

TEST(Bif, ReadsASmallNetwork) {
  std::vector<std::string> warnings;
  const BayesNet net = parse_bif(kSmall, "net.bif", &warnings);
  EXPECT_EQ(net.names, (std::vector<std::string>{"smoke", "lung"}));
  EXPECT_EQ(net.levels[1], (std::vector<std::string>{"yes", "no"}));
  EXPECT_EQ(net.parents, (std::vector<std::vector<int>>{{}, {0}}));
  EXPECT_EQ(net.tables[1], (std::vector<double>{0.1, 0.9, 0.01, 0.99}));
  EXPECT_TRUE(warnings.empty());
}

TEST(Bif, SpacingCommentsPropertiesAndQuotesDoNotMatter) {
  const char* text =
      "\xEF\xBB\xBF// a comment; with { marks }\r\n"
      "network \"two words\" { property author \"somebody; } else\" ; property box = {1; 2}; }\r\n"
      "probability(lung|smoke){(no)0.01 0.99;/* rows in\r\nany order */(\"yes\")0.1,0.9;property x;}\r\n"
      "variable  \"smoke\"{type discrete[2]{yes no};property position = (73, 165) ;}\r\n"
      "variable\r\nlung\r\n{ type   discrete [2]{ yes ,no } ; }\r\n"
      "probability ( smoke ) { table .5 5e-1 ; } // end";
  EXPECT_EQ(parse_bif(text, "x"), parse_bif(kSmall, "y"));
}

TEST(Bif, ReadsTheNamesThatPublishedNetworksUse) {
  const char* text =
      "variable a.b/c-d { type discrete [ 5 ] { <5, 5-12, 12+, >=7.5, Asy/Patchy }; }\n"
      "variable Größe_µ { type discrete [ 3 ] { Transp., Grd Glass, \"a, b\" }; }\n"
      "probability ( a.b/c-d ) { table 0.2, 0.2, 0.2, 0.2, 0.2; }\n"
      "probability ( Größe_µ | a.b/c-d ) { (<5) 1, 0, 0; (12+) 0, 1, 0; default 0.25, 0.25, 0.5; }\n";
  const BayesNet net = parse_bif(text, "x");
  EXPECT_EQ(net.names, (std::vector<std::string>{"a.b/c-d", "Größe_µ"}));
  EXPECT_EQ(net.levels[0], (std::vector<std::string>{"<5", "5-12", "12+", ">=7.5", "Asy/Patchy"}));
  EXPECT_EQ(net.levels[1], (std::vector<std::string>{"Transp.", "Grd Glass", "a, b"}));
  EXPECT_EQ(net.tables[1], (std::vector<double>{1, 0, 0, 0.25, 0.25, 0.5, 0, 1, 0, 0.25, 0.25, 0.5, 0.25, 0.25, 0.5}));
}

TEST(Bif, LevelsOfSeveralWordsAreFoundInRows) {
  const char* text =
      "variable a { type discrete [ 2 ] { very low, high }; }\n"
      "variable b { type discrete [ 2 ] { 0, 1 }; }\n"
      "probability ( a ) { table 0.3, 0.7; }\n"
      "probability ( b | a ) { (very low) 0.2, 0.8; (high) 0.6, 0.4; }\n";
  EXPECT_EQ(parse_bif(text, "x").tables[1], (std::vector<double>{0.2, 0.8, 0.6, 0.4}));
}

TEST(Bif, TableOfANodeWithParentsGoesLevelByLevel) {  // Cozman 1998
  const std::string rows = "  (yes) 0.1, 0.9;\n  (no) 0.01, 0.99;\n";
  std::vector<std::string> warnings;
  const BayesNet net = parse_bif(changed(rows, "  table 0.1, 0.01, 0.9, 0.99;\n"), "x", &warnings);
  EXPECT_EQ(net, parse_bif(kSmall, "y"));
  EXPECT_TRUE(warnings.empty());
  // Only the other order adds up.
  EXPECT_EQ(parse_bif(changed(rows, "  table 0.1, 0.9, 0.01, 0.99;\n"), "x", &warnings), net);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("x:13"), std::string::npos) << warnings[0];
}

TEST(Bif, RowsNearOneAreDividedByTheirSumWithAWarning) {
  std::vector<std::string> warnings;
  const BayesNet net = parse_bif(changed("0.1, 0.9", "0.1, 0.8995"), "net.bif", &warnings);
  EXPECT_NEAR(net.tables[1][0], 0.1 / 0.9995, 1e-15);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].substr(0, 10), "net.bif:13");
  EXPECT_NE(warnings[0].find("lung"), std::string::npos);
  // The limit of what is accepted, as decimals have it: a sum of 0.999.
  EXPECT_EQ(problem_of(changed("0.1, 0.9", "0.1, 0.899")), "");
  expect_problem(changed("0.1, 0.9", "0.1, 0.898"), "net.bif:13",
                 "\"lung\": the probabilities given (yes) sum to 0.998");
}

TEST(Bif, MistakesAreNamedWithTheirLine) {
  expect_problem("", "net.bif", "empty");
  expect_problem(" \n // nothing\n", "net.bif", "empty");
  expect_problem("network x { }\n", "net.bif", "no variable");
  expect_problem("<?xml version=\"1.0\"?>\n<BIF/>", "net.bif:1", "XML");
  expect_problem("a,b,c\n1,2,3\n", "net.bif:1", "found \"a\", expected \"network\"");
  expect_problem(std::string("\0\x01\x02\xFF", 4), "net.bif:1", "found");
  expect_problem(changed("variable lung", "variable smoke"), "net.bif:6",
                 "\"smoke\" is defined twice, first in line 3");
  expect_problem(changed("( smoke )", "( smoker )"), "net.bif:9", "did you mean smoke");
  expect_problem(changed("| smoke", "| smok"), "net.bif:12", "\"smok\" is not defined");
  expect_problem(changed("| smoke", "| lung"), "net.bif:12", "its own parent");
  expect_problem(changed("| smoke", "| smoke, smoke"), "net.bif:12", "appears twice");
  expect_problem(changed("[ 2 ]", "[ 3 ]"), "net.bif:4", "found 2 levels, expected 3");
  expect_problem(changed("[ 2 ]", "[ 1e30 ]"), "net.bif:4", "levels");
  expect_problem(changed("{ yes, no }", "{ yes, yes }"), "net.bif:4", "\"yes\" appears twice");
  expect_problem(changed("discrete", "continuous"), "net.bif:4", "expected discrete");
  expect_problem(changed("(no) ", "(yes) "), "net.bif:14", "given before, in line 13");
  expect_problem(changed("(no) ", "(maybe) "), "net.bif:14", "\"maybe\" is not a level of its parent \"smoke\"");
  expect_problem(changed("(no) ", "(no, no) "), "net.bif:14", "more levels");
  expect_problem(changed("(no) ", "() "), "net.bif:14", "found 0 levels");
  expect_problem(changed("  (no) 0.01, 0.99;\n", ""), "net.bif:14", "1 of 2 rows are missing, the first is (no)");
  expect_problem(changed("0.1, 0.9;", "0.1, 0.8, 0.1;"), "net.bif:13", "found 3 probabilities of a row, expected 2");
  expect_problem(changed("table 0.5, 0.5", "table 1"), "net.bif:10", "found 1 probabilities of the table, expected 2");
  expect_problem(changed("0.1, 0.9", "-0.1, 1.1"), "net.bif:13", "\"-0.1\"");
  expect_problem(changed("0.1, 0.9", "0.1, 0,9"), "net.bif:13", "9 is not a probability");
  expect_problem(changed("0.1, 0.9", "nan, nan"), "net.bif:13", "\"nan\"");
  expect_problem(changed("0.1, 0.9", "a, b"), "net.bif:13", "\"a\"");
  expect_problem(changed("probability ( smoke ) {\n  table 0.5, 0.5;\n}\n", ""), "net.bif:3", "no probability block");
  expect_problem(std::string(kSmall) + "probability ( smoke ) { table 1, 0; }", "net.bif:16", "first is in line 9");
  expect_problem(std::string(kSmall) + "/* open", "net.bif:16", "never closed");
  expect_problem(std::string(kSmall) + "variable \"open { }", "net.bif:16", "never closed");
  expect_problem(std::string(kSmall) + "variable x {", "net.bif:16", "the end of the file");
  expect_problem(std::string(kSmall) + "probability ( x ) { table 1;", "net.bif:16", "never closed");
}

TEST(Bif, CycleIsShown) {
  const std::string text =
      "variable a { type discrete [ 1 ] { x }; } variable b { type discrete [ 1 ] { x }; }\n"
      "probability ( a | b ) { (x) 1; } probability ( b | a ) { (x) 1; }";
  const std::string problem = problem_of(text);
  EXPECT_NE(problem.find("cycle"), std::string::npos) << problem;
  EXPECT_TRUE(problem.ends_with("b -> a -> b")) << problem;
}

TEST(Bif, HugeTableIsRefusedBeforeItIsMade) {
  std::string text, head = "probability ( v0 | ";
  for (int k = 0; k < 40; ++k) {
    text += fmt::format("variable v{} {{ type discrete [ 2 ] {{ 0, 1 }}; }}\n", k);
    if (k > 0) head += fmt::format("v{},", k);
  }
  expect_problem(text + head + ") { default 0.5, 0.5; }", "net.bif:41", "\"v0\"");
}

TEST(Bif, MissingFileAndFolderAreErrors) {
  EXPECT_THROW(read_bif(testing::TempDir() + "/there-is-no-such-file.bif"), InputError);
  EXPECT_THROW(read_bif(testing::TempDir()), InputError);
}

TEST(Bif, EmbeddedNetworksAreReadBackEqual) {
  for (const char* name : {"asia", "sachs", "lucas", "child", "alarm", "hepar2", "andes"}) {
    const BayesNet net = embedded_network(name);
    std::vector<std::string> warnings;
    EXPECT_EQ(parse_bif(written(net), name, &warnings), net) << name;
    EXPECT_TRUE(warnings.empty()) << name << ": " << warnings.front();
  }
}

TEST(Bif, WhatIsWrittenIsReadBackEqual) {
  const bool held = rc::check("networks with odd names come back from BIF as they were", [] {
    const auto name = rc::gen::suchThat(
        rc::gen::container<std::string>(rc::gen::elementOf(std::string("aZ0._-/\\\"'<>+=*#:,;{}()[]| \t\n\xC3\xA4"))),
        [](const std::string& s) { return s.find_first_not_of(" \t\r\n") != std::string::npos; });
    const int p = *rc::gen::inRange(1, 7);
    Rng rng(*rc::gen::arbitrary<uint64_t>());
    const double degree = 0.5 * (p - 1);
    BayesNet net = random_bayes_net(random_graph({.nodes = p, .average_degree = degree}, rng.split("graph")), 1, 4,
                                    *rc::gen::element(0.05, 1.0, 20.0), rng.split("net"));
    net.names = *rc::gen::unique<std::vector<std::string>>(p, name);
    for (auto& levels : net.levels) {
      levels = *rc::gen::unique<std::vector<std::string>>(levels.size(), rc::gen::scale(0.3, name));
    }
    std::vector<std::string> warnings;
    RC_ASSERT(parse_bif(written(net), "x", &warnings) == net);
    RC_ASSERT(warnings.empty());
  });
  EXPECT_TRUE(held);
}

// Whatever happens to the bytes, the answer is a network or an InputError.
TEST(Bif, DamagedFilesNeverCrash) {
  const std::string good = written(embedded_network("child"));
  Rng rng(9);
  const std::string bytes = std::string("{}()[]|,;\"\\/* \n0.9a") + '\0' + '\xFF';
  int read = 0, refused = 0;
  for (int trial = 0; trial < 1500; ++trial) {
    std::string text = good;
    for (int edits = 1 + rng.below(3); edits > 0; --edits) {
      const size_t at = static_cast<size_t>(rng.below(static_cast<int>(text.size())));
      switch (rng.below(4)) {
        case 0:
          text[at] = bytes[static_cast<size_t>(rng.below(static_cast<int>(bytes.size())))];
          break;
        case 1:
          text.erase(at, static_cast<size_t>(1 + rng.below(30)));
          break;
        case 2:
          text.insert(at, text.substr(static_cast<size_t>(rng.below(static_cast<int>(text.size()))), 20));
          break;
        default:
          if (rng.below(8) == 0) text.resize(at + 1);
      }
    }
    try {
      check(parse_bif(text, "x"), "x");
      ++read;
    } catch (const InputError&) {
      ++refused;
    }
  }
  EXPECT_GT(read, 50);
  EXPECT_GT(refused, 500);
}

}  // namespace
}  // namespace agon
