#include "agon/data/bayes_net.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "agon/base/error.h"
#include "agon/data/embedded.h"
#include "agon/data/simulate.h"

namespace agon {
namespace {

// a and b are free; c = 3 a + b with certainty; a has two levels, b three.
BayesNet counter() {
  BayesNet net;
  net.names = {"c", "a", "b"};
  net.levels = {{"0", "1", "2", "3", "4", "5"}, {"0", "1"}, {"0", "1", "2"}};
  net.parents = {{1, 2}, {}, {}};
  net.tables = {std::vector<double>(36), {0.5, 0.5}, {0.25, 0.25, 0.5}};
  for (int row = 0; row < 6; ++row) net.tables[0][row * 6 + row] = 1;
  return net;
}

std::string problem_of(const BayesNet& net) {
  try {
    check(net, "net");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

// The same network with its nodes declared in another order.
BayesNet reordered(const BayesNet& net, const std::vector<int>& order) {
  std::vector<int> place(order.size());
  for (size_t k = 0; k < order.size(); ++k) place[order[k]] = static_cast<int>(k);
  BayesNet out;
  for (int node : order) {
    out.names.push_back(net.names[node]);
    out.levels.push_back(net.levels[node]);
    out.tables.push_back(net.tables[node]);
    out.parents.emplace_back();
    for (int parent : net.parents[node]) out.parents.back().push_back(place[parent]);
  }
  return out;
}

TEST(BayesNet, CountsWhatItHas) {
  const BayesNet net = counter();
  check(net, "net");
  EXPECT_EQ(net.edge_count(), 2);
  EXPECT_EQ(net.configurations(0), 6u);
  EXPECT_EQ(net.parameter_count(), 5 * 6 + 1 + 2);
  EXPECT_EQ(net.edges(), (std::vector<std::pair<std::string, std::string>>{{"a", "c"}, {"b", "c"}}));
}

TEST(BayesNet, LastParentTurnsFastest) {
  const Dataset d = sample(counter(), 1000, Rng(1), "counter");
  const auto label = [&](const char* name, size_t row) {
    const Column& column = d.column(d.index_of(name));
    return std::stoi(column.levels[column.codes[row]]);
  };
  for (size_t row = 0; row < d.rows(); ++row) ASSERT_EQ(label("c", row), 3 * label("a", row) + label("b", row));
  EXPECT_EQ(d.column(d.index_of("c")).levels.size(), 6u);
  EXPECT_EQ(d.column(d.index_of("c")).file_index, 0);
}

TEST(BayesNet, SampleIsAFunctionOfSeedAndNamesAlone) {
  const BayesNet net = embedded_network("alarm");
  const Dataset a = sample(net, 300, Rng(5), "a");
  EXPECT_EQ(a.checksum(), sample(net, 300, Rng(5), "b").checksum());
  EXPECT_NE(a.checksum(), sample(net, 300, Rng(6), "a").checksum());
  std::vector<int> order(net.size());
  std::iota(order.begin(), order.end(), 0);
  Rng(3).shuffle(order);
  EXPECT_EQ(a.checksum(), sample(reordered(net, order), 300, Rng(5), "a").checksum());
}

TEST(BayesNet, ShorterSampleIsTheStartOfALongerOne) {
  const BayesNet net = embedded_network("child");
  const Dataset shorter = sample(net, 50, Rng(2), "s"), longer = sample(net, 200, Rng(2), "l");
  for (int node = 0; node < shorter.size(); ++node) {
    const Column &s = shorter.column(node), &l = longer.column(node);
    for (size_t row = 0; row < 50; ++row) ASSERT_EQ(s.levels[s.codes[row]], l.levels[l.codes[row]]);
  }
}

// Every probability of every table against its share in a sample, by Hoeffding's bound for each and a union over all:
// for a seed drawn at random this fails with probability under 1e-9.
TEST(BayesNet, SharesInASampleAreNearTheTables) {
  for (const char* name : {"asia", "sachs-net", "lucas", "child", "alarm", "hepar2"}) {
    const BayesNet net = embedded_network(name);
    const Dataset d = sample(net, 20000, Rng(11), name);
    size_t cells = 0;
    for (const auto& table : net.tables) cells += table.size();
    for (int node = 0; node < net.size(); ++node) {
      const auto code = [&](int other, size_t row) {
        const Column& column = d.column(d.index_of(net.names[other]));
        const auto& levels = net.levels[other];
        return std::find(levels.begin(), levels.end(), column.levels[column.codes[row]]) - levels.begin();
      };
      const size_t width = net.levels[node].size();
      std::vector<double> count(net.tables[node].size()), total(net.configurations(node));
      for (size_t row = 0; row < d.rows(); ++row) {
        size_t configuration = 0;
        for (int parent : net.parents[node])
          configuration = configuration * net.levels[parent].size() + code(parent, row);
        ++total[configuration];
        ++count[configuration * width + code(node, row)];
      }
      for (size_t k = 0; k < count.size(); ++k) {
        const double n = total[k / width], expected = net.tables[node][k];
        if (n == 0) continue;
        const double bound = std::sqrt(std::log(2.0 * cells / 1e-10) / (2 * n));
        ASSERT_LE(std::abs(count[k] / n - expected), bound) << name << " " << net.names[node] << " " << k;
        if (expected == 0) {
          ASSERT_EQ(count[k], 0) << name << " " << net.names[node] << " " << k;
        }
      }
    }
  }
}

TEST(BayesNet, NormalisesByTheRule) {
  std::vector<double> off = {0.3333, 0.3333, 0.3333};
  EXPECT_NEAR(normalise_row(off), 1e-4, 1e-12);
  EXPECT_NEAR(off[0] + off[1] + off[2], 1, 1e-15);
  std::vector<double> fine = {0.1, 0.2, 0.7};  // does not sum to exactly 1 in binary, and must keep its bits
  const std::vector<double> before = fine;
  normalise_row(fine);
  EXPECT_EQ(fine, before);
}

TEST(BayesNet, CheckNamesWhatDoesNotFit) {
  EXPECT_EQ(problem_of(counter()), "");
  BayesNet net = counter();
  net.names[1] = "c";
  EXPECT_NE(problem_of(net).find("node \"c\": defined twice"), std::string::npos);
  net = counter();
  net.parents[0] = {1, 1};
  EXPECT_NE(problem_of(net).find("parent \"a\" appears twice"), std::string::npos);
  net = counter();
  net.parents[0] = {1, 7};
  EXPECT_NE(problem_of(net).find("does not exist"), std::string::npos);
  net = counter();
  net.tables[2] = {0.5, 0.5};
  EXPECT_NE(problem_of(net).find("node \"b\": found 2 probabilities, expected 3"), std::string::npos);
  net = counter();
  net.tables[1] = {0.5, 0.6};
  EXPECT_NE(problem_of(net).find("sums to 1.1"), std::string::npos);
  net = counter();
  net.tables[1] = {1.5, -0.5};
  EXPECT_NE(problem_of(net).find("not a probability"), std::string::npos);
  net = counter();
  net.levels[1] = {"0", "0"};
  EXPECT_NE(problem_of(net).find("level \"0\" appears twice"), std::string::npos);
  net = counter();
  net.tables.pop_back();
  EXPECT_NE(problem_of(net), "");
}

TEST(BayesNet, CycleIsShownAlongItsEdges) {
  const std::vector<std::vector<int>> parents = {{}, {0, 3}, {1}, {2}, {3}};  // 1 -> 2 -> 3 -> 1
  const std::vector<int> cycle = find_cycle(parents);
  ASSERT_EQ(cycle.size(), 3u);
  for (size_t k = 0; k < cycle.size(); ++k) {
    const auto& of_next = parents[cycle[(k + 1) % cycle.size()]];
    EXPECT_NE(std::find(of_next.begin(), of_next.end(), cycle[k]), of_next.end());
  }
  EXPECT_TRUE(find_cycle({{}, {0}, {0, 1}}).empty());
  EXPECT_EQ(parents_first_order({{2}, {0}, {}}), (std::vector<int>{2, 0, 1}));
}

// The share of rows with this level.
double share(const Dataset& data, const std::string& name, const std::string& level) {
  const Column& column = data.column(data.index_of(name));
  size_t count = 0;
  for (size_t row = 0; row < data.rows(); ++row) count += column.levels[column.codes[row]] == level;
  return static_cast<double>(count) / static_cast<double>(data.rows());
}

TEST(BayesNet, ASettingIsAVariableAndOneOfItsLevels) {
  BayesNet net = embedded_network("asia");
  EXPECT_EQ(setting_of(net, "smoke=no"), (Setting{net.index_of("smoke"), 1}));
  net.names[0] = "a=b";
  net.levels[0][1] = "c=d";
  EXPECT_EQ(setting_of(net, "a=b=c=d"), (Setting{0, 1}));
  for (const auto& [text, message] : std::vector<std::pair<std::string, std::string>>{
           {"smok=yes", "the network has no variable \"smok\"\n  hint: did you mean smoke?"},
           {"smoke=ye", "smoke has no level \"ye\"\n  hint: did you mean yes?"},
           {"smoke=often", "smoke has no level \"often\"\n  hint: its levels are yes, no"},
           {"smoke", "found \"smoke\", expected VARIABLE=LEVEL"},
           {"smoke=", "found \"smoke=\", expected VARIABLE=LEVEL"},
           {"=yes", "found \"=yes\", expected VARIABLE=LEVEL"}}) {
    try {
      setting_of(net, text);
      ADD_FAILURE() << text;
    } catch (const UsageError& error) {
      EXPECT_EQ(error.what(), message);
    }
  }
}

TEST(BayesNet, AnExperimentCutsOrHalvesTheWordOfTheParents) {
  const BayesNet net = embedded_network("asia");
  const int lung = net.index_of("lung"), smoke = net.index_of("smoke");
  const Setting yes = setting_of(net, "lung=yes");

  const BayesNet cut = under_experiment(net, {yes});
  check(cut, "net");
  EXPECT_TRUE(cut.parents[lung].empty());
  EXPECT_EQ(cut.tables[lung], (std::vector<double>{1, 0}));
  EXPECT_EQ(cut.edge_count(), net.edge_count() - 1);

  const BayesNet soft = under_experiment(net, {yes}, Intervention::kSoft);
  check(soft, "net");
  EXPECT_EQ(soft.parents, net.parents);
  for (size_t k = 0; k < net.tables[lung].size(); k += 2) {
    EXPECT_DOUBLE_EQ(soft.tables[lung][k], 0.5 + net.tables[lung][k] / 2);
    EXPECT_DOUBLE_EQ(soft.tables[lung][k + 1], net.tables[lung][k + 1] / 2);
  }
  EXPECT_EQ(soft.tables[smoke], net.tables[smoke]);
  EXPECT_EQ(under_experiment(net, {}), net);
  EXPECT_THROW(under_experiment(net, {yes, setting_of(net, "lung=no")}), UsageError);
}

TEST(BayesNet, AnExperimentMovesWhatItsTargetCausesAndNothingElse) {
  const BayesNet net = embedded_network("asia");
  const Dataset before = sample(net, 4000, Rng(1), "asia");
  for (const Intervention kind : {Intervention::kPerfect, Intervention::kSoft}) {
    const Dataset after = sample(under_experiment(net, {setting_of(net, "lung=yes")}, kind), 4000, Rng(1), "asia");
    for (const char* name : {"asia", "smoke", "tub", "bronc"}) {
      EXPECT_EQ(share(after, name, "yes"), share(before, name, "yes")) << name;
    }
    EXPECT_NEAR(share(after, "lung", "yes"), kind == Intervention::kPerfect ? 1 : 0.53, 0.03);
    EXPECT_GT(share(after, "either", "yes"), share(before, "either", "yes") + 0.3);
    EXPECT_GT(share(after, "xray", "yes"), share(before, "xray", "yes") + 0.3);
  }
}

TEST(BayesNet, ALabelIsAColumnThatChangesNoOther) {
  const BayesNet net = embedded_network("asia");
  const Dataset plain = sample(net, 50, Rng(1), "asia");
  const BayesNet labelled = with_label(net, "set", "none");
  check(labelled, "net");
  const Dataset with = sample(labelled, 50, Rng(1), "asia");
  EXPECT_EQ(share(with, "set", "none"), 1);
  for (const Column& column : plain.columns()) {
    EXPECT_EQ(with.column(with.index_of(column.name)).codes, column.codes) << column.name;
  }
}

}  // namespace
}  // namespace agon
