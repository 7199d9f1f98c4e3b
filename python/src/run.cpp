#include "run.h"

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <thread>

#include "agon/base/error.h"
#include "agon/base/parallel.h"
#include "agon/report/record_json.h"
#include "agon/run/front_end.h"
#include "agon/run/graph_sources.h"
#include "agon/run/run.h"
#include "agon/run/written_graph.h"
#include "graphs.h"
#include "own_score.h"
#include "table.h"

namespace agon::python {
namespace {

void set_all(Settings& settings, const OptionList& options) {
  for (const auto& [name, value] : options) settings.set(name, value);
}

// Those options of a table that its runs must know too.
OptionList about_gaps(const OptionList& options) {
  OptionList kept;
  for (const auto& option : options) {
    if (option.first == "missing" || option.first == "draws") kept.push_back(option);
  }
  return kept;
}

Table read_table(const std::string& source, const OptionList& options) {
  nb::gil_scoped_release release;
  Settings settings;
  DataSettings data(settings);
  set_all(settings, options);
  data.set_source(source);
  KeptJournal log;
  return {std::make_shared<const LoadedData>(data.load(log, DataSettings::Findings::kSilent)), about_gaps(options)};
}

// What a run returns to Python.
struct Outcome {
  RunResult result;
  std::vector<std::string> notes, warnings;
  Table given = {};  // as the caller gave it; the result holds it as it was scored
};

// The latest progress report of a search, kept until it is read.
struct Progresses {
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
  std::optional<Progress> latest;

  void tell(const Progress& progress) {
    const std::lock_guard lock(mutex);
    latest = progress;
  }
  void finish() {
    const std::lock_guard lock(mutex);
    done = true;
    changed.notify_all();
  }
  // Waits a little; returns true when the work is done.
  bool wait(std::optional<Progress>& told) {
    std::unique_lock lock(mutex);
    changed.wait_for(lock, std::chrono::milliseconds(50), [&] { return done; });
    told = std::move(latest);
    latest.reset();
    return done;
  }
};

void call_back(const nb::object& callback, const Progress& p) {
  callback(p.phase, p.steps, p.edges, p.score, p.gain, p.budget, p.unit);
}

// Runs `work` on a thread of its own. An exception of the work is rethrown here; so is one of the callback, once the
// work has ended.
template <class Work>
void run_apart(const nb::object& callback, Work&& work) {
  std::atomic<bool> stop{false};
  Progresses progresses;
  Watch watch;
  watch.interrupted = &stop;
  watch.report = [&](const Progress& progress) { progresses.tell(progress); };
  std::exception_ptr failure, raised;
  int interrupts = 0;
  {
    nb::gil_scoped_release release;
    std::thread worker([&] {
      try {
        work(watch);
      } catch (...) {
        failure = std::current_exception();
      }
      progresses.finish();
    });
    for (std::optional<Progress> told; !progresses.wait(told);) {
      nb::gil_scoped_acquire lock;
      try {
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        if (told && !callback.is_none() && !raised) call_back(callback, *told);
      } catch (nb::python_error& error) {
        stop = true;
        if (error.matches(PyExc_KeyboardInterrupt)) {
          ++interrupts;
        } else if (!raised) {
          raised = std::current_exception();
        }
      }
    }
    worker.join();
  }
  if (failure) std::rethrow_exception(failure);
  if (raised) std::rethrow_exception(raised);
  if (interrupts > 1) {  // Ctrl-C twice: the caller wants no answer
    PyErr_SetNone(PyExc_KeyboardInterrupt);
    throw nb::python_error();
  }
}

// An empty `algorithm` means a match. Graphs carry the name that messages use for them.
Outcome run(const std::string& algorithm, const Table& table, const OptionList& options,
            const std::optional<GraphText>& start, const std::optional<GraphText>& truth,
            const std::optional<KnowledgeStatements>& knowledge, const nb::object& own_score, bool equivalent,
            const std::string& command, const nb::object& progress) {
  int max_parents = 0;
  for (const auto& [name, value] : options) {
    if (name == "max-parents" && std::holds_alternative<int64_t>(value)) {
      max_parents = static_cast<int>(std::get<int64_t>(value));
    }
  }
  GivenInput given{.data = table.data};
  if (start) given.start = start->graph();
  if (truth) given.truth = truth->graph();
  given.knowledge = knowledge;
  if (!own_score.is_none()) {
    given.score = [&](const Dataset& data) {
      return std::make_unique<OwnScore>(data, own_score, equivalent, max_parents);
    };
  }
  Outcome outcome;
  outcome.given = table;
  run_apart(progress, [&](const Watch& watch) {
    Settings settings;
    RunRequest request(settings, algorithm.empty() ? RunRequest::Kind::kMatch : RunRequest::Kind::kAlone);
    request.algorithm = algorithm;
    set_all(settings, options);
    request.data.check_draws();  // reading the table would do it
    KeptJournal log;
    outcome.result = agon::run(request, std::move(given), {.log = log, .watch = watch, .command = command});
    if (outcome.result.checkpoint) outcome.result.checkpoint->remove();  // the caller has the answer now
    outcome.result.checkpoint.reset();
    for (const std::string& note : log.notes) outcome.notes.push_back(as_python(note));
    for (const std::string& warning : log.warnings) outcome.warnings.push_back(as_python(warning));
  });
  return outcome;
}

// (score, total, {node: local score}) of a graph.
std::tuple<std::string, double, std::map<std::string, double>> score_graph(const GraphText& graph, const Table& table,
                                                                           const OptionList& options) {
  nb::gil_scoped_release release;
  Settings settings;
  const DataSettings reading(settings, Settings::kOptional);
  const ScoreSettings score(settings, ScoreSettings::Purpose::kScoreOnly);
  set_all(settings, options);
  reading.check_draws();
  KeptJournal log;
  std::shared_ptr<const LoadedData> data = table.data;
  const ChosenScore chosen = score.make(
      data, {.missing = reading.missing_policy(), .draws = reading.draws(), .threads = hardware_threads()}, log);
  const Dag dag = dag_of(graph.graph(), data->table.names(), graph.place, log);
  std::map<std::string, double> nodes;
  for (Node v = 0; v < dag.size(); ++v) {
    nodes[data->table.column(v).name] = chosen.score->local(v, dag.parent_list(v));
  }
  return {chosen.score->traits().name, total(*chosen.score, dag), nodes};
}

std::string written(const Outcome& outcome, const std::string& which, const std::string& format) {
  KeptJournal log;
  return written_graph(outcome.result, which, format, log);
}

// (name, type of its value in words, help, group) of every option a kind of run takes.
using OptionLine = std::tuple<std::string, std::string, std::string, std::string>;

std::vector<OptionLine> options_of(const std::string& kind) {
  Settings settings;
  const RunRequest request(settings, kind == "discover" ? RunRequest::Kind::kMatch : RunRequest::Kind::kAlone);
  std::vector<OptionLine> all;
  for (const auto& bound : settings.all()) {
    all.emplace_back(bound->option.name, to_string(bound->type), bound->help, to_string(bound->option.group));
  }
  return all;
}

}  // namespace

void bind_run(nb::module_& module) {
  nb::class_<KnowledgeStatements>(module, "Knowledge", "Edges that must or must not stand, and tiers.")
      .def(
          "__init__",
          [](KnowledgeStatements* self, std::vector<NamePair> required, std::vector<NamePair> forbidden,
             std::vector<std::vector<std::string>> tiers) {
            new (self) KnowledgeStatements{
                .required = std::move(required), .forbidden = std::move(forbidden), .tiers = std::move(tiers)};
          },
          nb::arg("required"), nb::arg("forbidden"), nb::arg("tiers"));
  nb::class_<Outcome>(module, "Outcome", "What a run leaves behind.")
      .def_prop_ro(
          "json", [](const Outcome& o) { return write_record(o.result.record); }, "The text of result.json.")
      .def_ro("notes", &Outcome::notes)
      .def_ro("warnings", &Outcome::warnings)
      .def_prop_ro("table", [](const Outcome& o) { return Table{.data = o.result.data}; })
      .def_ro("given", &Outcome::given)
      .def(
          "graphs", [](const Outcome& o) { return graphs_of(o.result.record); }, "Which graphs there are.")
      .def(
          "graph",
          [](const Outcome& o, const std::string& which) { return text_of(graph_of(o.result.record, which), which); },
          nb::arg("which"))
      .def("written", written, nb::arg("which"), nb::arg("format"), "A graph in a text format.");
  module.def("read_table", read_table, nb::arg("source"), nb::arg("options"),
             "A file, or an embedded data set by name.");
  module.def("run", run, nb::arg("algorithm"), nb::arg("table"), nb::arg("options"), nb::arg("start").none(),
             nb::arg("truth").none(), nb::arg("knowledge").none(), nb::arg("own_score").none(), nb::arg("equivalent"),
             nb::arg("command"), nb::arg("progress").none(), "One algorithm, or a match when its name is empty.");
  module.def("score_graph", score_graph, nb::arg("graph"), nb::arg("table"), nb::arg("options"));
  module.def(
      "check_missing", [](const std::string& policy) { missing_treatment(policy); }, nb::arg("policy"),
      "UsageError when there is no such treatment of missing cells.");
  module.def("options_of", options_of, nb::arg("kind"), "The options of \"discover\" or \"run\".");
}

}  // namespace agon::python
