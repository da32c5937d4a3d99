// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/classification/state_force_check.h>
#include <halfdof/linear_algebra/dense/stack.h>
#include <halfdof/linear_algebra/entries.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/linearized_state_force.h>
#include <halfdof/reduction/mixed_column_matrix.h>
#include <halfdof/reduction/tangent_differences.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

// The solution of the equations with a state force at a state, and linear systems about that state.

namespace halfdof {

using namespace internal;

namespace {

/// The tolerance for the equations at a state is smaller than that of a time step by this factor, because
/// time steps iterate over states.
constexpr double tolerance_ratio = 1e-2;

/// A slowly converging iteration continues from its last iterate if the last relative change is below this
/// number; otherwise it restarts.
constexpr double restart_threshold = 0.5;

/// Returns the larger of two values, and NaN if a is NaN.
double larger(double a, double b) {
  return std::isnan(a) || a >= b ? a : b;
}

/// Computes the largest change of x = (a_I; q_C'; q_K), where each change is relative to the largest entry
/// of the same kind in x and in the terms whose sum is x.
class ChangeByKind {
 public:
  /// @param terms The terms whose sum is x, one column each: the contributions of loads, of inner forces and
  /// of other forces
  ChangeByKind(const Classification& kinds, const Communicator& communicator, const MultiVector& terms)
      : kinds_(kinds), communicator_(communicator), sizes_(largest(terms)) {}

  double operator()(const MultiVector& from, const MultiVector& to) const {
    const std::array<double, 3> changes = largest(to - from), now = largest(to);
    double change = 0;
    for (std::size_t k = 0; k < 3; ++k)
      if (!(changes[k] <= 0)) change = larger(change, changes[k] / larger(now[k], sizes_[k]));
    return change;
  }

 private:
  std::array<double, 3> largest(const MultiVector& x) const {
    std::array<double, 3> sizes{};
    const std::array<const Selection*, 3> selections = {&kinds_.inertial(), &kinds_.viscous(),
                                                        &kinds_.algebraic()};
    for (std::size_t k = 0; k < 3; ++k)
      for (const Index i : selections[k]->local())
        sizes[k] = larger(sizes[k], x.row(i).cwiseAbs().maxCoeff<Eigen::PropagateNaN>());
    communicator_.max(sizes.data(), static_cast<int>(sizes.size()));
    return sizes;
  }

  const Classification& kinds_;
  const Communicator& communicator_;
  std::array<double, 3> sizes_;
};

/// Checks that no diagonal entry of a mass or a damping changes its sign between two linearizations.
/// @throws KindChange if one does
template <class Engine>
void check_diagonal_signs(const LinearizedStateForce<Engine>& before,
                          const LinearizedStateForce<Engine>& now) {
  ColumnHistory signs_before;
  check_kinds(before.system, before.tangents, before.kinds, before.time, signs_before);
  signs_before.mass = signs_before.damping = Vector();
  check_kinds(now.system, now.tangents, now.kinds, now.time, signs_before);
}

/// Returns dp/dt at the linearization as a function of time. The function is empty if the derivative of p
/// was not given.
template <class Engine>
TimeFunction time_derivative_at_linearization(const LinearizedStateForce<Engine>& of_state) {
  if (!of_state.system.state_force().time_derivative) return {};
  return [derivative = of_state.system.state_force().time_derivative, time = of_state.time,
          motion = of_state.linearization](double) { return derivative(time, motion); };
}

/// Returns the remainder to first order in time, c + p_t (t - t_0), with p_t = dp/dt at the linearization.
template <class Engine>
TimeFunction first_order_remainder(const LinearizedStateForce<Engine>& of_state) {
  return [c = of_state.linearization_remainder, p_t = time_derivative_at_linearization(of_state),
          t_0 = of_state.time](double time) -> Vector {
    return time != t_0 && p_t ? Vector(c + (time - t_0) * p_t(t_0)) : c;
  };
}

/// Returns p_t, the rate of the remainder. The function throws NotAvailable if dp/dt was not given.
template <class Engine>
TimeFunction rate_of_remainder(const LinearizedStateForce<Engine>& of_state) {
  if (const TimeFunction p_t = time_derivative_at_linearization(of_state)) return p_t;
  return [](double) -> Vector {
    throw NotAvailable(
        "The rates of algebraic degrees of freedom depend on dp/dt of the state force, which was not given. "
        "Give its time_derivative, or independent_of_time if the force does not depend explicitly on time.");
  };
}

}  // namespace

template <class Engine>
Vector ReducedSystem<Engine>::load(const State& state) const {
  return load(state, Vector::Zero(free().dofs().n_local()));
}

template <class Engine>
Vector ReducedSystem<Engine>::load(const State& state, const Vector& forces) const {
  Vector F = free().load(state.time);
  if (depends_on_state()) F -= free().restrict_forces(remainder(state, forces));
  return F;
}

template <class Engine>
Vector ReducedSystem<Engine>::remainder(const State& state, const Vector& forces) const {
  if (!depends_on_state()) return Vector::Zero(assembled().dofs().n_local());
  const MultiVector x = solve_highest_derivatives(state, forces);
  return evaluate_at_iterate(
      state.time, [&] { return linearized_state_force()->remainder(state.time, motion_with(state, x)); });
}

/// Solves the equations at a state for (a_I; q_C'; q_K) by Newton's iteration with the tangents of this
/// system, or if this iteration converges slowly, with the tangents at every iterate. @param
/// may_keep_tangents Set to false if the tangents of this system are not sufficient
template <class Engine>
MultiVector ReducedSystem<Engine>::solve_highest_derivatives(const State& state, const Vector& forces,
                                                             bool* may_keep_tangents) const {
  const LinearizedStateForce<Engine>& of_state = *linearized_state_force();
  const NewtonOptions& newton = of_state.options.newton;
  const auto solve = [&](const ReducedSystem& linear, const Vector& c) -> MultiVector {
    return linear.highest_derivatives(
        state.y, linear.free().load(state.time) + forces - Vector(free().restrict_forces(c)));
  };
  const MultiVector first = solve(*this, of_state.linearization_remainder);
  MultiVector terms(first.rows(), 4);
  stack_columns(terms, free().load(state.time), forces,
                Vector(free().restrict_forces(of_state.linearization_remainder)), Vector::Zero(first.rows()));
  terms = elimination().solve(terms);
  terms.col(3) = first - terms.col(0) - terms.col(1) + terms.col(2);
  const ChangeByKind relative_change(classification(), communicator(), terms);

  MultiVector x = first;
  bool is_slow = false;
  double before = std::numeric_limits<double>::infinity(), change = before;
  for (int k = 0; k < newton.max_iterations; ++k) {
    const AssembledMotion motion = motion_with(state, x);
    const std::optional<ReducedSystem> with_present_tangents =
        is_slow ? std::optional<ReducedSystem>(
                      evaluate_at_iterate(state.time,
                                          [&] {
                                            return ReducedSystem({of_state, state.time, motion});
                                          }))
                : std::nullopt;
    const ReducedSystem& linear = with_present_tangents ? *with_present_tangents : *this;
    MultiVector next = solve(linear, evaluate_at_iterate(state.time, [&] {
                               return linear.linearized_state_force()->remainder(state.time, motion);
                             }));
    before = std::exchange(change, relative_change(x, next));
    x = std::move(next);
    if (!std::isfinite(change)) break;
    const bool slows_down = change > newton.slow * before;
    const bool ends = slows_down || k + 1 == newton.max_iterations;
    if (change <= tolerance_ratio * newton.tolerance || (change <= newton.tolerance && ends)) {
      if (with_present_tangents)
        check_diagonal_signs(of_state, *with_present_tangents->linearized_state_force());
      return x;
    }
    if (slows_down && !is_slow && change > restart_threshold) x = first;
    is_slow = is_slow || slows_down;
    if (is_slow && may_keep_tangents != nullptr) *may_keep_tangents = false;
  }
  if (may_keep_tangents != nullptr) *may_keep_tangents = false;
  if (const std::optional<MultiVector> relaxed =
          relaxed_highest_derivatives(state, first, solve, relative_change))
    return *relaxed;
  throw NoConvergence(
      "At t = " + number_text(state.time) + " the equations with the state force were not solved in " +
          std::to_string(newton.max_iterations) + " iterations: the last change was " + number_text(change) +
          " of the largest acceleration, rate or displacement. Check the tangents of the state "
          "force, or take shorter steps.",
      change);
}

/// Newton's iteration with a stiffness s W in addition to the tangents, where W has the size of the
/// diagonal of the tangent stiffness at algebraic DoFs (pseudo-transient continuation). The stiffness s W
/// has the effect of dampers on these DoFs in time steps: the DoFs move in the direction of their forces,
/// past points where tangents are singular. The factor s decreases from step to step (Kelley, Keyes, SIAM
/// J. Numer. Anal. 35, 1998), and increases if the sum of the stiffnesses is singular. There is no result
/// if the iteration does not converge.
template <class Engine>
template <class Solve, class Change>
std::optional<MultiVector> ReducedSystem<Engine>::relaxed_highest_derivatives(
    const State& state, MultiVector x, const Solve& solve, const Change& relative_change) const {
  constexpr double fastest_decrease = 0.125;
  const LinearizedStateForce<Engine>& of_state = *linearized_state_force();
  const NewtonOptions& newton = of_state.options.newton;
  if (classification().n_algebraic() == 0) return std::nullopt;
  const Selection& free = of_state.system.free();
  Vector is_algebraic = Vector::Zero(of_state.system.dofs().n_local());
  for (const Index j : classification().algebraic().local())
    is_algebraic[free.local()[static_cast<std::size_t>(j)]] = 1;
  Vector W = Vector::Zero(is_algebraic.size());
  double s = 2, before = std::numeric_limits<double>::infinity();
  for (int k = 0; k < newton.max_iterations; ++k) {
    const AssembledMotion motion = motion_with(state, x);
    LinearizedStateForce<Engine> stiffened = evaluate_at_iterate(
        state.time, [&] { return LinearizedStateForce<Engine>(of_state, state.time, motion); });
    std::optional<Matrix>& stiffness = stiffened.tangents.stiffness;
    const Matrix total =
        stiffness ? Engine::sum(1., of_state.system.K(), 1., *stiffness) : of_state.system.K();
    W = W.cwiseMax(diagonal_of<Engine>(total).cwiseAbs().cwiseProduct(is_algebraic)).eval();
    const Matrix added_stiffness = Engine::diagonal(s * W, of_state.system.dofs());
    stiffness = stiffness ? Engine::sum(1., *stiffness, 1., added_stiffness) : added_stiffness;
    stiffened.linearization_remainder = stiffened.remainder(state.time, motion);
    const Vector c = stiffened.linearization_remainder;
    std::optional<ReducedSystem> linear;
    try {
      linear.emplace(ReducedSystem(std::move(stiffened)));
    } catch (const SingularElimination&) {
      s *= 4;
      continue;
    }
    MultiVector next = solve(*linear, c);
    const double change = relative_change(x, next);
    x = std::move(next);
    if (!std::isfinite(change)) break;
    const bool is_short = change <= tolerance_ratio * newton.tolerance;
    if (is_short && s == 0) {
      check_diagonal_signs(of_state,
                           LinearizedStateForce<Engine>(of_state, state.time, motion_with(state, x)));
      return x;
    }
    // W makes steps shorter, so that the last step must be a Newton step with s = 0.
    s = is_short ? 0. : s * std::clamp(change / before, fastest_decrease, 1.);
    before = change;
  }
  return std::nullopt;
}

template <class Engine>
LinearizedStateForce<Engine> ReducedSystem<Engine>::state_force_linearized_at(const State& state,
                                                                              const Vector& forces) const {
  const MultiVector x = solve_highest_derivatives(state, forces);
  return LinearizedStateForce<Engine>(*linearized_state_force(), state.time, motion_with(state, x));
}

template <class Engine>
ReducedSystem<Engine> ReducedSystem<Engine>::relinearized(const State& state, const Vector& forces) const {
  if (!depends_on_state()) return *this;
  return ReducedSystem(state_force_linearized_at(state, forces));
}

template <class Engine>
ReducedSystem<Engine> ReducedSystem<Engine>::relinearized(const State& state) const {
  return relinearized(state, Vector::Zero(free().dofs().n_local()));
}

template <class Engine>
ReducedSystem<Engine> ReducedSystem<Engine>::about(const State& state, const Vector& forces) const {
  const ReducedSystem linearized = relinearized(state, forces);
  if (!depends_on_state()) return linearized;
  if (const std::string mismatch = tangent_mismatch(*linearized.linearized_state_force()); !mismatch.empty())
    throw InvalidInput(mismatch + " Small motions about this state would be wrong. Correct the tangents.");
  return linearized;
}

template <class Engine>
ReducedSystem<Engine> ReducedSystem<Engine>::about(const State& state) const {
  return about(state, Vector::Zero(free().dofs().n_local()));
}

template <class Engine>
ReducedSystem<Engine> ReducedSystem<Engine>::tangent(const State& state, const Vector& forces) const {
  if (!depends_on_state()) return *this;
  const LinearizedStateForce<Engine> linearized = state_force_linearized_at(state, forces);
  check_declared_kinds(linearized);
  ReductionOptions options = linearized.options;
  options.method = ReductionMethod::null_columns;  // a state force declares its null columns
  return ReducedSystem(linearized.system.linearized(linearized.tangents, first_order_remainder(linearized),
                                                    rate_of_remainder(linearized)),
                       options);
}

template <class Engine>
Vector ReducedSystem<Engine>::rates_of_highest_derivatives(const State& state, const Vector& forces,
                                                           const Vector& force_rates) const {
  const ReducedSystem linear = tangent(state, forces);
  return linear.highest_derivatives(linear.apply(state, forces),
                                    linear.free().load_rate(state.time) + force_rates);
}

template <class Engine>
bool ReducedSystem<Engine>::check_kinds(const State& state, const Vector& forces,
                                        ColumnHistory& so_far) const {
  if (!depends_on_state()) return true;
  const LinearizedStateForce<Engine>& of_state = *linearized_state_force();
  bool tangents_suffice = true;
  const AssembledMotion motion =
      motion_with(state, solve_highest_derivatives(state, forces, &tangents_suffice));
  if (so_far.is_empty)
    halfdof::check_kinds(of_state.system, of_state.tangents, of_state.kinds, of_state.time, so_far);
  halfdof::check_kinds(of_state.system, of_state.system.state_force().tangents(state.time, motion),
                       of_state.kinds, state.time, so_far);
  check_force_depends_on_states_only(of_state.system, of_state.kinds, state.time, motion);
  return tangents_suffice;
}

template Vector ReducedSystem<InstantiatedEngine>::load(const State&) const;
template Vector ReducedSystem<InstantiatedEngine>::load(const State&, const Vector&) const;
template Vector ReducedSystem<InstantiatedEngine>::rates_of_highest_derivatives(const State&, const Vector&,
                                                                                const Vector&) const;
template Vector ReducedSystem<InstantiatedEngine>::remainder(const State&, const Vector&) const;
template MultiVector ReducedSystem<InstantiatedEngine>::solve_highest_derivatives(const State&, const Vector&,
                                                                                  bool*) const;
template ReducedSystem<InstantiatedEngine> ReducedSystem<InstantiatedEngine>::relinearized(
    const State&) const;
template ReducedSystem<InstantiatedEngine> ReducedSystem<InstantiatedEngine>::relinearized(
    const State&, const Vector&) const;
template ReducedSystem<InstantiatedEngine> ReducedSystem<InstantiatedEngine>::about(const State&) const;
template ReducedSystem<InstantiatedEngine> ReducedSystem<InstantiatedEngine>::about(const State&,
                                                                                    const Vector&) const;
template ReducedSystem<InstantiatedEngine> ReducedSystem<InstantiatedEngine>::tangent(const State&,
                                                                                      const Vector&) const;
template bool ReducedSystem<InstantiatedEngine>::check_kinds(const State&, const Vector&,
                                                             ColumnHistory&) const;

}  // namespace halfdof
