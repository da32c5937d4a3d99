// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

namespace halfdof::internal {

/**
 * The Radau IIA method with seven stages (Hairer and Wanner 1996, section IV.5), order 13, and its dense
 * output. A function on a step is represented by its values at the eight nodes @f$ 0, c_1, \dots, c_7 = 1 @f$
 * and the polynomial of degree seven through them. For y' = A y + b the stages K (n x 7) obey
 * @f$ K - h A K a^T = A y_0 1^T + b @f$, which @f$ a^T = V \Lambda V^{-1} @f$ decouples into seven shifted
 * systems.
 */
class RadauNodes {
 public:
  static constexpr Index n_stages = 7;
  static constexpr Index n_nodes = n_stages + 1;

  /// Returns the only object of this class.
  static const RadauNodes& get();

  const Vector& nodes() const { return nodes_; }
  /// The transposed matrix a^T of the Runge-Kutta coefficients.
  const MultiVector& stage_matrix() const { return a_transposed_; }
  const ComplexVector& Lambda() const { return Lambda_; }
  const ComplexMultiVector& V() const { return V_; }
  const ComplexMultiVector& V_inverse() const { return V_inverse_; }
  /// The real eigenvalue of a, which the filter of the error estimate uses.
  double real_eigenvalue() const { return real_eigenvalue_; }

  /// The vector b for which X b is the value at tau in [0, 1] of the polynomial through the columns of X.
  Vector basis(double tau) const;
  /// The matrix D for which the columns of X D are the derivatives of this polynomial by tau at the nodes.
  const MultiVector& derivative() const { return derivative_; }
  /// The weights w for which X w is the integral of this polynomial over [0, 1].
  const Vector& quadrature() const { return quadrature_; }

 private:
  RadauNodes();
  void find_nodes();
  void find_stages();

  Vector nodes_, quadrature_;
  MultiVector a_transposed_, derivative_;
  ComplexVector Lambda_;
  ComplexMultiVector V_, V_inverse_;
  double real_eigenvalue_ = 0;
};

}  // namespace halfdof::internal
