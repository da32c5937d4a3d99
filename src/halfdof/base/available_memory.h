// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

namespace halfdof::internal {

/**
 * Estimates how many more bytes of memory this process can allocate: the minimum of the memory
 * available on the machine (including swap space) and the memory left by the control groups of the
 * process, both divided by n_sharing, and the memory left by the limits of its address space and data
 * (getrlimit(2)). Memory that was freed and is kept for later allocations is added. The result is
 * infinite if the system reports no limit. The estimate holds for the moment only, because other
 * processes allocate memory, too.
 *
 * @param n_sharing Number of processes on this machine that are about to allocate as much
 */
double available_memory(int n_sharing = 1);

}  // namespace halfdof::internal
