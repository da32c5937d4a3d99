#include <halfdof/linear_algebra/condition.h>
#include <halfdof/linear_algebra/instantiate.h>

#include <cmath>

namespace halfdof {

namespace {

constexpr int n_equilibration_sweeps = 5;

/// 1/sqrt(norm), and one where the norm is zero.
Vector damping_factors(const Vector& norms) {
  return (norms.array() > 0).select(norms.array().sqrt().inverse(), 1.);
}

}  // namespace

template <class Engine>
Equilibration equilibrate(const typename Engine::Matrix& A) {
  Equilibration scale{Vector::Ones(A.rows().n_local()), Vector::Ones(A.columns().n_local())};
  for (int sweep = 0; sweep < n_equilibration_sweeps; ++sweep) {
    const auto scaled = Engine::scaled(A, scale.rows, scale.columns);
    scale.rows = scale.rows.cwiseProduct(damping_factors(Engine::row_norms(scaled)));
    scale.columns = scale.columns.cwiseProduct(damping_factors(Engine::column_norms(scaled)));
  }
  return scale;
}

template Equilibration equilibrate<InstantiatedEngine>(const InstantiatedEngine::Matrix&);

}  // namespace halfdof
