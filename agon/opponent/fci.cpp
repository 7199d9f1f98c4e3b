#include "agon/opponent/fci.h"

#include <fmt/format.h>

#include <algorithm>

#include "agon/base/parallel.h"
#include "agon/opponent/pag_rules.h"
#include "agon/opponent/pc.h"

namespace agon {
namespace {

// The skeleton with the marks that the knowledge sets and the arrows of unshielded colliders.
Pag with_colliders(const Skeleton& skeleton, const Knowledge& knowledge) {
  const int p = skeleton.size();
  Pag pag(p);
  BitRows fixed(p);  // [a][b]: the mark at b of a *-* b is known
  for (Node a = 0; a < p; ++a) {
    for (Node b : skeleton.neighbours(a)) {
      if (a < b) pag.join(a, b);
    }
  }
  for (Node a = 0; a < p; ++a) {
    for (Node b : skeleton.neighbours(a)) {
      if (knowledge.is_required({a, b})) {
        pag.set_mark(a, b, Mark::kArrow);
        pag.set_mark(b, a, Mark::kTail);
        fixed.set(a, b);
        fixed.set(b, a);
      } else if (knowledge.is_forbidden({b, a}) && !knowledge.is_required({b, a})) {
        pag.set_mark(a, b, Mark::kArrow);
        fixed.set(a, b);
      }
    }
  }
  for (Node a = 0; a < p; ++a) {
    for (Node b = a + 1; b < p; ++b) {
      const auto& by = skeleton.separation(a, b);
      if (skeleton.adjacent(a, b) || !by) continue;
      NodeSet shared(skeleton.neighbours(a));
      shared &= skeleton.neighbours(b);
      for (Node m : shared) {
        if (std::binary_search(by->set.begin(), by->set.end(), m)) continue;
        for (const Node end : {a, b}) {
          if (!fixed.test(end, m)) pag.set_mark(end, m, Mark::kArrow);
        }
      }
    }
  }
  return pag;
}

// The nodes reached from `from` by a path on which every inner node is a collider or has adjacent neighbours on the
// path.
NodeSet possible_d_sep(const Pag& pag, Node from) {
  const int p = pag.size();
  NodeSet out(p);
  BitRows seen(p);  // [a][b]: the step from a to b
  std::vector<std::pair<Node, Node>> queue;
  for (Node v : pag.neighbours(from)) {
    queue.emplace_back(from, v);
    seen.set(from, v);
    out.insert(v);
  }
  for (size_t next = 0; next < queue.size(); ++next) {
    const auto [a, b] = queue[next];
    for (Node c : pag.neighbours(b)) {
      if (c == a || c == from || seen.test(b, c)) continue;
      const bool collider = pag.mark(a, b) == Mark::kArrow && pag.mark(c, b) == Mark::kArrow;
      if (!collider && !pag.adjacent(a, c)) continue;
      seen.set(b, c);
      out.insert(c);
      queue.emplace_back(b, c);
    }
  }
  return out;
}

}  // namespace

Pag orient_pag(const Skeleton& skeleton, const Knowledge& knowledge) {
  Pag pag = with_colliders(skeleton, knowledge);
  while (apply_rules(pag, skeleton)) {
  }
  return pag;
}

FciResult fci(const Independence& test, const FciOptions& options, const Knowledge& knowledge, const Watch& watch) {
  const int p = test.size();
  FciResult out;
  out.skeleton = find_skeleton(test, options.skeleton, knowledge, watch);
  out.tests = out.skeleton.tests;
  out.stopped_by = out.skeleton.stopped_by;

  // Step 2: every edge is tested in the graph as it is now, so that the order does not matter.
  const Pag first = with_colliders(out.skeleton, knowledge);
  const int most = options.possible_given < 0 ? p : options.possible_given;
  std::vector<NodeSet> reach(p);
  for (Node a = 0; a < p; ++a) reach[a] = possible_d_sep(first, a);
  struct Found {
    Node a, b;
    Separation by;
  };
  std::vector<std::vector<Found>> found(p);
  std::vector<long> tests(p);
  parallel_for(p, options.skeleton.threads, [&](int a) {
    for (Node b : first.neighbours(a)) {
      if (b < a || knowledge.is_required({a, b}) || knowledge.is_required({b, a})) continue;
      std::optional<Separation> by;
      for (int size = 1; size <= most && !by; ++size) {
        bool large_enough = false;
        for (const Node end : {a, b}) {
          std::vector<Node> from = reach[end].to_vector();
          std::erase(from, a + b - end);
          large_enough = large_enough || static_cast<int>(from.size()) >= size;
          for_each_subset(from, size, [&](const std::vector<Node>& given) {
            if (by || watch.stop_requested()) return false;
            // Sets of neighbours of one end were tried in step 1.
            if (size <= out.skeleton.largest_given && knowledge.empty()) {
              for (const Node v : {a, b}) {
                const bool around =
                    std::all_of(given.begin(), given.end(), [&](Node u) { return first.adjacent(u, v); });
                if (around) return true;
              }
            }
            ++tests[a];
            const double p_value = test.p_value(end, a + b - end, given);
            if (p_value > options.skeleton.alpha) by = Separation{given, p_value};
            return true;
          });
        }
        if (!large_enough) break;
      }
      if (by) found[a].push_back({a, b, std::move(*by)});
    }
  });
  for (Node a = 0; a < p; ++a) {
    out.tests += tests[a];
    for (Found& f : found[a]) {
      out.skeleton.separate(f.a, f.b, std::move(f.by));
      ++out.removed_late;
    }
  }
  if (watch.stop_requested()) out.stopped_by = watch.stop_reason();
  out.pag = orient_pag(out.skeleton, knowledge);
  watch.tell({"directing edges", out.tests, out.pag.edge_count(), 0, {}, 0, "test"});
  return out;
}

SearchResult fci_opponent(const Independence& test, const LocalScore& score, const FciOptions& options,
                          const Watch& watch, const Knowledge& knowledge) {
  const FciResult found = fci(test, options, knowledge, watch);
  SearchResult out;
  out.steps = found.tests;
  out.stopped_by = found.stopped_by;
  int directed = 0, hidden = 0, half = 0;
  for (Node a = 0; a < found.pag.size(); ++a) {
    for (Node b : found.pag.neighbours(a)) {
      directed += found.pag.is_directed(a, b);
      half += found.pag.has(a, b, Mark::kArrow) && found.pag.has(b, a, Mark::kCircle);
      hidden += a < b && found.pag.has(a, b, Mark::kArrow) && found.pag.has(b, a, Mark::kArrow);
    }
  }
  out.story.push_back(fmt::format("{} tests ({}, level {:g}): {} edges, {} more taken out by sets beyond neighbours",
                                  found.tests, test.name(), options.skeleton.alpha, found.pag.edge_count(),
                                  found.removed_late));
  out.story.push_back(fmt::format("PAG: {} -->, {} o->, {} <-> (a hidden common cause), {} others", directed, half,
                                  hidden, found.pag.edge_count() - directed - half - hidden));
  out.dag = dag_for_score(without_hidden(found.pag), score, knowledge, out.story);
  out.score = total(score, out.dag);
  out.pag = found.pag;
  return out;
}

}  // namespace agon
