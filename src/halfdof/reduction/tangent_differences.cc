// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/base/pseudo_random.h>
#include <halfdof/linear_algebra/entries.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/tangent_differences.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace halfdof::internal {

namespace {

/// Tolerance for the error of a tangent, and for the change of difference quotients from one step h to the
/// next, relative to the terms of the equation.
constexpr double tolerance = 1e-3;

/// One of the variables q, q' and q'', with the tangent of the force and the kinds of DoFs on which the
/// variable may change (all free DoFs for q).
template <class Engine>
struct Variable {
  Vector AssembledMotion::*part;
  const char *name, *tangent_name;
  const std::optional<typename Engine::Matrix>& tangent;
  const typename Engine::Matrix& linear;
  std::vector<DoFKind> kinds;
};

/// The difference quotients (p(x + h d) - p(x)) / h and (p(x) - p(x - h d)) / h of the force p.
struct Quotients {
  Vector ahead, behind;
  Vector mean() const { return (ahead + behind) / 2; }
};

/// Difference quotients of a state force with respect to one variable, for comparison with the tangent.
template <class Engine>
class DifferenceQuotients {
 public:
  DifferenceQuotients(const LinearizedStateForce<Engine>& of_state, const Variable<Engine>& variable)
      : of_state_(of_state),
        variable_(variable),
        force_(of_state.system.state_force().force(of_state.time, of_state.linearization)),
        direction_(pseudo_random(of_state.system.dofs())),
        tangent_(Vector::Zero(force_.size())) {
    const Vector& here = of_state.linearization.*variable.part;
    const double largest = max(here.cwiseAbs());
    for (Index i = 0; i < direction_.size(); ++i) {
      const bool moves = std::find(variable.kinds.begin(), variable.kinds.end(), of_state.kinds.kind(i)) !=
                         variable.kinds.end();
      direction_[i] *= !moves ? 0. : here[i] != 0 ? std::abs(here[i]) : largest > 0 ? largest : 1.;
    }
    is_from_zero_ = largest == 0;
    terms_ = Vector::Zero(force_.size());
    absolute_of<Engine>(variable.linear).add_product(1., direction_.cwiseAbs().eval(), terms_);
    if (!variable.tangent) return;
    variable.tangent->add_product(1., direction_, tangent_);
    absolute_of<Engine>(*variable.tangent).add_product(1., direction_.cwiseAbs().eval(), terms_);
  }

  /// Returns for each equation the difference between the tangent and the quotients, relative to all terms.
  /// There is no result if the quotients do not converge with h.
  std::optional<Vector> errors() const {
    const std::optional<Quotients> converged = converged_quotients();
    if (!converged) return std::nullopt;
    const Vector lower = converged->ahead.cwiseMin(converged->behind),
                 upper = converged->ahead.cwiseMax(converged->behind);
    Vector error = (lower - tangent_).cwiseMax(tangent_ - upper).cwiseMax(0.);
    // If a force has not changed at all, rounding inside the force may have lost the change of the motion.
    for (Index i = 0; i < error.size(); ++i)
      if (lower[i] == 0 && upper[i] == 0) error[i] = 0;
    return relative_to_terms(error, converged->mean());
  }

 private:
  double max(const Vector& values) const {
    return of_state_.system.dofs().communicator().max(values.size() > 0 ? values.maxCoeff() : 0.);
  }

  /// Returns |change| / (terms + |quotient|), which is zero in equations that do not depend on the
  /// variable.
  Vector relative_to_terms(const Vector& change, const Vector& quotient) const {
    const Vector size = terms_ + quotient.cwiseAbs();
    Vector relative = Vector::Zero(change.size());
    for (Index i = 0; i < change.size(); ++i)
      if (size[i] > 0) relative[i] = std::abs(change[i]) / size[i];
    return relative;
  }

  /// Returns the quotients that change least from one h to the next, where the rounding of forces counts as
  /// a change.
  std::optional<Quotients> converged_quotients() const {
    constexpr double step_ratio = 0x1p-5, epsilon = std::numeric_limits<double>::epsilon();
    const int n_steps = is_from_zero_ ? 13 : 10;
    std::optional<Quotients> best, last;
    double least = tolerance;
    for (int k = 0; k < n_steps; ++k) {
      const double h = std::pow(step_ratio, k);
      const std::optional<Quotients> now = quotients(h);
      if (last && now) {
        const Vector rounding = 4 * epsilon / h * (force_.cwiseAbs() + h * now->mean().cwiseAbs());
        const double change =
            max(relative_to_terms((now->mean() - last->mean()).cwiseAbs() + rounding, now->mean()));
        if (change < least) {
          least = change;
          best = now;
        }
      }
      last = now;
    }
    return best;
  }

  /// Computes the difference quotients with step h. There is no result if the force is not finite.
  std::optional<Quotients> quotients(double h) const {
    const auto& force = of_state_.system.state_force().force;
    AssembledMotion ahead = of_state_.linearization, behind = ahead;
    ahead.*variable_.part += h * direction_;
    behind.*variable_.part -= h * direction_;
    try {
      const Quotients all{(force(of_state_.time, ahead) - force_) / h,
                          (force_ - force(of_state_.time, behind)) / h};
      if (std::isfinite(max(all.ahead.cwiseAbs() + all.behind.cwiseAbs()))) return all;
    } catch (const NotFinite&) {
    }
    return std::nullopt;
  }

  const LinearizedStateForce<Engine>& of_state_;
  const Variable<Engine>& variable_;
  Vector force_, direction_, tangent_, terms_;
  bool is_from_zero_ = false;
};

}  // namespace

template <class Engine>
std::string tangent_mismatch(const LinearizedStateForce<Engine>& of_state) {
  const AssembledSystem<Engine>& system = of_state.system;
  const Variable<Engine> variables[] = {{&AssembledMotion::displacement,
                                         "displacement",
                                         "stiffness dp/dq",
                                         of_state.tangents.stiffness,
                                         system.K(),
                                         {DoFKind::inertial, DoFKind::viscous, DoFKind::algebraic}},
                                        {&AssembledMotion::rate,
                                         "rate",
                                         "damping dp/dq'",
                                         of_state.tangents.damping,
                                         system.C(),
                                         {DoFKind::inertial, DoFKind::viscous}},
                                        {&AssembledMotion::acceleration,
                                         "acceleration",
                                         "mass dp/dq''",
                                         of_state.tangents.mass,
                                         system.M(),
                                         {DoFKind::inertial}}};
  for (const Variable<Engine>& variable : variables) {
    const std::optional<Vector> errors = DifferenceQuotients<Engine>(of_state, variable).errors();
    if (!errors) continue;
    const double largest = system.dofs().communicator().max(errors->size() > 0 ? errors->maxCoeff() : 0.);
    if (largest <= tolerance) continue;
    std::string equation;
    for (Index i = 0; i < errors->size() && equation.empty(); ++i)
      if ((*errors)[i] == largest) equation = system.describe(i);
    for (const std::string& text : system.dofs().communicator().gather(equation))
      if (!text.empty()) equation = text;
    return "The tangent " + std::string(variable.tangent_name) +
           " of the state force is not the derivative of this force at t = " + number_text(of_state.time) +
           ": in the equation of " + equation + ", difference quotients with the " + variable.name +
           " differ from the tangent by " + number_text(largest) +
           ", relative to the sum of the magnitudes of the terms.";
  }
  return "";
}

template std::string tangent_mismatch(const LinearizedStateForce<InstantiatedEngine>&);

}  // namespace halfdof::internal
