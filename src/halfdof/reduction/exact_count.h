#pragma once

#include <halfdof/assembled/free_system.h>
#include <halfdof/linear_algebra/exact/exact_structure.h>

#include <optional>

namespace halfdof {

/**
 * The structure of a small system's smallest_form() with the entries taken for what they are: n_finite is the
 * degree of det P, and so the number of states that any exact elimination leaves. D is regular if and only if
 * this is 2 N_I + N_C. Nothing on several processes, or where the form is larger than exact_structure_limit.
 */
template <class Engine>
std::optional<ExactStructure> exact_structure_of(const FreeSystem<Engine>& system);

/**
 * One of the fastest eigenvalues, by which det P of a small system has a higher degree than n_states, that
 * rounding of the entries cannot make infinite. Nothing where rounding explains all of them, or where
 * exact_spectrum() takes too long. On one process.
 */
template <class Engine>
std::optional<Complex> surely_lost(const FreeSystem<Engine>& system, GlobalIndex n_states);

}  // namespace halfdof
