// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/inclusions/inclusions.h>

namespace halfdof::internal {

/// Checks that a structure has a memory kernel, which must be linear, on one process, without prescribed
/// motions and with at least one contact. If the structure has loads, the forces on the DoFs must be given.
/// @param loads forces on the DoFs for a unit of each load, n_dofs x n_loads, or empty
/// @throws NotAvailable, InvalidInput if a condition is violated
template <class Engine>
void check_has_memory(const Inclusions<Engine>& inclusions, const MultiVector& loads);

/// Returns the components of displacements q of the free DoFs along the directions of the inclusions,
/// followed by the components along other directions. Shapes: q n_free x k, result (m + n_others) x k
template <class Engine>
MultiVector displacement_components(const Inclusions<Engine>& inclusions,
                                    const std::vector<Direction>& others, const MultiVector& q);

/// Returns displacement_components() with zeros in place of entries that are rounding errors, because their
/// terms cancel. Each entry is compared with the sizes of its own terms, so that columns and rows may have
/// different units.
template <class Engine>
MultiVector displacement_components_with_exact_zeros(const Inclusions<Engine>& inclusions,
                                                     const std::vector<Direction>& others,
                                                     const MultiVector& q);

/// Returns the forces on the free DoFs for a unit of each reaction, followed by the forces for a unit of each
/// load. Shape: n_free x (m + n_loads)
template <class Engine>
MultiVector unit_forces(const Inclusions<Engine>& inclusions, const MultiVector& loads);

}  // namespace halfdof::internal
