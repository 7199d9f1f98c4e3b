#include "agon/effect/causal_class.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "agon/base/error.h"
#include "agon/graph/class_members.h"
#include "agon/graph/equivalence.h"

namespace agon {
namespace {

constexpr double kNotCounted = std::numeric_limits<double>::quiet_NaN();

std::vector<std::vector<Node>> open_pieces(const Pdag& pdag) {
  std::vector<std::vector<Node>> out;
  std::vector<char> seen(pdag.size(), 0);
  for (Node start = 0; start < pdag.size(); ++start) {
    if (seen[start] || pdag.neighbours(start).empty()) continue;
    std::vector<Node> found = {start};
    seen[start] = 1;
    for (size_t k = 0; k < found.size(); ++k) {
      for (Node u : pdag.neighbours(found[k])) {
        if (seen[u]) continue;
        seen[u] = 1;
        found.push_back(u);
      }
    }
    std::sort(found.begin(), found.end());
    out.push_back(std::move(found));
  }
  return out;
}

std::optional<double> log_members(const Pdag& closed, int& cases);

// A piece with directed edges inside. Learning both directions of one open edge gives two smaller graphs; each falls
// into pieces that may be counted at once.
std::optional<double> log_members_by_cases(const Pdag& piece, int& cases) {
  // The edge whose ends have most open edges: deciding it tends to decide many others.
  Edge split{-1, -1};
  int most = -1;
  for (const Edge& edge : piece.undirected_edges()) {
    const int degree = piece.neighbours(edge.from).count() + piece.neighbours(edge.to).count();
    if (degree > most) {
      most = degree;
      split = edge;
    }
  }
  double largest = -std::numeric_limits<double>::infinity();
  std::vector<double> logs;
  for (const Edge& edge : {split, Edge{split.to, split.from}}) {
    if (--cases < 0) return std::nullopt;
    Pdag next = piece;
    next.orient(edge.from, edge.to);
    close_under_meek(next, {edge});  // both directions of an open edge of an MPDAG have members (Meek 1995)
    const auto log = log_members(next, cases);
    if (!log) return std::nullopt;
    logs.push_back(*log);
    largest = std::max(largest, *log);
  }
  double sum = 0;
  for (const double log : logs) sum += std::exp(log - largest);
  return largest + std::log(sum);
}

std::optional<double> log_members(const Pdag& closed, int& cases) {
  double sum = 0;
  for (const std::vector<Node>& nodes : open_pieces(closed)) {
    const Pdag piece = induced(closed, nodes);
    if (piece.directed_count() == 0) {
      sum += ClassMembers(Cpdag::trusted(piece)).log_size();
      continue;
    }
    const auto log = log_members_by_cases(piece, cases);
    if (!log) return std::nullopt;
    sum += *log;
  }
  return sum;
}

// Calls `found` with each clique among `nodes` (ascending), the empty one first; stops when it returns false.
template <class Found>
bool each_clique(const Pdag& pdag, const std::vector<Node>& nodes, size_t next, std::vector<Node>& clique,
                 const Found& found) {
  if (!found(clique)) return false;
  for (size_t k = next; k < nodes.size(); ++k) {
    const bool joined = std::all_of(clique.begin(), clique.end(), [&](Node u) { return pdag.adjacent(u, nodes[k]); });
    if (!joined) continue;
    clique.push_back(nodes[k]);
    const bool go_on = each_clique(pdag, nodes, k + 1, clique, found);
    clique.pop_back();
    if (!go_on) return false;
  }
  return true;
}

// The graphs in which every open edge at `centre` is directed, each closed; false when there are more than kMostWays.
bool direct_around(const Pdag& graph, Node centre, std::vector<Pdag>& out) {
  const std::vector<Node> open = graph.neighbours(centre).to_vector();
  bool plain = true;  // no directed edge inside the piece of the centre
  for (const std::vector<Node>& piece : open_pieces(graph)) {
    if (std::binary_search(piece.begin(), piece.end(), centre)) plain = induced(graph, piece).directed_count() == 0;
  }
  std::vector<Node> clique;
  return each_clique(graph, open, 0, clique, [&](const std::vector<Node>& parents) {
    Pdag next = graph;
    std::vector<Edge> fresh;
    for (const Node u : open) {
      const bool is_parent = std::binary_search(parents.begin(), parents.end(), u);
      fresh.push_back(is_parent ? Edge{u, centre} : Edge{centre, u});
      next.orient(fresh.back().from, fresh.back().to);
    }
    if (!plain && !consistent_extension(next)) return true;
    close_under_meek(next, fresh);
    out.push_back(std::move(next));
    return out.size() <= static_cast<size_t>(kMostWays);
  });
}

void replace_part(Dag& whole, const std::vector<Node>& nodes, const Dag& part) {
  for (size_t i = 0; i < nodes.size(); ++i) {
    for (size_t j = 0; j < nodes.size(); ++j) {
      if (whole.has_edge(nodes[i], nodes[j])) whole.remove_edge(nodes[i], nodes[j]);
    }
  }
  for (const Edge& edge : part.edges()) whole.add_edge(nodes[edge.from], nodes[edge.to]);
}

}  // namespace

Pdag induced(const Pdag& pdag, const std::vector<Node>& nodes) {
  Pdag out(static_cast<int>(nodes.size()));
  for (size_t i = 0; i < nodes.size(); ++i) {
    for (size_t j = i + 1; j < nodes.size(); ++j) {
      const Node a = static_cast<Node>(i), b = static_cast<Node>(j);
      if (pdag.has_undirected(nodes[i], nodes[j])) out.add_undirected(a, b);
      if (pdag.has_directed(nodes[i], nodes[j])) out.add_directed(a, b);
      if (pdag.has_directed(nodes[j], nodes[i])) out.add_directed(b, a);
    }
  }
  return out;
}

std::optional<double> log_members(const Pdag& closed) {
  int cases = kMostCases;
  return log_members(closed, cases);
}

bool Ways::counted() const {
  return std::none_of(list.begin(), list.end(), [](const Way& way) { return std::isnan(way.share); });
}

CausalClass::CausalClass(Pdag mpdag)
    : CausalClass(mpdag, [&mpdag] {
        const std::optional<Dag> member = consistent_extension(mpdag);
        if (!member)
          throw InputError("", "no directed acyclic graph fits the graph: it cannot be read as a class of DAGs");
        return *member;
      }()) {}

CausalClass::CausalClass(Pdag graph, Dag member)
    : graph_(std::move(graph)), member_(std::move(member)), pieces_(open_pieces(graph_)), piece_of_(size(), -1) {
  for (size_t k = 0; k < pieces_.size(); ++k) {
    for (const Node v : pieces_[k]) piece_of_[v] = static_cast<int>(k);
  }
}

std::optional<double> CausalClass::log_size() const { return log_members(graph_); }

Ways CausalClass::ways_around(const std::vector<Node>& centres) const {
  Ways out;
  std::vector<char> taken(pieces_.size(), 0);
  for (const Node v : centres) {
    if (piece_of_[v] >= 0) taken[piece_of_[v]] = 1;
  }
  for (size_t k = 0; k < pieces_.size(); ++k) {
    if (taken[k]) out.nodes.insert(out.nodes.end(), pieces_[k].begin(), pieces_[k].end());
  }
  std::sort(out.nodes.begin(), out.nodes.end());

  std::vector<Pdag> graphs = {induced(graph_, out.nodes)};
  const Pdag before = graphs[0];
  for (const Node v : centres) {
    const auto at = std::lower_bound(out.nodes.begin(), out.nodes.end(), v);
    if (at == out.nodes.end() || *at != v) continue;  // nothing is open around it
    std::vector<Pdag> next;
    for (const Pdag& graph : graphs) {
      if (!direct_around(graph, static_cast<Node>(at - out.nodes.begin()), next)) {
        out.too_many = true;
        return out;
      }
    }
    graphs = std::move(next);
  }

  if (graphs.size() == 1) {
    out.list.push_back({std::move(graphs[0]), 1});
    return out;
  }
  const std::optional<double> all = log_members(before);
  for (Pdag& graph : graphs) {
    const std::optional<double> some = all ? log_members(graph) : std::nullopt;
    out.list.push_back({std::move(graph), some ? std::exp(*some - *all) : kNotCounted});
  }
  return out;
}

Dag CausalClass::member(const Ways& ways, const Way& way) const {
  Dag out = member_;
  if (!ways.nodes.empty()) replace_part(out, ways.nodes, consistent_extension(way.graph).value());
  return out;
}

CausalClass CausalClass::after(const Ways& ways, const Way& way) const {
  Pdag graph = graph_;
  for (const Edge& edge : way.graph.directed_edges()) {
    const Node from = ways.nodes[edge.from], to = ways.nodes[edge.to];
    if (graph.has_undirected(from, to)) graph.orient(from, to);
  }
  return CausalClass(std::move(graph), member(ways, way));
}

}  // namespace agon
