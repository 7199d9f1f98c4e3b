#include "agon/graph/fit_network.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <tuple>

#include "agon/base/error.h"
#include "agon/data/bif.h"
#include "agon/data/embedded.h"

namespace agon {
namespace {

TEST(FitNetwork, CountsByHand) {
  // b = 1 in 3 of 4 rows with a = 1, and in no row with a = 0; c is never 2 with a = 0.
  const Dataset data =
      make_dataset({categorical_column("b", {1, 1, 1, 0, 0, 0}), categorical_column("a", {1, 1, 1, 1, 0, 0}),
                    categorical_column("c", {0, 1, 2, 0, 0, 1})},
                   "hand");
  Dag dag(3);
  dag.add_edge(data.index_of("a"), data.index_of("b"));
  const BayesNet net = fit_network(data, dag);
  EXPECT_EQ(net.names, (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(net.parents[1], std::vector<int>{0});
  const std::vector<double> expected = {(2 + 0.25) / 2.5, (0 + 0.25) / 2.5, (1 + 0.25) / 4.5, (3 + 0.25) / 4.5};
  ASSERT_EQ(net.tables[1].size(), 4u);
  for (size_t k = 0; k < 4; ++k) EXPECT_NEAR(net.tables[1][k], expected[k], 1e-15) << k;
  EXPECT_NEAR(net.tables[2][2], (1 + 1.0 / 3) / 7, 1e-15);
  EXPECT_EQ(network_size(data, dag), 4 + 2 + 3);
}

TEST(FitNetwork, WeightsStandForRepeatedRows) {
  const std::vector<Column> columns = {categorical_column("b", {1, 1, 0, 0}), categorical_column("a", {1, 0, 1, 0})};
  const Dataset counted = make_dataset(columns, "t", {.weights = {3, 1, 2, 4}});
  const std::vector<size_t> rows = {0, 0, 0, 1, 2, 2, 3, 3, 3, 3};
  Dag dag(2);
  dag.add_edge(counted.index_of("a"), counted.index_of("b"));
  EXPECT_EQ(fit_network(counted, dag), fit_network(with_rows(make_dataset(columns, "t"), rows), dag));
}

TEST(FitNetwork, FindsTheNetworkThatWasSampledAndIsReadBack) {
  const Dataset data = embedded_table("asia", 50000);
  Dag dag(data.size());
  for (const auto& [from, to] : embedded_truth("asia")) dag.add_edge(data.index_of(from), data.index_of(to));
  const BayesNet net = fit_network(data, dag);
  std::vector<std::string> names = embedded_network("asia").names;
  std::sort(names.begin(), names.end());
  EXPECT_EQ(net.names, names);
  EXPECT_EQ(net.edge_count(), 8);
  std::ostringstream text;
  write_bif(text, net);
  EXPECT_EQ(parse_bif(text.str(), "written"), net);
  // P(dysp = yes | bronc, either), one configuration after the other, as published: 0.9, 0.8, 0.7, 0.1.
  const int dysp = net.index_of("dysp"), bronc = net.index_of("bronc"), either = net.index_of("either");
  ASSERT_EQ(net.parents[dysp], (std::vector<int>{bronc, either}));
  const auto yes = [&](int v) { return static_cast<size_t>(net.levels[v][0] == "yes" ? 0 : 1); };
  for (const auto& [has_bronc, has_either, p] : {std::tuple(1, 1, 0.9), {1, 0, 0.8}, {0, 1, 0.7}, {0, 0, 0.1}}) {
    const size_t configuration =
        2 * (has_bronc ? yes(bronc) : 1 - yes(bronc)) + (has_either ? yes(either) : 1 - yes(either));
    EXPECT_NEAR(net.tables[dysp][2 * configuration + yes(dysp)], p, 0.02);
  }
}

TEST(FitNetwork, RefusesNumbers) {
  const Dataset data = embedded_table("sachs", 20);
  EXPECT_THROW(fit_network(data, Dag(data.size())), InputError);
}

}  // namespace
}  // namespace agon
