#include "refined_run.h"

#include <halfdof/integrators/run_checks.h>
#include <halfdof/linear_algebra/largest_entry.h>

#include <algorithm>
#include <ostream>
#include <utility>

namespace halfdof::cli {

CaseFile refined(CaseFile given) {
  given.refinement = 2;
  return given;
}

RefinedRun::RefinedRun(std::unique_ptr<NonsmoothIntegrator<Engine>> method, NonsmoothState start)
    : method_(std::move(method)), state_(std::move(start)) {}

void RefinedRun::Difference::take(const Vector& difference, const Vector& value, double at) {
  size = std::max(size, largest_entry(value));
  const double here = largest_entry(difference);
  if (here <= largest) return;
  largest = here;
  time = at;
}

void RefinedRun::compare(const NonsmoothObservation<Engine>& now) {
  method_->run(state_, now.time());
  const ReducedSystem<Engine>& reduced = now.inclusions().reduced();
  const Vector q = now.lift().displacement, v = reduced.velocity_states(now.state().y);
  const LiftedState finer = now.inclusions().lift(state_, state_.r);
  displacement_.take(q - finer.displacement, q, now.time());
  rate_.take(v - reduced.velocity_states(state_.y), v, now.time());
}

bool RefinedRun::agrees(std::ostream& out, double tolerance) const {
  out << "With half the step, displacements differ by at most " << displacement_.relative()
      << " of the largest one (at " << seconds(displacement_.time) << "), rates by " << rate_.relative()
      << " (at " << seconds(rate_.time)
      << "; at an impact by the whole jump, where both runs meet it at slightly different times).\n";
  const bool agrees = displacement_.relative() <= tolerance;
  if (!agrees)
    out << "Displacements differ by more than --step-tolerance " << tolerance
        << ": take shorter steps, or a shorter run, if the motion is chaotic.\n";
  return agrees;
}

}  // namespace halfdof::cli
