// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/integrators/nonsmooth/controlled_step.h>
#include <halfdof/integrators/run_checks.h>
#include <halfdof/linear_algebra/entries.h>
#include <halfdof/linear_algebra/instantiate.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace halfdof {

using namespace internal;

namespace {

constexpr int first_level = 6, last_level = 46;
/// Part of the allowed error up to which the next step has twice the length.
constexpr double growth_limit = 0.125;
/// If half the step length decreases the error by less than this factor, the motion has a jump or a kink.
constexpr double smooth_decrease = 3;
constexpr Index n_control_entries = 3;
/// The shortest length of a step, relative to the time.
constexpr double shortest_relative_step = 16 * std::numeric_limits<double>::epsilon();
/// Difference between the results of a step and of its halves that rounding may cause, relative to the
/// largest displacement or rate.
constexpr double rounding_of_states = 8 * std::numeric_limits<double>::epsilon();
constexpr double smallest = std::numeric_limits<double>::min();

ControlledStepOptions checked(ControlledStepOptions options) {
  const auto refuse = [](const std::string& what, double value, const std::string& range) {
    throw InvalidInput("The " + what + " of the step-size control is " + number_text(value) + ". Give " +
                       range + ".");
  };
  if (!(options.relative_tolerance >= 1e-13 && options.relative_tolerance < 1))
    refuse("relative tolerance", options.relative_tolerance, "a tolerance between 1e-13 and 1");
  if (!(options.run_length > 0) || !std::isfinite(options.run_length))
    refuse("length of the run", options.run_length, "a positive, finite time");
  return options;
}

}  // namespace

template <class Engine>
ControlledStep<Engine>::ControlledStep(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome,
                                       Make make, ControlledStepOptions options)
    : NonsmoothIntegrator<Engine>(inclusions, outcome),
      make_(std::move(make)),
      options_(checked(std::move(options))),
      initial_method_(nullptr) {
  if (inclusions.reduced().depends_on_state())
    throw NotAvailable(
        "The step-size control is available only for systems without a state force. Give a "
        "constant step length.");
  for (int level = first_level; initial_method_ == nullptr; ++level)
    try {
      initial_method_ = &method(level);
    } catch (const NotAvailable&) {  // thrown for laws that weaken if steps are too long
      if (level == last_level) throw;
    }
  if (initial_method_->corrects_positions())
    throw NotAvailable(
        "The step-size control uses the penetration of contacts as an error, which the correction of "
        "positions would hide. Switch the correction off, since the control keeps penetrations below the "
        "tolerance, or give a constant step length.");
}

template <class Engine>
double ControlledStep<Engine>::length(int level) const {
  return std::ldexp(options_.run_length, -level);
}

template <class Engine>
NonsmoothIntegrator<Engine>& ControlledStep<Engine>::method(int level) {
  auto& made = methods_[level];
  if (!made) made = make_(this->inclusions(), this->outcome(), length(level));
  return *made;
}

template <class Engine>
auto ControlledStep<Engine>::control_of(const NonsmoothState& from) const -> Control {
  if (from.carried.size() < n_control_entries) return {first_level, 0, 0};
  const auto entries = from.carried.tail(n_control_entries);
  return {static_cast<int>(entries[0]), entries[1], entries[2]};
}

/// Returns the state without the entries of the step-size control, as the method has computed the state.
template <class Engine>
NonsmoothState ControlledStep<Engine>::without_control(const NonsmoothState& from) const {
  NonsmoothState begin = from;
  begin.carried =
      from.carried.head(std::max<Index>(static_cast<Index>(from.carried.size()) - n_control_entries, 0));
  begin.method = initial_method_->name();
  return begin;
}

/// Returns a level whose steps are no longer than the intervals in which functions of time are smooth.
/// @param end on return the end of the step, which is a kink of such a function if the step contains one
template <class Engine>
int ControlledStep<Engine>::level_that_resolves_functions(const NonsmoothState& from, int level, double limit,
                                                          double& end) {
  const double begin = from.time, shortest = length(last_level);
  SmoothInterval smooth{limit, limit, false};
  const auto shorten_by = [&](const ScalarFunction& function) {
    const double until = std::min(smooth.end, begin + length(level));
    if (until > begin)
      smooth = SmoothInterval::shorter(smooth, function.smooth_interval(begin, until, shortest));
  };
  for (const Inclusion& inclusion : this->inclusions().acting())
    for (const ScalarFunction* function : inclusion.law->functions_of_time())
      shorten_by(*function);
  for (const ScalarFunction& function : options_.functions)
    shorten_by(function);
  while (level < last_level && !smooth.ends_abruptly && smooth.end < limit &&
         length(level) > smooth.end - begin)
    ++level;
  const double latest_end = smooth.ends_abruptly ? std::min(smooth.next, limit) : limit;
  end = begin + length(level);
  if (end > latest_end - 1e-10 * length(level)) end = latest_end;
  return level;
}

template <class Engine>
void ControlledStep<Engine>::advance_trial(int level, double end, Trial& trial) {
  NonsmoothIntegrator<Engine>& integrator = method(level);
  integrator.run(trial.end, end, [&](const NonsmoothObservation<Engine>& now) {
    trial.events.insert(trial.events.end(), now.events().begin(), now.events().end());
  });
  trial.residual = integrator.largest_residual();
}

/// Returns the rounding errors of displacements and rates if reactions balance loads within a step. These
/// errors are relative to the motion that the reactions would cause without the loads.
template <class Engine>
auto ControlledStep<Engine>::rounding_of(const NonsmoothState& from, const NonsmoothState& to) const
    -> Rounding {
  constexpr double part = 64 * std::numeric_limits<double>::epsilon();
  const double h = to.time - from.time;
  Rounding rounding{0, 0};
  for (Index j = 0; j < static_cast<Index>(to.r.size()); ++j) {
    const DirectionOutcome& direction = this->outcome().directions[static_cast<std::size_t>(j)];
    if (direction.decided_by.empty()) continue;
    const double moved = part * direction.W * std::max(std::abs(from.r[j]), std::abs(to.r[j]));
    switch (direction.decided_by.front()) {
      case DoFKind::algebraic:
        rounding.displacement = std::max(rounding.displacement, moved);
        break;
      case DoFKind::viscous:
        rounding.displacement = std::max(rounding.displacement, moved * h);
        break;
      case DoFKind::inertial:
      case DoFKind::constrained:
        rounding.displacement = std::max(rounding.displacement, moved * h * h);
        rounding.rate = std::max(rounding.rate, moved * h);
        break;
    }
  }
  return rounding;
}

/// Returns the difference of two states relative to the largest displacement and rate so far. The largest
/// values include those of both states, also in rejected steps, so that a motion that starts from zero has a
/// size.
template <class Engine>
double ControlledStep<Engine>::difference(const NonsmoothState& a, const NonsmoothState& b,
                                          const Rounding& rounding, Control& control) const {
  const ReducedSystem<Engine>& reduced = this->reduced();
  const Communicator& communicator = reduced.communicator();
  const Index n_rates = reduced.classification().inertial().n_local(),
              n_displacements = static_cast<Index>(a.y.size()) - n_rates;
  const auto part = [&](const Vector& x, bool is_rate) {
    return communicator.max(
        largest_entry(is_rate ? Vector(x.tail(n_rates)) : Vector(x.head(n_displacements))));
  };
  control.displacement = std::max({control.displacement, part(a.y, false), part(b.y, false)});
  control.rate = std::max({control.rate, part(a.y, true), part(b.y, true)});
  const Vector d = a.y - b.y;
  const auto relative = [](double error, double by_reactions, double size) {
    error -= by_reactions + rounding_of_states * size;
    return error <= 0 ? 0. : error / size;
  };
  return std::max(relative(part(d, false), rounding.displacement, control.displacement),
                  relative(part(d, true), rounding.rate, control.rate));
}

/// Returns the largest increase of the penetration of a contact in a step.
template <class Engine>
double ControlledStep<Engine>::penetration(const NonsmoothState& from, const NonsmoothState& to) const {
  double deeper = 0;
  for (Index j = 0; j < static_cast<Index>(to.g.size()); ++j)
    if (this->inclusions().level(j) == LawLevel::gap)
      deeper = std::max(deeper, std::max(-to.g[j], 0.) - std::max(-from.g[j], 0.));
  return deeper;
}

/// Estimates the error in the rate of friction on masses that begins to slip within a step. The difference of
/// the step and its halves does not contain this error, because the step and each half use one mean reaction,
/// and slip or stick as a whole.
/// @param first,second reactions of the halves, from which the reaction at the end is extrapolated
template <class Engine>
double ControlledStep<Engine>::rate_error_of_first_slip(const NonsmoothState& from, const NonsmoothState& to,
                                                        const Vector& first, const Vector& second) const {
  constexpr double rounding = 1e-9;
  double largest = 0;
  for (std::size_t i = 0; i < from.contacts.size(); ++i) {
    const Law& law = *this->inclusions().acting()[i].law;
    const Index j = this->inclusions().first_direction(i), d = law.dimension();
    const DirectionOutcome& direction = this->outcome().directions[static_cast<std::size_t>(j)];
    if (from.contacts[i] != ContactState::stick || direction.decided_by.empty() ||
        direction.decided_by.front() != DoFKind::inertial)
      continue;
    const bool threshold_drops = d == 1 && std::isinf(law.one_sided_lipschitz_constant());
    double change = threshold_drops ? std::abs(to.r[j] - from.r[j]) : 0.;
    if (to.contacts[i] == ContactState::stick) {
      const LocalVector r = 1.5 * second.segment(j, d) - 0.5 * first.segment(j, d);
      LocalVector admitted = r;
      law.project(law.parameters(to.time, ContactState::stick), r, admitted);
      const double excess = (r - admitted).norm();
      change = excess <= rounding * r.norm() ? 0. : threshold_drops ? std::abs(r[0]) : excess;
    }
    largest = std::max(largest, direction.W * (to.time - from.time) * change);
  }
  return largest;
}

template <class Engine>
double ControlledStep<Engine>::quasi_static_error(const NonsmoothState& from, const NonsmoothState& to,
                                                  const Vector& middle, const NonsmoothState& by_halves,
                                                  const Rounding& rounding, Control& control) const {
  double error = 0;
  for (Index j = 0; j < static_cast<Index>(to.g.size()); ++j) {
    const auto& acts_on = this->outcome().directions[static_cast<std::size_t>(j)].acts_on;
    if (!acts_on[static_cast<std::size_t>(DoFKind::algebraic)]) continue;
    control.displacement =
        std::max({control.displacement, std::abs(to.g[j] - from.g[j]), std::abs(middle[j] - from.g[j])});
    error = std::max(
        {error, std::abs(middle[j] - 0.5 * (from.g[j] + to.g[j])), std::abs(to.g[j] - by_halves.g[j])});
  }
  return std::max(error - rounding.displacement, 0.) / std::max(control.displacement, smallest);
}

template <class Engine>
auto ControlledStep<Engine>::attempt(const NonsmoothState& from, int level, double end, Control& control)
    -> Attempt {
  Attempt attempt{{from, {}, 0.}, 0., 0., false};
  advance_trial(level, end, attempt.step);
  Trial halves{from, {}, 0.};
  advance_trial(level + 1, from.time + 0.5 * (end - from.time), halves);
  const Vector middle = halves.end.g, first = halves.end.r;
  advance_trial(level + 1, end, halves);
  const Rounding rounding = rounding_of(from, attempt.step.end);
  attempt.quasi_static_error =
      quasi_static_error(from, attempt.step.end, middle, halves.end, rounding, control);
  attempt.error = 2 * difference(attempt.step.end, halves.end, rounding, control);
  const double deeper = std::max(penetration(from, attempt.step.end) - rounding.displacement, 0.) /
                        std::max(control.displacement, smallest);
  const double loose = rate_error_of_first_slip(from, attempt.step.end, first, halves.end.r) /
                       std::max(control.rate, smallest);
  attempt.error = std::max({attempt.error, 2 * deeper, loose});
  attempt.contains_event = !attempt.step.events.empty() || !halves.events.empty() || deeper > 0 || loose > 0;
  return attempt;
}

template <class Engine>
void ControlledStep<Engine>::fail(const NonsmoothState& from, const Attempt& attempt) const {
  throw NoConvergence("The step-size control of " + initial_method_->name() + " failed at " +
                          seconds(from.time) + ": in the shortest step, " + number_text(length(last_level)) +
                          " s, the estimated error is " +
                          number_text(std::max(attempt.error, attempt.quasi_static_error)) +
                          " times the largest displacement or rate. Give a larger relative_tolerance, or an "
                          "earlier end time.",
                      std::max(attempt.error, attempt.quasi_static_error));
}

template <class Engine>
NonsmoothState ControlledStep<Engine>::advance(const NonsmoothState& from, double limit,
                                               std::vector<ContactEvent>& events) {
  Control control = control_of(from);
  control.level = std::max(control.level, 0);
  const NonsmoothState begin = without_control(from);
  double before = std::numeric_limits<double>::infinity();  // The error of the step with twice the length.
  bool is_shortened = false;
  while (true) {
    double end = 0;
    const int level = level_that_resolves_functions(begin, control.level, limit, end);
    const double h = end - begin.time;
    std::optional<Attempt> made;
    try {
      made = attempt(begin, level, end, control);
    } catch (const NotAvailable&) {  // thrown for laws that weaken if steps are too long
      if (level >= last_level) throw;
      control.level = level + 1;
      continue;
    }
    Attempt& tried = *made;
    const bool jumps = tried.contains_event || (is_shortened && tried.error > before / smooth_decrease);
    const double allowed = options_.relative_tolerance * (jumps ? 1. : std::min(h / options_.run_length, 1.));
    const bool is_followed = tried.quasi_static_error <= options_.relative_tolerance;
    // Steps end at kinks and jumps. A step that contains only a jump is accepted with any error, because its
    // length may be as short as the rounding of the time.
    const bool contains_jump =
        level < last_level && h < std::max(2 * length(last_level), shortest_relative_step * std::abs(end));
    if (!(tried.error <= allowed && is_followed) && !contains_jump) {
      if (level >= last_level) fail(begin, tried);
      before = tried.error;
      is_shortened = true;
      control.level = level + 1;
      continue;
    }
    const bool may_grow = tried.error <= growth_limit * allowed && h > 0.75 * length(level) &&
                          tried.quasi_static_error <= growth_limit * options_.relative_tolerance;
    control.level = may_grow ? std::max(level - 1, 0) : level;
    NonsmoothState to = std::move(tried.step.end);
    events.insert(events.end(), tried.step.events.begin(), tried.step.events.end());
    largest_residual_ = std::max(largest_residual_, tried.step.residual);
    const Index n = static_cast<Index>(to.carried.size());
    to.carried.conservativeResize(n + n_control_entries);
    to.carried.tail(n_control_entries) << static_cast<double>(control.level), control.displacement,
        control.rate;
    return to;
  }
}

template class ControlledStep<InstantiatedEngine>;

}  // namespace halfdof
