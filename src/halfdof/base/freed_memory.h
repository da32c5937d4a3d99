#pragma once

namespace halfdof {

/**
 * Blocks of memory that are freed, up to a gigabyte each (32 MB before version 2.35 of the GNU C library),
 * stay with the process from now on. Iterations free and allocate vectors of the same few megabytes again and
 * again; by default that library returns them to the system each time and has them mapped, zeroed, page by
 * page anew, which takes 5 to 15 % of the time of a search for modes.
 *
 * For main() of a program: it holds for the whole process, so that no other part of the library calls it, and
 * for its main thread; the heaps of others end at 64 MB. Peaks of memory grow by up to a tenth, and what was
 * freed is not left to other processes. With another C library nothing happens.
 */
void keep_freed_memory();

}  // namespace halfdof
