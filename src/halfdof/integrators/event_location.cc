#include <halfdof/integrators/event_location.h>
#include <halfdof/integrators/radau_nodes.h>

#include <boost/math/tools/minima.hpp>
#include <boost/math/tools/toms748_solve.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace halfdof {

namespace {

constexpr int n_samples = 24;
/// What a rate may be off where the prescribed motion of a step of length 1 is off by the last digit.
constexpr double noise_of_rate = 3000;
constexpr double rounding = 1e-13;  ///< of values that are computed, relative to the largest in the step
/// Held directions whose constraints are off by more, relative to their terms, are not held all at once.
constexpr double contradiction = 1e-11;

/// A function that is not negative as long as its inclusion goes on: values at the nodes.
struct Watched {
  Eigen::RowVectorXd values;
  double tolerance;  ///< what rounding may take it below zero

  double at(double tau) const { return values.dot(RadauNodes::get().basis(tau).transpose()) + tolerance; }
};

double root_between(const Watched& watched, double positive, double negative) {
  const double at_positive = watched.at(positive), at_negative = watched.at(negative);
  if (at_positive == 0) return positive;
  std::uintmax_t n_iterations = 100;
  const auto bracket = boost::math::tools::toms748_solve(
      [&](double tau) { return watched.at(tau); }, positive, negative, at_positive, at_negative,
      boost::math::tools::eps_tolerance<double>(52), n_iterations);
  return bracket.second;
}

/// The first place at which it becomes negative.
std::optional<double> first_root(const Watched& watched) {
  static const std::vector<Vector> bases = [] {
    std::vector<Vector> made;
    for (int k = 0; k <= n_samples; ++k)
      made.push_back(RadauNodes::get().basis(static_cast<double>(k) / n_samples));
    return made;
  }();
  std::array<double, n_samples + 1> values{};
  for (std::size_t k = 0; k < values.size(); ++k)
    values[k] = watched.values.dot(bases[k].transpose()) + watched.tolerance;

  const auto place = [](std::size_t k) { return static_cast<double>(k) / n_samples; };
  for (std::size_t k = 1; k < values.size(); ++k) {
    if (values[k] < 0) {
      if (values[k - 1] > 0 && k > 1) return root_between(watched, place(k - 1), place(k));
      // It may have left zero at the beginning of the step, and come back already.
      for (double tau = 0.5 * place(k); tau > 1e-12; tau *= 0.5)
        if (watched.at(tau) > 2 * watched.tolerance) return root_between(watched, tau, place(k));
      return 0.;
    }
    const bool is_minimum = k + 1 < values.size() && values[k] < values[k - 1] && values[k] < values[k + 1];
    if (!is_minimum) continue;
    const auto [tau, lowest] = boost::math::tools::brent_find_minima([&](double x) { return watched.at(x); },
                                                                     place(k - 1), place(k + 1), 26);
    if (lowest < 0) return root_between(watched, place(k - 1), tau);
  }
  return std::nullopt;
}

/// What the transition has left below zero, and moves off, goes on from there.
std::optional<double> first_root_from_begin(const Eigen::RowVectorXd& values, double tolerance) {
  const std::optional<double> tau = first_root({values, tolerance});
  if (tau == 0. && values[0] < 0) return first_root({values.array() - values[0], tolerance});
  return tau;
}

/// Relative to the displacements and reactions that make a gap, which may be zero for long.
double rounding_of_gap(const CondensedInclusions& condensed, const SmoothStep& step, Index j,
                       double obstacle) {
  const Eigen::RowVectorXd terms = condensed.S_K.row(j).cwiseAbs() * step.y.cwiseAbs() +
                                   condensed.W.K.row(j).cwiseAbs() * step.r.cwiseAbs();
  return rounding * (step.g.row(j).cwiseAbs().maxCoeff()) +
         4 * std::numeric_limits<double>::epsilon() * (obstacle + terms.maxCoeff());
}

}  // namespace

double rounding_of_rate(const CondensedInclusions& condensed, const SmoothStep& step, Index direction) {
  return noise_of_rate * std::numeric_limits<double>::epsilon() *
         condensed.prescribed_size(step.begin)[direction] / step.length;
}

std::optional<LocatedEvent> first_event(const CondensedInclusions& condensed, const SmoothMotion::Mode& mode,
                                        const SmoothStep& step) {
  std::optional<LocatedEvent> first;
  const auto note = [&](Index j, const std::optional<double>& tau) {
    if (tau && (!first || *tau < first->tau)) first = LocatedEvent{*tau, j};
  };
  const auto watch = [&](Index j, Eigen::RowVectorXd values, double size) {
    note(j, first_root_from_begin(values, rounding * size));
  };
  const auto watch_rate = [&](Index j, Eigen::RowVectorXd values) {
    double tolerance = rounding * values.cwiseAbs().maxCoeff();
    if (condensed.place(j).kind == DoFKind::constrained) tolerance += rounding_of_rate(condensed, step, j);
    note(j, first_root_from_begin(values, tolerance));
  };
  const auto watch_constraint = [&](Index j) {
    const Eigen::RowVectorXd defect = step.defect.row(j), zero = 0 * defect;
    const double allowed = contradiction * step.defect_scale.row(j).maxCoeff();
    for (const Eigen::RowVectorXd& left :
         {Eigen::RowVectorXd(zero - defect), Eigen::RowVectorXd(zero + defect)})
      note(j, first_root({left, allowed}));
  };
  const Vector p = condensed.prescribed_size(step.begin);
  for (Index j = 0; j < condensed.n_directions(); ++j) {
    const ContactState state = mode.states[static_cast<std::size_t>(j)];
    // Of what is moved as prescribed, sliding friction alone may change.
    const bool slides = state == ContactState::slip_forward || state == ContactState::slip_back;
    if (condensed.place(j).kind == DoFKind::constrained && !slides) continue;
    if (SmoothMotion::is_held(state)) watch_constraint(j);
    const double force = step.r.cwiseAbs().maxCoeff();
    switch (state) {
      case ContactState::stick:
        watch(j, step.r.row(j) - step.lower.row(j), force);
        watch(j, step.upper.row(j) - step.r.row(j), force);
        break;
      case ContactState::slip_forward:
        watch_rate(j, step.w.row(j));
        break;
      case ContactState::slip_back:
        watch_rate(j, -step.w.row(j));
        break;
      case ContactState::closed:
        watch(j, step.r.row(j), force);
        break;
      case ContactState::open:
        note(j, first_root_from_begin(step.g.row(j), rounding_of_gap(condensed, step, j, p[j])));
        break;
      case ContactState::slip:
        break;
    }
  }
  return first;
}

}  // namespace halfdof
