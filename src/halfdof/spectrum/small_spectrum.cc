// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/characteristic_rate.h>
#include <halfdof/assembled/term_scales.h>
#include <halfdof/base/errors.h>
#include <halfdof/base/profile.h>
#include <halfdof/linear_algebra/dense/dense_eigenvalues.h>
#include <halfdof/linear_algebra/dense/stack.h>
#include <halfdof/linear_algebra/exact/precise_vectors.h>
#include <halfdof/linear_algebra/exact/simple_eigenvalue.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/linear_algebra/search_progress.h>
#include <halfdof/reduction/unreduced_system.h>
#include <halfdof/reduction/weierstrass/weierstrass_form.h>
#include <halfdof/spectrum/assignment.h>
#include <halfdof/spectrum/compare_spectra.h>
#include <halfdof/spectrum/eigenvalue_scale.h>
#include <halfdof/spectrum/root_groups.h>
#include <halfdof/spectrum/rounding_radius.h>
#include <halfdof/spectrum/shift_inverse.h>
#include <halfdof/spectrum/slowest_motion.h>
#include <halfdof/spectrum/small_spectrum.h>
#include <halfdof/spectrum/spectrum_rounding.h>

#include <Eigen/LU>
#include <Eigen/SVD>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace halfdof::internal {

namespace {

/// Number of free DoFs up to which dense matrices are formed.
constexpr GlobalIndex largest_small_system = 400;

/// Computes the spectrum from the determinant over the integers, or with 32 digits, or from the determinant
/// although it takes longer; nothing if all take too long.
std::optional<ExactSpectrum> spectrum_of(ConstView<double> M, ConstView<double> C, ConstView<double> K,
                                         Effort effort) {
  if (auto exact = exact_spectrum(M, C, K)) return exact;
  const bool is_large = effort == Effort::large;
  const FirstOrderForm form = smallest_form(M, C, K);
  if (form.E.rows() <= (is_large ? largest_precise_spectrum : precise_spectrum_limit))
    if (auto precise = precise_spectrum(form.E, form.A)) return precise;
  return is_large || form.E.rows() <= precise_spectrum_limit ? exact_spectrum(M, C, K, largest_effort)
                                                             : std::nullopt;
}

/// Eigenvalues of the reduced system and their states.
struct Found {
  std::vector<Complex> values;
  ComplexMultiVector states;
  ComplexMultiVector basis;         ///< basis of the span of the exact states and their Jordan chains
  ComplexMultiVector at_rest = {};  ///< for zeros: states with zero rate up to rounding; at least one
};

/// Computes the eigenvalues of the reduced system near those of a group, as many as the group has.
template <class Engine>
class ReducedEigenvalues {
 public:
  /// @param roots The roots of the assembled system, as many as states
  ReducedEigenvalues(const ReducedSystem<Engine>& reduced, std::vector<ExactRoot> roots)
      : reduced_(reduced), scales_(reduced.free()), roots_(std::move(roots)) {}

  const TermScales<Engine>& scales() const { return scales_; }

  /// Computes those nearest to a shift close to the group, outside the ring into which rounding splits
  /// copies, by the inverse at the shift. Returns nothing if no shift is regular in floating-point numbers.
  std::optional<Found> by_inverse(const RootGroup& group, double ring) const {
    // A value at the shift itself is caused by rounding and is no eigenvalue. The shift is so far from the
    // group that a comparison detects such values.
    constexpr double closest = 1e-5, of_gap = 0.05, of_ring = 8;
    const Complex centre = group.centre();
    const double far = of_gap * group.farthest,
                 step =
                     centre == 0. ? far : std::min(far, std::max(closest * std::abs(centre), of_ring * ring));
    for (const double factor : {1., 1.7, 3.1}) {
      try {
        return group.is_real() ? found<double>(centre.real() + factor * step, group)
                               : found<Complex>(centre + std::polar(factor * step, 1.1), group);
      } catch (const SingularMatrix&) {  // the shift is an eigenvalue, too
      } catch (const NoConvergence&) {   // another shift or the determinant may succeed
      }
    }
    return std::nullopt;
  }

  /// Computes them by the determinant of the matrices of the reduced system over the integers, each of whose
  /// roots belongs to one group. Returns nothing if that determinant has another degree.
  std::optional<Found> by_determinant(const RootGroup& group) {
    const FreeSystem<Engine>& system = reduced_.free();
    const MultiVector M = Engine::to_dense(system.M()), C = Engine::to_dense(system.C()),
                      K = Engine::to_dense(system.K());
    if (!partners_) partners_ = partners(spectrum_of(M, C, K, Effort::large));
    if (partners_->empty()) return std::nullopt;
    Found all{{}, ComplexMultiVector(reduced_.n_local_states(), group.n_copies()), {}};
    // Different roots may round to the same number; each gets as many partners as it has copies.
    for (const Complex value : copies_of(group.roots)) {
      const auto partner = partners_->find(order_of(value));
      all.values.push_back(partner->second);
      partners_->erase(partner);
    }
    std::sort(all.values.begin(), all.values.end(),
              [](Complex a, Complex b) { return order_of(a) < order_of(b); });
    for (std::size_t j = 0, k = 0; j < all.values.size(); j += k) {
      const Complex value = all.values[j];
      k = static_cast<std::size_t>(std::count(all.values.begin(), all.values.end(), value));
      all.states.middleCols(static_cast<Index>(j), static_cast<Index>(k)) =
          states_of(precise_null_vectors(M, C, K, value, static_cast<Index>(k)), value);
    }
    all.basis = all.states;
    return all;
  }

 private:
  template <class Scalar>
  Found found(Scalar sigma, const RootGroup& group) const {
    const Complex centre = group.centre();
    const double rate = std::abs(centre) > 0 ? std::abs(centre) : group.farthest;
    const ShiftInverse<Scalar> inverse =
        in_units(reduced_shift_inverse(reduced_, sigma),
                 state_units(reduced_.classification(), scales_.column_scales(), rate));
    SubspaceOptions options;
    options.n_eigenvalues = group.n_copies();
    const InvariantSubspace<Scalar> dominant =
        dominant_subspace<Scalar>(inverse.apply, inverse.partition, options);
    // sigma - T^{-1} is the reduced system on the invariant subspace.
    const auto m = dominant.T.rows();
    const ComplexMultiVector L = Complex(sigma) * ComplexMultiVector::Identity(m, m) -
                                 ComplexMultiVector(dominant.T.template cast<Complex>().inverse());
    if (!L.allFinite()) throw SingularMatrix("Rounding leaves nothing of the inverse on the subspace.");
    const DenseEigenpairs pairs = eigenpairs(L);
    const ComplexMultiVector image = inverse.apply(dominant.Q).template cast<Complex>();
    const ComplexMultiVector states = inverse.units.asDiagonal() * image;
    return {pairs.values, states * pairs.vectors,
            inverse.units.asDiagonal() * dominant.Q.template cast<Complex>(),
            centre == 0. ? states * null_vectors(L, std::abs(sigma)) : ComplexMultiVector()};
  }

  /// Returns the right singular vectors of singular values of at most 1e-8 of a typical size, the smallest
  /// first; at least one vector.
  static ComplexMultiVector null_vectors(const ComplexMultiVector& L, double size) {
    constexpr double small = 1e-8;
    const Eigen::JacobiSVD<ComplexMultiVector> svd(L, Eigen::ComputeFullV);
    const Eigen::Index n_null = (svd.singularValues().array() <= small * size).count();
    return svd.matrixV().rightCols(std::max<Eigen::Index>(n_null, 1)).rowwise().reverse();
  }

  /// Returns the states (q_I, q_C, v_I) of the displacements of all coordinates.
  ComplexMultiVector states_of(const ComplexMultiVector& x, Complex lambda) const {
    const Partition& dofs = reduced_.free().dofs();
    ComplexMultiVector local(dofs.n_local(), x.cols());
    for (Index i = 0; i < local.rows(); ++i)
      local.row(i) = x.row(dofs.global_index(i));
    const Selection &I = reduced_.classification().inertial(), &C = reduced_.classification().viscous();
    ComplexMultiVector y(reduced_.n_local_states(), x.cols());
    stack_rows(y, I.selected_rows(local), C.selected_rows(local), lambda * I.selected_rows(local));
    return y;
  }

  using Order = std::pair<double, double>;
  static Order order_of(Complex value) { return {value.real(), value.imag()}; }

  /// Assigns roots of the reduced system to those of the assembled one, such that the sum of all relative
  /// differences is minimal. Empty if their numbers differ.
  std::multimap<Order, Complex> partners(const std::optional<ExactSpectrum>& of_reduced) const {
    std::multimap<Order, Complex> partners;
    if (!of_reduced || !of_reduced->is_regular || of_reduced->n_finite != reduced_.n_states())
      return partners;
    const std::vector<Complex> before = copies_of(roots_), after = copies_of(of_reduced->roots);
    MultiVector cost(after.size(), before.size());
    for (std::size_t j = 0; j < before.size(); ++j)
      for (std::size_t i = 0; i < after.size(); ++i) {
        const double larger = std::max(std::abs(before[j]), std::abs(after[i]));
        cost(static_cast<Index>(i), static_cast<Index>(j)) =
            larger > 0 ? std::abs(after[i] - before[j]) / larger : 0.;
      }
    const std::vector<Index> places = cheapest_assignment(cost);
    for (std::size_t j = 0; j < before.size(); ++j)
      partners.emplace(order_of(before[j]), after[static_cast<std::size_t>(places[j])]);
    return partners;
  }

  ReducedSystem<Engine> reduced_;
  TermScales<Engine> scales_;
  std::vector<ExactRoot> roots_;
  std::optional<std::multimap<Order, Complex>> partners_;  ///< computed when a group first needs them
};

/// One copy of an exact eigenvalue with the corresponding eigenvalue of the reduced system.
struct Entry {
  Complex before, exact, after, found;
  ComplexVector state, basis;
  double uncertainty;
};

/// Returns for each copy of a group the position of its value among those found.
std::vector<Index> assigned(const std::vector<Complex>& copies, const std::vector<Complex>& values) {
  MultiVector cost(values.size(), copies.size());
  for (std::size_t j = 0; j < copies.size(); ++j)
    for (std::size_t i = 0; i < values.size(); ++i)
      cost(static_cast<Index>(i), static_cast<Index>(j)) = std::abs(values[i] - copies[j]);
  return cheapest_assignment(cost);
}

/// Returns the real part of a vector, after multiplication by the phase that makes it as real as possible.
ComplexVector real_part(const Communicator& communicator, const ComplexVector& y) {
  Complex square = (y.array() * y.array()).sum();
  communicator.sum(reinterpret_cast<double*>(&square), 2);
  const Complex phase = square == 0. ? 1. : std::sqrt(std::abs(square) / square);
  return (phase * y).real().cast<Complex>();
}

/// Returns how far copies in a group may lie from it: the largest SpectrumRounding::of_copies() of its
/// multiple roots.
double ring_of(const RootGroup& group, const SpectrumRounding& rounding) {
  double largest = 0;
  for (const ExactRoot& root : group.roots)
    if (root.multiplicity > 1) largest = std::max(largest, rounding.of_copies(root, group.farthest));
  return largest;
}

/// Returns the entries of a group with the eigenvalues found for it.
/// @param exact One value for each copy; zeros that are due to rounding have the value of the given entries
std::vector<Entry> entries_of(const RootGroup& group, const std::vector<Complex>& exact, const Found& found,
                              const SpectrumRounding& rounding, const Communicator& communicator) {
  const std::vector<Index> places = assigned(exact, found.values);

  std::vector<Entry> entries;
  Index n_at_rest = 0;
  auto place = places.begin();
  for (const ExactRoot& root : group.roots) {
    const auto first = std::exchange(place, place + root.multiplicity);
    if (root.value.imag() < 0) continue;  // listed with its conjugate
    const auto value = [&](Index at) { return found.values[static_cast<std::size_t>(at)]; };
    Complex mean = 0;
    double spread = 0;
    std::for_each(first, place, [&](Index at) {
      mean += value(at) / static_cast<double>(root.multiplicity);
      spread = std::max(spread, std::abs(value(at) - root.value));
    });
    if (root.value.real() == 0) mean = Complex(0, mean.imag());
    if (root.value.imag() == 0) mean = mean.real();
    const double of_entries = rounding.of_entries(root, group.farthest);
    // Rounding of eliminations splits copies and moves zeros; only these get a tolerance. The tolerance of
    // zeros, which have no modulus of their own, is relative to the distance of the nonzero eigenvalues.
    double ring = root.value == 0. ? MatchingOptions().tolerance * group.farthest : 0.;
    if (spread > std::max(of_entries, ring) && (root.multiplicity > 1 || root.value == 0.))
      ring = rounding.of_copies(root, group.farthest);
    const bool are_copies = spread <= std::max(of_entries, ring);
    const bool is_zero = root.value == 0. && are_copies;
    // The uncertainty of zeros includes their deviation, unless they may belong to other eigenvalues.
    constexpr double near_zero = 1e-3;
    const bool are_zeros = are_copies || spread <= near_zero * group.farthest;
    const double uncertainty =
        root.value == 0. ? std::max({of_entries, group.farthest_zero, are_zeros ? spread : 0}) : of_entries;
    // Rounding splits copies of a real root into complex values.
    const double least_imaginary = std::max(
        {root.value == 0. ? 0. : of_entries, ring, MatchingOptions().tolerance * std::abs(root.value)});
    const auto is_real = [&](Index at) {
      return root.value.imag() == 0 && std::abs(value(at).imag()) <= least_imaginary;
    };
    const auto listed = [&](Index at) {
      return is_zero ? 0. : are_copies ? mean : is_real(at) ? value(at).real() : value(at);
    };
    auto copy = exact.begin() + (first - places.begin());
    std::for_each(first, place, [&](Index at) {
      const bool is_static_null_vector =
          root.value == 0. && found.at_rest.cols() > 0 && std::abs(value(at)) <= ring;
      ComplexVector y = is_static_null_vector
                            ? found.at_rest.col(std::min(n_at_rest++, Index(found.at_rest.cols()) - 1))
                            : found.states.col(at);
      if (is_real(at)) y = real_part(communicator, y);
      entries.push_back({root.value, *copy++, listed(at), value(at), y,
                         group.roots.size() == 1 ? ComplexVector(found.basis.col(at)) : y, uncertainty});
    });
  }
  return entries;
}

/// Whether the eigenvalues found agree with their group to the tolerance of comparisons without regard to
/// rounding, except for zeros; and to a hundredth of that tolerance or within the uncertainty.
bool agree(const std::vector<Entry>& entries) {
  constexpr double of_tolerance = 1e-2;
  return std::all_of(entries.begin(), entries.end(), [](const Entry& entry) {
    const double tolerance = MatchingOptions().tolerance;
    return entry.after == 0. ||
           (MatchedEigenvalues{entry.before, entry.after}.agree(tolerance) &&
            MatchedEigenvalues{entry.before, entry.after, entry.uncertainty}.agree(of_tolerance * tolerance));
  });
}

/// Whether the vectors satisfy the equations well enough for comparisons.
template <class Engine>
bool solve_equations(const ReducedSystem<Engine>& reduced, const TermScales<Engine>& scales,
                     const SmallSpectrum& some) {
  constexpr double good = 1e-8;
  const std::vector<EigenpairResidual> residuals = residuals_of(reduced, scales, some);
  return std::all_of(residuals.begin(), residuals.end(), [](const EigenpairResidual& residual) {
    return std::max(residual.assembled, residual.backward) <= good;
  });
}

/// Removes the fastest roots from a list until n_left copies remain. @return The removed roots, one entry for
/// each copy
std::vector<Complex> without_fastest(std::vector<ExactRoot>& roots, GlobalIndex n_left) {
  std::sort(roots.begin(), roots.end(),
            [](const ExactRoot& a, const ExactRoot& b) { return std::abs(a.value) < std::abs(b.value); });
  GlobalIndex n = 0;
  for (const ExactRoot& root : roots)
    n += root.multiplicity;
  std::vector<Complex> taken;
  for (; n > n_left; --n) {
    taken.push_back(roots.back().value);
    if (--roots.back().multiplicity == 0) roots.pop_back();
  }
  return taken;
}

SmallSpectrum by_modulus(std::vector<Entry> entries, Index n_states) {
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::make_pair(std::abs(a.before), a.before.real()) <
           std::make_pair(std::abs(b.before), b.before.real());
  });
  SmallSpectrum all;
  std::vector<ComplexVector> states, basis;
  const auto add = [&](const Entry& entry, Complex before, Complex exact, Complex after, Complex found,
                       ComplexVector state, ComplexVector of_basis) {
    all.before.push_back(before);
    all.exact.push_back(exact);
    all.after.push_back(after);
    all.found.push_back(found);
    all.uncertainties.push_back(entry.uncertainty);
    states.push_back(std::move(state));
    basis.push_back(std::move(of_basis));
  };
  for (const Entry& entry : entries) {
    add(entry, entry.before, entry.exact, entry.after, entry.found, entry.state, entry.basis);
    if (entry.before.imag() > 0)
      add(entry, std::conj(entry.before), std::conj(entry.exact), std::conj(entry.after),
          std::conj(entry.found), entry.state.conjugate(), entry.basis.conjugate());
  }
  const auto side_by_side = [&](const std::vector<ComplexVector>& columns) {
    ComplexMultiVector matrix(n_states, columns.size());
    for (std::size_t j = 0; j < columns.size(); ++j)
      matrix.col(static_cast<Index>(j)) = columns[j];
    return matrix;
  };
  all.states = side_by_side(states);
  all.basis = side_by_side(basis);
  return all;
}

}  // namespace

template <class Engine>
std::optional<SmallSpectrum> small_spectrum(const ReducedSystem<Engine>& reduced, Effort effort) {
  // Undetermined multipliers of redundant constraints make the assembled pencil singular; before() contains
  // equations that determine them.
  const FreeSystem<Engine> system = reduced.constraints().redundant.empty()
                                        ? FreeSystem<Engine>(reduced.assembled())
                                        : reduced.unreduced().system();
  if (system.dofs().n_global() > largest_small_system) return std::nullopt;
  const StageTimer stage("exact eigenvalues");
  const MultiVector M = Engine::to_dense(system.M()), C = Engine::to_dense(system.C()),
                    K = Engine::to_dense(system.K());
  const std::optional<ExactSpectrum> exact = spectrum_of(M, C, K, effort);
  if (!exact || !exact->is_regular || exact->n_finite < reduced.n_states()) return std::nullopt;

  const FreeSystem<Engine>& coordinates = reduced.free();
  const SpectrumRounding rounding(M, C, K,
                                  {Engine::to_dense(coordinates.M()), Engine::to_dense(coordinates.C()),
                                   Engine::to_dense(coordinates.K())});
  std::vector<ExactRoot> roots = exact->roots;
  std::vector<Complex> missing = without_fastest(roots, reduced.n_states());
  const WithZeros zeros = with_zeros(std::move(roots), rounding);
  ReducedEigenvalues<Engine> of_reduced(reduced, zeros.roots);
  std::vector<Entry> entries;
  const Index n_states = static_cast<Index>(reduced.n_states());
  Index n_done = 0;
  for (RootGroup& group : root_groups(zeros.roots, characteristic_rate(system))) {
    show_progress({n_states, n_done, 1, 1., static_cast<double>(n_done) / static_cast<double>(n_states)});
    group.farthest_zero = zeros.farthest;
    const std::vector<Complex> copies = group.centre() == 0. ? zeros.zeros : copies_of(group.roots);
    std::vector<Entry> of_group;
    const auto take = [&](const std::optional<Found>& found) {
      if (found) of_group = entries_of(group, copies, *found, rounding, reduced.communicator());
    };
    take(of_reduced.by_inverse(group, ring_of(group, rounding)));
    if (of_group.empty() || !agree(of_group) ||
        !solve_equations(reduced, of_reduced.scales(), by_modulus(of_group, reduced.n_local_states())))
      take(of_reduced.by_determinant(group));
    if (of_group.empty()) return std::nullopt;
    entries.insert(entries.end(), of_group.begin(), of_group.end());
    n_done += static_cast<Index>(copies.size());
  }
  SmallSpectrum all = by_modulus(std::move(entries), reduced.n_local_states());
  all.missing = certainly_finite_eigenvalues(M, C, K, missing);
  // Rounding in the entries that determine redundant multipliers creates finite eigenvalues that the model
  // does not have.
  if (reduced.constraints().redundant.empty())
    all.n_rounded = static_cast<GlobalIndex>(missing.size() - all.missing.size());
  return all;
}

template <class Engine>
std::optional<Complex> lost_eigenvalue(const ReducedSystem<Engine>& reduced) {
  constexpr double much = 1e-2;
  const std::optional<SmallSpectrum> all = small_spectrum(reduced);
  if (!all) return std::nullopt;
  if (!all->missing.empty()) return all->missing.front();
  for (std::size_t j = 0; j < all->before.size(); ++j)
    if (const double off = std::abs(all->after[j] - all->before[j]);
        off > std::max(much * std::abs(all->before[j]), all->uncertainties[j]))
      return all->before[j];
  return std::nullopt;
}

template <class Engine>
std::vector<EigenpairResidual> residuals_of(const ReducedSystem<Engine>& reduced,
                                            const TermScales<Engine>& scales, const SmallSpectrum& all) {
  const auto with = [&](const std::vector<Complex>& values) {
    return eigenpair_residuals<Engine>(reduced, scales, values, values, all.states,
                                       zero_scale(all.after, scales.rate()));
  };
  std::vector<EigenpairResidual> residuals = with(all.found);
  const std::vector<EigenpairResidual> as_listed = with(all.after);
  for (std::size_t j = 0; j < residuals.size(); ++j) {
    if (as_listed[j].backward < residuals[j].backward) residuals[j] = as_listed[j];
    residuals[j].uncertainty = all.uncertainties[j];
    residuals[j].distance_to_root =
        0;  // not meaningful for vectors of several copies; the eigenvalues are compared with exact ones
  }
  return residuals;
}

template std::optional<SmallSpectrum> small_spectrum(const ReducedSystem<InstantiatedEngine>&, Effort);
template std::optional<Complex> lost_eigenvalue(const ReducedSystem<InstantiatedEngine>&);
template std::vector<EigenpairResidual> residuals_of(const ReducedSystem<InstantiatedEngine>&,
                                                     const TermScales<InstantiatedEngine>&,
                                                     const SmallSpectrum&);

}  // namespace halfdof::internal
