#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/spectrum/nearest_eigenpairs.h>
#include <halfdof/spectrum/nearest_eigenvalues.h>
#include <halfdof/spectrum/norms.h>
#include <halfdof/spectrum/polish.h>
#include <halfdof/spectrum/zero_eigenvalues.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <utility>

namespace halfdof {
namespace {

void check(Index k, Complex sigma) {
  if (k < 1)
    throw InvalidInput(std::to_string(k) +
                       " eigenvalues nearest to a shift were asked for. Ask for at least one.");
  if (!std::isfinite(std::norm(sigma)))
    throw InvalidInput(
        "The shift or its square is not finite. Pass a smaller number, zero for the slowest modes.");
}

/// Whether the shift is so near to an eigenvalue that the others lose accuracy.
bool too_near(const std::vector<Complex>& eigenvalues, Complex sigma) {
  double nearest = std::numeric_limits<double>::infinity(), farthest = 0;
  for (const Complex& value : eigenvalues) {
    nearest = std::min(nearest, std::abs(value - sigma));
    farthest = std::max(farthest, std::abs(value - sigma));
  }
  return nearest < 1e-5 * farthest;
}

bool holds_zero(const std::vector<Complex>& eigenvalues) {
  return std::find(eigenvalues.begin(), eigenvalues.end(), 0.) != eigenvalues.end();
}

/// Eigenvalues as they were found, with zeros rounded, and what else was made of them.
template <class Rest>
struct Found {
  std::vector<Complex> values, rounded;
  Rest rest;
};

template <class Rest>
struct FoundAtShift {
  Found<Rest> found;
  Complex shift;
};

/**
 * Finds eigenpairs with sigma, or with the first shift beside it that is no eigenvalue.
 * @param find Those nearest to a shift.
 */
template <class Rest>
FoundAtShift<Rest> find_beside_eigenvalues(double rate, Complex sigma,
                                           const std::function<Found<Rest>(Complex)>& find) {
  constexpr int n_moves = 5;
  double move = 1e-5 * (std::abs(sigma) > 1e-5 * rate ? std::abs(sigma) : rate);
  Complex shift = sigma;
  for (int n_moved = 0;; ++n_moved) {
    try {
      Found<Rest> found = find(shift);
      const bool on_zero = std::abs(shift) < 1e-6 * rate && holds_zero(found.rounded);
      if (n_moved == n_moves || !(on_zero || too_near(found.values, shift))) return {std::move(found), shift};
    } catch (const SingularMatrix&) {
      if (n_moved == n_moves) throw;
    }
    shift = sigma + move;
    move *= 10;
  }
}

}  // namespace

template <class Engine>
NearestEigenvalues nearest_eigenvalues(const ReducedSystem<Engine>& reduced, Index k, Complex sigma) {
  check(k, sigma);
  const TermScales<Engine> scales(reduced.free());
  const Rounded round = [&](const std::vector<Complex>& values, const ComplexMultiVector& y) {
    return rounded_eigenvalues<Engine>(reduced, scales, values, y);
  };
  const auto find = [&](Complex shift) -> Found<Eigenmodes> {
    Eigenpairs pairs = shift.imag() == 0
                           ? nearest_eigenpairs(reduced_shift_inverse(reduced, shift.real()), k, round)
                           : nearest_eigenpairs(reduced_shift_inverse(reduced, shift), k, round);
    Eigenmodes modes = eigenmodes(reduced, scales, pairs.values, std::move(pairs.vectors));
    return {std::move(pairs.values), modes.eigenvalues, std::move(modes)};
  };
  const double rate = characteristic_rate(reduced.free());
  auto [found, shift] = find_beside_eigenvalues<Eigenmodes>(rate, sigma, find);
  return {polished(reduced, scales, std::move(found.values), std::move(found.rest)), sigma, shift};
}

template <class Engine>
NearestAssembledEigenvalues nearest_assembled_eigenvalues(const ReducedSystem<Engine>& reduced, Index k,
                                                          Complex sigma) {
  check(k, sigma);
  const TermScales<Engine> scales(reduced.before());
  const Vector& c = scales.column_scales();
  const double rate = characteristic_rate(reduced.before());
  const Rounded round = [&](const std::vector<Complex>& values, const ComplexMultiVector& x) {
    return round_zeros<Engine>(scales, values, ComplexMultiVector(c.asDiagonal() * x.topRows(c.size())));
  };
  struct Nothing {};
  const auto find = [&](Complex shift) -> Found<Nothing> {
    Eigenpairs pairs = shift.imag() == 0
                           ? nearest_eigenpairs(companion_shift_inverse(reduced, c, shift.real()), k, round)
                           : nearest_eigenpairs(companion_shift_inverse(reduced, c, shift), k, round);
    std::vector<Complex> rounded = round(pairs.values, pairs.vectors);
    return {std::move(pairs.values), std::move(rounded), {}};
  };
  auto [found, shift] = find_beside_eigenvalues<Nothing>(rate, sigma, find);
  return {std::move(found.rounded), sigma, shift};
}

template NearestEigenvalues nearest_eigenvalues(const ReducedSystem<InstantiatedEngine>&, Index, Complex);
template NearestAssembledEigenvalues nearest_assembled_eigenvalues(const ReducedSystem<InstantiatedEngine>&,
                                                                   Index, Complex);

}  // namespace halfdof
