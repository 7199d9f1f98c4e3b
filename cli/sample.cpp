#include <memory>
#include <sstream>

#include "agon/base/atomic_file.h"
#include "agon/catalog/options.h"
#include "agon/data/csv.h"
#include "agon/run/graph_sources.h"
#include "cli/app.h"
#include "cli/command_line.h"
#include "cli/console.h"

namespace agon::cli {
namespace {

struct Args {
  std::string network, output;
  size_t count = 1000;
  uint64_t seed = 0;
  bool quiet = false;
};

int run(const Args& args) {
  Log log(args.quiet);
  const Dataset data = sample(load_network(args.network, log), args.count, Rng(args.seed), args.network);
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
                               .aliases = {"n"}});
  binding.option(args->seed, seed_option());
  binding.option(args->output, output_option("standard output"));
  binding.option(args->quiet, quiet_option());
  binding.examples(
      "  agon sample alarm -n 5000 --seed 1 -o alarm.csv\n"
      "  agon sample my.bif -n 100");
  return [args](const std::string&) { return run(*args); };
}

}  // namespace agon::cli
