#include "agon/base/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace agon {

void parallel_for(int count, int threads, const std::function<void(int)>& piece) {
  std::atomic<int> next{0};
  std::mutex mutex;
  int failed_index = count;
  std::exception_ptr failure;
  const auto work = [&] {
    for (int i = next++; i < count; i = next++) {
      try {
        piece(i);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (i < failed_index) {
          failed_index = i;
          failure = std::current_exception();
        }
      }
    }
  };
  std::vector<std::jthread> helpers;
  for (int t = 1; t < std::min(threads, count); ++t) helpers.emplace_back(work);
  work();
  helpers.clear();  // joins
  if (failure) std::rethrow_exception(failure);
}

int hardware_threads() { return std::max(1u, std::thread::hardware_concurrency()); }

}  // namespace agon
