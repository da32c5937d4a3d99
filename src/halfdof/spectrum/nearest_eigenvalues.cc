#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/spectrum/nearest_eigenpairs.h>
#include <halfdof/spectrum/nearest_eigenvalues.h>
#include <halfdof/spectrum/norms.h>
#include <halfdof/spectrum/polish.h>
#include <halfdof/spectrum/zero_eigenvalues.h>

#include <algorithm>
#include <cmath>
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

/// So far away all eigenvalues are at one distance, but for what the iteration leaves: hardly a digit of them is right.
void check_distance(const std::vector<Complex>& eigenvalues, Complex sigma, double rate) {
  constexpr double far = 1e6;
  double largest = rate;
  for (const Complex& value : eigenvalues)
    largest = std::max(largest, std::abs(value));
  if (eigenvalues.empty() || std::abs(sigma) < far * largest) return;
  throw InvalidInput(
      "The shift, of modulus " + number_text(std::abs(sigma)) +
      " 1/s, is so far from all eigenvalues that rounding leaves nothing of them: the model has rates of "
      "about " +
      number_text(rate) + " 1/s. Take a shift of such a size, or zero for the slowest modes.");
}

/// Part of the typical rate up to which a shift counts as zero.
constexpr double relative_zero = 1e-6;

bool holds_zero(const std::vector<Complex>& eigenvalues) {
  return std::find(eigenvalues.begin(), eigenvalues.end(), 0.) != eigenvalues.end();
}

/// What was made of eigenpairs, and the shift that they are nearest to.
template <class Completed>
struct AtShift {
  Completed completed;
  Complex shift;
};

/**
 * Eigenpairs for sigma, or for the first shift beside it that is no eigenvalue.
 * @param find Those nearest to a shift. @param complete What is made of them where the shift is far enough from them; its
 * member `rounded()` are the eigenvalues, zeros rounded.
 */
template <class Find, class Complete>
auto find_beside_eigenvalues(double rate, Complex sigma, const Find& find, const Complete& complete)
    -> AtShift<decltype(complete(find(sigma)))> {
  constexpr int n_moves = 5;
  double move = 1e-5 * (std::abs(sigma) > 1e-5 * rate ? std::abs(sigma) : rate);
  Complex shift = sigma;
  for (int n_moved = 0;; ++n_moved) {
    try {
      Eigenpairs pairs = find(shift);
      check_distance(pairs.values, shift, rate);
      if (n_moved == n_moves || !too_near(pairs.values, shift)) {
        auto completed = complete(std::move(pairs));
        const bool on_zero = std::abs(shift) < relative_zero * rate && holds_zero(completed.rounded());
        if (n_moved == n_moves || !on_zero) return {std::move(completed), shift};
      }
    } catch (const SingularMatrix&) {
      if (n_moved == n_moves) throw;
    }
    shift = sigma + move;
    move *= 10;
  }
}

struct CompletedModes {
  std::vector<Complex> values;  ///< as they were found
  Eigenmodes modes;

  const std::vector<Complex>& rounded() const { return modes.eigenvalues; }
};

struct RoundedValues {
  std::vector<Complex> values;

  const std::vector<Complex>& rounded() const { return values; }
};

}  // namespace

template <class Engine>
NearestEigenvalues nearest_eigenvalues(const ReducedSystem<Engine>& reduced, Index k, Complex sigma) {
  check(k, sigma);
  const TermScales<Engine> scales(reduced.free());
  const Rounded round = [&](const std::vector<Complex>& values, const ComplexMultiVector& y) {
    return rounded_eigenvalues<Engine>(reduced, scales, values, y);
  };
  const auto find_near = [&](auto shift) {
    const auto inverse = reduced_shift_inverse(reduced, shift);
    const SlowestMotion slowest = slowest_motion(reduced, inverse);
    // What is regular by rounding alone makes an iteration without end.
    if (std::abs(shift) < relative_zero * scales.rate() &&
        any_at_rest(scales, free_displacements(reduced, slowest.states)))
      throw SingularMatrix("The shift " + number_text(std::abs(shift)) +
                           " 1/s is, up to rounding, an eigenvalue.");
    return nearest_eigenpairs(in_units(inverse, state_units(reduced, slowest.rate)), k, round);
  };
  const auto find = [&](Complex shift) {
    return shift.imag() == 0 ? find_near(shift.real()) : find_near(shift);
  };
  const auto complete = [&](Eigenpairs pairs) -> CompletedModes {
    Eigenmodes modes = eigenmodes(reduced, scales, pairs.values, std::move(pairs.vectors));
    return {std::move(pairs.values), std::move(modes)};
  };
  AtShift<CompletedModes> found = find_beside_eigenvalues(scales.rate(), sigma, find, complete);
  CompletedModes& completed = found.completed;
  return {polished(reduced, scales, std::move(completed.values), std::move(completed.modes)), sigma,
          found.shift};
}

template <class Engine>
NearestAssembledEigenvalues nearest_assembled_eigenvalues(const ReducedSystem<Engine>& reduced, Index k,
                                                          Complex sigma) {
  check(k, sigma);
  const TermScales<Engine> scales(reduced.before());
  const Vector& c = scales.column_scales();
  const Rounded round = [&](const std::vector<Complex>& values, const ComplexMultiVector& x) {
    return round_zeros<Engine>(scales, values, ComplexMultiVector(c.asDiagonal() * x.topRows(c.size())));
  };
  const auto find = [&](Complex shift) {
    return shift.imag() == 0 ? nearest_eigenpairs(companion_shift_inverse(reduced, c, shift.real()), k, round)
                             : nearest_eigenpairs(companion_shift_inverse(reduced, c, shift), k, round);
  };
  const auto complete = [&](const Eigenpairs& pairs) -> RoundedValues {
    return {round(pairs.values, pairs.vectors)};
  };
  AtShift<RoundedValues> found = find_beside_eigenvalues(scales.rate(), sigma, find, complete);
  return {std::move(found.completed.values), sigma, found.shift};
}

template NearestEigenvalues nearest_eigenvalues(const ReducedSystem<InstantiatedEngine>&, Index, Complex);
template NearestAssembledEigenvalues nearest_assembled_eigenvalues(const ReducedSystem<InstantiatedEngine>&,
                                                                   Index, Complex);

}  // namespace halfdof
