// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/unit_factors.h>
#include <halfdof/linear_algebra/ranks/kernel_blocks.h>
#include <halfdof/reduction/attempt.h>
#include <halfdof/reduction/constraints/constraint_levels.h>

#include <Eigen/SPQRSupport>

#include <vector>

namespace halfdof::internal {

/// The matrices of a system on its n free DoFs, scaled to units in which their entries are near one.
struct ScaledMatrices {
  UnitFactors units;
  Eigen::SparseMatrix<double> M, C, K;
  Eigen::SparseMatrix<double> C_D, K_D;  ///< columns of constrained DoFs, which keep their units
  Eigen::SparseMatrix<double> J_K;       ///< unit columns of the algebraic DoFs
  Index size() const { return static_cast<Index>(K.rows()); }
  Eigen::SparseMatrix<double> K_KK() const { return Eigen::SparseMatrix<double>(J_K.transpose() * K) * J_K; }
};

/// The multipliers N = ker K_KK and their equations L = ker K_KK^T, with orthogonal complements.
struct ConstraintMultipliers {
  Eigen::SparseMatrix<double> N, L;             ///< free DoFs x multipliers
  Eigen::SparseMatrix<double> complement_of_N;  ///< orthonormal basis of all displacements orthogonal to N
  std::vector<Index> places;                    ///< the DoFs of the columns of `complement_of_N`
  Eigen::SparseMatrix<double> complement_of_L;  ///< orthonormal basis of all equations orthogonal to L
};

/// Computes the null vectors of K_KK on both sides.
ConstraintMultipliers multipliers_of(const ScaledMatrices& blocks, const KernelOptions& options);

/// Returns whether two matrices are equal. Eigen's norm() cannot be called for a matrix without rows or
/// columns.
bool are_equal(const Eigen::SparseMatrix<double>& A, const Eigen::SparseMatrix<double>& B);

/// Returns whether a matrix is symmetric up to FactorizationOptions::symmetry_tolerance.
bool is_symmetric(const Eigen::SparseMatrix<double>& A);

/// Returns the matrix Z of the remaining equations, with null columns for q_b. Multipliers whose forces are
/// not determined are refused.
Attempt<Eigen::SparseMatrix<double>> equation_basis(const ScaledMatrices& blocks,
                                                    const ConstraintMultipliers& found,
                                                    const ConstraintRows& rows,
                                                    const ConstraintLevels& levels,
                                                    const KernelOptions& options);

/// The multipliers N, each scaled to a force of norm one, and the combinations of multipliers that have no
/// force.
struct MultiplierForces {
  MultiplierForces(const ScaledMatrices& blocks, const Eigen::SparseMatrix<double>& N,
                   const KernelOptions& options);
  /// directions^T dual = I; forces force_free = 0
  Eigen::SparseMatrix<double> directions, dual, forces, force_free;
};

/// Recovers the multipliers that balance the residual of the equations by a QR factorization of their
/// forces. If several sets of multipliers balance the residual, the set of least norm is returned, where
/// each multiplier is weighted by the norm of its force.
class MultiplierRecovery {
 public:
  MultiplierRecovery(const UnitFactors& units, const MultiplierForces& multipliers);

  Vector multipliers(const Vector& residual) const;
  /// Applies the transpose of multipliers(). With the factorization forces P = Q R, mu = P R^{-1} Q^T
  /// residual.
  MultiVector residual_weights(const MultiVector& multiplier_weights) const;

 private:
  MultiVector without_force_free(const MultiVector& mu) const;

  UnitFactors units_;
  Eigen::SparseMatrix<double> N_, force_free_;
  Eigen::SPQR<Eigen::SparseMatrix<double>> qr_;
};

}  // namespace halfdof::internal
