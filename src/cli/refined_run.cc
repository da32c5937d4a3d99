// SPDX-License-Identifier: LGPL-2.1-or-later
#include "refined_run.h"

#include <halfdof/base/number_text.h>
#include <halfdof/integrators/run_checks.h>
#include <halfdof/linear_algebra/entries.h>
#include <halfdof/reduction/state_parts.h>

#include "case_methods.h"
#include <algorithm>
#include <ostream>
#include <utility>

namespace halfdof::cli {

using namespace internal;

namespace {

/// Returns whether velocities jump at the event: otherwise its impulse is zero.
bool is_impact(const ContactEvent& event) {
  return event.impulse.norm() > 0;
}

}  // namespace

CaseFile refined(CaseFile given) {
  given.refinement = 2;
  return given;
}

std::string refinement_text(const CaseFile& given) {
  if (given.settings.step) return "half the step";
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
  const Vector q = now.lift().displacement, v = velocity_states(reduced, now.state().y);
  const AssembledMotion finer = now.inclusions().lift(state_, state_.r);
  displacement_.take(q - finer.displacement, q, now.time());
  rate_.take(v - velocity_states(reduced, state_.y), v, now.time());
}

bool RefinedRun::agrees(std::ostream& out, double tolerance) const {
  out << "With " << refinement_ << ", displacements differ by at most " << displacement_.relative()
      << " of the largest one (at " << seconds(displacement_.time) << "), rates by " << rate_.relative()
      << " (at " << seconds(rate_.time)
      << (has_impacts_ ? "; at an impact they differ by the whole jump, since both runs have it at slightly "
                         "different times).\n"
                       : ").\n");
  const bool agrees = displacement_.relative() <= tolerance;
  if (!agrees)
    out << "Displacements differ by more than --step-tolerance " << tolerance
        << ": take shorter steps (a smaller tolerance), or a shorter run if the motion is chaotic.\n";
  return agrees;
}

}  // namespace halfdof::cli
