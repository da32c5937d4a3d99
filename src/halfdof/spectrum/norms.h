#pragma once

#include <halfdof/reduction/reduced_system.h>
#include <halfdof/spectrum/eigenvalue_scale.h>

namespace halfdof {

/// Operator 1-norm: the largest column sum. Collective.
template <class Engine>
double one_norm(const typename Engine::Matrix& A) {
  const Vector norms = Engine::column_norms(A);
  return A.columns().communicator().max(norms.size() > 0 ? norms.maxCoeff() : 0.);
}

/// A rate [1/s] typical of the free system, from norms alone, of rows and columns that M touches (C where
/// there is no mass): algebraic DoFs have units of their own and take no part. Collective.
template <class Engine>
double characteristic_rate(const FreeSystem<Engine>& system) {
  using Matrix = typename Engine::Matrix;
  const double norm_M = one_norm<Engine>(system.M());
  const Matrix& leading = norm_M > 0 ? system.M() : system.C();
  const auto touched = [](const Vector& norms) {
    return Vector((norms.array() > 0).template cast<double>());
  };
  const Vector rows = touched(Engine::row_norms(leading)), columns = touched(Engine::column_norms(leading));
  const auto norm_there = [&](const Matrix& A) { return one_norm<Engine>(Engine::scaled(A, rows, columns)); };
  return characteristic_rate(norm_M, norm_there(system.C()), norm_there(system.K()));
}

/// Largest modulus in each column over all processes. Collective.
template <class Derived>
Vector largest_entries(const Communicator& communicator, const Eigen::MatrixBase<Derived>& x) {
  Vector largest = Vector::Zero(x.cols());
  if (x.rows() > 0) largest = x.cwiseAbs().colwise().maxCoeff().transpose();
  communicator.max(largest.data(), static_cast<int>(largest.size()));
  return largest;
}

/// Euclidean norm of each column over all processes. Collective.
inline Vector norms_of_columns(const Communicator& communicator, ConstView<Complex> x) {
  Vector squares = x.colwise().squaredNorm().transpose();
  communicator.sum(squares.data(), static_cast<int>(squares.size()));
  return squares.cwiseSqrt();
}

}  // namespace halfdof
