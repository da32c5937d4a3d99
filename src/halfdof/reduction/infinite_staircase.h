#pragma once

#include <halfdof/base/types.h>
#include <halfdof/linear_algebra/exact/exact_structure.h>
#include <halfdof/linear_algebra/rank_decision.h>

#include <optional>
#include <vector>

namespace halfdof {

/**
 * A regular pencil with its infinite part split off by orthogonal matrices U and V,
 * @f[ U^T E V = \begin{bmatrix} E_\infty & E_c \\ & E_f \end{bmatrix}, \qquad
 *     U^T A V = \begin{bmatrix} A_\infty & A_c \\ & A_f \end{bmatrix}: @f]
 * E_infinity is strictly block upper triangular and A_infinity upper triangular and regular, with diagonal
 * blocks of the sizes s_1 >= s_2 >= ... >= s_k; E_f is regular. (E_infinity, A_infinity) holds all infinite
 * eigenvalues, (E_f, A_f) all finite ones.
 *
 * s is the Weyr characteristic at infinity: s_j Jordan blocks at infinity have at least the size j, and k is
 * the nilpotency index.
 */
struct InfiniteStaircase {
  MultiVector U, V;
  MultiVector E, A;  ///< U^T E V and U^T A V, the zeros above exact
  std::vector<Index> weyr;
  std::vector<RankDecision> decisions;  ///< all that were made, in their order

  Index n_infinite() const;
  Index n_finite() const { return static_cast<Index>(E.rows()) - n_infinite(); }
};

/**
 * Deflates the infinite part (Van Dooren, Linear Algebra Appl. 27, 1979, restricted to regular pencils). One
 * step turns the kernel of E to the front by the singular value decomposition of E, and the image of that
 * kernel under A to the top by a QR decomposition,
 * @f[ \lambda E - A \ \to\ \begin{bmatrix} -R & \lambda E_{12} - A_{12} \\ & \lambda E' - A' \end{bmatrix},
 * @f] and the next goes on with (E', A') until E' is regular. Of a regular pencil the image is as large as
 * the kernel, and no step finds a larger kernel than the one before.
 *
 * An error of relative size d in (E, A) turns the kernel by d |E| / sigma_r, and E' with it: rank decisions
 * reckon with what has become of rounding after so many steps.
 *
 * @param E,A n x n, regular and balanced: entries of order one
 * @param exact structure of (E, A) where it is known: no step deflates less than it, and, unless entries are
 * rounded, none more, whatever the singular values are
 * @throws AmbiguousRank if the rank of some E' is not clear, or the image of its kernel is too small
 */
InfiniteStaircase infinite_staircase(ConstView<double> E, ConstView<double> A,
                                     std::optional<ExactStructure> exact);

}  // namespace halfdof
