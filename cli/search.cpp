#include "cli/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "agon/base/atomic_file.h"
#include "agon/base/error.h"
#include "agon/graph/formats.h"
#include "agon/report/html.h"
#include "agon/report/summary.h"
#include "agon/run/written_graph.h"
#include "cli/interrupt.h"

namespace agon::cli {
namespace {

std::string graph_file(const std::string& stem, const GraphFormat& format) {
  const bool said_by_extension = "." + format.name == format.extension;
  return stem + (said_by_extension ? "" : "." + format.name) + format.extension;
}

// dag.EXT, and where the format can hold undirected edges cpdag.EXT and, with knowledge, mpdag.EXT; where it can hold
// circles the pag.EXT of an algorithm that finds one; all after `place`.
void write_graphs(const std::string& place, const std::vector<std::string>& formats, const Found& found, Log& log) {
  for (const std::string& format : formats) {
    for (const std::string& which : graphs_of(found)) {
      if (!can_write(found, which, format)) continue;
      const std::string path = graph_file(place + which, graph_format(format));
      KeptJournal said;
      const std::string text = written_graph(found, which, format, said);
      for (const std::string& note : said.notes) log.note(note);
      for (const std::string& warning : said.warnings) log.warning(path + ": " + warning);
      write_file_atomically(path, text);
      log.note("wrote " + path);
    }
  }
}

}  // namespace

OutputArgs::OutputArgs(Binding& binding) : binding_(binding) {
  binding.value("out", out_);
  binding.list("format", formats_);
  binding.flag("json-graph", json_graph_);
  binding.value("prefix", prefix_);
  binding.flag("json", json_);
  binding.flag("quiet", quiet_);
}

std::vector<std::string> OutputArgs::checked_formats() const {
  for (const std::string option : {"format", "json-graph", "prefix"}) {
    if (!binding_.given(option) || !out_.empty()) continue;
    throw UsageError(fmt::format("--{} has no effect without --out", option),
                     "--out DIR names the folder to write to; --out . is this one");
  }
  if (prefix_.find('/') != std::string::npos) {
    throw UsageError("--prefix is part of a file name, so without /", "--out DIR names the folder");
  }
  std::vector<std::string> formats = formats_;
  if (json_graph_ && std::find(formats.begin(), formats.end(), "json") == formats.end()) formats.push_back("json");
  for (const std::string& format : formats) graph_format(format);
  return formats;
}

int OutputArgs::carry_out(const Run& run, const SearchSettings& search) const {
  const std::vector<std::string> formats = checked_formats();
  search.check();

  Log log(quiet_);
  Watch watch;
  watch.report = [&log](const Progress& progress) { log.progress(progress); };
  const BeforeSearch before = [&](const Prepared&) {
    if (!out_.empty()) make_writable_folder(out_);
    watch.interrupted = catch_interrupts();  // not earlier: reading stops at once
    if (const double limit = search.time_limit(); limit > 0) log.set_time_limit(limit);
  };
  const Found found = run(watch, log, before);
  log.finish_line();

  const std::string json = found.json();
  const std::string place = out_ + "/" + (prefix_.empty() ? "" : prefix_ + "_");
  const auto write_out = [&] {
    write_file_atomically(place + "result.json", json);
    log.note("wrote " + place + "result.json");
    write_file_atomically(place + "report.html", html_report(json, place + "result.json"));
    log.note("wrote " + place + "report.html" + (report_is_interactive() ? "" : " (plain: built without Node)"));
    write_graphs(place, formats, found, log);
  };
  std::optional<InputError> unwritten;  // such an answer is printed all the same: it may have taken hours
  try {
    if (!out_.empty()) write_out();
  } catch (const InputError& error) {
    unwritten = error;
  }
  std::vector<std::string> certified;
  if (found.certificate) certified = plain_lines(*found.certificate, found.data->table.names());
  const Comparison* compared = found.comparison ? &*found.comparison : nullptr;
  std::string text = json_ ? json : summary_text(found.record, compared, certified, output_style());
  if (!json_ && !out_.empty() && !unwritten) text += fmt::format("\nreport {}report.html\n", place);
  print(text);
  if (unwritten) throw *unwritten;
  if (found.checkpoint) found.checkpoint->remove();
  return watch.was_interrupted() ? kInterrupted : kOk;
}

}  // namespace agon::cli
