// SPDX-License-Identifier: LGPL-2.1-or-later
/**
 * @file
 * A library to be loaded before others (LD_PRELOAD) that lets one call of a program fail, as a full memory
 * or a broken disk would, between the begin and the end of main:
 *   HALFDOF_FAULT="KIND N"  the N-th call of a kind fails, from 1; kinds are allocation, open, read, write,
 *                           sync and rename
 *   HALFDOF_COUNTS=FILE     the numbers of calls of all kinds, a line each, are written there in the end
 * With HALFDOF_SANITIZED defined no allocation fails, since a sanitizer has its own.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>

extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t n, std::size_t size);
void* __libc_realloc(void* block, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
}

namespace {

enum Kind { allocation, opening, reading, writing, syncing, renaming, n_kinds };
const char* const names[n_kinds] = {"allocation", "open", "read", "write", "sync", "rename"};

bool is_active = false;
long counts[n_kinds] = {};
long failing[n_kinds] = {};

/// Counts a call. @return whether it fails; errno is set then
bool fails(Kind kind, int error) {
  if (!is_active || __sync_add_and_fetch(&counts[kind], 1) != failing[kind]) return false;
  errno = error;
  return true;
}

template <class Function>
Function next(Function, const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

int (*the_main)(int, char**, char**) = nullptr;

void write_counts() {
  const char* const name = std::getenv("HALFDOF_COUNTS");
  std::FILE* const file = name == nullptr ? nullptr : std::fopen(name, "w");
  if (file == nullptr) return;
  for (int kind = 0; kind < n_kinds; ++kind)
    std::fprintf(file, "%s %ld\n", names[kind], counts[kind]);
  std::fclose(file);
}

int main_with_faults(int n, char** arguments, char** environment) {
  char name[16] = "";
  long number = 0;
  if (const char* const fault = std::getenv("HALFDOF_FAULT")) std::sscanf(fault, "%15s %ld", name, &number);
  for (int kind = 0; kind < n_kinds; ++kind)
    if (std::strcmp(name, names[kind]) == 0) failing[kind] = number;
  unsetenv("HALFDOF_FAULT");  // gnuplot and others are not meant
  is_active = true;
  const int code = the_main(n, arguments, environment);
  is_active = false;
  write_counts();
  return code;
}

}  // namespace

extern "C" {

int __libc_start_main(int (*main)(int, char**, char**), int n, char** arguments, void (*begin)(),
                      void (*end)(), void (*end_of_loader)(), void* stack) {
  the_main = main;
  return next(&__libc_start_main, "__libc_start_main")(main_with_faults, n, arguments, begin, end,
                                                       end_of_loader, stack);
}

#ifndef HALFDOF_SANITIZED
void* malloc(std::size_t size) {
  return fails(allocation, ENOMEM) ? nullptr : __libc_malloc(size);
}
void* calloc(std::size_t n, std::size_t size) {
  return fails(allocation, ENOMEM) ? nullptr : __libc_calloc(n, size);
}
void* realloc(void* block, std::size_t size) {
  return fails(allocation, ENOMEM) ? nullptr : __libc_realloc(block, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return fails(allocation, ENOMEM) ? nullptr : __libc_memalign(alignment, size);
}
int posix_memalign(void** block, std::size_t alignment, std::size_t size) {
  if (fails(allocation, ENOMEM)) return ENOMEM;
  *block = __libc_memalign(alignment, size);
  return *block == nullptr ? ENOMEM : 0;
}
#endif

std::FILE* fopen(const char* name, const char* mode) {
  return fails(opening, EMFILE) ? nullptr : next(&fopen, "fopen")(name, mode);
}
std::FILE* fopen64(const char* name, const char* mode) {
  return fails(opening, EMFILE) ? nullptr : next(&fopen, "fopen64")(name, mode);
}
int open(const char* name, int flags, ...) {
  std::va_list rest;
  va_start(rest, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return fails(opening, EMFILE) ? -1 : next(&open, "open")(name, flags, mode);
}
int open64(const char* name, int flags, ...) {
  std::va_list rest;
  va_start(rest, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return fails(opening, EMFILE) ? -1 : next(&open64, "open64")(name, flags, mode);
}
ssize_t read(int file, void* data, std::size_t size) {
  return fails(reading, EIO) ? -1 : next(&read, "read")(file, data, size);
}
ssize_t readv(int file, const iovec* parts, int n) {
  return fails(reading, EIO) ? -1 : next(&readv, "readv")(file, parts, n);
}
ssize_t write(int file, const void* data, std::size_t size) {
  return fails(writing, ENOSPC) ? -1 : next(&write, "write")(file, data, size);
}
ssize_t writev(int file, const iovec* parts, int n) {
  return fails(writing, ENOSPC) ? -1 : next(&writev, "writev")(file, parts, n);
}
int fsync(int file) {
  return fails(syncing, EIO) ? -1 : next(&fsync, "fsync")(file);
}
int fdatasync(int file) {
  return fails(syncing, EIO) ? -1 : next(&fdatasync, "fdatasync")(file);
}
int rename(const char* from, const char* to) {
  return fails(renaming, EIO) ? -1 : next(&rename, "rename")(from, to);
}
}
