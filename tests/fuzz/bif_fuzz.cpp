// Networks: any bytes into the BIF reader, for its probabilities and for its structure alone.
#include <sstream>

#include "agon/data/bif.h"
#include "agon/graph/formats.h"
#include "tests/fuzz/target.h"

using namespace agon;
using namespace agon::fuzz;

FUZZ_TARGET(text) {
  BayesNet net;
  std::vector<std::string> warnings;
  const bool read = refusable([&] { net = parse_bif(text, "fuzz.bif", &warnings); });
  NamedGraph graph;
  const bool drawn = refusable([&] { graph = parse_graph(text, "fuzz.bif", "bif"); });
  if (!read) return;
  if (drawn) must(graph.names.size() == net.names.size(), "network and graph have the same nodes");

  size_t numbers = 0;
  for (const auto& table : net.tables) numbers += table.size();
  if (numbers > 100'000) return;  // a default row can stand for a table far larger than the file
  std::ostringstream out;
  write_bif(out, net);
  BayesNet copy;
  must(refusable([&] { copy = parse_bif(out.str(), "copy.bif"); }), "what was written can be read");
  must(copy.names == net.names && copy.levels == net.levels && copy.parents == net.parents, "the same structure");
  must(copy.tables == net.tables, "the same probabilities, to the last bit");
}
