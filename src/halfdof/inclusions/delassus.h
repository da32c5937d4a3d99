// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/free_system.h>
#include <halfdof/inclusions/grouped_columns.h>
#include <halfdof/inclusions/outcome.h>
#include <halfdof/linear_algebra/engine.h>

#include <optional>
#include <string>

namespace halfdof::internal {

/// Whether M, C and K of a model are all symmetric. If all of them are symmetric, the Delassus matrices are
/// symmetric, and monotone laws are monotone in a common metric.
enum class Symmetry { symmetric, unsymmetric };

template <class Engine>
Symmetry symmetry_of(const ReducedSystem<Engine>& system) {
  return system.free().is_symmetric() ? Symmetry::symmetric : Symmetry::unsymmetric;
}

/// Checks that a dense Delassus matrix may be formed. @throws NotAvailable if n_directions exceeds the limit
void check_dense_delassus(Index n_directions, Index limit);

/// Checks that a Delassus matrix was formed. @param subject,symbol words of the error message, such as
/// "Explicit methods" and "W" @throws NotAvailable if W does not have n_directions rows
void require_delassus(const MultiVector& W, Index n_directions, const std::string& subject,
                      const std::string& symbol);

/// Replaces W by (W + W^T) / 2.
void make_symmetric(MultiVector& W);

/// Computes the matrix product sums += columns r. Zero entries of r are skipped, because most contacts are
/// open most of the time. Shapes: columns n x m, r m x k, sums n x k.
void add_combination(const MultiVector& columns, ConstView<double> r, View<double> sums);
/// Returns the matrix product columns r, as add_combination().
MultiVector combination(const MultiVector& columns, ConstView<double> r);

/**
 * The Delassus matrix of one implicit time step, which gives the response of the directions to the reactions,
 * @f[ W_h = H^T P_h^{-1} H, \qquad (1) @f]
 * with P_h the factorized step matrix of the integrator. W_h contains the responses of all kinds of DoFs and
 * does not use DelassusMatrices; its unit is displacement per force if P_h is a stiffness (sigma^2 M + sigma
 * C + K).
 *
 * A step @f$ P_h x = b + H r @f$ is one solve in two halves, @f$ P_h^{-1} = B F @f$ (forward substitution F,
 * then backward substitution B), with the small problem for r in between:
 * @f[ z = F b, \qquad H^T P_h^{-1} b = (B^T H)^T z, \qquad x = B\,(z + F H\, r). \qquad (2) @f]
 * The matrices F H and B^T H are stored. Both matrices are sparse if P_h has triangular factors (for L D L^T
 * they differ only by D); otherwise F = P_h^{-1} and B = 1.
 *
 * All functions are collective.
 */
class StepDelassus {
 public:
  /// @param symmetry Whether P_h is symmetric. If P_h is symmetric, W_h is replaced by its symmetric part,
  /// which removes rounding errors.
  StepDelassus(const DirectionMatrix& H, FactorizationPtr<double> step_matrix, Symmetry symmetry,
               const DelassusOptions& options = {});

  /// The number m of directions.
  Index size() const { return H_.n_directions(); }
  bool is_dense() const { return W_.has_value(); }
  /// The matrix W_h. @throws NotAvailable unless is_dense()
  const MultiVector& matrix() const;
  /// Returns W_h r for one or several columns r: from the dense W_h without the zero rows of r, or by a
  /// solve.
  MultiVector apply(ConstView<double> r) const;
  /// Computes w += W_h r. Shapes: m x k.
  void add_product(ConstView<double> r, View<double> w) const;

  /// Replaces b by z of (2), in the order of the factors. Shapes: local free DoFs x k.
  void forward_in_place(MultiVector& b) const { step_matrix_->forward_in_place(b); }
  /// Adds the contribution of this process to H^T P_h^{-1} b, computed from z by (2). The sum over all
  /// processes gives the components along the directions. Shapes: components m x k.
  void add_local_components(ConstView<double> z, View<double> components) const;
  /// Replaces z by x of (2), on the local free DoFs.
  void backward_in_place(MultiVector& z, ConstView<double> r) const;

 private:
  void build(Symmetry symmetry);

  DirectionMatrix H_;
  FactorizationPtr<double> step_matrix_;
  DelassusOptions options_;
  std::optional<MultiVector> W_;
  struct Columns {
    Columns(const Eigen::SparseMatrix<double>& FH, const Eigen::SparseMatrix<double>& BtH);
    const GroupedColumns& of_backward() const { return backward ? *backward : forward; }

    GroupedColumns forward;                  ///< the matrix F H
    std::optional<GroupedColumns> backward;  ///< the matrix B^T H, unless it equals diag(factors) F H
    Vector factors;  ///< factors of the rows, D of L D L^T; all factors are one if `backward` is stored
  };
  std::optional<Columns> columns_;
};

/// Returns the Delassus matrix (1) of a step for the inclusions of a model. @param step_matrix Factorization
/// of a M + b C + c K for any a, b, c.
template <class Engine>
StepDelassus step_delassus(const Inclusions<Engine>& inclusions, FactorizationPtr<double> step_matrix,
                           const DelassusOptions& options = {}) {
  return StepDelassus(inclusions.H(), std::move(step_matrix), symmetry_of(inclusions.reduced()), options);
}

}  // namespace halfdof::internal
