// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/inclusions/one_step_problem.h>

#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>

#include <utility>
#include <vector>

namespace halfdof::internal {

/**
 * Computes the reactions r that impose given rates or gaps w on a set F of directions, by a sparse L D L^T
 * factorization of a saddle point matrix. The solver is meant for structures whose factors have little
 * fill-in, such as a chain or a tree:
 * @f[ \begin{pmatrix} P & H_F \\ H_F^T & 0 \end{pmatrix} \begin{pmatrix} x \\ -r \end{pmatrix}
 *     = \begin{pmatrix} 0 \\ w \end{pmatrix} \quad\Longrightarrow\quad r = W_{FF}^{-1} w, \qquad
 *     W = H^T P^{-1} H, @f]
 * without forming the dense Delassus matrix W of the step matrix P. One symbolic analysis serves all sets F:
 * the matrix keeps a row for each direction that is not in F, with the equation r = 0. P is symmetric and
 * positive definite, and each r_i is eliminated after all DoFs on which its direction acts, so that no pivot
 * vanishes unless W_FF is singular.
 *
 * Shapes: P n x n, H n x m.
 */
class SaddlePointSolver final : public PrincipalSolver {
 public:
  SaddlePointSolver(const Eigen::SparseMatrix<double>& P, const Eigen::SparseMatrix<double>& H);

  bool factorize(const std::vector<Index>& held) override;
  void solve(Eigen::Ref<Vector> right) const override;

 private:
  using Sparse = Eigen::SparseMatrix<double>;
  void number_unknowns(const Sparse& P, const Sparse& H);
  void assemble(const Sparse& P, const Sparse& H);
  Eigen::Index entry(Index i, Index j) const;

  std::vector<Index> place_of_dof_, place_of_direction_;
  Sparse K_;  ///< upper triangle of the saddle point matrix, in the order of elimination
  struct Entries {
    Eigen::Index diagonal;
    std::vector<std::pair<Eigen::Index, double>> of_H;  ///< entries of H: positions in K_ and values
  };
  std::vector<Entries> entries_;  ///< for each direction, the positions of its entries in K_
  std::vector<Index> held_;
  Eigen::SimplicialLDLT<Sparse, Eigen::Upper, Eigen::NaturalOrdering<Index>> factors_;
  mutable Vector right_;
};

}  // namespace halfdof::internal
