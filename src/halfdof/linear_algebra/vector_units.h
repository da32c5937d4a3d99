#pragma once

#include <cstring>

/**
 * @file
 * For the few kernels that compilers vectorize and the BLAS does not serve: vectors of doubles, and functions that are
 * compiled once for each generation of processors, of which the running one takes its own.
 */

// The loader chooses among the clones before the run time of a sanitizer has begun.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define HALFDOF_FOR_EACH_PROCESSOR \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define HALFDOF_FOR_EACH_PROCESSOR
#endif

/// A clone inlines what it calls: else that would be compiled for the oldest processor.
#define HALFDOF_PART_OF_KERNEL __attribute__((always_inline)) inline

#if defined(__GNUC__) && !defined(__clang__)
#define HALFDOF_UNROLL _Pragma("GCC unroll 8")
#else
#define HALFDOF_UNROLL _Pragma("unroll")
#endif

namespace halfdof {

/// That many doubles side by side, from and to any address.
template <int lanes>
struct Lanes {
  typedef double Type __attribute__((vector_size(8 * lanes)));

  static HALFDOF_PART_OF_KERNEL void load(const double* from, Type& x) { std::memcpy(&x, from, sizeof x); }
  static HALFDOF_PART_OF_KERNEL void store(const Type& x, double* to) { std::memcpy(to, &x, sizeof x); }
};

}  // namespace halfdof
