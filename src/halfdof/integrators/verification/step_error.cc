// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/free_system.h>
#include <halfdof/integrators/verification/step_error.h>
#include <halfdof/linear_algebra/entries.h>
#include <halfdof/linear_algebra/instantiate.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace halfdof::internal {

namespace {

/// Relative rounding error of the terms of the balance of momentum.
constexpr double rounding = 64 * std::numeric_limits<double>::epsilon();

/// Relative tolerance of the iterations for the errors x of the reactions of held directions.
constexpr double iteration_tolerance = 1e-12;
constexpr int max_iterations = 200;

}  // namespace

template <class Engine>
StepError<Engine>::StepError(const ReducedSystem<Engine>& reduced)
    : reduced_(reduced),
      m_(diagonal_of<Engine>(reduced.free().M()).cwiseAbs()),
      c_(diagonal_of<Engine>(reduced.free().C()).cwiseAbs()),
      k_(diagonal_of<Engine>(reduced.free().K()).cwiseAbs()) {}

template <class Engine>
void StepError<Engine>::operator()(const StepData& step) {
  const FreeSystem<Engine>& system = reduced_.free();
  if (first_q_.size() == 0) first_q_ = step.q0;
  const double h = step.end - step.begin;
  const Vector mean = step.mean_q != nullptr
                          ? *step.mean_q
                          : Vector(0.5 * (step.q0 + step.q1) + h / 12 * (step.v0 - step.v1));
  Vector d = -step.load_impulse - step.impulse, size = step.load_impulse.cwiseAbs() + step.impulse_size;
  const auto add = [&](double factor, const auto& A, const Vector& x, const Vector& x_size) {
    A.add_product(factor, x, d);
    Vector of_A = Vector::Zero(d.size());
    A.add_product(factor, x_size, of_A);
    size += of_A.cwiseAbs();
  };
  add(1., system.M(), step.v1 - step.v0, step.v1.cwiseAbs() + step.v0.cwiseAbs());
  add(1., system.C(), step.q1 - step.q0, step.q1.cwiseAbs() + step.q0.cwiseAbs());
  add(h, system.K(), mean, mean.cwiseAbs());

  // The step length is the difference of two times, and the rounding errors of these times count too.
  size *= rounding +
          std::numeric_limits<double>::epsilon() * std::max(std::abs(step.begin), std::abs(step.end)) / h;

  const Vector weight = (m_.array() + h * c_.array() == 0).select(0., m_ + 0.5 * h * c_ + 0.25 * h * h * k_);
  const Vector inverse = (weight.array() > 0).select(weight.cwiseInverse(), 0.);
  const Vector displacement0 = step.q0 - first_q_, displacement1 = step.q1 - first_q_;
  size = inverse.cwiseProduct(size);
  const Vector e = error_without_held(step, inverse, inverse.cwiseProduct(d), size);
  const Vector error = (e.cwiseAbs() - size).cwiseMax(0.);
  const auto largest_of = [](const Vector& diagonal, const Vector& at_begin, const Vector& at_end) {
    return diagonal.dot(at_begin.cwiseAbs2().cwiseMax(at_end.cwiseAbs2()));
  };
  const Vector c = (m_.array() > 0).select(0., c_);
  const Communicator& communicator = reduced_.communicator();
  const double velocities = communicator.sum(m_.dot(error.cwiseAbs2())),
               rates = communicator.sum(c.dot(error.cwiseAbs2()));
  // The size of a velocity is at least its rounding error in the balance.
  const Vector v0 = step.v0.cwiseAbs().cwiseMax(size);
  size_of_velocities_ =
      std::max({size_of_velocities_, velocities, communicator.sum(largest_of(m_, v0, step.v1))});
  size_of_rates_ = std::max({size_of_rates_, rates, communicator.sum(largest_of(c, v0, step.v1))});
  size_of_displacements_ = std::max(
      {size_of_displacements_, h * h * rates, communicator.sum(largest_of(c, displacement0, displacement1))});
  keep_larger({velocities, step.end, ""}, in_velocities_);
  keep_larger({h * h * rates, step.end, ""}, in_displacements_);
}

/// Solves equation (2) for x by the method of conjugate gradients, without the bounds of the laws.
/// @param inverse the inverse of Delta, zero for DoFs without weight
/// @param e on entry Delta^{-1} d, on return e of (2)
/// @param size rounding error of e, to which the error of the iteration is added
template <class Engine>
Vector StepError<Engine>::reaction_errors_of_held(const StepData& step, const Vector& inverse, Vector& e,
                                                  Vector& size) const {
  const auto held_components = [&](const Vector& x) {
    const Vector all = step.H.components(x);
    Vector held = Vector::Zero(all.size());
    for (const Index j : step.held)
      held[j] = all[j];
    return held;
  };
  const auto moved = [&](const Vector& x) -> Vector { return inverse.cwiseProduct(Vector(step.H.force(x))); };
  Vector residual = held_components(e), p = residual, x = Vector::Zero(residual.size());
  double square = residual.squaredNorm();
  const double first = square;
  Vector taken = e.cwiseAbs();
  for (int iteration = 0;
       iteration < max_iterations && square > iteration_tolerance * iteration_tolerance * first;
       ++iteration) {
    const Vector change = moved(p), q = held_components(change);
    const double curvature = p.dot(q);
    if (!(curvature > 0)) break;
    const double part = square / curvature;
    x += part * p;
    e -= part * change;
    taken += part * change.cwiseAbs();
    residual -= part * q;
    const double before = std::exchange(square, residual.squaredNorm());
    p = residual + square / before * p;
  }
  size += iteration_tolerance * taken;
  return x;
}

/// Returns the error e of equation (2). If the laws do not admit x, the nearest admissible values are used,
/// and a further iteration distributes the remainder over the other held directions.
template <class Engine>
Vector StepError<Engine>::error_without_held(const StepData& step, const Vector& inverse, Vector e,
                                             Vector& size) const {
  if (step.held.empty()) return e;
  const Vector whole = e;
  Vector x = Vector::Zero(step.H.n_directions());
  for (int iteration = 0; iteration < max_iterations; ++iteration) {
    const Vector wish = x + reaction_errors_of_held(step, inverse, e, size), admitted = step.admitted(wish);
    if ((wish - admitted).norm() <= iteration_tolerance * admitted.norm()) return e;
    const bool goes_on = (admitted - x).norm() > iteration_tolerance * admitted.norm();
    x = admitted;
    e = whole - inverse.cwiseProduct(Vector(step.H.force(x)));
    if (!goes_on) break;
  }
  return e;
}

template <class Engine>
Violation StepError<Engine>::largest() const {
  const double length = size_of_rates_ > 0 ? std::sqrt(size_of_displacements_ / size_of_rates_) : 0.;
  const double size = size_of_velocities_ + size_of_rates_ * length;
  const auto relative = [&](Violation found, double factor) {
    found.value = found.value > 0 && size > 0 ? std::sqrt(factor * found.value / size) : found.value;
    return found;
  };
  Violation largest = relative(in_velocities_, 1.);
  keep_larger(relative(in_displacements_, length > 0 ? 1 / length : 1.), largest);
  return largest;
}

template class StepError<InstantiatedEngine>;

}  // namespace halfdof::internal
