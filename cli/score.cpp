#include <fmt/format.h>

#include <map>
#include <memory>

#include "agon/base/parallel.h"
#include "agon/base/text.h"
#include "agon/catalog/options.h"
#include "agon/catalog/scores.h"
#include "agon/report/json_texts.h"
#include "agon/report/table.h"
#include "agon/run/graph_sources.h"
#include "agon/run/score_settings.h"
#include "cli/app.h"
#include "cli/command_line.h"
#include "cli/console.h"

namespace agon::cli {
namespace {

struct ScoreArgs {
  explicit ScoreArgs(CLI::App& app)
      : binding(app), data((add_graph(), binding)), score(binding, ScoreSettings::Purpose::kScoreOnly) {
    binding.option(seed, seed_option());
    binding.option(json, json_option());
    binding.option(quiet, quiet_option());
  }
  void add_graph() {  // separate, because it comes before DATA
    binding.positional("GRAPH", graph, "graph file, or name of an embedded data set for its true graph");
  }

  Binding binding;
  std::string graph;
  DataSettings data;
  ScoreSettings score;
  uint64_t seed = 1;  // of the cells drawn where some are missing: that of the run to compare with
  bool json = false, quiet = false;
};

int run(const ScoreArgs& args) {
  Log log(args.quiet);
  auto data = std::make_shared<const LoadedData>(args.data.load(log));
  const ChosenScore chosen = args.score.make(data,
                                             {.missing = args.data.missing_policy(),
                                              .draws = args.data.draws(),
                                              .seed = args.seed,
                                              .threads = hardware_threads()},
                                             log);
  const Dag dag = dag_of(load_graph(args.graph), data->table.names(), args.graph, log);

  std::map<std::string, std::pair<double, std::string>> nodes;  // by name: local score, parents
  for (Node v = 0; v < dag.size(); ++v) {
    std::vector<std::string> parents;
    for (Node u : dag.parents(v)) parents.push_back(shown(data->table.column(u).name));
    std::sort(parents.begin(), parents.end());
    nodes[data->table.column(v).name] = {chosen.score->local(v, dag.parent_list(v)), joined(parents, ", ")};
  }
  const std::string& name = chosen.score->traits().name;
  const double sum = total(*chosen.score, dag);
  if (args.json) {
    std::map<std::string, double> by_node;
    for (const auto& [node, entry] : nodes) by_node[node] = entry.first;
    print(scores_json_text(name, sum, by_node));
    return kOk;
  }
  Table table({"node", ">score", "~parents"});
  for (const auto& [node, entry] : nodes) table.row({shown(node), fmt::format("{:.3f}", entry.first), entry.second});
  const double empty = total(*chosen.score, Dag(dag.size()));
  print(fmt::format("{} ({})\n  {}\n\n{}\ntotal {:.3f}, {:+.3f} over the empty graph ({:.3f}); {}\n", name,
                    chosen.reason, score_entry(name).formula, table.text(output_style(), "  "), sum, sum - empty, empty,
                    counted(dag.edge_count(), "edge")));
  return kOk;
}

}  // namespace

Action set_up_score(CLI::App& app) {
  auto args = std::make_shared<ScoreArgs>(app);
  args->binding.examples(
      "  agon score asia asia\n"
      "  agon score graph.dot my.csv --score bdeu --ess 1 --json");
  return [args](const std::string&) { return run(*args); };
}

}  // namespace agon::cli
