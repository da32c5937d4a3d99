// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/dealii/constraint_relations.h>

#include <string>
#include <vector>

namespace halfdof {

/**
 * Returns a warning about DoFs that are not constrained, although their rows look like rows of constrained
 * DoFs in deal.II: in every matrix the rows contain only a diagonal entry, which is not zero in the stiffness
 * matrix and in the mass matrix (in the damping matrix if there is no mass matrix). Such rows result if
 * matrices were assembled with AffineConstraints that were not given to the library. A DoF is not counted if
 * the sparsity pattern of its row has other entries and all of them are in columns of constrained DoFs,
 * because then all neighbours of the DoF are constrained. The warning is empty if there are no such DoFs.
 *
 * @param matrices stiffness, mass and damping matrix in this order; an absent matrix is omitted
 * @param constraints the constraints given to the library
 * @param labels labels of local DoFs, or empty. Collective.
 */
std::string warning_of_uncoupled_dofs(const std::vector<GivenMatrix>& matrices,
                                      const dealii::AffineConstraints<double>& constraints,
                                      const DoFLabels& labels, const Partition& dofs);

}  // namespace halfdof
