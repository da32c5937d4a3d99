// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <time.h>

#include <algorithm>
#include <functional>
#include <vector>

/// What the benchmarks measure by. Processor time of one thread: run them with OPENBLAS_NUM_THREADS=1.
namespace halfdof::benchmark {

/// Processor time of this thread [s]: other processes do not count, though they take their share of caches.
inline double seconds(const std::function<void()>& work) {
  const auto now = []() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  };
  const double begin = now();
  work();
  return now() - begin;
}

/// The first quartile, which other processes disturb least.
inline double quartile(std::vector<double> times) {
  const auto at = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 4);
  std::nth_element(times.begin(), at, times.end());
  return *at;
}

}  // namespace halfdof::benchmark
