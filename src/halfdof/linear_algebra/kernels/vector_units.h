// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstring>

/**
 * @file
 * Support for vectorized loops that the BLAS does not offer: short vectors of doubles, and an attribute of
 * functions that are compiled once for each generation of processors. The version for the present processor
 * is chosen when the program starts.
 */

/// Attribute of a function that is compiled once for each generation of processors, if compiler and loader
/// support several versions of a function. The attribute is empty with sanitizers and profilers, because the
/// loader chooses the version before their run-time libraries have started, and if the command line of the
/// compiler enables AVX512, because GCC fails then.
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && __GNUC__ >= 12 && \
    !defined(__clang__) && !defined(__AVX512F__) && !defined(__SANITIZE_ADDRESS__) &&   \
    !defined(__SANITIZE_THREAD__) && !defined(HALFDOF_ONE_PROCESSOR)
#define HALFDOF_FOR_EACH_PROCESSOR \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define HALFDOF_FOR_EACH_PROCESSOR
#endif

/// Attribute of a function that is called by functions with HALFDOF_FOR_EACH_PROCESSOR. Such a function is
/// always inlined, because it would otherwise be compiled for the oldest processor.
#define HALFDOF_INNER_LOOP __attribute__((always_inline)) inline

/// Unrolls the following loop, which has a small number of iterations that is known to the compiler.
#if defined(__GNUC__) && !defined(__clang__)
#define HALFDOF_UNROLL _Pragma("GCC unroll 8")
#else
#define HALFDOF_UNROLL _Pragma("unroll")
#endif

namespace halfdof::internal {

// The versions of a function differ in the alignment of FourDoubles and EightDoubles. Functions that are not
// inlined must therefore exchange data as doubles.
typedef double FourDoubles __attribute__((vector_size(32)));
typedef double EightDoubles __attribute__((vector_size(64)));

/// Exchanges the real and imaginary parts of the complex numbers in x.
HALFDOF_INNER_LOOP void exchange_parts(const FourDoubles& x, FourDoubles& exchanged) {
#if defined(__clang__) || __GNUC__ >= 12
  exchanged = __builtin_shufflevector(x, x, 1, 0, 3, 2);
#else
  exchanged = FourDoubles{x[1], x[0], x[3], x[2]};
#endif
}
HALFDOF_INNER_LOOP void exchange_parts(const EightDoubles& x, EightDoubles& exchanged) {
#if defined(__clang__) || __GNUC__ >= 12
  exchanged = __builtin_shufflevector(x, x, 1, 0, 3, 2, 5, 4, 7, 6);
#else
  exchanged = EightDoubles{x[1], x[0], x[3], x[2], x[5], x[4], x[7], x[6]};
#endif
}

/// The vector type with the given number of doubles.
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

/// Operations on a vector of doubles; loads and stores need no alignment.
template <int lanes>
struct Lanes {
  using Type = typename VectorOf<lanes>::Type;

  static HALFDOF_INNER_LOOP void load(const double* from, Type& x) { std::memcpy(&x, from, sizeof x); }
  static HALFDOF_INNER_LOOP void store(const Type& x, double* to) { std::memcpy(to, &x, sizeof x); }
  /// Computes ix = i x for the complex numbers in x, where i is the imaginary unit.
  static HALFDOF_INNER_LOOP void multiply_by_i(const Type& x, Type& ix) {
    exchange_parts(x, ix);
    HALFDOF_UNROLL
    for (int l = 0; l < lanes; l += 2)
      ix[l] = -ix[l];
  }
};

}  // namespace halfdof::internal
