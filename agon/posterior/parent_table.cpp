#include "agon/posterior/parent_table.h"

#include <algorithm>
#include <bit>
#include <iterator>

namespace agon {
namespace {

bool may_be_parent(const LocalScore& score, const Knowledge& knowledge, Node from, Node to) {
  return from != to && !score.traits().constant[static_cast<size_t>(from)] && knowledge.allows(Edge{from, to}) &&
         !knowledge.is_required({from, to});
}

// Takes nodes into a list until it is full.
class CandidateList {
 public:
  explicit CandidateList(size_t most) : most_(most) {}
  bool full() const { return nodes_.size() >= most_; }
  bool add(Node v) {
    if (full() || std::ranges::find(nodes_, v) != nodes_.end()) return false;
    nodes_.push_back(v);
    return true;
  }
  std::vector<Node> sorted() && {
    std::ranges::sort(nodes_);
    return std::move(nodes_);
  }

 private:
  size_t most_;
  std::vector<Node> nodes_;
};

std::vector<Node> candidates_of(const LocalScore& score, const Knowledge& knowledge, const std::vector<Dag>& graphs,
                                Node child, int most) {
  const auto p = static_cast<size_t>(score.size());
  std::vector<double> alone(p), on_top(p);
  score.addition_gains(child, {}, alone);
  score.addition_gains(child, graphs[0].parent_list(child), on_top);
  // Best first; equal gains: the smaller node first.
  const auto ranked = [&](const std::vector<double>& gains) {
    std::vector<Node> order;
    for (Node v = 0; v < score.size(); ++v) {
      if (may_be_parent(score, knowledge, v, child)) order.push_back(v);
    }
    std::ranges::stable_sort(
        order, [&](Node a, Node b) { return gains[static_cast<size_t>(a)] > gains[static_cast<size_t>(b)]; });
    return order;
  };
  const std::vector<Node> by_alone = ranked(alone), by_top = ranked(on_top);

  CandidateList list(static_cast<size_t>(most));
  const auto add_where = [&](auto holds) {
    for (const Dag& graph : graphs) {
      for (const Node v : by_alone) {
        if (holds(graph, v)) list.add(v);
      }
    }
  };
  add_where([&](const Dag& graph, Node v) { return graph.has_edge(v, child); });
  add_where([&](const Dag& graph, Node v) { return graph.adjacent(v, child); });
  for (size_t a = 0, b = 0; !list.full() && (a < by_alone.size() || b < by_top.size());) {
    while (b < by_top.size() && !list.add(by_top[b++])) {
    }
    while (a < by_alone.size() && !list.add(by_alone[a++])) {
    }
  }
  return std::move(list).sorted();
}

double score_or_zero(const LocalScore& score, Node child, const std::vector<Node>& parents) {
  try {
    return score.local(child, parents);
  } catch (const ScoreUndefined&) {
    return kLogZero;
  }
}

}  // namespace

std::vector<Node> ParentTable::parents(ParentMask mask) const {
  std::vector<Node> out = always;
  for (size_t k = 0; k < candidates.size(); ++k) {
    if (mask >> k & 1) out.push_back(candidates[k]);
  }
  std::ranges::sort(out);
  return out;
}

// Each pass lets the sums reach over one more candidate.
void ParentTable::sum_up() {
  within = own;
  for (ParentMask bit = 1; bit < within.size(); bit <<= 1) {
    for (ParentMask mask = 0; mask < within.size(); ++mask) {
      if (mask & bit) within[mask] = log_add(within[mask], within[mask ^ bit]);
    }
  }
}

std::vector<Node> varying_nodes(const LocalScore& score) {
  std::vector<Node> nodes;
  for (Node v = 0; v < score.size(); ++v) {
    if (!score.traits().constant[static_cast<size_t>(v)]) nodes.push_back(v);
  }
  return nodes;
}

std::vector<std::vector<Node>> candidate_parents(const LocalScore& score, const Knowledge& knowledge,
                                                 const std::vector<Dag>& graphs, int most) {
  std::vector<std::vector<Node>> lists(static_cast<size_t>(score.size()));
  for (const Node child : varying_nodes(score)) {
    lists[static_cast<size_t>(child)] = candidates_of(score, knowledge, graphs, child, most);
  }
  return lists;
}

std::vector<std::vector<Node>> all_parents(const LocalScore& score, const Knowledge& knowledge) {
  std::vector<std::vector<Node>> lists(static_cast<size_t>(score.size()));
  for (const Node child : varying_nodes(score)) {
    for (Node v = 0; v < score.size(); ++v) {
      if (may_be_parent(score, knowledge, v, child)) lists[static_cast<size_t>(child)].push_back(v);
    }
  }
  return lists;
}

ParentTable make_parent_table(const LocalScore& score, const Knowledge& knowledge, Node child,
                              const std::vector<Node>& candidates, int most_parents, const Watch& watch) {
  ParentTable table;
  table.child = child;
  table.candidates = candidates;
  if (knowledge.size() > 0) table.always = knowledge.required_parents(child).to_vector();
  const ParentMask sets = ParentMask{1} << candidates.size();
  // Required edges stand even where they exceed the cap, as in every search.
  const int room =
      std::max(0, std::min(most_parents, score.traits().max_parents) - static_cast<int>(table.always.size()));
  table.own.assign(sets, kLogZero);
  for (ParentMask mask = 0; mask < sets && !watch.stop_requested(); ++mask) {
    if (std::popcount(mask) <= room) table.own[mask] = score_or_zero(score, child, table.parents(mask));
  }
  table.sum_up();
  return table;
}

}  // namespace agon
