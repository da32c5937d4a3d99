// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/linear_algebra/condition.h>
#include <halfdof/linear_algebra/instantiate.h>

#include <cmath>

namespace halfdof::internal {

namespace {

constexpr int n_equilibration_sweeps = 5;

/// Returns 1/sqrt(norm) for each norm; the result for a norm of zero is one.
Vector inverse_square_roots(const Vector& norms) {
  return (norms.array() > 0).select(norms.array().sqrt().inverse(), 1.);
}

/// Returns whether all norms lie between 1/2 and 2, or are zero.
bool are_balanced(const Vector& norms) {
  return ((norms.array() > 0.5 && norms.array() < 2) || norms.array() == 0).all();
}

}  // namespace

template <class Engine>
RowColumnScales equilibrate(const typename Engine::Matrix& A) {
  RowColumnScales scale{Vector::Ones(A.rows().n_local()), Vector::Ones(A.columns().n_local())};
  for (int sweep = 0; sweep < n_equilibration_sweeps; ++sweep) {
    const LineNorms norms = Engine::scaled_norms(A, scale.rows, scale.columns);
    if (!A.rows().communicator().any(!are_balanced(norms.rows) || !are_balanced(norms.columns))) break;
    scale.rows = scale.rows.cwiseProduct(inverse_square_roots(norms.rows));
    scale.columns = scale.columns.cwiseProduct(inverse_square_roots(norms.columns));
  }
  return scale;
}

template <class Engine>
double equilibrated_condition_number(const typename Engine::Matrix& A,
                                     const Factorization<double>& factorization, double coarse_if_below) {
  if (factorization.report().solver == Solver::diagonal) return 1;
  const RowColumnScales scale = equilibrate<Engine>(A);
  const Vector norms = Engine::scaled_norms(A, scale.rows, scale.columns).columns;
  const double norm = A.rows().communicator().max(norms.size() > 0 ? norms.maxCoeff() : 0.);
  const Vector r = scale.rows.cwiseInverse();
  const Vector s = scale.columns.cwiseInverse();
  const auto solve = [&](const Vector& x) -> Vector {
    return s.cwiseProduct(Vector(factorization.rough_solve(r.cwiseProduct(x))));
  };
  const auto solve_transposed = [&](const Vector& x) -> Vector {
    return r.cwiseProduct(Vector(factorization.rough_solve_transposed(s.cwiseProduct(x))));
  };
  return norm * estimate_inverse_norm(solve, solve_transposed, A.rows(), coarse_if_below / norm);
}

template RowColumnScales equilibrate<InstantiatedEngine>(const InstantiatedEngine::Matrix&);
template double equilibrated_condition_number<InstantiatedEngine>(const InstantiatedEngine::Matrix&,
                                                                  const Factorization<double>&, double);

}  // namespace halfdof::internal
