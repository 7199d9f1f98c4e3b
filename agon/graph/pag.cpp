#include "agon/graph/pag.h"

namespace agon {

int Pag::edge_count() const {
  int twice = 0;
  for (Node v = 0; v < size(); ++v) twice += adjacent_[v].count();
  return twice / 2;
}

void Pag::join(Node a, Node b) {
  adjacent_.set(a, b);
  adjacent_.set(b, a);
  set_mark(a, b, Mark::kCircle);
  set_mark(b, a, Mark::kCircle);
}

void Pag::remove(Node a, Node b) {
  adjacent_.reset(a, b);
  adjacent_.reset(b, a);
}

bool Pag::operator==(const Pag& other) const {
  if (adjacent_ != other.adjacent_) return false;
  for (Node a = 0; a < size(); ++a) {
    for (Node b : neighbours(a)) {
      if (mark(a, b) != other.mark(a, b)) return false;
    }
  }
  return true;
}

NamedGraph named(const Pag& pag, const std::vector<std::string>& names) {
  NamedGraph out;
  out.names = names;
  for (Node a = 0; a < pag.size(); ++a) {
    for (Node b : pag.neighbours(a)) {
      if (a < b) out.edges.push_back({names[a], names[b], pag.mark(b, a), pag.mark(a, b)});
    }
  }
  return normalized(std::move(out));
}

Pdag without_hidden(const Pag& pag) {
  Pdag out(pag.size());
  for (Node a = 0; a < pag.size(); ++a) {
    for (Node b : pag.neighbours(a)) {
      if (b < a) continue;
      const bool at_a = pag.mark(b, a) == Mark::kArrow, at_b = pag.mark(a, b) == Mark::kArrow;
      if (at_a == at_b) {
        out.add_undirected(a, b);
      } else if (at_b) {
        out.add_directed(a, b);
      } else {
        out.add_directed(b, a);
      }
    }
  }
  return out;
}

}  // namespace agon
