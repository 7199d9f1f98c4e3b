#include "agon/graph/knowledge.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "agon/base/error.h"
#include "agon/graph/equivalence.h"
#include "agon/graph/test_graphs.h"

namespace agon {
namespace {

const std::vector<std::string> kNames = {"asia", "smoke", "tub", "lung", "x ray"};

Knowledge parse(const std::string& text, OnConflict on_conflict = OnConflict::kRefuse) {
  return parse_knowledge(text, "k.txt", kNames, on_conflict);
}

std::string error_of(const std::string& text, std::optional<PairKind> plain = std::nullopt,
                     OnConflict on_conflict = OnConflict::kRefuse) {
  try {
    KnowledgeBuilder builder(kNames);
    builder.parse(text, "k.txt", plain);
    builder.build(on_conflict);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::set<Edge> forbidden(const Knowledge& known) {
  std::set<Edge> edges;
  for (Node from = 0; from < known.size(); ++from) {
    for (Node to = 0; to < known.size(); ++to) {
      if (known.is_forbidden({from, to})) edges.insert({from, to});
    }
  }
  return edges;
}

TEST(Knowledge, TetradFile) {
  const Knowledge known = parse(
      "/knowledge\n\naddtemporal\n1 asia smoke\n2* tub lung\n3 x.ray\n\n// a comment\nforbiddirect\nasia smoke\n\n"
      "requiredirect\nsmoke lung # known since 1950\n");
  EXPECT_EQ(forbidden(known), (std::set<Edge>{{2, 0},
                                              {3, 0},
                                              {4, 0},
                                              {2, 1},
                                              {3, 1},
                                              {4, 1},
                                              {4, 2},
                                              {4, 3},  // tiers
                                              {2, 3},
                                              {3, 2},  // within 2
                                              {0, 1}}));
  EXPECT_EQ(known.required_edges(), (std::vector<Edge>{{1, 3}}));
  ASSERT_EQ(known.tiers().size(), 3u);
  EXPECT_EQ(known.tiers()[1].members, (std::vector<Node>{2, 3}));
  EXPECT_EQ(summary(known), "3 tiers, 1 required edge, 11 forbidden edges");
  EXPECT_FALSE(known.empty());
}

TEST(Knowledge, OtherSpellingsSayTheSame) {
  const Knowledge want = parse("addtemporal\n1 asia smoke\n2* tub lung\nrequiredirect\nsmoke lung\n");
  for (const std::string text : {
           "REQUIREDIRECT\nsmoke\tlung\nAddTemporal\n2* lung\n2 tub\n0 smoke asia\n",
           "requiredirect\r\n\"smoke\" \"lung\"\r\naddtemporal\r\n5 * tub, lung\r\n4 asia, smoke\r\n",
           "\xEF\xBB\xBF/Knowledge\naddtemporal\n0 asia\n0 smoke\n7* lung tub\nrequiredgroup\nsmoke\nlung\n",
       }) {
    const Knowledge known = parse(text);
    EXPECT_EQ(forbidden(known), forbidden(want)) << text;
    EXPECT_EQ(known.required_edges(), want.required_edges()) << text;
  }
}

TEST(Knowledge, OnlyTheNextTier) {
  const Knowledge known = parse("addtemporal\n1- asia\n2 smoke\n5 tub\n9 lung\n");
  EXPECT_TRUE(known.allows(Edge{0, 1}));
  EXPECT_FALSE(known.allows(Edge{0, 2}));
  EXPECT_FALSE(known.allows(Edge{0, 3}));
  EXPECT_TRUE(known.allows(Edge{1, 3}));
  EXPECT_TRUE(known.allows(Edge{4, 0}) && known.allows(Edge{0, 4})) << "x ray stands in no tier";
}

TEST(Knowledge, Groups) {
  const Knowledge known = parse("forbiddengroup\nasia smoke\ntub lung smoke\n");
  EXPECT_EQ(forbidden(known), (std::set<Edge>{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}}));
  EXPECT_EQ(error_of("forbiddengroup\nasia smoke\n"),
            "k.txt:2: a group has one line, expected two: the causes, then the effects");
}

TEST(Knowledge, Csv) {
  const Knowledge want = parse("requiredirect\nsmoke lung\nforbiddirect\nasia \"x ray\"\n");
  EXPECT_EQ(parse("from,to,type\nsmoke,lung,required\nasia,x ray,forbidden\n"), want);
  EXPECT_EQ(parse("smoke,lung,whitelist\n\"asia\",\"x ray\",blacklist\n"), want);
  KnowledgeBuilder builder(kNames);
  builder.parse("from,to\nsmoke,lung\n", "r.csv", PairKind::kRequired);
  builder.parse("cause;effect\nasia;x ray\n", "f.csv", PairKind::kForbidden);
  EXPECT_EQ(builder.build(), want);
  EXPECT_EQ(error_of("from,to\nsmoke,lung\n"),
            "k.txt:2: the pair \"smoke\", \"lung\" is neither called required nor forbidden\n"
            "  hint: add a third column: from,to,type with required or forbidden");
  EXPECT_EQ(error_of("smoke,lung,perhaps\n"), "k.txt:1: found the type \"perhaps\", expected required or forbidden");
}

TEST(Knowledge, MalformedFiles) {
  EXPECT_EQ(error_of("requiredirect\nsmok lung\n"),
            "k.txt:2: no variable of the data is called \"smok\"\n  hint: did you mean smoke?");
  EXPECT_EQ(error_of("from,to,type\nsmoke,lungs,required\n"),
            "k.txt:2: no variable of the data is called \"lungs\"\n  hint: did you mean lung?");
  EXPECT_EQ(error_of("addtemporal\nfirst smoke\n"),
            "k.txt:2: found \"first\", expected the number of a tier\n"
            "  hint: a tier is a line such as: 2 lung bronc");
  EXPECT_EQ(error_of("requiredirect\nsmoke lung tub\n"),
            "k.txt:2: found 3 names in \"smoke lung tub\", expected two: cause and effect");
  EXPECT_EQ(error_of("requiredirect\nsmoke smoke\n"), "k.txt:2: found an edge from \"smoke\" to itself");
  EXPECT_EQ(error_of("forbidirect\nsmoke lung\naddtemporal\n"),
            "k.txt:1: found \"forbidirect\", expected a heading\n  hint: did you mean forbiddirect?");
  EXPECT_NE(error_of(" \n# nothing\n"), "");
}

TEST(Knowledge, ContradictionsShowTheirLines) {
  EXPECT_EQ(error_of("forbiddirect\nsmoke lung\nrequiredirect\nsmoke lung\n"),
            "k.txt:4: smoke --> lung is required and forbidden (k.txt:2)\n"
            "  hint: remove one of the two, or let what is required win: --on-conflict required");
  EXPECT_EQ(error_of("requiredirect\nsmoke lung\nlung smoke\n"),
            "k.txt:2: smoke --> lung is required, and so is lung --> smoke (k.txt:3)\n"
            "  hint: remove one of the two: a graph without cycles cannot have both");
  EXPECT_EQ(error_of("addtemporal\n1 lung\n2 smoke\nrequiredirect\nsmoke lung\n"),
            "k.txt:5: smoke --> lung is required and against the tiers: \"smoke\" is in tier 2, \"lung\" in tier 1 "
            "(k.txt:3; k.txt:2)\n"
            "  hint: remove one of the two, or let what is required win: --on-conflict required");
  EXPECT_NE(
      error_of("addtemporal\n1* lung smoke\nrequiredirect\nsmoke lung\n").find("within tier 1, which has no edges"),
      std::string::npos);
  EXPECT_NE(error_of("addtemporal\n1- lung\n2 asia\n3 smoke\nrequiredirect\nlung smoke\n").find("past the next tier"),
            std::string::npos);
  EXPECT_EQ(error_of("addtemporal\n1 lung\n2 smoke lung\n"),
            "k.txt:3: \"lung\" is put into tier 2 and into tier 1 (k.txt:2)");
  EXPECT_EQ(error_of("requiredirect\nsmoke lung\nlung tub\ntub smoke\n"),
            "k.txt:2: the required edges form a cycle: smoke --> lung --> tub --> smoke (k.txt:2, k.txt:3, k.txt:4)");
}

TEST(Knowledge, RequiredMayWin) {
  const std::string text =
      "addtemporal\n1 lung\n2 smoke\nforbiddirect\nasia tub\nrequiredirect\nsmoke lung\nasia tub\n";
  const Knowledge known = parse(text, OnConflict::kRequiredWins);
  EXPECT_EQ(known.required_edges(), (std::vector<Edge>{{0, 2}, {1, 3}}));
  EXPECT_EQ(forbidden(known), (std::set<Edge>{{2, 0}, {3, 1}}));
  EXPECT_NE(error_of("requiredirect\nsmoke lung\nlung smoke\n", std::nullopt, OnConflict::kRequiredWins), "");
}

TEST(Knowledge, NothingKnownAllowsEverything) {
  const Knowledge none;
  EXPECT_TRUE(none.empty());
  EXPECT_TRUE(none.allows(EdgeMove{MoveKind::kReverse, 0, 1}));
  EXPECT_TRUE(none.required_edges().empty());
  EXPECT_EQ(summary(none), "none");
  Dag dag(3);
  dag.add_edge(0, 1);
  EXPECT_TRUE(satisfies(dag, none));
  EXPECT_EQ(repair(dag, none), dag);
  EXPECT_EQ(mpdag_of(dag, none), cpdag_of(dag).pdag());
}

// Random knowledge over p nodes that can be satisfied: its required edges come from `truth`, its tiers from an order of
// truth or from none.
Knowledge random_knowledge(const Dag& truth, Rng& rng) {
  const int p = truth.size();
  std::vector<std::string> names;
  for (Node v = 0; v < p; ++v) names.push_back("v" + std::to_string(v));
  KnowledgeBuilder builder(names);
  for (const Edge& edge : truth.edges()) {
    if (rng.below(4) == 0) builder.require(names[edge.from], names[edge.to], "");
  }
  for (Node a = 0; a < p; ++a) {
    for (Node b = 0; b < p; ++b) {
      if (a != b && !truth.has_edge(a, b) && rng.below(5) == 0) builder.forbid(names[a], names[b], "");
    }
  }
  if (rng.below(2)) {
    const std::vector<Node> order = topological_order(truth);
    int tier = 0;
    for (Node v : order) {
      tier += rng.below(2);
      if (rng.below(4)) builder.tier(tier, {names[v]}, true, false, "");
    }
  }
  return builder.build();
}

std::vector<std::string> numbered(int p) {
  std::vector<std::string> names;
  for (Node v = 0; v < p; ++v) names.push_back("v" + std::to_string(v));
  return names;
}

TEST(Knowledge, PlainTwinOfTheChecks) {
  Rng rng(5);
  int satisfied = 0;
  for (int round = 0; round < 300; ++round) {
    const int p = 2 + rng.below(70);  // past one word of bits
    const Dag truth = test::random_dag(p, 0.2, rng);
    const Knowledge known = random_knowledge(truth, rng);
    EXPECT_TRUE(satisfies(truth, known)) << "it was made from it";
    const Dag dag = rng.below(2) ? truth : test::random_dag(p, 0.1, rng);
    int wrong = 0;
    for (Node a = 0; a < p; ++a) {
      for (Node b = 0; b < p; ++b) {
        const Edge edge{a, b}, back{b, a};
        wrong += known.is_required(edge) && !dag.has_edge(a, b);
        wrong += known.is_forbidden(edge) && dag.has_edge(a, b);
        EXPECT_FALSE(known.is_required(edge) && known.is_forbidden(edge));
        EXPECT_TRUE(!known.is_required(edge) || known.is_forbidden(back));
      }
    }
    ASSERT_EQ(violations(dag, known, numbered(p)).size(), static_cast<size_t>(wrong));
    ASSERT_EQ(satisfies(dag, known), wrong == 0);
    satisfied += wrong == 0;
  }
  EXPECT_GT(satisfied, 50);
  EXPECT_LT(satisfied, 300);
}

// A move is allowed exactly when it keeps a satisfying graph satisfying.
TEST(Knowledge, MovesAllowedKeepItSatisfied) {
  Rng rng(6);
  for (int round = 0; round < 200; ++round) {
    const int p = 2 + rng.below(6);
    const Dag dag = test::random_dag(p, 0.5, rng);
    const Knowledge known = random_knowledge(dag, rng);
    for (Node a = 0; a < p; ++a) {
      for (Node b = 0; b < p; ++b) {
        for (MoveKind kind : {MoveKind::kAdd, MoveKind::kRemove, MoveKind::kReverse}) {
          const bool stands = dag.has_edge(a, b);
          if (a == b || (kind == MoveKind::kAdd ? dag.adjacent(a, b) : !stands)) continue;
          Dag after = dag;
          after.apply({kind, a, b});
          ASSERT_EQ(known.allows(EdgeMove{kind, a, b}), satisfies(after, known));
        }
      }
    }
  }
}

TEST(Knowledge, RepairSatisfiesAndKeepsWhatItCan) {
  Rng rng(7);
  for (int round = 0; round < 300; ++round) {
    const int p = 2 + rng.below(20);
    const Knowledge known = random_knowledge(test::random_dag(p, 0.3, rng), rng);
    const Dag dag = test::random_dag(p, 0.4, rng);
    const Dag fixed = repair(dag, known);
    ASSERT_TRUE(is_acyclic(fixed));
    ASSERT_TRUE(satisfies(fixed, known));
    ASSERT_EQ(repair(fixed, known), fixed);
    if (satisfies(dag, known)) {
      ASSERT_EQ(fixed, dag);
    }
    for (const Edge& edge : fixed.edges()) {
      ASSERT_TRUE(dag.has_edge(edge.from, edge.to) || known.is_required(edge)) << "nothing is invented";
    }
    for (const Edge& edge : dag.edges()) {  // what was dropped could not have stayed
      if (fixed.has_edge(edge.from, edge.to) || known.is_forbidden(edge)) continue;
      std::vector<Edge> with = fixed.edges();
      with.push_back(edge);
      ASSERT_FALSE(find_cycle(p, with).empty());
    }
  }
}

// By definition: an edge is directed exactly when all members of the class that satisfy the knowledge agree on it.
TEST(Knowledge, MpdagIsWhatAllMembersShare) {
  Rng rng(8);
  const std::vector<Dag> all = test::all_dags(4);
  int directed_by_knowledge = 0;
  for (int round = 0; round < 400; ++round) {
    const Dag& dag = all[rng.below(static_cast<int>(all.size()))];
    const Knowledge known = random_knowledge(dag, rng);
    Pdag want(4);
    std::vector<const Dag*> members;
    for (const Dag& other : all) {
      if (same_class(other, dag) && satisfies(other, known)) members.push_back(&other);
    }
    for (const Edge& edge : dag.edges()) {
      const bool agreed =
          std::all_of(members.begin(), members.end(), [&](const Dag* m) { return m->has_edge(edge.from, edge.to); });
      if (agreed) {
        want.add_directed(edge.from, edge.to);
      } else {
        want.add_undirected(edge.from, edge.to);
      }
    }
    ASSERT_EQ(mpdag_of(dag, known), want);
    directed_by_knowledge += want.directed_count() > cpdag_of(dag).compelled_count();
  }
  EXPECT_GT(directed_by_knowledge, 50);
}

TEST(Knowledge, MutatedFilesNeverCrash) {
  Rng rng(9);
  const std::string base =
      "/knowledge\naddtemporal\n1 asia smoke\n2* tub lung\n3- \"x ray\"\nforbiddirect\nasia smoke\nrequiredirect\n"
      "smoke lung\nforbiddengroup\nasia\ntub lung\n";
  const std::string csv = "from,to,type\nsmoke,lung,required\nasia,x ray,forbidden\n";
  EXPECT_EQ(parse(base).required_count(), 1);
  EXPECT_EQ(parse(csv).required_count(), 1);
  int read = 0;  // few: most edits break a name
  for (int round = 0; round < 4000; ++round) {
    std::string text = round % 3 ? base : csv;
    const int edits = 1 + rng.below(3);
    for (int k = 0; k < edits; ++k) {
      const size_t at = static_cast<size_t>(rng.below(static_cast<int>(text.size())));
      switch (rng.below(3)) {
        case 0:
          text[at] = static_cast<char>(rng.below(256));
          break;
        case 1:
          text.erase(at, 1 + rng.below(4));
          break;
        default:
          text.insert(at, text.substr(static_cast<size_t>(rng.below(static_cast<int>(text.size()))), 9));
      }
    }
    try {
      const Knowledge known = parse(text);
      ++read;
      ASSERT_TRUE(find_cycle(known.size(), known.required_edges()).empty());
    } catch (const InputError&) {
    }
  }
  EXPECT_GT(read, 10);
}

TEST(Knowledge, AnAnswerThatBreaksItIsOurFault) {
  const std::vector<std::string> names = {"a", "b", "c"};
  const Knowledge known = parse_knowledge("requiredirect\na b\nforbiddirect\nb c\n", "t", names);
  Dag dag(3);
  dag.add_edge(0, 1);
  EXPECT_NO_THROW(check_satisfied(dag, known, names));
  dag.add_edge(1, 2);
  EXPECT_THROW(check_satisfied(dag, known, names), std::logic_error);
}

}  // namespace
}  // namespace agon
