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
 * Of a small system whose entries have more finite eigenvalues than states are left, one of the others, the
 * fastest, that rounding of the entries does not make infinite. Nothing where rounding explains all of them,
 * or the eigenvalues of the entries take more than half a second.
 */
template <class Engine>
std::optional<Complex> surely_lost(const FreeSystem<Engine>& system, GlobalIndex n_states);

}  // namespace halfdof
