#include "agon/opponent/pag_rules.h"

#include <algorithm>
#include <functional>

namespace agon {
namespace {

constexpr long kMostPathSteps = 20000;  // of one search for an uncovered path; beyond that the mark stays open

// Names as in the paper, a for alpha and so on; `x *-> y` is has(x, y, kArrow).
class Rules {
 public:
  Rules(Pag& pag, const Skeleton& skeleton) : g_(pag), skeleton_(skeleton), p_(pag.size()) {}

  bool pass() {
    changed_ = false;
    rule_1_to_3();
    rule_4();
    rule_5();
    rule_6_and_7();
    rule_8();
    rule_9_and_10();
    return changed_;
  }

 private:
  bool arrow(Node from, Node at) const { return g_.has(from, at, Mark::kArrow); }
  bool circle(Node from, Node at) const { return g_.has(from, at, Mark::kCircle); }
  bool tail(Node from, Node at) const { return g_.has(from, at, Mark::kTail); }
  void set(Node from, Node at, Mark mark) {
    if (g_.mark(from, at) != Mark::kCircle) return;
    g_.set_mark(from, at, mark);
    changed_ = true;
  }

  void rule_1_to_3() {
    for (Node b = 0; b < p_; ++b) {
      const std::vector<Node> around = g_.neighbours(b).to_vector();
      for (Node a : around) {
        for (Node c : around) {
          if (a == c) continue;
          // R1: a *-> b o-* c, a and c not adjacent: b -> c.
          if (arrow(a, b) && circle(c, b) && !g_.adjacent(a, c)) {
            set(c, b, Mark::kTail);
            set(b, c, Mark::kArrow);
          }
          // R2: a -> b *-> c or a *-> b -> c, and a *-o c: a *-> c.
          if (circle(a, c) && arrow(a, b) && arrow(b, c) && (tail(b, a) || tail(c, b))) set(a, c, Mark::kArrow);
          // R3: a *-> b <-* c, a *-o d o-* c, a and c not adjacent, d *-o b: d *-> b.
          if (a < c && arrow(a, b) && arrow(c, b) && !g_.adjacent(a, c)) {
            for (Node d : around) {
              if (d != a && d != c && circle(a, d) && circle(c, d) && circle(d, b)) set(d, b, Mark::kArrow);
            }
          }
        }
      }
    }
  }

  // R4: a path <t, ..., a, b, c> on which t and c are not adjacent and all between t and b are colliders and parents of
  // c, and b o-* c. If b separated t and c: b -> c; else a <-> b <-> c.
  void rule_4() {
    for (Node b = 0; b < p_; ++b) {
      for (Node c : g_.neighbours(b)) {
        if (!circle(c, b)) continue;
        bool done = false;
        for (Node a : g_.neighbours(b)) {
          if (done) break;
          if (a == c || !arrow(b, a) || !g_.is_directed(a, c)) continue;
          NodeSet seen(p_);
          for (Node v : {a, b, c}) seen.insert(v);
          std::vector<Node> queue = {a};
          for (size_t next = 0; next < queue.size() && !done; ++next) {
            const Node at = queue[next];
            for (Node t : g_.neighbours(at)) {
              if (seen.contains(t) || !arrow(t, at)) continue;
              if (!g_.adjacent(t, c)) {
                const auto& by = skeleton_.separation(t, c);
                if (!by) continue;  // kept apart by knowledge: no separating set is known to look for b in
                if (std::binary_search(by->set.begin(), by->set.end(), b)) {
                  set(c, b, Mark::kTail);
                  set(b, c, Mark::kArrow);
                } else {
                  set(a, b, Mark::kArrow);
                  set(c, b, Mark::kArrow);
                  set(b, c, Mark::kArrow);
                }
                done = true;
                break;
              }
              if (arrow(at, t) && g_.is_directed(t, c)) {
                seen.insert(t);
                queue.push_back(t);
              }
            }
          }
        }
      }
    }
  }

  // Extends `path` by steps that may(from, to) allows until ends(path) holds. The path stays uncovered (no node is
  // adjacent to the next but one) and avoids `avoid`. Finds the first such path in order of nodes.
  bool extend(std::vector<Node>& path, const std::function<bool(Node, Node)>& may,
              const std::function<bool(const std::vector<Node>&)>& ends, Node avoid, long& budget) const {
    if (ends(path)) return true;
    for (Node next : g_.neighbours(path.back())) {
      if (--budget < 0) return false;
      if (next == avoid || !may(path.back(), next)) continue;
      if (path.size() > 1 && g_.adjacent(path[path.size() - 2], next)) continue;
      if (std::find(path.begin(), path.end(), next) != path.end()) continue;
      path.push_back(next);
      if (extend(path, may, ends, avoid, budget)) return true;
      path.pop_back();
    }
    return false;
  }

  // R5: a o-o b and an uncovered path of o-o edges <a, c, ..., d, b>, a and d, b and c not adjacent: all undirected.
  void rule_5() {
    const auto open = [&](Node from, Node to) { return circle(from, to) && circle(to, from); };
    for (Node a = 0; a < p_; ++a) {
      for (Node b : g_.neighbours(a)) {
        if (b < a || !open(a, b)) continue;
        for (Node c : g_.neighbours(a)) {
          if (c == b || !open(a, c) || g_.adjacent(b, c)) continue;
          std::vector<Node> path = {a, c};
          long budget = kMostPathSteps;
          const auto ends = [&](const std::vector<Node>& at) {
            const Node d = at.back(), before = at[at.size() - 2];
            return at.size() > 2 && open(d, b) && !g_.adjacent(a, d) && !g_.adjacent(before, b);
          };
          if (!extend(path, open, ends, b, budget)) continue;
          path.push_back(b);
          for (size_t k = 0; k < path.size(); ++k) {
            const Node from = path[k], to = path[(k + 1) % path.size()];
            set(from, to, Mark::kTail);
            set(to, from, Mark::kTail);
          }
          break;
        }
      }
    }
  }

  void rule_6_and_7() {
    for (Node b = 0; b < p_; ++b) {
      for (Node a : g_.neighbours(b)) {
        // R6: a --- b o-* c: b -* c.   R7: a --o b o-* c, a and c not adjacent: b -* c.
        const bool six = tail(a, b) && tail(b, a), seven = tail(b, a) && circle(a, b);
        if (!six && !seven) continue;
        for (Node c : g_.neighbours(b)) {
          if (c != a && circle(c, b) && (six || !g_.adjacent(a, c))) set(c, b, Mark::kTail);
        }
      }
    }
  }

  // R8: a -> b -> c or a --o b -> c, and a o-> c: a -> c.
  void rule_8() {
    for (Node a = 0; a < p_; ++a) {
      for (Node c : g_.neighbours(a)) {
        if (!circle(c, a) || !arrow(a, c)) continue;
        for (Node b : g_.neighbours(a)) {
          if (b != c && tail(b, a) && !tail(a, b) && g_.is_directed(b, c)) set(c, a, Mark::kTail);
        }
      }
    }
  }

  void rule_9_and_10() {
    const auto may = [&](Node from, Node to) { return !arrow(to, from) && !tail(from, to); };  // perhaps from -> to
    for (Node a = 0; a < p_; ++a) {
      for (Node c : g_.neighbours(a)) {
        if (!circle(c, a) || !arrow(a, c)) continue;
        // R9: a o-> c, an uncovered path <a, b, ..., c> that may be directed, b and c not adjacent: a -> c.
        bool done = false;
        for (Node b : g_.neighbours(a)) {
          if (b == c || g_.adjacent(b, c) || !may(a, b)) continue;
          std::vector<Node> path = {a, b};
          long budget = kMostPathSteps;
          done = extend(
              path, may, [&](const std::vector<Node>& at) { return at.back() == c; }, -1, budget);
          if (done) break;
        }
        // R10: a o-> c, b -> c <- d, uncovered paths that may be directed from a to b and from a to d, whose first
        // nodes m and w differ and are not adjacent: a -> c.
        if (!done) {
          std::vector<std::pair<Node, Node>> reached;  // first node, parent of c
          for (Node m : g_.neighbours(a)) {
            if (m == c || !may(a, m)) continue;
            for (Node parent : g_.neighbours(c)) {
              if (parent == a || !g_.is_directed(parent, c)) continue;
              std::vector<Node> path = {a, m};
              long budget = kMostPathSteps;
              const auto ends = [&](const std::vector<Node>& at) { return at.back() == parent; };
              if (extend(path, may, ends, c, budget)) reached.emplace_back(m, parent);
            }
          }
          for (const auto& [m, b] : reached) {
            for (const auto& [w, d] : reached) {
              done = done || (m < w && b != d && !g_.adjacent(m, w));
            }
          }
        }
        if (done) set(c, a, Mark::kTail);
      }
    }
  }

  Pag& g_;
  const Skeleton& skeleton_;
  int p_;
  bool changed_ = false;
};

}  // namespace

bool apply_rules(Pag& pag, const Skeleton& skeleton) { return Rules(pag, skeleton).pass(); }

}  // namespace agon
