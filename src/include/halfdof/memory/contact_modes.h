// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

#include <iosfwd>
#include <vector>

namespace halfdof {

/**
 * The response of a linear structure at its contacts, in modal coordinates x. Coordinates of different
 * diagonal blocks J_k are not coupled; each block has one real eigenvalue, a conjugate pair, or a cluster of
 * eigenvalues,
 * @f[ \dot x = J x + B r + B_f f(t), \qquad J = \mathrm{diag}(J_1, \dots, J_b), \qquad (1) @f]
 * @f[ s = C x + W_K r + W_f f, \qquad w = \dot s = C J x + W_C r + C B_f f + W_K \dot r + W_f \dot f,
 *     \qquad W_C = C B. \qquad (2) @f]
 * Here s are the displacements H^T q along the m directions of the contacts, r are the reactions of the
 * contacts, and f are scalar loads at other places. The displacements of the contacts after a unit impulse at
 * time 0 are sums of exponentials, @f$ W_K \delta(\tau) + G(\tau), G(\tau) = C e^{J\tau} B @f$, with the
 * Dirac distribution @f$ \delta @f$.
 *
 * W_C is the immediate response of rates to reactions; it is not zero for contacts on viscous DoFs. W_K is
 * the immediate response of displacements to reactions; it is not zero for contacts on algebraic DoFs, and
 * contains the static compliance of omitted modes.
 *
 * Shapes: B n x m, B_f n x n_loads, C m x n, W_K m x m, W_f m x n_loads. The rows of `observed` are further
 * displacements, along which no reaction acts.
 */
struct ContactModes {
  std::vector<MultiVector> J;  ///< diagonal blocks J_1, ..., J_b [1/s]
  MultiVector B, B_f;          ///< input matrices of reactions and loads
  MultiVector C, W_K, W_f;     ///< output matrices of the displacements of the contacts
  /// Output matrices of observed displacements, with as many columns as C, W_K and W_f.
  struct Observed {
    MultiVector C, W_K, W_f;
  } observed;

  Index n_contacts() const { return static_cast<Index>(C.rows()); }
  Index n_loads() const { return static_cast<Index>(B_f.cols()); }
  /// Number of modal coordinates x.
  Index n_coordinates() const { return static_cast<Index>(B.rows()); }
  Index n_blocks() const { return static_cast<Index>(J.size()); }
  /// The number of the first coordinate of each block, followed by n_coordinates().
  std::vector<Index> first_coordinates() const;

  /// Returns the immediate rate response W_C = C B, with zeros in place of rounding errors.
  MultiVector W_C() const;
  /// Returns R J for a matrix R with n columns: if R x are displacements, R J x are their rates.
  MultiVector rates_of(ConstView<double> R) const;
  /// Returns the modal coordinates e^{J tau} x after the time tau without reactions and loads. @param time
  /// tau >= 0 [s]
  MultiVector propagated(double time, ConstView<double> x) const;
  /// Returns all eigenvalues, block by block [1/s].
  std::vector<Complex> eigenvalues() const;
};

/// Checks the shapes and entries of the matrices of modes. @throws InvalidInput if shapes do not fit, there
/// is no contact, or an entry is not finite
void check_contact_modes(const ContactModes& modes);

/**
 * Modes of one of several structures that are in contact with each other. The directions of the contacts
 * measure relative displacements: with the displacements s_k of structure k at its own m_k contacts, @f$ s =
 * \sum_k T_k s_k @f$, and the reactions r act on structure k as @f$ T_k^T r @f$.
 */
struct WeightedModes {
  ContactModes modes;
  MultiVector weights;  ///< weights T_k. Shape: m x m_k
};

/// Combines the modes of several structures. Loads and observed rows are listed structure by structure.
/// @throws InvalidInput if the shapes of weights do not fit, or there is no structure
ContactModes joined(const std::vector<WeightedModes>& structures);

/**
 * Modes of unit modal mass that the damping does not couple,
 * @f[ \ddot x_k + 2 D_k \omega_k \dot x_k + \omega_k^2 x_k = n_k^T r + e_k^T f(t), \qquad s = \sum_k n_k x_k,
 *     \qquad (1) @f]
 * (Szalai 2014, Eqs. (2.3), (2.5), (2.7)), for any number of contacts and any damping ratio D_k >= 0, also
 * above 1. Modes with @f$\omega_k = 0@f$ are rigid-body modes.
 */
struct ClassicalModes {
  Vector frequency;         ///< natural frequencies omega_k >= 0 [rad/s]. Shape: n_modes
  Vector damping_ratio;     ///< damping ratios D_k >= 0. Shape: n_modes
  MultiVector at_contacts;  ///< mode values n_k at the contacts, as columns. Shape: m x n_modes
  /// Mode values e_k at the loads, as columns. The matrix may be empty. Shape: n_loads x n_modes
  MultiVector at_loads;
  MultiVector at_observed;  ///< mode values at observed places, as columns; may be empty
  /// The static compliance H^T K^{-1} H of the contacts, that is, their displacements under unit reactions.
  /// If the compliance is given, the compliance of the modes that are not listed,
  /// @f$ W_K = H^T K^{-1} H - \sum_k n_k n_k^T/\omega_k^2 @f$, is added to the response (MacNeal 1971);
  /// otherwise the response has no such term. Structures with rigid-body modes have no static compliance.
  /// Shape: m x m
  MultiVector static_compliance;
};

/**
 * Converts classical modes to equations of first order (ContactModes), one block for each mode, with the
 * coordinates (x_k, x_k'). Rigid-body modes are replaced by linear combinations, of which as few as possible
 * move the contacts. Modes that move neither a contact nor an observed place, and modes that neither a
 * reaction nor a load excites, are dropped.
 * @throws InvalidInput if shapes differ, a number is negative or not finite, or the static compliance is
 *     smaller than the compliance of the modes
 */
ContactModes contact_modes(const ClassicalModes& classical);

/**
 * Returns the modes of a pre-tensed string of unit length and mass, fixed at both ends, with the wave speed c
 * (Szalai 2014, section 3 b):
 * @f[ \omega_k = c k \pi, \qquad [n_j]_k = \sqrt 2 \sin(k \pi \xi_j). \qquad (2) @f]
 * @param wave_speed c > 0 [1/s] @param contacts positions 0 < xi_j < 1
 * @param damping_ratio damping ratio D >= 0 of all modes
 */
ClassicalModes string_modes(double wave_speed, const std::vector<double>& contacts, double damping_ratio,
                            Index n_modes);

/**
 * Returns the modes of an Euler-Bernoulli cantilever of unit length, mass and bending stiffness, with one
 * contact at its free end (Szalai 2014, section 3 c):
 * @f[ \cos\sqrt{\omega_k} \cosh\sqrt{\omega_k} = -1, \qquad n_k = \pm 2. \qquad (3) @f]
 */
ClassicalModes cantilever_modes(double damping_ratio, Index n_modes);

/// Behaviour of the memory kernel L^1(tau) near tau = 0, about tau^alpha. It determines the continuity of the
/// force of a contact that begins to stick (Szalai 2014, section 4).
enum class ContactCase {
  inertia,   ///< (i) alpha = 1, for finitely many modes with mass; the force jumps
  wave,      ///< (ii) alpha = 0 (L^1 jumps), for strings and viscous DoFs; the force is Lipschitz continuous
  between,   ///< (iii) 0 < alpha < 1, for beams; the force is Hoelder continuous with exponent 1 - alpha
  massless,  ///< for algebraic DoFs, whose displacement follows at once; the force is Lipschitz continuous
};

/// Returns "inertia", "wave", "between" or "massless".
const char* name_of(ContactCase of);

/// The immediate response of a contact. The rate of the contact at a short time tau after a unit force is
/// applied is about L^{1+} tau^alpha.
struct ContactRegularity {
  ContactCase which;
  double alpha;  ///< Hoelder exponent of L^1 at 0; 0 for massless contacts
  /// Coefficient L^{1+} > 0 [rate/force/s^alpha]; for massless contacts the compliance W_K
  /// [displacement/force].
  double L_1_plus;
};

/// Writes a sentence such as "L^1 jumps by 0.5; the sticking force is Lipschitz continuous in time (case ii
/// of Szalai 2014)".
std::ostream& operator<<(std::ostream& out, const ContactRegularity& regularity);

/// The immediate responses of displacements (W_K), rates (W_C) and accelerations (W_I) of the contacts to
/// unit reactions. Shapes: m x m
struct ImmediateResponse {
  MultiVector W_K, W_C, W_I;
  MultiVector size_I;  ///< sums of the absolute values of the terms of W_I, which bound its rounding errors
};

/// Returns the immediate responses of the contacts of a structure with these modes: W_K, W_C = C B and W_I =
/// C J B.
ImmediateResponse immediate_response(const ContactModes& modes);

/// Determines the regularity of each contact, as if no other contact acted.
/// @throws InvalidInput if a contact has no immediate response to its own reaction (grad h . L^{1+} = 0); the
///     message names the contact
std::vector<ContactRegularity> contact_regularity(const ImmediateResponse& response);
/// Determines the regularity of the contacts of a structure that has these modes and no others.
std::vector<ContactRegularity> contact_regularity(const ContactModes& modes);

/// Checks that the reaction of each contact moves this contact. @throws InvalidInput if a reaction does not
/// move its contact; the message contains the number of the contact
void require_moved(const ContactModes& modes);

/**
 * Determines the regularity of each contact of a continuum from its first modes. If the natural frequencies
 * grow like omega_0 (k + const)^{l/2}, all modes have the damping ratio D, and the mode values have the mean
 * square @f$ \overline{n^2} @f$,
 * @f[ L^1(\tau) \approx L^{1+} \tau^\alpha, \quad \alpha = 1 - \frac2l, \quad
 *     L^{1+} = \overline{n^2}\,\frac2l\,\omega_0^{-2/l}\,\frac{\Gamma(a) \sin(a \arccos D)}{\sqrt{1 - D^2}},
 *     \quad a = \frac2l - 1, @f]
 * where for a = 0 the product of Gamma and sine is replaced by its limit arccos D. Strings have l = 2, beams
 * l = 4. The formula follows from an integral over k in place of the sum over all modes.
 * @throws InvalidInput as contact_regularity(); if there are fewer than 16 modes, or the frequencies do not
 *     grow like a power of k, or l < 2, so that L^1 has no bound
 */
std::vector<ContactRegularity> contact_regularity_of_continuum(const ClassicalModes& first_modes);

}  // namespace halfdof
