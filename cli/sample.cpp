#include <memory>
#include <sstream>

#include "agon/base/atomic_file.h"
#include "agon/catalog/options.h"
#include "agon/data/csv.h"
#include "agon/data/experiment_sample.h"
#include "agon/run/graph_sources.h"
#include "cli/app.h"
#include "cli/command_line.h"
#include "cli/console.h"

namespace agon::cli {
namespace {

struct SampleArgs {
  SampleRequest request;
  std::string network, output, intervention = "perfect";
  bool quiet = false;
};

int run(SampleArgs& args) {
  Log log(args.quiet);
  if (args.intervention == "soft") args.request.intervention = Intervention::kSoft;
  const Dataset data = sample(load_network(args.network, log), args.request, args.network);
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
  auto args = std::make_shared<SampleArgs>();
  Binding binding(app);
  binding.positional("NET", args->network, "name of an embedded network, or a BIF file");
  binding.option(args->request.rows, {.name = "count",
                                      .value = "N",
                                      .group = OptionGroup::kData,
                                      .help = "rows to draw",
                                      .range = at_least(1),
                                      .aliases = {"n", "rows"}});
  binding.option(args->request.settings,
                 {.name = "do",
                  .value = "X=x",
                  .group = OptionGroup::kData,
                  .help = "draw from an experiment that sets variable X to level x; several at once "
                          "with commas; its rows are independent of others of the same seed",
                  .otherwise = "observation"});
  binding.option(
      args->intervention,
      {.name = "intervention",
       .value = "KIND",
       .group = OptionGroup::kData,
       .help =
           "kind of intervention of --do; perfect: X is x in every row, whatever its parents are; soft: in each row X "
           "is x with probability 1/2, and otherwise follows its parents",
       .choices = {"perfect", "soft"}});
  binding.option(args->request.targets,
                 {.name = "targets",
                  .value = "NAME",
                  .group = OptionGroup::kData,
                  .help = "add a column of this name that names the variables set (a;b, or none), as "
                          "`agon discover --targets` reads it",
                  .otherwise = "no such column"});
  binding.option(args->request.seed, seed_option());
  binding.option(args->output, output_option("standard output"));
  binding.option(args->quiet, quiet_option());
  binding.examples(
      "  agon sample alarm -n 5000 --seed 1 -o alarm.csv\n"
      "  agon sample my.bif -n 100\n"
      "  agon sample asia -n 500 --do smoke=yes,bronc=no\n"
      "observation and an experiment in one file, and the graph of both:\n"
      "  agon sample asia -n 1000 --targets set -o both.csv\n"
      "  agon sample asia -n 500 --do smoke=yes --targets set | tail -n +2 >> both.csv\n"
      "  agon discover both.csv --targets set --truth asia");
  return [args](const std::string&) { return run(*args); };
}

}  // namespace agon::cli
