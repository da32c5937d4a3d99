#pragma once

#include <halfdof/inclusions/grouped_columns.h>
#include <halfdof/inclusions/inclusions.h>
#include <halfdof/inclusions/symmetry.h>
#include <halfdof/linear_algebra/factorization.h>

#include <optional>
#include <string>

namespace halfdof {

/**
 * Above these sizes a Delassus matrix is an operator, and its columns are solved for when they are needed.
 * Starts and the steps of implicit integrators need no more. Dense matrices are needed by explicit and
 * event-driven integrators. Integrators keep to the options that what_becomes() was given.
 */
struct DelassusOptions {
  Index max_dense = 1000;  ///< directions m up to which W is a dense m x m matrix
  double max_column_bytes =
      5e8;  ///< memory on this process up to which what a step needs of P_h^{-1} H is kept
  double law_tolerance = 1e-12;  ///< OneStepOptions::tolerance of the steps of implicit integrators
};

/// @throws NotAvailable if there are more directions than the limit
void check_dense_delassus(Index n_directions, Index limit);

/// @param who,symbol "Explicit methods", "W" @throws NotAvailable if their Delassus matrix was not formed
void require_delassus(const MultiVector& W, Index n_directions, const std::string& who,
                      const std::string& symbol);

/// Takes W for (W + W^T) / 2.
void make_symmetric(MultiVector& W);

/// sums += columns r, over the rows of r that are not zero: few contacts act at a time. Shapes: n x m, m x
/// k, n x k.
void add_combination(const MultiVector& columns, ConstView<double> r, View<double> sums);
/// columns r.
MultiVector combination(const MultiVector& columns, ConstView<double> r);

/**
 * What the reactions move at once, by kind,
 * @f[ W_a = H^T J_a (D^{-1})_a H, \qquad a = I, C, K, \qquad (1) @f]
 * with (D^{-1})_a the rows of D^{-1} that belong to kind a. They have different units: W_I is acceleration
 * per force (an inverse mass), W_C rate per force (an inverse damping), W_K displacement per force (a
 * compliance). Where M, C and K are symmetric, so is W_K (to the last digit), W_C is symmetric on ker W_K,
 * and W_I on what W_C leaves of that. Shapes: m x m, whole on every process.
 */
struct DelassusMatrices {
  MultiVector I, C, K;
};

/// (1), by m solves with D in batches. @throws NotAvailable if m > options.max_dense; InvalidInput where it
/// is not finite. Collective.
template <class Engine>
DelassusMatrices delassus_matrices(const Inclusions<Engine>& inclusions, const DelassusOptions& options = {});

/**
 * What reactions move within one implicit step,
 * @f[ W_h = H^T P_h^{-1} H, \qquad (2) @f]
 * with P_h the integrator's factorized step matrix. It holds all kinds at once and none of (1); its unit is
 * displacement per force if P_h is a stiffness (sigma^2 M + sigma C + K).
 *
 * A step @f$ P_h x = b + H r @f$ is one solve in two halves, @f$ P_h^{-1} = B F @f$ (forward, then backward),
 * with the small problem for r in between:
 * @f[ z = F b, \qquad H^T P_h^{-1} b = (B^T H)^T z, \qquad x = B\,(z + F H\, r). \qquad (3) @f]
 * F H and B^T H are kept: of triangular factors they are sparse (and those of L D L^T differ by D alone),
 * otherwise F = P_h^{-1} and B = 1.
 *
 * Functions are collective.
 */
class StepDelassus {
 public:
  /// @param symmetry That of P_h: where it is symmetric, W is made so to the last digit.
  StepDelassus(const DirectionMatrix& H, FactorizationPtr<double> step_matrix, Symmetry symmetry,
               const DelassusOptions& options = {});

  /// m
  Index size() const { return H_.size(); }
  bool is_dense() const { return W_.has_value(); }
  /// W_h. @throws NotAvailable unless it is dense.
  const MultiVector& matrix() const;
  /// W_h r for one or several columns: over the rows of r that are not zero, or by a solve.
  MultiVector apply(ConstView<double> r) const;
  /// w += W_h r. Shapes: m x k.
  void add_product(ConstView<double> r, View<double> w) const;

  /// z of (3) in place of b, in the order of the factors. Shapes: local free DoFs x k.
  void forward_in_place(MultiVector& b) const { step_matrix_->forward_in_place(b); }
  /// Adds this process's part of H^T P_h^{-1} b by (3); the sum over all is what the directions see. Shapes:
  /// seen m x k.
  void add_local_components(ConstView<double> z, View<double> seen) const;
  /// x of (3) in place of z, on the local free DoFs.
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

    GroupedColumns forward;                  ///< F H
    std::optional<GroupedColumns> backward;  ///< B^T H, unless it is diag(factors) F H
    Vector factors;                          ///< of the rows; otherwise ones
  };
  std::optional<Columns> columns_;
};

/// (2) for the inclusions of a model. @param step_matrix a M + b C + c K for any a, b, c.
template <class Engine>
StepDelassus step_delassus(const Inclusions<Engine>& inclusions, FactorizationPtr<double> step_matrix,
                           const DelassusOptions& options = {}) {
  return StepDelassus(inclusions.H(), std::move(step_matrix), symmetry_of(inclusions.reduced()), options);
}

}  // namespace halfdof
