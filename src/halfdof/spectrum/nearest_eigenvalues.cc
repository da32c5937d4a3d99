#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/spectrum/nearest_eigenpairs.h>
#include <halfdof/spectrum/nearest_eigenvalues.h>
#include <halfdof/spectrum/norms.h>
#include <halfdof/spectrum/polish.h>
#include <halfdof/spectrum/slowest_motion.h>
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
 * Eigenpairs for sigma, or for the first shift beside it that is no eigenvalue. Where bodies are free it is about as far
 * from their zeros as their slowest deformation: beside zeros far nearer, others would be lost in the rounding of these.
 * @param find Those nearest to a shift. @param next next_rate() beside zero, or zero. @param complete What is made of
 * them where the shift is far enough from them; its member `rounded()` are the eigenvalues, zeros rounded.
 */
template <class Find, class Next, class Complete>
auto find_beside_eigenvalues(double rate, Complex sigma, const Find& find, const Next& next,
                             const Complete& complete) -> AtShift<decltype(complete(find(sigma)))> {
  constexpr int n_moves = 5;
  constexpr double part_of_next = 0.3;
  const bool at_zero = std::abs(sigma) < relative_zero * rate;
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
    if (at_zero && n_moved == 0) move = std::max(move, part_of_next * next(move));
    shift = sigma + move;
    move *= 10;
  }
}

/// The slowest motion or relaxation clearly faster than a rate [1/s] that one of k eigenvalues may belong to, two of which are
/// those of an undamped motion; zero where all of them belong to slower ones.
template <class Engine>
double next_rate(const ShiftInverse<double>& inverse, const TermScales<Engine>& scales, double rate,
                 Index k) {
  const auto faster = [&](const BlockOperator<double>& response, int power) {
    return faster_motions(response, power, scales.system().dofs(), scales.column_scales(), rate, k / 2 + 4);
  };
  const FasterMotions motions = faster(inverse.response, 2), relaxations = faster(inverse.damped_response, 1);
  if (2 * motions.n_slower + relaxations.n_slower >= k) return 0;
  if (motions.rate == 0 || relaxations.rate == 0) return std::max(motions.rate, relaxations.rate);
  return std::min(motions.rate, relaxations.rate);
}

/// Whether the slowest motion is so much slower than the next ones that these are lost beside it.
template <class Engine>
bool stands_apart(const ShiftInverse<double>& inverse, const TermScales<Engine>& scales, double rate,
                  Index k) {
  constexpr double slow = 1e-4, gap = 1e3;
  return rate < slow * scales.rate() && next_rate(inverse, scales, rate, k) > gap * rate;
}

template <class Engine>
bool stands_apart(const ShiftInverse<Complex>&, const TermScales<Engine>&, double, Index) {
  return false;
}

/**
 * Eigenpairs nearest to the shift of an inverse.
 * @param units_at Of its unknowns, from the slowest rate
 * @throws SingularMatrix where a shift about zero is an eigenvalue, up to rounding, or so near to one beside the others that the
 * iteration would hardly end
 */
template <class Engine, class Scalar, class UnitsAt>
Eigenpairs eigenpairs_by(const ShiftInverse<Scalar>& inverse, const TermScales<Engine>& scales, Index k,
                         const UnitsAt& units_at, const Rounded& round) {
  const SlowestMotion slowest =
      slowest_motion(inverse.response, scales.system().dofs(), scales.column_scales());
  const bool about_zero = std::abs(inverse.sigma) < relative_zero * scales.rate() && slowest.x.cols() > 0;
  if (about_zero && (is_at_rest(scales, slowest.x) || stands_apart(inverse, scales, slowest.rate, k)))
    throw SingularMatrix("The shift " + number_text(std::abs(inverse.sigma)) +
                         " 1/s is an eigenvalue, up to rounding, or as good as one beside the others.");
  return nearest_eigenpairs(in_units(inverse, units_at(slowest.rate)), k, round);
}

/**
 * k eigenpairs nearest to sigma, or to a shift beside it.
 * @param inverse_at By a real or a complex shift. @param units_at Of its unknowns, from the slowest rate. @param complete What is
 * made of the pairs
 */
template <class Engine, class InverseAt, class UnitsAt, class Complete>
auto find_nearest(const TermScales<Engine>& scales, Index k, Complex sigma, const InverseAt& inverse_at,
                  const UnitsAt& units_at, const Rounded& round, const Complete& complete) {
  const auto find_near = [&](auto shift) {
    return eigenpairs_by(inverse_at(shift), scales, k, units_at, round);
  };
  const auto find = [&](Complex shift) {
    return shift.imag() == 0 ? find_near(shift.real()) : find_near(shift);
  };
  const auto next = [&](double shift) {
    try {
      return next_rate(inverse_at(shift), scales, shift, k);
    } catch (const SingularMatrix&) {  // the shift is an eigenvalue
      return 0.;
    }
  };
  return find_beside_eigenvalues(scales.rate(), sigma, find, next, complete);
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
  const auto units_at = [&](double rate) {
    return state_units(reduced.classification(), scales.column_scales(), rate);
  };
  const auto inverse_at = [&](auto shift) { return reduced_shift_inverse(reduced, shift); };
  const auto complete = [&](Eigenpairs pairs) -> CompletedModes {
    Eigenmodes modes = eigenmodes(reduced, scales, pairs.values, std::move(pairs.vectors));
    return {std::move(pairs.values), std::move(modes)};
  };
  AtShift<CompletedModes> found = find_nearest(scales, k, sigma, inverse_at, units_at, round, complete);
  CompletedModes& completed = found.completed;
  return {polished(reduced, scales, std::move(completed.values), std::move(completed.modes)), sigma,
          found.shift};
}

template <class Engine>
NearestAssembledEigenvalues nearest_assembled_eigenvalues(const ReducedSystem<Engine>& reduced, Index k,
                                                          Complex sigma) {
  check(k, sigma);
  const TermScales<Engine> scales(reduced.before());
  const Rounded round = [&](const std::vector<Complex>& values, const ComplexMultiVector& x) {
    return round_zeros<Engine>(scales, values, x.topRows(scales.column_scales().size()));
  };
  const auto units_at = [&](double rate) { return companion_units(scales.column_scales(), rate); };
  const auto inverse_at = [&](auto shift) { return companion_shift_inverse(reduced, shift); };
  const auto complete = [&](const Eigenpairs& pairs) -> RoundedValues {
    return {round(pairs.values, pairs.vectors)};
  };
  AtShift<RoundedValues> found = find_nearest(scales, k, sigma, inverse_at, units_at, round, complete);
  return {std::move(found.completed.values), sigma, found.shift};
}

template NearestEigenvalues nearest_eigenvalues(const ReducedSystem<InstantiatedEngine>&, Index, Complex);
template NearestAssembledEigenvalues nearest_assembled_eigenvalues(const ReducedSystem<InstantiatedEngine>&,
                                                                   Index, Complex);

}  // namespace halfdof
