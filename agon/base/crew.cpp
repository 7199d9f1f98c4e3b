#include "agon/base/crew.h"

#include <utility>

namespace agon {
namespace {

constexpr int kSpins = 2000;

// Waits until `value` differs from `old`: spins for a while, then sleeps.
void wait_while(const std::atomic<int>& value, int old) {
  for (int spin = 0; spin < kSpins; ++spin) {
    if (value.load(std::memory_order_acquire) != old) return;
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
  }
  while (value.load(std::memory_order_acquire) == old) value.wait(old, std::memory_order_acquire);
}

}  // namespace

Crew::Crew(int threads) {
  for (int t = 1; t < threads; ++t) helpers_.emplace_back([this, t] { wait_for_phases(t); });
}

Crew::~Crew() {
  ended_ = true;
  phase_.fetch_add(1, std::memory_order_release);
  phase_.notify_all();
}

void Crew::work(const Piece& piece, int count, int worker) {
  for (int i = next_++; i < count; i = next_++) {
    try {
      piece(i, worker);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_ || i < failed_index_) {
        failed_index_ = i;
        failure_ = std::current_exception();
      }
    }
  }
}

void Crew::wait_for_phases(int worker) {
  for (int seen = 0;;) {
    wait_while(phase_, seen);
    ++seen;  // the next phase begins only after this helper has reported, so none is missed
    if (ended_) return;
    work(*piece_, count_, worker);
    idle_.fetch_add(1, std::memory_order_release);
    idle_.notify_one();
  }
}

void Crew::run(int count, const Piece& piece) {
  const int helpers = static_cast<int>(helpers_.size());
  piece_ = &piece;
  count_ = count;
  next_ = 0;
  idle_ = 0;
  if (helpers > 0) {
    phase_.fetch_add(1, std::memory_order_release);
    phase_.notify_all();
  }
  work(piece, count, 0);
  for (int done = idle_.load(std::memory_order_acquire); done < helpers; done = idle_.load(std::memory_order_acquire)) {
    wait_while(idle_, done);
  }
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

}  // namespace agon
