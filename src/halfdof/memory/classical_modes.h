#pragma once

#include <halfdof/memory/contact_modes.h>

namespace halfdof {

/**
 * Modes that damping does not couple, of unit modal mass,
 * @f[ \ddot x_k + 2 D_k \omega_k \dot x_k + \omega_k^2 x_k = n_k^T r + e_k^T f(t), \qquad s = \sum_k n_k x_k,
 *     \qquad (1) @f]
 * (Szalai 2014, Eqs. (2.3), (2.5), (2.7)), any number of contacts, D_k from 0 to above 1. Modes with
 * @f$\omega_k = 0@f$ are rigid bodies.
 */
struct ClassicalModes {
  Vector frequency;         ///< omega_k >= 0 [rad/s]. Shape: n_modes
  Vector damping_ratio;     ///< D_k >= 0. Shape: n_modes
  MultiVector at_contacts;  ///< n_k, columns. Shape: m x n_modes
  MultiVector at_loads;     ///< e_k, columns. Shape: n_loads x n_modes; may be left empty
  MultiVector at_observed;  ///< of further displacements, columns; may be left empty
  /// H^T K^{-1} H: what a unit reaction moves the contacts by at rest. With it the compliance of the modes
  /// that are not listed, @f$ W_K = H^T K^{-1} H - \sum_k n_k n_k^T/\omega_k^2 @f$, is kept (MacNeal 1971);
  /// without it, left empty, it is lost. Not with rigid bodies. Shape: m x m
  MultiVector static_compliance;
};

/**
 * The same as first-order blocks, one for each mode: coordinates (x_k, x_k'). Rigid bodies are rotated among
 * themselves so that as few as possible are seen by the contacts; modes that nothing sees, or nothing moves,
 * are dropped.
 * @throws InvalidInput if shapes differ, a number is negative or not finite, or the static compliance is
 * smaller than
 *     that of the modes
 */
ContactModes contact_modes(const ClassicalModes& classical);

/**
 * A pre-tensed string of unit length and mass, fixed at both ends, with the wave speed c (Szalai 2014,
 * section 3 b):
 * @f[ \omega_k = c k \pi, \qquad [n_j]_k = \sqrt 2 \sin(k \pi \xi_j). \qquad (2) @f]
 * @param wave_speed c > 0 [1/s] @param contacts 0 < xi_j < 1 @param damping_ratio D >= 0 of all modes
 */
ClassicalModes string_modes(double wave_speed, const std::vector<double>& contacts, double damping_ratio,
                            Index n_modes);

/**
 * An Euler-Bernoulli cantilever of unit length, mass and bending stiffness, with one contact at its free end
 * (Szalai 2014, section 3 c):
 * @f[ \cos\sqrt{\omega_k} \cosh\sqrt{\omega_k} = -1, \qquad n_k = \pm 2. \qquad (3) @f]
 */
ClassicalModes cantilever_modes(double damping_ratio, Index n_modes);

}  // namespace halfdof
