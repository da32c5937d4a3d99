// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/classification/state_force_check.h>
#include <halfdof/linear_algebra/dense/stack.h>
#include <halfdof/linear_algebra/entries.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/mixed_column_matrix.h>
#include <halfdof/reduction/state_dependence.h>
#include <halfdof/reduction/tangent_differences.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

namespace halfdof {

using namespace internal;

namespace {

/// The tolerance for a state is smaller than that of a step by this factor, because steps iterate over
/// states.
constexpr double sharper = 1e-2;

/// A slow iteration continues from its iterate if the last change is below this; otherwise it restarts.
constexpr double near = 0.5;

template <class Engine>
bool has_entries(const std::optional<typename Engine::Matrix>& A) {
  return A && A->rows().communicator().any(!Engine::column_norms(*A).isZero(0.));
}

AssembledMotion at_rest(Index n_local) {
  return {Vector::Zero(n_local), Vector::Zero(n_local), Vector::Zero(n_local)};
}

template <class Engine>
AssembledMotion checked(AssembledMotion motion, const AssembledSystem<Engine>& system) {
  for (const auto& [values, name] : {std::pair{&motion.displacement, "displacement"},
                                     {&motion.rate, "rate"},
                                     {&motion.acceleration, "acceleration"}})
    if (system.dofs().communicator().any(values->size() != system.dofs().n_local() || !values->allFinite()))
      throw InvalidInput(std::string("The ") + name + " about which a system is linearized has " +
                         std::to_string(values->size()) +
                         " entries, or some that are not finite. Give one for "
                         "each of the " +
                         std::to_string(system.dofs().n_local()) +
                         " assembled degrees of "
                         "freedom here.");
  return motion;
}

NewtonOptions checked(const NewtonOptions& options) {
  const auto refuse = [](const std::string& name, const std::string& value, const std::string& advice) {
    throw InvalidInput("NewtonOptions::" + name + " is " + value + ". Give " + advice + ".");
  };
  if (!(options.tolerance > 0 && options.tolerance < 1))
    refuse("tolerance", number_text(options.tolerance), "a part of one, such as 1e-10");
  if (options.max_iterations < 1)
    refuse("max_iterations", std::to_string(options.max_iterations), "one at least");
  if (!(options.slow > 0 && options.slow < 1))
    refuse("slow", number_text(options.slow), "a factor between zero and one, such as 0.25");
  return options;
}

ReductionOptions checked(ReductionOptions options) {
  options.newton = checked(options.newton);
  return options;
}

/// Returns the larger value; NaN if a is NaN.
double larger(double a, double b) {
  return std::isnan(a) || a >= b ? a : b;
}

/// Computes changes of x = (a_I; q_C'; q_K), each relative to the largest entry of its kind in x and in the
/// terms whose sum is x.
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

/// @throws KindChange if a declared mass or damping is null at the linearization
template <class Engine>
void check_alone(const StateDependence<Engine>& of_state) {
  ColumnHistory of_this;
  check_kinds(of_state.system, of_state.tangents, of_state.kinds, of_state.time, of_this);
}

/// @throws KindChange if a mass or a damping passes zero between both linearizations
template <class Engine>
void check_signs(const StateDependence<Engine>& before, const StateDependence<Engine>& now) {
  ColumnHistory signs_before;
  check_kinds(before.system, before.tangents, before.kinds, before.time, signs_before);
  signs_before.mass = signs_before.damping = Vector();
  check_kinds(now.system, now.tangents, now.kinds, now.time, signs_before);
}

/// Returns dp/dt at the linearization; no function if p has none.
template <class Engine>
TimeFunction time_derivative_there(const StateDependence<Engine>& of_state) {
  if (!of_state.system.state_force().time_derivative) return {};
  return [derivative = of_state.system.state_force().time_derivative, time = of_state.time,
          motion = of_state.linearization](double) { return derivative(time, motion); };
}

/// Returns c + p_t (t - t_0).
template <class Engine>
TimeFunction remainder_near(const StateDependence<Engine>& of_state) {
  return [c = of_state.remainder_there, p_t = time_derivative_there(of_state), t_0 = of_state.time](
             double time) -> Vector { return time != t_0 && p_t ? Vector(c + (time - t_0) * p_t(t_0)) : c; };
}

/// Returns p_t.
template <class Engine>
TimeFunction rate_of_remainder(const StateDependence<Engine>& of_state) {
  if (const TimeFunction p_t = time_derivative_there(of_state)) return p_t;
  return [](double) -> Vector {
    throw NotAvailable(
        "The rates of algebraic degrees of freedom need dp/dt of the state force, which was not given. Give "
        "its time_derivative; give independent_of_time if p does not depend explicitly on time.");
  };
}

}  // namespace

template <class Engine>
StateDependence<Engine>::StateDependence(const AssembledSystem<Engine>& assembled, double at_time,
                                         AssembledMotion motion, const ReductionOptions& reduction_options)
    : system(assembled),
      time(at_time),
      linearization(checked(std::move(motion), assembled)),
      tangents(assembled.state_force().tangents(time, linearization)),
      remainder_there(remainder(time, linearization)),
      kinds(declared_kinds(assembled, reduction_options.classification)),
      options(checked(reduction_options)) {
  check_force_depends_on_states_only(system, kinds, time, linearization);
}

template <class Engine>
StateDependence<Engine>::StateDependence(const StateDependence& other, double at_time, AssembledMotion motion)
    : system(other.system),
      time(at_time),
      linearization(std::move(motion)),
      tangents(system.state_force().tangents(time, linearization)),
      remainder_there(remainder(time, linearization)),
      kinds(other.kinds),
      options(other.options) {}

template <class Engine>
bool StateDependence<Engine>::has_mass() const {
  return has_entries<Engine>(system.state_force().pattern.mass);
}

template <class Engine>
bool StateDependence<Engine>::has_damping() const {
  return has_entries<Engine>(system.state_force().pattern.damping);
}

template <class Engine>
Vector StateDependence<Engine>::remainder(double at_time, const AssembledMotion& motion) const {
  Vector c = system.state_force().force(at_time, motion);
  if (tangents.mass) tangents.mass->add_product(-1., motion.acceleration, c);
  if (tangents.damping) tangents.damping->add_product(-1., motion.rate, c);
  if (tangents.stiffness) tangents.stiffness->add_product(-1., motion.displacement, c);
  return c;
}

}  // namespace halfdof

namespace halfdof::internal {

template <class Engine>
StateDependence<Engine> state_dependence_at_rest(const AssembledSystem<Engine>& assembled,
                                                 const ReductionOptions& options) {
  AssembledMotion rest = at_rest(assembled.dofs().n_local());
  const PrescribedMotion& prescribed = assembled.prescribed();
  if (prescribed.value) assembled.constrained().add_to(prescribed.value(0), rest.displacement);
  if (prescribed.rate) assembled.constrained().add_to(prescribed.rate(0), rest.rate);
  return {assembled, 0, rest, options};
}

template <class Engine>
FreeSystem<Engine> tangent_system(const StateDependence<Engine>& of_state) {
  FreeSystem<Engine> system(of_state.system.linearized(of_state.tangents));
  check_alone(of_state);
  return system;
}

}  // namespace halfdof::internal

namespace halfdof {

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
  return at_trial(state.time,
                  [&] { return state_dependence()->remainder(state.time, motion_with(state, x)); });
}

/// Solves for (a_I; q_C'; q_K) at a state so that all equations are satisfied: with the present tangents, or
/// if these converge slowly, with those of every iterate. @param may_keep_tangents Set to false in the second
/// case
template <class Engine>
MultiVector ReducedSystem<Engine>::solve_highest_derivatives(const State& state, const Vector& forces,
                                                             bool* may_keep_tangents) const {
  const StateDependence<Engine>& of_state = *state_dependence();
  const NewtonOptions& newton = of_state.options.newton;
  const auto solve = [&](const ReducedSystem& linear, const Vector& c) -> MultiVector {
    return linear.highest_derivatives(
        state.y, linear.free().load(state.time) + forces - Vector(free().restrict_forces(c)));
  };
  const MultiVector first = solve(*this, of_state.remainder_there);
  MultiVector terms(first.rows(), 4);
  stack_columns(terms, free().load(state.time), forces,
                Vector(free().restrict_forces(of_state.remainder_there)), Vector::Zero(first.rows()));
  terms = elimination().solve(terms);
  terms.col(3) = first - terms.col(0) - terms.col(1) + terms.col(2);
  const ChangeByKind relative_change(classification(), communicator(), terms);

  MultiVector x = first;
  bool is_slow = false;
  double before = std::numeric_limits<double>::infinity(), change = before;
  for (int k = 0; k < newton.max_iterations; ++k) {
    const AssembledMotion motion = motion_with(state, x);
    const std::optional<ReducedSystem> with_present_tangents =
        is_slow
            ? std::optional<ReducedSystem>(at_trial(state.time,
                                                    [&] {
                                                      return ReducedSystem({of_state, state.time, motion});
                                                    }))
            : std::nullopt;
    const ReducedSystem& linear = with_present_tangents ? *with_present_tangents : *this;
    MultiVector next =
        solve(linear,
              at_trial(state.time, [&] { return linear.state_dependence()->remainder(state.time, motion); }));
    before = std::exchange(change, relative_change(x, next));
    x = std::move(next);
    if (!std::isfinite(change)) break;
    const bool slows_down = change > newton.slow * before;
    const bool ends = slows_down || k + 1 == newton.max_iterations;
    if (change <= sharper * newton.tolerance || (change <= newton.tolerance && ends)) {
      if (with_present_tangents) check_signs(of_state, *with_present_tangents->state_dependence());
      return x;
    }
    if (slows_down && !is_slow && change > near) x = first;
    is_slow = is_slow || slows_down;
    if (is_slow && may_keep_tangents != nullptr) *may_keep_tangents = false;
  }
  if (may_keep_tangents != nullptr) *may_keep_tangents = false;
  if (const std::optional<MultiVector> relaxed =
          relaxed_highest_derivatives(state, first, solve, relative_change))
    return *relaxed;
  throw NoConvergence("At t = " + number_text(state.time) +
                          " the equations with the state force were "
                          "not solved in " +
                          std::to_string(newton.max_iterations) +
                          " iterations: the last "
                          "change was " +
                          number_text(change) +
                          " of the largest rate or displacement. Check the "
                          "tangents of the state force, or take shorter steps.",
                      change);
}

/// Newton's iteration with a stiffness s W in addition to the tangents, where W has the size of the diagonal
/// of the tangent stiffness at algebraic DoFs. It acts as dampers on these DoFs would in steps of time: the
/// DoFs move in the direction of their forces, past points where tangents are singular. s decreases from step
/// to step (Kelley, Keyes, SIAM J. Numer. Anal. 35, 1998), and increases if the sum is singular. No value if
/// the iteration does not converge.
template <class Engine>
template <class Solve, class Change>
std::optional<MultiVector> ReducedSystem<Engine>::relaxed_highest_derivatives(
    const State& state, MultiVector x, const Solve& solve, const Change& relative_change) const {
  constexpr double fastest_decrease = 0.125;
  const StateDependence<Engine>& of_state = *state_dependence();
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
    StateDependence<Engine> held =
        at_trial(state.time, [&] { return StateDependence<Engine>(of_state, state.time, motion); });
    std::optional<Matrix>& stiffness = held.tangents.stiffness;
    const Matrix total =
        stiffness ? Engine::sum(1., of_state.system.K(), 1., *stiffness) : of_state.system.K();
    W = W.cwiseMax(diagonal_of<Engine>(total).cwiseAbs().cwiseProduct(is_algebraic)).eval();
    const Matrix holding = Engine::diagonal(s * W, of_state.system.dofs());
    stiffness = stiffness ? Engine::sum(1., *stiffness, 1., holding) : holding;
    held.remainder_there = held.remainder(state.time, motion);
    const Vector c = held.remainder_there;
    std::optional<ReducedSystem> linear;
    try {
      linear.emplace(ReducedSystem(std::move(held)));
    } catch (const SingularElimination&) {
      s *= 4;
      continue;
    }
    MultiVector next = solve(*linear, c);
    const double change = relative_change(x, next);
    x = std::move(next);
    if (!std::isfinite(change)) break;
    const bool is_short = change <= sharper * newton.tolerance;
    if (is_short && s == 0) {
      check_signs(of_state, StateDependence<Engine>(of_state, state.time, motion_with(state, x)));
      return x;
    }
    // W makes steps shorter, so the last one must be a Newton step.
    s = is_short ? 0. : s * std::clamp(change / before, fastest_decrease, 1.);
    before = change;
  }
  return std::nullopt;
}

template <class Engine>
StateDependence<Engine> ReducedSystem<Engine>::dependence_at(const State& state, const Vector& forces) const {
  const MultiVector x = solve_highest_derivatives(state, forces);
  return StateDependence<Engine>(*state_dependence(), state.time, motion_with(state, x));
}

template <class Engine>
ReducedSystem<Engine> ReducedSystem<Engine>::relinearized(const State& state, const Vector& forces) const {
  if (!depends_on_state()) return *this;
  return ReducedSystem(dependence_at(state, forces));
}

template <class Engine>
ReducedSystem<Engine> ReducedSystem<Engine>::relinearized(const State& state) const {
  return relinearized(state, Vector::Zero(free().dofs().n_local()));
}

template <class Engine>
ReducedSystem<Engine> ReducedSystem<Engine>::about(const State& state, const Vector& forces) const {
  const ReducedSystem there = relinearized(state, forces);
  if (!depends_on_state()) return there;
  if (const std::string mismatch = tangent_mismatch(*there.state_dependence()); !mismatch.empty())
    throw InvalidInput(mismatch + " Small motions about this state would be wrong: correct the tangents.");
  return there;
}

template <class Engine>
ReducedSystem<Engine> ReducedSystem<Engine>::about(const State& state) const {
  return about(state, Vector::Zero(free().dofs().n_local()));
}

template <class Engine>
ReducedSystem<Engine> ReducedSystem<Engine>::tangent(const State& state, const Vector& forces) const {
  if (!depends_on_state()) return *this;
  const StateDependence<Engine> there = dependence_at(state, forces);
  check_alone(there);
  ReductionOptions options = there.options;
  options.method = ReductionMethod::null_columns;  // the null columns that were declared
  return ReducedSystem(
      there.system.linearized(there.tangents, remainder_near(there), rate_of_remainder(there)), options);
}

template <class Engine>
Vector ReducedSystem<Engine>::rates_of_highest_derivatives(const State& state, const Vector& forces,
                                                           const Vector& force_rates) const {
  const ReducedSystem here = tangent(state, forces);
  return here.highest_derivatives(here.apply(state, forces), here.free().load_rate(state.time) + force_rates);
}

template <class Engine>
bool ReducedSystem<Engine>::check_kinds(const State& state, const Vector& forces,
                                        ColumnHistory& so_far) const {
  if (!depends_on_state()) return true;
  const StateDependence<Engine>& of_state = *state_dependence();
  bool serves = true;
  const AssembledMotion motion = motion_with(state, solve_highest_derivatives(state, forces, &serves));
  if (so_far.is_empty)
    halfdof::check_kinds(of_state.system, of_state.tangents, of_state.kinds, of_state.time, so_far);
  halfdof::check_kinds(of_state.system, of_state.system.state_force().tangents(state.time, motion),
                       of_state.kinds, state.time, so_far);
  check_force_depends_on_states_only(of_state.system, of_state.kinds, state.time, motion);
  return serves;
}

}  // namespace halfdof

namespace halfdof::internal {

template struct StateDependence<InstantiatedEngine>;
template StateDependence<InstantiatedEngine> state_dependence_at_rest(
    const AssembledSystem<InstantiatedEngine>&, const ReductionOptions&);
template FreeSystem<InstantiatedEngine> tangent_system(const StateDependence<InstantiatedEngine>&);

}  // namespace halfdof::internal

namespace halfdof {

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
