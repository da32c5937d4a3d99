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
 * The dense matrices of the reduced system, for models with scalar inclusions and Coulomb friction on masses.
 * The motion as a function of the state y, the load and the reactions r is
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
  /// The terms of (1) with the index F, which the load causes. The load includes the remainder of a state
  /// force.
  struct LoadTerms {
    Vector y_rate, s, w, a;
  };

  /// The data of one direction, which is that of a scalar inclusion, or the normal or a tangent of Coulomb
  /// friction. The number of the normal is that of the tangent minus `component`.
  struct DirectionData {
    std::string name;       ///< Name of the inclusion.
    std::size_t inclusion;  ///< Number of the acting inclusion.
    Index component;        ///< Number of the direction within its inclusion; 0 for a normal.
    std::shared_ptr<const Law> law;
    /// The law for the quantity of `kind` at one instant. This law is a LawAtRest if the direction is on
    /// inertial DoFs and `law` is not positively homogeneous, and otherwise the same as `law`.
    std::shared_ptr<const Law> law_at_instant;
    DoFKind kind;  ///< The kind of DoFs that decides the direction; constrained if no reaction moves it.
    bool is_contact;
    double restitution;  ///< Coefficient of restitution e.
    bool is_driven;      ///< Whether DoFs that the direction acts on may have a prescribed motion.

    bool is_tangent() const { return component > 0; }
    /// Whether the direction is the normal of Coulomb friction.
    bool is_normal() const { return component == 0 && law->dimension() > 1; }
  };

  MultiVector A, B_H;
  MultiVector S_K, S_C, S_I;
  DelassusMatrices W;
  std::vector<DirectionData> directions;
  std::function<LoadTerms(double time, const Vector& y, const Vector& r)> load_terms;
  /// Options of Newton's method for systems with a StateForce. Without a StateForce there is no value, and
  /// load_terms() depends only on the time.
  std::optional<NewtonOptions> newton;
  std::function<Vector(double)> prescribed;          ///< Prescribed motion p = H_D^T q_D - h(t) in g = s + p.
  std::function<Vector(double)> prescribed_by_dofs;  ///< The term H_D^T q_D of p.
  std::function<Vector(double)> prescribed_size;     ///< The size to which rounding errors of p are relative.
  Index n_velocities = 0;                            ///< Number of velocities, the last entries of a state.

  Index n_states() const { return static_cast<Index>(A.rows()); }
  Index n_directions() const { return static_cast<Index>(directions.size()); }
  const MultiVector& S(DoFKind kind) const;
  const MultiVector& W_of(DoFKind kind) const;
  /// Returns the term of the load in the quantity of a kind of DoFs: the displacements s of algebraic DoFs,
  /// the rates w of viscous DoFs, or the accelerations a of inertial DoFs.
  static const Vector& load_terms_of(const LoadTerms& load_terms, DoFKind kind);
  const DirectionData& direction(Index j) const { return directions[static_cast<std::size_t>(j)]; }
  /// Returns the bounds of the reaction at rest of a direction whose contact state is given.
  Interval reaction_interval(Index j, double time, ContactState state) const;
  Index normal_of(Index tangent) const { return tangent - direction(tangent).component; }
  /// Returns the coefficient mu of the Coulomb friction to which this normal belongs.
  double friction_coefficient(Index normal, double time) const;
  /// Returns the contact states of all directions from the contact states of the inclusions. If a contact
  /// with Coulomb friction sticks or slips, its normal is closed and its tangents stick or slip.
  std::vector<ContactState> states_of_directions(const std::vector<ContactState>& states_of_inclusions) const;
  /// Returns the contact states of the inclusions from the contact states of all directions.
  /// @param r reactions; if a contact has one tangent, the sign of its reaction gives the direction of slip
  std::vector<ContactState> states_of_inclusions(const std::vector<ContactState>& states_of_directions,
                                                 const Vector& r) const;
  /// Returns the reaction of friction that slips with the rate w.
  SlidingReaction sliding_reaction(Index j, double time, ContactState state, double w) const;
};

/**
 * Forms the dense matrices of the reduced system.
 * @param integrator Name of the integrator in messages.
 * @throws NotAvailable if the model runs on several processes, has more than max_states states, a law with
 *     neither Law::rest_interval() nor Law::cone_slope(), Coulomb friction on DoFs without mass, or a
 *     direction whose reaction moves DoFs of different kinds depending on the other reactions.
 */
template <class Engine>
CondensedInclusions condense(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome,
                             Index max_states, const std::string& integrator);

}  // namespace halfdof::internal
