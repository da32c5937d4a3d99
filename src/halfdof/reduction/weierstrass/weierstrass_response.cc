// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/constants.h>
#include <halfdof/linear_algebra/ranks/dense_parts.h>
#include <halfdof/reduction/weierstrass/pencil_balance.h>
#include <halfdof/reduction/weierstrass/weierstrass_load.h>
#include <halfdof/reduction/weierstrass/weierstrass_response.h>

namespace halfdof::internal {

namespace {

/// Returns KnownForces for the range of the columns of `forces`. @param rounding Relative error of `forces`
KnownForces known_forces(const MultiVector& forces, double rounding) {
  const Index n = static_cast<Index>(forces.rows());
  // L is the identity in the chosen rows, so that a force on a single equation remains a unit vector.
  const MultiVector chosen_rows = forces(independent_rows(forces), Eigen::all);
  MultiVector L = least_squares(chosen_rows.transpose(), forces.transpose()).transpose();
  L = with_exact_zeros(L, rounding * largest_entry(L));
  MultiVector dual = least_squares(L, MultiVector::Identity(n, n)).transpose();
  dual = with_exact_zeros(dual, rounding * largest_entry(dual));
  return {L, dual, with_exact_zeros(MultiVector::Identity(n, n) - dual * L.transpose(), rounding)};
}

/// Returns a basis of the forces, other than the known forces, that have an instantaneous effect on
/// displacements.
MultiVector range_with_instantaneous_effect(const WeierstrassResponse& response, const KnownForces& known) {
  const MultiVector G_0 = response.G[0] * known.projection;
  return split_range(G_0.transpose(), response.size_of_G, response.rounding,
                     "the instantaneous response of displacements to forces")
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
  // Small entries are set to zero, because for displacements that do not depend on T_2, rounding errors
  // would act like responses to derivatives of forces.
  const Vector zero_thresholds = rounding * system.first_order.Q.cwiseAbs() * T_2.rowwise().norm();
  Q_T_2 = (Q_T_2.cwiseAbs().array() > zero_thresholds.replicate(1, Q_T_2.cols()).array()).select(Q_T_2, 0.);
  for (const MultiVector& image : nilpotent_images(system.weierstrass, system.first_order.B)) {
    const double size = (Q_T_2.cwiseAbs() * image.cwiseAbs()).norm();
    if (G.empty()) size_of_G = size;
    G.push_back(with_exact_zeros(-(Q_T_2 * image), rounding * size));
  }
  if (G.empty()) G.push_back(MultiVector::Zero(n(), n()));
}

KnownForces differentiated_forces(const WeierstrassResponse& response) {
  const Index n = response.n(), n_higher = static_cast<Index>(response.G.size()) - 1;
  MultiVector higher(n, n_higher * n);  // G_k^T for k >= 1 side by side, each relative to its largest entry
  for (Index k = 0; k < n_higher; ++k) {
    const MultiVector& G = response.G[static_cast<std::size_t>(k) + 1];
    const double size = largest_entry(G);
    higher.middleCols(k * n, n) = G.transpose() / (size > 0 ? size : 1.);
  }
  return known_forces(
      split_range(higher, higher.norm(), response.rounding, "the response to derivatives of forces").range,
      response.rounding);
}

KnownForces only_differentiated_forces(const WeierstrassResponse&, const KnownForces& differentiated) {
  return differentiated;
}

KnownForces forces_on_states(const WeierstrassResponse& response, const KnownForces& differentiated) {
  const MultiVector G_0 = response.G[0] * differentiated.projection,
                    forces = range_with_instantaneous_effect(response, differentiated);
  const MultiVector response_beside_states =
      split_range(response.T_q, response.T_q.norm(), response.rounding, "the displacements of states")
          .rest.transpose() *
      G_0 * forces;
  const MultiVector more =
      forces * split_range(response_beside_states.transpose(), response.size_of_G, response.rounding,
                           "the instantaneous response of the displacements that states do not determine")
                   .rest;
  return known_forces(side_by_side({differentiated.L, more}), response.rounding);
}

KnownForces forces_with_instantaneous_effect(const WeierstrassResponse& response,
                                             const KnownForces& differentiated) {
  return known_forces(
      side_by_side({differentiated.L, range_with_instantaneous_effect(response, differentiated)}),
      response.rounding);
}

KnownForces all_forces(const WeierstrassResponse& response, const KnownForces&) {
  const Index n = response.n();
  const MultiVector I = MultiVector::Identity(n, n);
  return {I, I, MultiVector::Zero(n, n)};
}

}  // namespace halfdof::internal
