// Checks that memory does not grow: plays match after match in one process, each with its certificate, resamples, JSON
// and page, on a new random table every time. Prints a line per minute: matches so far, bytes allocated between two
// matches, resident memory and its peak. tools/soak builds and runs it.
//
//   soak [MINUTES=60] [SEED=0]
//
// Exit code 1 when, after the first tenth of the time, what is allocated between two matches grew by more than 1 MB.
#include <fmt/format.h>
#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>

#include "agon/report/html.h"
#include "agon/report/record_json.h"
#include "agon/run/run.h"

namespace {

using namespace agon;
using Clock = std::chrono::steady_clock;

constexpr double kMega = 1024 * 1024;

struct Memory {
  double allocated, resident, peak;  // MB
};

Memory memory_now() {
  long pages = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const struct mallinfo2 heap = mallinfo2();
  return {static_cast<double>(heap.uordblks + heap.hblkhd) / kMega,
          static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE)) / kMega,
          static_cast<double>(usage.ru_maxrss) / 1024};
}

// Settings whose DATA is given by name.
class Named : public Settings {
 public:
  explicit Named(std::string data) : data_(std::move(data)) {}
  void positional(const std::string&, std::string& target, const std::string&, Need, const std::string&) override {
    target = data_;
  }

 private:
  std::string data_;
};

// One run as by `agon discover`, with all options drawn at random from the run's number; returns the bytes written.
size_t one_run(uint64_t number) {
  struct Kind {
    const char* data;
    int64_t rows, moves, bootstrap;
    const char* challenger;
    const char* prune;
  };
  static constexpr Kind kKinds[] = {
      {"asia", 500, 20000, 3, "auto", "none"},   {"sachs", 300, 20000, 0, "auto", "cam"},
      {"alarm", 500, 40000, 2, "auto", "cam"},   {"child", 1000, 20000, 0, "local", "none"},
      {"hepar2", 300, 20000, 0, "flat", "none"}, {"lucas", 2000, 2000, 5, "auto", "none"},
  };
  const Kind& kind = kKinds[number % std::size(kKinds)];
  Named settings(kind.data);
  RunRequest request(settings, RunRequest::Kind::kMatch);
  settings.set("rows", kind.rows);
  settings.set("data-seed", static_cast<int64_t>(number));
  settings.set("seed", static_cast<int64_t>(number));
  settings.set("moves", kind.moves);
  settings.set("bootstrap", kind.bootstrap);
  settings.set("challenger", std::string(kind.challenger));
  settings.set("prune", std::string(kind.prune));
  settings.set("threads", int64_t{1 + static_cast<int64_t>(number % 2)});
  KeptJournal log;
  const RunRecord record = run(request, {}, {.log = log, .command = "soak"}).record;
  return write_record(record).size() + html_report(record).size();
}

}  // namespace

int main(int argc, char** argv) {
  const double minutes = argc > 1 ? std::atof(argv[1]) : 60;
  const uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 0;
  if (minutes <= 0 || minutes > 10000) {
    fmt::print(stderr, "soak: MINUTES must be above 0 and at most 10000\n");
    return 2;
  }
  const auto began = Clock::now();
  const auto passed = [&] { return std::chrono::duration<double>(Clock::now() - began).count() / 60; };
  double next_line = 0, settled = 0, most = 0, written = 0;
  uint64_t runs = 0;
  const auto line = [&](const Memory& now) {
    fmt::print(
        "{:6.1f} min  {:7} matches  {:8.2f} MB allocated between matches  {:8.1f} MB resident, at most {:.1f} MB\n",
        passed(), runs, now.allocated, now.resident, now.peak);
    std::fflush(stdout);
  };
  while (passed() < minutes) {
    written += static_cast<double>(one_run(seed + runs++));
    const Memory now = memory_now();
    if (passed() < minutes / 10 || settled == 0) {
      settled = most = std::max(settled, now.allocated);
    } else {
      most = std::max(most, now.allocated);
    }
    if (passed() >= next_line) {
      line(now);
      next_line += 1;
    }
  }
  line(memory_now());
  const double growth = most - settled;
  fmt::print(
      "{} matches, {:.0f} MB of results made; allocated between matches grew by {:.2f} MB after the first tenth\n",
      runs, written / kMega, growth);
  return growth > 1 ? 1 : 0;
}
