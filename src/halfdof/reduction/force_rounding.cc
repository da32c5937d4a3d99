// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/free_system.h>
#include <halfdof/base/pseudo_random.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/force_rounding.h>
#include <halfdof/reduction/state_parts.h>

#include <limits>

namespace halfdof::internal {

template <class Engine>
MultiVector force_rounding(const ReducedSystem<Engine>& reduced, const State& state, const Vector& F,
                           Index n_samples) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  const MultiVector u = pseudo_random(reduced.free().dofs(), 3 * n_samples);
  const Vector q = displacement_states(reduced, state.y);
  const Vector loads = F.cwiseAbs() + reduced.linear_load(state.time).cwiseAbs();
  const MultiVector moved = q.asDiagonal() * u.leftCols(n_samples);
  MultiVector terms = loads.asDiagonal() * u.middleCols(n_samples, n_samples);
  reduced.free().K().add_product(1., moved, terms);
  return epsilon * terms.cwiseProduct(u.rightCols(n_samples));
}

template MultiVector force_rounding(const ReducedSystem<InstantiatedEngine>&, const State&, const Vector&,
                                    Index);

}  // namespace halfdof::internal
