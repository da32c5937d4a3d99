#pragma once

#include <halfdof/inclusions/outcome.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace halfdof {

/**
 * A model with scalar inclusions, and Coulomb friction on masses, written out densely: what the state, the
 * load and the reactions make of the motion,
 * @f[ \dot y = A y + \dot y_F(t) + B_H r, \qquad
 *     s = S_K y + s_F(t) + W_K r, \quad w = S_C y + w_F(t) + W_C r, \quad
 *     a = S_I y + a_F(t) + W_I r, \qquad (1) @f]
 * with displacements s of all directions, rates w of directions that meet no algebraic DoF, and accelerations
 * a of those that meet inertial ones alone. The lightest kind that decides a direction tells which of these
 * its law looks at. Of a system with a StateForce the matrices are those of its tangents, and what these lack
 * at a state, where reactions act, is part of the load: (1) then holds with y_F(t, y, r) and so on.
 *
 * Shapes: A n x n, B_H n x m, S m x n.
 */
struct CondensedInclusions {
  /// What a load does by itself, remainders of a state force among it.
  struct Forced {
    Vector y_rate, s, w, a;
  };

  /// One direction: a scalar inclusion, or the normal or a tangent of Coulomb friction, whose normal is the
  /// direction `component` places before.
  struct Place {
    std::string name;  ///< of the inclusion
    std::size_t inclusion;
    Index component;
    std::shared_ptr<const Law> law;
    std::shared_ptr<const Law> at_instant;  ///< as what the kind tells is met by: accelerations at rest
    DoFKind kind;                           ///< that decides; constrained: nothing moves
    bool is_contact;
    double restitution;
    bool is_driven;  ///< whether DoFs that it acts on may move as prescribed

    bool is_tangent() const { return component > 0; }
    /// Of Coulomb friction.
    bool is_normal() const { return component == 0 && law->dimension() > 1; }
  };

  MultiVector A, B_H;
  MultiVector S_K, S_C, S_I;
  DelassusMatrices W;
  std::vector<Place> places;
  std::function<Forced(double time, const Vector& y, const Vector& r)> forced;
  std::optional<NewtonOptions> newton;       ///< of a system with a StateForce; others look at the time alone
  std::function<Vector(double)> prescribed;  ///< p = H_D^T q_D - h(t): g = s + p
  std::function<Vector(double)> prescribed_by_dofs;  ///< H_D^T q_D
  std::function<Vector(double)> prescribed_size;     ///< what rounding of p is relative to
  Index n_velocities = 0;                            ///< the last entries of a state

  Index n_states() const { return static_cast<Index>(A.rows()); }
  Index n_directions() const { return static_cast<Index>(places.size()); }
  const MultiVector& S(DoFKind kind) const;
  const MultiVector& W_of(DoFKind kind) const;
  /// What a load does to the quantity that a kind decides.
  static const Vector& part(const Forced& forced, DoFKind kind);
  const Place& place(Index j) const { return places[static_cast<std::size_t>(j)]; }
  /// The bounds of a reaction at rest, for an inclusion that is in a state.
  Interval interval(Index j, double time, ContactState state) const;
  Index normal_of(Index tangent) const { return tangent - place(tangent).component; }
  /// mu of the Coulomb friction whose normal this is.
  double friction(Index normal, double time) const;
  /// What every direction does while its inclusion does that. A contact with Coulomb friction that sticks or
  /// slips is closed, and its tangents stick or slip.
  std::vector<ContactState> of_directions(const std::vector<ContactState>& inclusions) const;
  /// The other way round. @param r Reactions, which tell forward from back where there is one tangent
  std::vector<ContactState> of_inclusions(const std::vector<ContactState>& directions, const Vector& r) const;
  /// The reaction of friction that slides.
  SlidingReaction sliding(Index j, double time, ContactState state, double w) const;
};

/**
 * @param integrator As messages call it.
 * @throws NotAvailable if the model runs on several processes, has more than max_states states, a law with
 *     neither Law::rest_interval() nor Law::cone_slope(), Coulomb friction on DoFs without mass, or a
 *     direction whose law is decided by several kinds of DoFs.
 */
template <class Engine>
CondensedInclusions condense(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome,
                             Index max_states, const std::string& integrator);

}  // namespace halfdof
