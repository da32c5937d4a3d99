// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/integrators/verification/dissipation_check.h>
#include <halfdof/integrators/verification/energy.h>
#include <halfdof/integrators/verification/law_verification.h>
#include <halfdof/integrators/verification/step_error.h>
#include <halfdof/integrators/verification/time_resolution.h>
#include <halfdof/integrators/verification/verification.h>
#include <halfdof/linear_algebra/entries.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/linearized_state_force.h>
#include <halfdof/reduction/mixed_column_matrix.h>
#include <halfdof/reduction/state_parts.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <sstream>
#include <utility>

namespace halfdof {

using namespace internal;

namespace {

/// Relative rounding error of the impulses of a step, which are differences of sums since the start.
constexpr double unchanged = 1e-12;

/// Number of intervals in which a long step is sampled, to find pulses of functions of time.
constexpr int intervals_of_path = 16;

template <class Matrix>
Vector product(const Matrix& A, const Vector& x) {
  Vector Ax = Vector::Zero(x.size());
  A.add_product(1., x, Ax);
  return Ax;
}

std::function<double(double)> largest_of(const Communicator& communicator) {
  return [&communicator](double value) { return communicator.max(value); };
}

Violation relative(Violation found, double size) {
  if (size > 0) found.value /= size;
  return found;
}

template <class Engine>
VerificationOptions with_state_tolerance(VerificationOptions options, const ReducedSystem<Engine>& reduced) {
  if (reduced.depends_on_state())
    options.state_tolerance = reduced.linearized_state_force()->options.newton.tolerance;
  return options;
}

}  // namespace

/// The checks of each step, and the data of previous points.
template <class Engine>
struct Verification<Engine>::Implementation {
  Implementation(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome,
                 const VerificationOptions& options, const NonsmoothIntegrator<Engine>* integrator)
      : inclusions_(inclusions),
        outcome_(outcome),
        options_(with_state_tolerance(options, inclusions.reduced())),
        laws_(inclusions.acting(), outcome, options_),
        integrator_(integrator),
        step_error_(inclusions.reduced()),
        resolution_of_laws_(options.longest_interval, largest_of(inclusions.reduced().communicator())),
        resolution_of_loads_(resolution_of_laws_),
        dissipation_(inclusions_, outcome_, laws_) {
    if (EnergyBalance<Engine>::applies_to(inclusions.reduced())) energy_.emplace(inclusions.reduced());
  }

  void operator()(const NonsmoothObservation<Engine>& now);
  VerificationReport report() const;

  /// A point of the trajectory with quantities computed from it.
  struct Point : DirectionPoint {
    Vector q, v, load;  ///< Displacements, velocities and loads of the free DoFs.
    Vector q_rate;      ///< Rates of inertial and viscous DoFs; zero for other DoFs.
  };

  Point point_of(const NonsmoothObservation<Engine>& now) const;
  void check_laws(const Point& to, const StepPath* path, const std::vector<ContactEvent>& events);
  Vector algebraic_impulses(Vector beyond) const;
  double rounding_of_momentum(const Point& at) const;
  void check_balance(const Point& from, const Point& to, const StepPath* path);
  void check_energy(const NonsmoothObservation<Engine>& now);
  void check_between(const Point& from, const Point& to, const StepPath* path);
  Vector load_impulse(const Point& from, const Point& to, const StepPath* path);
  std::vector<Index> held_directions(const Point& from, const Point& to) const;
  Vector admitted_impulses(const Point& from, const Point& to, const Vector& impulse,
                           const Vector& change) const;
  void check_step(const Point& from, const Point& to, const StepPath* path);
  Violation balance_violation() const;

  Inclusions<Engine> inclusions_;
  InclusionOutcome outcome_;
  VerificationOptions options_;
  LawVerification laws_;
  const NonsmoothIntegrator<Engine>*
      integrator_;  ///< The integrator of the runs, or null if it is not known.
  std::optional<EnergyBalance<Engine>> energy_;
  StepError<Engine> step_error_;
  TimeResolution resolution_of_laws_, resolution_of_loads_;
  std::optional<Point> last_;
  std::size_t n_points_ = 0;

  DissipationCheck<Engine> dissipation_;
  Violation balance_, energy_defect_;          ///< Largest violations so far, with units.
  double size_balance_ = 0, size_energy_ = 0;  ///< The largest terms so far.
};

template <class Engine>
auto Verification<Engine>::Implementation::point_of(const NonsmoothObservation<Engine>& now) const -> Point {
  const ReducedSystem<Engine>& reduced = inclusions_.reduced();
  const FreeSystem<Engine>& free = reduced.free();
  Point point;
  point.state = now.state();
  point.q = free.restrict(now.lift().displacement);
  point.v = velocity_states(reduced, now.state().y);
  point.load = reduced.load(now.state(), inclusions_.H().force(now.state().r));
  const Vector rate = free.restrict(now.lift().rate);
  MultiVector both(point.q.size(), 2);
  both << point.q, rate;
  point.q_rate =
      Vector(reduced.classification().inertial().only(rate)) + reduced.classification().viscous().only(rate);
  const MultiVector seen = inclusions_.H().components(both);
  point.s = seen.col(0);
  point.rate = seen.col(1);
  point.prescribed = inclusions_.prescribed(now.time());
  if (now.step()) point.middle = 0.5 * (now.step()->begin.time + now.step()->end.time);
  point.prescribed_rate = inclusions_.rates_without_load_rate(now.state(), now.state().r) - point.rate;
  return point;
}

template <class Engine>
void Verification<Engine>::Implementation::operator()(const NonsmoothObservation<Engine>& now) {
  Point to = point_of(now);
  const std::optional<StepPath> inside =
      last_ ? path_from(last_->state.time, now, inclusions_.reduced()) : std::optional<StepPath>();
  const StepPath* path = inside ? &*inside : nullptr;
  // A continued run begins at the point at which the previous run has ended.
  if (!now.step() && last_ && last_->state.time == to.state.time) to.middle = last_->middle;
  // The integrator may compute its time scale, and with it the shortest flight, when the run begins.
  if (integrator_ != nullptr) laws_.set_shortest_flight(integrator_->shortest_flight());
  check_laws(to, path, now.events());
  if (last_) {
    check_balance(*last_, to, path);
    dissipation_(*last_, to, path, now.events());
    if (to.state.time > last_->state.time) {
      check_between(*last_, to, path);
      check_step(*last_, to, path);
    }
  }
  if (energy_) check_energy(now);
  if (!last_) dissipation_.begin(to.state.dissipated);
  last_ = std::move(to);
  ++n_points_;
}

template <class Engine>
void Verification<Engine>::Implementation::check_laws(const Point& to, const StepPath* path,
                                                      const std::vector<ContactEvent>& events) {
  const Communicator& communicator = inclusions_.reduced().communicator();
  const LawVerification::Sizes sizes{communicator.max(largest_entry(to.v)),
                                     communicator.max(largest_entry(to.load))};
  std::optional<PrescribedStep> prescribed;
  if (last_ && to.state.time > last_->state.time)
    prescribed = prescribed_step(inclusions_, last_->state.time, to.state.time);
  laws_(last_ ? &*last_ : nullptr, to, sizes, prescribed ? &*prescribed : nullptr, path, events);
}

/// Checks the laws within a step. Dense output of degree seven is used if it obeys the laws.
template <class Engine>
void Verification<Engine>::Implementation::check_between(const Point& from, const Point& to,
                                                         const StepPath* path) {
  const bool moves = inclusions_.has_moving_supports();
  if ((path != nullptr && path->contains_jump) ||
      (!moves && laws_.parameters_at(to.state.time, from).size() == 0))
    return;
  const Index m = inclusions_.n_directions();
  const auto functions = [&](double time) {
    const Vector parameters = laws_.parameters_at(time, from);
    Vector all(m + parameters.size());
    all << (moves ? inclusions_.prescribed(time) : to.prescribed), parameters;
    return all;
  };
  const StepPath* obeying = path != nullptr && path->obeys_laws ? path : nullptr;
  const ResolvedFunctions resolved = resolution_of_laws_(functions, from.state.time, to.state.time,
                                                         obeying != nullptr ? intervals_of_path : 1);
  laws_.check_between(from, to, resolved.times, resolved.values.topRows(m), obeying);
}

/// Returns the integral of the load over a step. A state force is integrated with the values at the nodes of
/// the path, or without a path with the values at both ends.
template <class Engine>
Vector Verification<Engine>::Implementation::load_impulse(const Point& from, const Point& to,
                                                          const StepPath* path) {
  const ReducedSystem<Engine>& reduced = inclusions_.reduced();
  const double begin = from.state.time, end = to.state.time;
  const auto of_time = [&](double time) { return reduced.linear_load(time); };
  const Vector by_time = resolution_of_loads_(of_time, begin, end, 1).integral;
  if (!reduced.depends_on_state()) return by_time;
  if (path == nullptr)
    return by_time + 0.5 * (end - begin) * (from.load + to.load - of_time(begin) - of_time(end));
  MultiVector of_states = path->load;
  for (Index i = 0; i < of_states.cols(); ++i)
    of_states.col(i) -= of_time(path->states[static_cast<std::size_t>(i)].time);
  return by_time + (end - begin) * StepPath::mean_of(of_states);
}

/// Returns the directions on DoFs with mass or damping that stick or are closed at both ends of a step.
template <class Engine>
std::vector<Index> Verification<Engine>::Implementation::held_directions(const Point& from,
                                                                         const Point& to) const {
  const auto is_held = [](ContactState state, bool is_tangent) {
    return state == ContactState::stick || (!is_tangent && state != ContactState::open);
  };
  std::vector<Index> held;
  for (Index j = 0; j < inclusions_.n_directions(); ++j) {
    const std::vector<DoFKind>& kinds = outcome_.directions[static_cast<std::size_t>(j)].decided_by;
    if (kinds.empty() || kinds.front() == DoFKind::algebraic) continue;
    const std::size_t i = inclusions_.inclusion_of(j);
    const bool on_rate = inclusions_.level(j) == LawLevel::rate;
    if (is_held(from.state.contacts[i], on_rate) && is_held(to.state.contacts[i], on_rate)) held.push_back(j);
  }
  return held;
}

/// Returns, for given changes of impulses, the nearest changes with which the mean reactions over a step are
/// admissible at rest, with the parameters of the laws at the beginning of the step or at its end.
template <class Engine>
Vector Verification<Engine>::Implementation::admitted_impulses(const Point& from, const Point& to,
                                                               const Vector& impulse,
                                                               const Vector& change) const {
  const double h = to.state.time - from.state.time;
  Vector admitted = change;
  for (std::size_t i = 0; i < inclusions_.acting().size(); ++i) {
    const Law& law = *inclusions_.acting()[i].law;
    const Index first = inclusions_.first_direction(i), d = law.dimension();
    const Vector own = impulse.segment(first, d), added = change.segment(first, d);
    double nearest = std::numeric_limits<double>::infinity();
    for (const Point* point : {&from, &to}) {
      const LawParameters parameters = law.parameters(point->state.time, point->state.contacts[i]);
      // Mean reactions of the step that are not admissible are the subject of another check.
      LocalVector within(d), r(d);
      law.project(parameters, own / h, within);
      law.project(parameters, within + added / h, r);
      const Vector left = h * (r - within) - added;
      if (left.norm() >= nearest) continue;
      nearest = left.norm();
      admitted.segment(first, d) = added;
      if (nearest > unchanged * (own.norm() + added.norm())) admitted.segment(first, d) += left;
    }
  }
  return admitted;
}

template <class Engine>
void Verification<Engine>::Implementation::check_step(const Point& from, const Point& to,
                                                      const StepPath* path) {
  const DirectionMatrix& H = inclusions_.H();
  const Vector impulse = to.state.impulse - from.state.impulse,
               impulse_size = to.state.impulse.cwiseAbs() + from.state.impulse.cwiseAbs();
  const Vector load = load_impulse(from, to, path), force = H.force(impulse),
               force_size = Vector(H.force(impulse_size)).cwiseAbs();
  const Vector mean_q = path != nullptr ? StepPath::mean_of(path->q) : Vector();
  step_error_({from.state.time, to.state.time, from.q, to.q, from.q_rate, to.q_rate,
               path != nullptr ? &mean_q : nullptr, load, force, force_size, H, held_directions(from, to),
               [&](const Vector& change) { return admitted_impulses(from, to, impulse, change); }});
}

/// Returns K J_K k with (a; c; k) = D^{-1} H p, where p contains the impulses on masses in excess of the mean
/// reactions. The result contains impulses of algebraic DoFs that the mean displacements do not contain.
template <class Engine>
Vector Verification<Engine>::Implementation::algebraic_impulses(Vector beyond) const {
  const ReducedSystem<Engine>& reduced = inclusions_.reduced();
  for (Index j = 0; j < beyond.size(); ++j) {
    const std::vector<DoFKind>& kinds = outcome_.directions[static_cast<std::size_t>(j)].decided_by;
    if (kinds != std::vector<DoFKind>{DoFKind::inertial}) beyond[j] = 0;
  }
  if (beyond.isZero(0.) || reduced.classification().n_algebraic() == 0)
    return Vector::Zero(reduced.free().dofs().n_local());
  const MultiVector x = reduced.elimination().solve(inclusions_.H().force(beyond));
  return product(reduced.free().K(), Vector(reduced.classification().algebraic().only(x)));
}

/// Checks the balance of momentum M dv + C dq + int K q dt = int F dt + H dp over a step. Without a path the
/// integrals are computed from weighted means of both ends.
template <class Engine>
void Verification<Engine>::Implementation::check_balance(const Point& from, const Point& to,
                                                         const StepPath* path) {
  if (path != nullptr && path->contains_kink) return;
  const FreeSystem<Engine>& system = inclusions_.reduced().free();
  const double h = to.state.time - from.state.time, theta = options_.end_weight;
  const Vector impulse = to.state.impulse - from.state.impulse;
  const Vector q = path != nullptr ? StepPath::mean_of(path->q) : (1 - theta) * from.q + theta * to.q,
               load = path != nullptr ? StepPath::mean_of(path->load)
                                      : (1 - theta) * from.load + theta * to.load,
               r = path != nullptr ? StepPath::mean_of(path->r)
                                   : (1 - theta) * from.state.r + theta * to.state.r;
  const Vector terms[] = {product(system.M(), Vector(to.v - from.v)),
                          product(system.C(), Vector(to.q - from.q)),
                          h * product(system.K(), q),
                          -h * load,
                          -Vector(inclusions_.H().force(impulse)),
                          algebraic_impulses(impulse - h * r)};
  Vector residual = Vector::Zero(from.q.size());
  for (const Vector& term : terms) {
    residual += term;
    size_balance_ = std::max(size_balance_, largest_entry(term));
  }
  const double rounding = std::max(rounding_of_momentum(from), rounding_of_momentum(to));
  for (Index i = 0; i < residual.size(); ++i) {
    const double value = std::isfinite(residual[i]) ? std::max(std::abs(residual[i]) - rounding, 0.)
                                                    : std::numeric_limits<double>::max();
    if (value > balance_.value) balance_ = {value, to.state.time, system.describe(i)};
  }
}

/// Returns the rounding error of M v + C q and of the impulses so far. The terms of the balance of a step are
/// differences of these quantities.
template <class Engine>
double Verification<Engine>::Implementation::rounding_of_momentum(const Point& at) const {
  const FreeSystem<Engine>& system = inclusions_.reduced().free();
  const double size =
      std::max({largest_entry(product(system.M(), at.v)), largest_entry(product(system.C(), at.q)),
                largest_entry(Vector(inclusions_.H().force(at.state.impulse)))});
  return 8 * std::numeric_limits<double>::epsilon() * inclusions_.reduced().communicator().max(size);
}

template <class Engine>
void Verification<Engine>::Implementation::check_energy(const NonsmoothObservation<Engine>& now) {
  (*energy_)(now);
  const Energies& energies = energy_->energies();
  size_energy_ = std::max(
      size_energy_, std::abs(energies.kinetic) + std::abs(energies.potential) + std::abs(energies.reactions));
  keep_larger({dissipation_.beyond_rounding(energy_->defect()), now.time(), ""}, energy_defect_);
}

/// Returns the largest violation of the balance on all processes.
template <class Engine>
Violation Verification<Engine>::Implementation::balance_violation() const {
  const Communicator& communicator = inclusions_.reduced().communicator();
  const double size = communicator.max(size_balance_);
  std::ostringstream text;
  text.precision(std::numeric_limits<double>::max_digits10);
  text << balance_.value << ' ' << balance_.time << ' ' << balance_.where;
  Violation worst;
  for (const std::string& line : communicator.gather(text.str())) {
    std::istringstream in(line);
    Violation found;
    in >> found.value >> found.time >> std::ws;
    std::getline(in, found.where);
    if (found.value > worst.value) worst = found;
  }
  if (size > 0) worst.value /= size;
  return worst;
}

template <class Engine>
VerificationReport Verification<Engine>::Implementation::report() const {
  VerificationReport report;
  report.step_error = step_error_.largest();
  keep_larger(laws_.largest_step_error(), report.step_error);
  report.n_points = n_points_;
  report.has_energy = energy_.has_value();
  for (std::size_t c = 0; c < n_checks; ++c)
    report.violations[c] = laws_.largest(static_cast<Check>(c));
  report.violations[static_cast<std::size_t>(Check::balance)] = balance_violation();
  report.violations[static_cast<std::size_t>(Check::dissipated)] =
      relative(dissipation_.largest(), dissipation_.size());
  report.violations[static_cast<std::size_t>(Check::energy)] = relative(energy_defect_, size_energy_);
  return report;
}

template <class Engine>
Verification<Engine>::Verification(const NonsmoothIntegrator<Engine>& integrator, double longest_interval) {
  VerificationOptions options{integrator.end_weight()};
  options.longest_interval = longest_interval;
  options.impact_law = integrator.impact_law();
  implementation_ =
      std::make_unique<Implementation>(integrator.inclusions(), integrator.outcome(), options, &integrator);
}

template <class Engine>
Verification<Engine>::Verification(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome,
                                   const VerificationOptions& options)
    : implementation_(std::make_unique<Implementation>(inclusions, outcome, options, nullptr)) {}

template <class Engine>
Verification<Engine>::~Verification() = default;
template <class Engine>
Verification<Engine>::Verification(Verification&&) noexcept = default;
template <class Engine>
Verification<Engine>& Verification<Engine>::operator=(Verification&&) noexcept = default;

template <class Engine>
void Verification<Engine>::operator()(const NonsmoothObservation<Engine>& now) {
  (*implementation_)(now);
}

template <class Engine>
VerificationReport Verification<Engine>::report() const {
  return implementation_->report();
}

template <class Engine>
VerificationReport verify(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome,
                          const Trajectory& trajectory, const VerificationOptions& options) {
  Verification<Engine> verification(inclusions, outcome, options);
  auto event = trajectory.events.begin();
  for (const NonsmoothState& point : trajectory.points) {
    std::vector<ContactEvent> events;
    for (; event != trajectory.events.end() && event->end <= point.time; ++event)
      events.push_back(*event);
    verification(NonsmoothObservation<Engine>(inclusions, point, events));
  }
  return verification.report();
}

template class Verification<InstantiatedEngine>;
template VerificationReport verify(const Inclusions<InstantiatedEngine>&, const InclusionOutcome&,
                                   const Trajectory&, const VerificationOptions&);

}  // namespace halfdof
