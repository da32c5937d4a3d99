#pragma once

#include <halfdof/inclusions/inclusions.h>
#include <halfdof/memory/classical_modes.h>

#include <optional>

namespace halfdof {

struct ClassicalStructureOptions {
  Index n_modes = 100;  ///< lowest ones, or as many as there are
  /// D of all modes, in the place of a damping matrix; absent: that of C, which has to be a combination of M
  /// and K.
  std::optional<double> damping_ratio = {};
};

/**
 * The lowest modes of an assembled structure that damping does not couple, with real frequencies and shapes,
 * for models of any size,
 * @f[ K \varphi_k = \omega_k^2 M \varphi_k, \quad \varphi_k^T M \varphi_k = 1, \quad
 *     n_k = H^T \varphi_k, \quad
 *     2 D_k \omega_k = a + b\,\omega_k^2 \ \text{ of } C = a M + b K. @f]
 * By Krylov-Schur iteration with one factorization of K (or K + a small part of M, where rigid bodies float);
 * algebraic DoFs follow without inertia. Half as many unknowns as structure_modes(), and no left
 * eigenvectors. Behind the modes stand those that reactions and loads make of what is left, one for each at
 * most (residual attachment modes, Craig 2000): with them the contacts are exact at rest, and all their
 * motion has inertia, so that friction that weakens is admitted.
 */
struct ClassicalStructure {
  /// With the static compliance of the contacts where DoFs without mass give way to them, which stays as W_K.
  ClassicalModes modes;
  MultiVector shapes;   ///< of all local free DoFs. Shape: n_free x n_modes
  MultiVector weights;  ///< M shapes: modal coordinates are weights^T q
  /// max_k |K phi_k - omega_k^2 M phi_k|/|K phi_k| of elastic modes up to slowest_left_out.
  double residual = 0;
  /// Modes of the structure itself end here; infinite where it has no more [rad/s].
  double slowest_left_out = 0;

  /// (x_1, x_1', x_2, ...) of ContactModes from displacements and rates of the free DoFs. Only where
  /// contact_modes() has dropped no mode.
  Vector coordinates(const Vector& q, const Vector& v) const;
  /// Displacements of the free DoFs, without what is left out.
  Vector displacements(const Vector& x) const;
};

/**
 * @param loads,observed as structure_modes()
 * @throws NotAvailable on several processes, for systems with a StateForce, prescribed motions, unsymmetric
 * matrices, viscous
 *     DoFs or damping that couples the modes; InvalidInput as structure_modes(), or if a damping ratio is
 *     given beside a damping matrix; NoConvergence
 */
template <class Engine>
ClassicalStructure classical_structure(const Inclusions<Engine>& inclusions,
                                       const ClassicalStructureOptions& options = {},
                                       const MultiVector& loads = {},
                                       const std::vector<Direction>& observed = {});

}  // namespace halfdof
