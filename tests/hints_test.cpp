// Advice that is followed: every error is provoked, what its hint says is typed literally, and that works.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>

#include <regex>

#include "agon/agent/paper.h"
#include "agon/base/error.h"
#include "agon/graph/formats.h"
#include "agon/parquet/test_file.h"
#include "tests/advice.h"
#include "tests/program.h"
#include "tests/results.h"

namespace agon::testing {
namespace {

TEST_P(Hints, CanBeFollowed) {
  const Advice& advice = GetParam();
  Sandbox box;
  box.write("t.csv", advice.table);
  if (!advice.before.empty()) {
    const Outcome prepared = box.agon(advice.before);
    ASSERT_EQ(prepared.code, 0) << advice.before << "\n" << prepared.err;
  }
  const Outcome refused = box.agon(advice.command);
  EXPECT_TRUE(refused.code == 2 || refused.code == 3) << refused.code << refused.err;
  EXPECT_PRED2(contains, refused.err, "hint: ");
  EXPECT_PRED2(contains, refused.err, advice.hint);
  if (!advice.repaired.empty()) box.write("t.csv", advice.repaired);
  const std::string next = advice.follow_up.empty() ? advice.command + " " + advice.hint : advice.follow_up;
  const Outcome followed = box.agon(next);
  EXPECT_EQ(followed.code, 0) << next << "\n" << followed.err;
}

// Text among numbers is an error where it may not become a gap.
const std::string kStrictly = "run hc t.csv --missing drop-rows";

INSTANTIATE_TEST_SUITE_P(
    Reading, Hints,
    ::testing::Values(
        Advice{"AMarker", numbers("x,y,z", "O,1.5,2.5\n"), kStrictly, "--na O", ""},
        Advice{"AMarkerWithAComma", numbers("x,y,z", "\"n,a\",1.5,2.5\n"), kStrictly, "--na '\"n,a\"'", ""},
        Advice{"AMarkerLikeAnOption", numbers("x,y,z", "-x,1.5,2.5\n"), kStrictly, "--na=-x", ""},
        Advice{"LabelsAmongNumbers", "x,y\n1,a\n2,b\nO,a\n3,b\n4,a\n5,b\n", kStrictly, "--discrete x", ""},
        Advice{"ANameWithAComma", "\"x, cm\",y\n1,a\n2,b\nO,a\n3,b\n4,a\n", kStrictly, "--discrete '\"x, cm\"'", ""},
        Advice{"ANameWithQuotes", "\"it's \"\"x\"\"\",y\n1,a\n2,b\nO,a\n3,b\n4,a\n", kStrictly,
               "--discrete 'it'\\''s \"x\"'", ""},
        Advice{"ANameInQuotes", "\"\"\"x\"\"\",y\n1,a\n2,b\nO,a\n3,b\n4,a\n", kStrictly, "--discrete '\"\"\"x\"\"\"'",
               ""},
        Advice{"ANameLikeAnOption", "-x,y\n1,a\n2,b\nO,a\n3,b\n4,a\n", kStrictly, "--discrete=-x", ""},
        Advice{"DecimalCommas", "x,y\n\"1,5\",a\n\"2,5\",b\n\"3,5\",a\n", "run hc t.csv", "--decimal comma", ""},
        Advice{"LabelsWithCommas", "x,y\n\"1,5\",a\n\"2,5\",b\n\"3,5\",a\n", "run hc t.csv", "--discrete x", ""},
        Advice{"DecimalPoints", numbers("x,y,z"), "run hc t.csv --decimal comma", "--decimal point",
               "run hc t.csv --decimal point"},
        Advice{"ThousandsOrDecimals", "x;y\n1,234;a\n567;b\n12,345;a\n", "run hc t.csv", "--decimal comma", ""},
        Advice{"NoHeader", "1,2,1\n0,1,0\n1,0,1\n0,2,1\n", "run hc t.csv", "--no-header", ""},
        Advice{"NoHeaderAndABlank", "1,,1\n0,1,0\n1,0,1\n0,2,1\n", "run hc t.csv", "--no-header", ""},
        Advice{"OneLine", "1,2,1\n", "doctor t.csv", "--no-header", ""},
        Advice{"MissingCells", numbers("x,y,z", "NA,1.5,2.5\n"), "run hc t.csv --missing error", "--missing drop-rows",
               "run hc t.csv --missing drop-rows"},
        Advice{"NoRowIsComplete", "x,y,z\n1,NA,2\n2,NA,1\n1,NA,1\n2,NA,2\n", "run hc t.csv --missing drop-rows",
               "--drop y", ""},
        Advice{"AnotherDelimiter", "x:y\n1:z\n0:a,b\n1:a,b\n", "run hc t.csv", "pass --delimiter if that is wrong",
               "run hc t.csv --delimiter :"},
        Advice{"AWrongColumn", small_table(), "run hc t.csv --discrete X", "did you mean x?",
               "run hc t.csv --discrete x"},
        Advice{"AWrongColumnAmongFew", small_table(), "run hc t.csv --drop weight", "its columns are x, y, z",
               "run hc t.csv --drop x"},
        Advice{"ColumnNamedTwice", small_table(), "run hc t.csv --discrete x --drop x", "name it in one of them",
               "run hc t.csv --drop x"}),
    kAdviceName);

INSTANTIATE_TEST_SUITE_P(
    Options, Hints,
    ::testing::Values(
        Advice{"AWrongFile", small_table(), "run hc t.cvs", "did you mean t.csv?", "run hc t.csv"},
        Advice{"AWrongDataSet", "", "run hc aisa", "did you mean asia?", "run hc asia"},
        Advice{"AWrongOption", small_table(), "run hc t.csv --discret x", "did you mean --discrete?",
               "run hc t.csv --discrete x"},
        Advice{"AWrongScore", small_table(), "run hc t.csv --score discret-bic", "did you mean discrete-bic?",
               "run hc t.csv --score discrete-bic"},
        Advice{"AWrongAlgorithm", small_table(), "run gse t.csv", "did you mean ges?", "run ges t.csv"},
        Advice{"AWrongChoice", small_table(), "run hc t.csv --missing drop-row", "did you mean drop-rows?",
               "run hc t.csv --missing drop-rows"},
        Advice{"AnOptionOfEmbeddedSets", small_table(), "run hc t.csv --rows 10", "agon list datasets",
               "list datasets"},
        Advice{"AnOptionOfFiles", small_table(), "run hc asia --drop x", "./asia", "run hc ./t.csv --drop x"},
        Advice{"DrawsWithoutDrawing", numbers("x,y,z", "NA,1.5,2.5\n"), "run hc t.csv --missing drop-rows --draws 5",
               "--missing draws", "run hc t.csv --missing draws --draws 5"},
        Advice{"AScoreOfCategories", numbers("x,y,z"), "run hc t.csv --score discrete-bic", "--discrete x,y,z", ""},
        Advice{"AScoreOfNumbers", "x,y,z\n0.5,a,1.5\n1.5,b,0.25\n2.5,a,4.5\n3.5,b,2\n4.1,a,1\n5,b,3\n",
               "run hc t.csv --score gaussian-bic", "--drop y", ""},
        Advice{"BinsWithoutTheirScore", numbers("x,y,z"), "run hc t.csv --bins 3 --score gaussian-bic",
               "--score discrete-bic", "run hc t.csv --bins 3 --score discrete-bic"},
        Advice{"PrefixWithoutOut", small_table(), "run hc t.csv --prefix P", "--out .", ""},
        Advice{"AMatrixWithoutRows", ",x,y\nx,1,0.5\ny,0.5,1\n", "run hc t.csv --covariance", "--rows N",
               "run hc t.csv --covariance --rows 100"},
        Advice{"NothingIsKnown", small_table(), "run hc t.csv --on-conflict required", "--required FILE",
               "run hc t.csv"},
        Advice{"NoData", small_table(), "run hc", "--help", "run --help"},
        Advice{"VerifyWithoutData", small_table(), "verify r", "agon verify RESULT DATA",
               "run hc t.csv --out r && '" AGON_BINARY "' verify r t.csv"}),
    kAdviceName);

INSTANTIATE_TEST_SUITE_P(
    Challengers, Hints,
    ::testing::Values(
        Advice{"AWrongChallenger", "", "discover asia --rows 200 --moves 100 --challenger locl", "did you mean local?",
               "discover asia --rows 200 --moves 100 --challenger local"},
        Advice{"AnOptionOfAnother", "", "discover asia --rows 200 --moves 100 --challenger flat --proposal rule",
               "it belongs to local", "discover asia --rows 200 --moves 100 --challenger local --proposal rule"},
        Advice{"AWrongProposal", "", "discover asia --rows 200 --moves 100 --challenger local --proposal traind",
               "did you mean trained?", "discover asia --rows 200 --moves 100 --challenger local --proposal trained"},
        Advice{"AWrongListOfThem", "", "list challenger", "did you mean challengers?", "list challengers"},
        Advice{"AWrongTime", "", "discover asia --time-limit 1x", "write it as 60s, 2m, 500ms or 1h",
               "discover asia --time-limit 50ms"},
        Advice{"AWrongMemory", "", "discover asia --rows 200 --moves 100 --memory-limit 2x", "write it as 500M or 2G",
               "discover asia --rows 200 --moves 100 --memory-limit 500M"},
        Advice{"TooLittleMemory", "", "discover asia --rows 200 --moves 100 --memory-limit 2M", "raise --memory-limit",
               "discover asia --rows 200 --moves 100 --memory-limit 200M"},
        Advice{"StartOfOpponentsThatTakeNone", "", "discover asia --rows 200 --moves 100 --opponent boss --start asia",
               "omit --opponent, or add file to it",
               "discover asia --rows 200 --moves 100 --opponent boss,file --start asia"},
        Advice{"StartWithoutItsOpponents", "", "discover asia --rows 200 --moves 100 --opponent boss --start asia",
               "omit --opponent", "discover asia --rows 200 --moves 100 --start asia"},
        Advice{"StartOfAnAlgorithmThatTakesNone", "", "run pc asia --rows 200 --start asia",
               "algorithms that begin at a given graph: ges, tabu, hc, file", "run tabu asia --rows 200 --start asia"},
        Advice{"SavedThoughItCannotBeResumed", "", "run pc asia --rows 200 --checkpoint saved",
               "algorithms that can be: ges, boss", "run boss asia --rows 200 --checkpoint saved"},
        Advice{"TestsOfASearch", "", "run tabu asia --rows 200 --alpha 0.1", "that test independences: pc, fci",
               "run pc asia --rows 200 --alpha 0.1"},
        Advice{"AParameterOfAnotherScore", "", "run tabu asia --rows 200 --score bdeu --penalty 2",
               "it is tuned by --ess", "run tabu asia --rows 200 --score bdeu --ess 2"}),
    kAdviceName);

// Each part of the advice about a network that is too large or too slow, followed alone.
TEST(HintsOfThePaper, EachWayOutIsOne) {
  Sandbox box;
  const std::string run = "discover asia --rows 200 --quiet --challenger ";
  const Outcome slow = box.agon(run + "paper --moves 1000000");
  EXPECT_EQ(slow.code, 2) << slow.err;
  EXPECT_PRED2(contains, slow.err,
               "hint: --challenger flat plays the same game at any size; or pass a smaller --hidden or --batch, fewer "
               "--moves, a larger --train-every or --most-hours, or a --time-limit");
  for (const std::string way : {"flat --moves 500", "paper --moves 500", "paper --moves 1000000 --time-limit 50ms"}) {
    const Outcome o = box.agon(run + way);
    EXPECT_EQ(o.code, 0) << way << "\n" << o.err;
  }
  const Outcome large = box.agon("discover andes --rows 50 --opponent file --start andes --challenger paper --moves 9");
  EXPECT_EQ(large.code, 2) << large.err;
  EXPECT_PRED2(contains, large.err, "smaller --hidden or --batch, or a larger --most-gigabytes");
  // These would run for minutes, so they are only asked whether they may.
  EXPECT_THROW(refuse_what_is_too_much(8, {}, 1000000, false), UsageError);
  EXPECT_NO_THROW(refuse_what_is_too_much(8, {.hidden = {64}}, 1000000, false));
  EXPECT_NO_THROW(refuse_what_is_too_much(8, {.batch = 16}, 1000000, false));
  EXPECT_NO_THROW(refuse_what_is_too_much(8, {.train_every = 8}, 1000000, false));
  EXPECT_NO_THROW(refuse_what_is_too_much(8, {.most_hours = 10}, 1000000, false));
  EXPECT_THROW(refuse_what_is_too_much(200, {}, 1000, true), UsageError);
  EXPECT_NO_THROW(refuse_what_is_too_much(200, {.hidden = {64}}, 1000, true));
  EXPECT_NO_THROW(refuse_what_is_too_much(200, {.batch = 16}, 1000, true));
  EXPECT_NO_THROW(refuse_what_is_too_much(200, {.most_gigabytes = 8}, 1000, true));
}

// Files of knowledge and graphs: the file is refused, its line is written as the hint says, and that is taken.
TEST_P(HintsOfFiles, CanBeFollowed) {
  const Repair& repair = GetParam();
  Sandbox box;
  box.write("t.csv", small_table());
  box.write("experiments.csv", experiments_table());
  box.write("f", repair.file);
  const Outcome refused = box.agon(repair.command);
  EXPECT_EQ(refused.code, 3) << refused.err;
  EXPECT_PRED2(contains, refused.err, "hint: ");
  EXPECT_PRED2(contains, refused.err, repair.hint);
  box.write("f", repair.repaired);
  const Outcome followed = box.agon(repair.command);
  EXPECT_EQ(followed.code, 0) << repair.repaired << "\n" << followed.err;
}

const std::string kKnown = "run hc t.csv --knowledge f";
INSTANTIATE_TEST_SUITE_P(
    Knowledge, HintsOfFiles,
    ::testing::Values(
        Repair{"AWrongName", kKnown, "from,to,type\nx,Y1,required\n", "did you mean y?",
               "from,to,type\nx,y,required\n"},
        Repair{"AnUnknownName", kKnown, "from,to,type\nx,weight,required\n", "the data has ",
               "from,to,type\nx,z,required\n"},
        Repair{"APairWithoutAType", kKnown, "x,y\n", "add a third column: from,to,type with required or forbidden",
               "from,to,type\nx,y,forbidden\n"},
        Repair{"AConflict", kKnown, "x,y,required\nx,y,forbidden\n", "remove one of the two", "x,y,required\n"},
        Repair{"NoTier", kKnown, "/knowledge\naddtemporal\none x\n", "a tier is a line such as: 2 lung bronc",
               "/knowledge\naddtemporal\n1 x\n2 y z\n"},
        Repair{"AWrongHeading", kKnown, "/knowledge\nforbiddirct\nx y\n", "did you mean forbiddirect?",
               "/knowledge\nforbiddirect\nx y\n"},
        Repair{"NoHeading", kKnown, "/knowledge\nthat x and y\nx y\n", "requiredirect",
               "/knowledge\nrequiredirect\nx y\n"},
        Repair{"TooManyColumns", kKnown, "x,y,z,required\n", "headings: /knowledge",
               "/knowledge\nrequiredgroup\nx y\nz\n"},
        Repair{"Nothing", kKnown, "", "headings: /knowledge", "/knowledge\nforbiddengroup\nx\ny z\n"}),
    kAdviceName);

TEST(HintsOfKnowledge, WhatIsRequiredWins) {
  Sandbox box;
  box.write("t.csv", small_table());
  box.write("f", "x,y,required\nx,y,forbidden\n");
  EXPECT_PRED2(contains, box.agon(kKnown).err, "--on-conflict required");
  EXPECT_EQ(box.agon(kKnown + " --on-conflict required").code, 0);
}

const std::string kScored = "score f t.csv";
INSTANTIATE_TEST_SUITE_P(
    Graphs, HintsOfFiles,
    ::testing::Values(
        Repair{"AWrongName", kScored, "from,to\nx,Y1\n", "Y1: did you mean y?", "from,to\nx,y\n"},
        Repair{"AnUnknownName", kScored, "from,to\nx,weight\n", "the data has ", "from,to\nx,z\n"},
        Repair{"ANodeIsAbsent", kScored, "digraph { x; y; x -> y }", "list them as nodes without edges",
               "digraph { x; y; z; x -> y }"},
        Repair{"ANodeIsAbsentFromAList", kScored, "digraph { x; y; x -> y }",
               "give the graph as an edge list (from,to)", "from,to\nx,y\n"},
        Repair{"NoClass", "score f asia --rows 100",
               "from,to,type\nasia,tub,undirected\ntub,lung,undirected\nlung,smoke,undirected\nsmoke,asia,undirected\n",
               "give a DAG, or the CPDAG of one",
               "from,to,type\nasia,tub,undirected\ntub,lung,undirected\nlung,smoke,undirected\n"},
        Repair{"AnHtmlName", kScored, "digraph { x -> <b>y</b> }", "write the graph with names in double quotes",
               "digraph { \"x\" -> \"y\" }"},
        Repair{"ASign", kScored, "digraph { x -> %y }", "put names with punctuation or blanks in double quotes",
               "digraph { x -> \"y\" }"},
        Repair{"ASubgraph", kScored, "digraph { subgraph s { x -> y } }", "list the edges one by one",
               "digraph { x -> y }"},
        Repair{"SeveralEnds", kScored, "digraph { x -> { y z } }", "list the edges one by one",
               "digraph { x -> y x -> z }"},
        Repair{"AWeight", kScored, ",x,y,z\nx,0,2,0\ny,0,0,1\nz,0,0,0\n", "1 in row a, column b says a causes b",
               ",x,y,z\nx,0,1,0\ny,0,0,1\nz,0,0,0\n"},
        Repair{"AMatrixWithAWrongRow", kScored, ",x,y,z\nx,0,1,0\ny,0,0,1\nzz,0,0,0\n", "did you mean z?",
               ",x,y,z\nx,0,1,0\ny,0,0,1\nz,0,0,0\n"},
        Repair{"AMatrixWithARowOfAnotherLetter", kScored, ",x,y,z\nx,0,1,0\ny,0,0,1\nw,0,0,0\n", "did you mean z?",
               ",x,y,z\nx,0,1,0\ny,0,0,1\nz,0,0,0\n"},
        Repair{"AMatrixWithoutRowNames", kScored, "x,y,z,w\n0,1,0,0\n0,0,1,0\n0,0,0,0\n0,0,0,0\n",
               "the first column of a matrix holds the names", ",x,y,z\nx,0,1,0\ny,0,0,1\nz,0,0,0\n"},
        Repair{"AnEntity", kScored, "<graphml><graph><node id=\"x & y\"/></graph></graphml>",
               "write &amp; for a plain &",
               "<graphml><!-- x &amp; y --><graph edgedefault=\"directed\"><node id=\"x\"/><node id=\"y\"/>"
               "<node id=\"z\"/></graph></graphml>"},
        Repair{"ATag", kScored, "<graphml>< <graph><node id=\"x\"/></graph></graphml>", "write &lt; for a plain <",
               "<graphml>&lt; <graph edgedefault=\"directed\"><node id=\"x\"/><node id=\"y\"/><node id=\"z\"/>"
               "</graph></graphml>"},
        Repair{"ABlankInTetradsText", kScored, "Graph Nodes:\nx;y;z\n\nGraph Edges:\n1. x y --> z\n",
               "names in this format cannot hold spaces", "Graph Nodes:\nx;y;z\n\nGraph Edges:\n1. x --> z\n"},
        Repair{"AnEdgeOfAnotherNode", kScored, "Graph Nodes:\nx;y;z\n\nGraph Edges:\n1. x --> zz\n", "did you mean z?",
               "Graph Nodes:\nx;y;z\n\nGraph Edges:\n1. x --> z\n"}),
    kAdviceName);

INSTANTIATE_TEST_SUITE_P(
    Formats, Hints,
    ::testing::Values(Advice{"AWrongFormat", small_table(), "run hc t.csv --out r --format dott", "did you mean dot?",
                             "run hc t.csv --out r --format dot"},
                      Advice{"AnUnknownFormat", small_table(), "run hc t.csv --out r --format picture",
                             "known formats: csv", "run hc t.csv --out r --format csv"},
                      Advice{"AWrongGraph", "", "compare asiaa asia", "did you mean asia?", "compare asia asia"},
                      Advice{"AWrongNetwork", "", "sample asiaa -n 5", "did you mean asia?", "sample asia -n 5"},
                      Advice{"ATableForAResult", small_table(), "report t.csv",
                             "agon discover DATA --out DIR writes DIR/result.json",
                             "discover t.csv --moves 100 --out r && '" AGON_BINARY "' report r"}),
    kAdviceName);

// A graph that a format cannot hold (Python can ask for that): every format that the hint lists takes it.
TEST(HintsOfFormats, FormatsThatCan) {
  const std::vector<NamedGraph> graphs = {
      {.names = {"a", "b"}, .edges = {{"a", "b", Mark::kTail, Mark::kTail}}, .attributes = {}},
      {.names = {"a", "b"}, .edges = {{"a", "b", Mark::kCircle, Mark::kArrow}}, .attributes = {}},
      {.names = {"a", "b"}, .edges = {{"a", "b"}, {"b", "a"}}, .attributes = {}},
      {.names = {"a", "b", "c"}, .edges = {{"a", "b"}, {"b", "c"}, {"c", "a"}}, .attributes = {}},
  };
  int refused = 0;
  for (const NamedGraph& graph : graphs) {
    for (const GraphFormat& format : graph_formats()) {
      std::ostringstream out;
      try {
        write_graph(out, graph, format.name);
      } catch (const UsageError& error) {
        ++refused;
        const std::string text = error.what(), before = "hint: formats that can: ";
        ASSERT_PRED2(contains, text, before);
        std::istringstream names(text.substr(text.find(before) + before.size()));
        for (std::string name; std::getline(names >> std::ws, name, ',');) {
          EXPECT_NO_THROW(write_graph(out, graph, name)) << text << "\n" << name;
        }
      }
    }
  }
  EXPECT_GE(refused, 8);
}

TEST(HintsOfCheckpoints, EachWayOutIsOne) {
  Sandbox box;
  const std::string run = "discover asia --rows 200 --moves 2000 --quiet --checkpoint ";
  ASSERT_EQ(box.agon(run + "saved --time-limit 1ms").code, 0);
  ASSERT_TRUE(box.has("saved"));
  const Outcome other = box.agon(run + "saved --seed 5");
  EXPECT_EQ(other.code, 3);
  EXPECT_PRED2(contains, other.err,
               "hint: repeat that command, choose another folder, or remove this one to start over");
  EXPECT_EQ(box.agon(run + "elsewhere --seed 5").code, 0);
  EXPECT_EQ(box.agon(run + "saved --time-limit 1ms").code, 0);
  std::filesystem::remove_all(box.path("saved"));
  EXPECT_EQ(box.agon(run + "saved --seed 5").code, 0);
}

TEST(HintsOfCheckpoints, OneRunAtATime) {
  Sandbox box;
  const std::string run = "discover asia --rows 200 --moves 2000 --quiet --checkpoint ";
  std::filesystem::create_directory(box.path("saved"));
  const int folder = open(box.path("saved").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  ASSERT_EQ(flock(folder, LOCK_EX | LOCK_NB), 0);
  const Outcome second = box.agon(run + "saved");
  EXPECT_EQ(second.code, 3);
  EXPECT_PRED2(contains, second.err, "hint: wait for it, or choose another folder");
  EXPECT_EQ(box.agon(run + "elsewhere").code, 0);
  close(folder);
  EXPECT_EQ(box.agon(run + "saved").code, 0);
}

// Files that are no tables as text: the command of the hint makes one.
TEST(HintsOfFormats, CommandsOfTheShellWork) {
  Sandbox box;
  box.write("plain.csv", small_table());
  const auto shell = [&](const std::string& command) {
    return std::system(("cd '" + box.path("") + "' && (" + command + ") >/dev/null 2>&1").c_str());
  };
  const auto hint = [&](const std::string& file, const std::string& part) {
    const Outcome o = box.agon("run hc " + file);
    EXPECT_EQ(o.code, 3);
    EXPECT_PRED2(contains, o.err, part);
  };
  if (shell("gzip -k plain.csv") == 0) {
    hint("plain.csv.gz", "gunzip -c FILE | agon COMMAND -");
    EXPECT_EQ(shell("gunzip -c plain.csv.gz | '" AGON_BINARY "' run hc -"), 0);
  }
  if (shell("iconv -f UTF-8 -t UTF-16 plain.csv > wide.csv") == 0) {
    hint("wide.csv", "iconv -f UTF-16 -t UTF-8 OLD > NEW");
    EXPECT_EQ(shell("iconv -f UTF-16 -t UTF-8 wide.csv > narrow.csv && '" AGON_BINARY "' run hc narrow.csv"), 0);
    box.write("latin.csv", "caf\xE9,y\n1,0\n0,1\n1,1\n");
    hint("latin.csv", "iconv -f LATIN1 -t UTF-8");
    EXPECT_EQ(shell("iconv -f LATIN1 -t UTF-8 latin.csv > utf.csv && '" AGON_BINARY "' run hc utf.csv"), 0);
  }
  box.write("t.xlsx", "PK\x03\x04");
  hint("t.xlsx", "save the sheet as CSV, or read it in Python: agon.discover(pandas.read_excel(FILE))");
  box.write("t.parquet", parquet::TestFile{.columns = {parquet::test_numbers("x", {1, 2, 4, 3}),
                                                       parquet::test_numbers("y", {2, 1, 3, 5})}}
                             .bytes());
  hint("t.parquet", "add it up first: agon summarize FILE --out SUMMARY; or read it in Python: agon.discover(FILE)");
  EXPECT_EQ(box.agon("summarize t.parquet --out t.summary").code, 0);
  EXPECT_EQ(box.agon("run hc t.summary").code, 0);
}

TEST(HintsOfNotes, AFirstColumnWithoutAName) {
  Sandbox box;
  box.write("t.csv", ",x,y\n5,1,0\n9,0,1\n5,1,1\n");
  EXPECT_PRED2(contains, box.agon("run hc t.csv").err, "name it in the header, then pass --drop NAME");
  box.write("t.csv", "id,x,y\n5,1,0\n9,0,1\n5,1,1\n");
  EXPECT_EQ(box.agon("run hc t.csv --drop id").code, 0);
}

TEST(HintsOfNotes, LinesThatAreNoRows) {
  Sandbox box;
  const std::string rows = "x,y,z\n1,0,1\n0,1,1\n1,1,0\n", note = "Source: the office\n", title = "Our table\n";
  box.write("t.csv", rows + note);
  EXPECT_PRED2(contains, box.agon("run hc t.csv").err,
               "if it is a note and not a row, delete the line, or begin it with #");
  box.write("t.csv", rows + "# " + note);
  EXPECT_EQ(box.agon("run hc t.csv").code, 0);
  box.write("t.csv", title + rows);
  EXPECT_PRED2(contains, box.agon("run hc t.csv").err, "and delete a title above the names of the columns");
}

// The same numbers, with the comma read in both ways.
TEST(HintsOfNotes, ALoneGroupOfThousands) {
  Sandbox box;
  box.write("t.csv", "x;y\n1;1,234\n2;567\n3;8\n");
  EXPECT_PRED2(contains, box.agon("run hc t.csv").err, "if it separates thousands, pass --decimal point");
  EXPECT_PRED2(contains, box.agon("run hc t.csv --decimal point").err, "\"1,234\" on line 2 is read as 1234");
  EXPECT_EQ(box.agon("run hc t.csv --decimal comma").code, 0);
}

// A table without a header loses its first row; the note says how to keep it.
TEST(HintsOfNotes, ATableOfNumbersWithoutAHeader) {
  Sandbox box;
  box.write("t.csv", "1.5,2.5\n2.5,1.5\n3.5,0.5\n4.5,1.25\n");
  const Outcome o = box.agon("doctor t.csv");
  EXPECT_EQ(o.code, 0);
  EXPECT_PRED2(contains, o.err, "if it is data, pass --no-header");
  const Outcome followed = box.agon("doctor t.csv --no-header");
  EXPECT_PRED2(contains, followed.out, "4 rows, 2 columns");
  EXPECT_PRED2(lacks, followed.err, "--no-header");
}

// 110 columns of numbers would take a policy over graphs half a day.
TEST(HintsOfLearners, ALimitLetsALongRunBegin) {
  std::string text;
  for (int column = 0; column < 110; ++column) text += (column ? ",x" : "x") + std::to_string(column);
  for (int row = 0; row < 20; ++row) {
    for (int column = 0; column < 110; ++column) {
      text += (column ? "," : "\n") + std::to_string((row * 37 + column * column * 11 + row * column) % 101 + 0.5);
    }
  }
  Sandbox box;
  box.write("t.csv", text + "\n");
  const Outcome refused = box.agon("run rl-bic t.csv");
  EXPECT_EQ(refused.code, 2) << refused.err;
  EXPECT_PRED2(contains, refused.err,
               "give a time limit (--time-limit) or a number of iterations (--iterations), after which it answers "
               "with the best graph so far; GES and BOSS need seconds");
  EXPECT_EQ(box.agon("run rl-bic t.csv --iterations 1").code, 0);
}

// Every option that a finding of the doctor names, typed as it stands there: the search works, and the finding is gone.
TEST(HintsOfTheDoctor, CanBeFollowed) {
  Rng rng(5);
  std::string text = "a,b,total,pay,copy,city,country,id,\"half, or so\",row,gaps,told\n";
  for (int row = 0; row < 200; ++row) {
    const double a = 2 + rng.uniform(), b = 3 + rng.uniform();
    const int city = rng.below(8);
    const auto cell = [](double x) { return std::to_string(x); };
    text += cell(a) + "," + cell(b) + "," + cell(a + b) + "," + std::to_string(a * b) + "," + cell(2 * a) + ",c" +
            std::to_string(city) + ",l" + std::to_string(city % 3) + ",n" + std::to_string(row * 7919) + "," +
            std::to_string(rng.below(7) * 0.5) + "," + std::to_string(row + 1) + "," +
            (row % 4 ? "" : cell(rng.normal())) + "," + (city < 2 ? "" : cell(rng.normal())) + "\n";
  }
  Sandbox box;
  box.write("t.csv", text);
  const Outcome o = box.agon("doctor t.csv");
  ASSERT_EQ(o.code, 0) << o.err;
  const std::regex option("--(drop|discrete)[ =]('([^']|'\\\\'')*'|[^ .;]+)|--missing level");
  int followed = 0;
  std::istringstream lines(o.out);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("info: ") && !line.starts_with("warning: ")) continue;
    for (std::sregex_iterator at(line.begin(), line.end(), option), end; at != end; ++at) {
      const Outcome search = box.agon("run hc t.csv " + at->str());
      EXPECT_EQ(search.code, 0) << line << "\n" << at->str() << "\n" << search.err;
      const Outcome again = box.agon("doctor t.csv " + at->str());
      if (at->str() != "--missing level") {
        const std::string sentence = line.substr(line.find(": ") + 2);
        EXPECT_PRED2(lacks, again.out, sentence.substr(0, sentence.find('.'))) << at->str();
      }
      ++followed;
    }
  }
  EXPECT_GE(followed, 9) << o.out;
}

}  // namespace
}  // namespace agon::testing
