// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/reduction/weierstrass/weierstrass_response.h>

#include <optional>
#include <vector>

namespace halfdof::internal {

/// The coordinates q~ of one kind: q~ = X^T q_f, and S q~ is the part of the displacements q_f that belongs
/// to these coordinates. places[k] is the free DoF whose number coordinate k takes.
struct WeierstrassGroup {
  MultiVector X, S;  ///< n x coordinates
  std::vector<Index> places = {};
};

/**
 * The kinds of displacements w^T q_f, which depend on the effect of forces Pi F (see
 * WeierstrassCoordinates), and coordinates of each kind. Directions S of different kinds are orthogonal,
 * and a coordinate takes the number of a DoF on which its direction is not zero. If the directions of a
 * kind are well conditioned on these DoFs, S is the identity on the DoFs; otherwise S is orthonormal.
 */
struct WeierstrassKinds {
  WeierstrassGroup inertial;
  WeierstrassGroup
      rate_constrained;  ///< coordinates whose rates depend only on displacements; they count as viscous
  WeierstrassGroup viscous;
  WeierstrassGroup algebraic;
  MultiVector Y;  ///< n_s x n_s: maps the finite part v to (q_I; q_b; q_C; q_I') without forces

  Index n_I() const { return static_cast<Index>(inertial.X.cols()); }
  Index n_b() const { return static_cast<Index>(rate_constrained.X.cols()); }
  Index n_C() const { return n_b() + static_cast<Index>(viscous.X.cols()); }
  Index n_K() const { return static_cast<Index>(algebraic.X.cols()); }
};

/// Determines the kinds and the coordinates of each kind. @return no value if displacements without
/// instantaneous effect of forces Pi F, and the rates of these displacements, do not determine all states
/// @throws AmbiguousRank
std::optional<WeierstrassKinds> weierstrass_kinds(const WeierstrassResponse& response,
                                                  const KnownForces& forces);

}  // namespace halfdof::internal
