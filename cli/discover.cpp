#include <memory>

#include "cli/search.h"

namespace agon::cli {
namespace {

struct DiscoverArgs {
  explicit DiscoverArgs(CLI::App& app) : binding(app), request(binding, RunRequest::Kind::kMatch), output(binding) {}
  Binding binding;
  RunRequest request;
  OutputArgs output;
};

}  // namespace

Action set_up_discover(CLI::App& app) {
  auto args = std::make_shared<DiscoverArgs>(app);
  args->binding.examples(
      "  agon discover asia --truth asia\n"
      "  agon discover my.csv --out result --format dot\n"
      "  agon discover my.csv --opponent ges,tabu --time-limit 60s\n"
      "  agon discover my.csv --start graph.txt          improve the graph you have\n"
      "  agon discover my.csv --challenger flat --no-learning --moves 100000\n"
      "  agon discover my.csv --out result --checkpoint saved     killed? the same command resumes");
  return [args](const std::string& typed) { return args->output.carry_out(args->request, typed); };
}

}  // namespace agon::cli
