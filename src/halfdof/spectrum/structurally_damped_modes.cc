// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/free_system.h>
#include <halfdof/assembled/term_scales.h>
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/base/pseudo_random.h>
#include <halfdof/linear_algebra/dense/ordered_schur_form.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/spectrum/eigenmodes.h>
#include <halfdof/spectrum/shift_inverse.h>
#include <halfdof/spectrum/slowest_motion.h>
#include <halfdof/spectrum/structural_groups.h>
#include <halfdof/spectrum/structural_split.h>
#include <halfdof/spectrum/structurally_damped_modes.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

namespace halfdof {

using namespace internal;

namespace {

constexpr int n_iterations = 12;  ///< each divides other motions by the gap of the group over its offset
/// Offsets of a shift from its eigenvalues, relative to their modulus.
constexpr double least_offset = 1e-6, largest_offset = 1e-4;

/// Returns x^H y over all processes.
ComplexMultiVector inner_products(const Communicator& communicator, ConstView<Complex> x,
                                  ConstView<Complex> y) {
  ComplexMultiVector all = x.adjoint() * y;
  communicator.sum(reinterpret_cast<double*>(all.data()), 2 * static_cast<int>(all.size()));
  return all;
}

/// Orthonormalizes the columns in their order, twice; none may depend on earlier ones.
void orthonormalize(const Communicator& communicator, ComplexMultiVector& Y) {
  for (Eigen::Index j = 0; j < Y.cols(); ++j)
    for (int pass = 0; pass < 2; ++pass) {
      if (j > 0) {
        const ComplexMultiVector before = Y.leftCols(j);
        Y.col(j) -= before * inner_products(communicator, before, Y.col(j));
      }
      Y.col(j) /= std::sqrt(inner_products(communicator, Y.col(j), Y.col(j))(0, 0).real());
    }
}

/// The eigenvalues of D in a group of eigenvalues of the embedding, with their shapes.
struct OfComplexSystem {
  std::vector<Complex> values;
  ComplexMultiVector shapes;  ///< n_local DoFs of the application x number of values
};

/// Finds the vectors (x; -i x) in the invariant subspaces of groups of eigenvalues.
template <class Engine>
class GroupSplitter {
 public:
  GroupSplitter(const StructurallyDampedSystem<Engine>& system, const ReducedSystem<Engine>& reduced)
      : system_(system), reduced_(reduced), scales_(reduced.free()) {}

  /// @param reach How far computed eigenvalues may be from those of the group [1/s]
  OfComplexSystem split(const std::vector<Complex>& group, double reach) const {
    Complex mean = 0;
    for (const Complex value : group)
      mean += value / static_cast<double>(group.size());
    const Vector units = state_units(reduced_.classification(), scales_.column_scales(), std::abs(mean));
    const ShiftInverse<Complex> inverse = in_units(shift_inverse_near(mean), units);
    const auto n_states = static_cast<Index>(reduced_.n_states()), m = static_cast<Index>(group.size());
    // A list may have been cut among copies: other columns show whether there are more of them.
    for (Index n_columns = m + 2;; n_columns *= 2) {
      n_columns = std::min(n_columns, n_states);
      const ComplexMultiVector Y = nearest_subspace(inverse, n_columns);
      const auto schur =
          ordered_schur_form<Complex>(inner_products(communicator(), Y, inverse.apply(Y)), n_columns);
      const auto is_of_group = [&](Complex theta) {
        const Complex value = inverse.sigma - 1. / theta;
        return std::any_of(group.begin(), group.end(),
                           [&](Complex member) { return std::abs(member - value) <= reach; });
      };
      Index n = 0;
      while (n < n_columns && is_of_group(schur.values[n]))
        ++n;
      if (n < m) refuse(inverse.sigma, "others lie between them");
      if (n == n_columns && n < n_states) continue;
      return split(Y * schur.Q.leftCols(n), units, schur.T.topLeftCorner(n, n), inverse.sigma);
    }
  }

 private:
  const Communicator& communicator() const { return reduced_.communicator(); }

  ShiftInverse<Complex> shift_inverse_near(Complex value) const {
    for (double offset = least_offset; offset < largest_offset; offset *= 10) {
      try {
        return reduced_shift_inverse(reduced_, value + std::polar(offset * std::abs(value), 0.7));
      } catch (const SingularMatrix&) {
      }
    }
    return reduced_shift_inverse(reduced_, value + std::polar(largest_offset * std::abs(value), 0.7));
  }

  /// Returns an orthonormal basis that contains the motions nearest to the shift.
  ComplexMultiVector nearest_subspace(const ShiftInverse<Complex>& inverse, Index n_columns) const {
    const MultiVector random = pseudo_random(reduced_.states(), 2 * n_columns);
    ComplexMultiVector Y = random.leftCols(n_columns) + Complex(0, 1) * random.rightCols(n_columns);
    for (int i = 0; i < n_iterations; ++i) {
      Y = inverse.apply(Y);
      orthonormalize(communicator(), Y);
    }
    return Y;
  }

  OfComplexSystem split(const ComplexMultiVector& Y, const Vector& units, const ComplexMultiVector& T,
                        Complex sigma) const {
    const Eigen::Index m = Y.cols();
    const ComplexMultiVector X = displacements(units.asDiagonal() * Y);
    const ComplexMultiVector A = sigma * ComplexMultiVector::Identity(m, m) - T.inverse();
    const auto parts = split_subspace(system_, X, A);
    if (!parts) refuse(sigma, "rounding moves them by about as much as their distance from others");
    if (parts->of_complex_system.cols() == 0) return {};
    const Eigen::ComplexEigenSolver<ComplexMultiVector> small(parts->A);
    return {{small.eigenvalues().begin(), small.eigenvalues().end()},
            normalized(system_.joined(X) * parts->of_complex_system * small.eigenvectors())};
  }

  /// Returns the displacements of the assembled DoFs of the embedding.
  ComplexMultiVector displacements(const ComplexMultiVector& states) const {
    ComplexMultiVector x = ComplexMultiVector::Zero(system_.embedding().dofs().n_local(), states.cols());
    reduced_.free().add_to(free_displacements<Engine>(reduced_, states), x);
    return x;
  }

  /// Divides each column by its largest entry.
  ComplexMultiVector normalized(ComplexMultiVector shapes) const {
    for (Eigen::Index j = 0; j < shapes.cols(); ++j) {
      Eigen::Index row = 0;
      const double here = shapes.rows() > 0 ? shapes.col(j).cwiseAbs().maxCoeff(&row) : 0;
      const bool is_largest = here == communicator().max(here) && shapes.rows() > 0;
      const GlobalIndex n_before = communicator().sum_before(is_largest ? 1 : 0);
      Complex largest = is_largest && n_before == 0 ? shapes(row, j) : Complex(0);
      communicator().sum(reinterpret_cast<double*>(&largest), 2);
      shapes.col(j) /= largest;
    }
    return shapes;
  }

  [[noreturn]] static void refuse(Complex sigma, const char* reason) {
    std::ostringstream text;
    text << "Whether the eigenvalues of the real form about " << sigma.real() << " + " << sigma.imag()
         << "i 1/s belong to the complex system or to its conjugate cannot be decided: " << reason
         << ". Ask for more or fewer with --count (compare_spectra()), or take another shift.";
    throw NotAvailable(text.str());
  }

  const StructurallyDampedSystem<Engine>& system_;
  const ReducedSystem<Engine>& reduced_;
  TermScales<Engine> scales_;
};

/// Returns the relative difference before and after of each place after the elimination; 1 without partner.
std::vector<double> differences(const SpectrumComparison& comparison) {
  std::vector<double> all(comparison.after.finite.size(), 1.);
  for (const MatchedEigenvalues& pair : comparison.matching.pairs)
    all[pair.place_after] = pair.relative_difference();
  return all;
}

}  // namespace

template <class Engine>
StructurallyDampedModes structurally_damped_modes(const StructurallyDampedSystem<Engine>& system,
                                                  const ReducedSystem<Engine>& of_embedding,
                                                  const SpectrumComparison& comparison) {
  const GroupSplitter<Engine> splitter(system, of_embedding);
  const std::vector<double> difference = differences(comparison);
  const std::vector<Complex>& values = comparison.after.finite;
  const StructuralGroups groups = structural_groups(values, comparison.residuals);
  struct Listed {
    std::size_t place;
    StructurallyDampedMode mode;
    ComplexVector shape;
  };
  std::vector<Listed> listed;
  const auto add = [&](std::size_t place, Complex value, const ComplexVector& shape) {
    const EigenpairResidual& residual = comparison.residuals[place];
    listed.push_back(
        {place,
         {mode_of(value), loss_factor(value), residual.error(), difference[place], residual.backward},
         shape});
  };
  StructurallyDampedModes result;
  const Index n = system.real_part().dofs().n_local();
  for (const std::vector<std::size_t>& copies : groups.real)
    add(copies.front(), values[copies.front()].real(), ComplexVector::Zero(n));
  for (std::vector<std::size_t> group : groups.oscillating) {
    std::vector<Complex> of_group;
    for (const std::size_t place : group)
      of_group.push_back(values[place]);
    double reach = 0;
    for (const std::size_t place : group)
      reach = std::max(reach, neighbour_distance(values[place], comparison.residuals[place]));
    const OfComplexSystem found = splitter.split(of_group, reach);
    for (std::size_t k = 0; k < found.values.size() && !group.empty(); ++k) {
      const auto nearest = std::min_element(group.begin(), group.end(), [&](std::size_t a, std::size_t b) {
        return std::abs(values[a] - found.values[k]) < std::abs(values[b] - found.values[k]);
      });
      add(*nearest, values[*nearest], found.shapes.col(static_cast<Eigen::Index>(k)));
      group.erase(nearest);
    }
    for (const std::size_t place : group)
      result.unphysical.push_back(std::conj(values[place]));
  }
  std::stable_sort(listed.begin(), listed.end(),
                   [](const Listed& a, const Listed& b) { return a.place < b.place; });
  result.shapes.resize(n, static_cast<Eigen::Index>(listed.size()));
  for (std::size_t j = 0; j < listed.size(); ++j) {
    result.modes.push_back(listed[j].mode);
    result.shapes.col(static_cast<Eigen::Index>(j)) = listed[j].shape;
  }
  return result;
}

namespace {

void check_structural_frequencies(const std::vector<double>& frequencies) {
  for (const double frequency : frequencies)
    if (frequency < 0)
      throw InvalidInput("A frequency is " + number_text(frequency) +
                         " Hz. Structural damping is defined at positive frequencies: the response at a "
                         "negative one is the conjugate of that at the positive one.");
}

/// Returns the complex outputs a + i b of a response of the embedding whose outputs are first all a, then
/// all b.
FrequencyResponse joined_outputs(FrequencyResponse response) {
  std::vector<ComplexMultiVector> before, after;
  std::vector<MultiVector> roundings;
  for (std::size_t k = 0; k < response.frequencies.size(); ++k) {
    const Eigen::Index n = response.after[k].rows() / 2;
    for (ComplexMultiVector* const H : {&response.before[k], &response.after[k]})
      *H = ComplexMultiVector(H->topRows(n) + Complex(0, 1) * H->bottomRows(n));
    MultiVector& rounding = response.rounding[k];
    if (rounding.size() == 0) continue;  // there is no response
    rounding = MultiVector(rounding.topRows(n) + rounding.bottomRows(n));
    before.push_back(response.before[k]);
    after.push_back(response.after[k]);
    roundings.push_back(rounding);
  }
  response.max_relative_difference = largest_relative_difference(before, after, roundings);
  return response;
}

/// Returns the outputs along the real parts of DoFs, then those along the imaginary parts.
template <class Engine>
std::vector<DirectedOutput> on_both_parts(const StructurallyDampedSystem<Engine>& system,
                                          const std::vector<DirectedOutput>& outputs) {
  std::vector<DirectedOutput> both = outputs;
  for (const DirectedOutput& output : outputs) {
    std::vector<WeightedDoF> entries;
    for (const WeightedDoF& entry : output.along.entries())
      entries.push_back({system.imaginary_part(entry.dof), entry.weight});
    both.push_back({output.quantity, Direction(std::move(entries))});
  }
  return both;
}

}  // namespace

template <class Engine>
FrequencyResponse frequency_response(const StructurallyDampedSystem<Engine>& system,
                                     const ReducedSystem<Engine>& of_embedding,
                                     const std::vector<double>& frequencies,
                                     const std::vector<GlobalIndex>& inputs,
                                     const std::vector<Output>& outputs) {
  check_structural_frequencies(frequencies);
  std::vector<GlobalIndex> named = inputs;
  for (const Output& output : outputs)
    named.push_back(output.dof);
  for (const GlobalIndex dof : named)
    if (dof < 0 || dof >= system.n_dofs())
      throw InvalidInput("DoF " + std::to_string(dof) + " does not exist: the system has the DoFs 0 ... " +
                         std::to_string(system.n_dofs() - 1) + ".");
  std::vector<Output> both = outputs;
  for (const Output& output : outputs)
    both.push_back({output.quantity, system.imaginary_part(output.dof)});
  FrequencyResponse response = joined_outputs(frequency_response(of_embedding, frequencies, inputs, both));
  response.outputs = outputs;
  return response;
}

template <class Engine>
FrequencyResponse frequency_response(const StructurallyDampedSystem<Engine>& system,
                                     const ReducedSystem<Engine>& of_embedding,
                                     const std::vector<double>& frequencies, const HarmonicLoads& loads,
                                     const std::vector<DirectedOutput>& outputs) {
  check_structural_frequencies(frequencies);
  const Eigen::Index n = loads.amplitudes.rows();
  MultiVector on_real_parts = MultiVector::Zero(2 * n, loads.amplitudes.cols());
  on_real_parts.topRows(n) = loads.amplitudes;
  return joined_outputs(frequency_response(of_embedding, frequencies, HarmonicLoads{on_real_parts},
                                           on_both_parts(system, outputs)));
}

template <class Engine>
FrequencyResponse base_response(const StructurallyDampedSystem<Engine>& system,
                                const ReducedSystem<Engine>& of_embedding,
                                const std::vector<double>& frequencies, const BaseMotion& base,
                                const std::vector<DirectedOutput>& outputs) {
  check_structural_frequencies(frequencies);
  return joined_outputs(base_response(of_embedding, frequencies, base, on_both_parts(system, outputs)));
}

template StructurallyDampedModes structurally_damped_modes(
    const StructurallyDampedSystem<InstantiatedEngine>&, const ReducedSystem<InstantiatedEngine>&,
    const SpectrumComparison&);
template FrequencyResponse frequency_response(const StructurallyDampedSystem<InstantiatedEngine>&,
                                              const ReducedSystem<InstantiatedEngine>&,
                                              const std::vector<double>&, const HarmonicLoads&,
                                              const std::vector<DirectedOutput>&);
template FrequencyResponse base_response(const StructurallyDampedSystem<InstantiatedEngine>&,
                                         const ReducedSystem<InstantiatedEngine>&, const std::vector<double>&,
                                         const BaseMotion&, const std::vector<DirectedOutput>&);
template FrequencyResponse frequency_response(const StructurallyDampedSystem<InstantiatedEngine>&,
                                              const ReducedSystem<InstantiatedEngine>&,
                                              const std::vector<double>&, const std::vector<GlobalIndex>&,
                                              const std::vector<Output>&);

}  // namespace halfdof
