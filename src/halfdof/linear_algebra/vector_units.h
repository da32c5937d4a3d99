#pragma once

#include <cstring>

/**
 * @file
 * For the few kernels that compilers vectorize and the BLAS does not serve: vectors of doubles, and functions
 * that are compiled once for each generation of processors, of which the running one takes its own.
 */

/// Before a function: compiled for each generation of processors, where compiler and loader can. The loader
/// chooses before the run time of a sanitizer or profiler has begun; GCC fails where the command line asks
/// for AVX512 already.
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && __GNUC__ >= 12 && \
    !defined(__clang__) && !defined(__AVX512F__) && !defined(__SANITIZE_ADDRESS__) &&   \
    !defined(__SANITIZE_THREAD__) && !defined(HALFDOF_ONE_PROCESSOR)
#define HALFDOF_FOR_EACH_PROCESSOR \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define HALFDOF_FOR_EACH_PROCESSOR
#endif

/// A clone inlines what it calls: else that would be compiled for the oldest processor.
#define HALFDOF_PART_OF_KERNEL __attribute__((always_inline)) inline

/// Before a loop of a few repetitions, whose number the compiler knows.
#if defined(__GNUC__) && !defined(__clang__)
#define HALFDOF_UNROLL _Pragma("GCC unroll 8")
#else
#define HALFDOF_UNROLL _Pragma("unroll")
#endif

namespace halfdof {

// Clones differ in how they align such vectors: none may be left in memory from one function to the next, but
// as doubles.
typedef double FourDoubles __attribute__((vector_size(32)));
typedef double EightDoubles __attribute__((vector_size(64)));

/// Of complex numbers, parts side by side: real parts become imaginary ones and the reverse.
HALFDOF_PART_OF_KERNEL void exchange_parts(const FourDoubles& x, FourDoubles& exchanged) {
#if defined(__clang__) || __GNUC__ >= 12
  exchanged = __builtin_shufflevector(x, x, 1, 0, 3, 2);
#else
  exchanged = FourDoubles{x[1], x[0], x[3], x[2]};
#endif
}
HALFDOF_PART_OF_KERNEL void exchange_parts(const EightDoubles& x, EightDoubles& exchanged) {
#if defined(__clang__) || __GNUC__ >= 12
  exchanged = __builtin_shufflevector(x, x, 1, 0, 3, 2, 5, 4, 7, 6);
#else
  exchanged = EightDoubles{x[1], x[0], x[3], x[2], x[5], x[4], x[7], x[6]};
#endif
}

/// That many doubles side by side.
template <int lanes>
struct VectorOf;
template <>
struct VectorOf<4> {
  using Type = FourDoubles;
};
template <>
struct VectorOf<8> {
  using Type = EightDoubles;
};

/// From and to any address.
template <int lanes>
struct Lanes {
  using Type = typename VectorOf<lanes>::Type;

  static HALFDOF_PART_OF_KERNEL void load(const double* from, Type& x) { std::memcpy(&x, from, sizeof x); }
  static HALFDOF_PART_OF_KERNEL void store(const Type& x, double* to) { std::memcpy(to, &x, sizeof x); }
  /// i x
  static HALFDOF_PART_OF_KERNEL void turn(const Type& x, Type& ix) {
    exchange_parts(x, ix);
    HALFDOF_UNROLL
    for (int l = 0; l < lanes; l += 2)
      ix[l] = -ix[l];
  }
};

}  // namespace halfdof
