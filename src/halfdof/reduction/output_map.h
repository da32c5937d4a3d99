#pragma once

#include <halfdof/reduction/dense_form.h>
#include <halfdof/reduction/reduced_system.h>

#include <array>
#include <vector>

namespace halfdof {

/// What may be asked of one assembled DoF. A reaction exists at constrained DoFs only.
enum class OutputQuantity : unsigned char { displacement, rate, acceleration, reaction };

/// Lower-case name as the program prints and reads it.
const char* name_of(OutputQuantity quantity);

struct Output {
  OutputQuantity quantity = OutputQuantity::displacement;
  GlobalIndex dof = 0;  ///< assembled index
};

/// "displacement of DoF 3"
std::string describe(const Output& output);

/// Weights with which an output adds up this process's share of states, loads and prescribed motion: one
/// column for each output.
struct OutputWeights {
  MultiVector states;                     ///< C_o^T, local states
  MultiVector loads;                      ///< D_o^T, local assembled DoFs
  MultiVector load_rates;                 ///< D_o'^T; empty where no output needs f'
  std::array<MultiVector, 3> prescribed;  ///< of q_D, q_D' and q_D'', local constrained DoFs
  MultiVector free_loads;                 ///< of F, its local entries
  MultiVector direct_loads;           ///< of loads that enter reactions and multipliers directly, not by F
  MultiVector free_load_rates;        ///< of F'; empty where no output needs it
  std::array<MultiVector, 3> offset;  ///< of o, o' and o'' of constraints, local free DoFs
};

/**
 * The output equation of the state-space form (Simionatto et al., Eq. (2)) for chosen outputs,
 * @f[ z = C_o y + D_o f + D_o' f' + z_D(t), @f]
 * where f is the load on all assembled DoFs and z_D what prescribed motion and constraints that depend on
 * time add. States are read off (zero feed-through); algebraic displacements, viscous rates and inertial
 * accelerations are rows of
 * @f[ x = (a_I;\ \dot q_C;\ q_K) = D^{-1}(F - C J_I v_I - K J_I q_I - K J_C q_C) @f]
 * and have feed-through; algebraic rates and viscous accelerations are rows of
 * @f[ \dot x = D^{-1}(\dot F - C J_I a_I - K J_I v_I - K J_C \dot q_C) @f]
 * and need the rate of the load too. Algebraic accelerations would need its second derivative and are
 * refused. The reaction of a constrained DoF is what holds it,
 * @f[ r_D = M_{Df} \ddot q_f + C_{Df} \dot q_f + K_{Df} q_f + M_{DD} \ddot q_D + C_{DD} \dot q_D + K_{DD} q_D
 * - f_D,
 * @f]
 * read from the assembled rows of constrained DoFs: they must be the raw ones, not those that a
 * finite-element library has cleared to impose the constraint. On a cleared row the result is the invented
 * diagonal times the prescribed motion, which is no reaction. The displacement of a DoF that multiplies
 * constraints is the multiplier, @f$ N \mu @f$ with
 * @f[ K_{ff} N \mu = f_f - M_{ff} \ddot q_f - C_{ff} \dot q_f - K_{ff} q_f @f]
 * (and the terms of q_D), where q_f is the motion without multipliers. Where several do, they are those of
 * least norm, each of which counts by the norm of its force in units of unit_factors(), as in
 * ReducedSystem::lift().
 *
 * No A is formed: each output that is not a state costs one solve with D^T, in batches. Loads F on the free
 * DoFs hold what prescribed motion adds to them. Shapes: C_o is n_outputs() x n_states(), D_o and D_o'
 * n_outputs() x n_dofs; results are whole on every process. Collective.
 *
 * @throws InvalidInput if an index is out of range, a reaction is asked of a free DoF, or a prescribed motion
 * that the outputs need was not given. NotAvailable if an output needs more than f', or is the rate or
 * acceleration of a multiplier. Weights stay distributed; only the matrices, whole on every
 * process, are refused (NotAvailable) above the dense limit.
 */
template <class Engine>
class OutputMap {
 public:
  OutputMap(const ReducedSystem<Engine>& reduced, std::vector<Output> outputs,
            const DenseFormOptions& options = {});

  Index n_outputs() const { return static_cast<Index>(outputs_.size()); }
  const std::vector<Output>& outputs() const { return outputs_; }
  /// This process's share of C_o, D_o and D_o', transposed.
  const OutputWeights& weights() const { return weights_; }
  /// Whether some output needs f'(t).
  bool needs_load_rate() const { return weights_.load_rates.cols() > 0; }

  /// z at a state, which with a StateForce is of the equations, not of the tangents that the matrices are;
  /// where f' is needed, that costs a factorization. @throws NotAvailable if f' is needed, but the system has
  /// no rate of its load.
  Vector evaluate(const State& state) const;

  /// C_o, the output matrix.
  MultiVector state_matrix() const;
  /// D_o, the feed-through; -1 where a constrained DoF's own load enters its reaction.
  MultiVector feed_through() const;
  /// D_o', the feed-through of f'; zero unless needs_load_rate().
  MultiVector rate_feed_through() const;

 private:
  ReducedSystem<Engine> reduced_;
  std::vector<Output> outputs_;
  DenseFormOptions options_;
  OutputWeights weights_;
};

}  // namespace halfdof
