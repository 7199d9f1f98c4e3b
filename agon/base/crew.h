// agon/base/crew.h
//
// A pool of threads for work that consists of many short phases (the steps of a training), where starting threads for
// each phase, as parallel_for does, would cost more than the phase itself.
//
//   Crew crew(threads);
//   std::vector<double> first(p), second(p), scratch(crew.size());
//   for (int step = 0; step < 1000; ++step) {
//     crew.run(p, [&](int i, int worker) { first[i] = scratch[worker] + i; });   // all are done when it returns
//     crew.run(p, [&](int i, int) { second[i] = first[p - 1 - i]; });
//   }
//
// Which thread (worker 0 .. size() - 1) does which piece is not fixed, so a piece may write only to its own place and
// to the scratch memory of its worker; then the outcome is the same for any number of threads. The first exception (by
// index) of a phase is rethrown by run(). Waiting threads spin for some microseconds and then sleep.
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace agon {

class Crew {
 public:
  explicit Crew(int threads);  // the caller is one of them; fewer than 2: no helpers
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  int size() const { return static_cast<int>(helpers_.size()) + 1; }
  using Piece = std::function<void(int piece, int worker)>;
  void run(int count, const Piece& piece);

 private:
  void work(const Piece& piece, int count, int worker);
  void wait_for_phases(int worker);

  std::atomic<int> phase_{0};  // goes up when there is work, and when the crew ends
  std::atomic<int> idle_{0};   // helpers that have finished the phase
  std::atomic<int> next_{0};   // piece
  const Piece* piece_ = nullptr;
  int count_ = 0;
  bool ended_ = false;
  std::mutex mutex_;
  int failed_index_ = 0;
  std::exception_ptr failure_;
  std::vector<std::jthread> helpers_;
};

}  // namespace agon
