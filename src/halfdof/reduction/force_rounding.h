#pragma once

#include <halfdof/reduction/reduced_system.h>

namespace halfdof {

/**
 * Samples of what rounding adds to the forces on the free DoFs whose balance a state with a StateForce obeys,
 * @f[ n_i = \epsilon\, u_i \Bigl(\sum_j K_{ij} u'_j q_j + u''_i (|f_i| + |F_i|)\Bigr), @f]
 * with u, u' and u'' uniform in (-1, 1): of the size of the terms, however they cancel. What an equation
 * answers to them is what is known of its solution.
 *
 * @param F ReducedSystem::load() there; f is that without a remainder. Shape: local free DoFs x n_samples.
 * Collective.
 */
template <class Engine>
MultiVector force_rounding(const ReducedSystem<Engine>& reduced, const State& state, const Vector& F,
                           Index n_samples = 1);

}  // namespace halfdof
