// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/linear_algebra/dense/ordered_schur_form.h>
#include <halfdof/linear_algebra/krylov/invariant_subspace.h>

namespace halfdof::internal {

/**
 * A block Krylov-Schur decomposition of a linear operator (Stewart 2001; Zhou and Saad 2008),
 * @f[ A V = V H + N B, \qquad [V\ N]^H [V\ N] = I , @f]
 * with m columns in V and a block of p columns in N. H is the projection of A onto the span of V, and N B is
 * the residual. An expansion applies A to all columns of N once and appends N to V; a restart keeps the part
 * of V that belongs to the largest eigenvalues of H. If the Krylov space is exhausted or is to be restarted
 * with new vectors, columns of N are pseudo-random, and their rows of B are null. Such columns make it
 * possible to find further copies of multiple eigenvalues.
 *
 * Inner products are computed between blocks, over the communicator of the rows. Collective.
 */
template <class Scalar>
class KrylovSchur {
 public:
  /// @param max_size Largest number m of columns of V
  /// @param n_start_steps See SubspaceOptions
  KrylovSchur(const BlockOperator<Scalar>& apply, Partition rows, Index max_size, Index n_block,
              Index n_start_steps);

  Index size() const { return size_; }
  bool can_expand() const { return size_ + n_block_ <= max_size_; }
  /// Returns the largest number of columns of V that a restart may keep.
  Index largest_kept() const { return max_size_ - n_block_; }

  /// Appends N to V and computes a new block N by one application of A. @throws InvalidInput if the operator
  /// returns infinity or NaN
  void expand();
  /// Returns the Schur form of H, with the n_first largest eigenvalues first.
  OrderedSchurForm<Scalar> schur_form(Index n_first) const;
  /// Returns the Schur form of the trailing block of H that belongs to the columns of V added since the last
  /// call of start_new_block(). The first n_found columns V_n of V span an invariant subspace; the trailing
  /// block is the projection of the operator (I - V_n V_n^H) A.
  OrderedSchurForm<Scalar> schur_form_of_complement(Index n_found, Index n_first) const;
  /// Returns the norms of the columns of B Q, which are the residuals of the Schur vectors V Q.
  Vector residuals(const OrderedSchurForm<Scalar>& schur) const;
  /// Returns the residuals of the Schur vectors of schur_form_of_complement().
  Vector residuals_of_complement(Index n_found, const OrderedSchurForm<Scalar>& schur) const;
  /// Replaces V by the first n_kept columns of V Q.
  void restart(const OrderedSchurForm<Scalar>& schur, Index n_kept);
  /// Replaces N by pseudo-random columns and sets B to zero. B must be negligible before the call.
  void start_new_block();

  auto V() const { return vectors_.leftCols(size_); }

 private:
  DenseMatrix<Scalar> random_block();
  /// Orthonormalizes the columns of a block W against each other and against the first n_before columns of V,
  /// so that W = V C + Q S with orthonormal Q and upper triangular S, and sets N = Q.
  /// @return C stacked on S
  DenseMatrix<Scalar> append(const DenseMatrix<Scalar>& W, Index n_before);
  DenseMatrix<Scalar> orthonormalize_columns(View<Scalar> W, const Vector& sizes);

  const BlockOperator<Scalar>* apply_;
  Partition rows_;
  Index max_size_, n_block_, n_start_steps_;
  Index size_ = 0;
  Index n_random_ = 0;           ///< number of pseudo-random columns generated so far
  DenseMatrix<Scalar> vectors_;  ///< the columns of V, followed by the columns of N
  DenseMatrix<Scalar> H_;        ///< H, with the rows of B below
};

}  // namespace halfdof::internal
