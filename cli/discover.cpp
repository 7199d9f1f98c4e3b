#include "cli/search.h"

namespace agon::cli {
namespace {

struct Args {
  explicit Args(CLI::App& app) : binding(app), search(binding) {}
  Binding binding;
  SearchArgs search;
};

}  // namespace

Action set_up_discover(CLI::App& app) {
  auto args = std::make_shared<Args>(app);
  args->binding.examples(
      "  agon discover asia --truth asia\n"
      "  agon discover my.csv --out result --format dot\n"
      "  agon discover my.csv --start graph.txt --time-limit 60s");
  return [args](const std::string& typed) {
    return args->search.run("hc", "hill climbing; `agon run` chooses another", typed);
  };
}

}  // namespace agon::cli
