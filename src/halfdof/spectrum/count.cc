// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/characteristic_rate.h>
#include <halfdof/base/constants.h>
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/base/profile.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/unreduced_system.h>
#include <halfdof/spectrum/compare_spectra.h>
#include <halfdof/spectrum/nearest_eigenvalues.h>
#include <halfdof/spectrum/pencil_determinant.h>
#include <halfdof/spectrum/rectangles.h>
#include <halfdof/spectrum/winding.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace halfdof {

using namespace internal;

namespace {

template <class Engine>
PencilDeterminant<Engine> determinant_before(const ReducedSystem<Engine>& reduced) {
  return {
      reduced.unreduced().system(),
      [reduced](Complex a, Complex b, Complex c) { return reduced.unreduced().factorize_pencil(a, b, c); },
      [reduced](double a, double b, double c) { return reduced.unreduced().factorize_pencil(a, b, c); }};
}

/// Whether M is positive definite on the DoFs whose columns of M are not null.
template <class Engine>
bool is_semidefinite(const FreeSystem<Engine>& system) {
  const Vector norms = Engine::column_norms(system.M());
  std::vector<Index> with_mass;
  for (Index j = 0; j < norms.size(); ++j)
    if (norms[j] > 0) with_mass.push_back(j);
  const Selection I(std::move(with_mass), system.dofs());
  return I.n_global() == 0 || Engine::factorize_definite(Engine::submatrix(system.M(), I, I));
}

template <class Engine>
bool is_undamped(const FreeSystem<Engine>& system) {
  const double tolerance = FactorizationOptions().symmetry_tolerance;
  const Vector damping = Engine::column_norms(system.C());
  return !system.dofs().communicator().any(damping.size() > 0 && damping.maxCoeff() > 0) &&
         Engine::asymmetry(system.M()) <= tolerance && Engine::asymmetry(system.K()) <= tolerance &&
         is_semidefinite(system);
}

/// Returns the number nu(s) of squares of frequencies below s, by an inertia; nothing if it is not known.
template <class Engine>
std::optional<GlobalIndex> n_squares_below(const PencilDeterminant<Engine>& pencil, double s,
                                           EigenvalueCount& count) {
  ++count.n_factorizations;
  const std::optional<MatrixInertia> inertia = pencil.inertia(-s, 1);
  return inertia ? std::optional<GlobalIndex>(inertia->n_negative) : std::nullopt;
}

/// Returns the number of eigenvalues of an undamped pencil in a rectangle through which the imaginary axis
/// passes, by inertias; nothing if the pencil is damped, the axis does not pass, or an inertia is not known.
template <class Engine>
std::optional<EigenvalueCount> count_undamped_in(const ReducedSystem<Engine>& reduced,
                                                 const Rectangle& rectangle) {
  const double left = rectangle.lower_left.real(), right = rectangle.upper_right.real(),
               low = rectangle.lower_left.imag(), high = rectangle.upper_right.imag();
  if (!(left < 0 && right > 0) || low == 0 || high == 0 || !is_undamped(reduced.unreduced().system()))
    return std::nullopt;
  const PencilDeterminant<Engine> pencil = determinant_before(reduced);
  EigenvalueCount count;
  const auto n_below = [&](double s) { return n_squares_below(pencil, s, count); };
  try {
    const auto below_low = n_below(low * low), below_high = below_low ? n_below(high * high) : std::nullopt;
    if (!below_high) return std::nullopt;
    if (low > 0 || high < 0) {
      count.n = std::abs(*below_high - *below_low);
      return count;
    }
    const auto growing = n_below(-right * right), decaying = growing ? n_below(-left * left) : std::nullopt;
    if (!decaying) return std::nullopt;
    count.n = *below_low + *below_high - *growing - *decaying;
    return count;
  } catch (const SingularMatrix&) {
    return std::nullopt;
  }
}

/// Returns a radius in a gap between the listed distances, beyond most of them. The gap with the largest
/// product of its width and of the number of distances inside it is chosen. If the center is complex,
/// conjugates of listed eigenvalues that are far away do not count. If all eigenvalues are listed, the radius
/// encloses all of them.
double radius_of_rim(const std::vector<Complex>& list, Complex center, double at_least, bool is_whole) {
  constexpr double part = 0.8, beyond = 1.5;
  double reach = 0;
  std::vector<double> distances;
  for (const Complex value : list) {
    distances.push_back(std::abs(value - center));
    reach = std::max(reach, std::min(distances.back(), std::abs(std::conj(value) - center)));
  }
  std::sort(distances.begin(), distances.end());
  if (is_whole) return beyond * distances.back();
  double begin = at_least < reach ? std::max(part * reach, at_least) : part * reach,
         radius = (begin + reach) / 2, largest = 0;
  for (std::size_t n_inside = 0; n_inside < distances.size() && distances[n_inside] <= reach; ++n_inside) {
    const double end = distances[n_inside];
    if (end <= begin) continue;
    if (const double product = static_cast<double>(n_inside) * (end - begin); product > largest) {
      largest = product;
      radius = (begin + end) / 2;
    }
    begin = end;
  }
  return radius;
}

/// Whether a rim is so narrow that rounding does not distinguish its points from the center.
bool is_at_center(double radius, Complex center) {
  constexpr double resolved = 1e-12;
  return radius <= resolved * std::abs(center);
}

/// Returns a certificate with the rim and the number of listed eigenvalues inside. @throws InvalidInput if
/// the list is empty
/// @param rate [1/s] The radius that is used if all eigenvalues are listed and lie at the center
Certificate uncounted(const std::vector<Complex>& list, Complex center, double at_least, bool is_whole,
                      double rate) {
  if (list.empty())
    throw InvalidInput("The list of eigenvalues to be checked by counting is empty. Ask for one at least.");
  Certificate result;
  result.radius = radius_of_rim(list, center, at_least, is_whole);
  if (is_whole && is_at_center(result.radius, center)) result.radius = std::max(rate, std::abs(center));
  result.n_listed = static_cast<Index>(std::count_if(
      list.begin(), list.end(), [&](Complex value) { return std::abs(value - center) < result.radius; }));
  return result;
}

}  // namespace

template <class Engine>
EigenvalueCount count_inside(const ReducedSystem<Engine>& reduced, const Rim& rim,
                             const std::vector<Complex>& known) {
  const StageTimer stage("count eigenvalues");
  constexpr bool is_conjugate = true;  // M, C and K are real
  return count_zeros(determinant_before(reduced), circle(rim), known, is_conjugate);
}

template <class Engine>
std::optional<EigenvalueCount> count_undamped(const ReducedSystem<Engine>& reduced, const Rim& rim) {
  const StageTimer stage("count eigenvalues");
  const auto start = std::chrono::steady_clock::now();
  const double c = std::abs(rim.center.real()), r = rim.radius;
  if (rim.center.imag() != 0 || !(c < r) || !is_undamped(reduced.unreduced().system())) return std::nullopt;
  const PencilDeterminant<Engine> pencil = determinant_before(reduced);
  EigenvalueCount count;
  const auto n_below = [&](double s) { return n_squares_below(pencil, s, count); };
  try {
    const auto inside = n_below((r - c) * (r + c)),
               left = inside ? n_below(-(r - c) * (r - c)) : std::nullopt;
    // If no eigenvalue is below a number, none is below a smaller number.
    const auto right = !left || *left == 0 || c == 0 ? left : n_below(-(r + c) * (r + c));
    if (!right) return std::nullopt;
    count.n = 2 * *inside - *left - *right;
  } catch (const SingularMatrix&) {
    return std::nullopt;
  }
  count.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return count;
}

template <class Engine>
EigenvalueCount count_in_rectangle(const ReducedSystem<Engine>& reduced, const Rectangle& region,
                                   const std::vector<Complex>& known) {
  check_rectangle(region);
  const StageTimer stage("count eigenvalues");
  const auto start = std::chrono::steady_clock::now();
  const auto undamped = count_undamped_in(reduced, region);
  EigenvalueCount count = undamped
                              ? *undamped
                              : count_zeros(determinant_before(reduced),
                                            rectangle(region.lower_left, region.upper_right), known, true);
  count.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return count;
}

template <class Engine>
Certificate certify(const ReducedSystem<Engine>& reduced, const std::vector<Complex>& list, Complex center,
                    double at_least, bool is_whole) {
  Certificate result =
      uncounted(list, center, at_least, is_whole, characteristic_rate(reduced.unreduced().system()));
  if (is_at_center(result.radius, center)) {
    result.counted.reason = "all listed eigenvalues lie at the shift itself";
  } else if (auto by_inertia = certify_by_inertia(reduced, list, center, at_least, is_whole)) {
    return *std::move(by_inertia);
  } else {
    result.counted = count_inside(reduced, {center, result.radius}, list);
  }
  return result;
}

template <class Engine>
std::optional<Certificate> certify_by_inertia(const ReducedSystem<Engine>& reduced,
                                              const std::vector<Complex>& list, Complex center,
                                              double at_least, bool is_whole) {
  Certificate result =
      uncounted(list, center, at_least, is_whole, characteristic_rate(reduced.unreduced().system()));
  if (is_at_center(result.radius, center)) return std::nullopt;
  const auto by_inertia = count_undamped(reduced, {center, result.radius});
  if (!by_inertia) return std::nullopt;
  result.counted = *by_inertia;
  result.is_by_inertia = true;
  return result;
}

template EigenvalueCount count_inside(const ReducedSystem<InstantiatedEngine>&, const Rim&,
                                      const std::vector<Complex>&);
template std::optional<EigenvalueCount> count_undamped(const ReducedSystem<InstantiatedEngine>&, const Rim&);
template EigenvalueCount count_in_rectangle(const ReducedSystem<InstantiatedEngine>&, const Rectangle&,
                                            const std::vector<Complex>&);
template Certificate certify(const ReducedSystem<InstantiatedEngine>&, const std::vector<Complex>&, Complex,
                             double, bool);
template std::optional<Certificate> certify_by_inertia(const ReducedSystem<InstantiatedEngine>&,
                                                       const std::vector<Complex>&, Complex, double, bool);

}  // namespace halfdof
