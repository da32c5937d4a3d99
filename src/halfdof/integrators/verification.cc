#include <halfdof/base/errors.h>
#include <halfdof/integrators/verification.h>
#include <halfdof/linear_algebra/instantiate.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <sstream>
#include <utility>

namespace halfdof {

namespace {

double largest_entry(const Vector& x) {
  return x.size() > 0 ? x.cwiseAbs().maxCoeff() : 0.;
}

template <class Matrix>
Vector product(const Matrix& A, const Vector& x) {
  Vector Ax = Vector::Zero(x.size());
  A.add_product(1., x, Ax);
  return Ax;
}

template <class Point>
double middle(const Point& from, const Point& to) {
  return from.state.time + 0.5 * (to.state.time - from.state.time);
}

/// Written so that NaN stays.
void keep_larger(const Violation& found, Violation& largest) {
  if (found.value <= largest.value || std::isnan(largest.value)) return;
  largest = found;
}

}  // namespace

template <class Engine>
Verification<Engine>::Verification(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome,
                                   const VerificationOptions& options)
    : inclusions_(inclusions),
      outcome_(outcome),
      options_(options),
      random_(options.seed),
      size_r_(Vector::Zero(static_cast<Index>(inclusions.acting().size()))) {
  if (EnergyBalance<Engine>::applies_to(inclusions.reduced())) energy_.emplace(inclusions.reduced());
  for (auto& of_check : found_)
    of_check.resize(inclusions.acting().size());
}

template <class Engine>
auto Verification<Engine>::point_of(const NonsmoothObservation<Engine>& now) const -> Point {
  const ReducedSystem<Engine>& reduced = inclusions_.reduced();
  const Selection& free = reduced.assembled().free();
  Point point;
  point.state = now.state();
  point.q = free.restrict(now.lift().displacement);
  point.v = reduced.velocity_states(now.state().y);
  point.load = reduced.load(now.time());
  MultiVector both(point.q.size(), 2);
  both << point.q, free.restrict(now.lift().rate);
  const MultiVector seen = inclusions_.H().components(both);
  point.s = seen.col(0);
  point.rate = seen.col(1);
  point.prescribed = inclusions_.prescribed(now.time());
  point.prescribed_rate = inclusions_.state_rates(now.state(), now.state().r) - point.rate;
  return point;
}

template <class Engine>
void Verification<Engine>::operator()(const NonsmoothObservation<Engine>& now) {
  Point to = point_of(now);
  measure(to);
  for (std::size_t i = 0; i < inclusions_.acting().size(); ++i)
    check_instant(i, to);
  if (last_) {
    if (to.state.time > last_->state.time) check_step(*last_, to);
    check_balance(*last_, to);
    check_dissipated(*last_, to, now.events());
  }
  for (const ContactEvent& event : now.events())
    check_event(event);
  if (energy_) {
    (*energy_)(now);
    const Energies& energies = energy_->energies();
    size_energy_ = std::max(size_energy_, std::abs(energies.kinetic) + std::abs(energies.potential) +
                                              std::abs(energies.reactions));
    keep_larger({std::abs(energy_->defect()), now.time(), ""}, energy_defect_);
  }
  if (!last_) first_dissipated_ = to.state.dissipated;
  last_ = std::move(to);
  ++n_points_;
}

/// The largest of everything: what violations are relative to.
template <class Engine>
void Verification<Engine>::measure(const Point& to) {
  const NonsmoothState& state = to.state;
  size_rate_ = std::max(size_rate_, inclusions_.reduced().communicator().max(largest_entry(to.v)));
  for (Index j = 0; j < inclusions_.n_directions(); ++j) {
    const auto i = static_cast<Index>(inclusions_.inclusion_of(j));
    size_r_[i] = std::max(size_r_[i], std::abs(state.r[j]));
    size_rate_ = std::max(size_rate_, std::abs(state.w[j]));
    if (inclusions_.level(j) == LawLevel::gap)
      size_g_ = std::max({size_g_, std::abs(to.s[j]), std::abs(to.prescribed[j])});
  }
}

template <class Engine>
void Verification<Engine>::note(Check check, std::size_t inclusion, double value, double time) {
  Violation& largest = found_[static_cast<std::size_t>(check)][inclusion];
  keep_larger({value, time, "inclusion \"" + inclusions_.acting()[inclusion].name + "\""}, largest);
}

/// M dv + C dq + h K q = h F + H dp, with means of both ends.
template <class Engine>
void Verification<Engine>::check_balance(const Point& from, const Point& to) {
  const FreeSystem<Engine>& system = inclusions_.reduced().free();
  const double h = to.state.time - from.state.time, theta = options_.end_weight;
  const Vector impulse = to.state.impulse - from.state.impulse;
  const Vector terms[] = {
      product(system.M(), Vector(to.v - from.v)), product(system.C(), Vector(to.q - from.q)),
      h * product(system.K(), Vector((1 - theta) * from.q + theta * to.q)),
      -h * ((1 - theta) * from.load + theta * to.load), -Vector(inclusions_.H().force(impulse))};
  Vector residual = Vector::Zero(from.q.size());
  for (const Vector& term : terms) {
    residual += term;
    size_balance_ = std::max(size_balance_, largest_entry(term));
  }
  for (Index i = 0; i < residual.size(); ++i) {
    const double value =
        std::isfinite(residual[i]) ? std::abs(residual[i]) : std::numeric_limits<double>::max();
    if (value > balance_.value) balance_ = {value, to.state.time, system.describe(i)};
  }
}

/// Work of the impulses of the step on relative rates; of jumps, on the means of both sides.
template <class Engine>
void Verification<Engine>::check_dissipated(const Point& from, const Point& to,
                                            const std::vector<ContactEvent>& events) {
  Vector impulse = to.state.impulse - from.state.impulse;
  for (const ContactEvent& event : events) {
    if (event.begin < from.state.time) continue;  // spread over several steps
    const auto d = static_cast<Index>(event.impulse.size());
    taken_ -= 0.5 * event.impulse.dot(event.w_before + event.w_after);
    size_taken_ += 0.5 * event.impulse.norm() * (event.w_before.norm() + event.w_after.norm());
    impulse.segment(inclusions_.first_direction(event.inclusion), d) -= event.impulse;
  }
  const double h = to.state.time - from.state.time;
  const Vector change = to.s + to.prescribed - from.s - from.prescribed;
  for (Index j = 0; j < impulse.size() && h > 0; ++j) {
    const bool has_impacts =
        outcome_.directions[static_cast<std::size_t>(j)].cell() == Cell::measure_inclusion;
    if (inclusions_.level(j) == LawLevel::gap && !has_impacts) continue;
    taken_ -= impulse[j] * change[j] / h;
    size_taken_ += std::abs(impulse[j]) * size_rate_;
  }
  keep_larger({std::abs(to.state.dissipated - first_dissipated_ - taken_), to.state.time, ""}, dissipated_);
}

/// What holds at every point: gaps, and reactions in their sets.
template <class Engine>
void Verification<Engine>::check_instant(std::size_t i, const Point& to) {
  const Law& law = *inclusions_.acting()[i].law;
  const Index first = inclusions_.first_direction(i), d = law.dimension();
  const double t = to.state.time;
  const Vector r = to.state.r.segment(first, d);
  double distance = law.distance(law.parameters(t, to.state.contacts[i]), r);
  if (last_ && !law.is_autonomous())
    distance = std::min(distance, law.distance(law.parameters(middle(*last_, to), to.state.contacts[i]), r));
  note(Check::reaction, i, distance, t);
  for (Index k = 0; k < d; ++k) {
    if (law.level(k) != LawLevel::gap) continue;
    const double g = to.s[first + k] + to.prescribed[first + k];
    note(Check::gap, i, std::max(0., -g), t);
    note(Check::complementarity, i, std::abs(g * r[k]), t);
  }
}

template <class Engine>
void Verification<Engine>::check_step(const Point& from, const Point& to) {
  const PrescribedStep prescribed = prescribed_step(inclusions_, from.state.time, to.state.time);
  for (std::size_t i = 0; i < inclusions_.acting().size(); ++i)
    check_law(i, from, to, prescribed);
}

/// What holds over a step: the rates that the laws saw, and the laws themselves.
template <class Engine>
void Verification<Engine>::check_law(std::size_t i, const Point& from, const Point& to,
                                     const PrescribedStep& prescribed) {
  const Law& law = *inclusions_.acting()[i].law;
  const Index first = inclusions_.first_direction(i), d = law.dimension();
  const double t = to.state.time, h = t - from.state.time;
  const auto own = [&](const Vector& all) -> Vector { return all.segment(first, d); };
  const Vector g = own(to.s + to.prescribed), w = own(to.state.w), r = own(to.state.r);
  const Vector mean = (g - own(from.s + from.prescribed)) / h;
  // Of what is prescribed, methods count the rate at the end of the step or that behind it.
  const Vector end = own(to.rate + prescribed.end_rate), now = own(to.rate + to.prescribed_rate);
  for (Index k = 0; k < d; ++k) {
    note(Check::kinematics, i,
         std::min({std::abs(w[k] - mean[k]), std::abs(w[k] - end[k]), std::abs(w[k] - now[k])}), t);
    // A contact that never opens has no gaps to compare with, but its reaction moves something within a step.
    if (law.level(k) == LawLevel::gap)
      size_g_ = std::max(size_g_, std::abs(r[k]) / force_per(LawLevel::gap, first + k, h));
  }

  // What has come loose within the step obeys the law of what slips.
  // Reactions that act throughout a step have the thresholds of its middle.
  const auto parameters_at = [&](double time) {
    return std::array<LawParameters, 2>{law.parameters(time, from.state.contacts[i]),
                                        law.parameters(time, to.state.contacts[i])};
  };
  const auto residual_by = [&](const std::array<LawParameters, 2>& either, const Pair& pair) {
    const Vector met = pair.met / pair.rho;
    return std::min(law.natural_residual(either[0], pair.rho, met, pair.r),
                    law.natural_residual(either[1], pair.rho, met, pair.r));
  };
  std::array<LawParameters, 2> parameters = parameters_at(t);
  const auto residual_of = [&](const Pair& pair) { return residual_by(parameters, pair); };
  Pair pair = pair_of(i, w, g, r, h);
  if (outcome_.directions[static_cast<std::size_t>(first)].cell() == Cell::measure_inclusion) {
    if (r[0] == 0) return;
    // Closed, or rebounding.
    Pair rebounding = pair;
    rebounding.met[0] = force_per(LawLevel::rate, first, h) *
                        (w[0] + law.restitution().value_or(0.) * own(from.rate + prescribed.begin_rate)[0]);
    if (residual_of(rebounding) < residual_of(pair)) pair = rebounding;
  }
  if (!law.is_autonomous()) {
    const std::array<LawParameters, 2> in_the_middle = parameters_at(middle(from, to));
    if (residual_by(in_the_middle, pair) < residual_of(pair)) parameters = in_the_middle;
  }
  note(Check::law, i, residual_of(pair), t);
  note(Check::variational, i, largest_product(law, parameters[0], pair), t);
}

/// The force that undoes a unit rate, or gap, of a direction within a step.
template <class Engine>
double Verification<Engine>::force_per(LawLevel level, Index direction, double step) const {
  const DirectionOutcome& outcome = outcome_.directions[static_cast<std::size_t>(direction)];
  if (outcome.decided_by.empty()) return 1.;
  double rate = 0;
  switch (outcome.decided_by.front()) {
    case DoFKind::algebraic:
      rate = outcome.W / step;
      break;
    case DoFKind::viscous:
      rate = outcome.W;
      break;
    case DoFKind::inertial:
    case DoFKind::constrained:
      rate = outcome.W * step;
      break;
  }
  return 1 / (level == LawLevel::rate ? rate : rate * step);
}

template <class Engine>
auto Verification<Engine>::pair_of(std::size_t i, const Vector& w, const Vector& g, const Vector& r,
                                   double step) const -> Pair {
  const Law& law = *inclusions_.acting()[i].law;
  const Index first = inclusions_.first_direction(i), d = law.dimension();
  Pair pair{Vector(d), r, 1.};
  // Tangents share one factor: their directions count.
  const double tangential = force_per(LawLevel::rate, first + d - 1, step);
  for (Index k = 0; k < d; ++k)
    pair.met[k] =
        law.level(k) == LawLevel::rate ? tangential * w[k] : force_per(LawLevel::gap, first + k, step) * g[k];
  if (d == 1) pair.rho = force_per(law.level(0), first, step);
  return pair;
}

/// max of (w - w')(r - r') over random pairs of the law, positive where it is violated. In the unit of r^2.
template <class Engine>
double Verification<Engine>::largest_product(const Law& law, const LawParameters& parameters,
                                             const Pair& pair) {
  const Index d = law.dimension();
  const bool has_normal = d > 1 && law.level(0) == LawLevel::gap;
  if (!has_normal && !law.is_maximal_monotone()) return 0;
  const double size = std::max(largest_entry(pair.r), largest_entry(pair.met));
  std::uniform_real_distribution<double> uniform(-2 * size, 2 * size);
  double largest = 0;
  for (int n = 0; n < options_.n_test_pairs; ++n) {
    Vector z(d), r(d);
    for (Index k = 0; k < d; ++k)
      z[k] = uniform(random_);
    if (has_normal) {
      // The normal reaction with its gap; then tangents, with that normal reaction.
      law.resolvent(parameters, 1., z, r);
      largest = std::max(largest, (pair.met[0] - (r[0] - z[0])) * (pair.r[0] - r[0]));
      z[0] = pair.r[0];
    }
    law.resolvent(parameters, pair.rho, z, r);
    const Vector w = r - z;
    const Index first = has_normal ? 1 : 0;
    largest = std::max(largest, (pair.met - w).tail(d - first).dot((pair.r - r).tail(d - first)));
  }
  return largest;
}

template <class Engine>
void Verification<Engine>::check_event(const ContactEvent& event) {
  const Law& law = *inclusions_.acting()[event.inclusion].law;
  if (law.level(0) != LawLevel::gap || event.impulse.size() == 0 || event.impulse.isZero(0.)) return;
  if (event.impulse[0] < 0) note(Check::impact, event.inclusion, 1., event.end);
  const double e = law.restitution().value_or(0.);
  const double rebound = event.w_after[0] + e * event.w_before[0];
  const double size = std::max(std::abs(event.w_before[0]), std::abs(event.w_after[0]));
  // Leaves slower than it must, leaves faster and is pushed all the same, or is pulled.
  if (size != 0) note(Check::impact, event.inclusion, std::abs(rebound) / size, event.end);
}

/// What the violations of an inclusion are relative to.
template <class Engine>
double Verification<Engine>::size_of(Check check, std::size_t inclusion) const {
  const double r = size_r_[static_cast<Index>(inclusion)];
  switch (check) {
    case Check::gap:
      return size_g_;
    case Check::kinematics:
      return size_rate_;
    case Check::complementarity:
      return r * size_g_;
    case Check::variational:
      return r * r;
    case Check::impact:
      return 1.;
    default:
      return r;
  }
}

/// The worst row of all processes.
template <class Engine>
Violation Verification<Engine>::balance_violation() const {
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
VerificationReport Verification<Engine>::report() const {
  VerificationReport report;
  report.n_points = n_points_;
  report.has_energy = energy_.has_value();
  for (std::size_t c = 0; c < n_checks; ++c)
    for (std::size_t i = 0; i < found_[c].size(); ++i) {
      Violation found = found_[c][i];
      const double size = size_of(static_cast<Check>(c), i);
      if (size > 0) found.value /= size;
      keep_larger(found, report.violations[c]);
    }
  report.violations[static_cast<std::size_t>(Check::balance)] = balance_violation();
  Violation dissipated = dissipated_;
  if (size_taken_ > 0) dissipated.value /= size_taken_;
  report.violations[static_cast<std::size_t>(Check::dissipated)] = dissipated;
  Violation energy = energy_defect_;
  if (size_energy_ > 0) energy.value /= size_energy_;
  report.violations[static_cast<std::size_t>(Check::energy)] = energy;
  return report;
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
