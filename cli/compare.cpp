#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "agon/base/error.h"
#include "agon/report/comparison.h"
#include "agon/report/result_json.h"
#include "cli/app.h"
#include "cli/binding.h"
#include "cli/graph_args.h"

namespace agon::cli {
namespace {

struct Args {
  std::string truth, graph, folder;
  uint64_t seed = 0;
  bool json = false, quiet = false;
};

// The nodes compared, in canonical order. A list of edges may leave out nodes without any, so the other graph says.
std::vector<std::string> node_names(const NamedGraph& truth, const NamedGraph& graph) {
  std::set<std::string> names(truth.names.begin(), truth.names.end());
  if (!truth.lists_every_node) {
    if (graph.lists_every_node) names.clear();
    names.insert(graph.names.begin(), graph.names.end());
  }
  const std::vector<std::string> sorted(names.begin(), names.end());
  std::vector<std::string> ordered;
  for (int k : canonical_order(sorted)) ordered.push_back(sorted[k]);
  return ordered;
}

int run(const Args& args) {
  Log log(args.quiet);
  const NamedGraph truth = load_graph(args.truth, args.folder), graph = load_graph(args.graph);
  const std::vector<std::string> names = node_names(truth, graph);
  const std::vector<Edge> true_edges = true_edges_of(truth, names, args.truth, log);
  const Dag dag = dag_of(graph, names, args.graph, log);
  const Comparison comparison = compare_with_truth(args.truth, true_edges, dag, Rng(args.seed));
  print(args.json ? json_text(comparison_json(comparison)) : comparison_text(comparison, output_style()));
  return kOk;
}

}  // namespace

Action set_up_compare(CLI::App& app) {
  auto args = std::make_shared<Args>();
  Binding binding(app);
  binding.positional("TRUTH", args->truth, "graph held to be true: a file, or the name of an embedded data set");
  binding.positional("GRAPH", args->graph, "graph to compare: a file");
  binding.value("folder", args->folder);
  binding.value("seed", args->seed);
  binding.flag("json", args->json);
  binding.flag("quiet", args->quiet);
  binding.examples(
      "  agon compare asia result/dag.csv\n"
      "  agon compare truth.bif estimate.txt --json");
  return [args](const std::string&) { return run(*args); };
}

}  // namespace agon::cli
