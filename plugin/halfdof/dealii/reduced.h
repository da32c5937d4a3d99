#pragma once

#include <halfdof/dealii/assembled.h>
#include <halfdof/integrators/nonsmooth_start.h>
#include <halfdof/reduction/consistent_state.h>
#include <halfdof/reduction/equilibrium.h>
#include <halfdof/reduction/reduced_system.h>

namespace halfdof {

/**
 * The reduced system of a deal.II application: a ReducedSystem that also speaks the application's own
 * vectors. The whole way, from assembly to output:
 * @code
 * const auto assembled =
 *     halfdof::assembled_from_dealii(mass, damping, stiffness, constraints, load, dof_handler);
 * const auto reduced = halfdof::reduce(assembled);                 // classify, eliminate exactly
 * reduced.print_summary(std::cout);                                // kinds by component, N_s, solvers chosen
 * const auto spectra = halfdof::compare_spectra(reduced, 12);      // before, after, matched; residuals
 * auto state = reduced.consistent_state(displacement, velocity);   // says what it had to change
 * halfdof::GeneralizedAlpha(reduced, time_step).run(state, end_time, observer);
 * reduced.lift(state, displacement);                               // all DoFs, constraints distributed
 * @endcode
 * What is wrong with a model that cannot be reduced, by component and support point:
 * `std::cout << halfdof::diagnose(assembled);` (reduction/diagnosis.h).
 *
 * Vectors may be ghosted. Constant; cheap to copy. Functions are collective.
 */
template <class MatrixType>
class ReducedFromDealII : public ReducedSystem<typename DealIITraits<MatrixType>::Engine> {
 public:
  using Engine = typename DealIITraits<MatrixType>::Engine;
  using VectorType = typename DealIITraits<MatrixType>::VectorType;

  /// @throws SingularElimination, InvalidInput
  explicit ReducedFromDealII(const AssembledFromDealII<MatrixType>& assembled,
                             const ReductionOptions& options = {});

  const AssembledFromDealII<MatrixType>& assembled_from_dealii() const { return from_dealii_; }

  /// See halfdof::consistent_state(). Internal DoFs start relaxed, as if the structure had been held at the
  /// given displacements for long; new inertial DoFs of attachments start at rest at zero. Changes are
  /// reported of the application's own DoFs.
  ConsistentState consistent_state(const VectorType& displacement, const VectorType& velocity,
                                   double time = 0, const ConsistencyOptions& options = {}) const;

  /// Displacements and rates on all local assembled DoFs, from which a state is made.
  struct InitialValues {
    Vector displacement, rate;
  };
  /// Those of the application, and on DoFs that it does not know of what consistent_state() takes.
  /// Collective.
  InitialValues initial_values(const VectorType& displacement, const VectorType& velocity, double time) const;

  using ReducedSystem<Engine>::lift;
  /// Displacements of all DoFs, constraints distributed. An empty vector is initialized without ghosts.
  void lift(const State& state, VectorType& displacement) const;
  /// Rates too; those of algebraic DoFs, which a state does not determine, are zero.
  void lift(const State& state, VectorType& displacement, VectorType& velocity) const;

  /// ReducedSystem's summary behind a line on what came from deal.II.
  void print_summary(std::ostream& out) const;

 private:
  AssembledFromDealII<MatrixType> from_dealii_;
};

/// Classifies and eliminates.
template <class MatrixType>
ReducedFromDealII<MatrixType> reduce(const AssembledFromDealII<MatrixType>& assembled,
                                     const ReductionOptions& options = {}) {
  const Stage stage("reduce");
  return ReducedFromDealII<MatrixType>(assembled, options);
}

/// The state at which a linear application rests under a load vector of its own, in the place of its f(t):
/// see halfdof::equilibrium(). Collective.
template <class MatrixType>
State equilibrium(const ReducedFromDealII<MatrixType>& reduced,
                  const typename DealIITraits<MatrixType>::VectorType& load, double time = 0) {
  const ReducedSystem<typename DealIITraits<MatrixType>::Engine>& system = reduced;
  return equilibrium(system, reduced.assembled_from_dealii().load_entries(load), time);
}

/**
 * The start of a run with inclusions from the application's displacements and velocities: see
 * halfdof::nonsmooth_start(). DoFs that the application does not know of start as in consistent_state().
 * @param inclusions Of this reduced system. Collective.
 */
template <class MatrixType>
NonsmoothStart nonsmooth_start(const ReducedFromDealII<MatrixType>& reduced,
                               const Inclusions<typename DealIITraits<MatrixType>::Engine>& inclusions,
                               const InclusionOutcome& outcome,
                               const typename DealIITraits<MatrixType>::VectorType& displacement,
                               const typename DealIITraits<MatrixType>::VectorType& velocity, double time = 0,
                               const NonsmoothStartOptions& options = {}) {
  const auto given = reduced.initial_values(displacement, velocity, time);
  return nonsmooth_start(inclusions, outcome, given.displacement, given.rate, time, options);
}

}  // namespace halfdof
