#pragma once

#include <halfdof/inclusions/outcome.h>

namespace halfdof {

/// @throws InvalidInput if a reaction moves its own direction backwards, with the names of those directions.
void check_directions_move_forward(const InclusionOutcome& outcome);

/// @param first Number of the inclusion's first direction.
/// @throws InvalidInput if the law cannot live where the inclusion sits; see what_becomes().
void check_law_fits(const Inclusion& inclusion, Index first, const InclusionOutcome& outcome);

/// @throws InvalidInput if frictions that weaken would jump together on viscous DoFs; see joint_weakening().
/// Nothing is known of it above DelassusOptions::max_dense directions.
void check_joint_weakening(const std::vector<Inclusion>& acting, const InclusionOutcome& outcome);

}  // namespace halfdof
