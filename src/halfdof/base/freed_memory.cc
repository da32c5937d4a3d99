// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/profile.h>

#include <cstdlib>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace halfdof {

void keep_freed_memory() {
#ifdef __GLIBC__
  // Block sizes [bytes]. C libraries before version 2.35 accept at most the second size. If neither
  // size is accepted, M_TRIM_THRESHOLD is not set either: setting only this parameter would stop the C
  // library from adapting the mmap threshold, and all but small blocks would be mapped anew at each
  // allocation.
  constexpr int gigabyte = 1 << 30, largest_before_2_35 = 1 << 25;
  if (mallopt(M_MMAP_THRESHOLD, gigabyte) == 0 && mallopt(M_MMAP_THRESHOLD, largest_before_2_35) == 0) return;
  mallopt(M_TRIM_THRESHOLD, -1);  // the value -1 means that no memory is returned to the system
#endif
}

}  // namespace halfdof
