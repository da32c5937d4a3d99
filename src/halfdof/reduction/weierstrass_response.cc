#include <halfdof/base/unit_roundoff.h>
#include <halfdof/linear_algebra/dense_parts.h>
#include <halfdof/reduction/weierstrass_directions.h>
#include <halfdof/reduction/weierstrass_response.h>

namespace halfdof {

namespace {

/// @param L columns that span those forces @param rounding relative, of L
KnownForces known_forces(const MultiVector& L, double rounding) {
  const Index n = static_cast<Index>(L.rows());
  // Single equations stay what they are.
  const MultiVector there = L(telling_rows(L), Eigen::all);
  MultiVector basis = least_squares(there.transpose(), L.transpose()).transpose();
  basis = without_rounding(basis, rounding * largest_entry(basis));
  MultiVector gram = basis.transpose() * basis;
  gram.diagonal().setZero();
  if (!gram.isZero(0.))
    basis = split_range(basis, basis.norm(), rounding, "the forces that have to be known").range;
  return {basis, without_rounding(MultiVector::Identity(n, n) - basis * basis.transpose(), rounding)};
}

/// Of the others, those that displacements follow at once.
MultiVector range_without_delay(const WeierstrassResponse& response, const KnownForces& known) {
  const MultiVector G_0 = response.G[0] * known.projection;
  return split_range(G_0.transpose(), response.size_of_G, response.rounding,
                     "the forces that displacements follow at once")
      .range;
}

}  // namespace

WeierstrassResponse::WeierstrassResponse(const SecondOrderWeierstrass& system)
    : A_1(system.weierstrass.A_1()),
      B_1(system.weierstrass.Z_1() * system.first_order.B),
      T_q(system.first_order.Q * system.weierstrass.T_1()),
      sizes_of_A_1(system.weierstrass.Z_1().cwiseAbs() * system.first_order.A.cwiseAbs() *
                   system.weierstrass.T_1().cwiseAbs() / system.weierstrass.balance().rate),
      rate(system.weierstrass.balance().rate),
      rounding(system.weierstrass.rounding()) {
  const MultiVector of_zeros =
      unit_roundoff * static_cast<double>(system.first_order.A.rows()) * rate * sizes_of_A_1;
  A_1 = (A_1.cwiseAbs().array() > of_zeros.array()).select(A_1, 0.);
  const MultiVector T_2 = system.weierstrass.T_2();
  MultiVector Q_T_2 = system.first_order.Q * T_2;
  // Where displacements do not see T_2, rounding would make responses to derivatives of forces.
  const Vector unseen = rounding * system.first_order.Q.cwiseAbs() * T_2.rowwise().norm();
  Q_T_2 = (Q_T_2.cwiseAbs().array() > unseen.replicate(1, Q_T_2.cols()).array()).select(Q_T_2, 0.);
  for (const MultiVector& image : nilpotent_images(system.weierstrass, system.first_order.B)) {
    const double size = (Q_T_2.cwiseAbs() * image.cwiseAbs()).norm();
    if (G.empty()) size_of_G = size;
    G.push_back(without_rounding(-(Q_T_2 * image), rounding * size));
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
  return known_forces(
      split_range(higher, higher.norm(), response.rounding, "the response to derivatives of forces").range,
      response.rounding);
}

KnownForces no_more_forces(const WeierstrassResponse&, const KnownForces& differentiated) {
  return differentiated;
}

KnownForces forces_on_states(const WeierstrassResponse& response, const KnownForces& differentiated) {
  const MultiVector G_0 = response.G[0] * differentiated.projection,
                    forces = range_without_delay(response, differentiated);
  const MultiVector off_states =
      split_range(response.T_q, response.T_q.norm(), response.rounding, "the displacements of states")
          .rest.transpose() *
      G_0 * forces;
  const MultiVector more = forces * split_range(off_states.transpose(), response.size_of_G, response.rounding,
                                                "what forces move beside states")
                                        .rest;
  return known_forces(beside({differentiated.L, more}), response.rounding);
}

KnownForces forces_without_delay(const WeierstrassResponse& response, const KnownForces& differentiated) {
  return known_forces(beside({differentiated.L, range_without_delay(response, differentiated)}),
                      response.rounding);
}

KnownForces all_forces(const WeierstrassResponse& response, const KnownForces&) {
  const Index n = response.n();
  return {MultiVector::Identity(n, n), MultiVector::Zero(n, n)};
}

}  // namespace halfdof
