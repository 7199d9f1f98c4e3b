#include "agon/opponent/fci.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "agon/data/embedded.h"
#include "agon/graph/d_separation.h"
#include "agon/graph/test_graphs.h"
#include "agon/opponent/test_oracle_independence.h"
#include "agon/score/test_scores.h"

namespace agon {
namespace {

using testing::Oracle;

// The ancestors of a and b among the observed nodes, without a and b: they separate a and b if anything does
// (Richardson & Spirtes 2002, theorem 4.2).
std::vector<Node> best_separator(const Dag& dag, int observed, Node a, Node b) {
  NodeSet ends(dag.size());
  ends.insert(a);
  ends.insert(b);
  std::vector<Node> out;
  for (Node v : ancestors(dag, ends)) {
    if (v < observed && v != a && v != b) out.push_back(v);
  }
  return out;
}

// The skeleton and its separating sets, without any search.
Skeleton true_skeleton(const Dag& dag, int observed) {
  Skeleton out(observed);
  const Oracle oracle(dag, observed);
  for (Node a = 0; a < observed; ++a) {
    for (Node b = a + 1; b < observed; ++b) {
      const std::vector<Node> set = best_separator(dag, observed, a, b);
      if (oracle.p_value(a, b, set) > 0.5) {
        out.separate(a, b, Separation{set, 1});
      } else {
        out.join(a, b);
      }
    }
  }
  return out;
}

bool is_ancestor(const Dag& dag, Node a, Node b) {
  NodeSet end(dag.size());
  end.insert(b);
  return ancestors(dag, end).contains(a);
}

// Observed nodes come first. Every hidden node causes two of them.
Dag confounded(int observed, int hidden, double density, Rng& rng) {
  Dag dag(observed + hidden);
  for (const Edge& e : test::random_dag(observed, density, rng).edges()) dag.add_edge(e.from, e.to);
  for (Node h = observed; h < observed + hidden; ++h) {
    const Node a = rng.below(observed), b = (a + 1 + rng.below(observed - 1)) % observed;
    dag.add_edge(h, a);
    dag.add_edge(h, b);
  }
  return dag;
}

TEST(Fci, AnOracleWithHiddenNodesGivesTheTruePag) {
  Rng rng(1);
  int hidden_edges = 0, tails = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const int all = 4 + rng.below(9), observed = std::max(3, all - rng.below(5));
    const Dag dag = trial % 3 == 0 ? test::random_dag(all, rng.uniform(0.15, 0.4), rng)
                                   : confounded(observed, all - observed, rng.uniform(0.1, 0.4), rng);
    const FciResult found = fci(Oracle(dag, observed), {.possible_given = -1});
    ASSERT_EQ(found.pag, orient_pag(true_skeleton(dag, observed))) << trial;
    for (Node a = 0; a < observed; ++a) {
      for (Node b : found.pag.neighbours(a)) {
        // An arrow at b: b does not cause a. A tail at b: it does.
        if (found.pag.mark(a, b) == Mark::kArrow) {
          EXPECT_FALSE(is_ancestor(dag, b, a));
        }
        if (found.pag.mark(a, b) == Mark::kTail) {
          EXPECT_TRUE(is_ancestor(dag, b, a));
        }
        tails += found.pag.mark(a, b) == Mark::kTail;
        hidden_edges += a < b && found.pag.has(a, b, Mark::kArrow) && found.pag.has(b, a, Mark::kArrow);
      }
    }
  }
  EXPECT_GT(hidden_edges, 40);
  EXPECT_GT(tails, 300);
}

// A graph of directed and bidirected edges over few nodes: arrow[a][b] is an arrow at b of a *-* b.
struct Mixed {
  int nodes;
  bool joined[5][5] = {}, arrow[5][5] = {};
  bool directed(int a, int b) const { return joined[a][b] && arrow[a][b] && !arrow[b][a]; }
};

bool mixed_ancestor(const Mixed& g, int a, int b) {
  std::vector<int> queue = {a};
  std::vector<bool> seen(g.nodes);
  seen[a] = true;
  for (size_t k = 0; k < queue.size(); ++k) {
    for (int v = 0; v < g.nodes; ++v) {
      if (!seen[v] && g.directed(queue[k], v)) {
        seen[v] = true;
        queue.push_back(v);
      }
    }
  }
  return seen[b];
}

bool is_ancestral(const Mixed& g) {
  for (int a = 0; a < g.nodes; ++a) {
    for (int b = 0; b < g.nodes; ++b) {
      if (g.joined[a][b] && g.arrow[a][b] && mixed_ancestor(g, b, a)) return false;  // an arrow at an ancestor
    }
  }
  return true;
}

bool m_connected(const Mixed& g, int a, int b, unsigned given) {
  std::vector<bool> above(g.nodes);  // ancestors of `given`
  for (int v = 0; v < g.nodes; ++v) {
    for (int w = 0; w < g.nodes; ++w) above[v] = above[v] || ((given >> w & 1) && mixed_ancestor(g, v, w));
  }
  std::vector<std::pair<int, int>> queue;
  bool seen[5][5] = {};
  for (int v = 0; v < g.nodes; ++v) {
    if (g.joined[a][v]) {
      queue.emplace_back(a, v);
      seen[a][v] = true;
    }
  }
  for (size_t k = 0; k < queue.size(); ++k) {
    const auto [from, at] = queue[k];
    if (at == b) return true;
    for (int next = 0; next < g.nodes; ++next) {
      if (!g.joined[at][next] || next == from || seen[at][next]) continue;
      const bool collider = g.arrow[from][at] && g.arrow[next][at];
      if (collider ? !above[at] : (given >> at & 1)) continue;
      seen[at][next] = true;
      queue.emplace_back(at, next);
    }
  }
  return false;
}

// Finds all graphs of the class by trying every one. The marks they share are those of the Pag.
TEST(Fci, RulesAreCompleteOnSmallGraphs) {
  Rng rng(2);
  int classes = 0;
  for (int trial = 0; trial < 400 && classes < 150; ++trial) {
    const int observed = 4 + rng.below(2), all = observed + rng.below(4);
    const Dag dag = trial % 2 == 0 ? test::random_dag(all, rng.uniform(0.25, 0.5), rng)
                                   : confounded(observed, all - observed, rng.uniform(0.1, 0.3), rng);
    const Oracle oracle(dag, observed);
    const Skeleton skeleton = true_skeleton(dag, observed);
    std::vector<Edge> edges;
    for (Node a = 0; a < observed; ++a) {
      for (Node b = a + 1; b < observed; ++b) {
        if (skeleton.adjacent(a, b)) edges.push_back({a, b});
      }
    }
    if (edges.size() > 7 || edges.size() < 3) continue;
    ++classes;
    std::vector<std::vector<Node>> sets;
    for (unsigned given = 0; given < (1u << observed); ++given) {
      std::vector<Node> set;
      for (int v = 0; v < observed; ++v) {
        if (given >> v & 1) set.push_back(v);
      }
      sets.push_back(set);
    }
    int combinations = 1, members = 0;
    for (size_t k = 0; k < edges.size(); ++k) combinations *= 3;
    int arrows[5][5] = {};
    for (int code = 0; code < combinations; ++code) {
      Mixed g{observed};
      int rest = code;
      for (const auto& [a, b] : edges) {
        g.joined[a][b] = g.joined[b][a] = true;
        g.arrow[a][b] = rest % 3 != 1;
        g.arrow[b][a] = rest % 3 != 0;
        rest /= 3;
      }
      if (!is_ancestral(g)) continue;
      bool same = true;
      for (Node a = 0; a < observed && same; ++a) {
        for (Node b = a + 1; b < observed && same; ++b) {
          for (unsigned given = 0; given < sets.size() && same; ++given) {
            if ((given >> a & 1) || (given >> b & 1)) continue;
            same = m_connected(g, a, b, given) == (oracle.p_value(a, b, sets[given]) < 0.5);
          }
        }
      }
      if (!same) continue;
      ++members;
      for (int a = 0; a < observed; ++a) {
        for (int b = 0; b < observed; ++b) arrows[a][b] += g.arrow[a][b];
      }
    }
    ASSERT_GT(members, 0);
    const Pag found = orient_pag(skeleton);
    for (const auto& [a, b] : edges) {
      for (const auto& [from, at] : {std::pair{a, b}, std::pair{b, a}}) {
        const int count = arrows[from][at];
        const Mark expected = count == members ? Mark::kArrow : count == 0 ? Mark::kTail : Mark::kCircle;
        ASSERT_EQ(found.mark(from, at), expected) << trial << ": " << from << " " << at;
      }
    }
  }
  EXPECT_EQ(classes, 150);
}

// A graph in which no set of neighbours separates a pair that is not adjacent in the Pag.
TEST(Fci, PossibleDSepMattersWhereNeighboursDoNotSeparate) {
  Dag dag(9);
  for (const Edge& e : {Edge{2, 4}, {3, 0}, {3, 1}, {4, 5}, {6, 3}, {6, 5}, {7, 1}, {7, 4}, {8, 2}, {8, 3}}) {
    dag.add_edge(e.from, e.to);
  }
  const FciResult found = fci(Oracle(dag, 6), {.possible_given = -1}),
                  without = fci(Oracle(dag, 6), {.possible_given = 0});
  EXPECT_EQ(found.removed_late, 1);
  EXPECT_EQ(found.pag, orient_pag(true_skeleton(dag, 6)));
  EXPECT_EQ(without.pag.edge_count(), found.pag.edge_count() + 1);
}

// Rows selected by effects of 0 and 1, of 1 and 2, of 2 and 3, of 3 and 0; and 1 -> 4 -> 5. The cycle gets tails by
// rule 5; then 1 --o 4 by rule 6, and 4 --o 5 by rule 7.
TEST(Fci, SelectedRowsGiveTails) {
  Dag dag(10);
  for (int k = 0; k < 4; ++k) {
    dag.add_edge(k, 6 + k);
    dag.add_edge((k + 1) % 4, 6 + k);
  }
  dag.add_edge(1, 4);
  dag.add_edge(4, 5);
  Pag expected(6);
  for (const Edge& e : {Edge{0, 1}, {1, 2}, {2, 3}, {3, 0}, {1, 4}, {4, 5}}) {
    expected.join(e.from, e.to);
    expected.set_mark(e.to, e.from, Mark::kTail);
    if (e.to < 4) expected.set_mark(e.from, e.to, Mark::kTail);
  }
  EXPECT_EQ(fci(Oracle(dag, 6, 6), {.possible_given = -1}).pag, expected);
}

// Every mark must be true of the graph: an arrow at b of a *-> b says that b causes neither a nor what selected the
// rows, and a tail says that it does.
TEST(Fci, MarksAreTrueWhereRowsAreSelected) {
  Rng rng(6);
  int tails = 0, undirected = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const int observed = 6, hidden = rng.below(3), selecting = 1 + rng.below(3);
    const int selected = observed + hidden, all = selected + selecting;
    Dag dag(all);
    for (const Edge& e : confounded(observed, hidden, rng.uniform(0.1, 0.4), rng).edges()) dag.add_edge(e.from, e.to);
    for (Node s = selected; s < all; ++s) {
      for (int k = 0; k < 2; ++k) {
        const Node cause = rng.below(observed);
        if (!dag.has_edge(cause, s)) dag.add_edge(cause, s);
      }
    }
    const Pag pag = fci(Oracle(dag, observed, selected), {.possible_given = -1}).pag;
    for (Node a = 0; a < observed; ++a) {
      for (Node b : pag.neighbours(a)) {
        bool causes = is_ancestor(dag, b, a);
        for (Node s = selected; s < all; ++s) causes = causes || is_ancestor(dag, b, s);
        if (pag.mark(a, b) == Mark::kArrow) {
          EXPECT_FALSE(causes) << trial << ": " << a << " " << b;
        }
        if (pag.mark(a, b) == Mark::kTail) {
          EXPECT_TRUE(causes) << trial << ": " << a << " " << b;
        }
        tails += pag.mark(a, b) == Mark::kTail;
        undirected += pag.mark(a, b) == Mark::kTail && pag.mark(b, a) == Mark::kTail;
      }
    }
  }
  EXPECT_GT(tails, 50);
  EXPECT_GT(undirected, 0);
}

TEST(Fci, IsTheSameForAnyThreadsAndKeepsKnowledge) {
  const Dataset data = embedded_table("child", 2000);
  const auto score = make_score("discrete-bic", data);
  const auto test = make_independence(data);
  const SearchResult one = fci_opponent(*test, *score),
                     four = fci_opponent(*test, *score, {.skeleton = {.threads = 4}});
  EXPECT_EQ(one.dag, four.dag);
  EXPECT_EQ(one.story, four.story);
  EXPECT_GT(one.dag.edge_count(), 15);
  // Require the reverse of an edge.
  const Edge edge = one.dag.edges()[3];
  KnowledgeBuilder builder(data.names());
  builder.require(data.column(edge.to).name, data.column(edge.from).name, "test");
  const Knowledge known = builder.build();
  const FciResult with = fci(*test, {}, known);
  EXPECT_TRUE(with.pag.is_directed(edge.to, edge.from));
  EXPECT_TRUE(satisfies(fci_opponent(*test, *score, {}, {}, known).dag, known));
}

}  // namespace
}  // namespace agon
