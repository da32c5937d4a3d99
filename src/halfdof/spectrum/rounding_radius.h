#pragma once

#include <halfdof/linear_algebra/equilibrating_scales.h>

#include <optional>

namespace halfdof {

/**
 * How far an eigenvalue goes where every entry of M, C and K changes by its own rounding, for eigenvalues of
 * any multiplicity, of small dense matrices of any symmetry.
 *
 * P(z) stays regular under all changes @f$ |\Delta P| \le u\,T(z),\ T(z) = |z|^2 |M| + |z| |C| + |K| @f$
 * if the spectral radius of @f$ |P(z)^{-1}|\, T(z) @f$ is below 1 / u (Demmel, SIAM J. Matrix Anal. Appl.
 * 13, 1992).
 * Its trace stands for it,
 * @f[ S(z) = \sum_{ij} |P(z)^{-1}|_{ji}\, T_{ij}(z) < 1 / u : \qquad (1) @f]
 * both are equal where the inverse has rank one, as beside an eigenvalue with one vector, and of one order
 * otherwise, unless terms of P cancel off the diagonal. Around an eigenvalue of
 * multiplicity m, S grows like the m-th power of one over the distance, so that the distance r at which (1)
 * ceases to hold is @f$ u\,|y|^T T |x| / |y^T P' x| @f$ for a simple one and the m-th root of rounding for a
 * Jordan block. Rows, columns and time may be scaled at will.
 *
 * u is half the machine epsilon for entries, and 8 n times as much for eliminations of order n (Higham,
 * section 9.3).
 */
class RoundingRadius {
 public:
  /// What changes by rounding.
  enum class Changes {
    of_entries,  ///< each entry that is not zero, by a part of itself
    /// Every place, by a part of what is largest in its row and column of T at the distance `farthest` from
    /// zero or at |lambda|, as eliminations and changes of coordinates round.
    of_all_places
  };

  /// Shapes: n x n each.
  RoundingRadius(MultiVector M, MultiVector C, MultiVector K);

  /**
   * How far the copies of lambda go [1/s]. With as many right and left vectors X and Y as copies,
   * @f$ Y^T P = 0,\ P X = 0 @f$, that is to first order
   * @f[ u\, \bigl\| |G^{-1}|\, |Y|^T T\, |X| \bigr\|_\infty, \qquad G = Y^T P'(\lambda) X, \qquad (2) @f]
   * for a simple eigenvalue the condition number of Higham and Higham (1998), which the rounding of other
   * eigenvalues nearby does not enlarge. Where G is singular (a Jordan block) or (2) reaches other
   * eigenvalues, it is the distance from lambda at which (1) ceases to hold, on the worst of a few rays: from
   * the power with which S falls between there and the other eigenvalues, or by steps of a factor of four
   * where these are too near for that.
   * @param multiplicity Number of copies, at least 1
   * @param farthest Distance of the eigenvalues that are others [1/s]: no larger one is returned
   */
  double operator()(Complex lambda, Index multiplicity, double farthest,
                    Changes changes = Changes::of_entries) const;

 private:
  double roundoff(Changes changes) const;
  MultiVector terms(double modulus) const;
  LineScales scales_at(double modulus) const;
  /// (2), nothing where that does not hold.
  std::optional<double> to_first_order(Complex lambda, Index multiplicity, double farthest,
                                       Changes changes) const;
  double sum_at(Complex z, const std::optional<LineScales>& of_all_places) const;

  MultiVector M_, C_, K_;
};

}  // namespace halfdof
