// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/free_system.h>
#include <halfdof/classification/classification.h>
#include <halfdof/linear_algebra/engine.h>
#include <halfdof/reduction/attempt.h>
#include <halfdof/reduction/reduction_options.h>

#include <optional>
#include <string>
#include <vector>

namespace halfdof::internal {

/// Returns the matrix from which each of the n_local columns of D is taken: M for inertial, C for
/// viscous, K for algebraic DoFs.
std::vector<ColumnSource> column_sources(const Classification& classification, Index n_local);

template <class Engine>
struct SingularBlock;

/// One factorized block of D: "K_KK", "C_CC", "M_II", or "D" as a whole.
struct EliminationBlock {
  std::string name;
  FactorizationReport factorization;
  /// Estimate of the 1-norm condition number after equilibration; it is coarse if the number is small.
  double condition = 1;
};

/**
 * The mixed-column matrix D of the highest derivatives in the assembled system:
 * @f[ D\,(\ddot q_I;\ \dot q_C;\ q_K) = F - C J_I v_I - K J_I q_I - K J_C q_C, \qquad
 *     D = [\,M J_I \mid C J_C \mid K J_K\,]. @f]
 * The rows of @f$D^{-1}@f$ are the matrices gamma, alpha and @f$\kappa = \beta (I - M J_I \gamma)@f$, with
 * gamma, alpha and beta of Simionatto et al., sections 2.1 to 2.3 (beta by itself omits the inertia forces in
 * the algebraic rows); none of them is formed. In this class, column j of D belongs to DoF j: a solution
 * holds a_I, q_C' and q_K in the free numbering, and the selections permute it to the order (I, C, K) where
 * needed.
 *
 * If each DoF with a null column in M also has a null row in M, and likewise in C (always true for symmetric
 * matrices), D is block triangular,
 * @f[ D = \begin{bmatrix} M_{II} & C_{IC} & K_{IK} \\ & C_{CC} & K_{CK} \\ & & K_{KK} \end{bmatrix}, @f]
 * and three smaller factorizations suffice, one for each kind. The same is true for any other order of the
 * kinds in which all blocks below the diagonal are zero, for example if the inertia of a pore fluid acts in
 * the rows of its pressures. Otherwise D is factorized as a whole.
 *
 * Shapes: D is n x n with n the number of free DoFs. Numbering: free. Units: those of M, C, K.
 */
template <class Engine>
class MixedColumnMatrix {
 public:
  using Matrix = typename Engine::Matrix;

  /// Factorizes D. The attempt is refused with a SingularElimination if D is singular, where dofs()
  /// lists the DoFs of its null vectors, and with NotAvailable if D is not block triangular although
  /// the options require it.
  static Attempt<MixedColumnMatrix> factorized(const FreeSystem<Engine>& system,
                                               const Classification& classification,
                                               const EliminationOptions& options = {});

  /// Computes D^{-1} b for one or several columns. Shapes: local free DoFs x k.
  MultiVector solve(ConstView<double> b) const;
  /// Computes D^{-T} b for one or several columns. Shapes: local free DoFs x k.
  MultiVector solve_transposed(ConstView<double> b) const;

  bool is_block_triangular() const { return !parts_.empty(); }
  /// Returns whether D is block triangular in the order (I, C, K). If so, forces in the rows of inertial
  /// DoFs have no instantaneous effect on half DoFs.
  bool is_upper_triangular() const { return is_upper_triangular_; }
  /// The largest condition number estimate of the blocks.
  double condition() const;
  /// Returns whether condition() is above the warning level of the options.
  bool is_badly_conditioned() const { return condition() > condition_warning_; }
  const std::vector<EliminationBlock>& blocks() const { return blocks_; }

 private:
  /// The rows of one kind of DoFs. Block substitution solves these rows for their unknowns after the
  /// rows of all preceding parts.
  struct Part {
    Selection dofs;
    FactorizationPtr<double> factorization;  ///< null if the part is empty
    std::vector<Matrix> couplings;           ///< coupling blocks with the unknowns of each preceding
                                             ///< part
  };

  MixedColumnMatrix(const Classification& classification, double condition_warning)
      : classification_(classification), condition_warning_(condition_warning) {}

  /// Factorizes a block and appends its description to blocks_. The result is a null pointer if the
  /// block is empty.
  Attempt<FactorizationPtr<double>> factorize(const FreeSystem<Engine>& system,
                                              const SingularBlock<Engine>& block,
                                              const EliminationOptions& options);
  std::optional<Refusal> factorize_parts(const FreeSystem<Engine>& system, const EliminationOptions& options);
  std::optional<Refusal> factorize_whole(const FreeSystem<Engine>& system, const EliminationOptions& options);

  Classification classification_;
  double condition_warning_;
  std::vector<Part> parts_;  ///< empty if D is factorized as a whole
  bool is_upper_triangular_ = false;
  FactorizationPtr<double> D_;  ///< factorization of D as a whole
  std::vector<EliminationBlock> blocks_;
};

}  // namespace halfdof::internal
