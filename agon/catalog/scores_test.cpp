#include "agon/catalog/scores.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <set>

#include "agon/base/error.h"
#include "agon/catalog/options.h"
#include "agon/certificate/certificate.h"
#include "agon/certificate/plain_families.h"
#include "agon/certificate/plain_set_scores.h"
#include "agon/match/match.h"
#include "agon/opponent/hill_climbing.h"
#include "agon/score/edge_price.h"
#include "agon/score/test_weights.h"

namespace agon {
namespace {

// What every score promises, so that a new entry is tested before its author writes a test: here and in the tests that
// loop over the entries with the opponents.

// Tables of every kind that the score takes: many rows and few, many levels, constant columns, repeated rows.
std::vector<Dataset> tables_for(const Capabilities& takes, Rng& rng) {
  std::vector<Dataset> out;
  if (takes.categorical) {
    out.push_back(testing::random_categorical({.variables = 6, .rows = 300, .most_levels = 4}, rng));
    out.push_back(testing::random_categorical({.variables = 8, .rows = 7, .most_levels = 3}, rng));
    out.push_back(testing::random_categorical({.variables = 5, .rows = 40, .most_levels = 30}, rng));
    out.push_back(testing::random_categorical({.variables = 6, .rows = 20, .most_levels = 3, .copies = 30}, rng));
  }
  if (takes.categorical && takes.weights) {
    out.push_back(testing::random_counted({.variables = 6, .rows = 30, .most_levels = 3}, 20, rng).counted);
    out.push_back(testing::random_weighted({.variables = 6, .rows = 200, .most_levels = 4}, 0, rng));
    out.push_back(testing::random_weighted({.variables = 6, .rows = 200, .most_levels = 4}, 0.3, rng));
  }
  if (takes.continuous) {
    out.push_back(testing::random_continuous(6, 300, false, rng));
    out.push_back(testing::random_continuous(5, 12, false, rng));
    std::vector<Column> columns = testing::random_continuous(5, 100, false, rng).columns();
    columns.push_back(continuous_column("constant", std::vector<double>(100, 2.5)));
    out.push_back(make_dataset(std::move(columns), "random"));
  }
  return out;
}

ScoreOptions random_options(const ScoreEntry& entry, Rng& rng) {
  ScoreOptions options;
  for (const ScoreParameter& parameter : entry.parameters) {
    const OptionField field = parameter.field(options);
    if (field.type == OptionType::kNumber) field.take(rng.uniform(0.3, 4));
    const bool or_word = field.type == OptionType::kNumber && !parameter.option.choices.empty();
    if (or_word && rng.below(2) == 0) field.take(parameter.option.choices[0]);
    if (field.type == OptionType::kWhole) field.take(int64_t{1} + rng.below(2));
    if (field.type == OptionType::kText) field.take(parameter.option.choices[rng.below(2)]);
  }
  return options;
}

void for_each_table(const std::function<void(const ScoreEntry&, const Dataset&, const ScoreOptions&, Rng&)>& check) {
  for (const ScoreEntry& entry : score_entries()) {
    Rng rng = Rng(71).split(entry.name);
    for (const Dataset& data : tables_for(entry.takes, rng)) {
      SCOPED_TRACE(entry.name + ", " + std::to_string(data.rows()) + " rows");
      check(entry, data, random_options(entry, rng), rng);
    }
  }
}

::testing::AssertionResult near(double plain, double fast, double rounding) {
  if (std::abs(plain - fast) <= 1e-9 * (1 + std::abs(fast)) + rounding) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << plain << " and " << fast << " differ by " << plain - fast;
}

TEST(Scores, EntriesSayWhatTheScoresSay) {
  std::set<std::string> names;
  for_each_table([&](const ScoreEntry& entry, const Dataset& data, const ScoreOptions& options, Rng&) {
    names.insert(entry.name);
    const auto score = entry.make(data, options);
    EXPECT_EQ(score->traits().name, entry.name);
    EXPECT_EQ(score->traits().score_equivalent, entry.score_equivalent);
    EXPECT_EQ(score->traits().max_parents, entry.max_parents(data));
    EXPECT_EQ(score->size(), data.size());
    ScoreOptions capped = options;
    capped.max_parents = 2;
    EXPECT_EQ(entry.make(data, capped)->traits().max_parents, 2);
  });
  EXPECT_EQ(names.size(), score_entries().size()) << "a name appears twice, or a score takes no kind of columns";
  for (const ScoreEntry& entry : score_entries()) {
    EXPECT_FALSE(entry.formula.empty() || entry.source.empty() || entry.summary.empty()) << entry.name;
    for (const ScoreParameter& parameter : entry.parameters) {
      EXPECT_FALSE(parameter.option.help.empty()) << parameter.option.name;
      ScoreOptions defaults;
      EXPECT_NO_THROW(check_value(parameter.option, parameter.field(defaults).read())) << "the default is out of range";
    }
  }
}

TEST(Scores, AgreeWithTheirPlainScorersToNineDigits) {
  for_each_table([](const ScoreEntry& entry, const Dataset& data, const ScoreOptions& options, Rng& rng) {
    const auto fast = entry.make(data, options);
    const auto plain = entry.make_plain(data, options);
    ASSERT_EQ(plain->size(), data.size());
    for (Node v = 0; v < data.size(); ++v) EXPECT_EQ(plain->is_constant(v), fast->traits().constant[v]);
    for (int trial = 0; trial < 6; ++trial) {
      const Dag dag = testing::random_dag(data.size(), 0.3, rng);
      const plain::Value value = plain::total(*plain, dag);
      EXPECT_TRUE(near(value.score, total(*fast, dag), value.rounding));
    }
  });
}

// A proof bounds graphs from values of sets where the plain scorer has them, and otherwise family by family. Either way
// the lower bound of a graph is below its score, and not by much.
TEST(Scores, AreBoundedTightlyForProofs) {
  for_each_table([](const ScoreEntry& entry, const Dataset& data, const ScoreOptions& options, Rng& rng) {
    const auto plain = entry.make_plain(data, options);
    for (int trial = 0; trial < 3; ++trial) {
      Dag dag = testing::random_dag(data.size(), 0.3, rng);
      for (const Edge e : dag.edges()) {  // a constant column has no edges in any graph that is proved
        if (plain->is_constant(e.from) || plain->is_constant(e.to)) dag.remove_edge(e.from, e.to);
      }
      const plain::Value value = plain::total(*plain, dag);
      if (value.score == plain::kUndefined) continue;
      const double below = static_cast<double>(score_below(*plain, dag)) / static_cast<double>(plain::kUnits);
      const double room = value.rounding + 1e-9 * (1 + std::abs(value.score));
      EXPECT_LE(below, value.score + room);
      EXPECT_GE(below, value.score - room - 1e-3);
    }
  });
}

TEST(Scores, HaveValuesOfSetsWhereProofsNeedThem) {
  Rng rng(3);
  const Dataset categories = testing::random_categorical({.variables = 4, .rows = 100, .most_levels = 3}, rng);
  const Dataset numbers = testing::random_continuous(4, 100, false, rng);
  for (const std::string name : {"discrete-bic", "qnml", "qnml-edges"}) {
    EXPECT_NE(score_entry(name).make_plain(categories, {})->set_scores(0), nullptr) << name;
  }
  for (const std::string name : {"gaussian-bic", "copula-bic"}) {
    EXPECT_NE(score_entry(name).make_plain(numbers, {})->set_scores(0), nullptr) << name;
  }
  EXPECT_EQ(score_entry("bdeu").make_plain(categories, {})->set_scores(0), nullptr);
}

// A move changes the local scores of the nodes whose parents it changes, and nothing else; the batch calls of the score
// agree.
TEST(Scores, AreSumsOfLocalScores) {
  for_each_table([](const ScoreEntry& entry, const Dataset& data, const ScoreOptions& options, Rng& rng) {
    const auto fast = entry.make(data, options);
    const auto plain = entry.make_plain(data, options);
    const Dag dag = testing::random_dag(data.size(), 0.2, rng);
    const double before = plain::total(*plain, dag).score;
    std::vector<double> gains(data.size()), twin(data.size());
    std::vector<ParentGain> best, positive;
    for (Node to = 0; to < data.size(); ++to) {
      const std::vector<Node> parents = dag.parent_list(to);
      fast->addition_gains(to, parents, gains);
      plain_addition_gains(*fast, to, parents, twin);
      fast->positive_additions(to, parents, best);
      sort_positive(gains, positive);
      EXPECT_EQ(best, positive);
      for (Node from = 0; from < data.size(); ++from) {
        if (gains[from] == kNoGain) {  // not valid, or beyond what the score lets a family hold
          const Node candidate = from;
          const bool possible = from != to && !dag.has_edge(from, to);
          EXPECT_TRUE(twin[from] == kNoGain ||
                      (possible && plain->additions(to, parents, {&candidate, 1})[0].score == plain::kUndefined));
          continue;
        }
        EXPECT_NEAR(gains[from], twin[from], 1e-9 * (1 + std::abs(before)));
        if (dag.has_edge(to, from)) continue;  // the reversed edge too would be a cycle
        Dag after = dag;
        after.add_edge(from, to);
        const plain::Value value = plain::total(*plain, after);
        EXPECT_NEAR(gains[from], value.score - before, 1e-9 * (1 + std::abs(before)) + value.rounding);
      }
    }
  });
}

// An edge is covered when its two ends have the same parents apart from the edge itself. Reversing a covered edge stays
// in the class, and such steps reach every member (Chickering 1995).
TEST(Scores, AreEquivalentWhereClaimed) {
  int reversed = 0;
  for_each_table([&](const ScoreEntry& entry, const Dataset& data, const ScoreOptions& options, Rng& rng) {
    if (!entry.score_equivalent) return;
    const auto score = entry.make(data, options);
    for (int trial = 0; trial < 4; ++trial) {
      const Dag dag = testing::random_dag(data.size(), 0.4, rng);
      const double before = total(*score, dag);
      for (const Edge& edge : dag.edges()) {
        std::vector<Node> parents = dag.parent_list(edge.to);
        std::erase(parents, edge.from);
        if (parents != dag.parent_list(edge.from)) continue;
        if (score->traits().constant[edge.from] || score->traits().constant[edge.to]) continue;
        Dag other = dag;
        other.apply({MoveKind::kReverse, edge.from, edge.to});
        EXPECT_NEAR(total(*score, other), before, 1e-9 * (1 + std::abs(before)));
        ++reversed;
      }
    }
  });
  EXPECT_GT(reversed, 50);
}

TEST(Scores, RefuseParametersOutOfRange) {
  for (const ScoreEntry& entry : score_entries()) {
    for (const ScoreParameter& parameter : entry.parameters) {
      const Option& option = parameter.option;
      for (const double value : {-1.0, std::numeric_limits<double>::infinity(), std::nan("")}) {
        ScoreOptions options;
        const OptionType type = parameter.field(options).type;
        if (type == OptionType::kText || (type == OptionType::kWhole && value != -1)) continue;
        ASSERT_FALSE(option.range.holds(value));
        const OptionValue given = type == OptionType::kWhole ? OptionValue(int64_t{-1}) : OptionValue(value);
        ASSERT_TRUE(parameter.field(options).take(given));
        try {
          check_parameters(entry, options);
          ADD_FAILURE() << entry.name << " takes " << option.name << " " << value;
        } catch (const UsageError& error) {
          const std::string text = error.what();
          EXPECT_NE(text.find(option.name), std::string::npos) << text;
          EXPECT_NE(text.find(option.range.text()), std::string::npos) << text;
        }
      }
      EXPECT_NO_THROW(check_parameters(entry, {}));
    }
  }
}

TEST(Scores, RefuseTablesTheyCannotTake) {
  Rng rng(72);
  const Dataset words = testing::random_categorical({.variables = 3, .rows = 50, .most_levels = 4}, rng);
  const Dataset numbers = testing::random_continuous(3, 50, false, rng);
  for (const ScoreEntry& entry : score_entries()) {
    if (entry.takes.categorical) {
      EXPECT_EQ(&choose_score(entry.name, words), &entry);
    } else {
      EXPECT_THROW(choose_score(entry.name, words), InputError) << entry.name;
    }
    if (entry.takes.continuous) {
      EXPECT_EQ(&choose_score(entry.name, numbers), &entry);
    } else {
      EXPECT_THROW(choose_score(entry.name, numbers), InputError) << entry.name;
    }
  }
  EXPECT_EQ(choose_score("auto", words).name, "qnml-edges");
  EXPECT_EQ(choose_score("auto", numbers).name, "copula-bic");
  EXPECT_THROW(choose_score("discrete-bics", words), UsageError);
}

// The library and the command line agree on what a default score is.
TEST(Scores, TheDefaultChargesForEdgesAmongNumbers) {
  Rng rng(71);
  const Dataset numbers = testing::random_continuous(3, 200, false, rng);
  const Dataset words = testing::random_categorical({.variables = 3, .rows = 200, .most_levels = 3}, rng);
  EXPECT_NEAR(edge_price(*make_score("auto", numbers)), std::log(3), 1e-12);
  EXPECT_EQ(edge_price(*make_score("auto", numbers, {.penalty = 2})), 0);  // options are taken as they stand
  EXPECT_EQ(edge_price(*make_score("copula-bic", numbers)), 0);
  EXPECT_GT(edge_price(*make_score("auto", words)), 0);  // qnml-edges, which always does
  RowInfo experiments = {.regimes = {{.name = "seen"}, {.name = "set", .targets = {numbers.column(0).name}}}};
  for (size_t row = 0; row < numbers.rows(); ++row) experiments.regime.push_back(row % 2);
  EXPECT_NEAR(edge_price(*make_score("auto", make_dataset(numbers.columns(), "t", experiments))), std::log(3), 1e-12);
  experiments.regimes[1].targets = {words.column(0).name};
  EXPECT_EQ(edge_price(*make_score("auto", make_dataset(words.columns(), "t", experiments))), 0);  // discrete-bic
}

// Weights, missing cells and experiments are refused by every score that does not declare that it takes them.
TEST(Scores, RefuseRowsTheyCannotTake) {
  for_each_table([](const ScoreEntry& entry, const Dataset& data, const ScoreOptions&, Rng&) {
    const auto takes = [&](std::vector<Column> columns, const RowInfo& rows) {
      const Dataset table = make_dataset(std::move(columns), "t", rows);
      try {
        choose_score(entry.name, table);
      } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find(entry.name), std::string::npos) << error.what();
        return false;
      }
      return true;
    };
    EXPECT_TRUE(takes(data.columns(), {}));
    EXPECT_EQ(takes(data.columns(), {.weights = std::vector<double>(data.rows(), 2.0)}), entry.takes.weights);
    std::vector<Column> gaps = data.columns();
    gaps[0].missing.insert(data.rows() - 1);
    EXPECT_EQ(takes(gaps, {}), entry.takes.missing);
    RowInfo experiments = {.regimes = {{.name = "seen"}, {.name = "set", .targets = {data.column(0).name}}}};
    for (size_t row = 0; row < data.rows(); ++row) experiments.regime.push_back(row % 2);
    EXPECT_EQ(takes(data.columns(), experiments), entry.takes.regimes);
  });
}

TEST(Scores, ConstantColumnsAreOfNoKind) {
  Rng rng(73);
  std::vector<Column> columns =
      testing::random_categorical({.variables = 4, .rows = 50, .most_levels = 4}, rng).columns();
  columns.push_back(continuous_column("one", std::vector<double>(50, 1.0)));
  EXPECT_EQ(choose_score("auto", make_dataset(columns, "t")).name, "qnml-edges");
  const RowInfo twice = {.weights = std::vector<double>(50, 2.0)};
  EXPECT_EQ(choose_score("auto", make_dataset(columns, "t", twice)).name, "qnml-edges");
  std::vector<Column> gaps = columns;
  gaps[0].missing.insert(7);
  EXPECT_EQ(default_score(make_dataset(gaps, "t")).name, "discrete-bic");
  columns.push_back(testing::random_continuous(1, 50, false, rng).column(0));
  columns.back().name = "number";
  EXPECT_EQ(choose_score("auto", make_dataset(columns, "t")).name, "mixed-bic");
}

// A small match under every score gets a certificate, and every guarantee holds.
TEST(Scores, MatchesAreCertified) {
  for_each_table([](const ScoreEntry& entry, const Dataset& data, const ScoreOptions& options, Rng& rng) {
    const auto scorer = entry.make_plain(data, options);
    const auto score = entry.make(data, options);
    const Entrant climber{"hc", [&](const Watch& watch, const OpponentResults&) {
                            return hill_climb(*score, Dag(data.size()), {}, watch);
                          }};
    const MatchResult match = play_match(*score, {climber}, {.moves = 300, .round_moves = 100}, {}, rng.split("match"));
    const Certificate certificate = certify({.data = data,
                                             .scorer = *scorer,
                                             .max_parents = score->traits().max_parents,
                                             .opponents = {match.opponents[0].result.dag},
                                             .champion = match.champion,
                                             .candidates = match.candidates,
                                             .knowledge = Knowledge(),
                                             .edge_budget = match.edge_budget},
                                            {.resamples = 5});
    EXPECT_EQ(violations(certificate, data.names()), std::vector<std::string>{});
    EXPECT_TRUE(certificate.one_optimal);
    EXPECT_TRUE(near(certificate.champion_score, match.score, plain::total(*scorer, match.champion).rounding));
    EXPECT_FALSE(certificate.selection.assumptions.empty());
  });
}

}  // namespace
}  // namespace agon
