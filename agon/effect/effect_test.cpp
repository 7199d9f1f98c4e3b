#include "agon/effect/effect.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <map>

#include "agon/base/distributions.h"
#include "agon/base/error.h"
#include "agon/base/linear_algebra.h"
#include "agon/data/embedded.h"
#include "agon/data/moment_table.h"
#include "agon/effect/counted_effect.h"
#include "agon/graph/equivalence.h"
#include "agon/graph/test_graphs.h"

namespace agon {
namespace {

// z -> x -> y <- z, and g, a category that moves y. Numbers with odd units.
Dataset small_table(size_t rows, RowInfo info = {}) {
  Rng rng(1);
  std::vector<double> x, y, z;
  std::vector<int> g;
  for (size_t k = 0; k < rows; ++k) {
    z.push_back(100 + 7 * rng.normal());
    g.push_back(rng.below(3));
    x.push_back(0.5 * z.back() + rng.normal() + g.back());
    y.push_back(-3 * x.back() + 2 * z.back() + 4 * (g.back() == 1) + 5 * rng.normal());
  }
  std::vector<Column> columns = {continuous_column("x", x), continuous_column("y", y), continuous_column("z", z),
                                 categorical_column("g", g, {"a", "b", "c"})};
  return make_dataset(std::move(columns), "small", std::move(info));
}

struct Fit {
  double value, error;
};

// Least squares on the rows as they are, by Q R; the first column after the intercept is asked about.
Fit least_squares_fit(const Dataset& data, Node y, const std::vector<std::vector<double>>& columns,
                      const std::vector<size_t>& rows) {
  const Eigen::Index n = static_cast<Eigen::Index>(rows.size()), m = static_cast<Eigen::Index>(columns.size()) + 1;
  Eigen::MatrixXd a(n, m);
  Eigen::VectorXd b(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const size_t row = rows[static_cast<size_t>(i)];
    const double root = std::sqrt(data.weight(row));
    a(i, 0) = root;
    for (Eigen::Index j = 1; j < m; ++j) a(i, j) = root * columns[static_cast<size_t>(j - 1)][row];
    b(i) = root * data.column(y).values[row];
  }
  const Eigen::VectorXd solution = least_squares(a, b);
  const Eigen::VectorXd residual = b - a * solution;
  double n_weighted = 0;
  for (const size_t row : rows) n_weighted += data.weight(row);
  const double variance = residual.squaredNorm() / (n_weighted - static_cast<double>(m));
  const Eigen::MatrixXd inverse = inverse_symmetric(transpose_product(a, a));
  return {solution(1), std::sqrt(variance * inverse(1, 1))};
}

std::vector<double> indicator(const Dataset& data, Node v, uint32_t level) {
  std::vector<double> out;
  for (size_t row = 0; row < data.rows(); ++row) out.push_back(data.column(v).codes[row] == level);
  return out;
}

std::vector<size_t> all_rows(const Dataset& data) {
  std::vector<size_t> out(data.rows());
  for (size_t k = 0; k < out.size(); ++k) out[k] = k;
  return out;
}

TEST(LinearEffects, AreThoseOfLeastSquares) {
  RowInfo weighted;
  for (int k = 0; k < 300; ++k) weighted.weights.push_back(1 + k % 3);
  for (const Dataset& data : {small_table(300), small_table(300, weighted)}) {
    const Node x = data.index_of("x"), y = data.index_of("y"), z = data.index_of("z"), g = data.index_of("g");
    const Fit truth = least_squares_fit(
        data, y, {data.column(x).values, data.column(z).values, indicator(data, g, 0), indicator(data, g, 1)},
        all_rows(data));
    std::vector<Node> set = {z, g};
    std::sort(set.begin(), set.end());
    const EffectFigures found = LinearEffects(data).estimate(x, y, {.set = set, .paths = {y}});
    EXPECT_NEAR(found.change[0].value, truth.value, 1e-10);
    EXPECT_NEAR(found.change[0].error, truth.error, 1e-10);
    const double half = truth.error * student_quantile(0.95, data.total_weight() - 5);
    EXPECT_NEAR(found.change[0].low, truth.value - half, 1e-9);
    EXPECT_TRUE(found.has_sign);
    EXPECT_LT(found.standardised, 0);
  }
}

// A category as the cause: the difference of two levels is the coefficient of the indicator of one beside the other.
TEST(LinearEffects, OfACategory) {
  const Dataset data = small_table(300);
  const Node x = data.index_of("x"), y = data.index_of("y"), z = data.index_of("z"), g = data.index_of("g");
  std::vector<Node> set = {x, z};
  std::sort(set.begin(), set.end());
  const EffectFigures found = LinearEffects(data).estimate(g, y, {.set = set, .paths = {y}}, {"a", "b"});
  const Fit truth = least_squares_fit(
      data, y, {indicator(data, g, 1), indicator(data, g, 2), data.column(x).values, data.column(z).values},
      all_rows(data));
  EXPECT_NEAR(found.change[0].value, truth.value, 1e-9);
  EXPECT_NEAR(found.change[0].error, truth.error, 1e-9);
  EXPECT_NEAR(found.under[1][0].value - found.under[0][0].value, truth.value, 1e-9);
  EXPECT_FALSE(found.has_sign);
}

// The probabilities of the levels of an outcome sum to 1, and their changes to 0.
TEST(LinearEffects, OnACategory) {
  const Dataset data = small_table(300);
  const Node x = data.index_of("x"), g = data.index_of("g");
  const EffectFigures found = LinearEffects(data).estimate(x, g, {.set = {}, .paths = {g}});
  double sum = 0;
  for (const Estimate& change : found.change) sum += change.value;
  EXPECT_NEAR(sum, 0, 1e-12);
  Dataset with_indicator = [&] {
    std::vector<Column> columns = {data.column(x), continuous_column("b", indicator(data, g, 1))};
    return make_dataset(std::move(columns), "small");
  }();
  const Fit truth = least_squares_fit(with_indicator, with_indicator.index_of("b"),
                                      {with_indicator.column(with_indicator.index_of("x")).values}, all_rows(data));
  EXPECT_NEAR(found.change[1].value, truth.value, 1e-12);
  EXPECT_NEAR(found.change[1].error, truth.error, 1e-12);
}

// Rows of experiments that set the outcome are left out; those that set the cause are used.
TEST(LinearEffects, LeaveOutRowsThatSetTheOutcome) {
  RowInfo info;
  info.regimes = {{.name = "look"}, {.name = "set x", .targets = {"x"}}, {.name = "set y", .targets = {"y"}}};
  for (int k = 0; k < 300; ++k) info.regime.push_back(static_cast<uint32_t>(k % 3));
  const Dataset data = small_table(300, info);
  const Node x = data.index_of("x"), y = data.index_of("y"), z = data.index_of("z");
  std::vector<size_t> rows;
  for (size_t k = 0; k < 300; ++k) {
    if (k % 3 != 2) rows.push_back(k);
  }
  const Fit truth = least_squares_fit(data, y, {data.column(x).values, data.column(z).values}, rows);
  const EffectFigures found = LinearEffects(data).estimate(x, y, {.set = {z}, .paths = {y}});
  EXPECT_NEAR(found.change[0].value, truth.value, 1e-9);
  EXPECT_NEAR(found.change[0].error, truth.error, 1e-9);
  EXPECT_EQ(found.rows, 200);
}

// A gap in a column that has no part in the question leaves the estimate as it is, up to the noise floor of EM.
TEST(LinearEffects, TakeMissingCells) {
  const Dataset whole = small_table(300);
  std::vector<Column> columns;
  for (const int v : whole.file_order()) columns.push_back(whole.column(v));
  for (size_t row = 0; row < 300; row += 7) columns[3].missing.insert(row);
  const Dataset data = make_dataset(std::move(columns), "small");
  const Node x = data.index_of("x"), y = data.index_of("y"), z = data.index_of("z");
  const Adjustment adjustment{.set = {z}, .paths = {y}};
  const Estimate with = LinearEffects(data).estimate(x, y, adjustment).change[0];
  const Estimate without = LinearEffects(whole).estimate(x, y, adjustment).change[0];
  EXPECT_NEAR(with.value, without.value, 1e-3);
  EXPECT_NEAR(with.error, without.error, 1e-3);
}

TEST(LinearEffects, SayWhenTheSetDeterminesTheCause) {
  std::vector<double> x, y;
  Rng rng(2);
  for (int k = 0; k < 50; ++k) {
    x.push_back(rng.normal());
    y.push_back(rng.normal());
  }
  const Dataset data =
      make_dataset({continuous_column("x", x), continuous_column("copy", x), continuous_column("y", y)}, "copied");
  const EffectFigures found = LinearEffects(data).estimate(
      data.index_of("x"), data.index_of("y"), {.set = {data.index_of("copy")}, .paths = {data.index_of("y")}});
  EXPECT_FALSE(found.known());
  ASSERT_EQ(found.warnings.size(), 1u);
  EXPECT_NE(found.warnings[0].find("determine x"), std::string::npos);
}

// A weighted DAG with unit noise, as its covariance matrix: what pcalg's trueCov() gives. Nodes are "1" to "6".
struct Weighted6 {
  Dag dag;
  Dataset data;
};
Weighted6 weighted(const std::vector<std::tuple<int, int, double>>& edges) {
  Eigen::MatrixXd step = Eigen::MatrixXd::Identity(6, 6);
  for (const auto& [from, to, weight] : edges) step(from - 1, to - 1) = -weight;
  const Eigen::MatrixXd total = invert(step).inverse;  // by cause and outcome
  const Eigen::MatrixXd covariance = total.transpose() * total;
  std::string text = ",1,2,3,4,5,6\n";
  for (int a = 0; a < 6; ++a) {
    text += std::to_string(a + 1);
    for (int b = 0; b < 6; ++b) text += fmt::format(",{}", covariance(a, b));
    text += "\n";
  }
  Weighted6 out{Dag(6), read_covariance_text(text, "published", {.rows = 1000}).data};
  for (const auto& [from, to, weight] : edges) {
    out.dag.add_edge(out.data.index_of(std::to_string(from)), out.data.index_of(std::to_string(to)));
  }
  return out;
}

// The example of jointIda() in "An Overview of the pcalg Package for R" (Kalisch, Hauser, Maathuis & Mächler), section
// 3.2.2: nodes 1 and 2 set, node 6 read. It prints 0.99 and 0.40 for the DAG; for its class 0.99, 0 (-1.1e-15), 0.99
// with 0.40 each, one column for each set of parents of node 1 (5, 3, none).
TEST(Published, JointIdaOfPcalg) {
  const Weighted6 made = weighted({{1, 3, 1.1},
                                   {1, 4, 0.3},
                                   {2, 6, 0.4},
                                   {3, 2, 0.6},
                                   {3, 4, 0.8},
                                   {3, 6, 0.9},
                                   {4, 2, 0.5},
                                   {5, 1, 0.2},
                                   {5, 4, 0.7}});
  const EffectTable table(made.data);
  const EffectQuestion question{.causes = {made.data.index_of("1"), made.data.index_of("2")},
                                .outcome = made.data.index_of("6")};
  const EffectAnswer exact = effect(CausalClass(Pdag(made.dag)), table, question);
  ASSERT_TRUE(exact.identified);
  EXPECT_NEAR(exact.list[0].joint[0].value, 0.99, 1e-12);
  EXPECT_NEAR(exact.list[0].joint[1].value, 0.40, 1e-12);
  const EffectAnswer open = effect(CausalClass(cpdag_of(made.dag).pdag()), table, question);
  std::map<int, double> share;  // by the effect of node 1, in hundredths
  for (const EffectEntry& entry : open.list) {
    share[static_cast<int>(std::lround(100 * entry.joint[0].value))] += entry.share;
    EXPECT_NEAR(entry.joint[1].value, 0.40, 1e-12);
  }
  ASSERT_EQ(share.size(), 2u);
  EXPECT_NEAR(share.at(99), 2.0 / 3, 1e-12);
  EXPECT_NEAR(share.at(0), 1.0 / 3, 1e-12);
}

// Section 3.2.3 there: the effect of node 6 on node 3, for which backdoor() gives the set 1, 2. In this class 6 is no
// cause of 3, so that the effect is 0 and nothing is adjusted for; given 1 and 2 the two are independent, as it says.
TEST(Published, BackdoorOfPcalg) {
  const Weighted6 made = weighted({{1, 3, 1.0},
                                   {1, 4, 1.0},
                                   {1, 6, 1.0},
                                   {2, 3, 1.0},
                                   {2, 4, 1.0},
                                   {2, 6, 1.0},
                                   {3, 5, 1.0},
                                   {4, 5, 1.0},
                                   {4, 6, 1.0}});
  const Node six = made.data.index_of("6"), three = made.data.index_of("3");
  std::vector<Node> set = {made.data.index_of("1"), made.data.index_of("2")};
  std::sort(set.begin(), set.end());
  const EffectAnswer answer =
      effect(CausalClass(cpdag_of(made.dag).pdag()), EffectTable(made.data), {.causes = {six}, .outcome = three});
  ASSERT_TRUE(answer.identified);
  EXPECT_TRUE(answer.list[0].none);
  EXPECT_TRUE(is_valid_adjustment(made.dag, six, three, set));
  EXPECT_NEAR(EffectTable(made.data).estimate(six, three, {.set = set, .paths = {three}}).change[0].value, 0, 1e-12);
}

// A distribution over binary nodes with a DAG, as a table of all configurations, each with its probability for a
// weight.
struct Population {
  Dag dag;
  std::vector<std::vector<double>> second;  // by node, then by configuration of its parents: P(second level)
  Dataset data;

  double probability(Node v, size_t row) const {
    size_t at = 0;
    for (const Node q : dag.parent_list(v)) at = 2 * at + (row >> q & 1);
    return row >> v & 1 ? second[v][at] : 1 - second[v][at];
  }
};

Population random_population(int p, Rng& rng) {
  Population out{test::random_dag(p, 0.6, rng), {}, {}};
  for (Node v = 0; v < p; ++v) {
    out.second.emplace_back();
    for (size_t k = 0; k < size_t{1} << out.dag.parent_list(v).size(); ++k) {
      out.second.back().push_back(0.1 + 0.8 * rng.uniform());
    }
  }
  std::vector<std::vector<int>> codes(p);
  RowInfo info;
  for (size_t row = 0; row < size_t{1} << p; ++row) {
    double weight = 1;
    for (Node v = 0; v < p; ++v) {
      weight *= out.probability(v, row);
      codes[v].push_back(static_cast<int>(row >> v & 1));
    }
    info.weights.push_back(1e6 * weight);
  }
  // Columns are sorted by a hash of their names, so the nodes take names in that order.
  std::vector<std::string> names;
  for (int k = 0; static_cast<int>(names.size()) < p; ++k) names.push_back("v" + std::to_string(k));
  std::vector<Column> plain;
  for (Node v = 0; v < p; ++v) plain.push_back(categorical_column(names[v], codes[v], {"0", "1"}));
  const Dataset order = make_dataset(plain, "order");
  for (Node v = 0; v < p; ++v) names[v] = order.column(v).name;
  std::vector<Column> columns;
  for (Node v = 0; v < p; ++v) columns.push_back(categorical_column(names[v], codes[v], {"0", "1"}));
  out.data = make_dataset(std::move(columns), "population", std::move(info));
  return out;
}

// P(y = second | do(causes)) by the truncated factorisation, summed over all configurations. `setting` has a bit per
// cause, the first the highest.
double truncated(const Population& all, const std::vector<Node>& causes, Node outcome, size_t setting) {
  double sum = 0;
  for (size_t row = 0; row < size_t{1} << all.dag.size(); ++row) {
    double product = row >> outcome & 1 ? 1 : 0;
    for (size_t i = 0; i < causes.size(); ++i) {
      if ((row >> causes[i] & 1) != (setting >> (causes.size() - 1 - i) & 1)) product = 0;
    }
    for (Node v = 0; v < all.dag.size() && product > 0; ++v) {
      if (std::find(causes.begin(), causes.end(), v) == causes.end()) product *= all.probability(v, row);
    }
    sum += product;
  }
  return sum;
}

// Categories set together, on populations: the estimate is the truncated factorisation, whether one set adjusts for all
// causes or the rows are weighed; and among the possible effects of the class is that of its DAG, with the same figures
// for every member.
TEST(CountedEffects, OfSeveralCausesAreTheTruncatedFactorisation) {
  Rng rng(8);
  int adjusted = 0, weighed = 0, none = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const int p = 4 + rng.below(3);
    const Population all = random_population(p, rng);
    const Node outcome = rng.below(p);
    std::vector<Node> causes;
    for (Node v = 0; v < p && causes.size() < 3; ++v) {
      if (v != outcome && rng.below(2)) causes.push_back(v);
    }
    if (causes.size() < 2) continue;
    const EffectTable table(all.data);
    const EffectQuestion question{.causes = causes, .outcome = outcome};
    for (const bool whole_class : {false, true}) {
      const CausalClass graphs(whole_class ? cpdag_of(all.dag) : Pdag(all.dag));
      const EffectSet possible = possible_effects(graphs, all.data, question);
      const EffectAnswer answer = effect(graphs, table, question);
      ASSERT_EQ(answer.list.size(), possible.list.size());
      bool found = false;
      for (size_t e = 0; e < answer.list.size(); ++e) {
        const EffectEntry& entry = answer.list[e];
        bool is_it = true;
        for (size_t setting = 0; setting < size_t{1} << causes.size(); ++setting) {
          const double value = truncated(all, causes, outcome, setting);
          const double here = entry.none ? truncated(all, {}, outcome, 0) : entry.figures.under[setting][1].value;
          is_it = is_it && std::abs(here - value) < 1e-9;
        }
        EXPECT_TRUE(is_it || whole_class);
        found = found || is_it;
        (entry.none ? none : possible.list[e].by_parents ? weighed : adjusted) += !whole_class;
      }
      EXPECT_TRUE(found);
    }
  }
  EXPECT_GT(adjusted, 30);
  EXPECT_GT(weighed, 5);
  EXPECT_GT(none, 0);
}

// Two causes, a -> b -> y and a -> y, set together: each has its direct effect alone.
TEST(LinearEffects, OfSeveralCauses) {
  Rng rng(3);
  std::vector<double> a, b, y;
  for (int k = 0; k < 20000; ++k) {
    a.push_back(rng.normal());
    b.push_back(2 * a.back() + rng.normal());
    y.push_back(-1 * a.back() + 3 * b.back() + rng.normal());
  }
  const Dataset data =
      make_dataset({continuous_column("a", a), continuous_column("b", b), continuous_column("y", y)}, "three");
  const Node na = data.index_of("a"), nb = data.index_of("b"), ny = data.index_of("y");
  const Dag dag = dag_from_edges(3, {{na, nb}, {na, ny}, {nb, ny}}).value();
  const CausalClass graphs{Pdag(dag)};
  const EffectTable table(data);
  EffectQuestion question{.causes = {na, nb}, .outcome = ny};
  EffectAnswer answer = effect(graphs, table, question);
  ASSERT_TRUE(answer.identified);
  EXPECT_NEAR(answer.list[0].joint[0].value, -1, 0.05);
  EXPECT_NEAR(answer.list[0].joint[1].value, 3, 0.05);
  resample_intervals(answer, possible_effects(graphs, question.causes, ny).list, table, question, 40, 1, Rng(0));
  EXPECT_LT(answer.list[0].joint[0].low, -1);
  EXPECT_GT(answer.list[0].joint[0].high, -1);
  question.causes = {na};
  EXPECT_NEAR(effect(graphs, table, question).list[0].figures.change[0].value, 5, 0.05);
}

// Simpson's paradox, as a table of counts. Stones are small (z = 0) or large; treatment a is given to the large ones.
//   small: a 81 of 87 recover, b 234 of 270; large: a 192 of 263, b 55 of 80 (Charig et al. 1986, BMJ 292).
Dataset kidney_stones() {
  std::vector<int> x, y, z;
  std::vector<double> weights;
  const auto add = [&](int size, int treatment, int recovered, double count) {
    z.push_back(size);
    x.push_back(treatment);
    y.push_back(recovered);
    weights.push_back(count);
  };
  add(0, 0, 1, 81), add(0, 0, 0, 6), add(0, 1, 1, 234), add(0, 1, 0, 36);
  add(1, 0, 1, 192), add(1, 0, 0, 71), add(1, 1, 1, 55), add(1, 1, 0, 25);
  RowInfo info;
  info.weights = weights;
  return make_dataset(
      {categorical_column("treatment", x, {"a", "b"}), categorical_column("recovered", y, {"no", "yes"}),
       categorical_column("size", z, {"small", "large"})},
      "stones", info);
}

TEST(CountedEffect, OfKidneyStones) {
  const Dataset data = kidney_stones();
  const Node x = data.index_of("treatment"), y = data.index_of("recovered"), z = data.index_of("size");
  const EffectFigures adjusted = counted_effect(data, x, y, {.set = {z}, .paths = {y}});
  const double small = 357.0 / 700, large = 343.0 / 700;
  const double a = small * 81 / 87 + large * 192 / 263, b = small * 234 / 270 + large * 55 / 80;
  EXPECT_NEAR(adjusted.under[0][1].value, a, 1e-12);
  EXPECT_NEAR(adjusted.under[1][1].value, b, 1e-12);
  EXPECT_NEAR(adjusted.change[1].value, b - a, 1e-12);
  EXPECT_LT(adjusted.change[1].value, 0);  // a is better
  EXPECT_LT(adjusted.standardised, 0);
  // Without the size of the stones it looks worse.
  EXPECT_NEAR(counted_effect(data, x, y, {.set = {}, .paths = {y}}).change[1].value, 289.0 / 350 - 273.0 / 350, 1e-12);
}

// In a sample of a network, P(y | do(x)) is near that of the network under the experiment, within its interval.
TEST(CountedEffect, OfASampledNetwork) {
  const BayesNet net = embedded_network("asia");
  const Dataset data = sample(net, 20000, Rng(5), "asia");
  std::vector<Edge> edges;
  for (const auto& [from, to] : net.edges()) edges.push_back({data.index_of(from), data.index_of(to)});
  const Dag dag = dag_from_edges(data.size(), edges).value();
  const Node smoke = data.index_of("smoke"), dysp = data.index_of("dysp");
  const EffectFigures found = counted_effect(data, smoke, dysp, optimal_adjustment(dag, smoke, dysp));
  for (size_t level = 0; level < 2; ++level) {
    const std::string value = data.column(smoke).levels[level];
    const Dataset set = sample(under_experiment(net, {setting_of(net, "smoke=" + value)}), 200000, Rng(6), "asia");
    double yes = 0;
    for (size_t row = 0; row < set.rows(); ++row) yes += set.column(dysp).codes[row] == 1;
    EXPECT_GT(yes / 200000, found.under[level][1].low - 0.003);
    EXPECT_LT(yes / 200000, found.under[level][1].high + 0.003);
  }
}

TEST(Effects, AreRankedByTheirSmallestPossibleSize) {
  const Dataset data = small_table(300);
  const Node x = data.index_of("x"), y = data.index_of("y"), z = data.index_of("z"), g = data.index_of("g");
  const Dag dag = dag_from_edges(4, {{z, x}, {g, x}, {x, y}, {z, y}, {g, y}}).value();
  const CausalClass graphs(cpdag_of(dag).pdag());
  const EffectTable table(data);
  const std::vector<RankedEffect> on = effects_on(graphs, table, y);
  ASSERT_EQ(on.size(), 3u);
  for (size_t k = 0; k + 1 < on.size(); ++k) EXPECT_GE(on[k].least, on[k + 1].least);
  for (const RankedEffect& one : on) {
    const EffectAnswer alone = effect(graphs, table, {.causes = {data.index_of(one.cause)}, .outcome = y});
    double least = 1e9, most = 0;
    for (const EffectEntry& entry : alone.list) {
      least = std::min(least, entry.size());
      most = std::max(most, entry.size());
    }
    EXPECT_EQ(one.least, least);
    EXPECT_EQ(one.most, most);
    EXPECT_EQ(one.identified, alone.identified);
  }
  // The edge between x and y is covered, so it may point the other way.
  const std::vector<RankedEffect> of = effects_of(graphs, table, y);
  ASSERT_EQ(of.size(), 1u);
  EXPECT_EQ(of[0].outcome, "x");
  EXPECT_EQ(of[0].least, 0);
  EXPECT_NEAR(of[0].nonzero, 0.5, 1e-12);
}

bool warns(const std::vector<std::string>& warnings, const std::string& words) {
  return std::ranges::any_of(warnings, [&](const std::string& w) { return w.find(words) != std::string::npos; });
}

// The copy of x tells nearly all of it; y bends with x; few rows have the rare level of a.
TEST(Effect, WarnsOfWhatMakesItDoubtful) {
  Rng rng(4);
  std::vector<double> x, near, y;
  std::vector<int> a, b;
  for (int k = 0; k < 400; ++k) {
    x.push_back(rng.normal());
    near.push_back(x.back() + 0.1 * rng.normal());
    y.push_back(x.back() + x.back() * x.back() + 0.5 * rng.normal());
    a.push_back(k % 100 == 0);
    b.push_back(rng.below(2));
  }
  const Dataset numbers =
      make_dataset({continuous_column("x", x), continuous_column("near", near), continuous_column("y", y)}, "numbers");
  const Node cause = numbers.index_of("x"), outcome = numbers.index_of("y"), beside = numbers.index_of("near");
  const LinearEffects linear(numbers);
  EXPECT_TRUE(warns(linear.estimate(cause, outcome, {.set = {beside}, .paths = {outcome}}).warnings, "collinearity"));
  EXPECT_FALSE(warns(linear.estimate(cause, outcome, {.set = {}, .paths = {outcome}}).warnings, "collinearity"));

  const CausalClass one(Pdag(dag_from_edges(3, {{cause, outcome}, {beside, outcome}}).value()));
  const EffectTable table(numbers);
  EXPECT_TRUE(warns(effect(one, table, {.causes = {cause}, .outcome = outcome}).warnings, "more than a line"));
  const CausalClass other(Pdag(dag_from_edges(3, {{cause, beside}, {beside, outcome}}).value()));
  EXPECT_FALSE(warns(effect(other, table, {.causes = {cause}, .outcome = beside}).warnings, "more than a line"));

  const Dataset levels =
      make_dataset({categorical_column("a", a, {"often", "rare"}), categorical_column("b", b, {"0", "1"})}, "levels");
  const Node rare = levels.index_of("a"), even = levels.index_of("b");
  EXPECT_TRUE(warns(counted_effect(levels, rare, even, {.set = {}, .paths = {even}}).warnings, "fewer than"));
  EXPECT_FALSE(warns(counted_effect(levels, even, rare, {.set = {}, .paths = {rare}}).warnings, "fewer than"));
}

TEST(Effect, RefusesQuestionsThatMakeNoSense) {
  const Dataset data = make_dataset({continuous_column("x", {1, 2, 3}), continuous_column("one", {1, 1, 1}),
                                     categorical_column("g", {0, 1, 0}, {"a", "b"})},
                                    "tiny");
  const auto ask = [&](const EffectQuestion& question) { check_question(data, question); };
  const Node x = data.index_of("x"), one = data.index_of("one"), g = data.index_of("g");
  EXPECT_THROW(ask({.causes = {x}, .outcome = x}), UsageError);
  EXPECT_THROW(ask({.causes = {one}, .outcome = x}), InputError);
  EXPECT_THROW(ask({.causes = {x, g}, .outcome = one}), InputError);
  EXPECT_THROW(ask({.causes = {g}, .outcome = x, .levels = {"a", "z"}}), UsageError);
  EXPECT_THROW(ask({.causes = {x}, .outcome = g, .levels = {"a", ""}}), UsageError);
  EXPECT_NO_THROW(ask({.causes = {g}, .outcome = x, .levels = {"b", "a"}}));
  EXPECT_THROW(node_named(data, "X1"), UsageError);
}

TEST(StudentQuantile, KnownValues) {  // from tables of Student's distribution
  EXPECT_NEAR(student_quantile(0.95, 1), 12.7062047, 1e-6);
  EXPECT_NEAR(student_quantile(0.95, 10), 2.2281389, 1e-6);
  EXPECT_NEAR(student_quantile(0.95, 1e9), 1.9599640, 1e-6);
}

}  // namespace
}  // namespace agon
