#pragma once

namespace halfdof {

/**
 * How much more memory this process can allocate [bytes]: the least of what is available on the machine (with
 * its swap space), of what the control groups of the process leave, both divided by n_sharing, and of what
 * its own limits of address space and data leave (getrlimit(2)); and what was freed and is kept for the next
 * allocations. Infinite where the system tells none of them. It is a moment's estimate:
 * other processes allocate, too.
 *
 * @param n_sharing Processes on this machine that are about to allocate as much
 */
double memory_left(int n_sharing = 1);

}  // namespace halfdof
