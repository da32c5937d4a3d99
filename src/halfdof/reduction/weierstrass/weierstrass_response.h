// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/reduction/weierstrass/weierstrass_form.h>

#include <vector>

namespace halfdof::internal {

/**
 * The response of the displacements of a second-order system to forces, from the Weierstrass form of
 * smallest_form():
 * @f[ \dot v = A_1 v + B_1 F, \qquad q = T_q v + \sum_k G_k F^{(k)}, \qquad G_k = -Q T_2 N^k Z_2 B. @f]
 * Shapes: A_1 n_s x n_s, B_1 n_s x n, T_q n x n_s, G_k n x n. Source: Dumont, Goeleven and Rochdi 2001,
 * section 2.
 */
struct WeierstrassResponse {
  explicit WeierstrassResponse(const SecondOrderWeierstrass& system);

  Index n() const { return static_cast<Index>(T_q.rows()); }
  Index n_states() const { return static_cast<Index>(A_1.rows()); }

  MultiVector A_1;  ///< state matrix; entries that are zero up to rounding of their terms are set to zero
  MultiVector B_1, T_q;
  MultiVector sizes_of_A_1;    ///< |Z_1| |A| |T_1| / rate: sums of the moduli of the terms of A_1
  std::vector<MultiVector> G;  ///< G_0, G_1, ...; at least G_0; entries that are zero up to rounding are
                               ///< set to zero
  double size_of_G = 0;        ///< norm of |Q T_2| |Z_2 B|, the moduli of the terms of G_0
  double rate = 1;             ///< the unit of the eigenvalues of the balanced pencil [1/time]
  double rounding = 0;         ///< relative rounding error of products, see WeierstrassForm::rounding()
};

/// The forces d = L^T F that must be known with their derivatives, and all other forces Pi F: F = L (L^T
/// L)^{-1} d + Pi F with the orthogonal projection Pi = I - L (L^T L)^{-1} L^T.
struct KnownForces {
  MultiVector L;           ///< linearly independent columns; unit vectors where possible
  MultiVector dual;        ///< the dual basis L (L^T L)^{-1}
  MultiVector projection;  ///< the projection Pi on the other forces
};

/// Returns the forces whose derivatives act on displacements: the smallest L with G_k Pi = 0 for all k >= 1.
KnownForces differentiated_forces(const WeierstrassResponse& response);

/// Returns the differentiated forces without any other forces.
KnownForces only_differentiated_forces(const WeierstrassResponse& response,
                                       const KnownForces& differentiated);

/// Returns the differentiated forces, and the forces that have an instantaneous effect only on displacements
/// that states determine.
KnownForces forces_on_states(const WeierstrassResponse& response, const KnownForces& differentiated);

/// Returns the differentiated forces, and all forces with an instantaneous effect on any displacement.
KnownForces forces_with_instantaneous_effect(const WeierstrassResponse& response,
                                             const KnownForces& differentiated);

/// Returns all forces as known forces.
KnownForces all_forces(const WeierstrassResponse& response, const KnownForces& differentiated);

}  // namespace halfdof::internal
