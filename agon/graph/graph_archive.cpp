#include "agon/graph/graph_archive.h"

namespace agon {
namespace {

constexpr int kMostNodes = 1 << 20;

int exchange_size(Archive& archive, int size) {
  archive(size);
  Archive::demand(size >= 0 && size <= kMostNodes);
  return size;
}

void exchange_edges(Archive& archive, std::vector<Edge>& edges, int nodes) {
  archive(edges);
  for (const Edge& e : edges) {
    Archive::demand(e.from >= 0 && e.to >= 0 && e.from < nodes && e.to < nodes && e.from != e.to);
  }
}

struct MarkedEdge {
  Node a, b;
  Mark at_a, at_b;
};

}  // namespace

void exchange(Archive& archive, Dag& dag) {
  std::vector<Edge> edges = dag.edges();
  const int nodes = exchange_size(archive, dag.size());
  exchange_edges(archive, edges, nodes);
  if (!archive.reads()) return;
  const std::optional<Dag> read = dag_from_edges(nodes, edges);
  Archive::demand(read.has_value());
  dag = *read;
}

void exchange(Archive& archive, Pdag& pdag) {
  std::vector<Edge> directed = pdag.directed_edges(), undirected = pdag.undirected_edges();
  const int nodes = exchange_size(archive, pdag.size());
  exchange_edges(archive, directed, nodes);
  exchange_edges(archive, undirected, nodes);
  if (!archive.reads()) return;
  pdag = Pdag(nodes);
  const auto add = [&](const std::vector<Edge>& edges, auto method) {
    for (const Edge& e : edges) {
      Archive::demand(!pdag.adjacent(e.from, e.to));
      (pdag.*method)(e.from, e.to);
    }
  };
  add(directed, &Pdag::add_directed);
  add(undirected, &Pdag::add_undirected);
}

void exchange(Archive& archive, Cpdag& cpdag) {
  Pdag pdag = cpdag.pdag();
  exchange(archive, pdag);
  if (archive.reads()) cpdag = Cpdag::trusted(std::move(pdag));
}

void exchange(Archive& archive, Pag& pag) {
  std::vector<MarkedEdge> edges;
  for (Node a = 0; a < pag.size(); ++a) {
    for (Node b : pag.neighbours(a)) {
      if (a < b) edges.push_back({a, b, pag.mark(b, a), pag.mark(a, b)});
    }
  }
  const int nodes = exchange_size(archive, pag.size());
  archive(edges);
  if (!archive.reads()) return;
  pag = Pag(nodes);
  for (const MarkedEdge& e : edges) {
    Archive::demand(e.a >= 0 && e.b >= 0 && e.a < nodes && e.b < nodes && e.a != e.b);
    pag.join(e.a, e.b);
    pag.set_mark(e.b, e.a, e.at_a);
    pag.set_mark(e.a, e.b, e.at_b);
  }
}

}  // namespace agon
