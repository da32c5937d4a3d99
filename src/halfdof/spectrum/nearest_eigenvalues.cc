#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/linear_algebra/norms.h>
#include <halfdof/spectrum/eigenvalue_scale.h>
#include <halfdof/spectrum/left_vectors.h>
#include <halfdof/spectrum/matching.h>
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

/// Part of its distance from the shift to which the iteration knows an eigenvalue.
constexpr double known_part = 1e-11;

/// What is as slow as that, relative to its distance from the shift, has fewer digits than comparisons ask
/// for.
constexpr double slowest_part = known_part / 1e-6;

/// Part of the distance of a moved shift from zero up to which an eigenvalue may be a zero of a Jordan block:
/// rounding splits a block of order m by the m-th root of known_part.
constexpr double zero_part = 1e-3;

/// The slowest eigenvalue that is too slow for its shift, a typical rate where all that is left of them is
/// zero; zero where there is none.
double drowned(const std::vector<Complex>& eigenvalues, Complex shift, double rate) {
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
           ? "It was moved there because zero is an eigenvalue, too, and nearer shifts cannot be told from "
             "it beside the stiffness of the model. Hold the free bodies, or write the model in parts."
           : "Take a shift of the rate of those that you want, or zero for the slowest ones."));
}

/// @param rate A typical one @throws NotAvailable where a shift leaves too few digits of some eigenvalue
void check_digits(const std::vector<Complex>& eigenvalues, Complex used, Complex requested, double rate) {
  const bool are_zeros =
      std::all_of(eigenvalues.begin(), eigenvalues.end(), [](Complex value) { return value == 0.; });
  if (const double slowest = drowned(eigenvalues, used, rate); slowest > 0)
    refuse_distance(used, are_zeros ? 0 : slowest, used != requested);
}

/// Part of the typical rate up to which a shift counts as zero.
constexpr double relative_zero = 1e-6;

bool holds_zero(const std::vector<Complex>& eigenvalues) {
  return std::find(eigenvalues.begin(), eigenvalues.end(), 0.) != eigenvalues.end();
}

/// A shift about zero is an eigenvalue, or as good as one beside the others.
class AtSlowMotion : public SingularMatrix {
 public:
  explicit AtSlowMotion(Complex shift, double slowest_rate)
      : SingularMatrix("The shift " + number_text(std::abs(shift)) +
                       " 1/s is an eigenvalue, up to rounding, or as good as one beside the others."),
        rate(slowest_rate) {}

  double rate;  ///< [1/s] of that motion
};

/// Whether a list about a shift holds what is as slow as a motion that is known, as far as it can be told
/// from zero there.
/// @param told_from Part of the shift up to which nothing is told from zero
bool holds(const std::vector<Complex>& eigenvalues, double rate, Complex shift, double told_from) {
  constexpr double about = 16;
  const double slow = std::max(about * rate, told_from * std::abs(shift));
  return std::any_of(eigenvalues.begin(), eigenvalues.end(),
                     [&](Complex value) { return std::abs(value) <= slow; });
}

/// What was made of eigenpairs, and the shift that they are nearest to.
template <class Completed>
struct AtShift {
  Completed completed;
  Complex shift;
  bool is_complete;                 ///< as far as the second search beside them sees
  std::optional<double> slow_rate;  ///< [1/s] of a motion that made the shift move: it has to be among them
};

/**
 * Eigenpairs for sigma, or for the first shift beside it that is no eigenvalue. Where bodies are free it is
 * about as far from their zeros as their slowest deformation: beside zeros far nearer, others would be lost
 * in the rounding of these.
 * @param find Those nearest to a shift. @param next next_rate() beside zero, or zero. @param complete What
 * is made of them where the shift is far enough from them; its member `rounded()` are the eigenvalues, zeros
 * rounded.
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

/// The slowest motion or relaxation clearly faster than a rate [1/s] that one of k eigenvalues may belong
/// to, two of which are those of an undamped motion; zero where all of them belong to slower ones.
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
 * @throws SingularMatrix where a shift about zero is an eigenvalue, up to rounding, or so near to one beside
 * the others that the iteration would hardly end
 */
template <class Engine, class Scalar, class UnitsAt>
Eigenpairs eigenpairs_by(const ShiftInverse<Scalar>& inverse, const TermScales<Engine>& scales, Index k,
                         const UnitsAt& units_at, const Rounded& round) {
  const SlowestMotion slowest =
      slowest_motion(inverse.response, scales.system().dofs(), scales.column_scales());
  const bool about_zero = std::abs(inverse.sigma) < relative_zero * scales.rate() && slowest.x.cols() > 0;
  if (about_zero) {
    if (is_at_rest(scales, slowest.x)) throw AtSlowMotion(inverse.sigma, 0);
    if (stands_apart(inverse, scales, slowest.rate, k)) throw AtSlowMotion(inverse.sigma, slowest.rate);
  }
  return nearest_eigenpairs(in_units(inverse, units_at(slowest.rate)), k, round);
}

/**
 * k eigenpairs nearest to sigma, or to a shift beside it.
 * @param inverse_at By a real or a complex shift. @param units_at Of its unknowns, from the slowest rate.
 * @param complete What is made of the pairs
 */
template <class Engine, class InverseAt, class UnitsAt, class Complete>
auto find_nearest(const TermScales<Engine>& scales, Index k, Complex sigma, const InverseAt& inverse_at,
                  const UnitsAt& units_at, const Rounded& round, const Complete& complete) {
  // A few more about another shift than the one that they are to be nearest to.
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
  std::vector<Complex> values;  ///< as they were found
  Eigenmodes modes;

  const std::vector<Complex>& rounded() const { return modes.eigenvalues; }
};

struct RoundedValues {
  std::vector<Complex> values;

  const std::vector<Complex>& rounded() const { return values; }
};

/**
 * Whether what was found about a shift holds the k values nearest to another one. All that was not found is
 * at least as far from the shift used as the farthest value found, and so from the other one at least that
 * less the distance of the two.
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

/// What `find` finds about a shift of its own when it is asked for as many values as hold the k nearest to
/// the requested one.
/// @param told_from as holds()
template <class Find>
auto nearest_to(Complex requested, Index k, GlobalIndex n_all, double told_from, const Find& find)
    -> decltype(find(k)) {
  for (Index wanted = k;; wanted += std::max(4, wanted / 2)) {
    auto found = find(wanted);
    const std::vector<Complex>& values = found.completed.rounded();
    if (found.shift != requested && wanted < n_all && !holds_nearest(values, found.shift, requested, k))
      continue;
    // Where it is not, rounding of the stiff and damped terms at the shift has lost it.
    if (found.slow_rate && !values.empty() && !holds(values, *found.slow_rate, found.shift, told_from))
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

/// Zeros and uncertainties by left vectors. Where none can be had they stay as right vectors alone tell them.
template <class Engine>
void judge_by_left_vectors(const ReducedSystem<Engine>& reduced, const TermScales<Engine>& scales,
                           NearestEigenvalues& nearest) {
  LeftVectors left;
  try {
    const double sigma = nearest.shift.imag() == 0 ? nearest.shift.real() : std::abs(nearest.shift);
    left = dual_left_vectors(reduced, sigma, left_eigenvectors(reduced, nearest), nearest.states);
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

/// Whether zeros are less certain than other eigenvalues are fast: then they may be more than were found, for
/// which both searches see one.
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
    if (reduced.before().dofs().n_global() > whole_up_to) throw;
    const auto all = small_spectrum(reduced, Effort::large);
    if (!all) throw;
    return nearest_of(reduced, scales, *all, k, sigma);
  }
}

template <class Engine>
NearestAssembledEigenvalues nearest_assembled_eigenvalues(const ReducedSystem<Engine>& reduced, Index k,
                                                          Complex sigma) {
  check_nearest(k, sigma);
  const TermScales<Engine> scales(reduced.before());
  const Rounded round = [&](const std::vector<Complex>& values, const ComplexMultiVector& x) {
    return round_zeros<Engine>(scales, values, x.topRows(scales.column_scales().size()));
  };
  const auto units_at = [&](double rate) { return companion_units(scales.column_scales(), rate); };
  const auto inverse_at = [&](auto shift) { return companion_shift_inverse(reduced, shift); };
  const auto complete = [&](const Eigenpairs& pairs) -> RoundedValues {
    return {round(pairs.values, pairs.vectors)};
  };
  const AtShift<RoundedValues> found =
      nearest_to(sigma, k, reduced.n_finite_before(), zero_part, [&](Index wanted) {
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
