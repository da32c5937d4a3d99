#pragma once

#include <halfdof/classification/classification.h>
#include <halfdof/linear_algebra/engine.h>

#include <string>
#include <vector>

namespace halfdof {

/// Where each of the n_local free columns of D stands: M for inertial, C for viscous, K for algebraic DoFs.
std::vector<ColumnSource> column_sources(const Classification& classification, Index n_local);

/// How D is factorized. `automatic` takes the block-triangular path wherever the null rows allow it.
enum class EliminationPath { automatic, block_triangular, whole };

struct EliminationOptions {
  EliminationPath path = EliminationPath::automatic;
  FactorizationOptions factorization;
  double condition_warning = 1e12;  ///< estimate above which a warning is given
  double condition_limit = 1e15;    ///< estimate above which D counts as singular
};

/// One factorized block of D: "K_KK", "C_CC", "M_II", or "D" as a whole.
struct EliminationBlock {
  std::string name;
  FactorizationReport factorization;
  double condition =
      1;  ///< estimate of the 1-norm condition number after equilibration, coarse where it is small
};

/**
 * The assembled system with its highest derivatives on one side:
 * @f[ D\,(\ddot q_I;\ \dot q_C;\ q_K) = F - C J_I v_I - K J_I q_I - K J_C q_C, \qquad
 *     D = [\,M J_I \mid C J_C \mid K J_K\,]. @f]
 * The rows of @f$D^{-1}@f$ are the matrices gamma, alpha and @f$\kappa = \beta (I - M J_I \gamma)@f$, with
 * gamma, alpha and beta of Simionatto et al., sections 2.1 to 2.3 (beta alone would leave out what the
 * accelerations found add to the algebraic rows); none of them is formed. Here column j of D stays at place
 * j, so that a solution holds a_I, q_C' and q_K at the places of their own DoFs; the permutation to the order
 * (I, C, K) is left to the selections.
 *
 * Where M has null rows wherever it has null columns, and C likewise (so it is for symmetric matrices), D is
 * block triangular,
 * @f[ D = \begin{bmatrix} M_{II} & C_{IC} & K_{IK} \\ & C_{CC} & K_{CK} \\ & & K_{KK} \end{bmatrix}, @f]
 * and three smaller factorizations do, one after the other. So they do in any other order of the kinds in
 * which no block is left below the diagonal, as where the inertia of a pore fluid acts in the rows of its
 * pressures. Otherwise D is factorized as a whole.
 *
 * Shapes: D is n x n with n the number of free DoFs. Numbering: free. Units: those of M, C, K.
 *
 * @throws SingularElimination if D is singular: dofs() lists the half DoFs that nothing holds.
 */
template <class Engine>
class MixedColumnMatrix {
 public:
  using Matrix = typename Engine::Matrix;

  MixedColumnMatrix(const FreeSystem<Engine>& system, const Classification& classification,
                    const EliminationOptions& options = {});

  /// D^{-1} b for one or several columns. Shapes: local free DoFs x k.
  MultiVector solve(ConstView<double> b) const;
  /// D^{-T} b.
  MultiVector solve_transposed(ConstView<double> b) const;

  bool is_block_triangular() const { return !parts_.empty(); }
  /// Whether it is so in the order (I, C, K): forces on the rows of masses then move no half DoF at once.
  bool is_upper_triangular() const { return is_upper_triangular_; }
  /// Largest condition number estimate of the blocks.
  double condition() const;
  /// Whether condition() is above the warning level of the options.
  bool is_badly_conditioned() const { return condition() > condition_warning_; }
  const std::vector<EliminationBlock>& blocks() const { return blocks_; }

 private:
  /// The rows of one kind: solved for its unknowns once those of the parts before are known.
  struct Part {
    Selection dofs;
    FactorizationPtr<double> factorization;  ///< null where there are none
    std::vector<Matrix> couplings;           ///< to the unknowns of each part before
  };

  void factorize_parts(const FreeSystem<Engine>& system, const EliminationOptions& options);
  void factorize_whole(const FreeSystem<Engine>& system, const EliminationOptions& options);

  Classification classification_;
  double condition_warning_;
  std::vector<Part> parts_;  ///< none where D is factorized as a whole
  bool is_upper_triangular_ = false;
  FactorizationPtr<double> D_;  ///< as a whole
  std::vector<EliminationBlock> blocks_;
};

}  // namespace halfdof
