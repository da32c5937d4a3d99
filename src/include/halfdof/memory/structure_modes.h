// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/inclusions/inclusions.h>
#include <halfdof/memory/contact_modes.h>

#include <optional>

namespace halfdof {

struct ClassicalStructureOptions {
  Index n_modes = 100;  ///< number of lowest modes; all modes if the structure has fewer modes
  /// Damping ratio D of all modes, in place of a damping matrix. If no ratio is given, the damping ratios
  /// follow from C, which must be a combination of M and K.
  std::optional<double> damping_ratio = {};
};

/**
 * The lowest modes of an assembled structure whose damping does not couple the modes, with real frequencies
 * and mode shapes, for models of any size,
 * @f[ K \varphi_k = \omega_k^2 M \varphi_k, \quad \varphi_k^T M \varphi_k = 1, \quad
 *     n_k = H^T \varphi_k, \quad
 *     2 D_k \omega_k = a + b\,\omega_k^2 \ \text{ of } C = a M + b K. @f]
 * The modes are computed by Krylov-Schur iteration with one factorization of K (of K plus a small multiple of
 * M if there are rigid-body modes); algebraic DoFs follow the other DoFs statically. The eigenvalue problem
 * has half as many unknowns as the problem of structure_modes(), and no left eigenvectors.
 *
 * The modes are followed by residual attachment modes (Craig 2000), at most one for each reaction and each
 * load, which represent the static response of the omitted modes. With the attachment modes the static
 * displacements of the contacts are exact, and all motion of the contacts has inertia, so that friction that
 * weakens with the rate is admitted.
 */
struct ClassicalStructure {
  /// Frequencies, damping ratios and mode values. If reactions move DoFs without mass, the static compliance
  /// of the contacts is included, from which contact_modes() computes W_K.
  ClassicalModes modes;
  MultiVector shapes;   ///< mode shapes on all local free DoFs. Shape: n_free x n_modes
  MultiVector weights;  ///< M shapes; the modal coordinates are weights^T q
  /// Largest residual |K phi_k - omega_k^2 M phi_k|/|K phi_k| of the elastic modes up to
  /// highest_frequency_kept.
  double residual = 0;
  /// Highest natural frequency of the computed modes of the structure; modes with higher frequencies are
  /// attachment modes. The value is infinite if no mode of the structure is omitted [rad/s].
  double highest_frequency_kept = 0;

  /// Returns the modal coordinates (x_1, x_1', x_2, ...) of ContactModes for displacements q and rates v of
  /// the free DoFs. The result is valid only if contact_modes() has dropped no mode.
  Vector modal_state(const Vector& q, const Vector& v) const;
  /// Returns the displacements of the free DoFs for modal coordinates x, without the response of omitted
  /// modes.
  Vector displacements(const Vector& x) const;
};

/**
 * Computes the lowest modes and the attachment modes of a structure, see ClassicalStructure.
 * @param loads,observed as for structure_modes()
 * @throws NotAvailable on several processes, for systems with a StateForce, prescribed motions, unsymmetric
 *     matrices, viscous DoFs or damping that couples the modes
 * @throws InvalidInput as structure_modes(), or if a damping ratio is given in addition to a damping matrix
 * @throws NoConvergence if the eigenvalue iteration fails
 */
template <class Engine>
ClassicalStructure classical_structure(const Inclusions<Engine>& inclusions,
                                       const ClassicalStructureOptions& options = {},
                                       const MultiVector& loads = {},
                                       const std::vector<Direction>& observed = {});

struct StructureModesOptions {
  /// Number of eigenvalues nearest the origin that are kept, together with further eigenvalues at the same
  /// distance. The value 0 means all eigenvalues, which are computed with dense matrices.
  Index n_eigenvalues = 0;
  /// Largest number of states for which all eigenvalues may be computed.
  Index max_dense = 4000;
  /// Whether the static compliance of the omitted modes is kept, as a part of W_K. This compliance acts like
  /// massless springs at the contacts, so that neither friction that weakens nor a coefficient of restitution
  /// is admitted.
  bool keeps_static_compliance = true;
};

/**
 * The modes of an assembled structure at its contacts, from the eigenvalues of its reduced system y' = A y +
 * B_H r that are nearest the origin. The structure may have half degrees of freedom of any kind. With real
 * bases Q and P of the right and left invariant subspaces of these eigenvalues, P^T Q = I,
 * @f[ J = P^T A Q, \qquad B = P^T B_H, \qquad C = H^T S Q, \qquad y \approx Q x + R\,r, \qquad x = P^T y,
 * \qquad (1) @f]
 * J is split into diagonal blocks (block_diagonal_form()), S maps a state to displacements, and R r is the
 * response of the omitted modes. Eigenvalues that are zero up to rounding (rigid bodies, creep) are set to
 * zero. The omitted modes are assumed to respond without delay, with their compliance at the shift of the
 * eigenvalue iteration.
 */
struct StructureModes {
  ContactModes modes;
  MultiVector Q, P, R;  ///< bases and response matrix of (1). Shapes: N_s x n, N_s x n, N_s x (m + n_loads)
  /// Number of coordinates that are appended to the modes, with zeros in Q and P and the eigenvalue -2
  /// slowest_omitted. The appended coordinates correct C B, which would otherwise differ from the immediate
  /// rate response of the whole structure.
  Index n_fast = 0;
  /// Relative residual of the invariant subspace, max |A Q - Q J|/|J|, with columns of Q of length one.
  double residual = 0;
  /// Largest modulus of the kept eigenvalues, and a lower bound of the moduli of the omitted eigenvalues; the
  /// bound is infinite if no eigenvalue is omitted [1/s].
  double fastest_kept = 0, slowest_omitted = 0;
  /// The largest entry of the compliance of the omitted modes, and whether this compliance is kept.
  double omitted_compliance = 0;
  bool keeps_compliance = true;
  /// Immediate responses of the whole structure, an argument of contact_regularity().
  ImmediateResponse instantaneous_responses;

  /**
   * Returns a bound of the error that the omitted modes cause in the displacement under a harmonic force of
   * unit amplitude with the frequency omega. The omitted eigenvalues have moduli above rho = slowest_omitted,
   * and the static compliance of the omitted modes is W. For undamped symmetric structures the error is less
   * than @f$ W\,q^2/(1 - q^2), q = \omega/\rho @f$. For other structures the error is less than @f$ W\,q/(1 -
   * q) @f$, provided that the sum of the moduli of their residues is not larger than for symmetric
   * structures. For omega >= rho the bound is infinite.
   * @param omega [rad/s]
   */
  double omitted_response(double omega, bool is_undamped = false) const;

  /// Square roots of the static compliances of the omitted modes at the reactions, followed by those at the
  /// loads; the vector is empty if no mode is omitted.
  Vector omitted_sizes;
  /**
   * Returns a bound of the error that the omitted modes cause in the displacement of a contact during a run,
   * for loads with any frequencies. The dynamic response of modes that the damping does not couple to a step
   * of a force differs from their static response by no more than the static response,
   * @f[ |s_i - \tilde s_i| \le \sqrt{W_{ii}} \sum_j \sqrt{W_{jj}}\,V_j, @f]
   * where V_j is the total variation of the reaction or load j, plus its largest modulus if the compliance is
   * not kept. The resulting changes of reactions are not included.
   * @param variations,largest total variations and largest moduli of reactions, followed by those of loads.
   * Shapes: m + n_loads
   */
  double omitted_motion(Index contact, const Vector& variations, const Vector& largest) const;

  /// Returns the modal coordinates x = P^T y of a state of the reduced system without reactions and loads.
  /// The part of y outside of the span of the modes is lost, see omitted_part().
  Vector restrict(const Vector& y) const { return P.transpose() * y; }
  /// Returns the modal coordinates x of a state under reactions and loads that have acted for a long time, so
  /// that the omitted modes are at rest.
  Vector restrict(const Vector& y, const Vector& r, const Vector& f) const;
  /// Returns the state y = Q x + R (r; f) for modal coordinates, reactions and loads.
  Vector lift(const Vector& x, const Vector& r, const Vector& f = {}) const {
    return Q * x + R.leftCols(r.size()) * r + R.rightCols(f.size()) * f;
  }
  /// Returns the relative size of the part of a state outside of the span of the modes, |y - Q P^T y|/|y|.
  double omitted_part(const Vector& y) const;
};

/**
 * Computes the modes of a structure at its contacts, see StructureModes. The function of time of the load of
 * the system is ignored; the columns of `loads` are used instead. The contacts are the directions of the
 * inclusions after merging.
 * @param loads forces on all assembled DoFs for a unit of each scalar load. Shape: n_dofs x n_loads; may be
 *     empty
 * @param observed further directions whose displacements are needed
 * @throws NotAvailable on several processes, for systems with a StateForce, with prescribed motions or
 *     constraints with right sides that are not zero, and if all eigenvalues of more than max_dense states
 *     are requested
 * @throws InvalidInput if an eigenvalue has a positive real part, or the system has a load, but no columns of
 *     loads were given
 * @throws NoConvergence if the eigenvalue iteration fails
 */
template <class Engine>
StructureModes structure_modes(const Inclusions<Engine>& inclusions, const MultiVector& loads = {},
                               const std::vector<Direction>& observed = {},
                               const StructureModesOptions& options = {});

}  // namespace halfdof
