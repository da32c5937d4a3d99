// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/inclusions/law.h>

#include <array>

namespace halfdof::internal {

/**
 * Computes the reactions of a single contact with Coulomb friction in space that slips. With r = r_n (1, mu
 * e), where the unit vector e is the direction of the tangential reaction, and w_n = 0, the equation w = W r
 * + b gives
 * @f[ r_n = -\frac{b_n}{d(e)}, \qquad d(e) = W_{nn} + \mu\, W_{nt}\cdot e > 0, \qquad
 *     d(e)\,w_t = d(e)\, b_t - b_n\,(W_{tn} + \mu W_{tt} e) = -\sigma e, \quad \sigma \ge 0. @f]
 * With e = (cos x, sin x), the component of the last equation normal to e is a trigonometric polynomial of
 * degree two,
 * @f[ p(x) = a_0 + a_1\cos x + b_1 \sin x + a_2\cos 2x + b_2\sin 2x = 0, @f]
 * with four zeros at most: the quartic of Bonnefon and Daviet (2011) without its singular cases. No symmetry
 * of W is assumed.
 */
class CoulombSlip {
 public:
  CoulombSlip(const Eigen::Matrix3d& W, const Eigen::Vector3d& b, double mu);

  /// Computes a reaction r of a slipping contact (d > 0, sigma >= 0) by Newton's method for p(x) = 0, which
  /// starts at the angle of a guess. @return whether such a reaction was found
  bool find_near(const Eigen::Vector3d& guess, Eigen::Vector3d& r) const;

  /// The reaction at a zero of p with d > 0. The reaction is admissible if sigma = -w_t.e >= 0, so that the
  /// slip is opposite to the tangential reaction.
  struct Candidate {
    Eigen::Vector3d r;
    double sigma;
  };
  /// Computes all candidates. @return the number of candidates, at most four
  int find_all(std::array<Candidate, 4>& candidates) const;

 private:
  double value(double angle) const;
  double slope(double angle) const;
  double curvature(double angle) const;
  bool compute_candidate(double angle, Candidate& result) const;
  template <class F, class G>
  static double bracketed_zero(const F& function, const G& derivative, double low, double high);

  Eigen::Matrix3d W_;
  Eigen::Vector3d b_;
  double mu_;
  double a_0_, a_1_, b_1_, a_2_, b_2_;
};

}  // namespace halfdof::internal
