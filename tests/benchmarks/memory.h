// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <malloc.h>

#include <cstdio>
#include <fstream>
#include <string>

namespace halfdof::benchmark {

/// A figure of this process from the kernel [bytes]. @param name "VmRSS", "VmHWM"
inline double process_memory(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (double kilobytes = 0; word == name + ":" && status >> kilobytes) return 1024 * kilobytes;
  return 0;
}

/// What some work needs at most beyond the memory in use before [bytes]. In a process that does nothing else:
/// what an allocator has kept of work before is not seen.
template <class Work>
double peak_memory(const Work& work) {
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << 5;  // the peak is counted from here
  const double before = process_memory("VmRSS");
  work();
  return process_memory("VmHWM") - before;
}

}  // namespace halfdof::benchmark
