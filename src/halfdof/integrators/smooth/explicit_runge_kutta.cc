// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/integrators/smooth/explicit_methods.h>
#include <halfdof/linear_algebra/dense/dense_eigenvalues.h>
#include <halfdof/linear_algebra/dense/dense_solves.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/linear_algebra/krylov/invariant_subspace.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

namespace halfdof {

using namespace internal;

namespace {

/// Returns whether z = h lambda is in the region of stability of the method, up to rounding.
bool is_stable(Complex z) {
  return std::abs(1. + z * (1. + z / 2. * (1. + z / 3. * (1. + z / 4.)))) <= 1 + 1e-12;
}

/// Returns the largest |z| up to which all points z of the ray through lambda are in the region of stability.
/// A ray in the right half-plane is replaced by the imaginary axis.
double stability_radius(Complex lambda) {
  const Complex direction = std::polar(1., std::arg(Complex(std::min(lambda.real(), 0.), lambda.imag())));
  const double spacing = 1e-2;
  double stable = 0;
  while (is_stable((stable + spacing) * direction))
    stable += spacing;
  double unstable = stable + spacing;
  while (unstable - stable > 1e-6) {
    const double middle = (stable + unstable) / 2;
    (is_stable(middle * direction) ? stable : unstable) = middle;
  }
  return stable;
}

/// Returns the eigenvalues of A of largest modulus, by a Rayleigh-Ritz projection onto the dominant invariant
/// subspace of A.
template <class Engine>
std::vector<Complex> dominant_eigenvalues(const ReducedSystem<Engine>& reduced) {
  SubspaceOptions options;
  options.n_eigenvalues = static_cast<Index>(std::min<GlobalIndex>(6, reduced.n_states()));
  options.tolerance = 1e-3;
  const BlockOperator<double> A = [&](ConstView<double> Y) { return reduced.apply_homogeneous(Y); };
  const MultiVector V = dominant_subspace(A, reduced.states(), options).Q;
  const Communicator& communicator = reduced.communicator();
  const MultiVector VV = inner_products(communicator, V, V);
  const MultiVector VAV = inner_products(communicator, V, reduced.apply_homogeneous(V));
  return eigenvalues(solve_dense(VV, VAV));
}

}  // namespace

template <class Engine>
ExplicitRungeKutta<Engine>::ExplicitRungeKutta(const ReducedSystem<Engine>& reduced, double time_step)
    : FixedStepIntegrator<Engine>(reduced, "explicit Runge-Kutta", time_step) {}

template <class Engine>
Vector ExplicitRungeKutta<Engine>::take_step(const State& from, double step, double end) {
  const auto f = [&](double time, const Vector& y) { return this->reduced().apply({time, y}); };
  const double middle = from.time + step / 2;
  k1_ = f(from.time, from.y);
  const Vector k2 = f(middle, from.y + step / 2 * k1_);
  const Vector k3 = f(middle, from.y + step / 2 * k2);
  const Vector k4 = f(end, from.y + step * k3);
  return from.y + step / 6 * (k1_ + 2 * k2 + 2 * k3 + k4);
}

template <class Engine>
Vector ExplicitRungeKutta<Engine>::interpolate_step(const State& begin, const State& end,
                                                    double theta) const {
  const double h = end.time - begin.time, rest = 1 - theta;
  const Vector slope_end = this->reduced().apply(end);
  return rest * rest * ((1 + 2 * theta) * begin.y + theta * h * k1_) +
         theta * theta * ((1 + 2 * rest) * end.y - rest * h * slope_end);
}

template <class Engine>
std::string ExplicitRungeKutta<Engine>::advice() const {
  return "The time step of this explicit method is " + number_text(this->time_step()) +
         " s and must be shorter than largest_stable_step(reduced). Give a shorter time step, or use an "
         "implicit integrator such as GeneralizedAlpha.";
}

template <class Engine>
double largest_stable_step(const ReducedSystem<Engine>& reduced) {
  double largest = std::numeric_limits<double>::infinity();
  if (reduced.n_states() == 0) return largest;
  for (const Complex lambda : dominant_eigenvalues(reduced))
    if (std::abs(lambda) > 0) largest = std::min(largest, stability_radius(lambda) / std::abs(lambda));
  return largest;
}

template <class Engine>
void require_stable_step(const ReducedSystem<Engine>& reduced, double time_step) {
  const double largest = largest_stable_step(reduced);
  if (time_step <= largest) return;
  std::ostringstream message;
  message << "The time step of " << time_step
          << " s is too long for the explicit Runge-Kutta method, which is stable for this system up to "
          << largest
          << " s. Give a shorter time step, or use an implicit integrator such as GeneralizedAlpha.";
  throw InvalidInput(message.str());
}

template class ExplicitRungeKutta<InstantiatedEngine>;
template double largest_stable_step(const ReducedSystem<InstantiatedEngine>&);
template void require_stable_step(const ReducedSystem<InstantiatedEngine>&, double);

}  // namespace halfdof
