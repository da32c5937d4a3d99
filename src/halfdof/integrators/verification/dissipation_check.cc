// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/integrators/verification/dissipation_check.h>
#include <halfdof/linear_algebra/instantiate.h>

#include <algorithm>
#include <cmath>

namespace halfdof::internal {

template <class Engine>
double DissipationCheck<Engine>::beyond_rounding(double work) const {
  return std::isfinite(work) ? std::max(std::abs(work) - rounding_of_work_, 0.) : std::abs(work);
}

template <class Engine>
void DissipationCheck<Engine>::add_work(double work, double size) {
  dissipated_by_work_ -= work;
  size_work_ += size;
}

/// Compares the dissipated energy with the work of the reactions on relative rates. The work of an impact is
/// the impulse times the mean of the rates before and after the impact.
template <class Engine>
void DissipationCheck<Engine>::operator()(const DirectionPoint& from, const DirectionPoint& to,
                                          const StepPath* path, const std::vector<ContactEvent>& events) {
  Vector impulse = to.state.impulse - from.state.impulse;
  // If all DoFs are at rest, the computed work is only a rounding error. On algebraic DoFs this rounding
  // error is relative to the elastic energy r W_K r, whose largest value is recorded here.
  for (Index j = 0; j < impulse.size(); ++j) {
    const DirectionOutcome& direction = outcome_.directions[static_cast<std::size_t>(j)];
    if (!direction.decided_by.empty() && direction.decided_by.front() == DoFKind::algebraic)
      size_elastic_ = std::max(size_elastic_, to.state.r[j] * to.state.r[j] * direction.W);
  }
  for (Index j = 0; to.state.time > from.state.time && j < impulse.size(); ++j)
    rounding_of_work_ += std::abs(impulse[j]) * laws_.rounding_of_rate(j, from, to);
  // Whether an impact at the beginning of the step changes the rates after the last point.
  bool strikes_at_begin = false;
  std::vector<bool> strikes(inclusions_.acting().size(), false);
  for (const ContactEvent& event : events) {
    if (event.begin < from.state.time) continue;  // The event extends over several steps.
    if (!event.impulse.isZero(0)) strikes[event.inclusion] = true;
    if (path != nullptr && event.begin < event.end) continue;  // The impulse acts along the path.
    const auto d = static_cast<Index>(event.impulse.size());
    add_work(0.5 * event.impulse.dot(event.w_before + event.w_after),
             0.5 * event.impulse.norm() * (event.w_before.norm() + event.w_after.norm()));
    impulse.segment(inclusions_.first_direction(event.inclusion), d) -= event.impulse;
    strikes_at_begin = strikes_at_begin || (event.begin == event.end && event.end == from.state.time);
  }
  if (path != nullptr) {
    add_work_on_path(from, to, *path, strikes);
  } else if (to.state.time > from.state.time) {
    const double h = to.state.time - from.state.time;
    Vector rates = (to.gaps() - from.gaps()) / h;
    const PrescribedStep prescribed = prescribed_step(inclusions_, from.state.time, to.state.time);
    for (Index j = 0; j < impulse.size(); ++j) {
      const DirectionOutcome& direction = outcome_.directions[static_cast<std::size_t>(j)];
      if (inclusions_.level(j) == LawLevel::gap && direction.reduced_law() != ReducedLaw::measure_inclusion)
        continue;
      // The work of an impulse that stops masses is the impulse times the mean of the rates at both ends.
      if (inclusions_.level(j) == LawLevel::gap && !strikes_at_begin &&
          !direction.acts_on[static_cast<std::size_t>(DoFKind::algebraic)])
        rates[j] = 0.5 * (from.rate[j] + to.rate[j] + prescribed.begin_rate[j] + prescribed.end_rate[j]);
      const std::size_t i = inclusions_.inclusion_of(j);
      const bool has_no_inertia =
          direction.decided_by.empty() || direction.decided_by.front() != DoFKind::inertial;
      if (has_no_inertia && inclusions_.level(j) == LawLevel::rate && !strikes[i])
        impulse[j] = h * reaction_in_slip(from.state.contacts[i], to.state.contacts[i], from.state.r[j],
                                          to.state.r[j], impulse[j] / h);
      add_work(impulse[j] * rates[j], std::abs(impulse[j]) * laws_.size_of_rates());
    }
  }
  keep_larger(
      {beyond_rounding(to.state.dissipated - first_dissipated_ - dissipated_by_work_), to.state.time, ""},
      dissipated_);
}

/// Returns the work of a reaction on a gap that jumps by `slip`. A play jumps with a load, and friction on
/// DoFs with mass or damping slips if its support jumps.
template <class Engine>
double DissipationCheck<Engine>::work_of_jump(Index j, const DirectionPoint& at, double before, double after,
                                              double slip) const {
  const DirectionOutcome& direction = outcome_.directions[static_cast<std::size_t>(j)];
  const std::size_t i = inclusions_.inclusion_of(j);
  const Law& law = *inclusions_.acting()[i].law;
  const bool is_algebraic =
      !direction.decided_by.empty() && direction.decided_by.front() == DoFKind::algebraic;
  if (is_algebraic || slip == 0 || law.dimension() > 1 || law.level(0) == LawLevel::gap)
    return reaction_in_jump(before, after) * slip;
  return reaction_in_jump_of_support(law, at.state.time, slip) * slip;
}

template <class Engine>
void DissipationCheck<Engine>::add_work_on_path(const DirectionPoint& from, const DirectionPoint& to,
                                                const StepPath& path, const std::vector<bool>& strikes) {
  const MultiVector gaps = path.s + path.prescribed, rates = StepPath::rate_of(gaps, path.length);
  for (Index j = 0; j < inclusions_.n_directions(); ++j) {
    if (inclusions_.level(j) == LawLevel::gap && !strikes[inclusions_.inclusion_of(j)]) continue;
    const Vector r = path.r.row(j).transpose(), w = rates.row(j).transpose();
    const Index last = RadauNodes::n_nodes - 1;
    const double jumps = work_of_jump(j, from, from.state.r[j], r[0], gaps(j, 0) - from.gaps()[j]) +
                         work_of_jump(j, to, r[last], to.state.r[j], to.gaps()[j] - gaps(j, last));
    add_work(jumps + path.integral_of(r.cwiseProduct(w)),
             std::abs(jumps) + path.integral_of(r.cwiseAbs()) * laws_.size_of_rates());
  }
}

template class DissipationCheck<InstantiatedEngine>;

}  // namespace halfdof::internal
