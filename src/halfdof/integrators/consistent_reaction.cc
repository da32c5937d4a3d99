// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/integrators/consistent_reaction.h>
#include <halfdof/integrators/run_checks.h>

namespace halfdof::internal {

LocalVector consistent_reaction(const Law& law, LawParameters& parameters, LocalConstView w,
                                LocalConstView nearest_to) {
  LocalVector r = law.reaction_at(parameters, w, nearest_to);
  while (law.reconsider(parameters, law.state(parameters, w, r, 0.)))
    r = law.reaction_at(parameters, w, nearest_to);
  return r;
}

void check_gap_of_immobile_contact(const std::string& name, double gap, double rounding, double time) {
  if (gap >= -rounding) return;
  throw InvalidInput(
      "The reaction of the contact \"" + name +
      "\" cannot move any degree of freedom, and the gap of the contact is " + number_text(gap) + " at " +
      seconds(time) +
      ", although gaps must not be negative. Move the obstacle, or release a degree of freedom on which "
      "the contact acts.");
}

}  // namespace halfdof::internal
