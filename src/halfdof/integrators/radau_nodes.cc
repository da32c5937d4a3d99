// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/integrators/radau_nodes.h>
#include <halfdof/linear_algebra/dense/dense_decompositions.h>
#include <halfdof/linear_algebra/dense/dense_eigenvalues.h>

#include <Eigen/LU>

#include <cmath>

namespace halfdof::internal {

namespace {

/// Returns the Legendre polynomials P_0(x), ..., P_n(x).
Vector legendre(double x, Index n) {
  Vector P(n + 1);
  P[0] = 1;
  if (n > 0) P[1] = x;
  for (Index k = 1; k < n; ++k)
    P[k + 1] = ((2 * k + 1) * x * P[k] - k * P[k - 1]) / (k + 1);
  return P;
}

}  // namespace

const RadauNodes& RadauNodes::get() {
  static const RadauNodes nodes;
  return nodes;
}

RadauNodes::RadauNodes() {
  compute_nodes();
  compute_stage_matrices();
}

// The nodes c_1 ... c_6, mapped to (-1, 1), are the zeros of the Jacobi polynomial P_6^(1,0). The zeros are
// computed as eigenvalues of the tridiagonal matrix of the recurrence of these polynomials (Golub and Welsch
// 1969).
void RadauNodes::compute_nodes() {
  const Index n = n_stages - 1;
  MultiVector J = MultiVector::Zero(n, n);
  for (Index k = 0; k < n; ++k) {
    J(k, k) = -1. / ((2. * k + 1) * (2. * k + 3));
    if (k > 0) J(k, k - 1) = J(k - 1, k) = std::sqrt(k * (k + 1.)) / (2. * k + 1);
  }
  const Vector zeros = symmetric_eigenvalues(J);
  nodes_.resize(n_nodes);
  nodes_[0] = 0;
  nodes_.segment(1, n) = 0.5 * (zeros.array() + 1);
  nodes_[n_stages] = 1;
}

void RadauNodes::compute_stage_matrices() {
  const Index s = n_stages;
  MultiVector values(s, s), integrals(s, s);  // The values of P_j at c_i, and its integrals from 0 to c_i.
  for (Index i = 0; i < s; ++i) {
    const Vector P = legendre(2 * nodes_[i + 1] - 1, s);
    values.row(i) = P.head(s).transpose();
    integrals(i, 0) = nodes_[i + 1];
    for (Index j = 1; j < s; ++j)
      integrals(i, j) = (P[j + 1] - P[j - 1]) / (2 * (2 * j + 1));
  }
  const MultiVector a = values.transpose().partialPivLu().solve(integrals.transpose()).transpose();
  a_transposed_ = a.transpose();
  quadrature_ = Vector::Zero(n_nodes);
  quadrature_.tail(s) = a.row(s - 1).transpose();

  const DenseEigenpairs eigen = eigenpairs(a_transposed_);
  Lambda_ = Eigen::Map<const ComplexVector>(eigen.values.data(), s);
  V_ = eigen.vectors;
  V_inverse_ = V_.inverse();
  for (Index i = 0; i < s; ++i)
    if (Lambda_[i].imag() == 0) real_eigenvalue_ = Lambda_[i].real();

  derivative_ = MultiVector::Zero(n_nodes, n_nodes);
  for (Index j = 0; j < n_nodes; ++j)
    for (Index i = 0; i < n_nodes; ++i) {
      if (i == j) continue;
      double value = 1 / (nodes_[j] - nodes_[i]);
      for (Index k = 0; k < n_nodes; ++k)
        if (k != i && k != j) value *= (nodes_[i] - nodes_[k]) / (nodes_[j] - nodes_[k]);
      derivative_(j, i) = value;
    }
  // With these diagonal entries the derivative of a constant is exactly zero.
  for (Index i = 0; i < n_nodes; ++i)
    derivative_(i, i) = -derivative_.col(i).sum();
}

Vector RadauNodes::basis(double tau) const {
  Vector values = Vector::Ones(n_nodes);
  for (Index j = 0; j < n_nodes; ++j)
    for (Index k = 0; k < n_nodes; ++k)
      if (k != j) values[j] *= (tau - nodes_[k]) / (nodes_[j] - nodes_[k]);
  return values;
}

}  // namespace halfdof::internal
