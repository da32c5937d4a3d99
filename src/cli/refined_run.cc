#include "refined_run.h"

#include <halfdof/base/number_text.h>
#include <halfdof/integrators/run_checks.h>
#include <halfdof/linear_algebra/largest_entry.h>

#include "case_methods.h"
#include <algorithm>
#include <ostream>
#include <utility>

namespace halfdof::cli {

namespace {

/// Impulses of events are zero where velocities do not jump.
bool is_impact(const ContactEvent& event) {
  return event.impulse.norm() > 0;
}

}  // namespace

CaseFile refined(CaseFile given) {
  given.refinement = 2;
  return given;
}

std::string refinement_text(const CaseFile& given) {
  if (given.integrator.has("step")) return "half the step";
  return "a tolerance of " + number_text(tolerance_of(refined(given))) + " instead of " +
         number_text(tolerance_of(given));
}

RefinedRun::RefinedRun(std::unique_ptr<NonsmoothIntegrator<Engine>> method, std::string refinement,
                       NonsmoothState start)
    : method_(std::move(method)), refinement_(std::move(refinement)), state_(std::move(start)) {}

void RefinedRun::Difference::take(const Vector& difference, const Vector& value, double at) {
  size = std::max(size, largest_entry(value));
  const double here = largest_entry(difference);
  if (here <= largest) return;
  largest = here;
  time = at;
}

void RefinedRun::compare(const NonsmoothObservation<Engine>& now) {
  method_->run(state_, now.time());
  has_impacts_ = has_impacts_ || std::any_of(now.events().begin(), now.events().end(), is_impact);
  const ReducedSystem<Engine>& reduced = now.inclusions().reduced();
  const Vector q = now.lift().displacement, v = reduced.velocity_states(now.state().y);
  const LiftedState finer = now.inclusions().lift(state_, state_.r);
  displacement_.take(q - finer.displacement, q, now.time());
  rate_.take(v - reduced.velocity_states(state_.y), v, now.time());
}

bool RefinedRun::agrees(std::ostream& out, double tolerance) const {
  out << "With " << refinement_ << ", displacements differ by at most " << displacement_.relative()
      << " of the largest one (at " << seconds(displacement_.time) << "), rates by " << rate_.relative()
      << " (at " << seconds(rate_.time)
      << (has_impacts_ ? "; at an impact by the whole jump, where both runs meet it at slightly different "
                         "times).\n"
                       : ").\n");
  const bool agrees = displacement_.relative() <= tolerance;
  if (!agrees)
    out << "Displacements differ by more than --step-tolerance " << tolerance
        << ": take shorter steps (a smaller tolerance), or a shorter run if the motion is chaotic.\n";
  return agrees;
}

}  // namespace halfdof::cli
