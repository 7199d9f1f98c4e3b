#include "agon/opponent/pc.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "agon/base/parallel.h"
#include "agon/graph/central_member.h"
#include "agon/graph/equivalence.h"
#include "agon/opponent/weighted_graph.h"

namespace agon {
namespace {

// A common neighbour counts as a collider if p-values without it are more than twice those with it, in the mean.
const double kClearly = std::log(2);

struct Collider {
  Node a, middle, b;  // a < b
  double evidence;    // how much more it is than a triple that is no collider: the mean of pc.h
};

// What the tests of a and b say about each of their common neighbours.
struct Verdict {
  std::vector<double> evidence;
  long tests = 0;
};

// `set` with v added or taken away.
std::vector<Node> toggled(std::vector<Node> set, Node v) {
  const auto at = std::lower_bound(set.begin(), set.end(), v);
  if (at != set.end() && *at == v) {
    set.erase(at);
  } else {
    set.insert(at, v);
  }
  return set;
}

Verdict judge(const Independence& test, const Skeleton& skeleton, Node a, Node b, const std::vector<Node>& middles,
              const SkeletonOptions& options, const Knowledge& knowledge) {
  Verdict out;
  out.evidence.assign(middles.size(), 0);
  const auto& known = skeleton.separation(a, b);
  if (!known) return out;  // kept apart by knowledge: nothing was tested
  std::map<std::vector<Node>, double> p_values{{known->set, known->p_value}};
  const auto ask = [&](Node end, const std::vector<Node>& given) {
    const auto [at, fresh] = p_values.try_emplace(given);
    if (!fresh) return;
    at->second = test.p_value(end, a + b - end, given);
    ++out.tests;
  };
  for (const Node end : {a, b}) {
    std::vector<Node> from;
    for (Node v : skeleton.neighbours(end)) {
      if (knowledge.allows(Edge{v, end})) from.push_back(v);
    }
    for (int size = 0; size <= skeleton.largest_given; ++size) {
      for_each_subset(from, size, [&](const std::vector<Node>& given) {
        ask(end, given);
        return true;
      });
    }
  }
  for (const Node middle : middles) {  // then every middle has at least one pair of sets, unless sets are limited
    const std::vector<Node> other = toggled(known->set, middle);
    if (options.max_given < 0 || static_cast<int>(other.size()) <= options.max_given) ask(a, other);
  }
  for (size_t k = 0; k < middles.size(); ++k) {
    double sum = 0;
    int pairs = 0;
    for (const auto& [without, p] : p_values) {
      if (std::binary_search(without.begin(), without.end(), middles[k])) continue;
      const auto with = p_values.find(toggled(without, middles[k]));
      if (with == p_values.end() || std::max(p, with->second) <= options.alpha) continue;
      sum += std::log(std::max(p, options.alpha) / std::max(with->second, options.alpha));
      ++pairs;
    }
    const bool separates = std::binary_search(known->set.begin(), known->set.end(), middles[k]);
    out.evidence[k] = pairs > 0 ? sum / pairs : separates ? 0 : -std::log(options.alpha);
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
      const Verdict verdict = judge(test, skeleton, a, b, middles, options.skeleton, knowledge);
      tests[a] += verdict.tests;
      for (size_t k = 0; k < middles.size(); ++k) {
        if (verdict.evidence[k] > kClearly) found[a].push_back({a, middles[k], b, verdict.evidence[k]});
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
