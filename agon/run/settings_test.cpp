#include "agon/catalog/settings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "agon/base/error.h"
#include "agon/catalog/options.h"
#include "agon/data/embedded.h"
#include "agon/report/record_json.h"
#include "agon/run/describe.h"
#include "agon/run/run.h"
#include "agon/run/verify.h"
#include "agon/score/own_score.h"
#include "agon/score/test_weights.h"

namespace agon {
namespace {

struct Few {
  explicit Few(Settings& settings) {
    settings.option(
        penalty,
        {.name = "penalty", .value = "C", .help = "factor", .range = at_least(0), .aliases = {"penaltyDiscount"}});
    settings.option(parents, {.name = "max-parents", .value = "M", .help = "most parents", .range = at_least(1)});
    settings.option(seed, seed_option());
    settings.option(plain, {.name = "no-learning", .help = "learn nothing"});
    settings.option(opponents, {.name = "opponent", .value = "NAME,...", .help = "who proposes"});
    settings.option(out, out_option("folder"));
  }
  double penalty = 1;
  int parents = 0;
  uint64_t seed = 0;
  bool plain = false;
  std::vector<std::string> opponents;
  std::string out;
};

TEST(Settings, TakeValuesByNameAliasAndWithUnderscores) {
  Settings settings;
  Few few(settings);
  settings.set("penaltyDiscount", int64_t{2});
  settings.set("max_parents", int64_t{3});
  settings.set("opponent", std::string("ges"));
  EXPECT_EQ(few.penalty, 2);
  EXPECT_EQ(few.parents, 3);
  EXPECT_EQ(few.opponents, std::vector<std::string>{"ges"});
  EXPECT_TRUE(settings.given("penalty"));
  EXPECT_FALSE(settings.given("seed"));
}

TEST(Settings, RefuseWhatIsUnknownOrOfAnotherType) {
  Settings settings;
  Few few(settings);
  EXPECT_THROW(settings.set("penality", 2.0), UsageError);
  try {
    settings.set("max_parent", int64_t{2});
    ADD_FAILURE() << "was accepted";
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "there is no option \"--max-parent\"\n  hint: did you mean --max-parents?");
  }
  EXPECT_THROW(settings.set("moves", int64_t{2}), UsageError);  // an option of other commands
  EXPECT_THROW(settings.set("penalty", -1.0), UsageError);
  EXPECT_THROW(settings.set("seed", int64_t{-1}), UsageError);
  EXPECT_THROW(settings.set("seed", 1.5), UsageError);
  EXPECT_THROW(settings.set("no-learning", int64_t{1}), UsageError);
  EXPECT_THROW(settings.set("max-parents", int64_t{1} << 40), UsageError);
  try {
    settings.set("penality", 2.0);
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("penalty"), std::string::npos) << error.what();
  }
}

TEST(Settings, InForceAreAllButTheOutputAndWhatWasLeftOut) {
  Settings settings;
  Few few(settings);
  settings.leave_out("seed");
  std::vector<std::string> names;
  for (const auto& [name, value] : settings.in_force()) names.push_back(name);
  EXPECT_EQ(names, (std::vector<std::string>{"penalty", "max-parents", "no-learning", "opponent"}));
}

TEST(Settings, AnOptionWhoseVariableIsKnownLaterIsFilledThen) {
  const Option option{.name = "width", .value = "N", .help = "width", .range = at_least(1)};
  int width = 3, unused = 3;
  Settings settings;
  settings.later(option, OptionType::kWhole, "width (1 or more; default 3)");
  EXPECT_TRUE(settings.in_force().empty());
  settings.fill(width, option);
  EXPECT_EQ(settings.in_force(), (OptionList{{"width", int64_t{3}}}));
  Settings asked;
  asked.later(option, OptionType::kWhole, "");
  EXPECT_THROW(asked.set("width", int64_t{0}), UsageError);
  EXPECT_FALSE(asked.given("width"));
  asked.set("width", int64_t{7});
  asked.fill(width, option);
  EXPECT_EQ(width, 7);
  EXPECT_EQ(asked.in_force(), (OptionList{{"width", int64_t{7}}}));
  EXPECT_THROW(asked.fill(unused, {.name = "height"}), std::logic_error);
}

// What the help says about an option is true. A number has a range. The default shown is the variable's own value and
// is in the range, or is described in words; words are used only where that value would make no sense to a reader.
TEST(Options, SayWhatHolds) {
  Settings settings;
  RunRequest request(settings, RunRequest::Kind::kMatch);
  for (const auto& bound : settings.all()) {
    const Option& option = bound->option;
    EXPECT_FALSE(option.help.empty()) << option.name;
    EXPECT_EQ(option.value.empty(), bound->type == OptionType::kFlag) << option.name;
    const bool number =
        bound->type == OptionType::kWhole || bound->type == OptionType::kNatural || bound->type == OptionType::kNumber;
    if (!bound->field) continue;  // an option of challengers: tested where it is declared
    EXPECT_TRUE(!number || option.range.stated()) << "--" << option.name << " has no range";
    const OptionValue preset = bound->field->read();
    bool sensible = !value_text(preset).empty();
    try {
      check_value(option, preset);
    } catch (const UsageError&) {
      sensible = false;
    }
    if (bound->type == OptionType::kFlag) {
      EXPECT_EQ(preset, OptionValue(false)) << option.name;
    } else if (!option.otherwise.empty()) {
      EXPECT_FALSE(sensible) << "--" << option.name << " is " << value_text(preset) << " by default: say that";
      EXPECT_NE(bound->help.find("default: " + option.otherwise + ")"), std::string::npos) << bound->help;
    } else if (sensible) {
      EXPECT_NE(bound->help.find("default " + value_text(preset) + ")"), std::string::npos) << bound->help;
    } else {
      EXPECT_TRUE(!number && value_text(preset).empty()) << "--" << option.name << " needs words for its default";
    }
  }
}

TEST(Options, EachIsSpelledOnce) {
  Settings settings;
  RunRequest request(settings, RunRequest::Kind::kMatch);
  std::set<std::string> spellings;
  for (const auto& bound : settings.all()) {
    EXPECT_TRUE(spellings.insert(bound->option.name).second) << bound->option.name;
    for (const std::string& alias : bound->option.aliases) EXPECT_TRUE(spellings.insert(alias).second) << alias;
  }
}

RunRecord discover(const OptionList& options, GivenInput given) {
  Settings settings;
  RunRequest request(settings, RunRequest::Kind::kMatch);
  for (const auto& [name, value] : options) settings.set(name, value);
  KeptJournal log;
  return run(request, std::move(given), {.log = log}).record;
}

std::shared_ptr<const LoadedData> asia() {
  LoadedData data{embedded_table("asia", 500, 1), {}};
  data.record = describe_data(data.table);
  return std::make_shared<const LoadedData>(std::move(data));
}

TEST(Discover, TakesGraphsAndKnowledgeAsTheyAre) {
  NamedGraph start;
  for (const std::string& name : asia()->table.names()) start.names.push_back(name);
  start.edges.push_back({"smoke", "lung"});
  const RunRecord found =
      discover({{"start", std::string("mine")}, {"moves", int64_t{0}}},
               {.data = asia(), .start = start, .knowledge = KnowledgeStatements{.forbidden = {{"bronc", "smoke"}}}});
  ASSERT_TRUE(found.match);
  EXPECT_EQ(found.match->opponents[0].name, "file");
  EXPECT_EQ(found.start, "mine");
  EXPECT_EQ(found.knowledge.forbidden, 1);
  EXPECT_TRUE(found.certificate && found.certificate->never_worse);
  for (const EdgeRecord& edge : found.edges) EXPECT_FALSE(edge.from == "bronc" && edge.to == "smoke");
}

// A caller's own score: minus the number of edges into a node, plus two for each parent that it likes.
class Likes : public LocalScore {
 public:
  explicit Likes(const Dataset& data) : smoke_(data.index_of("smoke")), lung_(data.index_of("lung")) {
    traits_ = {kOwnScore, false, data.size(), std::vector<bool>(data.size())};
  }
  double local(Node child, Parents parents) const override {
    double s = -static_cast<double>(parents.size());
    for (Node u : parents) s += child == lung_ && u == smoke_ ? 2 : 0;
    return s;
  }
  const ScoreTraits& traits() const override { return traits_; }

 private:
  Node smoke_, lung_;
  ScoreTraits traits_;
};

TEST(Discover, TakesAScoreOfTheCallersOwnWithoutACertificate) {
  const ScoreMaker make = [](const Dataset& data) { return std::make_unique<Likes>(data); };
  const RunRecord found = discover({{"moves", int64_t{500}}, {"threads", int64_t{1}}}, {.data = asia(), .score = make});
  EXPECT_FALSE(found.certificate);
  ASSERT_EQ(found.edges.size(), 1u);
  EXPECT_EQ(found.edges[0].from, "smoke");
  EXPECT_EQ(found.score.value, 1);
  EXPECT_NE(write_record(found).find("there is no certificate"), std::string::npos);
  EXPECT_THROW(discover({{"opponent", std::string("ges")}}, {.data = asia(), .score = make}), UsageError);
  EXPECT_THROW(discover({{"bootstrap", int64_t{3}}}, {.data = asia(), .score = make}), UsageError);
}

std::shared_ptr<const LoadedData> loaded(Dataset table) {
  LoadedData data{std::move(table), {}};
  data.record = describe_data(data.table);
  return std::make_shared<const LoadedData>(std::move(data));
}

bool verifies(const RunRecord& record, const Dataset& data) {
  return all_hold(verify_file(write_record(record), record, data, {}, "result.json"));
}

// Three levels that follow a number, and a number of noise, to which that number may add.
Dataset with_numbers(double slope = 0) {
  Rng rng(21);
  std::vector<double> cause, noise;
  std::vector<int> effect;
  for (int row = 0; row < 600; ++row) {
    cause.push_back(rng.normal());
    noise.push_back(slope * cause.back() + rng.normal());
    effect.push_back(cause.back() < -0.4 ? 0 : cause.back() < 0.5 ? 1 : 2);
    if (rng.uniform() < 0.1) effect.back() = rng.below(3);
  }
  return make_dataset(
      {continuous_column("cause", cause), continuous_column("noise", noise), categorical_column("effect", effect)},
      "numbers");
}

TEST(Discover, CutsNumbersIntoBins) {
  const Dataset data = with_numbers();
  const OptionList options = {{"score", std::string("discrete-bic")}, {"bins", int64_t{4}}, {"moves", int64_t{200}}};
  const RunRecord found = discover(options, {.data = loaded(data)});
  ASSERT_EQ(found.edges.size(), 1u);
  EXPECT_NE(found.edges[0].from, "noise");
  EXPECT_NE(found.edges[0].to, "noise");
  for (const ColumnRecord& column : found.data.columns) EXPECT_EQ(column.levels, column.name == "effect" ? 3u : 4u);
  EXPECT_TRUE(verifies(found, data));
  RunRecord other = found;
  other.options = {{"bins", int64_t{3}}};
  EXPECT_FALSE(verifies(other, data));
}

// Where the score is left open, an edge among numbers costs ln p more; a penalty, or a score by name, takes that away.
TEST(Discover, ChargesEdgesWhereItChoosesTheScore) {
  const Dataset mixed = with_numbers(0.5);  // with one edge between two numbers; others pay by their parameters
  const OptionList few = {{"moves", int64_t{200}}, {"bootstrap", int64_t{0}}};
  const RunRecord chosen = discover(few, {.data = loaded(mixed)});
  EXPECT_NEAR(chosen.score.edge_price, std::log(3.0), 1e-12);
  ASSERT_TRUE(chosen.score.next);
  EXPECT_EQ(chosen.score.next->name, "mixed-bic with penalty 2");
  EXPECT_TRUE(verifies(chosen, mixed));
  RunRecord cheaper = chosen;
  cheaper.score.edge_price = 0;
  EXPECT_FALSE(verifies(cheaper, mixed));
  for (const auto& [option, value] : OptionList{{"penalty", 1.0}, {"score", std::string("mixed-bic")}}) {
    OptionList options = few;
    options.push_back({option, value});
    EXPECT_EQ(discover(options, {.data = loaded(mixed)}).score.edge_price, 0) << option;
  }
}

// A penalty asks for a BIC.
TEST(Discover, TakesQnmlEdgesForCategoriesUnlessThereIsAPenalty) {
  const Dataset asia = embedded_table("asia", 200);
  OptionList options = {{"moves", int64_t{200}}, {"bootstrap", int64_t{0}}};
  const RunRecord chosen = discover(options, {.data = loaded(asia)});
  EXPECT_EQ(chosen.score.name, "qnml-edges");
  ASSERT_TRUE(chosen.score.next);
  EXPECT_EQ(chosen.score.next->name, "discrete-bic");
  options.push_back({"penalty", 2.0});
  EXPECT_EQ(discover(options, {.data = loaded(asia)}).score.name, "discrete-bic");
}

TEST(Discover, RefusesBinsWhereTheyWouldDoNothing) {
  Rng rng(22);
  const Dataset numbers = testing::random_continuous(3, 100, false, rng);
  for (const std::string score : {"auto", "copula-bic", "gaussian-bic"}) {
    try {
      discover({{"score", score}, {"bins", int64_t{3}}}, {.data = loaded(numbers)});
      ADD_FAILURE() << score << " takes --bins";
    } catch (const UsageError& error) {
      EXPECT_NE(std::string(error.what()).find("--bins has no effect on"), std::string::npos) << error.what();
    }
  }
  Settings settings;
  RunRequest request(settings, RunRequest::Kind::kMatch);
  EXPECT_THROW(settings.set("bins", int64_t{1}), UsageError);
  EXPECT_THROW(settings.set("bins", int64_t{21}), UsageError);
}

// From the table to the certificate and back, with the bootstrap on the way.
TEST(Discover, ATableOfCountsGetsTheAnswerOfItsRows) {
  Rng rng(23);
  const testing::CountedTable table = testing::random_counted({.variables = 6, .rows = 60, .most_levels = 3}, 20, rng);
  const OptionList options = {{"moves", int64_t{500}}, {"bootstrap", int64_t{5}}};
  for (const std::string score : {"discrete-bic", "bdeu"}) {
    OptionList with_score = options;
    with_score.push_back({"score", score});
    const RunRecord counted = discover(with_score, {.data = loaded(table.counted)});
    const RunRecord expanded = discover(with_score, {.data = loaded(table.expanded)});
    EXPECT_EQ(counted.score.name, score);
    EXPECT_EQ(counted.cpdag.directed, expanded.cpdag.directed);
    EXPECT_EQ(counted.cpdag.undirected, expanded.cpdag.undirected);
    EXPECT_NEAR(counted.score.value, expanded.score.value, 1e-9 * std::abs(expanded.score.value));
    ASSERT_TRUE(counted.certificate);
    EXPECT_TRUE(counted.certificate->never_worse && counted.certificate->one_optimal);
    EXPECT_EQ(counted.certificate->rows, table.counted.total_weight());
    EXPECT_TRUE(verifies(counted, table.counted));
  }
}

}  // namespace
}  // namespace agon
