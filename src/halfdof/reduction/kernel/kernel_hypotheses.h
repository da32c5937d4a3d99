// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

#include <iosfwd>
#include <string>
#include <vector>

namespace halfdof::internal {

/// A mathematical assumption of the paper, and whether a system satisfies it.
struct Hypothesis {
  std::string name;       ///< number of the assumption in the paper: "(4.2 ii)"
  std::string statement;  ///< the assumption as text: "ker(lambda M + C) = ker(lambda M + C^T)"
  bool holds;
  /// The hypothesis holds if this ratio is above one. For a quantity that has to vanish, the ratio is
  /// bound/quantity; for a quantity that must not vanish, it is quantity/bound. The ratio is zero if
  /// dimensions differ, and infinite if the quantity vanishes exactly or if the hypothesis concerns
  /// integers only.
  double margin;
  std::string found;              ///< dimensions that differ; empty if no dimensions differ
  std::vector<GlobalIndex> dofs;  ///< if the hypothesis fails, the DoFs with the largest entries in the
                                  ///< vectors that violate it; at most ten
};

/**
 * The assumptions under which a system can be written as N_3 = rank M equations of second order (Dumont,
 * Goeleven and Rochdi 2001, section 4). Each is checked at one real lambda with
 * @f$ \hat M_\lambda = \lambda^2 M + \lambda C + K @f$ regular:
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
 * with N_1 = dim ker(lambda M + C) and N_1 + N_2 = dim ker M. The purpose of (H_U) is that K_11 and C_22
 * are regular, but (H_U) depends on the order of the columns of U; the corollaries need only the last line.
 * Hypothesis (iii) only distinguishes the two cases.
 */
struct KernelHypotheses {
  double lambda = 0;  ///< [1/time]
  Index N_1 = 0, N_2 = 0, N_3 = 0;
  std::vector<Hypothesis> all;

  /// Returns the number of the corollary that applies: "4.5", or "4.6" if N_2 = 0.
  const char* corollary() const { return N_2 > 0 ? "4.5" : "4.6"; }
  /// Returns whether the reduction of the corollary is possible: all hypotheses except (H_U) and (iii)
  /// hold, and N_3 > 0.
  bool suffice() const;
};

/// The basis U of the paper, orthonormal in the units of kernel_coordinates(): its first n_1 columns span
/// the intersection of ker M and ker C, its first n_1 + n_2 columns span ker M.
struct KernelBasis {
  MultiVector U;
  Index n_1, n_2;
};

/**
 * Checks all hypotheses for given matrices. DoFs are numbered as rows and columns of the matrices.
 * @param M,C,K n x n @param basis KernelBasis of these matrices
 * @param lambda [1/time]; the first hypothesis states whether P(lambda) is regular for this value
 * @throws AmbiguousRank if a kernel is ambiguous
 */
KernelHypotheses kernel_hypotheses(ConstView<double> M, ConstView<double> C, ConstView<double> K,
                                   const KernelBasis& basis, double lambda);

/// Prints each hypothesis in one line: whether it holds, its margin, and DoFs.
std::ostream& operator<<(std::ostream& out, const KernelHypotheses& hypotheses);

}  // namespace halfdof::internal
