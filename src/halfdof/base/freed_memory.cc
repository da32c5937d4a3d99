#include <halfdof/base/freed_memory.h>

#include <cstdlib>

#ifdef __GLIBC__
#include <malloc.h>

#include <limits>
#endif

namespace halfdof {

void keep_freed_memory() {
#ifdef __GLIBC__
  constexpr int largest_kept = 1 << 30;  // [bytes]
  mallopt(M_MMAP_THRESHOLD, largest_kept);
  mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
#endif
}

}  // namespace halfdof
