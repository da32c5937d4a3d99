// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/free_system.h>
#include <halfdof/linear_algebra/exact/exact_structure.h>

#include <optional>

namespace halfdof::internal {

/**
 * Computes the structure at infinity of the smallest_form() of a small system in exact arithmetic, with
 * the entries as they are stored. The member n_finite of the result is the degree of det P, which is
 * the number of states of any exact elimination; D is regular if and only if n_finite equals 2 N_I +
 * N_C. There is no result on several processes, or if the form is larger than exact_structure_limit.
 */
template <class Engine>
std::optional<ExactStructure> exact_structure_of(const FreeSystem<Engine>& system);

/**
 * Returns a finite eigenvalue of a small system that an elimination with n_states states has lost. If
 * the degree of det P is larger than n_states, as many eigenvalues as the difference are lost, and the
 * fastest eigenvalues count as the lost ones. The function returns a lost eigenvalue that no rounding
 * of the entries makes infinite. There is no result if rounding can make all lost eigenvalues infinite,
 * or if exact_spectrum() would take too long. For one process only.
 */
template <class Engine>
std::optional<Complex> eigenvalue_lost_by_elimination(const FreeSystem<Engine>& system, GlobalIndex n_states);

}  // namespace halfdof::internal
