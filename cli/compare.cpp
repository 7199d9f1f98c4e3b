#include <fmt/format.h>

#include <memory>

#include "agon/catalog/options.h"
#include "agon/report/json_texts.h"
#include "agon/run/graph_sources.h"
#include "cli/app.h"
#include "cli/command_line.h"
#include "cli/console.h"

namespace agon::cli {
namespace {

struct CompareArgs {
  std::string truth, graph, folder;
  uint64_t seed = 0;
  bool json = false, quiet = false;
};

int run(const CompareArgs& args) {
  Log log(args.quiet);
  const NamedGraph truth = load_graph(args.truth, args.folder), graph = load_graph(args.graph);
  const Comparison comparison = compare_graphs(truth, args.truth, graph, args.graph, args.seed, log);
  print(args.json ? comparison_json_text(comparison) : comparison_text(comparison, output_style()));
  return kOk;
}

}  // namespace

Action set_up_compare(CLI::App& app) {
  auto args = std::make_shared<CompareArgs>();
  Binding binding(app);
  binding.positional("TRUTH", args->truth, "graph held to be true: a file, or the name of an embedded data set");
  binding.positional("GRAPH", args->graph, "graph to compare: a file");
  binding.option(args->folder, folder_option());
  binding.option(args->seed, seed_option());
  binding.option(args->json, json_option());
  binding.option(args->quiet, quiet_option());
  binding.examples(
      "  agon compare asia result/dag.csv\n"
      "  agon compare truth.bif estimate.txt --json");
  return [args](const std::string&) { return run(*args); };
}

}  // namespace agon::cli
