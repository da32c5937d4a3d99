// SPDX-License-Identifier: LGPL-2.1-or-later
#include "out_of_memory.h"

#include <halfdof/linear_algebra/kernels/tall_blocks.h>

#include <flint/flint.h>
#include <gmp.h>
#include <time.h>
#include <unistd.h>

#include "exit_code.h"
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <new>

namespace halfdof::cli {

using namespace internal;

namespace {

const char* const short_of_memory =
    "the memory of this machine does not suffice for this model. Free some, ask for fewer eigenvalues or "
    "outputs, or take a larger machine.";
std::terminate_handler usual_end = nullptr;
std::atomic<bool> was_short = false;

[[noreturn]] void note_want_of_memory() {
  was_short = true;
  throw std::bad_alloc();
}

void* checked(void* block, std::size_t size) {
  if (block == nullptr && size > 0) throw std::bad_alloc();
  return block;
}

void* allocated(std::size_t size) {
  return checked(std::malloc(size), size);
}

void* cleared(std::size_t n, std::size_t size) {
  return checked(std::calloc(n, size), n * size);
}

void* resized(void* block, std::size_t size) {
  return checked(std::realloc(block, size), size);
}

/// Terminate handler, for exhausted memory in functions that must not throw: a JSON value allocates in its
/// destructor (nlohmann-json 3.11), and so does the iteration over a folder (libstdc++ 12), where no
/// exception is current.
[[noreturn]] void end_for_want_of_memory() {
  bool is_short = was_short;
  if (const std::exception_ptr error = std::current_exception()) try {
      std::rethrow_exception(error);
    } catch (const std::bad_alloc&) {
      is_short = true;
    } catch (...) {
      is_short = false;
    }
  if (is_short) {
    std::cerr << "halfdof: " << short_of_memory << '\n';
    std::_Exit(falls_short);
  }
  usual_end();
  std::abort();
}

[[noreturn]] void end_for_want_of_blas_memory(int) {
  constexpr char text[] =
      "halfdof: there is not enough memory for OpenBLAS, which takes some 130 MB of address space for each "
      "of its threads. Raise the limit (ulimit -v), or set OPENBLAS_NUM_THREADS=1.\n";
  static_cast<void>(write(STDERR_FILENO, text, sizeof(text) - 1) == 0);
  _exit(falls_short);
}

}  // namespace

void take_missing_memory_as_errors() {
  mp_set_memory_functions(
      allocated, [](void* block, std::size_t, std::size_t size) { return resized(block, size); },
      [](void* block, std::size_t) { std::free(block); });
  __flint_set_memory_functions(allocated, cleared, resized, std::free);
  usual_end = std::set_terminate(end_for_want_of_memory);
  std::set_new_handler(note_want_of_memory);
}

void throw_if_allocation_failed() {
  if (was_short) throw std::bad_alloc();
}

void reserve_memory_of_blas() {
  // The size uses all threads of OpenBLAS, and is above that of its kernels for small matrices, which need no
  // work space.
  constexpr Index n = 200;
  const MultiVector ones = MultiVector::Ones(n, n);
  sigevent signal{};
  signal.sigev_notify = SIGEV_SIGNAL;
  signal.sigev_signo = SIGALRM;
  timer_t timer{};
  if (timer_create(CLOCK_PROCESS_CPUTIME_ID, &signal, &timer) != 0) return;
  std::signal(SIGALRM, end_for_want_of_blas_memory);
  constexpr itimerspec waiting{{0, 0}, {2, 0}};
  timer_settime(timer, 0, &waiting, nullptr);
  tall_combination<double>(ones, ones);
  // Some routines need one block more than there are threads.
  constexpr std::size_t block = std::size_t(1) << 27;
  if (void* const more = std::malloc(block))
    std::free(more);
  else
    end_for_want_of_blas_memory(SIGALRM);
  timer_delete(timer);
  std::signal(SIGALRM, SIG_DFL);
}

const char* message_of(const std::exception& error) {
  return dynamic_cast<const std::bad_alloc*>(&error) == nullptr ? error.what() : short_of_memory;
}

}  // namespace halfdof::cli
