// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/characteristic_rate.h>
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/linear_algebra/condition.h>
#include <halfdof/linear_algebra/entries.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/consistent_state.h>
#include <halfdof/reduction/force_rounding.h>
#include <halfdof/reduction/linearized_state_force.h>
#include <halfdof/reduction/singular_elimination.h>
#include <halfdof/reduction/state_parts.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace halfdof {

using namespace internal;

namespace {

/// Number of random samples from which the root mean square of rounding errors is estimated.
constexpr Index n_samples = 4;
/// A change counts as rounding up to this multiple of the root mean square of rounding errors.
constexpr double rounding_multiple = 16;

/// Returns the selection of all free DoFs.
Selection all_of(const Partition& dofs) {
  std::vector<Index> all(static_cast<std::size_t>(dofs.n_local()));
  std::iota(all.begin(), all.end(), 0);
  return Selection(std::move(all), dofs);
}

/// Factorizes P(0), the stiffness K of the free DoFs.
/// @throws SingularElimination with the DoFs of the null vectors if K is singular
template <class Engine>
ShiftedSystem<Engine, double> factorized_stiffness(const ReducedSystem<Engine>& reduced,
                                                   double condition_limit) {
  const FreeSystem<Engine>& free = reduced.free();
  const auto require_regular_stiffness = [&] {
    const SingularBlock<Engine> block{stiffness_block, free.K(), all_of(free.dofs())};
    const auto singular = find_singular(free, reduced.classification(), block, condition_limit);
    if (singular) throw *singular;
  };
  try {
    ShiftedSystem<Engine, double> solver = reduced.shifted(0.);
    if (!(equilibrated_condition_number<Engine>(free.K(), solver.pencil()) < condition_limit))
      require_regular_stiffness();
    return solver;
  } catch (const SingularMatrix&) {
    require_regular_stiffness();
    throw;
  }
}

/// Estimates the effect of rounding in the forces on each entry of an equilibrium y. The effect is zero
/// on v_I, which is zero in an equilibrium.
template <class Engine>
Vector equilibrium_rounding(const ReducedSystem<Engine>& here, const ShiftedSystem<Engine, double>& solver,
                            const State& state) {
  const MultiVector x = solver.pencil().solve(force_rounding(here, state, here.load(state), n_samples));
  const MultiVector x_I = here.classification().inertial().selected_rows(x),
                    x_C = here.classification().viscous().selected_rows(x);
  MultiVector y(state.y.size(), n_samples);
  y << x_I, x_C, MultiVector::Zero(x_I.rows(), n_samples);
  return rounding_multiple / std::sqrt(static_cast<double>(n_samples)) * y.rowwise().norm();
}

/// Returns the largest change of an entry of y relative to its value, among the changes that exceed
/// rounding.
double largest_change(const Vector& step, const Vector& y, const Vector& rounding) {
  double largest = 0;
  for (Index i = 0; i < step.size(); ++i) {
    const double change = std::abs(step[i]);
    if (change <= rounding[i]) continue;
    if (std::isnan(change)) return change;
    largest = std::max(largest, change / std::abs(y[i]));
  }
  return largest;
}

/// The accelerations of inertial DoFs and the rates of viscous DoFs, which are parts of y', each on the
/// free DoFs.
struct AccelerationsAndRates {
  Vector acceleration, rate;
};

template <class Engine>
AccelerationsAndRates accelerations_and_rates(const ReducedSystem<Engine>& here, const Vector& y_rate) {
  const Vector none = Vector::Zero(here.free().dofs().n_local());
  AccelerationsAndRates all{none, none};
  here.classification().inertial().add_to(here.v_I(y_rate), all.acceleration);
  here.classification().viscous().add_to(here.q_C(y_rate), all.rate);
  return all;
}

/// Returns the largest unbalanced force on masses and dampers, relative to the terms of its equation,
/// at a state with zero rates.
template <class Engine>
double largest_imbalance(const ReducedSystem<Engine>& here, const State& state) {
  const auto [acceleration, rate] = accelerations_and_rates(here, here.apply(state));
  Vector forces = Vector::Zero(acceleration.size());
  here.free().M().add_product(1., acceleration, forces);
  here.free().C().add_product(1., rate, forces);
  Vector terms = here.load(state).cwiseAbs() + here.linear_load(state.time).cwiseAbs();
  absolute_of<Engine>(here.free().K())
      .add_product(1., displacement_states(here, state.y).cwiseAbs().eval(), terms);
  double largest = 0;
  for (Index i = 0; i < terms.size(); ++i)
    if (const double force = std::abs(forces[i]); !(force <= 0))
      largest = std::isnan(force) ? force : std::max(largest, force / terms[i]);
  return here.communicator().max(largest);
}

/// A linearized step of the implicit Euler method from rest, of length 1 / sigma.
template <class Engine>
class EulerStep {
 public:
  /// @throws SingularMatrix
  EulerStep(const ReducedSystem<Engine>& here, const State& from, double sigma)
      : here_(here),
        solver_(here.shifted(sigma)),
        from_(from),
        rate_(here.apply(from)),
        change_(solver_.solve(rate_)) {}

  const ShiftedSystem<Engine, double>& solver() const { return solver_; }
  const Vector& change() const { return change_; }
  /// Returns the state at the end of the step, at rest again.
  State end() const {
    State end{from_.time, from_.y + change_};
    end.y.tail(here_.classification().inertial().n_local()).setZero();
    return end;
  }

  /// Returns whether the step does not point against a step of infinitesimal length (sigma to infinity):
  /// whether the inner product of their displacements, weighted by the moduli of the diagonals of M and C, is
  /// not negative.
  bool is_descent_direction() const {
    const auto [acceleration, rate] = accelerations_and_rates(here_, rate_);
    const Vector infinitesimal_step =
        diagonal_of<Engine>(here_.free().M()).cwiseAbs().cwiseProduct(acceleration) +
        diagonal_of<Engine>(here_.free().C()).cwiseAbs().cwiseProduct(rate);
    double product = infinitesimal_step.dot(displacement_states(here_, change_).col(0));
    here_.communicator().sum(&product, 1);
    return product >= 0;
  }

  /// Estimates the size of the next step with the same matrices, relative to this step. The result is
  /// the larger of an estimate from the residual and an estimate from the change of the matrices,
  /// because the residual may be small by chance.
  double contraction(const ReducedSystem<Engine>& at_end) const {
    const double length = size(change_);
    if (length == 0)
      return here_.communicator().any(!change_.isZero(0.)) ? std::numeric_limits<double>::infinity() : 0.;
    const State there{from_.time, from_.y + change_};
    const Vector residual = here_.apply(there) - solver_.sigma() * change_,
                 change_of_A = at_end.apply_homogeneous(change_) - here_.apply_homogeneous(change_);
    return std::max(size(solver_.solve(residual)), size(solver_.solve(change_of_A)) / 2) / length;
  }

 private:
  double size(const Vector& y) const {
    const double sigma = solver_.sigma();
    const FreeSystem<Engine>& free = here_.free();
    const Vector weight = sigma * sigma * diagonal_of<Engine>(free.M()).cwiseAbs() +
                          sigma * diagonal_of<Engine>(free.C()).cwiseAbs() +
                          diagonal_of<Engine>(free.K()).cwiseAbs();
    double sum = displacement_states(here_, y).col(0).cwiseAbs2().dot(weight);
    here_.communicator().sum(&sum, 1);
    return std::sqrt(sum);
  }

  const ReducedSystem<Engine>& here_;
  ShiftedSystem<Engine, double> solver_;
  const State& from_;
  Vector rate_, change_;  ///< y' at the beginning, and Delta y
};

}  // namespace

template <class Engine>
State equilibrium(const ReducedSystem<Engine>& reduced, const State& guess) {
  constexpr double largest_contraction = 0.5, sigma_increase = 4, sigma_decrease = 8, negligible_sigma = 0.1;
  constexpr int steps_per_iteration = 4;
  State state = guess;
  state.y.tail(reduced.classification().inertial().n_local()).setZero();
  if (!reduced.depends_on_state()) {
    state.y +=
        factorized_stiffness(reduced, EliminationOptions().condition_limit).solve(reduced.apply(state));
    return state;
  }
  const NewtonOptions newton = reduced.linearized_state_force()->options.newton;
  const Communicator& communicator = reduced.communicator();
  ReducedSystem<Engine> here = reduced.relinearized(state);
  const double rate = characteristic_rate(here.free());
  double sigma = 0, last_sigma = rate;
  const int max_steps = steps_per_iteration * newton.max_iterations;
  for (int k = 0; k < max_steps; ++k) {
    const auto shorten = [&] { sigma = sigma > 0 ? sigma_increase * sigma : last_sigma; };
    try {
      const EulerStep<Engine> step(here, state, sigma);
      const State end = step.end();
      const auto is_small = [&](const Vector& rounding) {
        return communicator.max(largest_change(step.change(), end.y, rounding)) <= newton.tolerance;
      };
      const bool ends = sigma == 0 && (is_small(Vector::Zero(end.y.size())) ||
                                       is_small(equilibrium_rounding(here, step.solver(), state)));
      if (ends && largest_imbalance(here, end) <= newton.tolerance) return end;
      const ReducedSystem<Engine> at_end =
          evaluate_at_iterate(end.time, [&] { return reduced.relinearized(end); });
      const double contraction = ends ? 0 : step.contraction(at_end);
      if (!(contraction <= largest_contraction) || (sigma > 0 && !step.is_descent_direction())) {
        shorten();
        continue;
      }
      here = at_end;
      state = end;
      if (sigma > 0) last_sigma = sigma;
      if (contraction <= largest_contraction / 2)
        sigma = sigma > negligible_sigma * rate ? sigma / sigma_decrease : 0;
    } catch (const SingularMatrix&) {
      shorten();
    } catch (const SingularElimination&) {
      shorten();
    } catch (const KindChange&) {
      shorten();
    } catch (const NoConvergence&) {  // in the evaluation at the end of the step
      shorten();
    }
  }
  const double imbalance = largest_imbalance(here, state);
  throw NoConvergence(
      "No equilibrium at t = " + number_text(guess.time) + " was found in " + std::to_string(max_steps) +
          " steps: an unbalanced force is " + number_text(imbalance) +
          " of the terms of its equation. There may be no equilibrium; otherwise start nearer "
          "to it, raise the load in steps, or check the tangents of the state force.",
      imbalance);
}

template <class Engine>
State equilibrium(const ReducedSystem<Engine>& reduced, const Vector& load, double time) {
  if (reduced.depends_on_state())
    throw NotAvailable(
        "An equilibrium under a separate load was requested, but this system has a state force, for which "
        "only its own load is available. Put the load into the description of the system "
        "(SystemDescription::load), and give a guess.");
  const AssembledSystem<Engine>& assembled = reduced.assembled();
  call_together(reduced.communicator(), [&] {
    if (load.size() != assembled.dofs().n_local())
      throw InvalidInput("The load of an equilibrium has " + std::to_string(load.size()) +
                         " entries, but this process has " + std::to_string(assembled.dofs().n_local()) +
                         " assembled degrees of freedom. Give one value for each degree of freedom.");
    if (!load.allFinite())
      throw InvalidInput("The load of an equilibrium has entries that are not finite. Give finite values.");
  });
  const State zero{time, Vector::Zero(reduced.n_local_states())};
  Vector other = load;
  if (assembled.right_sides().value)  // the right sides of constraints are part of the load at multipliers
    assembled.multipliers().add_to(assembled.right_sides().value(time), other);
  const FreeSystem<Engine>& free = reduced.free();
  return {time, factorized_stiffness(reduced, EliminationOptions().condition_limit)
                    .solve(reduced.apply(zero, free.load(other, time) - free.load(time)))};
}

template State equilibrium(const ReducedSystem<InstantiatedEngine>&, const State&);
template State equilibrium(const ReducedSystem<InstantiatedEngine>&, const Vector&, double);

}  // namespace halfdof
