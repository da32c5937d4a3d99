// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/linear_algebra/scaling/equilibrating_scales.h>

#include <optional>

namespace halfdof::internal {

/**
 * Computes how far an eigenvalue moves if every entry of M, C and K changes by its own rounding, for
 * eigenvalues of any multiplicity, of small dense matrices of any symmetry.
 *
 * P(z) stays regular under all changes @f$ |\Delta P| \le u\,T(z),\ T(z) = |z|^2 |M| + |z| |C| + |K| @f$ if
 * the spectral radius of @f$ |P(z)^{-1}|\, T(z) @f$ is below 1 / u (Demmel, SIAM J. Matrix Anal. Appl. 13,
 * 1992). The trace is used instead of the spectral radius,
 * @f[ S(z) = \sum_{ij} |P(z)^{-1}|_{ji}\, T_{ij}(z) < 1 / u : \qquad (1) @f]
 * Both are equal if the inverse has rank one, which is nearly true close to an eigenvalue with one vector,
 * and of the same order otherwise, unless off-diagonal terms of P cancel. Around an eigenvalue of
 * multiplicity m, S grows like the m-th power of one over the distance. Thus the distance r at which (1)
 * ceases to hold is @f$ u\,|y|^T T |x| / |y^T P' x| @f$ for a simple eigenvalue and the m-th root of rounding
 * for a Jordan block. Rows, columns and time may be scaled arbitrarily.
 *
 * u is half the machine epsilon for entries, and 8 n times as much for eliminations of order n (Higham,
 * section 9.3).
 */
class RoundingRadius {
 public:
  /// Which entries change by rounding.
  enum class Changes {
    of_entries,  ///< each nonzero entry changes by a relative error
    /// Every entry, also a zero, changes by an error relative to the largest entry in its row and column of T
    /// at the distance `farthest` from zero or at |lambda|, as eliminations and changes of coordinates do.
    of_all_places
  };

  /// @param M,C,K Dense matrices, n x n each.
  RoundingRadius(MultiVector M, MultiVector C, MultiVector K);

  /**
   * Returns how far the copies of lambda move [1/s]. With right and left vectors X and Y, as many as copies,
   * @f$ Y^T P = 0,\ P X = 0 @f$, the distance is to first order
   * @f[ u\, \bigl\| |G^{-1}|\, |Y|^T T\, |X| \bigr\|_\infty, \qquad G = Y^T P'(\lambda) X, \qquad (2) @f]
   * which for a simple eigenvalue is the condition number of Higham and Higham (1998), and is not enlarged by
   * the rounding of other eigenvalues nearby. If G is singular (a Jordan block) or (2) reaches other
   * eigenvalues, the result is the distance from lambda at which (1) ceases to hold, on the worst of a few
   * rays. It follows from the power with which S falls between there and the other eigenvalues, or from steps
   * of a factor of four if these are too near for that.
   * @param multiplicity Number of copies, at least 1
   * @param farthest Distance of the other eigenvalues [1/s]; the result is at most this
   */
  double operator()(Complex lambda, Index multiplicity, double farthest,
                    Changes changes = Changes::of_entries) const;

 private:
  double roundoff(Changes changes) const;
  MultiVector terms(double modulus) const;
  RowColumnScales scales_at(double modulus) const;
  /// Returns (2), or nothing if (2) is not valid.
  std::optional<double> to_first_order(Complex lambda, Index multiplicity, double farthest,
                                       Changes changes) const;
  double sum_at(Complex z, const std::optional<RowColumnScales>& of_all_places) const;

  MultiVector M_, C_, K_;
};

}  // namespace halfdof::internal
