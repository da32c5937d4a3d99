// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>
#include <halfdof/linear_algebra/exact/exact_structure.h>
#include <halfdof/linear_algebra/ranks/rank_decision.h>

#include <optional>
#include <vector>

namespace halfdof::internal {

/**
 * A regular pencil whose infinite part is separated by orthogonal matrices U and V,
 * @f[ U^T E V = \begin{bmatrix} E_\infty & E_c \\ & E_f \end{bmatrix}, \qquad
 *     U^T A V = \begin{bmatrix} A_\infty & A_c \\ & A_f \end{bmatrix}: @f]
 * E_infinity is strictly block upper triangular and A_infinity upper triangular and regular, with diagonal
 * blocks of the sizes s_1 >= s_2 >= ... >= s_k; E_f is regular. The pencil (E_infinity, A_infinity) has all
 * infinite eigenvalues, (E_f, A_f) all finite ones.
 *
 * The sizes s_j are the Weyr characteristic at infinity: s_j Jordan blocks at infinity have at least the
 * size j, and k is the nilpotency index.
 */
struct InfiniteStaircase {
  MultiVector U, V;
  MultiVector E, A;                     ///< U^T E V and U^T A V, with exact zeros in the zero blocks
  std::vector<Index> weyr;              ///< the Weyr characteristic s_1 ... s_k
  std::vector<RankDecision> decisions;  ///< all rank decisions, in the order in which they were taken

  Index n_infinite() const;
  Index n_finite() const { return static_cast<Index>(E.rows()) - n_infinite(); }
};

/**
 * Deflates the infinite part (Van Dooren, Linear Algebra Appl. 27, 1979, restricted to regular pencils). One
 * step moves the kernel of E to the first columns by the singular value decomposition of E, and the image of
 * this kernel under A to the first rows by a QR decomposition,
 * @f[ \lambda E - A \ \to\ \begin{bmatrix} -R & \lambda E_{12} - A_{12} \\ & \lambda E' - A' \end{bmatrix}.
 * @f]
 * The next step continues with (E', A'), until E' is regular. In a regular pencil the image has the dimension
 * of the kernel, and no step finds a larger kernel than the previous one.
 *
 * An error of relative size d in (E, A) rotates the kernel by d |E| / sigma_r, and changes E' accordingly.
 * The rank decisions take into account that rounding errors grow in this way from step to step.
 *
 * @param E,A n x n, regular and balanced: entries of order one
 * @param exact The structure of (E, A) in exact arithmetic, if known. A step deflates at least as much as
 * this structure requires, and if the entries are not rounded exactly as much, whatever the singular values
 * are
 * @throws AmbiguousRank if the rank of some E' is ambiguous, or the image of its kernel is too small
 */
InfiniteStaircase infinite_staircase(ConstView<double> E, ConstView<double> A,
                                     std::optional<ExactStructure> exact);

}  // namespace halfdof::internal
