#pragma once

#include <halfdof/assembled/free_system.h>
#include <halfdof/linear_algebra/exact/exact_structure.h>
#include <halfdof/reduction/reduced_system.h>

#include <optional>

namespace halfdof {

/**
 * The structure of a small system's smallest_form() with the entries taken for what they are: n_finite is the
 * degree of det P, and so the number of states that any exact elimination leaves. D is regular if and only if
 * this is 2 N_I + N_C. Nothing on several processes, or where the form is larger than exact_structure_limit.
 */
template <class Engine>
std::optional<ExactStructure> exact_structure_of(const FreeSystem<Engine>& system);

/// Whether the number of states follows from the columns that are not null, none dropped, and a D that is
/// regular without doubt.
template <class Engine>
bool is_surely_counted(const ReducedSystem<Engine>& reduced) {
  return reduced.method() == ReductionMethod::null_columns &&
         reduced.classification().n_dropped_columns() == 0 && !reduced.elimination().is_badly_conditioned();
}

}  // namespace halfdof
