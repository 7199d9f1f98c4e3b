#include <memory>

#include "cli/search.h"

namespace agon::cli {
namespace {

struct RunArgs {
  explicit RunArgs(CLI::App& app)
      : binding(app), request((add_algorithm(), binding), RunRequest::Kind::kAlone), output(binding) {}
  void add_algorithm() {  // separate, because it comes before DATA
    binding.positional("ALGO", algorithm, "algorithm, see `agon list opponents`", Binding::kRequired, "--algorithm");
  }

  Binding binding;
  std::string algorithm;
  RunRequest request;
  OutputArgs output;
};

}  // namespace

Action set_up_run(CLI::App& app) {
  auto args = std::make_shared<RunArgs>(app);
  args->binding.examples(
      "  agon run ges asia\n"
      "  agon run boss my.csv --knowledge known.txt --required must.csv --time-limit 60s\n"
      "  agon run tabu my.csv --score gaussian-bic --penalty 2 --out result --format dot,tetrad\n"
      "  agon run pc my.csv --test chi2 --alpha 0.05 --max-conditioning 3\n"
      "  agon run hc alarm --rows 5000 --truth alarm --json");
  return [args](const std::string& typed) {
    args->request.algorithm = args->algorithm;
    return args->output.carry_out(args->request, typed);
  };
}

}  // namespace agon::cli
