// Graphs: the first byte chooses a format (or leaves it to be inferred), the rest is the file. What is read is written
// in every format that can hold it and read back as the same graph.
#include <sstream>

#include "agon/graph/formats.h"
#include "agon/graph/pdag.h"
#include "tests/fuzz/target.h"

using namespace agon;
using namespace agon::fuzz;

FUZZ_TARGET(text) {
  Bytes bytes(text);
  const auto& formats = graph_formats();
  const size_t choice = static_cast<size_t>(bytes.take() - '0') % (formats.size() + 1);
  const std::string format = choice < formats.size() ? formats[choice].name : "";
  NamedGraph graph;
  if (!refusable([&] { graph = parse_graph(bytes.rest(), "fuzz", format); })) return;

  refusable([&] { to_dag(graph, graph.names, "fuzz"); });
  refusable([&] { to_pdag(graph, graph.names, "fuzz"); });
  refusable([&] { directed_edges(graph, graph.names, "fuzz"); });
  if (graph.names.empty() || graph.names.size() > 200) return;  // bif and bnlearn have no graph without nodes
  for (const GraphFormat& target : formats) {
    std::ostringstream out;
    std::vector<std::string> warnings;
    if (!refusable([&] { warnings = write_graph(out, graph, target.name); })) continue;
    NamedGraph copy;
    must(refusable([&] { copy = parse_graph(out.str(), "copy", target.name); }),
         ("what was written as " + target.name + " can be read").c_str());
    must(copy.names.size() == graph.names.size() && copy.edges.size() == normalized(graph).edges.size(),
         ("no node and no edge is lost in " + target.name).c_str());
    if (!warnings.empty()) continue;  // names were changed, or attributes left out
    if (!target.holds_attributes) copy.attributes = graph.attributes;
    must(copy == graph, ("what was written as " + target.name + " reads back as the same graph").c_str());
  }
}
