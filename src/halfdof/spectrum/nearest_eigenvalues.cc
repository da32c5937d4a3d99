// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/linear_algebra/norms.h>
#include <halfdof/reduction/unreduced_system.h>
#include <halfdof/spectrum/compare_spectra.h>
#include <halfdof/spectrum/eigenvalue_scale.h>
#include <halfdof/spectrum/left_vectors.h>
#include <halfdof/spectrum/nearest_eigenpairs.h>
#include <halfdof/spectrum/nearest_eigenvalues.h>
#include <halfdof/spectrum/polish.h>
#include <halfdof/spectrum/slowest_motion.h>
#include <halfdof/spectrum/small_spectrum.h>
#include <halfdof/spectrum/zero_eigenvalues.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

namespace halfdof {

using namespace internal;
namespace {

/// Whether the shift is so near to an eigenvalue that the others lose accuracy.
bool too_near(const std::vector<Complex>& eigenvalues, Complex sigma) {
  double nearest = std::numeric_limits<double>::infinity(), farthest = 0;
  for (const Complex& value : eigenvalues) {
    nearest = std::min(nearest, std::abs(value - sigma));
    farthest = std::max(farthest, std::abs(value - sigma));
  }
  return nearest < 1e-5 * farthest;
}

/// Assumed error of an eigenvalue that the iteration returns, relative to its distance from the shift.
constexpr double iteration_error = 1e-11;

/// An eigenvalue with a smaller modulus than this, relative to its distance from the shift, has fewer digits
/// than comparisons need.
constexpr double slowest_part = iteration_error / 1e-6;

/// An eigenvalue with a smaller modulus than this, relative to the distance of a moved shift from zero, may
/// be a zero of a Jordan block: rounding splits a block of order m by the m-th root of iteration_error.
constexpr double zero_part = 1e-3;

/// Returns the modulus of the slowest nonzero eigenvalue that is too slow for the shift. If all eigenvalues
/// including `rate` are too slow, returns the largest modulus; zero if none is too slow.
double slowest_lost_eigenvalue(const std::vector<Complex>& eigenvalues, Complex shift, double rate) {
  double slowest = 0, fastest = rate;
  for (const Complex& value : eigenvalues) {
    fastest = std::max(fastest, std::abs(value));
    if (value != 0. && std::abs(value) < slowest_part * std::abs(value - shift) &&
        (slowest == 0 || std::abs(value) < slowest))
      slowest = std::abs(value);
  }
  return slowest == 0 && !eigenvalues.empty() && fastest < slowest_part * std::abs(shift) ? fastest : slowest;
}

[[noreturn]] void refuse_distance(Complex shift, double slowest, bool is_moved) {
  throw NotAvailable(
      "The shift, of modulus " + number_text(std::abs(shift)) +
      " 1/s, is so far from all eigenvalues that rounding leaves too few digits of " +
      (slowest > 0 ? "one of about " + number_text(slowest) + " 1/s. " : "those that are zero. ") +
      (is_moved
           ? "It was moved there because zero is an eigenvalue, too, and the effect of nearer "
             "shifts is below rounding of the stiffness. Hold the free bodies, or split the model into parts."
           : "Choose a shift with about the modulus of the wanted eigenvalues, or zero for the slowest "
             "ones."));
}

/// Checks the digits of eigenvalues. @param rate A typical rate @throws NotAvailable if a shift leaves too
/// few digits of some eigenvalue
void check_digits(const std::vector<Complex>& eigenvalues, Complex used, Complex requested, double rate) {
  const bool are_zeros =
      std::all_of(eigenvalues.begin(), eigenvalues.end(), [](Complex value) { return value == 0.; });
  if (const double slowest = slowest_lost_eigenvalue(eigenvalues, used, rate); slowest > 0)
    refuse_distance(used, are_zeros ? 0 : slowest, used != requested);
}

/// Fraction of the typical rate up to which a shift counts as zero.
constexpr double relative_zero = 1e-6;

bool holds_zero(const std::vector<Complex>& eigenvalues) {
  return std::find(eigenvalues.begin(), eigenvalues.end(), 0.) != eigenvalues.end();
}

/// Thrown if a shift about zero is an eigenvalue, or much nearer to one than to the others.
class AtSlowMotion : public SingularMatrix {
 public:
  explicit AtSlowMotion(Complex shift, double slowest_rate)
      : SingularMatrix("The shift " + number_text(std::abs(shift)) +
                       " 1/s is an eigenvalue, up to rounding, or much nearer to one than to the others."),
        rate(slowest_rate) {}

  double rate;  ///< rate of the motion of that eigenvalue [1/s]
};

/// Whether a list about a shift contains an eigenvalue as slow as a known motion, or one that cannot be
/// distinguished from zero at this shift.
/// @param zero_resolution Fraction of the shift up to which moduli cannot be distinguished from zero
bool holds(const std::vector<Complex>& eigenvalues, double rate, Complex shift, double zero_resolution) {
  constexpr double about = 16;
  const double slow = std::max(about * rate, zero_resolution * std::abs(shift));
  return std::any_of(eigenvalues.begin(), eigenvalues.end(),
                     [&](Complex value) { return std::abs(value) <= slow; });
}

/// The results computed from eigenpairs, and the shift to which the eigenpairs are nearest.
template <class Completed>
struct AtShift {
  Completed completed;
  Complex shift;
  bool is_complete;                 ///< result of the second search, Eigenpairs::is_complete
  std::optional<double> slow_rate;  ///< rate of a motion that made the shift move [1/s]
};

/**
 * Finds eigenpairs for sigma, or for the first shift near it that is not an eigenvalue. If bodies are free,
 * that shift is about as far from their zero eigenvalues as their slowest deformation: if it were much nearer
 * to the zeros, other eigenvalues would be lost in rounding errors.
 * @param find Returns the eigenpairs nearest to a shift. @param next Returns next_rate() for a shift near
 * zero, or zero. @param complete Computes the results from eigenpairs whose shift is far enough from them;
 * its member `rounded()` returns the eigenvalues with zeros set to zero.
 */
template <class Find, class Next, class Complete>
auto find_beside_eigenvalues(double rate, Complex sigma, const Find& find, const Next& next,
                             const Complete& complete) -> AtShift<decltype(complete(find(sigma)))> {
  constexpr int n_moves = 5;
  constexpr double part_of_next = 0.3;
  const bool at_zero = std::abs(sigma) < relative_zero * rate;
  double move = 1e-5 * (std::abs(sigma) > 1e-5 * rate ? std::abs(sigma) : rate);
  Complex shift = sigma;
  std::optional<double> slow;
  for (int n_moved = 0;; ++n_moved) {
    try {
      Eigenpairs pairs = find(shift);
      const bool is_complete = pairs.is_complete;
      if (n_moved == n_moves || !too_near(pairs.values, shift)) {
        auto completed = complete(std::move(pairs));
        const bool on_zero = std::abs(shift) < relative_zero * rate && holds_zero(completed.rounded());
        if (n_moved == n_moves || !on_zero) return {std::move(completed), shift, is_complete, slow};
      }
    } catch (const AtSlowMotion& motion) {
      if (n_moved == n_moves) throw;
      slow = motion.rate;
    } catch (const SingularMatrix&) {
      if (n_moved == n_moves) throw;
      if (at_zero && n_moved == 0) slow = std::abs(shift);
    }
    if (at_zero && n_moved == 0) move = std::max(move, part_of_next * next(move));
    shift = sigma + move;
    move *= 10;
  }
}

/// Returns the rate of the slowest motion or relaxation that is clearly faster than a rate [1/s] and may
/// belong to one of k eigenvalues, where an undamped motion has two eigenvalues; zero if all k belong to
/// slower ones.
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

/// Whether the slowest motion is so much slower than the next ones that their digits are lost to rounding.
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
 * Computes eigenpairs nearest to the shift of an inverse.
 * @param units_at Returns the units of its unknowns for the slowest rate
 * @throws SingularMatrix if a shift about zero is an eigenvalue, up to rounding, or so much nearer to one
 * than to the others that the iteration would hardly converge
 */
template <class Engine, class Scalar, class UnitsAt>
Eigenpairs eigenpairs_by(const ShiftInverse<Scalar>& inverse, const TermScales<Engine>& scales, Index k,
                         const UnitsAt& units_at, const Rounded& round) {
  const SlowestMotion slowest =
      slowest_motion(inverse.response, scales.system().dofs(), scales.column_scales());
  const bool about_zero = std::abs(inverse.sigma) < relative_zero * scales.rate() && slowest.x.cols() > 0;
  if (about_zero) {
    if (is_static_null_vector(scales, slowest.x)) throw AtSlowMotion(inverse.sigma, 0);
    if (stands_apart(inverse, scales, slowest.rate, k)) throw AtSlowMotion(inverse.sigma, slowest.rate);
  }
  return nearest_eigenpairs(in_units(inverse, units_at(slowest.rate)), k, round);
}

/**
 * Finds k eigenpairs nearest to sigma, or to a shift near it.
 * @param inverse_at Returns the inverse at a real or a complex shift. @param units_at Returns the units of
 * its unknowns for the slowest rate. @param complete Computes the results from the pairs
 */
template <class Engine, class InverseAt, class UnitsAt, class Complete>
auto find_nearest(const TermScales<Engine>& scales, Index k, Complex sigma, const InverseAt& inverse_at,
                  const UnitsAt& units_at, const Rounded& round, const Complete& complete) {
  // Number of additional eigenvalues if the shift used differs from the requested one.
  constexpr Index n_beyond = 4;
  const auto find_near = [&](auto shift) {
    const Index wanted = Complex(shift) == sigma ? k : k + n_beyond;
    return eigenpairs_by(inverse_at(shift), scales, wanted, units_at, round);
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
  std::vector<Complex> values;  ///< eigenvalues as computed, zeros not set to zero
  Eigenmodes modes;

  const std::vector<Complex>& rounded() const { return modes.eigenvalues; }
};

struct RoundedValues {
  std::vector<Complex> values;

  const std::vector<Complex>& rounded() const { return values; }
};

/**
 * Whether the values found about a shift contain the k values nearest to another one. All values that were
 * not found are at least as far from the shift used as the farthest value found. Thus their distance from the
 * other shift is at least this distance less that of the two shifts.
 */
bool holds_nearest(const std::vector<Complex>& values, Complex used, Complex requested, Index k) {
  constexpr double equally_far = 1 + 1e-6;
  double farthest = 0;
  std::vector<double> distances;
  for (const Complex value : values) {
    farthest = std::max(farthest, std::min(std::abs(value - used), std::abs(std::conj(value) - used)));
    distances.push_back(std::abs(value - requested));
  }
  const auto n = static_cast<std::size_t>(k);
  if (distances.size() < n) return false;
  std::nth_element(distances.begin(), distances.begin() + (k - 1), distances.end());
  return distances[n - 1] <= equally_far * (farthest - std::abs(used - requested));
}

/// Calls `find`, which may use another shift, for increasing numbers of values until these contain the k
/// values nearest to the requested shift.
/// @param zero_resolution as for holds()
template <class Find>
auto nearest_to(Complex requested, Index k, GlobalIndex n_all, double zero_resolution, const Find& find)
    -> decltype(find(k)) {
  for (Index wanted = k;; wanted += std::max(4, wanted / 2)) {
    auto found = find(wanted);
    const std::vector<Complex>& values = found.completed.rounded();
    if (found.shift != requested && wanted < n_all && !holds_nearest(values, found.shift, requested, k))
      continue;
    // If the list does not contain it, it was lost in rounding of the stiff and damped terms at the shift.
    if (found.slow_rate && !values.empty() && !holds(values, *found.slow_rate, found.shift, zero_resolution))
      refuse_distance(found.shift, *found.slow_rate, true);
    return found;
  }
}

Eigenmodes selected(const Eigenmodes& modes, const std::vector<std::size_t>& places) {
  Eigenmodes some;
  std::vector<Index> columns;
  for (const std::size_t place : places) {
    columns.push_back(static_cast<Index>(place));
    some.eigenvalues.push_back(modes.eigenvalues[place]);
    some.found.push_back(modes.found[place]);
    some.residuals.push_back(modes.residuals[place]);
  }
  some.states = modes.states(Eigen::all, columns);
  some.shapes = modes.shapes(Eigen::all, columns);
  return some;
}

template <class Engine>
NearestEigenvalues nearest_of(const ReducedSystem<Engine>& reduced, const TermScales<Engine>& scales,
                              const SmallSpectrum& all, Index k, Complex sigma) {
  std::vector<Complex> values;
  std::vector<Index> columns;
  const std::vector<std::size_t> places = nearest_places(all.exact, sigma, k);
  for (const std::size_t place : places) {
    values.push_back(all.found[place]);
    columns.push_back(static_cast<Index>(place));
  }
  NearestEigenvalues nearest{
      eigenmodes(reduced, scales, values, all.states(Eigen::all, columns), Zeros::as_given), sigma, sigma,
      Completeness::counted, all.basis(Eigen::all, columns)};
  const std::vector<EigenpairResidual> residuals = residuals_of(reduced, scales, all);
  for (std::size_t j = 0; j < places.size(); ++j) {
    nearest.eigenvalues[j] = all.after[places[j]];
    nearest.residuals[j] = residuals[places[j]];
  }
  return nearest;
}

/// Determines zeros and uncertainties by left vectors. If these cannot be computed, the results of right
/// vectors are kept.
template <class Engine>
void judge_by_left_vectors(const ReducedSystem<Engine>& reduced, const TermScales<Engine>& scales,
                           NearestEigenvalues& nearest) {
  LeftVectors left;
  try {
    left = left_vectors(reduced, nearest);
  } catch (const NotAvailable&) {
    return;
  } catch (const NoConvergence&) {
    return;
  } catch (const SingularMatrix&) {
    return;
  }
  const JudgedEigenvalues judged =
      judged_by_left_vectors(reduced, scales, left, nearest.found, nearest.states);
  for (std::size_t j = 0; j < judged.values.size(); ++j)
    if (left.known[j]) nearest.eigenvalues[j] = judged.values[j];
  nearest.residuals =
      eigenpair_residuals<Engine>(reduced, scales, nearest.found, nearest.eigenvalues, nearest.states,
                                  zero_scale(nearest.eigenvalues, scales.rate()));
  for (std::size_t j = 0; j < judged.values.size(); ++j)
    nearest.residuals[j].uncertainty = judged.uncertainties[j];
}

/// Whether the uncertainty of zeros exceeds the modulus of other eigenvalues: then more zeros may exist than
/// were found, because both searches find only one of several.
bool hold_less_certain_zeros(const Eigenmodes& modes) {
  const double radius = zero_radius(modes.eigenvalues, modes.residuals);
  return std::any_of(modes.eigenvalues.begin(), modes.eigenvalues.end(),
                     [&](Complex value) { return value != 0. && std::abs(value) < radius; });
}

}  // namespace

template <class Engine>
NearestEigenvalues nearest_eigenvalues(const ReducedSystem<Engine>& reduced, Index k, Complex sigma) {
  check_nearest(k, sigma);
  const TermScales<Engine> scales(reduced.free());
  if (const auto all = small_spectrum(reduced)) return nearest_of(reduced, scales, *all, k, sigma);
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
  try {
    AtShift<CompletedModes> found = nearest_to(sigma, k, reduced.n_states(), slowest_part, [&](Index wanted) {
      return find_nearest(scales, wanted, sigma, inverse_at, units_at, round, complete);
    });
    CompletedModes& completed = found.completed;
    Eigenmodes modes = polished(reduced, scales, std::move(completed.values), std::move(completed.modes));
    const std::vector<std::size_t> places = nearest_places(modes.eigenvalues, sigma, k);
    NearestEigenvalues nearest{selected(modes, places), sigma, found.shift,
                               found.is_complete ? Completeness::searched : Completeness::unknown};
    if (!scales.has_own_left_vectors()) judge_by_left_vectors(reduced, scales, nearest);
    check_digits(nearest.eigenvalues, found.shift, sigma, scales.rate());
    if (hold_less_certain_zeros(nearest)) nearest.completeness = Completeness::unknown;
    return nearest;
  } catch (const NotAvailable&) {
    if (reduced.unreduced().system().dofs().n_global() > whole_up_to) throw;
    const auto all = small_spectrum(reduced, Effort::large);
    if (!all) throw;
    return nearest_of(reduced, scales, *all, k, sigma);
  }
}

template <class Engine>
NearestAssembledEigenvalues nearest_assembled_eigenvalues(const ReducedSystem<Engine>& reduced, Index k,
                                                          Complex sigma) {
  check_nearest(k, sigma);
  const TermScales<Engine> scales(reduced.unreduced().system());
  const Rounded round = [&](const std::vector<Complex>& values, const ComplexMultiVector& x) {
    return round_zeros<Engine>(scales, values, x.topRows(scales.column_scales().size()));
  };
  const auto units_at = [&](double rate) { return companion_units(scales.column_scales(), rate); };
  const auto inverse_at = [&](auto shift) { return companion_shift_inverse(reduced, shift); };
  const auto complete = [&](const Eigenpairs& pairs) -> RoundedValues {
    return {round(pairs.values, pairs.vectors)};
  };
  const AtShift<RoundedValues> found =
      nearest_to(sigma, k, reduced.unreduced().n_finite(), zero_part, [&](Index wanted) {
        return find_nearest(scales, wanted, sigma, inverse_at, units_at, round, complete);
      });
  std::vector<Complex> nearest;
  for (const std::size_t place : nearest_places(found.completed.values, sigma, k))
    nearest.push_back(found.completed.values[place]);
  const double resolution = found.shift != sigma ? zero_part * std::abs(found.shift) : 0.;
  return {std::move(nearest), sigma, found.shift, resolution,
          found.is_complete ? Completeness::searched : Completeness::unknown};
}

template NearestEigenvalues nearest_eigenvalues(const ReducedSystem<InstantiatedEngine>&, Index, Complex);
template NearestAssembledEigenvalues nearest_assembled_eigenvalues(const ReducedSystem<InstantiatedEngine>&,
                                                                   Index, Complex);

}  // namespace halfdof
