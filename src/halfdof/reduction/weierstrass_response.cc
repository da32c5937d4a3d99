#include <halfdof/linear_algebra/dense_parts.h>
#include <halfdof/reduction/weierstrass_directions.h>
#include <halfdof/reduction/weierstrass_response.h>

namespace halfdof {

namespace {

/// @param L columns that span those forces
KnownForces known_forces(const MultiVector& L) {
  const Index n = static_cast<Index>(L.rows());
  // Single equations stay what they are.
  const MultiVector there = L(telling_rows(L), Eigen::all);
  MultiVector basis = least_squares(there.transpose(), L.transpose()).transpose();
  basis = without_rounding(basis, largest_entry(basis));
  MultiVector gram = basis.transpose() * basis;
  gram.diagonal().setZero();
  if (!gram.isZero(0.)) basis = split_range(basis, basis.norm(), "the forces that have to be known").range;
  return {basis, without_rounding(MultiVector::Identity(n, n) - basis * basis.transpose(), 1.)};
}

}  // namespace

WeierstrassResponse::WeierstrassResponse(const SecondOrderWeierstrass& system)
    : A_1(system.weierstrass.A_1()),
      B_1(system.weierstrass.Z_1() * system.first_order.B),
      T_q(system.first_order.Q * system.weierstrass.T_1()),
      rate(system.weierstrass.balance().rate) {
  const MultiVector Q_T_2 = system.first_order.Q * system.weierstrass.T_2();
  for (const MultiVector& image : nilpotent_images(system.weierstrass, system.first_order.B)) {
    const double size = Q_T_2.norm() * image.norm();
    if (G.empty()) size_of_G = size;
    G.push_back(without_rounding(-(Q_T_2 * image), size));
  }
  if (G.empty()) G.push_back(MultiVector::Zero(n(), n()));
}

KnownForces differentiated_forces(const WeierstrassResponse& response) {
  const Index n = response.n(), n_higher = static_cast<Index>(response.G.size()) - 1;
  MultiVector higher(n, n_higher * n);  // transposed, side by side, each relative to its size
  for (Index k = 0; k < n_higher; ++k) {
    const MultiVector& G = response.G[static_cast<std::size_t>(k) + 1];
    const double size = largest_entry(G);
    higher.middleCols(k * n, n) = G.transpose() / (size > 0 ? size : 1.);
  }
  return known_forces(split_range(higher, higher.norm(), "the response to derivatives of forces").range);
}

KnownForces forces_on_states(const WeierstrassResponse& response, const KnownForces& differentiated) {
  const MultiVector G_0 = response.G[0] * differentiated.projection;
  const MultiVector forces =
      split_range(G_0.transpose(), response.size_of_G, "the forces that displacements follow at once").range;
  const MultiVector off_states =
      split_range(response.T_q, response.T_q.norm(), "the displacements of states").rest.transpose() * G_0 *
      forces;
  const MultiVector more =
      forces * split_range(off_states.transpose(), response.size_of_G, "what forces move beside states").rest;
  return known_forces(beside({differentiated.L, more}));
}

}  // namespace halfdof
