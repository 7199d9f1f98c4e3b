#include "agon/run/verify.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "agon/base/atomic_file.h"
#include "agon/base/error.h"
#include "agon/base/parallel.h"
#include "agon/catalog/options.h"
#include "agon/data/text_file.h"
#include "agon/report/json_texts.h"
#include "agon/report/record_json.h"
#include "agon/run/data_settings.h"
#include "agon/run/knowledge_settings.h"
#include "agon/run/recorded.h"
#include "agon/study/theorems.h"
#include "cli/app.h"
#include "cli/command_line.h"
#include "cli/console.h"
#include "cli/interrupt.h"

namespace agon::cli {
namespace {

struct VerifyArgs {
  explicit VerifyArgs(CLI::App& app)
      : binding(app), data((add_what(), binding), Binding::kOptional), knowledge(binding) {
    binding.option(trials, {.name = "trials",
                            .value = "N",
                            .help = "how often to try: matches of theorem1, problems of theorem2, samples per size of "
                                    "theorem3, pairs of lemma2",
                            .range = at_least(1),
                            .otherwise = fmt::format("{}, {}, {} and {}", kTheorem1Matches, kTheorem2Problems,
                                                     kTheorem3Draws, kLemma2Pairs)});
    binding.option(seed, seed_option());
    binding.option(threads, threads_option());
    binding.option(out, out_option("folder to write the figures of a theorem to"));
    binding.option(json, json_option());
    binding.option(quiet, quiet_option());
  }
  void add_what() {  // separate, because it comes before DATA
    binding.positional("RESULT", what, "result.json or the folder it is in; or theorem1, theorem2, theorem3, lemma2");
  }
  Binding binding;
  std::string what;
  DataSettings data;
  KnowledgeSettings knowledge;
  int trials = 0, threads = 0;
  uint64_t seed = 0;
  std::string out;
  bool json = false, quiet = false;
};

std::string verdict_text(const std::vector<ClaimCheck>& checks, const TextStyle& style) {
  Table table({"", "", "~"});
  size_t failed = 0, held = 0;
  for (const ClaimCheck& check : checks) {
    const Tone tone = check.verdict == Verdict::kHolds   ? Tone::kGood
                      : check.verdict == Verdict::kFails ? Tone::kDoubtful
                                                         : Tone::kFaint;
    table.row({{to_string(check.verdict), tone}, check.claim, check.text});
    failed += check.verdict == Verdict::kFails;
    held += check.verdict == Verdict::kHolds;
  }
  const std::string end =
      failed == 0 ? fmt::format("All {} claims hold.", held)
                  : fmt::format("{} of {} {} NOT hold.", failed,
                                counted(static_cast<long long>(failed + held), "claim"), failed == 1 ? "does" : "do");
  return table.text(style) + "\n" + end + "\n";
}

// The text of [PREFIX_]proof.txt beside [PREFIX_]result.json; "" where there is none.
std::string proof_beside(const std::filesystem::path& result) {
  std::string name = result.filename().string();
  if (!name.ends_with("result.json")) return "";
  name.replace(name.size() - 11, 11, "proof.txt");
  const std::filesystem::path proof = result.parent_path() / name;
  std::error_code ignored;
  return std::filesystem::exists(proof, ignored) ? read_text_file(proof.string()) : "";
}

int verify_result(const VerifyArgs& args) {
  if (args.data.source().empty()) {
    throw UsageError("DATA is required", "agon verify RESULT DATA: the table that the result is of");
  }
  Log log(args.quiet);
  std::filesystem::path path = args.what;
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) path /= "result.json";
  const std::string place = path.string(), text = read_text_file(place);
  const RunRecord record = read_record(text, place);
  const AsRecorded as_recorded(args.binding, args.data.source(), record, place);
  LoadedData data = as_recorded.data(log);
  std::vector<ClaimCheck> checks;
  if (const auto other = check_is_its_table(record, data.table)) {
    checks = {*other};
  } else {
    const Knowledge knowledge = as_recorded.knowledge(data.table.names());
    const int threads = args.threads > 0 ? args.threads : hardware_threads();
    checks = verify_file(text, record, std::move(data.table), knowledge, place, threads, proof_beside(path));
  }
  print(args.json ? checks_json_text(checks) : verdict_text(checks, output_style()));
  return all_hold(checks) ? kOk : kFault;
}

using Theorem = Study (*)(const StudyOptions&, const Watch&);
Theorem theorem(const std::string& name) {
  return name == "theorem1"   ? study_theorem1
         : name == "theorem2" ? study_theorem2
         : name == "theorem3" ? study_theorem3
         : name == "lemma2"   ? study_lemma2
                              : nullptr;
}

int verify_theorem(const VerifyArgs& args, Theorem study_of) {
  if (!args.data.source().empty()) throw UsageError(args.what + " takes no DATA: it makes its own");
  if (args.json) throw UsageError("--json has no effect on " + args.what, "--out DIR writes all figures as CSV");
  for (const auto& bound : args.binding.all()) {
    const Option& option = bound->option;
    const bool about_files =
        option.group == OptionGroup::kData || option.name == "on-conflict" || is_about_knowledge(option.name);
    if (about_files && args.binding.given(option.name)) {
      throw UsageError(fmt::format("--{} has no effect on {}", option.name, args.what));
    }
  }
  Log log(args.quiet);
  if (!args.out.empty()) make_writable_folder(args.out);
  Watch watch;
  watch.interrupted = catch_interrupts();
  const int threads = args.threads > 0 ? args.threads : hardware_threads();
  Study study;
  try {
    study = study_of({.trials = args.trials, .seed = args.seed, .threads = threads}, watch);
  } catch (const std::runtime_error&) {
    if (watch.was_interrupted()) return kInterrupted;
    throw;
  }
  if (!args.out.empty()) {
    const std::string place = args.out + "/" + args.what;
    write_file_atomically(place + ".csv", study.csv());
    write_file_atomically(place + ".svg", study.figure.svg());
    log.note(fmt::format("wrote {0}.csv and {0}.svg", place));
  }
  Table table(study.table_headings);
  for (const auto& row : study.table) table.row({row.begin(), row.end()});
  std::string text = table.text(output_style()) + "\n";
  for (const std::string& note : study.notes) text += wrapped(note, output_style());
  print(text + study.verdict + "\n");
  return study.holds ? kOk : kFault;
}

}  // namespace

Action set_up_verify(CLI::App& app) {
  auto args = std::make_shared<VerifyArgs>(app);
  args->binding.examples(
      "  agon discover asia --out result && agon verify result asia\n"
      "  agon verify old/result.json my.csv              the options of the run are taken from the result\n"
      "  agon verify theorem3 --out study                the guarantees of the method, put to the test");
  return [args](const std::string&) {
    if (const Theorem study = theorem(args->what)) return verify_theorem(*args, study);
    for (const std::string option : {"trials", "seed", "out"}) {
      if (args->binding.given(option)) throw UsageError(fmt::format("--{} has no effect on a result", option));
    }
    return verify_result(*args);
  };
}

}  // namespace agon::cli
