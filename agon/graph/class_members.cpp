#include "agon/graph/class_members.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <list>
#include <set>

namespace agon {

namespace {

using detail::Scaled;

Scaled normal(double mantissa, int64_t exponent) {
  int shift = 0;
  mantissa = std::frexp(mantissa, &shift);
  return {mantissa, mantissa == 0 ? 0 : exponent + shift};
}
Scaled operator*(Scaled a, Scaled b) { return normal(a.mantissa * b.mantissa, a.exponent + b.exponent); }
Scaled operator+(Scaled a, Scaled b) {
  if (a.mantissa == 0) return b;
  if (b.mantissa == 0) return a;
  if (a.exponent < b.exponent) std::swap(a, b);
  const int64_t gap = std::max<int64_t>(b.exponent - a.exponent, -2000);  // far below: adds nothing
  return normal(a.mantissa + std::ldexp(b.mantissa, static_cast<int>(gap)), a.exponent);
}
Scaled operator-(Scaled a, Scaled b) { return a + Scaled{-b.mantissa, b.exponent}; }

double to_double(Scaled a) {
  if (a.exponent > 1100) return std::numeric_limits<double>::infinity();
  return std::ldexp(a.mantissa, static_cast<int>(std::max<int64_t>(a.exponent, -2000)));
}
double ratio(Scaled a, Scaled b) { return to_double(normal(a.mantissa / b.mantissa, a.exponent - b.exponent)); }

size_t edges_of_clique(size_t nodes) { return nodes * (nodes - 1) / 2; }

Scaled factorial(int n) {
  Scaled out = normal(1, 0);
  for (int k = 2; k <= n; ++k) out = out * normal(k, 0);
  return out;
}

// Orders of n things whose first f of them are never {1, .., f}, for each f in `sizes` (ascending, all < n). At most
// about half of the orders are excluded, so nothing is lost in the differences. Wienöbst et al. 2021, the function phi.
Scaled orders_without_prefixes(int n, const std::vector<int>& sizes) {
  std::vector<Scaled> first(sizes.size() + 1);  // of the first sizes[i] things, avoiding the smaller sizes
  for (size_t i = 0; i <= sizes.size(); ++i) {
    const int m = i < sizes.size() ? sizes[i] : n;
    first[i] = factorial(m);
    for (size_t j = 0; j < i; ++j) first[i] = first[i] - factorial(m - sizes[j]) * first[j];
  }
  return first.back();
}

}  // namespace

// Marks over all nodes, reused: `local` is the place of a node in the piece at hand, -1 outside it.
struct ClassMembers::Scratch {
  explicit Scratch(int nodes) : local(nodes, -1) {}
  std::vector<int> local;

  void enter(const std::vector<Node>& piece) {
    for (size_t k = 0; k < piece.size(); ++k) local[piece[k]] = static_cast<int>(k);
  }
  void leave(const std::vector<Node>& piece) {
    for (Node v : piece) local[v] = -1;
  }
};

ClassMembers::ClassMembers(const Cpdag& cpdag) : pdag_(cpdag.pdag()), size_(normal(1, 0)) {
  Scratch scratch(pdag_.size());
  std::vector<Node> all;
  for (Node v = 0; v < pdag_.size(); ++v) {
    neighbours_.push_back(pdag_.neighbours(v).to_vector());
    all.push_back(v);
  }
  components(all, scratch, top_);
  for (const std::vector<Node>& piece : top_) size_ = size_ * count(piece, scratch);
}

double ClassMembers::size() const { return to_double(size_); }

double ClassMembers::log_size() const {
  return std::log(size_.mantissa) + static_cast<double>(size_.exponent) * std::log(2.0);
}

// Connected components of the undirected edges among `nodes`, each sorted, in the order of their smallest node when
// `nodes` is sorted.
void ClassMembers::components(const std::vector<Node>& nodes, Scratch& scratch,
                              std::vector<std::vector<Node>>& out) const {
  scratch.enter(nodes);
  for (Node start : nodes) {
    if (scratch.local[start] < 0) continue;
    std::vector<Node> found = {start};
    scratch.local[start] = -1;
    for (size_t k = 0; k < found.size(); ++k) {
      for (Node u : neighbours_[found[k]]) {
        if (scratch.local[u] < 0) continue;
        scratch.local[u] = -1;
        found.push_back(u);
      }
    }
    std::sort(found.begin(), found.end());
    out.push_back(std::move(found));
  }
}

size_t ClassMembers::edge_count(const std::vector<Node>& piece, Scratch& scratch) const {
  scratch.enter(piece);
  size_t ends = 0;  // each edge has two
  for (Node v : piece) {
    for (Node u : neighbours_[v]) ends += scratch.local[u] >= 0;
  }
  scratch.leave(piece);
  return ends / 2;
}

// Maximal cliques by maximum cardinality search: a node that sees fewer visited nodes than its predecessor's count plus
// one begins a new clique, and the clique of the last visited node it sees is the parent in a clique tree (Blair &
// Peyton 1993, section 4). On the path from the root to a clique, the separators that lie inside the clique are the
// prefixes it may not have: an order beginning so is counted at an earlier clique.
ClassMembers::Piece ClassMembers::clique_tree(const std::vector<Node>& piece, Scratch& scratch) const {
  const int n = static_cast<int>(piece.size());
  scratch.enter(piece);
  std::vector<std::vector<Node>> visited(n);  // neighbours visited before, in order of visit
  std::vector<int> clique_of(n, -1);
  std::set<std::pair<int, int>> queue;  // (-visited neighbours, place)
  for (int k = 0; k < n; ++k) queue.insert({0, k});

  Piece out;
  std::vector<int> parent;
  std::vector<std::vector<Node>> separator;  // with the parent
  size_t previous = 0;
  while (!queue.empty()) {
    const int k = queue.begin()->second;
    queue.erase(queue.begin());
    std::vector<Node>& seen = visited[k];
    if (out.cliques.empty() || seen.size() != previous + 1) {
      parent.push_back(out.cliques.empty() ? -1 : clique_of[scratch.local[seen.back()]]);
      out.cliques.push_back(seen);
      std::sort(seen.begin(), seen.end());
      separator.push_back(seen);
    }
    out.cliques.back().push_back(piece[k]);
    clique_of[k] = static_cast<int>(out.cliques.size()) - 1;
    previous = seen.size();
    for (Node u : neighbours_[piece[k]]) {
      const int other = scratch.local[u];
      if (other < 0 || clique_of[other] >= 0) continue;
      queue.erase({-static_cast<int>(visited[other].size()), other});
      visited[other].push_back(piece[k]);
      queue.insert({-static_cast<int>(visited[other].size()), other});
    }
  }
  scratch.leave(piece);

  for (size_t c = 0; c < out.cliques.size(); ++c) {
    std::sort(out.cliques[c].begin(), out.cliques[c].end());
    const std::vector<Node>& clique = out.cliques[c];
    std::vector<std::vector<Node>> prefixes;
    for (int x = static_cast<int>(c); parent[x] >= 0; x = parent[x]) {
      if (std::includes(clique.begin(), clique.end(), separator[x].begin(), separator[x].end())) {
        prefixes.push_back(separator[x]);
      }
    }
    // They contain one another, so sizes tell them apart.
    std::sort(prefixes.begin(), prefixes.end(), [](const auto& a, const auto& b) { return a.size() < b.size(); });
    prefixes.erase(std::unique(prefixes.begin(), prefixes.end()), prefixes.end());
    out.forbidden_prefixes.push_back(std::move(prefixes));
  }
  return out;
}

// What stays undirected when `clique` comes first: its edges point outward, and what that forces is directed. Found by
// lexicographic breadth-first search from the clique (Wienöbst et al. 2021, algorithm 1): whenever the front cell holds
// nodes not yet accounted for, its components are pieces. Returned in an order that agrees with the edges between them.
std::vector<std::vector<Node>> ClassMembers::pieces_after(const std::vector<Node>& piece,
                                                          const std::vector<Node>& clique, Scratch& scratch) const {
  struct Block {
    std::vector<Node> nodes;
    int split_by = -1;  // the pivot that last put a new cell before this one
  };
  const int n = static_cast<int>(piece.size());
  scratch.enter(piece);
  std::list<Block> cells(2);
  std::vector<std::list<Block>::iterator> cell_of(n);
  std::vector<int> place(n);  // within its cell
  std::vector<char> accounted(n, 0);
  std::vector<char> in_clique(n, 0);
  for (Node v : clique) in_clique[scratch.local[v]] = 1;
  for (int k = 0; k < n; ++k) {
    cell_of[k] = in_clique[k] ? cells.begin() : std::next(cells.begin());
    place[k] = static_cast<int>(cell_of[k]->nodes.size());
    cell_of[k]->nodes.push_back(piece[k]);
    accounted[k] = in_clique[k];
  }
  std::vector<char> visited(n, 0);
  const auto take_out = [&](int k) {
    std::vector<Node>& nodes = cell_of[k]->nodes;
    nodes[place[k]] = nodes.back();
    place[scratch.local[nodes.back()]] = place[k];
    nodes.pop_back();
  };

  std::vector<std::vector<Node>> layers;
  while (!cells.empty()) {
    Block& front = cells.front();
    if (front.nodes.empty()) {
      cells.pop_front();
      continue;
    }
    const Node v = front.nodes.back();
    const int k = scratch.local[v];
    if (!accounted[k]) {
      layers.push_back(front.nodes);
      for (Node u : front.nodes) accounted[scratch.local[u]] = 1;
    }
    take_out(k);
    visited[k] = 1;
    for (Node u : neighbours_[v]) {
      const int other = scratch.local[u];
      if (other < 0 || visited[other]) continue;
      const auto cell = cell_of[other];
      if (cell->split_by != v) {
        cells.insert(cell, Block{});
        cell->split_by = v;
      }
      take_out(other);
      cell_of[other] = std::prev(cell);
      place[other] = static_cast<int>(cell_of[other]->nodes.size());
      cell_of[other]->nodes.push_back(u);
    }
  }
  scratch.leave(piece);

  std::vector<std::vector<Node>> out;
  for (std::vector<Node>& layer : layers) {
    std::sort(layer.begin(), layer.end());
    components(layer, scratch, out);
  }
  return out;
}

// The orientations of a piece, one sum over its cliques (Wienöbst et al. 2021, theorem 3):
//   orders of the clique without its forbidden prefixes  x  the counts of the pieces that are left after it.
Scaled ClassMembers::count(const std::vector<Node>& piece, Scratch& scratch) {
  const size_t edges = edge_count(piece, scratch);
  if (edges == edges_of_clique(piece.size())) return factorial(static_cast<int>(piece.size()));
  if (edges == piece.size() - 1) return normal(static_cast<double>(piece.size()), 0);  // a tree: one for each root
  const auto known = pieces_.find(piece);
  if (known != pieces_.end()) return known->second.count;

  Piece out = clique_tree(piece, scratch);
  std::vector<Scaled> weights;
  for (size_t c = 0; c < out.cliques.size(); ++c) {
    std::vector<int> sizes;
    for (const auto& prefix : out.forbidden_prefixes[c]) sizes.push_back(static_cast<int>(prefix.size()));
    Scaled weight = orders_without_prefixes(static_cast<int>(out.cliques[c].size()), sizes);
    for (const auto& rest : pieces_after(piece, out.cliques[c], scratch)) weight = weight * count(rest, scratch);
    weights.push_back(weight);
    out.count = out.count + weight;
  }
  double sum = 0;
  for (const Scaled& weight : weights) out.cumulative.push_back(sum += ratio(weight, out.count));
  const Scaled result = out.count;
  pieces_.emplace(piece, std::move(out));
  return result;
}

void ClassMembers::draw_order(const std::vector<Node>& piece, Rng& rng, Scratch& scratch,
                              std::vector<Node>& order) const {
  const auto known = pieces_.find(piece);
  if (known == pieces_.end() && edge_count(piece, scratch) == edges_of_clique(piece.size())) {  // any order
    std::vector<Node> any = piece;
    rng.shuffle(any);
    order.insert(order.end(), any.begin(), any.end());
    return;
  }
  if (known == pieces_.end()) {  // a tree: outward from any root
    scratch.enter(piece);
    size_t next = order.size();
    order.push_back(piece[rng.below(static_cast<int>(piece.size()))]);
    scratch.local[order.back()] = -1;
    for (; next < order.size(); ++next) {
      for (Node u : neighbours_[order[next]]) {
        if (scratch.local[u] < 0) continue;
        scratch.local[u] = -1;
        order.push_back(u);
      }
    }
    return;
  }
  const Piece& found = known->second;
  const double at = rng.uniform() * found.cumulative.back();
  const size_t c = std::min<size_t>(
      std::upper_bound(found.cumulative.begin(), found.cumulative.end(), at) - found.cumulative.begin(),
      found.cliques.size() - 1);

  // Shuffle until no forbidden set is a prefix: two tries on average at most.
  std::vector<Node> clique = found.cliques[c];
  const auto begins_with = [&](const std::vector<Node>& prefix) {
    for (size_t k = 0; k < prefix.size(); ++k) {
      if (!std::binary_search(prefix.begin(), prefix.end(), clique[k])) return false;
    }
    return true;
  };
  const auto& forbidden = found.forbidden_prefixes[c];
  do rng.shuffle(clique);
  while (std::any_of(forbidden.begin(), forbidden.end(), begins_with));

  order.insert(order.end(), clique.begin(), clique.end());
  for (const auto& rest : pieces_after(piece, found.cliques[c], scratch)) draw_order(rest, rng, scratch, order);
}

Dag ClassMembers::draw(Rng& rng) const {
  Scratch scratch(pdag_.size());
  std::vector<Node> order;
  for (const auto& piece : top_) draw_order(piece, rng, scratch, order);
  std::vector<int> place(pdag_.size());
  for (size_t k = 0; k < order.size(); ++k) place[order[k]] = static_cast<int>(k);
  Dag dag(pdag_.size());
  for (const Edge& e : pdag_.directed_edges()) dag.add_edge(e.from, e.to);
  for (const Edge& e : pdag_.undirected_edges()) {
    if (place[e.from] < place[e.to]) {
      dag.add_edge(e.from, e.to);
    } else {
      dag.add_edge(e.to, e.from);
    }
  }
  return dag;
}

double class_size(const Cpdag& cpdag) { return ClassMembers(cpdag).size(); }
Dag random_member(const Cpdag& cpdag, Rng& rng) { return ClassMembers(cpdag).draw(rng); }

}  // namespace agon
