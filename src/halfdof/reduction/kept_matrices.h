// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/free_system.h>
#include <halfdof/linear_algebra/engine.h>
#include <halfdof/reduction/reduced_system.h>

#include <mutex>
#include <optional>

/**
 * @file
 * Matrices of a reduced system that are computed on first use and then kept.
 */
namespace halfdof::internal {

/// The columns that multiply states: M J_I, K J_I and K J_C. Shapes: free DoFs x n_I, n_I and n_C.
template <class Engine>
struct StateColumns {
  typename Engine::Matrix M_I, K_I, K_C;
};

/// Inertia and damping forces that only multipliers of constraints balance, because the equations in
/// constrained coordinates do not contain them: M S for viscous and for algebraic coordinates, and C S
/// for algebraic coordinates, without entries that are zero up to rounding. Shapes: free DoFs x n_C,
/// n_K and n_K.
struct ForcesBalancedByMultipliers {
  Eigen::SparseMatrix<double> M_C, M_K, C_K;
  bool is_empty() const { return M_C.nonZeros() + M_K.nonZeros() + C_K.nonZeros() == 0; }
};

/// The pencil of M, C and K of a system. The pencil refers to the system, which must outlive the
/// pencil. It is built at the first factorization, because many uses of a reduced system need no
/// factorization.
template <class Engine>
class KeptPencil {
 public:
  KeptPencil(const FreeSystem<Engine>& system, const FactorizationOptions& options)
      : system_(system), options_(options) {}
  /// Factorizes a M + b C + c K.
  template <class Scalar>
  FactorizationPtr<Scalar> factorize(Scalar a, Scalar b, Scalar c) const {
    std::call_once(once_,
                   [&] { pencil_.emplace(system_.M(), system_.C(), system_.K(), with_near_null_space()); });
    return pencil_->factorize(a, b, c);
  }

 private:
  /// Adds the near null space of the assembled system to the options, if the coordinates of the system are
  /// the free DoFs.
  FactorizationOptions with_near_null_space() const {
    FactorizationOptions options = options_;
    const MultiVector& known = system_.assembled().near_null_space();
    if (options.near_null_space.cols() == 0 && known.cols() > 0 && !system_.coordinates())
      options.near_null_space = system_.places().selected_rows(known);
    return options;
  }

  const FreeSystem<Engine>& system_;
  FactorizationOptions options_;
  mutable std::once_flag once_;
  mutable std::optional<typename Engine::Pencil> pencil_;
};

}  // namespace halfdof::internal
