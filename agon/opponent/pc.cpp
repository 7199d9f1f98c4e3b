#include "agon/opponent/pc.h"

#include <fmt/format.h>

#include <algorithm>

#include "agon/base/parallel.h"
#include "agon/graph/central_member.h"
#include "agon/graph/equivalence.h"
#include "agon/opponent/weighted_graph.h"

namespace agon {
namespace {

struct Collider {
  Node a, middle, b;  // a < b
  double evidence;    // p-value
};

// What the sets that separate a and b say about each of their common neighbours.
struct Verdict {
  std::vector<bool> collider;
  double evidence = 0;
  long tests = 0;
};

Verdict judge(const Independence& test, const Skeleton& skeleton, Node a, Node b, const std::vector<Node>& middles,
              const PcOptions& options, const Knowledge& knowledge) {
  Verdict out;
  out.collider.assign(middles.size(), false);
  const auto& known = skeleton.separation(a, b);
  if (!known) return out;  // kept apart by knowledge: nothing was tested
  std::vector<Node> best = known->set;
  out.evidence = known->p_value;
  std::vector<int> holds(middles.size());
  int sets = 0;
  for (const Node end : {a, b}) {
    std::vector<Node> from, shared;
    for (Node v : skeleton.neighbours(end)) {
      if (knowledge.allows(Edge{v, end})) from.push_back(v);
    }
    for (int size = 0; size <= skeleton.largest_given; ++size) {
      for_each_subset(from, size, [&](const std::vector<Node>& given) {
        const Node other = a + b - end;
        if (end == b) {  // sets of neighbours of both were tested before
          const bool before = std::all_of(given.begin(), given.end(), [&](Node v) {
            return skeleton.adjacent(v, a) && knowledge.allows(Edge{v, a});
          });
          if (before) return true;
        }
        const double p = test.p_value(end, other, given);
        ++out.tests;
        if (p > out.evidence) {
          out.evidence = p;
          best = given;
        }
        if (p > options.skeleton.alpha) {
          ++sets;
          for (size_t k = 0; k < middles.size(); ++k) {
            holds[k] += std::binary_search(given.begin(), given.end(), middles[k]);
          }
        }
        return true;
      });
    }
  }
  for (size_t k = 0; k < middles.size(); ++k) {
    const bool in_best = std::binary_search(best.begin(), best.end(), middles[k]);
    const bool in_few = sets == 0 ? !in_best : 2 * holds[k] < sets;
    using enum PcOptions::Colliders;
    out.collider[k] = options.colliders == kMajority ? in_few
                      : options.colliders == kMaxP   ? !in_best
                                                     : in_few && !in_best;
  }
  return out;
}

}  // namespace

PcResult pc(const Independence& test, const PcOptions& options, const Knowledge& knowledge, const Watch& watch) {
  const int p = test.size();
  PcResult out;
  out.skeleton = find_skeleton(test, options.skeleton, knowledge, watch);
  const Skeleton& skeleton = out.skeleton;
  out.tests = skeleton.tests;
  out.stopped_by = skeleton.stopped_by;

  // Directions that the knowledge fixes.
  out.pdag = Pdag(p);
  for (Node a = 0; a < p; ++a) {
    for (Node b : skeleton.neighbours(a)) {
      if (b < a) continue;
      if (knowledge.is_required({a, b}) || knowledge.is_forbidden({b, a})) {
        out.pdag.add_directed(a, b);
      } else if (knowledge.is_required({b, a}) || knowledge.is_forbidden({a, b})) {
        out.pdag.add_directed(b, a);
      } else {
        out.pdag.add_undirected(a, b);
      }
    }
  }

  // Colliders, from pairs that are not adjacent and have a common neighbour.
  std::vector<std::vector<Collider>> found(p);
  std::vector<long> tests(p);
  parallel_for(p, options.skeleton.threads, [&](int a) {
    for (Node b = a + 1; b < p && !watch.stop_requested(); ++b) {
      if (skeleton.adjacent(a, b)) continue;
      NodeSet shared(skeleton.neighbours(a));
      shared &= skeleton.neighbours(b);
      const std::vector<Node> middles = shared.to_vector();
      if (middles.empty()) continue;
      const Verdict verdict = judge(test, skeleton, a, b, middles, options, knowledge);
      tests[a] += verdict.tests;
      for (size_t k = 0; k < middles.size(); ++k) {
        if (verdict.collider[k]) found[a].push_back({a, middles[k], b, verdict.evidence});
      }
    }
  });
  std::vector<Collider> colliders;
  for (Node a = 0; a < p; ++a) {
    out.tests += tests[a];
    colliders.insert(colliders.end(), found[a].begin(), found[a].end());
  }
  std::stable_sort(colliders.begin(), colliders.end(),
                   [](const Collider& x, const Collider& y) { return x.evidence > y.evidence; });
  for (const Collider& c : colliders) {
    if (out.pdag.has_directed(c.middle, c.a) || out.pdag.has_directed(c.middle, c.b)) {
      ++out.conflicts;
      continue;
    }
    ++out.colliders;
    for (const Node end : {c.a, c.b}) {
      if (out.pdag.has_undirected(end, c.middle)) out.pdag.orient(end, c.middle);
    }
  }
  close_under_meek(out.pdag);
  if (watch.stop_requested()) out.stopped_by = watch.stop_reason();
  watch.tell({"directing edges", out.tests, out.pdag.edge_count(), 0, {}, 0, "test"});
  return out;
}

Dag dag_for_score(const Pdag& pdag, const LocalScore& score, const Knowledge& knowledge,
                  std::vector<std::string>& story) {
  const std::optional<Dag> extension = central_member(pdag);
  const Dag dag = extension ? *extension : dag_by_rule(pdag);
  if (!extension) story.push_back("no DAG agrees with all directions found; cycles and colliders were settled by rule");
  std::vector<WeightedEdge> edges;
  for (const Edge& e : dag.edges()) edges.push_back({e, 1});
  LeftOut left;
  Dag out = dag_from_weights(std::move(edges), score, knowledge, &left);
  if (left.forbidden + left.cycle + left.over_cap + left.unscored > 0) {
    story.push_back(
        fmt::format("{} edges left out: {} forbidden, {} that would close a cycle with required ones, {} beyond "
                    "the most parents a node may have, {} whose parents would determine the child",
                    left.forbidden + left.cycle + left.over_cap + left.unscored, left.forbidden, left.cycle,
                    left.over_cap, left.unscored));
  }
  return out;
}

SearchResult pc_opponent(const Independence& test, const LocalScore& score, const PcOptions& options,
                         const Watch& watch, const Knowledge& knowledge) {
  const PcResult found = pc(test, options, knowledge, watch);
  SearchResult out;
  out.steps = found.tests;
  out.stopped_by = found.stopped_by;
  out.story.push_back(fmt::format("{} tests ({}, level {:g}) with at most {} columns given: {} edges", found.tests,
                                  test.name(), options.skeleton.alpha, found.skeleton.largest_given,
                                  found.pdag.edge_count()));
  out.story.push_back(
      fmt::format("{} colliders, {} more left out that contradict clearer ones; {} edges directed, {} not",
                  found.colliders, found.conflicts, found.pdag.directed_count(), found.pdag.undirected_count()));
  out.dag = dag_for_score(found.pdag, score, knowledge, out.story);
  out.score = total(score, out.dag);
  return out;
}

}  // namespace agon
