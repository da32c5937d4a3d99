// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/reduction/reduced_system.h>

namespace halfdof::internal {

/**
 * Returns random samples of the rounding errors of the forces on the free DoFs in a system with a
 * StateForce,
 * @f[ n_i = \epsilon\, u_i \Bigl(\sum_j K_{ij} u'_j q_j + u''_i (|f_i| + |F_i|)\Bigr), @f]
 * with u, u' and u'' uniform in (-1, 1). The errors are of the size of the terms, also where the terms
 * cancel. The response of an equation to these samples is the uncertainty of its solution.
 *
 * @param F ReducedSystem::load() at this state; f in the formula is the load without the remainder. Shape of
 * the result: local free DoFs x n_samples. Collective.
 */
template <class Engine>
MultiVector force_rounding(const ReducedSystem<Engine>& reduced, const State& state, const Vector& F,
                           Index n_samples = 1);

}  // namespace halfdof::internal
