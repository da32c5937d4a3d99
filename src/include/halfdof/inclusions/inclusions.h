// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/builders/model_builders.h>
#include <halfdof/inclusions/law.h>
#include <halfdof/reduction/direction.h>
#include <halfdof/reduction/reduced_system.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace halfdof {

/// A law with the directions on which it acts: dry friction between two nodes, a contact with a wall.
struct Inclusion {
  std::string name;  ///< name, unique within a model
  std::shared_ptr<const Law> law;
  std::vector<Direction>
      directions;  ///< columns of H, law->dimension() of them; a contact has its normal first
};

/// Returns an inclusion with a single direction.
inline Inclusion inclusion(std::string name, std::shared_ptr<const Law> law, Direction direction) {
  return {std::move(name), std::move(law), {std::move(direction)}};
}

/**
 * Checks the names, laws and directions of inclusions.
 * @throws InvalidInput unless every inclusion has a unique name, a law, and as many directions as the law has
 * dimensions, all of them on assembled DoFs.
 */
void check_inclusions(const std::vector<Inclusion>& inclusions, GlobalIndex n_dofs);

/// The kinds of DoFs on which a direction acts: the entry of a DoFKind is true if the direction acts on a DoF
/// of this kind.
using ActedKinds = std::array<bool, 4>;

/// The motion of the directions in a given state if all reactions are zero. Reactions r add W_K r to the
/// gaps, W_C r to the rates, W_I r to the accelerations, and B H_f r to y', with the Delassus matrices of
/// DelassusMatrices.
struct FreeMotion {
  Vector y_rate;         ///< y', the rate of the state. Shape: n_local_states()
  Vector gaps;           ///< gaps g. Shape: m
  Vector rates;          ///< rates w, as Inclusions::rates_without_load_rate(). Shape: m
  Vector accelerations;  ///< H_I^T a_I, the contribution of inertial DoFs to the accelerations. Shape: m
};

/**
 * The inclusions (frictions and contacts) of a reduced system. The elimination treats reactions like loads,
 * @f[ \dot y = A y + B (F + H_f r), \qquad
 *     (a_I;\ \dot q_C;\ q_K) = D^{-1}(F + H_f r - C J_I v_I - K J_I q_I - K J_C q_C), \qquad (1) @f]
 * and the gaps and rates that the laws constrain follow from a state and its reactions,
 * @f[ g = H^T q - h(t) = g_\text{free}(y) + W_K r, \qquad
 *     w = H^T \dot q - \dot h(t) = w_\text{free}(y) + W_C r + W_K \dot r, \qquad (2) @f]
 * with h(t) the motion of the supports of the laws. Constrained DoFs move as prescribed and add H_D^T q_D(t)
 * to g. If constraints prescribe displacements o(t), these displacements add H_f^T o(t) to g, and H_f r acts
 * through the equations of the constraints. The rate of a direction that acts on algebraic DoFs depends on
 * F'(t) and, if M or C couples the kinds of DoFs, also on the reactions through a_I and q_C'; rates()
 * includes all of these terms. A state y does not determine r: implicit integrators solve for r, and for
 * plays (rate-independent friction on algebraic DoFs) r is a state itself.
 *
 * Inclusions along one line are merged if merging is exact; m is the number of directions after
 * merging. Shapes: reactions, gaps and rates have n_directions() entries, and every process has all entries;
 * forces are given on the local free DoFs. Units: g has the unit of a displacement, r is work-conjugate to g.
 * An object is immutable and cheap to copy. All functions are collective.
 *
 * @throws InvalidInput as check_inclusions().
 */
template <class Engine>
class Inclusions {
 public:
  using EngineType = Engine;

  /// Constructs the inclusions of a system. @param given The inclusions, the same on every process.
  /// Collective.
  Inclusions(const ReducedSystem<Engine>& reduced, std::vector<Inclusion> given);

  const ReducedSystem<Engine>& reduced() const;
  /// The matrix H of all directions.
  const DirectionMatrix& H() const;

  /// The inclusions before merging, as given by the user.
  const std::vector<Inclusion>& given() const;
  /// The inclusions after merging, in the order of reactions, gaps and rates.
  const std::vector<Inclusion>& acting() const;
  /// For each inclusion of acting(), the positions in given() of the inclusions that were merged into this
  /// inclusion.
  const std::vector<std::vector<std::size_t>>& members() const;

  /// The number m of directions.
  Index n_directions() const { return H().n_directions(); }
  /// Number of the first direction of acting()[i].
  Index first_direction(std::size_t i) const;
  /// Position in acting() of the inclusion to which direction j belongs.
  std::size_t inclusion_of(Index j) const;
  /// Whether the law of direction j constrains the rate or the gap of this direction.
  LawLevel level(Index j) const;
  /// Name for messages, such as "brake" or "wheel, direction 2 of 3".
  std::string direction_name(Index j) const;

  /// Returns the reactions of the given inclusions, from the reactions r of the acting inclusions. The
  /// reaction of a merged inclusion is split so that every law is satisfied.
  std::vector<Vector> split_reactions(double time, const Vector& r) const;
  /// Returns the contact states of the given inclusions, from the contact states of the acting inclusions. A
  /// given inclusion whose direction is opposite to the direction of its acting inclusion slips in the
  /// opposite sense.
  std::vector<ContactState> split_contacts(const std::vector<ContactState>& of_acting) const;

  /// Returns F + H_f r on the local free DoFs.
  Vector load(const State& state, const Vector& r) const;
  /// Returns y' by (1).
  Vector derivative(const State& state, const Vector& r) const;
  /// Returns all displacements, rates and accelerations by (1), in assembled numbering.
  AssembledMotion lift(const State& state, const Vector& r) const;

  /// Returns the gaps g by (2). If the law of a direction constrains the rate, its entry of g is the slip
  /// measured from the displacement q = 0.
  Vector gaps(const State& state, const Vector& r) const;
  /// Returns the rates w by (2). @param r_rate The time derivative of r, used only if a direction acts on
  /// algebraic DoFs.
  /// @throws NotAvailable if a direction acts on algebraic DoFs, but F'(t) is not available.
  Vector rates(const State& state, const Vector& r, const Vector& r_rate) const;
  /// Returns the part of the rates w that y and r determine without F'(t). For directions that act on no
  /// algebraic DoF, the part is the whole rate.
  Vector rates_without_load_rate(const State& state, const Vector& r) const;
  /// Returns the motion without reactions, by one solve with the mixed-column matrix D. @throws as rates()
  FreeMotion free_motion(const State& state) const;
  /// Returns the motion without reactions, except that the nonlinear remainder of a state force is evaluated
  /// with reactions r, because all other terms of the equation of motion are linear in r.
  FreeMotion free_motion(const State& state, const Vector& r) const;
  /// Returns the part of the gaps g that depends only on time, H_D^T q_D(t) + H_f^T o(t) - h(t), with q_D(t)
  /// the prescribed displacements of constrained DoFs and o(t) the displacements that constraints prescribe.
  Vector prescribed(double time) const;
  /// Returns prescribed() without the motions of the supports: H_D^T q_D(t) + H_f^T o(t).
  Vector prescribed_by_dofs(double time) const;
  /// Returns the part of the rates w that depends only on time: H_D^T q_D'(t) + H_f^T o'(t) - h'(t).
  /// @throws NotAvailable if a direction acts on constrained DoFs that move, but q_D'(t) is not available.
  Vector prescribed_rate(double time) const;
  /// Whether prescribed() can change with time.
  bool has_moving_supports() const;
  /// The kinds of DoFs that direction j acts on.
  const ActedKinds& kinds_acted_on(Index j) const;
  /// Whether direction j acts on a DoF of this kind.
  bool acts_on(Index j, DoFKind kind) const { return kinds_acted_on(j)[static_cast<std::size_t>(kind)]; }
  /// Whether any direction acts on a DoF of this kind.
  bool acts_on(DoFKind kind) const;

 private:
  struct Implementation;

  /// Returns the rate y' of a state from its highest derivatives x = (a_I; q_C'; q_K).
  Vector state_derivative(const State& state, const MultiVector& x) const;

  std::shared_ptr<const Implementation> implementation_;
};

/**
 * @name Elements along directions
 * Elements that are attached to a model along directions h, for example directions at a point of a mesh (see
 * DealIIDirections): springs, dampers, point masses on rigid rods, and rigid links. Numbering: assembled.
 * Every process passes the same arguments.
 * @{
 */

/// Adds value h h^T to the entries of a matrix. With s = h^T q, the result is a spring from s to the ground
/// if the matrix is the stiffness, a damper if it is the damping, and a mass that moves by s if it is the
/// mass. Units of value: those of the matrix for s, for example force / length for a stiffness.
/// @throws InvalidInput if the value is not finite
void add_along(std::vector<MatrixEntry>& entries, const Direction& h, double value);

/**
 * Adds a point mass with one new DoF for each name. Springs or rigid links connect the mass to the
 * model. @return the numbers of the new DoFs, which follow the numbers of the assembled DoFs and of the new
 * DoFs that the elements already contain.
 * @param n_assembled number of DoFs of the matrices, of all processes @param mass > 0
 * @throws InvalidInput if the mass is not positive and finite, or there is no name
 */
std::vector<GlobalIndex> point_mass(LumpedElements& elements, GlobalIndex n_assembled, double mass,
                                    const std::vector<std::string>& names);

/**
 * Adds a point mass with n displacements u at the common end of n rigid rods. Rod i lies along the unit
 * vector d_i and transmits the displacement s_i = h_i^T q of its other end,
 * @f[ d_i^T u = s_i, \quad i = 1 \ldots n, \qquad u = R^{-1} H^T q, \qquad
 *     M \leftarrow M + m\, H R^{-T} R^{-1} H^T, \qquad (1) @f]
 * where the rows of R are d_i^T. The mass needs neither new DoFs nor Lagrange multipliers for the rods, and
 * the function works on any number of processes.
 * @param mass m > 0 @param axes R, n x n @param ends h_i, n directions along d_i
 * @return the displacements u as n directions, columns of H R^{-T}
 * @throws InvalidInput if the mass is not positive, shapes differ, an axis is not a unit vector (to 1e-8), or
 * the axes are linearly dependent (condition number of R above 1e8)
 */
std::vector<Direction> mass_on_rods(LumpedElements& elements, double mass, const MultiVector& axes,
                                    const std::vector<Direction>& ends);

/// The linear constraint sum_i b_i q_i' + sum_i a_i q_i = constant.
struct LinearConstraint {
  std::vector<WeightedDoF> displacement;  ///< coefficients a_i of displacements
  std::vector<WeightedDoF> rate = {};     ///< coefficients b_i of rates
  double constant = 0;
  std::string name = "rigid link";  ///< name in messages
};

/// Returns the constraint h_a^T q = h_b^T q, which makes the displacements along two directions equal, as a
/// rigid rod does for small motions.
/// @throws InvalidInput if a and b are the same
LinearConstraint rigid_link(const Direction& a, const Direction& b);
/// Returns the constraint q_a = q_b between two DoFs.
LinearConstraint rigid_link(GlobalIndex a, GlobalIndex b);

/// @}

}  // namespace halfdof
