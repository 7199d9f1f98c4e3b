#include <fmt/format.h>

#include <chrono>

#include "agon/base/error.h"
#include "agon/base/suggest.h"
#include "agon/catalog/signature.h"
#include "cli/app.h"
#include "cli/binding.h"
#include "cli/console.h"

namespace agon::cli {
namespace {

struct Args {
  std::string suite = "signature";
};

int print_signature() {
  using Clock = std::chrono::steady_clock;
  const auto began = Clock::now();
  const Signature s = run_signature();
  const double seconds = std::chrono::duration<double>(Clock::now() - began).count();
  print(fmt::format("signature {}   moves {}  local scores {}  graphs {}   ({:.1f} s, {:.1f} k scores/s)\n", s.name(),
                    s.moves, s.local_scores, s.name().substr(s.name().find('-') + 1), seconds,
                    static_cast<double>(s.local_scores) / 1000 / seconds));
  return kOk;
}

}  // namespace

Action set_up_bench(CLI::App& app) {
  auto args = std::make_shared<Args>();
  Binding binding(app);
  binding.value("suite", args->suite);
  binding.examples("  agon bench                              the signature that commits cite");
  return [args](const std::string&) {
    if (args->suite == "signature") return print_signature();
    const std::vector<std::string> suites = {"signature"};
    throw UsageError(fmt::format("there is no suite {}", quoted(args->suite)), "the suites are " + listed(suites));
  };
}

}  // namespace agon::cli
