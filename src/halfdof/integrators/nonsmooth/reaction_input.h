// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/inclusions/delassus.h>
#include <halfdof/inclusions/grouped_columns.h>

#include <optional>
#include <vector>

namespace halfdof::internal {

/**
 * The matrix B H_f, with which reactions enter @f$ \dot y = A y + B (F(t) + H_f r) @f$. The columns are
 * stored if they need at most DelassusOptions::max_column_bytes bytes; otherwise each product costs a solve
 * with D. Functions are collective.
 */
template <class Engine>
class ReactionInput {
 public:
  ReactionInput(const Inclusions<Engine>& inclusions, const DelassusOptions& options);

  /// Returns B H_f r. Shapes: r m, result n_local_states().
  Vector apply(const Vector& r) const;

 private:
  Inclusions<Engine> inclusions_;
  /// The rows of B H_f for q_C' and v_I'. The rows for q_I' = v_I are zero and are not stored.
  std::optional<MultiVector> columns_;
};

/**
 * The immediate effect @f$ (a;\ c;\ k) = D^{-1} H_f r @f$ of impulses r, in the form that an implicit step
 * needs: rates c of viscous DoFs, and the momentum
 * @f[ M J_I a = H_f r - C J_C c - K J_K k . @f]
 * The momentum equals @f$ H_f r @f$, and is sparse, if impulses act only on inertial DoFs and D is block
 * triangular. The columns of the momentum and of the rates are stored if they need at most
 * DelassusOptions::max_column_bytes bytes; otherwise each product costs a solve with D. Functions are
 * collective.
 */
template <class Engine>
class ImpulseInput {
 public:
  /// @param is_active whether each direction may have an impulse
  ImpulseInput(const Inclusions<Engine>& inclusions, const std::vector<bool>& is_active,
               const DelassusOptions& options);

  /// Adds factor * M J_I a to rhs. Shapes: r m, rhs local free DoFs.
  void add_momentum(double factor, const Vector& r, Vector& rhs) const;
  /// Adds factor * c to rates. Shapes: r m, rates local viscous DoFs.
  void add_viscous_rates(double factor, const Vector& r, Eigen::Ref<Vector> rates) const;

 private:
  MultiVector viscous_rates(const MultiVector& x) const;
  MultiVector momentum(const MultiVector& force, const MultiVector& x) const;

  Inclusions<Engine> inclusions_;
  struct Columns {
    GroupedColumns momentum, viscous;
  };
  std::optional<Columns> columns_;
};

}  // namespace halfdof::internal
