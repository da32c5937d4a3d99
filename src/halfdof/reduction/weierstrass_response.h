#pragma once

#include <halfdof/reduction/first_order_form.h>

#include <vector>

namespace halfdof {

/**
 * How displacements of a second-order system answer forces, by the Weierstrass form of smallest_form():
 * @f[ \dot v = A_1 v + B_1 F, \qquad q = T_q v + \sum_k G_k F^{(k)}, \qquad G_k = -Q T_2 N^k Z_2 B. @f]
 * Shapes: A_1 n_s x n_s, B_1 n_s x n, T_q n x n_s, G_k n x n. Source: Dumont, Goeleven and Rochdi 2001,
 * section 2.
 */
struct WeierstrassResponse {
  explicit WeierstrassResponse(const SecondOrderWeierstrass& system);

  Index n() const { return static_cast<Index>(T_q.rows()); }
  Index n_states() const { return static_cast<Index>(A_1.rows()); }

  MultiVector A_1;  ///< without entries that rounding of their terms does not tell from zero
  MultiVector B_1, T_q;
  MultiVector sizes_of_A_1;    ///< |Z_1| |A| |T_1| / rate: sums of the terms of A_1 without their signs
  std::vector<MultiVector> G;  ///< one at least; without rounding of zeros
  double size_of_G = 0;        ///< norm of |Q T_2| |Z_2 B|: of the terms of G_0 without their signs
  double rate = 1;             ///< of the balanced pencil [1/time]
  double rounding = 0;         ///< of products, relative to the sizes of their terms
};

/// Forces L^T F that have to be known with their derivatives, and Pi = I - L L^T, which leaves the others
/// alone.
struct KnownForces {
  MultiVector L;           ///< orthonormal columns; single equations where that can be
  MultiVector projection;  ///< Pi
};

/// Those to whose derivatives displacements answer: the smallest L with G_k Pi = 0 for all k >= 1.
KnownForces differentiated_forces(const WeierstrassResponse& response);

/// These alone.
KnownForces no_more_forces(const WeierstrassResponse& response, const KnownForces& differentiated);

/// Beside these those that move at once what states move, too.
KnownForces forces_on_states(const WeierstrassResponse& response, const KnownForces& differentiated);

/// Beside these all that move a displacement at once.
KnownForces forces_without_delay(const WeierstrassResponse& response, const KnownForces& differentiated);

/// All there are.
KnownForces all_forces(const WeierstrassResponse& response, const KnownForces& differentiated);

}  // namespace halfdof
