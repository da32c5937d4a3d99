#pragma once

#include <halfdof/reduction/reduced_system.h>

#include <iosfwd>
#include <string>
#include <vector>

namespace halfdof {

/// One given initial value that the equations do not allow.
struct InitialChange {
  GlobalIndex dof;  ///< assembled index
  std::string
      quantity;  ///< "displacement" (algebraic, constrained) or "rate" (viscous, constrained); of any DoF
                 ///< where constraints hold
  double given;
  double consistent;
  std::string description;  ///< of the DoF
};

/// What had to be changed, on every process. Displacements and rates have different units, and are told
/// apart.
struct ConsistencyReport {
  GlobalIndex n_changed = 0;        ///< n_displacements + n_rates
  GlobalIndex n_displacements = 0;  ///< displacements that were changed
  GlobalIndex n_rates = 0;          ///< rates that were changed
  /// At most ten displacements, then at most ten rates; of each the largest change first.
  std::vector<InitialChange> largest;
};

std::ostream& operator<<(std::ostream& out, const ConsistencyReport& report);

struct ConsistentState : State {
  ConsistencyReport report;
};

struct ConsistencyOptions {
  enum class Mode { adjust, strict } mode = Mode::adjust;  ///< strict: throw instead of changing anything
  double tolerance = 1e-10;  ///< a change counts above this times the largest entry of the same vector
};

/**
 * The state at t_0 nearest to given displacements and rates: q_I, q_C and v_I are taken as they are; q_K and
 * q_C' follow from them and F(t_0), q_D and q_D' from the prescribed motion. Where constraints hold, hidden
 * ones too, what is off them is projected (ReducedSystem::project()). Given values that differ are reported.
 *
 * Shapes: q_0 and q_0' have the local assembled DoFs. Collective.
 * @throws InvalidInput if sizes differ, an entry is not finite, or strict mode finds a change.
 */
template <class Engine>
ConsistentState consistent_state(const ReducedSystem<Engine>& reduced, const Vector& displacement,
                                 const Vector& rate, double time = 0, const ConsistencyOptions& options = {});

/**
 * What of given displacements and rates differs from those of a state put back on all DoFs.
 * @param lifted Of the state at `time`: ReducedSystem::lift(), or that with reactions
 * @throws InvalidInput as consistent_state() does. Collective.
 */
template <class Engine>
ConsistencyReport consistency_report(const ReducedSystem<Engine>& reduced, const Vector& displacement,
                                     const Vector& rate, double time, const LiftedState& lifted,
                                     const ConsistencyOptions& options = {});

/// @throws InvalidInput in strict mode if something was changed.
void check_strict(const ConsistencyReport& report, double time, const ConsistencyOptions& options);

/// @throws InvalidInput unless both have one finite entry for each local assembled DoF, and the options are
/// in range. Collective.
template <class Engine>
void check_initial_values(const ReducedSystem<Engine>& reduced, const Vector& displacement,
                          const Vector& rate, const ConsistencyOptions& options = {});

}  // namespace halfdof
