// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

namespace halfdof::internal {

/**
 * The Radau IIA method with seven stages and order 13 (Hairer and Wanner 1996, section IV.5), and its dense
 * output. A function on a step is represented by its values at the eight nodes @f$ 0, c_1, \dots, c_7 = 1 @f$
 * and the polynomial of degree seven through them. For y' = A y + b the stages K (n x 7) obey
 * @f$ K - h A K a^T = A y_0 1^T + b @f$ with the Runge-Kutta coefficients a. The eigenvalue decomposition
 * @f$ a^T = V \Lambda V^{-1} @f$ decouples these equations into seven shifted systems.
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
  /// The only real eigenvalue of a, with which the error estimate is filtered.
  double real_eigenvalue() const { return real_eigenvalue_; }

  /// Returns the vector b for which X b is the value at tau in [0, 1] of the polynomial of degree seven
  /// through the columns of X, which belong to the nodes.
  Vector basis(double tau) const;
  /// The matrix D for which the columns of X D are the derivatives at the nodes of the polynomial through the
  /// columns of X, with respect to tau.
  const MultiVector& derivative() const { return derivative_; }
  /// The weights w for which X w is the integral over [0, 1] of the polynomial through the columns of X.
  const Vector& quadrature() const { return quadrature_; }

 private:
  RadauNodes();
  void compute_nodes();
  void compute_stage_matrices();

  Vector nodes_, quadrature_;
  MultiVector a_transposed_, derivative_;
  ComplexVector Lambda_;
  ComplexMultiVector V_, V_inverse_;
  double real_eigenvalue_ = 0;
};

}  // namespace halfdof::internal
