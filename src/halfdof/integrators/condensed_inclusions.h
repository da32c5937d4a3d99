// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/inclusions/outcome.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace halfdof::internal {

/**
 * The dense matrices of a model with scalar inclusions, and with Coulomb friction on masses. The motion as a
 * function of the state y, the load and the reactions r is
 * @f[ \dot y = A y + \dot y_F(t) + B_H r, \qquad
 *     s = S_K y + s_F(t) + W_K r, \quad w = S_C y + w_F(t) + W_C r, \quad
 *     a = S_I y + a_F(t) + W_I r, \qquad (1) @f]
 * with displacements s of all directions, rates w of directions that act on no algebraic DoF, and
 * accelerations a of directions that act on inertial DoFs only. The lightest kind that decides a direction
 * determines to which of these quantities its law applies. For a system with a StateForce the matrices
 * contain its tangents, and the remainder of the state force is part of the load: (1) then holds with
 * y_F(t, y, r), s_F(t, y, r) and so on.
 *
 * Shapes: A n x n, B_H n x m, S m x n.
 */
struct CondensedInclusions {
  /// The terms of (1) by the load (index F), which includes the remainder of a state force.
  struct Forced {
    Vector y_rate, s, w, a;
  };

  /// One direction: a scalar inclusion, or the normal or a tangent of Coulomb friction. The normal of a
  /// tangent is the direction `component` places before it.
  struct Place {
    std::string name;  ///< Name of the inclusion.
    std::size_t inclusion;
    Index component;
    std::shared_ptr<const Law> law;
    /// The law for the quantity that `kind` decides: for accelerations at rest a LawAtRest, if the law is not
    /// positively homogeneous.
    std::shared_ptr<const Law> at_instant;
    DoFKind kind;  ///< The kind that decides the direction; constrained: nothing moves it.
    bool is_contact;
    double restitution;
    bool is_driven;  ///< Whether DoFs that the direction acts on may have a prescribed motion.

    bool is_tangent() const { return component > 0; }
    /// Whether the direction is the normal of Coulomb friction.
    bool is_normal() const { return component == 0 && law->dimension() > 1; }
  };

  MultiVector A, B_H;
  MultiVector S_K, S_C, S_I;
  DelassusMatrices W;
  std::vector<Place> places;
  std::function<Forced(double time, const Vector& y, const Vector& r)> forced;
  std::optional<NewtonOptions> newton;  ///< Only with a StateForce; without, `forced` depends only on time.
  std::function<Vector(double)> prescribed;          ///< p = H_D^T q_D - h(t), with which g = s + p.
  std::function<Vector(double)> prescribed_by_dofs;  ///< H_D^T q_D
  std::function<Vector(double)> prescribed_size;     ///< The size that rounding errors of p are relative to.
  Index n_velocities = 0;                            ///< Number of velocities, the last entries of a state.

  Index n_states() const { return static_cast<Index>(A.rows()); }
  Index n_directions() const { return static_cast<Index>(places.size()); }
  const MultiVector& S(DoFKind kind) const;
  const MultiVector& W_of(DoFKind kind) const;
  /// Returns the term of the load in the quantity that a kind decides: s, w or a.
  static const Vector& part(const Forced& forced, DoFKind kind);
  const Place& place(Index j) const { return places[static_cast<std::size_t>(j)]; }
  /// Returns the bounds of the reaction at rest of an inclusion whose state is given.
  Interval reaction_interval(Index j, double time, ContactState state) const;
  Index normal_of(Index tangent) const { return tangent - place(tangent).component; }
  /// Returns mu of the Coulomb friction to which this normal belongs.
  double friction(Index normal, double time) const;
  /// Returns the states of all directions from those of the inclusions. If a contact with Coulomb friction
  /// sticks or slips, its normal is closed and its tangents stick or slip.
  std::vector<ContactState> states_of_directions(const std::vector<ContactState>& states_of_inclusions) const;
  /// Returns the states of the inclusions from those of all directions.
  /// @param r reactions: where there is one tangent, the sign of its reaction gives the direction of slip
  std::vector<ContactState> states_of_inclusions(const std::vector<ContactState>& states_of_directions,
                                                 const Vector& r) const;
  /// Returns the reaction of friction that slides.
  SlidingReaction sliding(Index j, double time, ContactState state, double w) const;
};

/**
 * Forms the dense matrices of a model.
 * @param integrator Name of the integrator in messages.
 * @throws NotAvailable if the model runs on several processes, has more than max_states states, a law with
 *     neither Law::rest_interval() nor Law::cone_slope(), Coulomb friction on DoFs without mass, or a
 *     direction whose reaction moves DoFs of different kinds depending on the other reactions.
 */
template <class Engine>
CondensedInclusions condense(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome,
                             Index max_states, const std::string& integrator);

}  // namespace halfdof::internal
