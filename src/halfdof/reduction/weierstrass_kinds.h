#pragma once

#include <halfdof/reduction/weierstrass_response.h>

#include <optional>
#include <vector>

namespace halfdof {

/// Coordinates of one kind: q_f = S q~ + ..., q~ = X^T q_f, and the free DoFs at whose places they stand.
struct WeierstrassGroup {
  MultiVector X, S;  ///< n x coordinates
  std::vector<Index> places = {};
};

/**
 * The kinds of displacements w^T q_f by what forces Pi F do to them (WeierstrassCoordinates says which is
 * which), and coordinates of each. Directions S of different kinds are orthogonal, and a coordinate stands at
 * a DoF that takes part in it: where these tell the directions of a kind well apart, S is the identity there,
 * otherwise orthonormal.
 */
struct WeierstrassKinds {
  WeierstrassGroup inertial;
  WeierstrassGroup bound;  ///< their rates follow from displacements alone; they count as viscous
  WeierstrassGroup viscous;
  WeierstrassGroup algebraic;
  MultiVector Y;  ///< n_s x n_s: (q_I; q_b; q_C; q_I') of the finite part v without forces

  Index n_I() const { return static_cast<Index>(inertial.X.cols()); }
  Index n_b() const { return static_cast<Index>(bound.X.cols()); }
  Index n_C() const { return n_b() + static_cast<Index>(viscous.X.cols()); }
  Index n_K() const { return static_cast<Index>(algebraic.X.cols()); }
};

/// @return nothing where states do not show in displacements that forces Pi F leave where they are
/// @throws AmbiguousRank
std::optional<WeierstrassKinds> weierstrass_kinds(const WeierstrassResponse& response,
                                                  const KnownForces& forces);

}  // namespace halfdof
