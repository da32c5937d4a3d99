#pragma once

#include <halfdof/spectrum/mode.h>
#include <halfdof/spectrum/nearest_eigenvalues.h>

#include <iosfwd>
#include <string>
#include <vector>

namespace halfdof {

/// A rigid translation of the whole structure, or another motion whose share in the modes is asked.
struct MassDirection {
  std::string name;
  Vector motion;  ///< r: displacement of each local assembled DoF
};

/// One direction for each component that the labels name: one on its DoFs, zero on all others. Components
/// without mass are left out. Collective.
template <class Engine>
std::vector<MassDirection> component_directions(const AssembledSystem<Engine>& system);

/// Modes, one for each conjugate pair, with their effective masses. Whole on every process.
struct ModeTable {
  std::vector<std::string> directions;
  std::vector<double> total_mass;  ///< @f$r^T M r@f$ over the free DoFs, for each direction
  std::vector<Mode> modes;
  MultiVector effective_mass;  ///< one row for each mode, one column for each direction

  /// Frequency, damping ratio, kind, effective mass in percent of the total: a dash in directions without
  /// mass.
  /// @param n_rows At most.
  void print(std::ostream& out, std::size_t n_rows = 40) const;
};

/**
 * Effective (modal participating) masses of modes that may be damped, of unsymmetric systems too. The motion
 * of the foundation in direction r loads the structure by @f$-M r \ddot u@f$; the part of
 * @f$ r^T M P(s)^{-1} M r = \sum_j R_j / (s - \lambda_j) @f$ that belongs to @f$\lambda_j@f$ is
 * @f[ m_j = \Re(\lambda_j R_j), \qquad
 *     R_j = \frac{(r^T M x_j)(z_j^T b)}{z_j^T y_j}, \quad b = (0; 0; r_I), @f]
 * with y_j and z_j the right and left eigenvectors of A (@f$z_j^T A = \lambda_j z_j^T@f$); a pair's two
 * values are added. Without damping this is the textbook's @f$ (\phi^T M r)^2 / (\phi^T M \phi) @f$; and as
 * @f$ s^2 P(s)^{-1} M r \to r @f$ for @f$ s \to \infty @f$ on the inertial DoFs, the sum over all modes is
 * always the total mass @f$ r^T M r @f$. Single values may be negative where damping couples modes.
 *
 * Left eigenvectors are @f$ (\lambda M^T x + C^T x;\ C^T x;\ M^T x) @f$ where M, C and K are symmetric, and
 * come from the iteration with the transposed matrices otherwise. Copies of an eigenvalue share equally what
 * their invariant subspace has, of which only the sum has a meaning.
 *
 * Units: of the mass matrix times those of r squared. Collective.
 */
template <class Engine>
ModeTable mode_table(const ReducedSystem<Engine>& reduced, const NearestEigenvalues& nearest,
                     const std::vector<MassDirection>& directions);

/// The same in the directions of the labels.
template <class Engine>
ModeTable mode_table(const ReducedSystem<Engine>& reduced, const NearestEigenvalues& nearest);

}  // namespace halfdof
