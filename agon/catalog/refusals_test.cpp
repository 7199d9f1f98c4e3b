// No answer may ignore a missing cell, a weight or the experiment of a row. Every opponent and every score either
// declares that it takes such a table or refuses it with an error that says so, and so does everything else that reads
// columns.

#include <gtest/gtest.h>

#include <functional>
#include <sstream>

#include "agon/base/error.h"
#include "agon/catalog/opponents.h"
#include "agon/catalog/scores.h"
#include "agon/certificate/plain_score.h"
#include "agon/data/capability.h"
#include "agon/data/csv.h"
#include "agon/data/doctor.h"
#include "agon/graph/fit_network.h"
#include "agon/graph/varsortability.h"
#include "agon/match/bootstrap.h"
#include "agon/match/cam_pruning.h"
#include "agon/opponent/anm.h"
#include "agon/opponent/golem.h"
#include "agon/opponent/gran_dag.h"
#include "agon/opponent/independence.h"
#include "agon/opponent/linear_weights.h"
#include "agon/opponent/lingam.h"
#include "agon/opponent/notears.h"
#include "agon/opponent/standard_table.h"
#include "agon/score/test_tables.h"

namespace agon {
namespace {

// A table that has one thing that an ordinary table does not have.
struct Unusual {
  std::string word;  // expected in the message of a refusal
  bool Capabilities::*part;
  Dataset data;
};

std::vector<Unusual> unusual(const Dataset& ordinary) {
  std::vector<Column> columns;
  for (const int node : ordinary.file_order()) columns.push_back(ordinary.column(node));
  std::vector<Column> with_gap = columns;
  with_gap[1].missing.insert(3);
  std::vector<double> weights(ordinary.rows(), 1.0);
  weights[3] = 2;
  RowInfo two{.regimes = {{.name = "seen"}, {.name = "set", .targets = {columns[1].name}}}};
  for (size_t row = 0; row < ordinary.rows(); ++row) two.regime.push_back(row < 10 ? 0 : 1);
  return {{"missing cells (columns \"" + columns[1].name + "\")", &Capabilities::missing, make_dataset(with_gap, "t")},
          {"rows with weights", &Capabilities::weights, make_dataset(columns, "t", {.weights = weights})},
          {"rows of experiments (\"seen\", \"set\")", &Capabilities::regimes, make_dataset(columns, "t", two)}};
}

std::vector<Dataset> ordinary_tables() {
  Rng rng(3);
  return {testing::random_continuous(5, 60, false, rng),
          testing::random_categorical({.variables = 5, .rows = 60, .most_levels = 4}, rng)};
}

// The message of the refusal; "" when there was none.
std::string refusal(const std::function<void()>& act) {
  try {
    act();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

void expect_refused(const std::function<void()>& act, const std::string& who, const std::string& word) {
  const std::string message = refusal(act);
  EXPECT_NE(message, "") << "gave an answer";
  EXPECT_NE(message.find(who), std::string::npos) << message;
  EXPECT_NE(message.find(word), std::string::npos) << message;
}

SearchResult propose(const OpponentEntry& entry, const Dataset& data, const LocalScore& score) {
  return entry.propose({.data = data,
                        .score = score,
                        .start = Dag(data.size()),
                        .knowledge = {},
                        .rng = Rng(0),
                        .training_steps = 20,
                        .watch = {}});
}

// An opponent must take without complaint what it declares; if it sees only the score, the cells may be anything.
TEST(Refusals, EveryOpponentTakesOrRefuses) {
  for (const Dataset& ordinary : ordinary_tables()) {
    const auto score = make_score("auto", ordinary);
    for (const Unusual& table : unusual(ordinary)) {
      for (const OpponentEntry& entry : opponent_entries()) {
        SCOPED_TRACE(entry.name + ", " + table.word);
        const auto act = [&] { propose(entry, table.data, *score); };
        if (!(entry.takes.*table.part)) {
          expect_refused(act, "the algorithm " + entry.name, table.word);
        } else {
          EXPECT_EQ(refusal(act), "");
        }
        if (entry.takes == kAnyTable) {
          EXPECT_EQ(propose(entry, table.data, *score).dag, propose(entry, ordinary, *score).dag);
        }
      }
    }
  }
}

TEST(Refusals, OpponentsThatNeedOneKindOfColumns) {
  Rng rng(4);
  std::vector<Column> columns = testing::random_continuous(3, 40, false, rng).columns();
  const auto score = make_score("auto", make_dataset(columns, "t"));
  std::vector<int> bits;
  for (int row = 0; row < 40; ++row) bits.push_back(row % 2);
  columns[0] = categorical_column(columns[0].name, bits);
  const Dataset mixed = make_dataset(columns, "t");
  for (const OpponentEntry& entry : opponent_entries()) {
    SCOPED_TRACE(entry.name);
    const std::string message = refusal([&] { propose(entry, mixed, *score); });
    EXPECT_EQ(message.empty(), entry.takes.mixed || entry.takes.two_levels) << message;
  }
  for (int row = 0; row < 40; ++row) bits[row] = row % 3;
  columns[0] = categorical_column(columns[0].name, bits);
  const Dataset three = make_dataset(columns, "t");
  for (const OpponentEntry& entry : opponent_entries()) {
    SCOPED_TRACE(entry.name);
    const std::string message = refusal([&] { propose(entry, three, *score); });
    EXPECT_EQ(message.empty(), entry.takes.mixed) << message;
    EXPECT_EQ(message.find('"' + columns[0].name + '"') == std::string::npos, entry.takes.mixed) << message;
  }
}

TEST(Refusals, EveryScoreAndItsTwinInTheCertificate) {
  for (const Dataset& ordinary : ordinary_tables()) {
    for (const ScoreEntry& entry : score_entries()) {
      const bool fits = ordinary.all_of(ColumnKind::kCategorical) ? entry.takes.categorical : entry.takes.continuous;
      if (!fits) continue;
      for (const Unusual& table : unusual(ordinary)) {
        SCOPED_TRACE(entry.name + ", " + table.word);
        if (entry.takes.*table.part) {
          EXPECT_NO_THROW(entry.make(table.data, {}));
          EXPECT_NO_THROW(entry.make_plain(table.data, {}));
          continue;
        }
        expect_refused([&] { make_score(entry.name, table.data); }, "", table.word);
        expect_refused([&] { entry.make(table.data, {}); }, "", table.word);
        expect_refused([&] { entry.make_plain(table.data, {}); }, "the certificate", table.word);
      }
    }
  }
}

// Everything else that reads cells, and what each takes beyond ordinary tables.
struct Reader {
  std::string name;
  std::function<void(const Dataset&)> read;
  Capabilities takes = kOrdinaryTables;
};

std::vector<Reader> readers(const Dataset& ordinary, const LocalScore& score) {
  Dag dag(ordinary.size());
  dag.add_edge(0, 1);
  Capabilities writer = kOrdinaryTables;
  writer.missing = true;
  Capabilities tests = kAnyTable;
  tests.regimes = false;
  Capabilities by_family = kOrdinaryTables;
  by_family.regimes = true;
  std::vector<Reader> out = {
      {"examine", [](const Dataset& d) { examine(d); }, kAnyTable},
      {"write_csv",
       [](const Dataset& d) {
         std::ostringstream text;
         write_csv(text, d);
       },
       writer},
      {"column_variances", [](const Dataset& d) { column_variances(d); }},
      {"prune_splines", [dag](const Dataset& d) { prune_splines(d, dag); }, by_family},
      {"prune_linear", [dag](const Dataset& d) { prune_linear(d, dag, 0.1); }, by_family},
      {"pruned_candidates", [dag](const Dataset& d) { pruned_candidates(d, dag, {.threads = 2}); }, by_family},
      {"spline_significance", [](const Dataset& d) { spline_significance(d, 1, {0}); }, by_family},
      {"bootstrap_edges",
       [dag](const Dataset& d) {
         bootstrap_edges(
             d, [&](const Dataset&, const Rng&, const Watch&) { return dag; }, {.resamples = 2}, {}, Rng(1));
       },
       kAnyTable},
      {"standardise", [](const Dataset& d) { standardise(d); }},
      {"covariance", [](const Dataset& d) { covariance(d, true); }},
      {"notears", [&score](const Dataset& d) { notears(d, score, {}); }},
      {"golem", [&score](const Dataset& d) { golem(d, score, {.steps = 5}); }},
      {"direct_lingam", [&score](const Dataset& d) { direct_lingam(d, score, {}); }},
      {"ica_lingam", [&score](const Dataset& d) { ica_lingam(d, score, {}, Rng(1)); }},
      {"resit", [&score](const Dataset& d) { resit(d, score, {}); }},
      {"gran_dag", [&score](const Dataset& d) { gran_dag(d, score, {.max_steps = 5}, Rng(1)); }},
      {"make_independence", [](const Dataset& d) { make_independence(d); }, tests},
  };
  if (ordinary.all_of(ColumnKind::kCategorical)) {
    Capabilities weighted = kOrdinaryTables;
    weighted.weights = true;
    out.push_back({"fit_network", [dag](const Dataset& d) { fit_network(d, dag); }, weighted});
    out.push_back({"DiscreteIndependence", [](const Dataset& d) { DiscreteIndependence{d}; }});
  } else {
    out.push_back({"FisherZ", [](const Dataset& d) { FisherZ{d}; }});
  }
  return out;
}

TEST(Refusals, EverythingElseThatReadsCells) {
  for (const Dataset& ordinary : ordinary_tables()) {
    const auto score = make_score("auto", ordinary);
    for (const Reader& reader : readers(ordinary, *score)) {
      SCOPED_TRACE(reader.name);
      EXPECT_EQ(refusal([&] { reader.read(ordinary); }), "");
      for (const Unusual& table : unusual(ordinary)) {
        if (reader.takes.*table.part) {
          EXPECT_EQ(refusal([&] { reader.read(table.data); }), "");
        } else {
          expect_refused([&] { reader.read(table.data); }, "cannot use", table.word);
        }
      }
    }
  }
}

}  // namespace
}  // namespace agon
