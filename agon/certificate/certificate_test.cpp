#include "agon/certificate/certificate.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "agon/certificate/neighbours.h"
#include "agon/certificate/plain_edge_price.h"
#include "agon/certificate/test_scorers.h"
#include "agon/graph/equivalence.h"
#include "agon/graph/test_graphs.h"
#include "agon/opponent/hill_climbing.h"
#include "agon/score/test_regimes.h"
#include "agon/score/test_scores.h"
#include "agon/score/test_tables.h"
#include "agon/score/weighted_discrete.h"

namespace agon {
namespace {

const Knowledge kNothing;

// A claim refers to its scorer, so the scorers of these tests are kept until the program ends.
const plain::Scorer& kept_scorer(const std::string& score, const Dataset& data) {
  static std::vector<std::unique_ptr<plain::Scorer>> kept;
  kept.push_back(testing::plain_scorer(score, data));
  return *kept.back();
}

Claim claim_of(const Dataset& data, const std::string& score, const Dag& champion, std::vector<Dag> opponents = {}) {
  return {.data = data,
          .scorer = kept_scorer(score, data),
          .opponents = std::move(opponents),
          .champion = champion,
          .knowledge = kNothing};
}

// All valid single edits, with the gain that the search's own score gives them.
struct Edit {
  EdgeMove move;
  double gain;
};
std::vector<Edit> all_edits(const LocalScore& score, const Dag& dag) {
  std::vector<Edit> out;
  for (Node a = 0; a < dag.size(); ++a) {
    for (Node b = 0; b < dag.size(); ++b) {
      if (a == b) continue;
      const bool constant = score.traits().constant[a] || score.traits().constant[b];
      for (MoveKind kind : {MoveKind::kAdd, MoveKind::kRemove, MoveKind::kReverse}) {
        if ((kind == MoveKind::kAdd) == dag.has_edge(a, b) || (kind == MoveKind::kAdd && dag.adjacent(a, b))) continue;
        if (constant && kind != MoveKind::kRemove) continue;
        Dag after = dag;
        after.apply({kind, a, b});
        if (is_acyclic(after)) out.push_back({{kind, a, b}, total(score, after) - total(score, dag)});
      }
    }
  }
  return out;
}

struct Problem {
  Dataset data;
  std::string score;
};
std::vector<Problem> problems(Rng& rng) {
  std::vector<Problem> out;
  for (int k = 0; k < 4; ++k) {
    const Dataset words = testing::random_categorical({.variables = 7, .rows = 1000, .most_levels = 4}, rng);
    const Dataset numbers = testing::random_continuous(7, 300, false, rng);
    out.push_back({words, "discrete-bic"});
    out.push_back({words, "bdeu"});
    out.push_back({numbers, "gaussian-bic"});
    out.push_back({numbers, "copula-bic"});
  }
  return out;
}

TEST(Certificate, VerdictsAreThoseOfBruteForce) {
  Rng rng(31);
  int optimal = 0, not_optimal = 0;
  for (const Problem& problem : problems(rng)) {
    const auto score = make_score(problem.score, problem.data);
    const Dag climbed = hill_climb(*score, Dag(problem.data.size())).dag;
    for (const Dag& dag : {climbed, testing::random_dag(problem.data.size(), 0.3, rng)}) {
      const std::vector<Edit> edits = all_edits(*score, dag);
      double best = 0;
      for (const Edit& edit : edits) best = std::max(best, edit.gain);
      const Certificate c = certify(claim_of(problem.data, problem.score, dag), {.resamples = 0});
      EXPECT_EQ(c.neighbours_checked, static_cast<long>(edits.size()));
      EXPECT_TRUE(c.neighbours_complete);
      EXPECT_EQ(c.one_optimal, best < 1e-6);
      EXPECT_EQ(c.better_neighbour.has_value(), best >= 1e-6);
      if (best >= 1e-6) {
        EXPECT_NEAR(c.better_gain, best, 1e-7 * (1 + best));
      }
      ++(c.one_optimal ? optimal : not_optimal);
    }
  }
  EXPECT_GE(optimal, 16);
  EXPECT_GE(not_optimal, 10);
}

// A graph found by hill climbing passes. Without its most valuable edge it fails, and a move that mends it is named.
TEST(Certificate, NamesTheEdgeThatIsMissing) {
  Rng rng(32);
  int graphs = 0;
  for (const Problem& problem : problems(rng)) {
    const auto score = make_score(problem.score, problem.data);
    const Dag climbed = hill_climb(*score, Dag(problem.data.size())).dag;
    if (climbed.edge_count() == 0) continue;
    ++graphs;
    EXPECT_NO_THROW(enforce(certify(claim_of(problem.data, problem.score, climbed), {.resamples = 0})));
    Edge costliest{};
    double cost = 0;
    for (const Edge& e : climbed.edges()) {
      const double loss = -gain(*score, climbed, {MoveKind::kRemove, e.from, e.to});
      if (loss > cost) {
        cost = loss;
        costliest = e;
      }
    }
    Dag damaged = climbed;
    damaged.remove_edge(costliest.from, costliest.to);
    const Certificate c = certify(claim_of(problem.data, problem.score, damaged), {.resamples = 0});
    EXPECT_FALSE(c.one_optimal);
    ASSERT_TRUE(c.better_neighbour);
    EXPECT_NEAR(c.better_gain, gain(*score, damaged, *c.better_neighbour), 1e-7 * (1 + c.better_gain));
    EXPECT_GE(c.better_gain, cost - 1e-7);
    try {
      enforce(c, problem.data.names());
      FAIL() << "no violation was reported";
    } catch (const GuaranteeViolated& e) {
      EXPECT_NE(std::string(e.what()).find("not 1-optimal"), std::string::npos) << e.what();
      EXPECT_NE(std::string(e.what()).find(problem.data.names()[c.better_neighbour->from]), std::string::npos);
    }
  }
  EXPECT_GE(graphs, 12);
}

// All members of a class score the same, so reversing a covered edge of a 1-optimal graph gains nothing but rounding.
TEST(Certificate, RoundingIsNoGain) {
  Rng rng(33);
  std::vector<Column> columns;
  std::vector<double> x(500);
  for (double& cell : x) cell = rng.normal();
  columns.push_back(continuous_column("x", x));
  for (const char* name : {"y", "z"}) {  // nearly copies: 1e-8 of the variance remains
    std::vector<double> near = x;
    for (double& cell : near) cell += 1e-4 * rng.normal();
    columns.push_back(continuous_column(name, near));
  }
  const Dataset data = make_dataset(std::move(columns), "copies");
  for (const char* name : {"gaussian-bic", "copula-bic"}) {
    const auto score = make_score(name, data);
    const Dag climbed = hill_climb(*score, Dag(3)).dag;
    for (const Dag& member : test::members_by_walk(climbed)) {
      const Certificate c = certify(claim_of(data, name, member, {climbed}), {.resamples = 0});
      EXPECT_EQ(violations(c), std::vector<std::string>{}) << name;
    }
  }
}

TEST(Certificate, SafetyIsJudgedByItsOwnScores) {
  Rng rng(34);
  int swapped = 0;
  for (const Problem& problem : problems(rng)) {
    const auto score = make_score(problem.score, problem.data);
    const Dag climbed = hill_climb(*score, Dag(problem.data.size())).dag;
    const Dag empty(problem.data.size());
    Certificate c = certify(claim_of(problem.data, problem.score, climbed, {empty, climbed}), {.resamples = 0});
    EXPECT_TRUE(c.never_worse);
    ASSERT_EQ(c.opponent_scores.size(), 2u);
    EXPECT_NEAR(c.opponent_scores[0], total(*score, empty), 1e-9 * std::abs(total(*score, empty)));
    EXPECT_NEAR(c.champion_score, total(*score, climbed), 1e-9 * std::abs(c.champion_score));
    if (climbed.edge_count() == 0) continue;
    ++swapped;
    c = certify(claim_of(problem.data, problem.score, empty, {climbed}), {.resamples = 0});
    EXPECT_FALSE(c.never_worse);
    EXPECT_THROW(enforce(c), GuaranteeViolated);
  }
  EXPECT_GE(swapped, 12);
}

struct Chain {  // a -> b -> c, strong effects
  Dataset data;
  Node a, b, c;
  Dag champion;
};
Chain chain(int rows = 400) {
  Rng rng(35);
  std::vector<int> a, b, c;
  for (int row = 0; row < rows; ++row) {
    a.push_back(rng.below(2));
    b.push_back(rng.uniform() < 0.9 ? a.back() : 1 - a.back());
    c.push_back(rng.uniform() < 0.9 ? b.back() : 1 - b.back());
  }
  Chain out{make_dataset({categorical_column("a", a), categorical_column("b", b), categorical_column("c", c)}, "chain"),
            0, 0, 0, Dag(3)};
  out.a = out.data.index_of("a");
  out.b = out.data.index_of("b");
  out.c = out.data.index_of("c");
  out.champion.add_edge(out.a, out.b);
  out.champion.add_edge(out.b, out.c);
  return out;
}

TEST(Certificate, SeesACycle) {
  const Chain t = chain();
  Dag cyclic = t.champion;
  cyclic.add_edge(t.c, t.a);
  const Certificate c = certify(claim_of(t.data, "discrete-bic", cyclic));
  EXPECT_FALSE(c.acyclic);
  EXPECT_FALSE(c.one_optimal);
  EXPECT_THROW(enforce(c), GuaranteeViolated);
}

TEST(Certificate, SeesTheBudget) {
  const Chain t = chain();
  Claim claim = claim_of(t.data, "discrete-bic", t.champion);
  claim.edge_budget = 1;
  EXPECT_FALSE(certify(claim).within_budget);
  claim.edge_budget = 2;
  EXPECT_EQ(violations(certify(claim)), std::vector<std::string>{});
  // With a budget of one edge, a graph with one edge is optimal although a second edge would gain.
  claim.champion.remove_edge(t.b, t.c);
  claim.edge_budget = 1;
  const Certificate bound = certify(claim);
  EXPECT_TRUE(bound.one_optimal);
  EXPECT_EQ(bound.neighbours_checked, 2);  // removing it, reversing it
  claim.edge_budget = 2;
  EXPECT_FALSE(certify(claim).one_optimal);
}

TEST(Certificate, SeesTheCapOnParents) {
  const Chain t = chain();
  Dag collider(3);
  collider.add_edge(t.a, t.b);
  collider.add_edge(t.c, t.b);
  Claim claim = claim_of(t.data, "discrete-bic", collider);
  claim.max_parents = 1;
  EXPECT_FALSE(certify(claim, {.resamples = 0}).within_budget);
  claim.opponents = {collider};  // a warm start may have them already
  EXPECT_TRUE(certify(claim, {.resamples = 0}).within_budget);
  claim.champion = t.champion;
  const Certificate c = certify(claim, {.resamples = 0});
  EXPECT_TRUE(c.within_budget);
  // Two removals and the reversal of a -> b; not a -> c (c is at its cap), nor the reversal of b -> c (b is at its
  // cap).
  EXPECT_EQ(c.neighbours_checked, 3);
}

TEST(Certificate, SeesTheKnowledge) {
  const Chain t = chain();
  const auto scorer = plain::discrete_bic(t.data, 1);
  const auto with = [&](const Knowledge& knowledge) {
    return certify({.data = t.data, .scorer = *scorer, .champion = t.champion, .knowledge = knowledge},
                   {.resamples = 0});
  };
  const std::vector<std::string> names = t.data.names();
  const auto known = [&](auto add) {
    KnowledgeBuilder builder(names);
    add(builder);
    return builder.build();
  };
  EXPECT_FALSE(with(known([](auto& k) { k.forbid("a", "b", "t"); })).knowledge_kept);
  EXPECT_FALSE(with(known([](auto& k) { k.require("a", "c", "t"); })).knowledge_kept);
  EXPECT_THROW(enforce(with(known([](auto& k) { k.require("a", "c", "t"); }))), GuaranteeViolated);
  const Certificate kept = with(known([](auto& k) {
    k.require("a", "b", "t");
    k.forbid("a", "c", "t");
  }));
  EXPECT_TRUE(kept.knowledge_kept);
  EXPECT_TRUE(kept.one_optimal);
  EXPECT_EQ(kept.neighbours_checked, 2);      // remove or reverse b -> c
  EXPECT_EQ(with({}).neighbours_checked, 5);  // also add a -> c, remove or reverse a -> b
  // A forbidden edit does not count as a better neighbour.
  Dag without = t.champion;
  without.remove_edge(t.b, t.c);
  const Knowledge none_at_c = known([](auto& k) {
    k.forbid("b", "c", "t");
    k.forbid("a", "c", "t");
    k.forbid("c", "a", "t");
    k.forbid("c", "b", "t");
  });
  EXPECT_TRUE(certify({.data = t.data, .scorer = *scorer, .champion = without, .knowledge = none_at_c}).one_optimal);
}

TEST(Certificate, DescendantsAreThoseOfReachability) {
  Rng rng(36);
  for (int trial = 0; trial < 30; ++trial) {
    const Dag dag = testing::random_dag(12, 0.2, rng);
    const auto descendants = descendants_of(dag);
    ASSERT_TRUE(descendants);
    for (Node v = 0; v < 12; ++v) {
      NodeSet reached(12);
      std::vector<Node> open = {v};
      while (!open.empty()) {
        const Node u = open.back();
        open.pop_back();
        for (Node w : dag.children(u)) {
          if (!reached.contains(w)) open.push_back(w);
          reached.insert(w);
        }
      }
      EXPECT_EQ(NodeSet((*descendants)[v]), reached);
    }
    // An edge from a descendant back to its ancestor makes a cycle.
    for (Node v = 0; v < 12; ++v) {
      for (Node u : (*descendants)[v]) {
        if (dag.has_edge(v, u)) continue;
        Dag cyclic = dag;
        cyclic.add_edge(u, v);
        EXPECT_FALSE(descendants_of(cyclic));
      }
    }
  }
}

TEST(Certificate, IsTheSameForAnyNumberOfThreads) {
  Rng rng(37);
  for (const Problem& problem : problems(rng)) {
    const Dag champion = testing::random_dag(problem.data.size(), 0.3, rng);
    Claim claim = claim_of(problem.data, problem.score, champion, {Dag(problem.data.size())});
    for (int k = 0; k < 4; ++k) claim.candidates.push_back(testing::random_dag(problem.data.size(), 0.3, rng));
    const Certificate one = certify(claim, {.resamples = 50, .seed = 7, .threads = 1});
    const Certificate four = certify(claim, {.resamples = 50, .seed = 7, .threads = 4});
    EXPECT_EQ(one.neighbours_checked, four.neighbours_checked);
    EXPECT_EQ(one.better_neighbour, four.better_neighbour);
    EXPECT_EQ(one.better_gain, four.better_gain);
    EXPECT_EQ(one.selection.gap, four.selection.gap);
    EXPECT_EQ(one.selection.lipschitz, four.selection.lipschitz);
    EXPECT_EQ(one.selection.bootstrap_share, four.selection.bootstrap_share);
    EXPECT_EQ(plain_lines(one), plain_lines(four));
  }
}

// The same scores without the bound on what an addition gains.
class Unbounded final : public plain::Scorer {
 public:
  explicit Unbounded(const plain::Scorer& inner) : inner_(inner) {
    rows_ = inner.rows();
    for (Node v = 0; v < inner.size(); ++v) constant_.push_back(inner.is_constant(v));
  }
  plain::Value local(Node child, Parents parents) const override { return inner_.local(child, parents); }
  std::vector<plain::Value> additions(Node child, Parents parents, std::span<const Node> others) const override {
    return inner_.additions(child, parents, others);
  }
  std::unique_ptr<plain::Resampler> resampler(const std::vector<plain::Family>& families) const override {
    return inner_.resampler(families);
  }
  double row_constant(const std::vector<Dag>& graphs, int threads) const override {
    return inner_.row_constant(graphs, threads);
  }
  bool has_gradient() const override { return inner_.has_gradient(); }
  std::vector<std::string> assumptions() const override { return inner_.assumptions(); }

 private:
  const plain::Scorer& inner_;
};

// Columns of which some depend on others exactly, some nearly, and one is constant.
TEST(Neighbours, BoundsExcludeNothingThatGains) {
  long excluded = 0, gaining = 0;
  for (uint64_t seed = 0; seed < 12; ++seed) {
    Rng rng(seed);
    std::vector<Column> columns;
    for (int v = 0; v < 40; ++v) {
      std::vector<double> x(seed % 2 == 0 ? 60 : 500);
      const double noise = v == 3 ? 0 : v % 9 == 5 ? 1e-4 : v == 30 && seed % 3 == 0 ? 0 : 1;
      for (size_t k = 0; k < x.size(); ++k) {
        x[k] = noise * rng.normal() + (v > 0 && v != 3 ? columns[v / 2].values[k] : 0);
      }
      columns.push_back(continuous_column("x" + std::to_string(v), x));
    }
    const Dataset data = make_dataset(columns, "near");
    for (const char* name : {"gaussian-bic", "copula-bic", "copula-bic-edges"}) {
      const bool priced = std::string_view(name) == "copula-bic-edges";
      auto scorer = testing::plain_scorer(priced ? "copula-bic" : name, data);
      if (priced) scorer = plain::with_edge_price(std::move(scorer));
      const Dag dag = testing::random_dag(data.size(), 0.05, rng);
      for (const double least : {1e-6, 3.0}) {
        std::vector<plain::Family> families;
        for (Node v = 0; v < data.size(); ++v) families.push_back(plain::family_of(dag, v));
        const std::vector<NodeSet> may = scorer->may_gain(families, least);
        ASSERT_EQ(may.size(), families.size());
        for (Node j = 0; j < data.size(); ++j) {
          const double now = scorer->local(j, families[j].parents).score;
          for (Node v = 0; v < data.size(); ++v) {
            if (v == j || dag.has_edge(v, j) || scorer->is_constant(v) || scorer->is_constant(j)) continue;
            const double after = scorer->additions(j, families[j].parents, std::vector<Node>{v})[0].score;
            gaining += after - now > least;
            if (may[j].contains(v)) continue;
            ++excluded;
            ASSERT_NE(after, plain::kUndefined);
            ASSERT_LE(after - now, least);
          }
        }
      }
      const Neighbourhood around{dag, kNothing};
      const NeighbourOptions options{.tolerance = 1e-6, .limit = seed == 3 ? 500 : 0};
      const NeighbourCheck bounded = check_neighbours(*scorer, around, options);
      const NeighbourCheck plain = check_neighbours(Unbounded(*scorer), around, options);
      EXPECT_EQ(bounded.checked, plain.checked);
      EXPECT_EQ(bounded.complete, plain.complete);
      EXPECT_EQ(bounded.left, plain.left);
      EXPECT_EQ(bounded.better, plain.better);
      EXPECT_EQ(bounded.gain, plain.gain);
    }
  }
  EXPECT_GT(excluded, 20'000);
  EXPECT_GT(gaining, 1'000);
}

TEST(Certificate, AStopOrALimitIsNoViolationAndNoVerdict) {
  const Chain t = chain();
  const std::atomic<bool> stop = true;
  Watch watch;
  watch.interrupted = &stop;
  const Claim claim = claim_of(t.data, "discrete-bic", t.champion, {Dag(3)});
  Watch late;
  late.deadline = Watch::Clock::now();
  for (const Watch& stopping : {watch, late}) {
    const Certificate stopped = certify(claim, {}, stopping);
    EXPECT_TRUE(stopped.never_worse);
    EXPECT_FALSE(stopped.one_optimal);
    EXPECT_FALSE(stopped.neighbours_complete);
    EXPECT_EQ(stopped.selection.resamples, 0);
    EXPECT_NO_THROW(enforce(stopped));
  }
  const Certificate limited = certify(claim, {.neighbour_limit = 3});
  EXPECT_EQ(limited.neighbours_checked, 3);
  EXPECT_EQ(limited.neighbours_left, certify(claim, {}).neighbours_checked - 3);
  EXPECT_FALSE(limited.one_optimal);
  EXPECT_NO_THROW(enforce(limited));
}

TEST(Certificate, AnAscentThatWasCutIsNoViolationButNothingElseIsExcused) {
  const Chain t = chain();
  Claim claim = claim_of(t.data, "discrete-bic", Dag(3), {Dag(3)});
  EXPECT_THROW(enforce(certify(claim)), GuaranteeViolated);
  claim.ascent_cut = true;
  const Certificate cut = certify(claim);
  EXPECT_FALSE(cut.one_optimal);
  EXPECT_NO_THROW(enforce(cut));
  EXPECT_NE(plain_lines(cut)[2].find("not established: the ascent was cut by the limit"), std::string::npos);
  claim.champion = t.champion;  // cut, but 1-optimal all the same
  const Certificate whole = certify(claim);
  EXPECT_TRUE(whole.one_optimal);
  EXPECT_EQ(plain_lines(whole)[2].substr(0, 10), "1-optimal:");
  claim.champion = Dag(3);
  claim.opponents = {t.champion};
  EXPECT_THROW(enforce(certify(claim)), GuaranteeViolated);  // worse than an opponent
}

TEST(Certificate, SpeaksInFiveLines) {
  const Chain t = chain();
  const Certificate good = certify(claim_of(t.data, "discrete-bic", t.champion, {Dag(3)}));
  const std::vector<std::string> lines = plain_lines(good, t.data.names());
  ASSERT_EQ(lines.size(), 5u);
  EXPECT_EQ(lines[0].substr(0, 12), "Never worse:");
  EXPECT_NE(lines[0].find("better by"), std::string::npos);
  EXPECT_EQ(lines[1], "Valid: acyclic; 2 edges; background knowledge not given.");
  EXPECT_EQ(lines[2], "1-optimal: none of its 5 valid single edits (add, remove, reverse) improves it.");
  EXPECT_EQ(lines[4], "Bootstrap: the champion stays the best candidate in 100.0 % of 200 resamples of the rows.");
  const std::vector<std::string> bad =
      plain_lines(certify(claim_of(t.data, "discrete-bic", Dag(3), {t.champion})), t.data.names());
  EXPECT_NE(bad[0].find("WORSE by"), std::string::npos);
  EXPECT_EQ(bad[2].substr(0, 13), "NOT 1-optimal");
}

// Where somebody set a variable, its class is smaller, and its members score the same.
TEST(Certificate, ChecksTheClassThatExperimentsLeave) {
  Rng rng(35);
  for (int round = 0; round < 6; ++round) {
    const Dataset data = testing::with_random_regimes(
        testing::random_categorical({.variables = 6, .rows = 400, .most_levels = 3}, rng), rng);
    const WeightedDiscreteBic score(data);
    const Dag climbed = hill_climb(score, Dag(data.size())).dag;
    const auto scorer = plain::discrete_bic(data, 1);
    Claim claim{.data = data, .scorer = *scorer, .knowledge = kNothing};
    claim.champion = climbed;
    claim.opponents = {Dag(data.size())};
    const Certificate c = certify(claim, {.resamples = 20});
    ASSERT_TRUE(c.experiments);
    EXPECT_TRUE(c.experiments->holds) << c.experiments->text;
    EXPECT_NO_THROW(enforce(c, data.names()));
    EXPECT_NEAR(c.champion_score, total(score, climbed), 1e-7 * (1 + std::abs(c.champion_score)));
    EXPECT_NE(plain_lines(c).back().find("Experiments: 20 random members"), std::string::npos);
  }
}

// A score that tells members of one class apart is not the one that the class belongs to.
TEST(Certificate, NoticesMembersThatScoreDifferently) {
  Rng rng(36);
  const Dataset rows = testing::random_categorical({.variables = 5, .rows = 300, .most_levels = 3}, rng);
  const auto observed = [&](std::vector<Regime> regimes) {
    RowInfo info{.regimes = std::move(regimes)};
    for (size_t row = 0; row < rows.rows(); ++row) info.regime.push_back(row % 2);
    return make_dataset(rows.columns(), "t", info);
  };
  const Dataset data = observed({{.name = "1"}, {.name = "2"}});
  const Dataset other = observed({{.name = "1"}, {.name = "2", .targets = {"v0", "v2"}}});
  const auto scorer = plain::discrete_bic(other, 0);
  Claim claim{.data = data, .scorer = *scorer, .knowledge = kNothing};
  claim.champion = Dag(data.size());
  for (Node a = 0; a < data.size(); ++a) {
    for (Node b = a + 1; b < data.size(); ++b) claim.champion.add_edge(a, b);
  }
  const Certificate c = certify(claim, {.resamples = 0});
  ASSERT_TRUE(c.experiments);
  EXPECT_FALSE(c.experiments->holds);
  EXPECT_THROW(enforce(c, data.names()), GuaranteeViolated);
}

}  // namespace
}  // namespace agon
