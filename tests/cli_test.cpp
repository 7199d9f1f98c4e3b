// The program as a user meets it: exit codes, messages, files. Times are never looked at.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/ioctl.h>

#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "agon/base/rng.h"
#include "agon/catalog/opponents.h"
#include "agon/graph/formats.h"
#include "tests/program.h"
#include "tests/results.h"

namespace agon {
namespace {

using nlohmann::json;
using testing::comparable;
using testing::contains;
using testing::lacks;
using testing::Outcome;
using testing::Sandbox;
using testing::small_table;
using testing::with_columns;

// ------------------------------------------------------------------------------------------------------ usage

struct Mistake {
  std::string arguments;
  int code;
  std::string says;
};

// CLI11 is told only of the options that the words may mean.
TEST(Cli, EveryOptionOfTheHelpIsTaken) {
  Sandbox box;
  for (const std::string command : {"discover", "run", "score", "effect"}) {
    std::istringstream help(box.agon(command + " --help-all").out);
    int options = 0;
    for (std::string line; std::getline(help, line);) {
      const size_t from = line.find("--");
      if (!line.starts_with("  -") || from > 6 || line.substr(from).starts_with("--help")) continue;
      const std::string word = line.substr(from, line.find(' ', from) - from);
      ++options;
      for (const std::string& typed : {word, word + "=1"}) {
        EXPECT_TRUE(lacks(box.agon(command + " " + typed).err, "there is no option")) << command << " " << typed;
      }
    }
    EXPECT_GT(options, 5) << command;
  }
  for (const char* letters : {"-qn 3", "-n3 -q", "-q -n 3"}) {
    EXPECT_TRUE(contains(box.agon(std::string("sample asia ") + letters).out, "asia,")) << letters;
  }
}

TEST(Cli, MistakesGetASuggestion) {
  Sandbox box;
  box.write("t.csv", small_table());
  const std::vector<Mistake> mistakes = {
      {"run hc t.csv --penalti 2", 2, "did you mean --penalty?"},
      {"run hc t.csv --max-parent 2", 2, "did you mean --max-parents?"},
      {"discover t.csv --bootstraps 100", 2, "did you mean --bootstrap?"},
      {"discover t.csv --bootstrap -1", 2, "--bootstrap"},
      {"run none t.csv --bootstrap 10", 2, "no effect"},
      {"run hcc t.csv", 2, "did you mean hc?"},
      {"run t.csv", 2, "DATA is required"},
      {"discover t.csv --score discrete-bics", 2, "did you mean discrete-bic?"},
      {"discover t.csv --out r --format dott", 2, "did you mean dot?"},
      {"discover t.csv --drop w", 2, "no column \"w\""},
      {"discover t.csv --missing drop", 2, "drop-rows"},
      {"discover t.csv --delimiter commas", 2, "comma"},
      {"discover t.csv --penalty -1", 2, "--penalty"},
      {"discover t.csv --penalty two", 2, "--penalty"},
      {"discover t.csv --max-parents 0", 2, "--max-parents"},
      {"discover t.csv --threads 0", 2, "--threads"},
      {"discover t.csv --time-limit soon", 2, "60s"},
      {"discover t.csv --time-limit -5s", 2, "60s"},
      {"discovr t.csv", 2, "did you mean discover?"},
      {"t.csv", 2, "agon discover t.csv"},
      {"list scors", 2, "did you mean scores?"},
      {"sample asiaa", 3, "did you mean asia?"},
      {"sample asia -n 0", 2, "--count"},
      {"sample asia --do smok=yes", 2, "did you mean smoke?"},
      {"sample asia --do smoke=often", 2, "its levels are yes, no"},
      {"sample asia --do smoke=yes,smoke=no", 2, "set twice"},
      {"sample asia --targets lung", 2, "choose another name"},
      {"sample asia --intervention soft", 2, "no effect without --do"},
      {"", 2, "Usage"},
      // Options that would do nothing are mistakes too.
      {"discover t.csv --ess 5", 2, "no effect"},
      {"discover t.csv --score bdeu --penalty 2", 2, "no effect"},
      {"discover t.csv --format dot", 2, "no effect"},
      {"discover t.csv --prefix p", 2, "no effect"},
      {"discover t.csv --json-graph", 2, "no effect"},
      {"discover t.csv --out r --prefix a/b", 2, "--prefix"},
      {"discover sachs --data-seed 1", 2, "no effect"},
      {"discover asia --rows 0", 2, "--rows"},
      {"run none t.csv --time-limit 5s", 2, "no effect"},
      {"discover t.csv --rows 100", 2, "no effect"},
      {"discover asia --no-header", 2, "no effect"},
      {"discover asia --folder x", 2, "no effect"},
      {"discover asia --rows -5", 2, "--rows"},
      {"discover asia --seed 99999999999999999999", 2, "--seed"},
      {"run boss t.csv --start t.csv", 2, "no effect"},
      {"run file t.csv", 2, "--start"},
      {"discover dream4", 2, "Synapse"},
      {"discover dream4 --folder nowhere", 3, "nowhere"},
  };
  for (const Mistake& mistake : mistakes) {
    const Outcome o = box.agon(mistake.arguments);
    EXPECT_EQ(o.code, mistake.code) << mistake.arguments << "\n" << o.err;
    EXPECT_EQ(o.out, "") << mistake.arguments;
    EXPECT_PRED2(contains, o.err, mistake.says) << mistake.arguments;
  }
}

TEST(Cli, HelpAndVersion) {
  Sandbox box;
  EXPECT_EQ(box.agon("--version").code, 0);
  EXPECT_PRED2(contains, box.agon("--help").out, "discover");
  for (const char* command : {"discover", "run", "score", "compare", "sample", "report", "list", "doctor"}) {
    const Outcome o = box.agon(std::string(command) + " --help");
    EXPECT_EQ(o.code, 0) << command;
    EXPECT_PRED2(contains, o.out, std::string("Usage: agon ") + command);
  }
}

TEST(Cli, SpellingsOfCausalCmd) {
  Sandbox box;
  std::string text = small_table();
  for (char& c : text) c = c == ',' ? '|' : c;
  box.write("t.txt", text + "*|1|2\n");
  box.write("leave.txt", "z\n");
  const Outcome o = box.agon(
      "run --algorithm hc --dataset t.txt --delimiter pipe --data-type discrete --missing-marker '*' "
      "--missing drop-rows --exclude-var leave.txt --penaltyDiscount 2 --json --out . --prefix first --json-graph");
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_EQ(box.read("first_result.json"), o.out);
  EXPECT_TRUE(box.has("first_dag.json"));
  const json result = json::parse(o.out);
  EXPECT_EQ(result["data"]["columns"], 2);
  EXPECT_EQ(result["data"]["rows_dropped"], 1);
  EXPECT_EQ(result["run"]["options"]["penalty"], 2.0);
  EXPECT_EQ(
      json::parse(
          box.agon("run hc t.txt --na '*' --missing drop-rows --data-type continuous --json").out)["score"]["name"],
      "copula-bic");
}

// ----------------------------------------------------------------------------------------------------- results

std::string continuous_table() {
  Rng rng(7);
  std::string text = "a,b,c,d,e\n";
  for (int row = 0; row < 150; ++row) {
    const double a = rng.normal(), b = 0.8 * a + rng.normal(), c = rng.normal(), d = b + c + rng.normal();
    for (double x : {a, b, c, d}) text += std::to_string(x) + ",";
    text += std::to_string(d - a + rng.normal()) + "\n";
  }
  return text;
}

TEST(Cli, ColumnOrderChangesNothing) {
  Sandbox box;
  ASSERT_EQ(box.agon("sample asia -n 500 --seed 3 -o asia.csv").code, 0);
  const struct {
    std::string text;
    std::vector<int> order;
  } tables[] = {{box.read("asia.csv"), {7, 2, 5, 0, 1, 6, 4, 3}}, {continuous_table(), {4, 3, 2, 1, 0}}};
  for (const auto& table : tables) {
    box.write("t.csv", table.text);
    box.write("s.csv", with_columns(table.text, table.order));
    for (const OpponentEntry& algorithm : opponent_entries()) {
      if (algorithm.name == "none" || algorithm.name == "file") continue;  // they do not search
      const std::string few = algorithm.learns.empty() ? "" : " --iterations 30";
      const Outcome a = box.agon("run " + algorithm.name + " t.csv --json" + few);
      const Outcome b = box.agon("run " + algorithm.name + " s.csv --json" + few);
      ASSERT_EQ(a.code, 0) << a.err;
      ASSERT_EQ(b.code, 0) << b.err;
      EXPECT_EQ(comparable(a.out), comparable(b.out)) << algorithm.name;
      EXPECT_EQ(comparable(a.out).dump(), comparable(b.out).dump()) << algorithm.name;
      if (few.empty()) {
        EXPECT_GE(json::parse(a.out)["dag"]["edges"].size(), 4u);
      }
    }
  }
}

TEST(Cli, ThreadsChangeNothing) {
  Sandbox box;
  for (const char* algorithm : {"ges", "boss", "tabu"}) {
    const std::string command = std::string("run ") + algorithm + " child --rows 500 --json --threads ";
    const Outcome one = box.agon(command + "1");
    ASSERT_EQ(one.code, 0) << one.err;
    for (const char* threads : {"2", "4"}) {
      EXPECT_EQ(comparable(one.out).dump(), comparable(box.agon(command + threads).out).dump()) << algorithm;
    }
  }
}

TEST(Cli, ResultHasTheKeysOfTheSchema) {
  Sandbox box;
  const Outcome o = box.agon("discover asia --rows 1000 --truth asia --seed 5 --json --quiet");
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_EQ(o.err, "");
  const json r = json::parse(o.out);
  EXPECT_EQ(r["schema"], 2);
  EXPECT_EQ(r["data"]["rows"], 1000);
  EXPECT_EQ(r["data"]["columns"], 8);
  EXPECT_EQ(r["data"]["kinds"].size(), 8u);
  EXPECT_EQ(r["score"]["name"], "qnml-edges");
  EXPECT_GT(r["score"]["champion"].get<double>(), r["score"]["empty"].get<double>());
  EXPECT_GE(r["score"]["champion"].get<double>(), r["score"]["opponent"].get<double>());
  EXPECT_EQ(r["opponent"]["name"], "ges");
  EXPECT_TRUE(r["opponent"]["edges"].is_array());
  EXPECT_EQ(r["opponents"].size(), 2u);
  const json& certificate = r["certificate"];
  for (const char* claim : {"never_worse", "acyclic", "within_budget", "knowledge_kept", "one_optimal"}) {
    EXPECT_EQ(certificate[claim], true) << claim;
  }
  EXPECT_GT(certificate["neighbours_checked"], 0);
  EXPECT_EQ(certificate["optimum"]["status"], "proven");
  EXPECT_NEAR(certificate["champion_score"].get<double>(), r["score"]["champion"].get<double>(), 1e-6);
  for (const char* figure : {"candidates", "gap", "lipschitz", "n_required", "delta", "bootstrap_share"}) {
    EXPECT_TRUE(certificate["selection"].contains(figure)) << figure;
  }
  EXPECT_FALSE(r["history"].empty());
  EXPECT_EQ(r["history"].back()["score"], r["score"]["champion"]);
  EXPECT_EQ(r["run"]["seed"], 5);
  EXPECT_EQ(r["run"]["command"], "agon discover asia --rows 1000 --truth asia --seed 5 --json --quiet");
  EXPECT_EQ(r["cpdag"]["directed"].size() + r["cpdag"]["undirected"].size(), r["dag"]["edges"].size());
  EXPECT_TRUE(std::is_sorted(r["dag"]["edges"].begin(), r["dag"]["edges"].end()));
  EXPECT_EQ(r["edges"].size(), r["dag"]["edges"].size());
  for (const char* name :
       {"tpr", "fdr", "shd", "score", "shd_cpdag", "skeleton_precision", "skeleton_recall", "skeleton_f1"}) {
    EXPECT_TRUE(r["metrics"][name].is_number()) << name;
    EXPECT_TRUE(r["metrics"]["class_mean"][name].is_number()) << name;
    EXPECT_TRUE(r["metrics"]["controls"]["empty"][name].is_number()) << name;
    EXPECT_TRUE(r["metrics"]["controls"]["random"][name].is_number()) << name;
  }
}

TEST(Cli, ConfidenceAgreesWithTheGraphShown) {
  Sandbox box;
  const std::string command = "discover asia --rows 500 --moves 1000 --bootstrap 20 --seed 2 --json --quiet ";
  const Outcome o = box.agon(command + "--threads 1 --out r");
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_EQ(comparable(o.out)["edges"], comparable(box.agon(command + "--threads 2").out)["edges"]);
  const json r = json::parse(o.out);
  EXPECT_EQ(r["bootstrap"]["resamples"], 20);
  EXPECT_EQ(r["run"]["options"]["bootstrap"], 20);
  ASSERT_EQ(r["edges"].size(), r["dag"]["edges"].size());
  for (const json& edge : r["edges"]) {
    const json& c = edge["shares"];
    EXPECT_NEAR(c["edge"].get<double>(),
                c["forward"].get<double>() + c["backward"].get<double>() + c["open"].get<double>(), 1e-9);
    for (const json& pair : r["bootstrap"]["pairs"]) {  // the same pair says the same
      const bool along = pair["a"] == edge["from"] && pair["b"] == edge["to"];
      const bool against = pair["b"] == edge["from"] && pair["a"] == edge["to"];
      if (!along && !against) continue;
      EXPECT_EQ(pair["edge"], c["edge"]);
      EXPECT_EQ(pair[along ? "forward" : "backward"], c["forward"]);
    }
  }
  const Outcome text = box.agon("run ges asia --rows 500 --numberResampling 10");
  for (const char* part : {"P(edge)  P(->)  P(<-)", "shares of 10 resamples of the rows (each searched by ges"}) {
    EXPECT_PRED2(contains, text.out, part);
  }
}

TEST(Cli, DiscoverImprovesTheGraphThatIsGivenAndAnyOpponent) {
  Sandbox box;
  box.write("poor.csv", "from,to\nasia,smoke\n");
  const json given = json::parse(box.agon("discover asia --start poor.csv --json --quiet").out);
  EXPECT_EQ(given["opponent"]["name"], "file");
  EXPECT_EQ(given["opponent"]["edges"], json::parse(R"([["asia", "smoke"]])"));
  EXPECT_GT(given["score"]["champion"].get<double>(), given["score"]["opponent"].get<double>());
  EXPECT_PRED2(contains, given["run"]["found_by"].get<std::string>(), "local");
  const json league = json::parse(box.agon("discover asia --opponent none,tabu --moves 1000 --json --quiet").out);
  EXPECT_EQ(league["opponents"].size(), 2u);
  EXPECT_EQ(league["opponent"]["name"], "tabu");
  EXPECT_EQ(box.agon("discover asia --opponent boss --start poor.csv").code, 2);
  EXPECT_EQ(box.agon("discover asia --opponent file").code, 2);
  EXPECT_EQ(box.agon("discover asia --opponent ges,ges").code, 2);
  EXPECT_EQ(box.agon("discover asia --moves -3").code, 2);
  EXPECT_EQ(box.agon("discover asia --prune yes").code, 2);
  const json pruned =
      json::parse(box.agon("discover asia --rows 300 --opponent grandag --prune cam --moves 1000 --json --quiet").out);
  EXPECT_EQ(pruned["opponent"]["name"], "grandag");
  EXPECT_TRUE(pruned["certificate"]["never_worse"]);
  EXPECT_EQ(pruned["run"]["options"]["prune"], "cam");
  EXPECT_PRED2(contains, box.agon("discover asia --opponent gse").err, "did you mean ges?");
}

TEST(Cli, ScoreOfTheWrittenGraphIsTheScoreOfTheRun) {
  Sandbox box;
  box.write("t.csv", continuous_table());
  const Outcome run = box.agon("run hc t.csv --out r --json --score gaussian-bic --penalty 2");
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(box.read("r/result.json"), run.out);
  const Outcome score = box.agon("score r/dag.csv t.csv --json --score gaussian-bic --penalty 2");
  ASSERT_EQ(score.code, 0) << score.err;
  const json r = json::parse(run.out), s = json::parse(score.out);
  EXPECT_EQ(s["score"], "gaussian-bic");
  EXPECT_EQ(s["total"], r["score"]["value"]);
  double sum = 0;
  for (const json& node : s["nodes"]) sum += node.get<double>();
  EXPECT_NEAR(sum, s["total"].get<double>(), 1e-9);
  // A member of its class scores the same.
  const json c = json::parse(box.agon("score r/cpdag.csv t.csv --json --score gaussian-bic --penalty 2").out);
  EXPECT_NEAR(c["total"].get<double>(), r["score"]["value"].get<double>(), 1e-7);
}

TEST(Cli, EveryFormatIsReadBack) {
  Sandbox box;
  std::string all;
  for (const GraphFormat& format : graph_formats()) all += (all.empty() ? "" : ",") + format.name;
  const Outcome run = box.agon("run hc asia --rows 1000 --out r --format " + all);
  ASSERT_EQ(run.code, 0) << run.err;
  for (const GraphFormat& format : graph_formats()) {
    const std::string stem = "." + format.name == format.extension ? "" : "." + format.name;
    const Outcome o = box.agon("compare r/result.json r/dag" + stem + format.extension + " --json");
    ASSERT_EQ(o.code, 0) << format.name << o.err;
    EXPECT_EQ(json::parse(o.out)["shd"], 0) << format.name;
    EXPECT_GE(json::parse(o.out)["counts"]["correct"], 5) << format.name;
    EXPECT_EQ(box.has("r/cpdag" + stem + format.extension), format.holds_undirected) << format.name;
  }
}

TEST(Cli, StartIsKeptWhenNothingImprovesIt) {
  Sandbox box;
  ASSERT_EQ(box.agon("run hc asia --rows 1000 --out r").code, 0);
  const Outcome o = box.agon("run hc asia --rows 1000 --start r/dag.csv --json");
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_EQ(json::parse(o.out)["run"]["moves"], 0);
  EXPECT_EQ(json::parse(o.out)["dag"], json::parse(box.read("r/result.json"))["dag"]);
}

TEST(Cli, CompareKnowsTheTruthOfEmbeddedSets) {
  Sandbox box;
  box.write("g.txt",
            "[asia][smoke][tub|asia][lung|smoke][bronc|smoke][either|tub:lung][xray|either][dysp|bronc:either]");
  const json m = json::parse(box.agon("compare asia g.txt --json").out);
  EXPECT_EQ(m["shd"], 0);
  EXPECT_EQ(m["tpr"], 1);
  EXPECT_EQ(m["shd_cpdag"], 0);
  EXPECT_LT(m["class_mean"]["tpr"], 1);  // asia has reversible edges
  EXPECT_EQ(m["credited"]["tpr"], 1);
  EXPECT_EQ(m["credited"]["score"], 1);
  EXPECT_EQ(m["controls"]["empty"]["shd"], 8);
  EXPECT_PRED2(contains, box.agon("compare asia g.txt").out, "SHD of CPDAGs");
}

TEST(Cli, CyclicTruthAllowsEdgeMeasures) {
  Sandbox box;
  box.write("truth.csv", "from,to\na,b\nb,c\nc,a\n");
  box.write("g.csv", "from,to\na,b\nc,b\n");
  const Outcome o = box.agon("compare truth.csv g.csv --json");
  ASSERT_EQ(o.code, 0) << o.err;
  const json m = json::parse(o.out);
  EXPECT_EQ(m["shd"], 2);
  EXPECT_TRUE(m["shd_cpdag"].is_null());
  EXPECT_PRED2(contains, box.agon("compare truth.csv g.csv").out, "has a cycle");
}

TEST(Cli, SamplesAreRepeatable) {
  Sandbox box;
  const std::string first = box.agon("sample asia -n 50 --seed 4").out;
  EXPECT_EQ(box.agon("sample asia -n 50 --seed 4").out, first);
  EXPECT_NE(box.agon("sample asia -n 50 --seed 5").out, first);
  EXPECT_EQ(std::count(first.begin(), first.end(), '\n'), 51);
}

// Rows of an experiment can be put behind those of observation, and the arrow at the target is then determined.
TEST(Cli, SamplesOfExperimentsAreReadByDiscover) {
  Sandbox box;
  const Outcome watched = box.agon("sample asia -n 4000 --targets set");
  for (const std::string kind : {"perfect", "soft"}) {
    const std::string settings = "--intervention " + kind + " --targets set -n 3000";
    const Outcome done = box.agon("sample asia --do bronc=yes " + settings);
    ASSERT_EQ(done.code, 0) << done.err;
    EXPECT_EQ(box.agon("sample asia --do bronc=yes,smoke=no " + settings).out,
              box.agon("sample asia --do smoke=no --do bronc=yes " + settings).out);
    EXPECT_PRED2(contains, done.out, ",bronc\n");
    box.write("both.csv", watched.out + done.out.substr(done.out.find('\n') + 1));
    const Outcome o =
        box.agon("run ges both.csv --targets set --within none --intervention " + kind + " --json --quiet");
    ASSERT_EQ(o.code, 0) << o.err;
    const json directed = json::parse(o.out)["cpdag"]["directed"];
    EXPECT_NE(std::find(directed.begin(), directed.end(), json::array({"smoke", "bronc"})), directed.end()) << directed;
  }
}

TEST(Cli, DoctorFindsTheInstallationWhole) {
  Sandbox box;
  const Outcome o = box.agon("doctor");
  EXPECT_EQ(o.code, 0);
  EXPECT_PRED2(contains, o.out, "All is well.");
  EXPECT_PRED2(lacks, o.out, "WRONG");
}

// Above 60 columns a page has the effects between near nodes, and says that others are not in it.
TEST(Cli, APageOfManyColumnsHasTheNearestEffects) {
  Sandbox box;
  Rng rng(9);
  std::string text;
  std::vector<int> cell(80);
  for (int row = -1; row < 2500; ++row) {
    for (int v = 0; v < 80; ++v) {
      cell[v] = v == 0 || rng.below(4) == 0 ? rng.below(2) : cell[v - 1];  // a chain
      text += (v ? "," : "") + (row < 0 ? "v" + std::to_string(v) : std::to_string(cell[v]));
    }
    text += "\n";
  }
  box.write("t.csv", text);
  box.write("chain.csv", "v9,v8,required\n");
  ASSERT_EQ(box.agon("run ges t.csv --knowledge chain.csv --out r").code, 0);
  const std::string page = box.read("r/report.html");
  const size_t begin = page.find("id=\"effects\"");
  ASSERT_NE(begin, std::string::npos);
  const std::string effects = page.substr(begin, page.find("</script>", begin) - begin);
  EXPECT_PRED2(contains, effects, "\"complete\":false");
  EXPECT_PRED2(contains, effects, "\"of\":\"v9\",\"on\":\"v8\"");
  EXPECT_PRED2(lacks, effects, "\"of\":\"v9\",\"on\":\"v60\"");
}

TEST(Cli, ReportIsWrittenAndCanBeWrittenAgain) {
  Sandbox box;
  const Outcome o = box.agon("discover asia --rows 500 --moves 500 --out r");
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_PRED2(contains, o.err, "wrote r/result.json, report.html, ");
  const std::string page = box.read("r/report.html");
  EXPECT_PRED2(contains, page, "<!DOCTYPE html>");
  EXPECT_EQ(box.agon("report r asia --rows 500 -o again.html").out, "again.html\n");
  EXPECT_EQ(box.read("again.html"), page);
  EXPECT_EQ(box.agon("report r/result.json asia --rows 500 -o -").out, page);
  const std::string from_record = box.agon("report r -o -").out;  // without the table, all but the effects
  EXPECT_PRED2(contains, page, "id=\"effects\"");
  EXPECT_PRED2(contains, from_record, "id=\"result\"");
  EXPECT_PRED2(lacks, from_record, "id=\"effects\"");
  const Outcome plain = box.agon("report r --plain");
  EXPECT_EQ(plain.out, "r/report.html\n");
  EXPECT_PRED2(lacks, box.read("r/report.html"), "<script");
  box.write("other.json", "{}");
  EXPECT_EQ(box.agon("report other.json").code, 3);
  EXPECT_EQ(box.agon("report nowhere").code, 3);
}

TEST(Cli, ListsEverything) {
  Sandbox box;
  const std::string all = box.agon("list").out;
  for (const char* word : {"andes", "hc", "tabu", "copula-bic", "graphml"}) EXPECT_PRED2(contains, all, word);
}

// Columns of noise, in which a search that may take many parents is busy for a long time.
std::string noise_table(int columns, int rows) {
  Rng rng(3);
  std::string text;
  for (int k = 0; k < columns; ++k) text += (k ? ",v" : "v") + std::to_string(k);
  for (int row = 0; row < rows; ++row) {
    text += "\n";
    for (int k = 0; k < columns; ++k) text += (k ? "," : "") + std::to_string(rng.normal());
  }
  return text + "\n";
}

// The result of a run that is sent SIGINT, once, when its log first shows `sign`.
json interrupted(Sandbox& box, std::vector<std::string> arguments, const std::string& sign) {
  const std::string out = box.path("out.json"), err = box.path("err.txt");
  const pid_t child = fork();
  if (child == 0) {
    dup2(open(out.c_str(), O_WRONLY | O_CREAT, 0600), STDOUT_FILENO);
    dup2(open(err.c_str(), O_WRONLY | O_CREAT, 0600), STDERR_FILENO);
    std::string program = "agon";
    std::vector<char*> words{program.data()};
    for (std::string& argument : arguments) words.push_back(argument.data());
    words.push_back(nullptr);
    execv(AGON_BINARY, words.data());
    _exit(127);
  }
  int status = 0;
  bool asked = false;
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (!asked && contains(box.read("err.txt"), sign)) {
      kill(child, SIGINT);
      asked = true;
    }
    usleep(20000);
  }
  EXPECT_TRUE(asked) << box.read("err.txt");
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 130);
  return json::parse(box.read("out.json"), nullptr, false);
}

// A search that would run for a long time ends when asked to, with the best so far.
TEST(Cli, InterruptWritesTheBestSoFar) {
  Sandbox box;
  box.write("t.csv", noise_table(400, 500));
  const json r = interrupted(
      box, {"run", "tabu", box.path("t.csv"), "--penalty", "0", "--max-parents", "100", "--json"}, " edges, best ");
  ASSERT_TRUE(r.is_object());
  EXPECT_EQ(r["run"]["stopped_by"], "interrupted");
  EXPECT_GT(r["dag"]["edges"].size(), 0u);
}

// So does a match, and its champion has a certificate all the same.
TEST(Cli, InterruptedMatchHasACertificate) {
  Sandbox box;
  box.write("t.csv", noise_table(60, 200));
  const json r = interrupted(box,
                             {"discover", box.path("t.csv"), "--penalty", "0.3", "--opponent", "none", "--moves",
                              "1000000000", "--bootstrap", "5", "--json", "--out", box.path("r")},
                             "play: ");
  ASSERT_TRUE(r.is_object());
  EXPECT_EQ(r["run"]["stopped_by"], "interrupted");
  EXPECT_EQ(r["certificate"]["never_worse"], true);
  EXPECT_EQ(r["certificate"]["one_optimal"], true);
  EXPECT_GT(r["score"]["champion"].get<double>(), r["score"]["opponent"].get<double>());
  EXPECT_EQ(r["bootstrap"]["resamples"], 0);
  EXPECT_EQ(r["bootstrap"]["stopped_by"], "interrupted");
  EXPECT_TRUE(box.has("r/report.html"));
}

// Whoever waits for a table on standard input is heard too; there is nothing to write then.
TEST(Cli, InterruptEndsTheReading) {
  Sandbox box;
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const std::string err = box.path("err.txt"), folder = box.path("r");
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[0], STDIN_FILENO);
    close(ends[1]);
    dup2(open(err.c_str(), O_WRONLY | O_CREAT, 0600), STDERR_FILENO);
    execl(AGON_BINARY, "agon", "discover", "-", "--out", folder.c_str(), nullptr);
    _exit(127);
  }
  const std::string table = "a,b\n1,2\n";
  ASSERT_EQ(write(ends[1], table.data(), table.size()), static_cast<ssize_t>(table.size()));
  for (int unread = 1; unread > 0; usleep(5000)) ASSERT_EQ(ioctl(ends[0], FIONREAD, &unread), 0);
  kill(child, SIGINT);  // it has read what there is, and waits for more
  int status = 0;
  waitpid(child, &status, 0);
  close(ends[0]);
  close(ends[1]);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 130);
  EXPECT_PRED2(contains, box.read("err.txt"), "interrupted while <stdin> was read");
  EXPECT_FALSE(box.has("r"));
}

// The answer comes first and on one screen; how it came about is for those who ask.
TEST(Cli, EdgesComeFirstAndDetailsOnRequest) {
  Sandbox box;
  const std::string run = "discover asia --rows 1000 --moves 2000 --bootstrap 5";
  const Outcome brief = box.agon(run), full = box.agon(run + " --verbose");
  EXPECT_EQ(brief.out.find("  from "), 0u);
  EXPECT_PRED2(contains, brief.out, "certificate  derived again from the data: never worse");
  EXPECT_EQ(brief.err, "");
  EXPECT_LE(std::count(brief.out.begin(), brief.out.end(), '\n'), 30);
  for (const char* part : {"predicted: about", "ges: forward phase"}) EXPECT_PRED2(contains, full.err, part);
  for (const char* part : {"opponent ges", "Never worse: the champion"}) EXPECT_PRED2(contains, full.out, part);
  EXPECT_EQ(box.agon(run + " --verbose --quiet").code, 2);
}

TEST(Cli, QuietKeepsWarningsAboutTheData) {
  Sandbox box;
  box.write("t.csv", "0,1,1\n0,1,0\n1,1,1\n0,0,1\n");
  EXPECT_PRED2(contains, box.agon("discover t.csv --moves 10 --quiet").err, "pass --no-header");
  EXPECT_EQ(box.agon("discover asia --moves 10 --quiet").err, "");
}

// Whether there is a bootstrap depends on the table, not on the clock; --bootstrap decides otherwise.
TEST(Cli, ASmallBootstrapIsUsual) {
  Sandbox box;
  const auto asked = [&](const std::string& words) {
    const json r = json::parse(box.agon("discover " + words + " --json --quiet").out);
    return r.contains("bootstrap") ? r["bootstrap"]["asked"].get<int>() : 0;
  };
  EXPECT_EQ(asked("asia --rows 500 --moves 300000"), 50);
  EXPECT_EQ(asked("asia --rows 500 --moves 300000 --bootstrap 0"), 0);
  EXPECT_FALSE(json::parse(box.agon("run ges asia --json --quiet").out).contains("bootstrap"));
}

// Reaching a limit is an answer like any other, and it is said.
TEST(Cli, TimeLimitIsNoError) {
  Sandbox box;
  box.write("t.csv", noise_table(60, 200));
  const Outcome o = box.agon("discover t.csv --penalty 0.3 --opponent none --moves 1000000000 --time-limit 300ms");
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_PRED2(contains, o.out, "(time limit)");
  EXPECT_PRED2(contains, o.out, "never worse");
}

}  // namespace
}  // namespace agon
