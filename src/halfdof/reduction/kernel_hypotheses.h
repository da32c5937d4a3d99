#pragma once

#include <halfdof/base/types.h>

#include <iosfwd>
#include <string>
#include <vector>

namespace halfdof {

/// An assumption held against a system.
struct Hypothesis {
  std::string name;       ///< as its source numbers it: "(4.2 ii)"
  std::string statement;  ///< "ker(lambda M + C) = ker(lambda M + C^T)"
  bool holds;
  /// Above one it holds: the bound over what ought to vanish, or what ought not over its bound; zero where
  /// dimensions differ, infinite where nothing is left to chance.
  double margin;
  std::string found;              ///< dimensions that differ; otherwise ""
  std::vector<GlobalIndex> dofs;  ///< where it fails, those that take most part; at most ten
};

/**
 * The assumptions under which a system is one of N_3 = rank M equations of second order (Dumont, Goeleven and
 * Rochdi 2001, section 4), one by one, at one real lambda with @f$ \hat M_\lambda = \lambda^2 M + \lambda C +
 * K @f$ regular:
 *
 * | | | for |
 * |---|---|---|
 * | (4.1), (4.5) | ker M = ker M^T | both |
 * | (4.2 i), (4.6 i) | ker(lambda M + C) is part of ker M | both |
 * | (4.2 ii), (4.6 ii) | ker(lambda M + C) = ker(lambda M + C^T) | both |
 * | (4.2 iii) | N_1 > 0 and N_2 > 0 | Corollary 4.5 |
 * | (4.6 iii) | N_1 > 0 and N_2 = 0 | Corollary 4.6 |
 * | (4.3) | ker(lambda^2 M + K) is perpendicular to ker(lambda M + C); their sum is ker M | Corollary 4.5 |
 * | (4.4) | ker(lambda^2 M + K) = ker(lambda^2 M + K^T) | Corollary 4.5 |
 * | (H_U), (4.7) | all leading principal minors of U^T M_lambda U are nonzero | both |
 * | | K_11, C_22 and M_33 are regular | both |
 *
 * with N_1 = dim ker(lambda M + C) and N_1 + N_2 = dim ker M. (H_U) serves to make K_11 and C_22 regular, and
 * depends on the order of U; the last line is what the corollaries need. (iii) only tells the cases apart.
 */
struct KernelHypotheses {
  double lambda = 0;  ///< [1/time]
  Index N_1 = 0, N_2 = 0, N_3 = 0;
  std::vector<Hypothesis> all;

  /// "4.5", or "4.6" where N_2 = 0.
  const char* corollary() const { return N_2 > 0 ? "4.5" : "4.6"; }
  /// Whether the corollary's reduction is possible: everything but (H_U) and (iii) holds, and N_3 > 0.
  bool suffice() const;
};

/// U of the paper, orthonormal in units of kernel_coordinates(): its first n_1 columns span ker M and ker C
/// together, the first n_1 + n_2 ker M.
struct KernelBasis {
  MultiVector U;
  Index n_1, n_2;
};

/**
 * @param M,C,K n x n @param basis of them @param lambda [1/time]; the hypotheses say whether it will do
 * DoFs are numbered as rows and columns of the matrices.
 * @throws AmbiguousRank if a kernel is not clear
 */
KernelHypotheses kernel_hypotheses(ConstView<double> M, ConstView<double> C, ConstView<double> K,
                                   const KernelBasis& basis, double lambda);

/// A table for people.
std::ostream& operator<<(std::ostream& out, const KernelHypotheses& hypotheses);

}  // namespace halfdof
