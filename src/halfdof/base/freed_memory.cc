// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/profile.h>

#include <cstdlib>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace halfdof {

void keep_freed_memory() {
#ifdef __GLIBC__
  // [bytes]; the second is the largest threshold that versions before 2.35 allow. If neither is accepted, no
  // threshold is set at all: setting only M_TRIM_THRESHOLD would stop the C library from adapting the mmap
  // threshold, and all but small blocks would be mapped anew at each allocation.
  constexpr int largest_kept = 1 << 30, most_of_old = 1 << 25;
  if (mallopt(M_MMAP_THRESHOLD, largest_kept) == 0 && mallopt(M_MMAP_THRESHOLD, most_of_old) == 0) return;
  mallopt(M_TRIM_THRESHOLD, -1);  // never return memory to the system
#endif
}

}  // namespace halfdof
