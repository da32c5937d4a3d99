// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/dealii/constraint_relations.h>

#include <string>
#include <vector>

namespace halfdof {

/**
 * Returns a warning about DoFs that are not constrained, although their rows look like those of constrained
 * DoFs in deal.II: in every matrix they contain nothing but a diagonal, which is not zero in the stiffness
 * matrix and in the mass matrix (in the damping matrix if there is no mass matrix). This happens if matrices
 * were assembled with AffineConstraints that were not given to the library. DoFs are not counted if their
 * rows have places for other entries and all these places are in columns of constrained DoFs: then all their
 * neighbours are constrained. Empty if there are no such DoFs.
 *
 * @param matrices stiffness, mass and damping matrix in this order, without absent ones
 * @param constraints the constraints given to the library
 * @param labels labels of local DoFs, or empty. Collective.
 */
std::string warning_of_uncoupled_dofs(const std::vector<GivenMatrix>& matrices,
                                      const dealii::AffineConstraints<double>& constraints,
                                      const DoFLabels& labels, const Partition& dofs);

}  // namespace halfdof
