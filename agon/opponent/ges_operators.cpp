#include "agon/opponent/ges_operators.h"

#include <algorithm>

#include "agon/graph/equivalence.h"

namespace agon {
namespace {

std::vector<Node> sorted_union(NodeView a, const std::vector<Node>& b) {
  NodeSet set(a);
  for (Node v : b) set.insert(v);
  return set.to_vector();
}

std::vector<Node> with(std::vector<Node> set, Node v) {
  if (!std::binary_search(set.begin(), set.end(), v)) set.insert(std::upper_bound(set.begin(), set.end(), v), v);
  return set;
}

std::vector<Node> without(std::vector<Node> set, Node v) {
  std::erase(set, v);
  return set;
}

bool is_clique(const Pdag& g, const std::vector<Node>& nodes) {
  for (size_t i = 0; i < nodes.size(); ++i) {
    for (size_t j = i + 1; j < nodes.size(); ++j) {
      if (!g.adjacent(nodes[i], nodes[j])) return false;
    }
  }
  return true;
}

// Is there a semi-directed path from `from` to `to` that avoids `blocked`? With `skip_edge`, the single edge between
// them does not count.
bool has_path(const Pdag& g, Node from, Node to, const NodeSet& blocked, bool skip_edge) {
  std::vector<Node> stack = {from};
  NodeSet seen(g.size());
  seen.insert(from);
  while (!stack.empty()) {
    const Node v = stack.back();
    stack.pop_back();
    for (Node w = 0; w < g.size(); ++w) {
      if (!g.has_directed(v, w) && !g.has_undirected(v, w)) continue;
      if (w == to && !(skip_edge && v == from)) return true;
      if (w == to || seen.contains(w) || blocked.contains(w)) continue;
      seen.insert(w);
      stack.push_back(w);
    }
  }
  return false;
}

// Calls fn(subset) for every subset of `nodes` that is a clique together with `base`.
template <class Fn>
void for_each_clique(const Pdag& g, const std::vector<Node>& base, const std::vector<Node>& nodes, Fn&& fn) {
  for (uint64_t bits = 0; bits < uint64_t{1} << nodes.size(); ++bits) {
    std::vector<Node> clique = base;
    for (size_t k = 0; k < nodes.size(); ++k) {
      if (bits >> k & 1) clique.push_back(nodes[k]);
    }
    std::sort(clique.begin(), clique.end());
    if (is_clique(g, clique)) fn(clique);
  }
}

// The local score, or nothing where it is undefined.
std::optional<double> local(const LocalScore& score, Node child, const std::vector<Node>& parents) {
  try {
    return score.local(child, parents);
  } catch (const ScoreUndefined&) {
    return std::nullopt;
  }
}

double difference(const LocalScore& score, Node child, const std::vector<Node>& after,
                  const std::vector<Node>& before) {
  const std::optional<double> a = local(score, child, after), b = local(score, child, before);
  return a && b ? *a - *b : kNoGain;
}

double insertion_gain(const LocalScore& score, Node y, Node x, const std::vector<Node>& parents) {
  return may_add(score.traits(), y, parents, x) ? difference(score, y, with(parents, x), parents) : kNoGain;
}

class Enumeration {
 public:
  Enumeration(const LocalScore& score, const Pdag& g, double tolerance) : score_(score), g_(g), tolerance_(tolerance) {}

  std::vector<GesOperator> run(OperatorKind kind) {
    kind_ = kind;
    for (Node y = 0; y < g_.size(); ++y) {
      for (Node x = 0; x < g_.size(); ++x) {
        if (x == y) continue;
        const bool adjacent = g_.adjacent(x, y);
        if (kind == OperatorKind::kInsert && !adjacent) insertions(x, y);
        if (kind == OperatorKind::kRemove && adjacent && !g_.has_directed(y, x)) deletions(x, y);
        if (kind == OperatorKind::kTurn && g_.has_directed(y, x)) directed_turns(x, y);
        if (kind == OperatorKind::kTurn && g_.has_undirected(y, x)) undirected_turns(x, y);
      }
    }
    std::sort(out_.begin(), out_.end(), [](const GesOperator& a, const GesOperator& b) { return a.precedes(b); });
    return std::move(out_);
  }

 private:
  void offer(Node x, Node y, const std::vector<Node>& clique, double gain) {
    if (gain >= tolerance_) out_.push_back({kind_, y, x, clique, gain});
  }
  std::vector<Node> neighbours(Node y, Node x, bool adjacent_to_x) const {
    std::vector<Node> out;
    for (Node w : g_.neighbours(y)) {
      if (w != x && g_.adjacent(w, x) == adjacent_to_x) out.push_back(w);
    }
    return out;
  }

  // Chickering 2002, theorem 15 and corollary 16.
  void insertions(Node x, Node y) {
    for_each_clique(g_, neighbours(y, x, true), neighbours(y, x, false), [&](const std::vector<Node>& clique) {
      NodeSet blocked(g_.size());
      for (Node w : clique) blocked.insert(w);
      if (has_path(g_, y, x, blocked, false)) return;
      offer(x, y, clique, insertion_gain(score_, y, x, sorted_union(g_.parents(y), clique)));
    });
  }

  // Chickering 2002, theorem 17 and corollary 18. As printed, the corollary leaves x out of the larger parent set if
  // x - y is undirected, since Pa(y) does not contain it then; it has to be added (Nazaret & Blei 2024, in their code).
  void deletions(Node x, Node y) {
    for_each_clique(g_, {}, neighbours(y, x, true), [&](const std::vector<Node>& clique) {
      const std::vector<Node> parents = with(sorted_union(g_.parents(y), clique), x);
      offer(x, y, clique, difference(score_, y, without(parents, x), parents));
    });
  }

  // Hauser & Buehlmann 2012, proposition 34: y -> x becomes x -> y.
  void directed_turns(Node x, Node y) {
    for_each_clique(g_, neighbours(y, x, true), neighbours(y, x, false), [&](const std::vector<Node>& clique) {
      const double insertion = insertion_gain(score_, y, x, sorted_union(g_.parents(y), clique));
      if (!(insertion > 0)) return;
      NodeSet blocked(g_.neighbours(x));
      for (Node w : clique) blocked.insert(w);
      if (has_path(g_, y, x, blocked, true)) return;
      const std::vector<Node> at_x = g_.parents(x).to_vector();
      offer(x, y, clique, insertion + difference(score_, x, without(at_x, y), at_x));
    });
  }

  // Hauser & Buehlmann 2012, proposition 31: y -> x, one way to direct x - y, becomes x -> y. The class changes only if
  // C has a node that is not a neighbour of x, and N ^ C must separate C - N from N - C among the neighbours of y.
  void undirected_turns(Node x, Node y) {
    for_each_clique(g_, {}, without(g_.neighbours(y).to_vector(), x), [&](const std::vector<Node>& clique) {
      std::vector<Node> both, only_clique, only_n;
      for (Node w : clique) (g_.has_undirected(w, x) ? both : only_clique).push_back(w);
      for (Node w : g_.neighbours(y)) {
        if (g_.has_undirected(w, x) && !std::binary_search(clique.begin(), clique.end(), w)) only_n.push_back(w);
      }
      if (only_clique.empty()) return;
      const double insertion = insertion_gain(score_, y, x, sorted_union(g_.parents(y), clique));
      if (!(insertion > 0)) return;
      NodeSet blocked(g_.size());  // all but the neighbours of y, and those neighbours that are in `both`
      for (Node w = 0; w < g_.size(); ++w) {
        if (!g_.has_undirected(w, y) || w == x || std::binary_search(both.begin(), both.end(), w)) blocked.insert(w);
      }
      for (Node a : only_clique) {
        for (Node b : only_n) {
          if (has_path(g_, a, b, blocked, false)) return;
        }
      }
      const std::vector<Node> at_x = sorted_union(g_.parents(x), both);
      offer(x, y, clique, insertion + difference(score_, x, at_x, with(at_x, y)));
    });
  }

  const LocalScore& score_;
  const Pdag& g_;
  double tolerance_;
  OperatorKind kind_ = OperatorKind::kInsert;
  std::vector<GesOperator> out_;
};

}  // namespace

std::vector<GesOperator> operators_by_spec(const LocalScore& score, const Pdag& cpdag, OperatorKind kind,
                                           double tolerance) {
  return Enumeration(score, cpdag, tolerance).run(kind);
}

std::optional<Cpdag> applied_by_spec(const Pdag& cpdag, const GesOperator& op, const std::vector<int>& row_set) {
  Pdag g = cpdag;
  const Node x = op.x, y = op.y;
  const auto direct = [&](Node from, Node to) {
    if (g.has_undirected(from, to)) g.orient(from, to);
  };
  switch (op.kind) {
    case OperatorKind::kInsert:
      g.add_directed(x, y);
      for (Node w : op.clique) direct(w, y);
      break;
    case OperatorKind::kRemove:
      for (Node h : cpdag.neighbours(y)) {
        if (h == x || !cpdag.adjacent(h, x) || std::binary_search(op.clique.begin(), op.clique.end(), h)) continue;
        direct(y, h);
        direct(x, h);
      }
      g.remove_between(x, y);
      break;
    case OperatorKind::kTurn:
      g.remove_between(x, y);
      g.add_directed(x, y);
      for (Node w : op.clique) direct(w, y);
      break;
  }
  return completed(g, row_set);
}

std::optional<Dag> member_within(const Pdag& cpdag, const Knowledge& knowledge, const std::vector<int>& row_set) {
  if (knowledge.empty()) return consistent_extension(cpdag);
  for (const Edge& e : knowledge.required_edges()) {
    if (!cpdag.adjacent(e.from, e.to)) return std::nullopt;
  }
  for (const Edge& e : cpdag.directed_edges()) {
    if (knowledge.is_forbidden(e)) return std::nullopt;
  }
  Pdag directed = cpdag;
  for (const Edge& e : cpdag.undirected_edges()) {
    const bool there = knowledge.allows(e), back = knowledge.allows(Edge{e.to, e.from});
    if (!there && !back) return std::nullopt;
    if (!back) directed.orient(e.from, e.to);
    if (!there) directed.orient(e.to, e.from);
  }
  // The reverse of a required edge is forbidden, so everything required is directed now. An extension keeps these
  // directions. If it has v-structures that the class does not have, they come from the edges directed here, and no
  // member of the class satisfies the knowledge.
  std::optional<Dag> dag = consistent_extension(directed);
  if (dag && cpdag_of(*dag, row_set).pdag() != cpdag) dag.reset();
  return dag;
}

bool is_admissible_by_spec(const Pdag& cpdag, const GesOperator& op, const Knowledge& knowledge,
                           const std::vector<int>& row_set) {
  const std::optional<Cpdag> next = applied_by_spec(cpdag, op, row_set);
  return next && member_within(*next, knowledge, row_set);
}

const GesOperator* choose(const std::vector<GesOperator>& operators, double tolerance) {
  const GesOperator* best = nullptr;
  double most = kNoGain;
  for (const GesOperator& op : operators) most = std::max(most, op.gain);
  for (const GesOperator& op : operators) {
    if (op.gain >= most - tolerance && (!best || op.precedes(*best))) best = &op;
  }
  return best;
}

}  // namespace agon
