#pragma once

#include <halfdof/base/types.h>

#include <optional>
#include <vector>

namespace halfdof {

/// A root of det P and how often it is one.
struct ExactRoot {
  Complex value;  ///< right to the last digit or so [1/s]
  Index multiplicity;
};

/// All finite eigenvalues of a pencil of second order.
struct ExactSpectrum {
  bool is_regular = true;  ///< no: det P vanishes for every lambda, and there are no roots to list
  std::vector<ExactRoot>
      roots;           ///< distinct; conjugates are exact and adjacent, real ones have no imaginary part
  Index n_finite = 0;  ///< the degree of det P: the sum of the multiplicities
};

/**
 * What exact_spectrum() may cost: of a system of order n whose entries are integers of b bits, the number
 * @f$ (2n)^2\, n b @f$, bits of the determinant times the square of its degree. Steps of the iteration for
 * its roots may take four times as much, or 2e10.
 * Up to `little_effort` the determinant takes half a second or so, up to `largest_effort` half a minute; so
 * do the roots, but for those that spread over many orders of magnitude or crowd, which take some seconds
 * more.
 */
constexpr double little_effort = 1e8, largest_effort = 2e9;

/**
 * The roots of @f$ \det P(\lambda),\ P(\lambda) = \lambda^2 M + \lambda C + K @f$, with the entries taken for
 * what they are, integers times powers of two: the determinant is computed in integers, its multiple roots
 * are told apart by greatest common divisors (Yun 1976), and the simple roots that are left are enclosed in
 * balls with a relative radius of 2^-64 (FLINT and Arb; Johansson, IEEE Trans. Comput. 66, 2017). A real or
 * imaginary part whose ball holds zero counts as zero. Nothing is rounded before that, so that the number of
 * finite eigenvalues, zeros and copies are what these matrices have, whatever the conditions are. What
 * rounding of the entries themselves does is another question.
 *
 * Shapes: n x n each, finite. Nothing is returned where that would cost more than `effort`, because the order
 * is large, or entries have many digits or differ by many orders of magnitude after rows, columns and time
 * were scaled; and where roots lie so close that 65536 bits do not separate them.
 * @throws InvalidInput if shapes differ
 */
std::optional<ExactSpectrum> exact_spectrum(ConstView<double> M, ConstView<double> C, ConstView<double> K,
                                            double effort = little_effort);

}  // namespace halfdof
