#pragma once

#include <halfdof/inclusions/inclusions.h>
#include <halfdof/memory/contact_regularity.h>

namespace halfdof {

struct StructureModesOptions {
  /// Eigenvalues nearest the origin that are kept, with those equally near; 0: all. All are found by dense
  /// matrices.
  Index n_eigenvalues = 0;
  /// States up to which all eigenvalues may be asked for.
  Index max_dense = 4000;
  /// Whether the compliance of what is left out is kept, as W_K: contacts then stand on massless springs,
  /// which neither friction that weakens nor a coefficient of restitution admits.
  bool keeps_static_compliance = true;
};

/**
 * The contacts of an assembled structure with whatever half degrees of freedom, by the eigenpairs of its
 * reduced system nearest the origin. With real bases Q and P of their right and left invariant subspaces, P^T
 * Q = I,
 * @f[ J = P^T A Q, \qquad B = P^T B_H, \qquad C = H^T S Q, \qquad y \approx Q x + R\,r, \qquad x = P^T y,
 * \qquad (1) @f]
 * taken apart into blocks (block_diagonal_form()), S being the displacements that a state lifts to. Zero
 * eigenvalues (rigid bodies, creep) stay exactly zero. What is left out answers at once, with the compliance
 * that it has at the shift.
 */
struct StructureModes {
  ContactModes modes;
  MultiVector Q, P, R;  ///< N_s x n, N_s x n, N_s x (m + n_loads)
  Index n_fast = 0;  ///< coordinates at the end, zero in Q and P, that make C B that of the whole structure
  /// max |A Q - Q J|/|J|, columns of Q being of length one: range Q moves within itself [1].
  double residual = 0;
  /// Moduli of the fastest eigenvalue kept and the slowest left out; infinite where none is [1/s].
  double fastest_kept = 0, slowest_left_out = 0;
  /// The largest entry of the compliance of what is left out, and whether that is kept.
  double left_out_compliance = 0;
  bool keeps_compliance = true;
  ImmediateResponse at_once;  ///< of the whole structure: for contact_regularity()

  /**
   * What is left out of the displacement under a force of unit amplitude at a frequency omega, at most:
   * poles beyond rho that add up to a compliance W differ from it by less than @f$ W\,q^2/(1 - q^2), q =
   * \omega/\rho @f$ where they are those of an undamped symmetric structure, and by @f$ W\,q/(1 - q) @f$
   * where the residues of others have no more weight.
   * Infinite from rho on. @param omega [rad/s]
   */
  double left_out(double omega, bool is_undamped = false) const;

  /// Square roots of the compliances of what is left out, where reactions and behind these loads act; empty
  /// where nothing is.
  Vector left_out_sizes;
  /**
   * Bound of what a run leaves out of the displacement of a contact, whatever the frequencies: modes that
   * damping does not couple answer to a step of a force by no more than their compliance each way,
   * @f[ |s_i - \tilde s_i| \le \sqrt{W_{ii}} \sum_j \sqrt{W_{jj}}\,V_j, @f]
   * V_j being the total variation of the reaction or load j, and where the compliance is lost its largest
   * modulus besides. What it does to reactions in return is not counted.
   * @param variations,largest of reactions, and behind these of loads. Shapes: m + n_loads
   */
  double left_out_motion(Index contact, const Vector& variations, const Vector& largest) const;

  /// x of a state of the reduced system without reactions and loads. What it has beyond the modes is lost:
  /// see beyond().
  Vector restrict(const Vector& y) const { return P.transpose() * y; }
  /// The same under reactions and loads that have acted long enough for what is left out to follow.
  Vector restrict(const Vector& y, const Vector& r, const Vector& f) const;
  /// y of coordinates, reactions and loads.
  Vector lift(const Vector& x, const Vector& r, const Vector& f = {}) const {
    return Q * x + R.leftCols(r.size()) * r + R.rightCols(f.size()) * f;
  }
  /// |y - Q P^T y|/|y|: the part of a state that is lost.
  double beyond(const Vector& y) const;
};

/**
 * The function of time that is the load of the system is not looked at: its places take its place. Contacts
 * are those that act, after merging.
 * @param loads Forces on all assembled DoFs for a unit of each scalar load. Shape: n_dofs x n_loads; may be
 * empty
 * @param observed Directions whose displacements are wanted besides
 * @throws NotAvailable on several processes, for systems with a StateForce, with prescribed motions or
 * constraints that
 *     are not at rest, and if all eigenvalues of more than max_dense states are asked for; InvalidInput if an
 *     eigenvalue grows, or the system has a load, but no places of loads were given; NoConvergence
 */
template <class Engine>
StructureModes structure_modes(const Inclusions<Engine>& inclusions, const MultiVector& loads = {},
                               const std::vector<Direction>& observed = {},
                               const StructureModesOptions& options = {});

}  // namespace halfdof
