// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/inclusions/inclusions.h>
#include <halfdof/memory/contact_modes.h>

#include <optional>

namespace halfdof {

struct ClassicalStructureOptions {
  Index n_modes = 100;  ///< number of lowest modes; fewer if the structure has fewer
  /// Damping ratio D of all modes, in place of a damping matrix. If it is absent, the damping ratios follow
  /// from C, which has to be a combination of M and K.
  std::optional<double> damping_ratio = {};
};

/**
 * The lowest modes of an assembled structure that damping does not couple, with real frequencies and mode
 * shapes, for models of any size,
 * @f[ K \varphi_k = \omega_k^2 M \varphi_k, \quad \varphi_k^T M \varphi_k = 1, \quad
 *     n_k = H^T \varphi_k, \quad
 *     2 D_k \omega_k = a + b\,\omega_k^2 \ \text{ of } C = a M + b K. @f]
 * They are computed by Krylov-Schur iteration with one factorization of K (or of K + a small multiple of M,
 * where rigid bodies float); algebraic DoFs follow without inertia. There are half as many unknowns as in
 * structure_modes(), and no left eigenvectors.
 *
 * The modes are followed by residual attachment modes (Craig 2000), at most one for each reaction and each
 * load, which represent the static response of the omitted modes. With them the displacements of the contacts
 * are exact at rest, and all motion of the contacts has inertia, so that friction that weakens is admitted.
 */
struct ClassicalStructure {
  /// They include the static compliance of the contacts where DoFs without mass yield to the reactions; this
  /// compliance becomes W_K.
  ClassicalModes modes;
  MultiVector shapes;   ///< mode shapes on all local free DoFs. Shape: n_free x n_modes
  MultiVector weights;  ///< M shapes; the modal coordinates are weights^T q
  /// Largest residual |K phi_k - omega_k^2 M phi_k|/|K phi_k| of the elastic modes up to
  /// highest_frequency_kept.
  double residual = 0;
  /// Highest frequency among the modes of the structure itself; the modes above it are attachment modes. It
  /// is infinite if no mode of the structure is omitted [rad/s].
  double highest_frequency_kept = 0;

  /// Returns (x_1, x_1', x_2, ...) of ContactModes from displacements and rates of the free DoFs. This is
  /// valid only where contact_modes() has dropped no mode.
  Vector modal_state(const Vector& q, const Vector& v) const;
  /// Returns displacements of the free DoFs, without the part of the omitted modes.
  Vector displacements(const Vector& x) const;
};

/**
 * Computes the modes.
 * @param loads,observed as for structure_modes()
 * @throws NotAvailable on several processes, for systems with a StateForce, prescribed motions, unsymmetric
 *     matrices, viscous DoFs or damping that couples the modes
 * @throws InvalidInput as structure_modes(), or if a damping ratio is given in addition to a damping matrix
 * @throws NoConvergence
 */
template <class Engine>
ClassicalStructure classical_structure(const Inclusions<Engine>& inclusions,
                                       const ClassicalStructureOptions& options = {},
                                       const MultiVector& loads = {},
                                       const std::vector<Direction>& observed = {});

struct StructureModesOptions {
  /// Number of eigenvalues nearest the origin that are kept, together with those equally near; 0: all, which
  /// are found by dense matrices.
  Index n_eigenvalues = 0;
  /// Largest number of states for which all eigenvalues may be asked for.
  Index max_dense = 4000;
  /// Whether the compliance of the omitted modes is kept, as W_K. Contacts then stand on massless springs, so
  /// that neither friction that weakens nor a coefficient of restitution is admitted.
  bool keeps_static_compliance = true;
};

/**
 * The modes of the contacts of an assembled structure, which may have half degrees of freedom of any kind,
 * from the eigenpairs of its reduced system nearest the origin. With real bases Q and P of their right and
 * left invariant subspaces, P^T Q = I,
 * @f[ J = P^T A Q, \qquad B = P^T B_H, \qquad C = H^T S Q, \qquad y \approx Q x + R\,r, \qquad x = P^T y,
 * \qquad (1) @f]
 * J is split into blocks (block_diagonal_form()), and S maps a state to displacements. Zero eigenvalues
 * (rigid bodies, creep) are exactly zero. The omitted modes respond without delay, with their compliance at
 * the shift of the eigenvalue iteration.
 */
struct StructureModes {
  ContactModes modes;
  MultiVector Q, P, R;  ///< N_s x n, N_s x n, N_s x (m + n_loads)
  /// Number of coordinates appended to the modes, with zeros in Q and P and the rate 2 slowest_omitted. They
  /// correct C B, which would otherwise differ from the immediate rate response of the whole structure.
  Index n_fast = 0;
  /// Residual max |A Q - Q J|/|J|, with columns of Q of length one; zero if range Q is invariant [1].
  double residual = 0;
  /// Moduli of the fastest eigenvalue kept, and of the slowest one omitted or a lower bound of it; infinite
  /// if none is omitted [1/s].
  double fastest_kept = 0, slowest_omitted = 0;
  /// The largest entry of the compliance of the omitted modes, and whether this compliance is kept.
  double omitted_compliance = 0;
  bool keeps_compliance = true;
  ImmediateResponse
      instantaneous_responses;  ///< immediate response of the whole structure: for contact_regularity()

  /**
   * Returns a bound of the error by the omitted modes in the displacement under a force of unit amplitude
   * with the frequency omega. The omitted poles have moduli above rho = slowest_omitted and together the
   * static compliance W. The error is less than @f$ W\,q^2/(1 - q^2), q = \omega/\rho @f$, for the poles of
   * an undamped symmetric structure. For other structures it is less than @f$ W\,q/(1 - q) @f$, provided
   * that their residues have no more weight than those of a symmetric one. It is infinite for omega >= rho.
   * @param omega [rad/s]
   */
  double omitted_response(double omega, bool is_undamped = false) const;

  /// Square roots of the compliances of the omitted modes at the DoFs of reactions, followed by those of
  /// loads; empty if no mode is omitted.
  Vector omitted_sizes;
  /**
   * Returns a bound of the error by the omitted modes in the displacement of a contact during a run, for all
   * frequencies. Modes that damping does not couple respond to a step of a force by no more than their static
   * compliance in each direction,
   * @f[ |s_i - \tilde s_i| \le \sqrt{W_{ii}} \sum_j \sqrt{W_{jj}}\,V_j, @f]
   * where V_j is the total variation of the reaction or load j, plus its largest modulus if the compliance is
   * not kept. The resulting changes of reactions are not included.
   * @param variations,largest of reactions, followed by those of loads. Shapes: m + n_loads
   */
  double omitted_motion(Index contact, const Vector& variations, const Vector& largest) const;

  /// Returns x for a state of the reduced system without reactions and loads. The part of y that the modes do
  /// not contain is lost: see omitted_part().
  Vector restrict(const Vector& y) const { return P.transpose() * y; }
  /// Returns x under reactions and loads that have acted so long that the omitted modes have followed them.
  Vector restrict(const Vector& y, const Vector& r, const Vector& f) const;
  /// Returns the state y for coordinates, reactions and loads.
  Vector lift(const Vector& x, const Vector& r, const Vector& f = {}) const {
    return Q * x + R.leftCols(r.size()) * r + R.rightCols(f.size()) * f;
  }
  /// Returns |y - Q P^T y|/|y|, the relative part of a state that is lost.
  double omitted_part(const Vector& y) const;
};

/**
 * Computes the modes of the contacts. The function of time of the load of the system is ignored; the columns
 * `loads` are used instead. The contacts are the acting directions of the inclusions, after merging.
 * @param loads forces on all assembled DoFs for a unit of each scalar load. Shape: n_dofs x n_loads; may be
 *     empty
 * @param observed further directions whose displacements are needed
 * @throws NotAvailable on several processes, for systems with a StateForce, with prescribed motions or
 *     constraints that are not at rest, and if all eigenvalues of more than max_dense states are asked for
 * @throws InvalidInput if an eigenvalue grows, or the system has a load, but no columns of loads were given
 * @throws NoConvergence
 */
template <class Engine>
StructureModes structure_modes(const Inclusions<Engine>& inclusions, const MultiVector& loads = {},
                               const std::vector<Direction>& observed = {},
                               const StructureModesOptions& options = {});

}  // namespace halfdof
