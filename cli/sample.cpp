#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <sstream>

#include "agon/base/atomic_file.h"
#include "agon/base/error.h"
#include "agon/base/text.h"
#include "agon/catalog/options.h"
#include "agon/data/csv.h"
#include "agon/run/graph_sources.h"
#include "cli/app.h"
#include "cli/command_line.h"
#include "cli/console.h"

namespace agon::cli {
namespace {

struct Args {
  std::string network, output, targets, intervention = "perfect";
  std::vector<std::string> settings;
  size_t count = 1000;
  uint64_t seed = 0;
  bool quiet = false;
};

// In the order of the network, however they were typed.
std::vector<Setting> settings_of(const BayesNet& net, const Args& args) {
  std::vector<Setting> out;
  for (const std::string& text : args.settings) out.push_back(setting_of(net, text));
  std::ranges::sort(out, {}, &Setting::node);
  return out;
}

// What --targets of `agon discover` reads: the variables set in these rows.
std::string label_of(const BayesNet& net, const std::vector<Setting>& settings) {
  std::vector<std::string> names;
  for (const Setting& setting : settings) names.push_back(net.names[setting.node]);
  return names.empty() ? "none" : joined(names, ";");
}

Dataset draw(const BayesNet& net, const Args& args) {
  const std::vector<Setting> settings = settings_of(net, args);
  if (settings.empty() && args.intervention != "perfect") {
    throw UsageError("--intervention has no effect without --do", "add --do VARIABLE=LEVEL");
  }
  const Intervention kind = args.intervention == "soft" ? Intervention::kSoft : Intervention::kPerfect;
  BayesNet drawn = under_experiment(net, settings, kind);
  if (!args.targets.empty()) {
    if (net.index_of(args.targets) >= 0) {
      throw UsageError(fmt::format("--targets {}: the network has a variable of that name", args.targets),
                       "choose another name");
    }
    drawn = with_label(std::move(drawn), args.targets, label_of(net, settings));
  }
  // An experiment has random numbers of its own, so that its rows can be put beside others of the same seed.
  Rng rng(args.seed);
  if (!settings.empty()) rng = rng.split(args.intervention);
  for (const auto& [node, level] : settings) rng = rng.split(net.names[node]).split(net.levels[node][level]);
  return sample(drawn, args.count, rng, args.network);
}

int run(const Args& args) {
  Log log(args.quiet);
  const Dataset data = draw(load_network(args.network, log), args);
  std::ostringstream text;
  write_csv(text, data);
  if (args.output.empty() || args.output == "-") {
    print(text.str());
  } else {
    write_file_atomically(args.output, text.str());
    log.note("wrote " + args.output);
  }
  return kOk;
}

}  // namespace

Action set_up_sample(CLI::App& app) {
  auto args = std::make_shared<Args>();
  Binding binding(app);
  binding.positional("NET", args->network, "name of an embedded network, or a BIF file");
  binding.option(args->count, {.name = "count",
                               .value = "N",
                               .group = OptionGroup::kData,
                               .help = "rows to draw",
                               .range = at_least(1),
                               .aliases = {"n", "rows"}});
  binding.option(args->settings, {.name = "do",
                                  .value = "X=x",
                                  .group = OptionGroup::kData,
                                  .help = "draw from an experiment that sets variable X to level x; several at once "
                                          "with commas; its rows are independent of others of the same seed",
                                  .otherwise = "observation"});
  binding.option(args->intervention,
                 {.name = "intervention",
                  .value = "KIND",
                  .group = OptionGroup::kData,
                  .help = "what --do does; perfect: X is x in every row, whatever its parents are; soft: in each row X "
                          "is x with probability 1/2, and otherwise follows its parents",
                  .choices = {"perfect", "soft"}});
  binding.option(args->targets, {.name = "targets",
                                 .value = "NAME",
                                 .group = OptionGroup::kData,
                                 .help = "add a column of this name that names the variables set (a;b, or none), as "
                                         "`agon discover --targets` reads it",
                                 .otherwise = "no such column"});
  binding.option(args->seed, seed_option());
  binding.option(args->output, output_option("standard output"));
  binding.option(args->quiet, quiet_option());
  binding.examples(
      "  agon sample alarm -n 5000 --seed 1 -o alarm.csv\n"
      "  agon sample my.bif -n 100\n"
      "  agon sample asia -n 500 --do smoke=yes,bronc=no\n"
      "observation and an experiment in one file, and the graph that both tell of:\n"
      "  agon sample asia -n 1000 --targets set -o both.csv\n"
      "  agon sample asia -n 500 --do smoke=yes --targets set | tail -n +2 >> both.csv\n"
      "  agon discover both.csv --targets set --truth asia");
  return [args](const std::string&) { return run(*args); };
}

}  // namespace agon::cli
