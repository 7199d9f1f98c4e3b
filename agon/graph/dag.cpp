#include "agon/graph/dag.h"

#include <functional>
#include <queue>

namespace agon {

std::vector<Edge> Dag::edges() const {
  std::vector<Edge> out;
  for (Node from = 0; from < size(); ++from) {
    for (Node to : children(from)) out.push_back({from, to});
  }
  return out;
}

void Dag::add_edge(Node from, Node to) {
  assert(from != to && !adjacent(from, to));
  parents_.set(to, from);
  children_.set(from, to);
  ++edge_count_;
}

void Dag::remove_edge(Node from, Node to) {
  assert(has_edge(from, to));
  parents_.reset(to, from);
  children_.reset(from, to);
  --edge_count_;
}

void Dag::apply(EdgeMove move) {
  if (move.kind != MoveKind::kAdd) remove_edge(move.from, move.to);
  if (move.kind == MoveKind::kAdd) add_edge(move.from, move.to);
  if (move.kind == MoveKind::kReverse) add_edge(move.to, move.from);
}

std::vector<Node> topological_order(const Dag& dag) {
  std::vector<int> open(dag.size());
  std::priority_queue<Node, std::vector<Node>, std::greater<>> free;
  for (Node v = 0; v < dag.size(); ++v) {
    open[v] = dag.parents(v).count();
    if (open[v] == 0) free.push(v);
  }
  std::vector<Node> order;
  while (!free.empty()) {
    const Node v = free.top();
    free.pop();
    order.push_back(v);
    for (Node child : dag.children(v)) {
      if (--open[child] == 0) free.push(child);
    }
  }
  if (static_cast<int>(order.size()) < dag.size()) order.clear();
  return order;
}

bool is_acyclic(const Dag& dag) { return dag.size() == 0 || !topological_order(dag).empty(); }

std::vector<Node> find_cycle(int nodes, const std::vector<Edge>& edges) {
  std::vector<std::vector<Node>> children(nodes);
  for (const Edge& e : edges) children[e.from].push_back(e.to);
  enum class Mark { kNew, kOnPath, kDone };
  std::vector<Mark> mark(nodes, Mark::kNew);
  std::vector<Node> path;
  std::vector<size_t> next_child;  // parallel to path; an explicit stack, because chains may be thousands long
  for (Node start = 0; start < nodes; ++start) {
    if (mark[start] != Mark::kNew) continue;
    path = {start};
    next_child = {0};
    mark[start] = Mark::kOnPath;
    while (!path.empty()) {
      const Node v = path.back();
      if (next_child.back() == children[v].size()) {
        mark[v] = Mark::kDone;
        path.pop_back();
        next_child.pop_back();
        continue;
      }
      const Node child = children[v][next_child.back()++];
      if (mark[child] == Mark::kOnPath) {
        size_t first = 0;
        while (path[first] != child) ++first;
        return {path.begin() + first, path.end()};
      }
      if (mark[child] == Mark::kNew) {
        mark[child] = Mark::kOnPath;
        path.push_back(child);
        next_child.push_back(0);
      }
    }
  }
  return {};
}

std::optional<Dag> dag_from_edges(int nodes, const std::vector<Edge>& edges) {
  if (!find_cycle(nodes, edges).empty()) return std::nullopt;
  Dag dag(nodes);
  for (const Edge& e : edges) {
    if (!dag.has_edge(e.from, e.to)) dag.add_edge(e.from, e.to);
  }
  return dag;
}

Dag dag_from_parents(const std::vector<std::vector<Node>>& parents) {
  Dag dag(static_cast<int>(parents.size()));
  for (Node child = 0; child < dag.size(); ++child) {
    for (Node parent : parents[child]) dag.add_edge(parent, child);
  }
  return dag;
}

Dag relabel(const Dag& dag, const std::vector<Node>& new_index) {
  Dag out(dag.size());
  for (const Edge& e : dag.edges()) out.add_edge(new_index[e.from], new_index[e.to]);
  return out;
}

}  // namespace agon
