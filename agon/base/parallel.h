// agon/base/parallel.h
//
// Independent pieces of work on several threads. Which thread does which piece is not fixed, so a piece may write only
// to its own place; then the outcome is the same for any number of threads.
//
//   std::vector<double> out(n);
//   parallel_for(n, threads, [&](int i) { out[i] = std::exp(-i); });
//
// The first exception (by index) thrown by a piece is rethrown here after all threads have ended.
#pragma once

#include <functional>

namespace agon {

void parallel_for(int count, int threads, const std::function<void(int)>& piece);

int hardware_threads();  // at least 1

}  // namespace agon
