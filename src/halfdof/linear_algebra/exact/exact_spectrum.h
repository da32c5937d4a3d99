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

/// Order up to which exact_spectrum() takes about half a second at most, and order above which it is refused:
/// there it takes seconds where entries have few digits, and a minute where they have all.
constexpr Index exact_spectrum_limit = 40, largest_exact_spectrum = 200;

/**
 * The roots of @f$ \det P(\lambda),\ P(\lambda) = \lambda^2 M + \lambda C + K @f$, with the entries taken for
 * what they are, integers times powers of two: the determinant is computed in integers, its multiple roots
 * are told apart by greatest common divisors (Yun 1976), and the simple roots that are left are enclosed in
 * balls with a relative radius of 2^-64 (FLINT and Arb; Johansson, IEEE Trans. Comput. 66, 2017). A real or
 * imaginary part whose ball holds zero counts as zero. Nothing is rounded before that, so that the number of
 * finite eigenvalues, zeros and copies are what these matrices have, whatever the conditions are. What
 * rounding of the entries themselves does is another question.
 *
 * Shapes: n x n each, finite. Nothing is returned above the largest order, or where entries differ by so
 * many orders of magnitude, after rows, columns and time were scaled, that the integers would be too long, or
 * eigenvalues by so many that finding them would take long.
 * @throws InvalidInput if shapes differ
 */
std::optional<ExactSpectrum> exact_spectrum(ConstView<double> M, ConstView<double> C, ConstView<double> K,
                                            Index largest_order = exact_spectrum_limit);

}  // namespace halfdof
