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

void check_held_gap(const std::string& name, double gap, double rounding, double time) {
  if (gap >= -rounding) return;
  throw InvalidInput("The contact \"" + name + "\" acts on nothing that can move, and its gap is " +
                     number_text(gap) + " at " + seconds(time) +
                     ": no reaction can prevent that. Move the obstacle, or free a degree of freedom.");
}

}  // namespace halfdof::internal
