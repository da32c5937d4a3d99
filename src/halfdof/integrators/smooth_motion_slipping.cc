#include <halfdof/integrators/radau_nodes.h>
#include <halfdof/integrators/run_times.h>
#include <halfdof/integrators/smooth_motion.h>

#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <limits>

namespace halfdof {

namespace {

/// Reactions of what slips are met to this, relative to them, or to what rounding leaves once turns gain
/// little.
constexpr double met_to = 1e-15, met_by_rounding = 1e-11, slow_turns = 0.3;
constexpr int most_turns = 30, most_halvings = 8;

/// A speed that has no direction of its own, relative to SmoothMotion::rate_scale().
constexpr double without_direction = 1e-13, above_noise = 10;

bool is_slipping(ContactState state) {
  return state == ContactState::slip_forward || state == ContactState::slip_back;
}

/// Values of a function, and their derivatives.
struct Linearized {
  Vector value;
  MultiVector derivative;
};

/// r = psi(z_0 + Z r) by Newton's method, with shorter steps where whole ones gain nothing.
/// @return whether it was met
template <class Psi>
bool meet(const Vector& z_0, const MultiVector& Z, const Psi& psi, Vector& r) {
  const auto n = static_cast<Index>(r.size());
  const auto residual_of = [&](const Vector& at, Linearized& met) -> Vector {
    met = psi(Vector(z_0 + Z * at));
    return at - met.value;
  };
  Linearized met;
  Vector residual = residual_of(r, met);
  for (int turn = 0; turn < most_turns; ++turn) {
    const double size = met.value.norm(), before = residual.norm();
    if (!std::isfinite(before) || !std::isfinite(size)) return false;
    if (before <= met_to * size) return true;
    const MultiVector J = MultiVector::Identity(n, n) - met.derivative * Z;
    const Vector step = J.partialPivLu().solve(residual);
    double part = 1, after = before;
    for (int halving = 0; halving < most_halvings; ++halving, part *= 0.5) {
      const Vector trial = r - part * step;
      const Vector left = residual_of(trial, met);
      after = left.norm();
      if (!(after < before) && halving + 1 < most_halvings && before > met_by_rounding * size) continue;
      r = trial;
      residual = left;
      break;
    }
    if (after <= met_by_rounding * size && after > slow_turns * before) return true;
  }
  return false;
}

}  // namespace

PainleveState::PainleveState(const std::string& contact, double time)
    : NotAvailable("The contact \"" + contact + "\" slides at " + seconds(time) +
                   " in a Painleve state: its friction presses it on by more than it follows from, and no "
                   "finite reaction moves it on. The event-driven integrator does not know what happens "
                   "there. Take a smaller coefficient of friction, or implicit Euler, whose steps choose an "
                   "impact.") {}

/// What slips with a reaction that follows from the motion.
auto SmoothMotion::sliding(const Mode& mode) const -> std::vector<Sliding> {
  std::vector<Sliding> all;
  for (Index j = 0; j < condensed_.n_directions(); ++j) {
    const ContactState state = mode.states[static_cast<std::size_t>(j)];
    const auto& place = condensed_.place(j);
    if (is_slipping(state) && !place.law->is_positively_homogeneous()) all.push_back({j, 1, std::nullopt});
    if (state == ContactState::slip && place.component == 1)
      all.push_back({j, place.law->dimension() - 1, j - 1});
  }
  return all;
}

/// Reactions at their bounds, which time alone tells.
Vector SmoothMotion::bounds(const Mode& mode, double time) const {
  Vector r = Vector::Zero(condensed_.n_directions());
  for (Index j = 0; j < condensed_.n_directions(); ++j) {
    const ContactState state = mode.states[static_cast<std::size_t>(j)];
    if (is_slipping(state) && condensed_.place(j).law->is_positively_homogeneous())
      r[j] = condensed_.sliding(j, time, state, 0.).r;
  }
  return r;
}

std::vector<Index> SmoothMotion::directions_of(const std::vector<Sliding>& all) {
  std::vector<Index> directions;
  for (const Sliding& one : all)
    for (Index k = 0; k < one.n; ++k)
      directions.push_back(one.first + k);
  return directions;
}

/// w of its directions, and the normal reaction where friction depends on it.
void SmoothMotion::add_seen(const Sliding& one, const Vector& w, const Vector& r,
                            std::vector<double>& z) const {
  for (Index k = 0; k < one.n; ++k)
    z.push_back(w[one.first + k]);
  if (one.normal) z.push_back(r[*one.normal]);
}

/// r(z) of one that slips, and its derivative: r(w) of a scalar law; -mu r_n d of Coulomb's, with d the
/// direction of w + s, or the opposite one where that has turned back.
void SmoothMotion::slide(const Mode& mode, const Sliding& one, double time, const Course& course,
                         const Vector& z, Eigen::Ref<Vector> r, Eigen::Ref<MultiVector> derivative) const {
  const ContactState state = mode.states[static_cast<std::size_t>(one.first)];
  if (!one.normal) {
    const SlidingReaction met = condensed_.sliding(one.first, time, state, z[0]);
    r[0] = met.r;
    derivative(0, 0) = met.slope;
    return;
  }
  const double mu = condensed_.friction(*one.normal, time), r_n = z[one.n];
  Vector u = z.head(one.n) + course.s.segment(one.first, one.n);
  const double speed = u.norm();
  r.setZero();
  derivative.setZero();
  if (!(speed > 0)) return;
  const double sign = u.dot(course.forward.segment(one.first, one.n)) < 0 ? -1 : 1;
  const Vector d = sign / speed * u;
  r = -mu * r_n * d;
  derivative.leftCols(one.n) =
      -sign * mu * r_n / speed * (MultiVector::Identity(one.n, one.n) - d * d.transpose());
  derivative.col(one.n) = -mu * d;
}

/// @param w Rates @param noise Of these. What begins to slip goes against the reaction that held it.
auto SmoothMotion::course_of(const Mode& mode, const std::vector<Sliding>& all, double time, const Vector& y,
                             const Acting& acting, const Vector& w, const Vector& noise) const -> Course {
  const Index m = condensed_.n_directions();
  Course course{Vector::Zero(m), Vector::Zero(m)};
  if (all.empty()) return course;
  const Vector scale = without_direction * rate_scale(time, y, acting.forced, mode.reactions, acting.p_rate) +
                       above_noise * noise;
  for (const Sliding& one : all) {
    if (!one.normal) continue;
    const Vector r = mode.reactions.segment(one.first, one.n);
    if (r.norm() > 0)
      course.s.segment(one.first, one.n) = -scale.segment(one.first, one.n).norm() / r.norm() * r;
    const Vector u = w.segment(one.first, one.n) + course.s.segment(one.first, one.n);
    if (u.norm() > 0) course.forward.segment(one.first, one.n) = u / u.norm();
  }
  return course;
}

/// Reactions of what slips at an instant; zero elsewhere. Rates are affine in them by W_C, and normal
/// reactions by what holds these.
Vector SmoothMotion::slipping(const Mode& mode, double time, const Vector& y, const Acting& acting) const {
  Vector r = bounds(mode, time);
  const std::vector<Sliding> all = sliding(mode);
  if (all.empty()) return r;
  const std::vector<Index> directions = directions_of(all);
  const auto n = static_cast<Index>(directions.size());
  const Held& now = held(mode.states);
  MultiVector response = MultiVector::Zero(condensed_.n_directions(), n);
  for (Index k = 0; k < n; ++k)
    response(directions[static_cast<std::size_t>(k)], k) = 1;
  if (!now.directions.empty())
    response(now.directions, Eigen::all) = -now.W.solve(moved_by(now.directions, directions));
  const MultiVector rates = condensed_.W.C * response;

  const Vector r_0 = reactions(mode, r, y, acting),
               w_0 = condensed_.S_C * y + acting.forced.w + acting.p_rate + condensed_.W.C * r_0;
  std::vector<double> z_0;
  for (const Sliding& one : all)
    add_seen(one, w_0, r_0, z_0);
  const auto n_z = static_cast<Index>(z_0.size());
  MultiVector Z(n_z, n);
  for (Index k = 0; k < n; ++k) {
    std::vector<double> column;
    for (const Sliding& one : all)
      add_seen(one, rates.col(k), response.col(k), column);
    Z.col(k) = Eigen::Map<const Vector>(column.data(), n_z);
  }
  const Course course = course_of(mode, all, time, y, acting, w_0, 0 * w_0);
  const auto psi = [&](const Vector& z) {
    Linearized met{Vector::Zero(n), MultiVector::Zero(n, n_z)};
    Index row = 0, column = 0;
    for (const Sliding& one : all) {
      const Index n_seen = one.n + (one.normal ? 1 : 0);
      slide(mode, one, time, course, z.segment(column, n_seen), met.value.segment(row, one.n),
            met.derivative.block(row, column, one.n, n_seen));
      row += one.n;
      column += n_seen;
    }
    return met;
  };
  Vector found = mode.reactions(directions);
  meet(Eigen::Map<const Vector>(z_0.data(), n_z), Z, psi, found);
  r(directions) = found;
  check_pressing(all, time, found, response);
  return r;
}

/// Friction that slips must not lift the normal reaction that it follows from: 1 - mu d.(dr_n/dr_t) > 0 for
/// each contact, given all that is held.
void SmoothMotion::check_pressing(const std::vector<Sliding>& all, double time, const Vector& r,
                                  const MultiVector& response) const {
  Index first = 0;
  for (const Sliding& one : all) {
    const Vector r_t = r.segment(first, one.n);
    if (one.normal && r_t.norm() > 0) {
      const Vector d = -r_t / r_t.norm();
      const double mu = condensed_.friction(*one.normal, time);
      const double left = 1 + mu * response.row(*one.normal).segment(first, one.n).dot(d);
      if (!(left > 0)) throw PainleveState(condensed_.place(one.first).name, time);
    }
    first += one.n;
  }
}

/// States and reactions under what acts: those of what slips by Newton's method at all nodes together, as
/// everything that they depend on is affine in them.
void SmoothMotion::solve(const Mode& mode, const Vector& y, Given& given, SmoothStep& step) const {
  constexpr Index n_nodes = RadauNodes::n_nodes;
  const auto time_at = [&](Index node) { return step.begin + RadauNodes::get().nodes()[node] * step.length; };
  const std::vector<Sliding> all = sliding(mode);
  given.slipping.resize(condensed_.n_directions(), n_nodes);
  for (Index i = 0; i < n_nodes; ++i)
    given.slipping.col(i) = bounds(mode, time_at(i));
  follow(mode, y, given, step);
  recover(mode, given, step);
  if (all.empty()) return;

  const auto seen = [&](const SmoothStep& of) {
    std::vector<double> z;
    for (Index i = 0; i < n_nodes; ++i)
      for (const Sliding& one : all)
        add_seen(one, of.w.col(i), of.r.col(i), z);
    return Vector(Eigen::Map<const Vector>(z.data(), static_cast<Index>(z.size())));
  };
  const std::vector<Index> directions = directions_of(all);
  const auto n = static_cast<Index>(directions.size()), n_all = n * n_nodes;
  const Vector z_0 = seen(step);
  const MultiVector Z = response_of_slipping(mode, directions, step, seen);
  const Index n_z = static_cast<Index>(z_0.size()) / n_nodes;
  const Course course =
      course_of(mode, all, step.begin, y, acting_at(given, 0), step.w.col(0), given.p.rate_noise);
  step.forward = course.forward;
  const auto psi = [&](const Vector& z) {
    Linearized met{Vector::Zero(n_all), MultiVector::Zero(n_all, z.size())};
    for (Index i = 0; i < n_nodes; ++i) {
      Index row = i * n, column = i * n_z;
      for (const Sliding& one : all) {
        const Index n_seen = one.n + (one.normal ? 1 : 0);
        slide(mode, one, time_at(i), course, z.segment(column, n_seen), met.value.segment(row, one.n),
              met.derivative.block(row, column, one.n, n_seen));
        row += one.n;
        column += n_seen;
      }
    }
    return met;
  };
  Vector r = Vector(mode.reactions(directions)).replicate(n_nodes, 1);
  const bool is_met = meet(z_0, Z, psi, r);
  for (Index i = 0; i < n_nodes; ++i)
    given.slipping(directions, i) = r.segment(i * n, n);
  follow(mode, y, given, step);
  recover(mode, given, step);
  if (!is_met) step.error = std::numeric_limits<double>::infinity();
}

/// How well interpolated reactions of what slips follow from interpolated rates at a place between nodes,
/// relative to the tolerance, and to what rounding makes of them.
double SmoothMotion::slip_error(const Mode& mode, const SmoothStep& step, double tau) const {
  const std::vector<Sliding> all = sliding(mode);
  if (all.empty()) return 0;
  const double time = step.begin + tau * step.length;
  const Vector basis = RadauNodes::get().basis(tau);
  const Course course{Vector::Zero(condensed_.n_directions()), step.forward};
  const Vector w = step.w * basis, r = step.r * basis, scale = without_direction * rate_scale_within(step);
  double error = 0;
  for (const Sliding& one : all) {
    std::vector<double> z;
    add_seen(one, w, r, z);
    Vector met(one.n);
    MultiVector derivative(one.n, static_cast<Index>(z.size()));
    slide(mode, one, time, course, Eigen::Map<const Vector>(z.data(), derivative.cols()), met, derivative);
    const double size = step.r.middleRows(one.first, one.n).colwise().norm().maxCoeff(),
                 by_rounding =
                     (derivative.leftCols(one.n).cwiseAbs() * scale.segment(one.first, one.n)).norm();
    if (const double missed = (r.segment(one.first, one.n) - met).norm(); missed > 0)
      error = std::max(error, missed / (relative_tolerance_ * size + by_rounding));
  }
  return error;
}

/// What reactions of one at one node move, by itself: the motion from rest without loads.
template <class Seen>
MultiVector SmoothMotion::response_of_slipping(const Mode& mode, const std::vector<Index>& directions,
                                               const SmoothStep& step, const Seen& seen) const {
  constexpr Index n_nodes = RadauNodes::n_nodes;
  const Index m = condensed_.n_directions();
  const auto n = static_cast<Index>(directions.size());
  const MultiVector none = MultiVector::Zero(m, n_nodes);
  const Vector at_rest = Vector::Zero(condensed_.n_states()), zero = Vector::Zero(m);
  const Given nothing{std::vector<CondensedInclusions::Forced>(n_nodes, {at_rest, zero, zero, zero}),
                      {none, none, none, zero},
                      none};
  const Mode from_rest{mode.states, zero, zero};
  MultiVector Z;
  for (Index i = 0; i < n_nodes; ++i)
    for (Index k = 0; k < n; ++k) {
      Given given = nothing;
      given.slipping(directions[static_cast<std::size_t>(k)], i) = 1;
      SmoothStep probe{step.begin, step.length, {}, {}, {}, {}, {}, {}, {}, {}};
      follow(from_rest, at_rest, given, probe);
      recover(from_rest, given, probe);
      const Vector column = seen(probe);
      if (Z.size() == 0) Z.resize(static_cast<Index>(column.size()), n * n_nodes);
      Z.col(i * n + k) = column;
    }
  return Z;
}

}  // namespace halfdof
