// Partial ancestral graphs: the input is a list of edges with any marks; the text written for it (Tetrad's, the one FCI
// writes) reads back as the same graph, and the reader survives that text with the rest of the input laid over it.
#include <algorithm>
#include <sstream>

#include "agon/graph/formats.h"
#include "agon/graph/pag.h"
#include "tests/fuzz/target.h"

using namespace agon;
using namespace agon::fuzz;

FUZZ_TARGET(text) {
  Bytes bytes(text);
  const int nodes = 1 + bytes.below(12);
  std::vector<std::string> names;
  for (int v = 0; v < nodes; ++v) names.push_back("X" + std::to_string(v));
  Pag pag(nodes);
  for (int edges = bytes.below(40); edges > 0; --edges) {
    const Node a = bytes.below(nodes), b = bytes.below(nodes);
    const int marks = bytes.take();
    if (a == b || pag.adjacent(a, b)) continue;
    pag.join(a, b);
    pag.set_mark(a, b, static_cast<Mark>(marks % 3));
    pag.set_mark(b, a, static_cast<Mark>(marks / 3 % 3));
  }
  const NamedGraph graph = named(pag, names);
  for (const GraphFormat& format : graph_formats()) {
    if (!format.holds_marks) continue;
    std::ostringstream out;
    write_graph(out, graph, format.name);
    must(parse_graph(out.str(), "pag", format.name) == graph, "a PAG reads back as it was written");
  }
  must(without_hidden(pag).size() == nodes, "a PAG has a drawing without hidden causes");

  std::ostringstream out;
  write_graph(out, graph, "tetrad");
  std::string spoiled = out.str();
  for (Bytes rest(bytes.rest()); !rest.empty();) {  // position, then the byte to put there
    const size_t at = static_cast<size_t>(rest.take() * 256 + rest.take());
    if (!spoiled.empty()) spoiled[at % spoiled.size()] = static_cast<char>(rest.take());
  }
  refusable([&] { parse_graph(spoiled, "pag", "tetrad"); });
}
