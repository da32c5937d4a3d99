#pragma once

#include <halfdof/dealii/constraint_relations.h>

#include <string>
#include <vector>

namespace halfdof {

/**
 * A warning of DoFs that no constraint holds although their rows look as deal.II leaves those of constrained
 * DoFs: in every matrix nothing but a diagonal, which is not zero in the stiffness matrix and in the mass
 * matrix (in the damping matrix where there is no mass). So it is where matrices were assembled with
 * AffineConstraints that were not handed over. DoFs whose row has places for entries, all of them in the
 * columns of constrained DoFs, are held by nothing but their neighbours, and are not counted. Empty where
 * there are none.
 *
 * @param matrices stiffness, mass and damping matrix, as far as they were given, in this order @param
 * constraints
 *     Those that were handed over @param labels Of local DoFs, or empty. Collective.
 */
std::string warning_of_uncoupled_dofs(const std::vector<GivenMatrix>& matrices,
                                      const dealii::AffineConstraints<double>& constraints,
                                      const DoFLabels& labels, const Partition& dofs);

}  // namespace halfdof
