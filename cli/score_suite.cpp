#include "cli/score_suite.h"

#include <fmt/format.h>

#include <atomic>

#include "agon/base/atomic_file.h"
#include "agon/base/parallel.h"
#include "cli/app.h"
#include "cli/interrupt.h"

namespace agon::cli {
namespace {

struct Task {
  const StudyNetwork* network;
  size_t rows;
  int sample;
};

std::vector<Task> tasks_of(const ScoreSuite& suite, const std::vector<StudyNetwork>& networks) {
  std::vector<Task> tasks;
  for (const StudyNetwork& network : networks) {
    for (const size_t rows : suite.rows) {
      for (int sample = 1; sample <= suite.samples; ++sample) tasks.push_back({&network, rows, sample});
    }
  }
  return tasks;
}

}  // namespace

int run_score_suite(const ScoreSuite& suite, Log& log) {
  make_writable_folder(suite.out);
  const std::vector<StudyNetwork> networks = study_networks(suite.choice);
  const std::vector<ScoreContender> contenders = score_contenders();
  const std::vector<Task> tasks = tasks_of(suite, networks);
  const int count = static_cast<int>(tasks.size());
  Watch watch;
  watch.interrupted = catch_interrupts();
  std::vector<std::vector<ScoreCell>> done(tasks.size());
  std::atomic<int> finished = 0;
  parallel_for(count, suite.jobs, [&](int k) {
    const Task& task = tasks[static_cast<size_t>(k)];
    if (watch.stop_requested()) return;
    done[static_cast<size_t>(k)] = study_sample(*task.network, task.rows, task.sample, contenders, watch);
    log.progress({fmt::format("{}, {} rows", task.network->name, task.rows), ++finished, -1, 0, {}, count, "sample"});
  });
  log.finish_line();
  std::vector<ScoreCell> cells;
  for (const std::vector<ScoreCell>& sample : done) cells.insert(cells.end(), sample.begin(), sample.end());
  const std::string page = score_study_page(cells);
  write_file_atomically(suite.out + "/scores.csv", score_cells_csv(cells));
  write_file_atomically(suite.out + "/scores.md", page);
  log.note(fmt::format("wrote {0}/scores.csv and {0}/scores.md", suite.out));
  if (watch.was_interrupted()) return kInterrupted;
  print(page);
  return kOk;
}

}  // namespace agon::cli
