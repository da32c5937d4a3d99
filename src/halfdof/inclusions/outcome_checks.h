// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/inclusions/delassus.h>

#include <vector>

namespace halfdof::internal {

/// Checks the sign of the response of each direction. @throws InvalidInput with the names of the directions
/// that move backwards under their own positive reaction
void check_directions_move_forward(const InclusionOutcome& outcome);

/// Checks that the kind of DoFs on which an inclusion acts admits its law. @param first Number of the
/// inclusion's first direction
/// @throws InvalidInput if the kind does not admit the law; see classify_inclusions().
void check_law_fits(const Inclusion& inclusion, Index first, const InclusionOutcome& outcome);

/// Checks that the rates of weakening frictions on viscous DoFs cannot jump jointly. Above
/// DelassusOptions::max_dense directions nothing is checked. @throws InvalidInput if the rates can jump; see
/// joint_weakening()
void check_joint_weakening(const std::vector<Inclusion>& acting, const InclusionOutcome& outcome);

/// Finds the strongest result on existence and uniqueness of the solution that holds. @param outcome All
/// members except `statement` are set.
Statement well_posedness(const InclusionOutcome& outcome, const std::vector<Inclusion>& acting,
                         Symmetry symmetry);

}  // namespace halfdof::internal
