#pragma once

#include <halfdof/inclusions/merging.h>
#include <halfdof/reduction/reduced_system.h>

#include <array>
#include <string>
#include <vector>

namespace halfdof {

/// Whether a direction acts on DoFs of each kind, by DoFKind.
using MetKinds = std::array<bool, 4>;

/// What a state shows while no reaction acts. With the Delassus matrices of DelassusMatrices, reactions r add
/// W_K r to the gaps, W_C r to the rates, W_I r to the accelerations, and B H_f r to y'.
struct FreeMotion {
  Vector y_rate;         ///< y'. Shape: n_local_states()
  Vector gaps;           ///< g. Shape: m
  Vector rates;          ///< w, as Inclusions::state_rates(). Shape: m
  Vector accelerations;  ///< H_I^T a_I, the part of inertial DoFs alone. Shape: m
};

/**
 * The inclusions of a reduced system. Reactions pass through the elimination as loads do,
 * @f[ \dot y = A y + B (F + H_f r), \qquad
 *     (a_I;\ \dot q_C;\ q_K) = D^{-1}(F + H_f r - C J_I v_I - K J_I q_I - K J_C q_C), \qquad (1) @f]
 * and what the laws look at follows from a state and its reactions: gaps and rates,
 * @f[ g = H^T q - h(t) = g_\text{free}(y) + W_K r, \qquad
 *     w = H^T \dot q - \dot h(t) = w_\text{free}(y) + W_C r + W_K \dot r, \qquad (2) @f]
 * with h(t) the motion of the laws' supports. Constrained DoFs move as prescribed and add H_D^T q_D(t); where
 * constraints prescribe displacements o(t), these add H_f^T o(t), and H_f r acts through their equations. The
 * rate of a direction that meets algebraic DoFs needs F'(t) and, if M and C do not leave the kinds uncoupled,
 * the reactions through a_I and q_C' as well; rates() takes everything along. A state y does not tell r:
 * implicit integrators find it, plays (rate-independent friction on algebraic DoFs) carry it.
 *
 * Directions that can be merged exactly are merged (see merging.h); m counts what is left. Shapes: reactions,
 * gaps and rates have n_directions() entries, whole on every process; forces live on the local free DoFs.
 * Units: g as displacements, r work-conjugate. Constant; cheap to copy. Functions are collective.
 *
 * @throws InvalidInput as check_inclusions does.
 */
template <class Engine>
class Inclusions {
 public:
  using EngineType = Engine;

  /// Every process gives the same inclusions. Collective.
  Inclusions(const ReducedSystem<Engine>& reduced, std::vector<Inclusion> given);

  const ReducedSystem<Engine>& reduced() const;
  /// H.
  const DirectionMatrix& H() const;

  /// As the user gave them.
  const std::vector<Inclusion>& given() const;
  /// After merging; the order of reactions, gaps and rates.
  const std::vector<Inclusion>& acting() const;
  /// Which of the given ones each of the acting ones holds.
  const std::vector<std::vector<std::size_t>>& members() const;

  /// m
  Index n_directions() const { return H().size(); }
  /// Where the reactions of acting()[i] begin.
  Index first_direction(std::size_t i) const;
  /// The acting inclusion that direction j belongs to.
  std::size_t inclusion_of(Index j) const;
  LawLevel level(Index j) const;
  /// "brake"; "wheel, direction 2 of 3"
  std::string direction_name(Index j) const;

  /// The reactions of the given inclusions from those of the acting ones: what merging summed is split so
  /// that every law is obeyed.
  std::vector<Vector> split_reactions(double time, const Vector& r) const;
  /// What the given inclusions do, from what the acting ones do: merged along an opposite direction, they
  /// slip the other way.
  std::vector<ContactState> split_contacts(const std::vector<ContactState>& of_acting) const;

  /// F + H_f r on the local free DoFs.
  Vector load(const State& state, const Vector& r) const;
  /// y' by (1).
  Vector derivative(const State& state, const Vector& r) const;
  /// All displacements, rates and accelerations by (1), in assembled numbering.
  LiftedState lift(const State& state, const Vector& r) const;

  /// g by (2), also for directions on the rate (there it is the slip since q = 0).
  Vector gaps(const State& state, const Vector& r) const;
  /// w by (2). @param r_rate Looked at only where a direction meets algebraic DoFs.
  /// @throws NotAvailable if a direction meets algebraic DoFs, but F'(t) is not known.
  Vector rates(const State& state, const Vector& r, const Vector& r_rate) const;
  /// The part of w that y and r tell without F'(t): all of it for directions that meet no algebraic DoF.
  Vector state_rates(const State& state, const Vector& r) const;
  /// All of these without reactions, by one solve with D. @throws as rates()
  FreeMotion free_motion(const State& state) const;
  /// The same with the remainder of a state force where reactions r act: what they do besides is linear.
  FreeMotion free_motion(const State& state, const Vector& r) const;
  /// The part of g that time alone tells: H_D^T q_D(t) + H_f^T o(t) - h(t), with what constraints prescribe.
  Vector prescribed(double time) const;
  /// The part of prescribed() that DoFs make: H_D^T q_D(t) + H_f^T o(t).
  Vector prescribed_by_dofs(double time) const;
  /// The part of w that time alone tells: H_D^T q_D'(t) + H_f^T o'(t) - h'(t).
  /// @throws NotAvailable if a direction meets constrained DoFs that move, but q_D'(t) is not known.
  Vector prescribed_rate(double time) const;
  /// Whether that can change.
  bool has_moving_supports() const;
  /// The kinds of DoFs that direction j acts on.
  const MetKinds& kinds_met(Index j) const;
  bool meets(Index j, DoFKind kind) const { return kinds_met(j)[static_cast<std::size_t>(kind)]; }
  /// Whether some direction meets a DoF of this kind.
  bool meets(DoFKind kind) const;

 private:
  struct Implementation;

  /// y' of a state and its highest derivatives x.
  Vector state_derivative(const State& state, const MultiVector& x) const;

  std::shared_ptr<const Implementation> implementation_;
};

}  // namespace halfdof
