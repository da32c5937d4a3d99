#pragma once

#include <halfdof/inclusions/one_step_problem.h>

#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>

#include <utility>
#include <vector>

namespace halfdof {

/**
 * Reactions that hold some directions F of many where they are told to be, in a structure whose factors have
 * little fill, like a chain or a tree:
 * @f[ \begin{pmatrix} P & H_F \\ H_F^T & 0 \end{pmatrix} \begin{pmatrix} x \\ -r \end{pmatrix}
 *     = \begin{pmatrix} 0 \\ w \end{pmatrix} \quad\Longrightarrow\quad r = W_{FF}^{-1} w, \qquad
 *     W = H^T P^{-1} H, @f]
 * without W, which is dense. One analysis serves all F: directions that are not held keep their places, with
 * r = 0. P is symmetric and positive definite, and the r_i are eliminated behind all DoFs that their
 * direction meets: then no pivot vanishes unless W_FF is singular.
 *
 * Shapes: P n x n, H n x m.
 */
class HeldDirections final : public PrincipalSolver {
 public:
  HeldDirections(const Eigen::SparseMatrix<double>& P, const Eigen::SparseMatrix<double>& H);

  bool factorize(const std::vector<Index>& held) override;
  void solve(Eigen::Ref<Vector> right) const override;

 private:
  using Sparse = Eigen::SparseMatrix<double>;
  void find_places(const Sparse& P, const Sparse& H);
  void assemble(const Sparse& P, const Sparse& H);
  Eigen::Index entry(Index i, Index j) const;

  std::vector<Index> place_of_dof_, place_of_direction_;
  Sparse K_;  ///< upper triangle, in the order of elimination
  struct Entries {
    Eigen::Index diagonal;
    std::vector<std::pair<Eigen::Index, double>> of_H;  ///< positions and values
  };
  std::vector<Entries> entries_;  ///< of each direction
  std::vector<Index> held_;
  Eigen::SimplicialLDLT<Sparse, Eigen::Upper, Eigen::NaturalOrdering<Index>> factors_;
  mutable Vector right_;
};

}  // namespace halfdof
