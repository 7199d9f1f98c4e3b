#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "agon/base/error.h"
#include "agon/base/memory.h"
#include "agon/base/parallel.h"
#include "agon/catalog/options.h"
#include "agon/catalog/scores.h"
#include "agon/data/embedded.h"
#include "agon/opponent/hill_climbing.h"
#include "agon/referee/linear_program.h"
#include "agon/report/html.h"
#include "agon/report/sentences.h"
#include "agon/report/table.h"
#include "agon/run/data_settings.h"
#include "agon/version.h"
#include "cli/app.h"
#include "cli/command_line.h"
#include "cli/console.h"
#include "cli/interrupt.h"

namespace agon::cli {
namespace {

struct DoctorArgs {
  explicit DoctorArgs(CLI::App& app) : binding(app), data(binding, Binding::kOptional) {
    binding.option(quiet, quiet_option());
  }
  Binding binding;
  DataSettings data;
  bool quiet = false;
};

int examine_data(const DoctorArgs& args) {
  Log log(args.quiet);
  Watch watch;
  watch.interrupted = catch_interrupts();
  const DataRecord record = args.data.load(log, DataSettings::Findings::kSilent, watch).record;
  std::string text = fmt::format("{}: {}, {}; checksum {}\n", shown(record.source),
                                 counted(static_cast<long long>(record.rows), "row"),
                                 counted(static_cast<long long>(record.columns.size()), "column"), record.checksum);
  text += fmt::format("kinds: {}\n", kinds_text(record));
  if (record.kinds_inferred) text += fmt::format("       {}\n", kKindRule);
  text += '\n';
  for (const FindingRecord& finding : record.findings) text += fmt::format("{}: {}\n", finding.severity, finding.text);
  if (record.findings.empty()) text += "Nothing that would spoil a search.\n";
  print(text);
  return kOk;
}

// Checks that the embedded data sets are intact, and that the score a search reports is the score its graph has when
// recomputed.
int examine_installation() {
  std::string text = fmt::format("agon {}, {}, {:.1f} GB of memory\n", AGON_VERSION,
                                 counted(hardware_threads(), "core"), memory_limit() / 1e9);
  bool fine = true;
  const auto report = [&](const std::string& what, bool good) {
    text += fmt::format("  {:<46} {}\n", what, good ? "ok" : "WRONG");
    fine = fine && good;
  };
  for (const EmbeddedInfo& info : embedded_datasets()) {
    if (info.kind == "network") {
      const BayesNet net = embedded_network(info.name);
      report(fmt::format("{}: {} nodes, {} edges, {} parameters", info.name, info.nodes, info.edges, info.parameters),
             net.size() == info.nodes && net.edge_count() == info.edges && net.parameter_count() == info.parameters);
    } else if (info.kind == "table") {
      const Dataset table = embedded_table(info.name);
      report(fmt::format("{}: {} rows, {} columns", info.name, info.rows, info.nodes),
             table.rows() == info.rows && table.size() == info.nodes);
    }
  }
  const Dataset data = embedded_table("asia", 1000);
  const auto score = make_score("auto", data);
  const SearchResult found = hill_climb(*score, Dag(data.size()));
  const double afresh = total(*score, found.dag);
  report("hill climbing on asia, scored afresh",
         found.dag.edge_count() > 0 && std::abs(found.score - afresh) <= 1e-9 * std::abs(afresh));
  text += fmt::format("  {:<46} {}\n", "report.html",
                      report_is_interactive() ? "ok" : "plain: built without Node, so without drawing and chart");
  text += fmt::format("  {:<46} {}\n", "proofs of the optimum",
                      has_linear_program() ? "ok" : "weaker bounds: " + why_no_solver());
  print(text + (fine ? "All is well.\n" : "Something is broken: build again from clean sources.\n"));
  return fine ? kOk : kData;
}

}  // namespace

Action set_up_doctor(CLI::App& app) {
  auto args = std::make_shared<DoctorArgs>(app);
  args->binding.examples(
      "  agon doctor my.csv      # what about this table may spoil a search\n"
      "  agon doctor             # is this installation complete");
  return
      [args](const std::string&) { return args->data.source().empty() ? examine_installation() : examine_data(*args); };
}

}  // namespace agon::cli
