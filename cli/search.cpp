#include "cli/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sstream>

#include "agon/base/atomic_file.h"
#include "agon/base/error.h"
#include "agon/base/parallel.h"
#include "agon/base/suggest.h"
#include "agon/data/bif.h"
#include "agon/graph/fit_network.h"
#include "agon/graph/formats.h"
#include "agon/graph/varsortability.h"
#include "agon/report/html.h"
#include "agon/report/result_json.h"
#include "agon/report/summary.h"
#include "agon/report/table.h"
#include "agon/score/scores.h"
#include "agon/version.h"
#include "cli/graph_args.h"
#include "cli/interrupt.h"
#include "cli/memory.h"

namespace agon::cli {
namespace {

// A search keeps, for every pair of nodes, a gain and some bits, and Gaussian scores a correlation. Refusing at the
// door is better than being killed half-way.
void refuse_too_many_columns(const Dataset& data) {
  const double p = data.size();
  const double needed = 24.0 * p * p;
  const double there = memory_limit();
  if (needed <= there) return;
  throw InputError(data.source(),
                   fmt::format("a search over {} needs about {:.0f} GB of memory; there are {:.0f} GB",
                               counted(data.size(), "column"), needed / 1e9, there / 1e9),
                   "leave columns out with --drop NAMES or --exclude-var FILE");
}

// Constant columns take no part in a search, whatever a graph from outside says.
void leave_out_constants(Dag& dag, const Dataset& data, Log& log) {
  for (const Edge& edge : dag.edges()) {
    for (const Node end : {edge.from, edge.to}) {
      if (!data.column(end).is_constant() || !dag.has_edge(edge.from, edge.to)) continue;
      dag.remove_edge(edge.from, edge.to);
      log.warning(fmt::format("left out of the start: {} -> {}, because {} is constant",
                              shown(data.column(edge.from).name), shown(data.column(edge.to).name),
                              shown(data.column(end).name)));
    }
  }
}

std::string graph_file(const std::string& stem, const GraphFormat& format) {
  const bool said_by_extension = "." + format.name == format.extension;
  return stem + (said_by_extension ? "" : "." + format.name) + format.extension;
}

NamedGraph named(const PdagRecord& pdag, const DataRecord& data) {
  NamedGraph graph;
  for (const ColumnRecord& column : data.columns) graph.names.push_back(column.name);
  for (const auto& [a, b] : pdag.directed) graph.edges.push_back({a, b});
  for (const auto& [a, b] : pdag.undirected) graph.edges.push_back({a, b, Mark::kTail, Mark::kTail});
  return graph;
}

// Past this many probabilities a BIF file would fill the disk and help nobody.
constexpr double kMostProbabilities = 2e7;

// The graph with probabilities counted from the table, or "" when there are none to count.
std::string fitted_bif(const Dag& dag, const Dataset& data, Log& log) {
  if (!data.all_of(ColumnKind::kCategorical)) {
    log.note("the BIF file holds the graph without probabilities: there are continuous columns");
    return "";
  }
  if (network_size(data, dag) > kMostProbabilities) {
    log.warning("the BIF file holds the graph without probabilities: its tables would be too large");
    return "";
  }
  std::ostringstream text;
  write_bif(text, fit_network(data, dag));
  return text.str();
}

// dag.EXT, and where the format can hold undirected edges cpdag.EXT and, with knowledge, mpdag.EXT; where it can hold
// circles the pag.EXT of an algorithm that finds one; all after `place`.
void write_graphs(const std::string& place, const std::vector<std::string>& formats, const Answer& answer,
                  const Dataset& data, const RunRecord& record, Log& log) {
  const Dag& dag = answer.dag;
  for (const std::string& name : formats) {
    const GraphFormat& format = graph_format(name);
    const auto write = [&](const std::string& stem, const NamedGraph& graph) {
      const std::string path = graph_file(place + stem, format);
      std::ostringstream text;
      for (const std::string& warning : write_graph(text, graph, name)) log.warning(path + ": " + warning);
      write_file_atomically(path, text.str());
      log.note("wrote " + path);
    };
    if (const std::string fitted = name == "bif" ? fitted_bif(dag, data, log) : ""; !fitted.empty()) {
      write_file_atomically(graph_file(place + "dag", format), fitted);
      log.note("wrote " + graph_file(place + "dag", format));
      continue;
    }
    write("dag", agon::named(dag, data.names()));
    if (!format.holds_undirected) continue;
    write("cpdag", named(record.cpdag, record.data));
    if (!record.knowledge.sources.empty()) write("mpdag", named(record.mpdag, record.data));
    if (answer.pag && format.holds_marks) write("pag", agon::named(*answer.pag, data.names()));
  }
}

}  // namespace

double parse_duration(const std::string& text, const std::string& option) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string unit(end, text.data() + text.size());
  const double factor = unit.empty() || unit == "s"    ? 1
                        : unit == "ms"                 ? 1e-3
                        : unit == "m" || unit == "min" ? 60
                        : unit == "h"                  ? 3600
                                                       : 0;
  if (error != std::errc() || factor == 0 || !(number > 0) || number * factor > 1e9) {
    throw UsageError(fmt::format("--{} {} is not a length of time", option, quoted(text)),
                     "write it as 60s, 2m, 500ms or 1h");
  }
  return number * factor;
}

SearchArgs::SearchArgs(Binding& binding)
    : binding_(binding), data_(binding), score_(binding, ScoreArgs::Purpose::kSearch), knowledge_(binding) {
  binding.value("start", start_);
  binding.value("bootstrap", bootstrap_);
  binding.value("time-limit", time_limit_);
  binding.value("threads", threads_);
  binding.value("seed", seed_);
  binding.value("truth", truth_);
  binding.value("out", out_);
  binding.list("format", formats_);
  binding.flag("json-graph", json_graph_);
  binding.value("prefix", prefix_);
  binding.flag("json", json_);
  binding.flag("quiet", quiet_);
}

// The score of a resample has the name and the options of the score of the table.
void SearchArgs::run_bootstrap(RunRecord& record, const SearchWork& work, const Task& task) const {
  const ResampleSearch search = [&](const Dataset& rows, const Rng& rng, const Watch& watch) {
    const auto score = make_score(task.score.traits().name, rows, task.score_options);
    const uint64_t seed = Rng(rng).next();
    return work.resample({rows, *score, task.score_options, task.start, task.knowledge, seed, 1, watch, task.log});
  };
  const auto began = Watch::Clock::now();
  const Bootstrap bootstrap = bootstrap_edges(task.data, search, {bootstrap_, task.threads}, task.knowledge,
                                              Rng(task.seed).split("bootstrap"), task.watch);
  describe_bootstrap(record, bootstrap, task.data.names());
  record.bootstrap->search = work.resample_name;
  record.bootstrap->seconds = std::chrono::duration<double>(Watch::Clock::now() - began).count();
  if (bootstrap.resamples < bootstrap.asked) record.bootstrap->stopped_by = task.watch.stop_reason();
}

int SearchArgs::carry_out(const SearchWork& work, const std::string& typed) const {
  // Everything that can be refused is refused before the work begins.
  knowledge_.check();
  if (bootstrap_ < 0) throw UsageError("--bootstrap must be 0 or more");
  if (binding_.given("threads") && threads_ < 1) throw UsageError("--threads must be 1 or more");
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
  const double limit = time_limit_.empty() ? 0 : parse_duration(time_limit_);

  Log log(quiet_);
  LoadedData data = data_.load(log);
  refuse_too_many_columns(data.table);
  const ChosenScore chosen = score_.make(data, log);
  const LocalScore& score = *chosen.score;
  Dag start = start_.empty() ? Dag(data.table.size()) : dag_of(load_graph(start_), data.table.names(), start_, log);
  leave_out_constants(start, data.table, log);
  const Knowledge knowledge = knowledge_.load(data.table.names());
  if (const auto broken = violations(start, knowledge, data.table.names()); !start_.empty() && !broken.empty()) {
    log.note(fmt::format("{}: does not fit the knowledge ({}); what does not fit is changed before the search", start_,
                         listed(broken, 4)));
  }
  std::vector<Edge> truth;  // read now, so that a bad file does not cost a search; looked at when the search has ended
  if (!truth_.empty()) truth = true_edges_of(load_graph(truth_, data_.folder()), data.table.names(), truth_, log);
  if (!out_.empty()) make_writable_folder(out_);

  const auto began = Watch::Clock::now();
  Watch watch;
  watch.interrupted = catch_interrupts();
  const auto after = [&](double seconds) {
    return began + std::chrono::duration_cast<Watch::Clock::duration>(std::chrono::duration<double>(seconds));
  };
  if (limit > 0) {
    watch.deadline = after(bootstrap_ > 0 ? limit / 2 : limit);
    log.set_deadline(after(limit));
  }
  watch.report = [&log](const Progress& progress) { log.progress(progress); };
  const int threads = threads_ > 0 ? threads_ : hardware_threads();
  const ScoreOptions score_options = score_.options();
  const Task task{data.table, score, score_options, start, knowledge, seed_, threads, watch, log};
  const Answer found = work.search(task);
  log.finish_line();
  check_satisfied(found.dag, knowledge, data.table.names());
  for (const std::string& sentence : found.story) log.note(sentence);

  RunRecord record;
  record.version = AGON_VERSION;
  record.data = data.record;
  record.score.reason = chosen.reason;
  describe_answer(record, data.table, score, found.dag, knowledge);
  record.knowledge.sources = knowledge_.sources();
  record.command = typed;
  record.algorithm = found.algorithm;
  record.algorithm_reason = found.reason;
  record.start = start_;
  record.own_start = found.own_start;
  record.seed = seed_;
  record.threads = threads;
  record.moves = found.moves;
  record.seconds = std::chrono::duration<double>(Watch::Clock::now() - began).count();
  record.stopped_by = found.stopped_by;
  record.story = found.story;
  record.match = found.match;
  record.options = binding_.in_force();
  if (bootstrap_ > 0) {
    if (limit > 0) watch.deadline = after(limit);
    run_bootstrap(record, work, task);
    log.finish_line();
  }

  std::optional<Comparison> comparison;
  if (!truth_.empty()) comparison = compare_with_truth(truth_, truth, found.dag, Rng(seed_));
  if (comparison && data.table.all_of(ColumnKind::kContinuous)) {
    comparison->varsortability = varsortability(data.table.size(), truth, column_variances(data.table));
  }
  const Comparison* compared = comparison ? &*comparison : nullptr;

  const Certificate* certificate = found.certificate ? &*found.certificate : nullptr;
  const std::string json = result_json(record, compared, certificate);
  const auto file_in_out = [&](const std::string& name) {
    return out_ + "/" + (prefix_.empty() ? "" : prefix_ + "_") + name;
  };
  const auto write_out = [&] {
    const std::string place = file_in_out("");
    write_file_atomically(place + "result.json", json);
    log.note("wrote " + place + "result.json");
    write_file_atomically(place + "report.html", html_report(json, place + "result.json"));
    log.note("wrote " + place + "report.html" + (report_is_interactive() ? "" : " (plain: built without Node)"));
    write_graphs(place, formats, found, data.table, record, log);
  };
  std::optional<InputError> unwritten;  // such an answer is printed all the same: it may have taken hours
  try {
    if (!out_.empty()) write_out();
  } catch (const InputError& error) {
    unwritten = error;
  }
  std::vector<std::string> certified;
  if (certificate) certified = plain_lines(*certificate, data.table.names());
  std::string text = json_ ? json : summary_text(record, compared, certified, output_style());
  if (!json_ && !out_.empty() && !unwritten) text += fmt::format("\nreport {}\n", file_in_out("report.html"));
  print(text);
  if (unwritten) throw *unwritten;
  return watch.was_interrupted() ? kInterrupted : kOk;
}

}  // namespace agon::cli
