#include "cli/paper_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <thread>

#include "agon/base/atomic_file.h"
#include "agon/base/error.h"
#include "agon/base/hash.h"
#include "agon/data/text_file.h"
#include "agon/study/arithmetic.h"
#include "agon/study/suite_summary.h"
#include "cli/app.h"
#include "cli/cell_process.h"
#include "cli/interrupt.h"

namespace agon::cli {
namespace {

namespace fs = std::filesystem;

enum class State { kWaiting, kRunning, kDone };

struct Item {
  const SuiteTable* table = nullptr;
  int sample = 1;
  std::string algorithm;
  size_t opponent = 0;  // the item whose graph a match starts from
  State state = State::kWaiting;
  SuiteCell cell = {};  // once it is done

  bool is_match() const { return !opponent_of(algorithm).empty(); }
};

class Run {
 public:
  Run(const PaperBench& bench, Log& log)
      : bench_(bench),
        log_(log),
        tables_(suite_tables(bench.choice)),
        algorithms_(suite_algorithms(bench.algorithms, bench.challengers)),
        folder_(bench.out + "/cells") {
    make_writable_folder(bench.out);
    make_writable_folder(folder_);
    remove_torn_files(folder_);
    for (const SuiteTable& table : tables_) {
      for (int sample = 1; sample <= table.samples; ++sample) plan(table, sample);
    }
  }

  // Returns false when it was interrupted.
  bool make_cells() {
    const std::atomic<bool>* interrupted = catch_interrupts();
    const size_t had = count(State::kDone);
    if (had > 0) {
      log_.note(fmt::format("{} of {} are in {} already", had, counted(static_cast<long long>(items_.size()), "cell"),
                            folder_));
    }
    while (count(State::kDone) < items_.size()) {
      for (size_t k = 0; k < items_.size() && running_.size() < static_cast<size_t>(bench_.jobs); ++k) {
        if (items_[k].state == State::kWaiting) try_to_start(k);
      }
      if (*interrupted) {
        for (const auto& [pid, item] : running_) end_process(pid);
        log_.finish_line();
        return false;
      }
      if (const auto ended = ended_process()) {
        take_in(*ended);
      } else if (!running_.empty()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
      }
    }
    log_.finish_line();
    return true;
  }

  Suite summary() const {
    std::vector<SuiteCell> cells;
    for (const Item& item : items_) {
      if (item.state == State::kDone) cells.push_back(item.cell);
    }
    return summarise(tables_, algorithms_, cells, bench_.limit);
  }

 private:
  size_t count(State state) const {
    return std::count_if(items_.begin(), items_.end(), [&](const Item& item) { return item.state == state; });
  }

  // Algorithms first, then the matches from their graphs.
  void plan(const SuiteTable& table, int sample) {
    std::map<std::string, size_t> place;
    for (const bool matches : {false, true}) {
      for (const std::string& algorithm : algorithms_) {
        const std::string opponent = opponent_of(algorithm);
        const bool of_truth = algorithm == kTrueGraph || algorithm == kStatedEdges;
        if (opponent.empty() == matches || (of_truth && !table.has_true_dag)) continue;
        Item item{&table, sample, algorithm, matches ? place.at(opponent) : 0};
        place[algorithm] = items_.size();
        items_.push_back(std::move(item));
        take_finished(items_.back());
      }
    }
  }

  std::string path(const Item& item) const {
    return fmt::format("{}/{}-{}-{}.json", folder_, item.table->name, item.sample, item.algorithm);
  }

  // The graph that a match starts from is an input like any other.
  std::string key(const Item& item) const {
    std::string key = cell_key(*item.table, item.sample, item.algorithm);
    if (!item.is_match()) return key;
    std::string graph;
    for (const auto& [from, to] : items_[item.opponent].cell.edges) graph += from + "\n" + to + "\n";
    return key + " " + hex64(hash_text(graph));
  }

  // A cell from disk is used if its inputs are the same and the limit would not have changed its answer. One that
  // failed is tried again.
  void take_finished(Item& item) {
    if (item.is_match() && items_[item.opponent].state != State::kDone) return;
    std::error_code ignored;
    if (!fs::exists(path(item), ignored)) return;
    try {
      SuiteCell cell = read_cell(read_text_file(path(item)), path(item));
      const bool same_limit = cell.limited ? cell.limit == bench_.limit : cell.seconds <= bench_.limit;
      if (cell.key != key(item) || !cell.failed.empty() || !same_limit) return;
      item.cell = std::move(cell);
      item.state = State::kDone;
    } catch (const InputError& error) {
      log_.warning(fmt::format("{}; it is computed again", error.what()));
    }
  }

  void try_to_start(size_t k) {
    Item& item = items_[k];
    if (item.is_match()) {
      const Item& opponent = items_[item.opponent];
      if (opponent.state != State::kDone) return;
      if (!opponent.cell.failed.empty()) {
        fail(item, fmt::format("{} failed", opponent.algorithm));
        return;
      }
      take_finished(item);
      if (item.state == State::kDone) return;
    }
    running_[start_process([&] { return work(item); }, bench_.limit)] = k;
    item.state = State::kRunning;
  }

  // Runs in the child process.
  int work(const Item& item) const {
    SuiteCell cell;
    try {
      const SuiteProblem problem = load_problem(*item.table, item.sample);
      Watch watch;
      watch.interrupted = cpu_limit(bench_.limit);
      const SuiteAnswer answer =
          solve(problem, item.algorithm, item.is_match() ? &items_[item.opponent].cell : nullptr, watch);
      const double megabytes = peak_megabytes();
      cell = describe_cell(problem, answer);
      cell.megabytes = megabytes;
    } catch (const std::exception& error) {
      cell.data = item.table->name;
      cell.sample = item.sample;
      cell.algorithm = item.algorithm;
      cell.failed = error.what();
    }
    cell.key = key(item);
    cell.limit = bench_.limit;
    write_file_atomically(path(item), cell_json(cell));
    return 0;
  }

  void take_in(const EndedProcess& ended) {
    const auto at = running_.find(ended.pid);
    if (at == running_.end()) return;
    Item& item = items_[at->second];
    running_.erase(at);
    if (ended.trouble.empty()) {
      item.cell = read_cell(read_text_file(path(item)), path(item));
      item.state = State::kDone;
      if (!item.cell.failed.empty()) log_.warning(name(item) + ": " + item.cell.failed);
    } else {
      fail(item, "its process ended with " + ended.trouble);
    }
    log_.progress(
        {name(item), static_cast<long>(count(State::kDone)), -1, 0, {}, static_cast<long>(items_.size()), "cell"});
  }

  static std::string name(const Item& item) {
    return fmt::format("{} {} {}", item.table->name, item.sample, item.algorithm);
  }

  void fail(Item& item, const std::string& reason) {
    SuiteCell& cell = item.cell;
    cell.data = item.table->name;
    cell.sample = item.sample;
    cell.algorithm = item.algorithm;
    cell.key = key(item);
    cell.limit = bench_.limit;
    cell.failed = reason;
    item.state = State::kDone;
    log_.warning(name(item) + ": " + reason);
    write_file_atomically(path(item), cell_json(cell));
  }

  const PaperBench& bench_;
  Log& log_;
  std::vector<SuiteTable> tables_;
  std::vector<std::string> algorithms_;
  std::string folder_;
  std::vector<Item> items_;
  std::map<pid_t, size_t> running_;
};

}  // namespace

int run_paper_bench(const PaperBench& bench, Log& log) {
  Run run(bench, log);
  const bool finished = run.make_cells();
  const Suite suite = run.summary();
  const std::string json = suite_json(suite);
  for (const auto& [name, text] :
       std::initializer_list<std::pair<const char*, std::string>>{{"paper.txt", suite_text(suite)},
                                                                  {"paper.csv", suite_csv(suite)},
                                                                  {"paper.json", json},
                                                                  {"paper.svg", suite_chart(suite)},
                                                                  {"paper.html", suite_page(suite)},
                                                                  {"published.csv", published_csv()}}) {
    write_file_atomically(bench.out + "/" + name, text);
    log.note(fmt::format("wrote {}/{}", bench.out, name));
  }
  if (!finished) {
    log.note(fmt::format("interrupted; the same command resumes with the cells in {}", bench.out));
    return kInterrupted;
  }
  print(bench.json ? json : suite_text(suite, output_style()));
  return promise_holds(suite) ? kOk : kFault;
}

}  // namespace agon::cli
