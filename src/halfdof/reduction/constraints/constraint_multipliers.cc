// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/eigen/engine.h>
#include <halfdof/linear_algebra/ranks/column_compression.h>
#include <halfdof/reduction/constraints/constraint_multipliers.h>

#include <algorithm>
#include <cmath>

namespace halfdof::internal {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

Sparse identity(Index n) {
  Sparse one(n, n);
  one.setIdentity();
  return one;
}

/// Returns an orthonormal basis of the orthogonal complement of the null columns of a basis among the
/// algebraic DoFs.
/// @param places Set to the DoFs of the columns of the result
Sparse orthogonal_complement(const ScaledMatrices& blocks, const ColumnCompression& basis,
                             std::vector<Index>& places) {
  const Index n = blocks.size();
  const Sparse J_T = blocks.J_K.transpose();
  const Sparse with_basis =
      identity(n) - Sparse(blocks.J_K * J_T) + Sparse(blocks.J_K * Sparse(basis.S * J_T));
  std::vector<bool> is_no_null_column(static_cast<std::size_t>(n), true);
  for (const Index k : basis.null())
    is_no_null_column[static_cast<std::size_t>(Sparse::InnerIterator(blocks.J_K, k).row())] = false;
  places.clear();
  for (Index j = 0; j < n; ++j)
    if (is_no_null_column[static_cast<std::size_t>(j)]) places.push_back(j);
  return with_basis * unit_columns(places, n);
}

/// Computes the kernel of K_KK, the stiffness of the algebraic DoFs.
ColumnCompression kernel_of_K_KK(const Sparse& K_KK, const KernelOptions& options) {
  return column_compression(K_KK, column_norms(K_KK), "K_KK", EntryOrigin::given, options);
}

/// Returns orthonormal combinations of columns of norm one that are zero: a basis of the kernel of A.
Sparse kernel_basis(const Sparse& A, const std::string& name, const KernelOptions& options) {
  const ColumnCompression basis =
      column_compression(A, Vector::Ones(A.cols()), name, EntryOrigin::computed, options);
  return basis.S * unit_columns(basis.null(), static_cast<Index>(basis.S.cols()));
}

/// Returns an orthonormal basis Z of the part of the range of Z_0 on which the forces B do not act: Z^T B =
/// 0.
Sparse basis_without_forces(const Sparse& Z_0, const Sparse& B, const KernelOptions& options) {
  const Sparse rows = product_with_exact_zeros(Sparse(B.transpose()), Z_0);
  Vector sizes = column_norms(Sparse(B.transpose()));
  sizes = Sparse(Z_0.cwiseAbs()).transpose() * sizes;
  const ColumnCompression basis =
      column_compression(rows, sizes, "the forces of the multipliers", EntryOrigin::computed, options);
  return Z_0 * Sparse(basis.S * unit_columns(basis.null(), static_cast<Index>(basis.S.cols())));
}

/// Returns whether the force of every multiplier is parallel to its own constraint: to its row of rates, if
/// it has such a row.
bool forces_act_along_constraints(const ConstraintRows& rows, const Sparse& B) {
  const Sparse A_1 = rows.A_1.transpose(), A_2 = rows.A_2.transpose();
  for (Index j = 0; j < B.cols(); ++j) {
    const Eigen::SparseVector<double> force = B.col(j),
                                      along = A_1.col(j).norm() > 0 ? A_1.col(j) : A_2.col(j);
    const double size = along.squaredNorm();
    if (size == 0 && force.norm() > 0) return false;
    if (size == 0) continue;                        // the multiplier combines redundant constraints
    const double factor = force.dot(along) / size;  // each constraint may have its own unit
    if (Eigen::SparseVector<double>(force - factor * along).norm() >
        FactorizationOptions().symmetry_tolerance * force.norm())
      return false;
  }
  return true;
}

/// Returns whether the given rows are independent, and the rows on rates are independent in their rates.
bool are_independent(const ConstraintRows& rows, const ConstraintLevels& levels) {
  const Vector of_rates = column_norms(rows.A_1.transpose());
  const auto n_position = static_cast<Index>((of_rates.array() == 0).count());
  return levels.n_hidden == 0 &&
         levels.n_position + static_cast<Index>(levels.redundant.rows()) == n_position;
}

/// Returns whether the forces B do no work on the allowed motions T_a.
bool forces_do_no_work(const Sparse& B, const Sparse& T_a) {
  constexpr double rounding = 1e-12;
  const Vector work = column_norms(Sparse(T_a.transpose()) * B), size = column_norms(B);
  return (work.array() <= rounding * size.array()).all();
}

}  // namespace

bool are_equal(const Sparse& A, const Sparse& B) {
  return A.size() == 0 || Sparse(A - B).norm() == 0;
}

bool is_symmetric(const Sparse& A) {
  return A.size() == 0 || EigenEngine::asymmetry(EigenMatrix(A)) <= FactorizationOptions().symmetry_tolerance;
}

ConstraintMultipliers multipliers_of(const ScaledMatrices& blocks, const KernelOptions& options) {
  const Sparse K_KK = blocks.K_KK();
  const ColumnCompression right = kernel_of_K_KK(K_KK, options),
                          left = is_symmetric(K_KK) ? right : kernel_of_K_KK(K_KK.transpose(), options);
  const auto null_columns = [&](const ColumnCompression& basis) {
    return Sparse(blocks.J_K *
                  Sparse(basis.S * unit_columns(basis.null(), static_cast<Index>(basis.S.cols()))));
  };
  ConstraintMultipliers found{null_columns(right), null_columns(left), {}, {}, {}};
  std::vector<Index> of_equations;
  found.complement_of_N = orthogonal_complement(blocks, right, found.places);
  found.complement_of_L = orthogonal_complement(blocks, left, of_equations);
  return found;
}

Attempt<Sparse> equation_basis(const ScaledMatrices& blocks, const ConstraintMultipliers& found,
                               const ConstraintRows& rows, const ConstraintLevels& levels,
                               const KernelOptions& options) {
  const auto n = static_cast<Index>(levels.T.cols());
  std::vector<Index> allowed;
  for (Index j = 0; j < n; ++j)
    if (!std::binary_search(levels.bound.begin(), levels.bound.end(), j)) allowed.push_back(j);
  const Sparse J_a = unit_columns(allowed, n), T_a = levels.T * J_a;
  const Sparse B = product_with_exact_zeros(blocks.K, found.N);
  const bool have_same_basis = are_equal(found.L, found.N);
  if (have_same_basis && forces_act_along_constraints(rows, B) && are_independent(rows, levels))
    return Sparse(T_a * J_a.transpose());
  const Sparse Z = basis_without_forces(found.complement_of_L, B, options);
  if (Z.cols() != T_a.cols())
    return Refusal(NotAvailable(
        "The constraints leave " + std::to_string(T_a.cols()) + " independent motions, but " +
        (Z.cols() < T_a.cols() ? "only " : "") + std::to_string(Z.cols()) +
        " equations do not contain forces of multipliers, so that these forces are not determined. Remove "
        "constraints that follow from others, or give multipliers whose forces do no work on the "
        "motions that the constraints allow."));
  return Sparse((have_same_basis && forces_do_no_work(B, T_a) ? T_a : Z) * J_a.transpose());
}

MultiplierForces::MultiplierForces(const ScaledMatrices& blocks, const Sparse& N,
                                   const KernelOptions& options) {
  const Sparse B = product_with_exact_zeros(blocks.K, N);
  const Vector norms = column_norms(B), scale = (norms.array() > 0).select(norms.cwiseInverse(), 1.);
  directions = N * scale.asDiagonal();
  dual = N * scale.cwiseInverse().asDiagonal();
  forces = B * scale.asDiagonal();
  force_free = kernel_basis(forces, "the forces of the multipliers", options);
}

MultiplierRecovery::MultiplierRecovery(const UnitFactors& units, const MultiplierForces& multipliers)
    : units_(units), N_(multipliers.directions), force_free_(multipliers.force_free) {
  qr_.setPivotThreshold(1e-10);
  qr_.compute(multipliers.forces);
}

Vector MultiplierRecovery::multipliers(const Vector& residual) const {
  const Vector mu = qr_.solve(Vector(units_.rows.asDiagonal() * residual));
  return units_.columns.asDiagonal() * Vector(N_ * without_force_free(mu));
}

MultiVector MultiplierRecovery::residual_weights(const MultiVector& multiplier_weights) const {
  const auto rank = qr_.rank();
  MultiVector w = MultiVector::Zero(units_.rows.size(), multiplier_weights.cols());
  const MultiVector of_mu =
      qr_.colsPermutation().transpose() *
      without_force_free(N_.transpose() * MultiVector(units_.columns.asDiagonal() * multiplier_weights));
  const Sparse R_T = Sparse(qr_.matrixR().topLeftCorner(rank, rank)).transpose();
  w.topRows(rank) = R_T.triangularView<Eigen::Lower>().solve(of_mu.topRows(rank));
  return units_.rows.asDiagonal() * MultiVector(qr_.matrixQ() * w);
}

MultiVector MultiplierRecovery::without_force_free(const MultiVector& mu) const {
  return mu - force_free_ * MultiVector(force_free_.transpose() * mu);
}

}  // namespace halfdof::internal
