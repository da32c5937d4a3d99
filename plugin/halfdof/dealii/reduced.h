// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/dealii/assembled.h>
#include <halfdof/integrators/nonsmooth/nonsmooth_integrator.h>
#include <halfdof/reduction/consistent_state.h>
#include <halfdof/reduction/reduced_system.h>

namespace halfdof {

/**
 * The reduced system of a deal.II application: a ReducedSystem with additional functions for the vector type
 * of the application. An example, from assembly to output:
 * @code
 * const auto assembled =
 *     halfdof::assembled_from_dealii(mass, damping, stiffness, constraints, load, dof_handler);
 * const auto reduced = halfdof::reduce(assembled);                 // classifies, eliminates exactly
 * reduced.print_summary(std::cout);                                // kinds of DoFs, states, solvers
 * const auto spectra = halfdof::compare_spectra(reduced, 12);      // before and after elimination
 * auto state = halfdof::consistent_state(reduced, displacement, rate);  // reports its changes
 * halfdof::GeneralizedAlpha(reduced, time_step).run(state, end_time, observer);
 * reduced.lift(state, displacement);                               // all DoFs, constraints distributed
 * @endcode
 * If a model cannot be reduced, `std::cout << halfdof::diagnose(assembled);` (diagnosis/diagnosis.h) prints
 * the reasons with components and support points of DoFs.
 *
 * Vectors may have ghost entries. An object is immutable and cheap to copy. All functions are collective.
 */
template <class MatrixType>
class ReducedFromDealII : public ReducedSystem<typename DealIITraits<MatrixType>::Engine> {
 public:
  using Engine = typename DealIITraits<MatrixType>::Engine;
  using VectorType = typename DealIITraits<MatrixType>::VectorType;

  /// Classifies the DoFs and eliminates DoFs without inertia. @throws SingularElimination, InvalidInput as
  /// reduce()
  explicit ReducedFromDealII(const AssembledFromDealII<MatrixType>& assembled,
                             const ReductionOptions& options = {});

  const AssembledFromDealII<MatrixType>& assembled_from_dealii() const { return from_dealii_; }

  /// Displacements and rates on all local assembled DoFs, from which a state is computed.
  struct InitialValues {
    Vector displacement, rate;
  };
  /// Returns the initial values of the application. DoFs that the application does not have (internal DoFs,
  /// attachments, multipliers) get the values of consistent_state(). Collective.
  InitialValues initial_values(const VectorType& displacement, const VectorType& rate, double time) const;

  using ReducedSystem<Engine>::lift;
  /// Computes the displacements of all DoFs from a state, with constraints distributed. An empty vector is
  /// initialized without ghost entries.
  void lift(const State& state, VectorType& displacement) const;
  /// Computes displacements and rates from a state. A state does not determine the rates of algebraic DoFs;
  /// their entries are zero.
  void lift(const State& state, VectorType& displacement, VectorType& rate) const;

  /// Prints the origin and the warnings of assembled_from_dealii(), then the summary of ReducedSystem.
  void print_summary(std::ostream& out) const;

 private:
  AssembledFromDealII<MatrixType> from_dealii_;
};

/// Classifies the DoFs of an application and eliminates the DoFs without inertia. @throws
/// SingularElimination, InvalidInput as reduce() of ReducedSystem
template <class MatrixType>
ReducedFromDealII<MatrixType> reduce(const AssembledFromDealII<MatrixType>& assembled,
                                     const ReductionOptions& options = {}) {
  const StageTimer stage("reduce");
  return ReducedFromDealII<MatrixType>(assembled, options);
}

/// Returns the consistent state for displacements and rates of the application. Internal DoFs of viscoelastic
/// parts start relaxed, as if the structure had been fixed at the given displacements for a long time; new
/// inertial DoFs of attachments start at rest with zero displacement. The report contains the changes of the
/// DoFs of the application. Collective.
/// @throws InvalidInput if a vector has the wrong size or is not finite, or strict mode finds a change
template <class MatrixType>
ConsistentState consistent_state(const ReducedFromDealII<MatrixType>& reduced,
                                 const typename DealIITraits<MatrixType>::VectorType& displacement,
                                 const typename DealIITraits<MatrixType>::VectorType& rate, double time = 0,
                                 const ConsistencyOptions& options = {});

/// Returns the state of static equilibrium of a linear application under a given load vector in place of
/// f(t), see halfdof::equilibrium(). Collective.
template <class MatrixType>
State equilibrium(const ReducedFromDealII<MatrixType>& reduced,
                  const typename DealIITraits<MatrixType>::VectorType& load, double time = 0) {
  const ReducedSystem<typename DealIITraits<MatrixType>::Engine>& system = reduced;
  return equilibrium(system, reduced.assembled_from_dealii().load_entries(load), time);
}

/**
 * Returns the initial state of a run with inclusions for displacements and rates of the application, see
 * halfdof::nonsmooth_start(). DoFs that the application does not have start as in consistent_state().
 * @param inclusions inclusions of this reduced system. Collective.
 */
template <class MatrixType>
NonsmoothStart nonsmooth_start(const ReducedFromDealII<MatrixType>& reduced,
                               const Inclusions<typename DealIITraits<MatrixType>::Engine>& inclusions,
                               const InclusionOutcome& outcome,
                               const typename DealIITraits<MatrixType>::VectorType& displacement,
                               const typename DealIITraits<MatrixType>::VectorType& rate, double time = 0,
                               const NonsmoothStartOptions& options = {}) {
  const auto given = reduced.initial_values(displacement, rate, time);
  return nonsmooth_start(inclusions, outcome, given.displacement, given.rate, time, options);
}

}  // namespace halfdof
