#include <halfdof/base/freed_memory.h>

#include <cstdlib>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace halfdof {

void keep_freed_memory() {
#ifdef __GLIBC__
  // [bytes]; the second is the most that versions before 2.35 allow. Without either, all but small blocks
  // would be mapped anew: once a threshold is set, the C library adapts none any more.
  constexpr int largest_kept = 1 << 30, most_of_old = 1 << 25;
  if (mallopt(M_MMAP_THRESHOLD, largest_kept) == 0 && mallopt(M_MMAP_THRESHOLD, most_of_old) == 0) return;
  mallopt(M_TRIM_THRESHOLD, -1);  // never
#endif
}

}  // namespace halfdof
