// SPDX-License-Identifier: LGPL-2.1-or-later
#include "recovered.h"

#include <algorithm>
#include <cmath>

using namespace halfdof;

namespace {

/// Returns M q'' + C q' + K q - f - H r in all rows, including the rows of constrained nodes.
Vector residual_of_equations(const NonsmoothObservation<EigenEngine>& now, const Vector& g) {
  const AssembledSystem<EigenEngine>& assembled = now.inclusions().reduced().assembled();
  const AssembledMotion& lifted = now.lift();
  Vector rest = -assembled.load(now.time());
  assembled.M().add_product(1., lifted.acceleration, rest);
  assembled.C().add_product(1., lifted.rate, rest);
  assembled.K().add_product(1., lifted.displacement, rest);
  rest.segment(1, g.size()) -= g;
  return rest;
}

/// Returns the largest residual of the equations of the paper, node by node, relative to the largest force.
double violation_of(const Chain& chain, const RecoveredQuantities& found, const Vector& acceleration,
                    double t) {
  const Index n = chain.n();
  const Vector F = chain.force(t), masses = chain.masses();
  double largest = std::max(std::abs(found.F_0 - found.f[0]), std::abs(found.F_end - found.f[n]));
  for (Index i = 0; i < n; ++i)
    largest = std::max(largest, std::abs(masses[i] * acceleration[i + 1] -
                                         (F[i] + found.f[i] - found.f[i + 1] + found.g[i])));
  largest = std::max(largest, std::abs(found.u.sum() - found.x) * chain.k.maxCoeff());
  return largest /
         std::max({F.lpNorm<Eigen::Infinity>(), found.f.lpNorm<Eigen::Infinity>(), chain.alpha.maxCoeff()});
}

}  // namespace

RecoveredQuantities recover(const Chain& chain, const NonsmoothObservation<EigenEngine>& now) {
  const Index n = chain.n();
  const Vector& q = now.lift().displacement;
  RecoveredQuantities found;
  found.v = q.segment(1, n);
  found.x = q[n + 1];
  found.u = q.tail(n + 1) - q.head(n + 1);
  found.f = -chain.k.cwiseProduct(found.u);
  found.g.resize(n);
  const std::vector<Vector> reactions = now.reactions();
  for (Index i = 0; i < n; ++i)
    found.g[i] = reactions[static_cast<std::size_t>(i)][0];
  const Vector rest = residual_of_equations(now, found.g);
  found.F_0 = rest[0];
  found.F_end = chain.end == End::force_known ? chain.end_value(now.time()) : -rest[n + 1];
  found.violation = violation_of(chain, found, now.lift().acceleration, now.time());
  return found;
}
