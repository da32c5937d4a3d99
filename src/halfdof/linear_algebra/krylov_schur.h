#pragma once

#include <halfdof/linear_algebra/invariant_subspace.h>
#include <halfdof/linear_algebra/ordered_schur_form.h>

namespace halfdof {

/**
 * A block Krylov-Schur decomposition of a linear operator (Stewart 2001; Zhou and Saad 2008),
 * @f[ A V = V H + N B, \qquad [V\ N]^H [V\ N] = I , @f]
 * with m columns in V and a block of p in N. One application of A to all of N moves it into V; a restart
 * keeps the part of V that belongs to the largest eigenvalues of H. Where N holds directions that A V does
 * not need, because the Krylov space ends, or is to begin anew, they are pseudo-random and their rows of B
 * null: copies of a multiple eigenvalue enter with them.
 *
 * Inner products are taken over the communicator of the rows, all of them between blocks. Collective.
 */
template <class Scalar>
class KrylovSchur {
 public:
  /// @param max_size Largest m. @param n_start_steps as SubspaceOptions
  KrylovSchur(const BlockOperator<Scalar>& apply, Partition rows, Index max_size, Index n_block,
              Index n_start_steps);

  Index size() const { return size_; }
  bool can_expand() const { return size_ + n_block_ <= max_size_; }
  /// Largest part that a restart may keep.
  Index largest_kept() const { return max_size_ - n_block_; }

  /// @throws InvalidInput if the operator returns what is not finite
  void expand();
  OrderedSchurForm<Scalar> schur_form(Index n_first) const;
  /// The same of what begin_anew() has led to, behind the first n_found columns of V, which are invariant:
  /// of (I - V_n V_n^H) A.
  OrderedSchurForm<Scalar> schur_form_beside(Index n_found, Index n_first) const;
  /// Norms of the columns of B Q: how far the Schur vectors V Q are from an invariant subspace.
  Vector residuals(const OrderedSchurForm<Scalar>& schur) const;
  /// Those of schur_form_beside().
  Vector residuals_beside(Index n_found, const OrderedSchurForm<Scalar>& schur) const;
  /// V becomes the first n_kept columns of V Q.
  void restart(const OrderedSchurForm<Scalar>& schur, Index n_kept);
  /// N becomes pseudo-random and B null: what B was must be negligible.
  void begin_anew();

  auto V() const { return vectors_.leftCols(size_); }

 private:
  DenseMatrix<Scalar> random_block();
  /// N = Q with W = V C + Q S. @return C above S
  DenseMatrix<Scalar> append(const DenseMatrix<Scalar>& W, Index n_before);
  DenseMatrix<Scalar> factor(View<Scalar> W, const Vector& sizes);

  const BlockOperator<Scalar>* apply_;
  Partition rows_;
  Index max_size_, n_block_, n_start_steps_;
  Index size_ = 0;
  Index n_random_ = 0;           ///< columns drawn so far
  DenseMatrix<Scalar> vectors_;  ///< [V N]
  DenseMatrix<Scalar> H_;        ///< H above B
};

}  // namespace halfdof
