// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

#include <optional>
#include <vector>

namespace halfdof::internal {

/// A root of the determinant det P(lambda) of a quadratic pencil, and the multiplicity of the root.
struct ExactRoot {
  Complex value;  ///< the root, correct to about the last digit [1/s]
  Index multiplicity;
};

/// All finite eigenvalues of a quadratic pencil.
struct ExactSpectrum {
  /// Whether det P(lambda) is nonzero for some lambda. Otherwise the list of roots is empty.
  bool is_regular = true;
  /// The distinct roots. Conjugate roots are exactly conjugate and adjacent; real roots have an imaginary
  /// part of zero.
  std::vector<ExactRoot> roots;
  Index n_finite = 0;  ///< the degree of det P, which is the sum of the multiplicities
};

/**
 * Limits of the computational effort of exact_spectrum(). The effort for a system of order n whose entries
 * are integers of b bits is @f$ (2n)^2\, n b @f$, the number of bits of the determinant times the square of
 * its degree. The iteration for the roots may take the larger of four times this effort and 2e10. The
 * determinant takes about half a second for an effort of small_effort, and half a minute for largest_effort.
 * The roots take as long; roots that spread over many orders of magnitude or are close together take some
 * seconds more.
 */
constexpr double small_effort = 1e8, largest_effort = 2e9;

/**
 * Computes the roots of @f$ \det P(\lambda),\ P(\lambda) = \lambda^2 M + \lambda C + K @f$ for exact entries,
 * which are integers times powers of two. The determinant is computed in integers, multiple roots are
 * separated by greatest common divisors (Yun 1976), and the remaining simple roots are enclosed in balls with
 * a relative radius of 2^-64 (FLINT and Arb; Johansson, IEEE Trans. Comput. 66, 2017). A real or imaginary
 * part whose ball contains zero counts as zero. No number is rounded before the roots are computed. Therefore
 * the number of finite eigenvalues, the number of zero eigenvalues and all multiplicities are exact for the
 * given matrices, whatever their condition numbers are. Rounding errors that the given entries contain
 * already are not considered. Shapes: n x n each, finite. No value is returned if the computation would cost
 * more than `effort`, because the order is large, or because entries have many digits or differ by many
 * orders of magnitude after the scaling of rows, columns and time. No value is returned either if roots are
 * so close together that 65536 bits do not separate them.
 * @throws InvalidInput if shapes differ
 */
std::optional<ExactSpectrum> exact_spectrum(ConstView<double> M, ConstView<double> C, ConstView<double> K,
                                            double effort = small_effort);

}  // namespace halfdof::internal
