// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/free_system.h>

namespace halfdof::internal {

/**
 * Computes a typical rate [1/s] of @f$ \lambda^2 M + \lambda C + K @f$ from the norms of the matrices:
 * @f$\sqrt{\|K\| / \|M\|}@f$; without mass @f$\|K\| / \|C\|@f$, without stiffness @f$\|C\| / \|M\|@f$. The
 * rate is one if two of the matrices are zero.
 */
double characteristic_rate(double norm_M, double norm_C, double norm_K);

/// Computes the operator 1-norm of A, which is the largest column sum of moduli. Collective.
template <class Engine>
double one_norm(const typename Engine::Matrix& A) {
  const Vector norms = Engine::column_norms(A);
  return A.columns().communicator().max(norms.size() > 0 ? norms.maxCoeff() : 0.);
}

/// Computes a typical rate [1/s] of the free system from the norms of its matrices, restricted to the rows
/// and
/// columns in which M (in a system without mass: C) has entries. Algebraic DoFs are excluded because their
/// units differ.
/// Collective.
template <class Engine>
double characteristic_rate(const FreeSystem<Engine>& system) {
  using Matrix = typename Engine::Matrix;
  const double norm_M = one_norm<Engine>(system.M());
  const Matrix& leading = norm_M > 0 ? system.M() : system.C();
  const auto is_nonzero = [](const Vector& norms) {
    return Vector((norms.array() > 0).template cast<double>());
  };
  const Vector rows = is_nonzero(Engine::row_norms(leading)),
               columns = is_nonzero(Engine::column_norms(leading));
  const auto norm_there = [&](const Matrix& A) { return one_norm<Engine>(Engine::scaled(A, rows, columns)); };
  return characteristic_rate(norm_M, norm_there(system.C()), norm_there(system.K()));
}

}  // namespace halfdof::internal
