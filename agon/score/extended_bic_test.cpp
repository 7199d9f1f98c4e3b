#include "agon/score/extended_bic.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "agon/graph/test_graphs.h"
#include "agon/score/gaussian_score.h"
#include "agon/score/mixed_score.h"
#include "agon/score/test_tables.h"

namespace agon {
namespace {

// python3 -c "from math import log; print(log(100) - log(1000) / 2, (1 - log(1000) / (2 * log(100))) * log(100))"
TEST(ExtendedBic, Golden) {
  EXPECT_NEAR(extended_bic_price(100, 1000), 1.151292546497023, 1e-12);
  EXPECT_NEAR(extended_bic_price(50, 100), 1.6094379124341003, 1e-12);  // ln 5
  EXPECT_EQ(extended_bic_price(10, 100), 0);                            // p = sqrt(n)
  EXPECT_EQ(extended_bic_price(20, 5000), 0);
  EXPECT_EQ(extended_bic_price(1, 0.5), 0);
}

TEST(ExtendedBic, WithoutAPriceItIsTheScoreItself) {
  Rng rng(1);
  const Dataset data = testing::random_continuous(4, 100, false, rng);
  auto score = std::make_unique<MixedBic>(data);
  const LocalScore* before = score.get();
  const auto same = extended_bic(std::move(score), 100);
  EXPECT_EQ(same.get(), before);
  EXPECT_EQ(&without_price(*same), before);
  EXPECT_EQ(price_of(*same), 0);
}

// Seven columns, 20 rows and one column that does not vary: a price of ln 7 - 1/2 ln 20.
struct Pair {
  Dataset data;
  std::unique_ptr<LocalScore> plain, extended;
  double price = std::log(7) - 0.5 * std::log(20);
};

// GaussianBic takes the price by itself, others through extended_bic().
Pair some_pair(bool gaussian, Rng& rng) {
  std::vector<Column> columns = testing::random_continuous(7, 20, false, rng).columns();
  columns.push_back(continuous_column("constant", std::vector<double>(20, 1)));
  Pair out{make_dataset(std::move(columns), "t"), nullptr, nullptr};
  if (gaussian) {
    const auto make = [&](bool extended) {
      return std::make_unique<GaussianBic>(out.data, GaussianBic::Scale::kRaw, ScoreOptions{.extended = extended});
    };
    out.plain = make(false);
    out.extended = make(true);
  } else {
    out.plain = std::make_unique<MixedBic>(out.data);
    out.extended = extended_bic(std::make_unique<MixedBic>(out.data), 20);
  }
  return out;
}

RC_GTEST_PROP(ExtendedBic, ChargesByTheEdge, ()) {
  Rng rng(*rc::gen::arbitrary<uint64_t>());
  const Pair t = some_pair(*rc::gen::arbitrary<bool>(), rng);
  RC_ASSERT(std::abs(price_of(*t.extended) - t.price) < 1e-12);
  Dag dag = testing::random_dag(8, 0.2, rng);
  const Node constant = t.data.index_of("constant");
  for (const Edge e : dag.edges()) {
    if (e.from == constant || e.to == constant) dag.remove_edge(e.from, e.to);
  }
  RC_PRE(dag.edge_count() > 0);
  RC_ASSERT(std::abs(total(*t.plain, dag) - t.price * dag.edge_count() - total(*t.extended, dag)) < 1e-9);
  for (const Dag& member : test::members_by_walk(dag)) {
    RC_ASSERT(std::abs(total(*t.extended, member) - total(*t.extended, dag)) < 1e-6);
  }
}

RC_GTEST_PROP(ExtendedBic, TheBatchCallsAreTheirPlainTwins, ()) {
  Rng rng(*rc::gen::arbitrary<uint64_t>());
  const Pair t = some_pair(*rc::gen::arbitrary<bool>(), rng);
  const Node child = *rc::gen::inRange(0, 8);
  std::vector<Node> parents;
  for (Node v = 0; v < 8; ++v) {
    if (v != child && parents.size() < 2 && rng.uniform() < 0.3 && !t.plain->traits().constant[v]) parents.push_back(v);
  }
  std::vector<double> fast(8), slow(8), removed(parents.size()), expected(parents.size());
  const auto near = [](double a, double b) { return a == b || std::abs(a - b) < 1e-8; };
  RC_ASSERT(
      near(t.extended->addition_gains(child, parents, fast), plain_addition_gains(*t.extended, child, parents, slow)));
  for (Node v = 0; v < 8; ++v) RC_ASSERT(near(fast[v], slow[v]));
  t.extended->removal_gains(child, parents, removed);
  plain_removal_gains(*t.extended, child, parents, expected);
  for (size_t k = 0; k < parents.size(); ++k) RC_ASSERT(near(removed[k], expected[k]));
  std::vector<double> both(8), both_removed(parents.size());
  t.extended->column_gains(child, parents, both, both_removed);
  RC_ASSERT(both == fast);
  RC_ASSERT(both_removed == removed);
  std::vector<ParentGain> best;
  t.extended->positive_additions(child, parents, best);
  size_t positive = 0;
  for (const double gain : fast) positive += gain > 1e-9;
  RC_ASSERT(best.size() == positive);
  for (const ParentGain& one : best) RC_ASSERT(near(one.gain, fast[one.node]));
}

}  // namespace
}  // namespace agon
