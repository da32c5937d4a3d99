// SPDX-License-Identifier: LGPL-2.1-or-later
#include "impact_energy.h"

#include <halfdof/base/number_text.h>
#include <halfdof/integrators/run_checks.h>

#include <sstream>

namespace halfdof::cli {

using namespace internal;

void ImpactEnergy::see(const NonsmoothObservation<Engine>& now) {
  constexpr double rounding = 1e-6;  // relative to the sum of the works of single impulses
  const std::vector<ContactEvent>& events = now.events();
  for (std::size_t first = 0; first < events.size();) {
    double work = 0, size = 0, largest = 0;
    std::size_t next = first, most = first;
    for (; next < events.size() && events[next].end == events[first].end; ++next) {
      const ContactEvent& event = events[next];
      const double own = 0.5 * event.impulse.dot(event.w_before + event.w_after);
      work += own;
      size += 0.5 * event.impulse.norm() * (event.w_before.norm() + event.w_after.norm());
      if (own > largest) {
        largest = own;
        most = next;
      }
    }
    if (work > rounding * size) {
      ++n_;
      if (!worst_ || work > worst_->energy)
        worst_ = Impact{events[first].end, work, now.inclusions().acting()[events[most].inclusion].name};
    }
    first = next;
  }
}

std::string ImpactEnergy::warning() const {
  if (!worst_) return "";
  std::ostringstream text;
  text << n_ << (n_ == 1 ? " impact has" : " impacts have")
       << " added energy to the structure, the largest at " << seconds(worst_->time) << " by \""
       << worst_->name << "\": " << worst_->energy
       << ". Newton's law of impact does so where friction, or different coefficients of restitution, do not "
          "fit the masses. Take impact_law = \"poisson\", or smaller coefficients.";
  return text.str();
}

}  // namespace halfdof::cli
