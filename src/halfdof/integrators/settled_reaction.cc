#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/integrators/run_times.h>
#include <halfdof/integrators/settled_reaction.h>

namespace halfdof {

LocalVector settled_reaction(const Law& law, LawParameters& parameters, LocalConstView w,
                             LocalConstView wish) {
  LocalVector r = law.reaction_at(parameters, w, wish);
  while (law.reconsider(parameters, law.state(parameters, w, r, 0.)))
    r = law.reaction_at(parameters, w, wish);
  return r;
}

void check_held_gap(const std::string& name, double gap, double rounding, double time) {
  if (gap >= -rounding) return;
  throw InvalidInput("The contact \"" + name + "\" meets nothing that can move, and its gap is " +
                     number_text(gap) + " at " + seconds(time) +
                     ": no reaction can prevent that. Move the obstacle, or free a degree of freedom.");
}

}  // namespace halfdof
