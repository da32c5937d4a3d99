#pragma once

#include <halfdof/inclusions/inclusions.h>

namespace halfdof {

/// @throws NotAvailable, InvalidInput unless a structure has a memory of its own: on one process, linear,
/// without prescribed motions, with contacts, and with places for its loads. @param loads n_dofs x n_loads,
/// or empty
template <class Engine>
void check_has_memory(const Inclusions<Engine>& inclusions, const MultiVector& loads);

/// What directions see of displacements of the free DoFs: those of the inclusions, then others. Shapes: q
/// n_free x k, result (m + n_others) x k
template <class Engine>
MultiVector seen_displacements(const Inclusions<Engine>& inclusions, const std::vector<Direction>& others,
                               const MultiVector& q);

/// The same without what rounding leaves where displacements cancel: each entry beside the terms that it is
/// the sum of, so that columns and rows have units of their own.
template <class Engine>
MultiVector seen_without_rounding(const Inclusions<Engine>& inclusions, const std::vector<Direction>& others,
                                  const MultiVector& q);

/// Forces on the free DoFs for a unit of each reaction, then of each load. Shape: n_free x (m + n_loads)
template <class Engine>
MultiVector unit_forces(const Inclusions<Engine>& inclusions, const MultiVector& loads);

}  // namespace halfdof
