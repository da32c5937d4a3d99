// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/available_memory.h>

#include <sys/resource.h>
#include <unistd.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>

namespace halfdof::internal {

namespace {

constexpr double no_limit = std::numeric_limits<double>::infinity();

/// Reads a number at the start of a file; the result is infinite if there is no number, as in a file
/// with the word "max".
double number_in(const std::string& path) {
  std::ifstream file(path);
  double value = 0;
  return file >> value ? value : no_limit;
}

/// Reads the number after a word at the start of a line; the result is 0 if there is no such line.
double number_after(const std::string& path, const std::string& word) {
  std::ifstream file(path);
  for (std::string first, rest; file >> first && std::getline(file, rest);)
    if (first == word) {
      std::istringstream text(rest);
      double value = 0;
      return text >> value ? value : 0;
    }
  return 0;
}

double available_on_machine() {
  const char* const path = "/proc/meminfo";
  const double available = number_after(path, "MemAvailable:");
  return available > 0 ? 1024 * (available + number_after(path, "SwapFree:")) : no_limit;
}

/// Returns the memory that a control group leaves to its processes. Inactive pages of files count as
/// free, because the system can reclaim them.
double left_by_control_group(const std::string& folder, const char* limit, const char* used,
                             const char* reclaimable) {
  const double limit_value = number_in(folder + limit), used_value = number_in(folder + used);
  if (limit_value == no_limit || used_value == no_limit) return no_limit;
  return std::max(0., limit_value - used_value + number_after(folder + "/memory.stat", reclaimable));
}

/// Returns the minimum of the memory left by a control group and by each group that contains it.
template <class Left>
double least_left_up_to_root(const std::string& root, std::string path, const Left& left) {
  double least = left(root);
  for (; path.size() > 1; path.erase(path.rfind('/')))
    least = std::min(least, left(root + path));
  return least;
}

double left_by_control_groups() {
  double least = no_limit;
  std::ifstream file("/proc/self/cgroup");  // lines of hierarchy:controllers:path
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1),
                      path = line.substr(second + 1);
    if (controllers == "memory")
      least =
          std::min(least, least_left_up_to_root("/sys/fs/cgroup/memory", path, [](const std::string& folder) {
                     return left_by_control_group(folder, "/memory.limit_in_bytes", "/memory.usage_in_bytes",
                                                  "total_inactive_file");
                   }));
    else if (controllers.empty())
      least =
          std::min(least, least_left_up_to_root("/sys/fs/cgroup", path, [](const std::string& folder) {
                     return left_by_control_group(folder, "/memory.max", "/memory.current", "inactive_file");
                   }));
  }
  return least;
}

double left_by_limit(decltype(RLIMIT_AS) resource, double used) {
  rlimit limit{};
  if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return no_limit;
  return std::max(0., static_cast<double>(limit.rlim_cur) - used);
}

double left_by_process_limits() {
  std::ifstream file("/proc/self/statm");  // size, resident, shared, text, library, data [pages]
  double pages[6] = {};
  for (double& number : pages)
    if (!(file >> number)) return no_limit;
  const auto page = static_cast<double>(sysconf(_SC_PAGESIZE));
  return std::min(left_by_limit(RLIMIT_AS, page * pages[0]), left_by_limit(RLIMIT_DATA, page * pages[5]));
}

/// Returns the memory that was freed and is kept for later allocations (keep_freed_memory()).
double freed_memory_kept() {
#ifdef __GLIBC__
  return static_cast<double>(mallinfo2().fordblks);
#else
  return 0;
#endif
}

}  // namespace

double available_memory(int n_sharing) {
  const double of_machine = std::min(available_on_machine(), left_by_control_groups()) / n_sharing;
  return std::min(of_machine, left_by_process_limits()) + freed_memory_kept();
}

}  // namespace halfdof::internal
