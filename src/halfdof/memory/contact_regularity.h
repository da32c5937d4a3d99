#pragma once

#include <halfdof/memory/classical_modes.h>

#include <iosfwd>

namespace halfdof {

/// What L^1 does at tau = 0+, and with it the force of a contact that comes to stick (Szalai 2014, section
/// 4).
enum class ContactCase {
  inertia,   ///< (i) alpha = 1: L^1 ~ tau, as of finitely many modes; the force jumps
  wave,      ///< (ii) alpha = 0: L^1 jumps, as of strings and viscous DoFs; the force is Lipschitz continuous
  between,   ///< (iii) 0 < alpha < 1, as of beams: the force is Hoelder continuous with exponent 1 - alpha
  massless,  ///< the displacement itself moves with the force, as on algebraic DoFs; the force is Lipschitz
             ///< continuous
};

/// "inertia", ...
const char* name_of(ContactCase of);

/// How a contact answers at once: the rate that a unit force leaves is about L^{1+} tau^alpha.
struct ContactRegularity {
  ContactCase which;
  double alpha;     ///< Hoelder exponent of L^1 at 0; for massless contacts 0
  double L_1_plus;  ///< L^{1+} > 0; of massless contacts the displacement W_K [rate/force/s^alpha]
};

/// "L^1 jumps by 0.5; the sticking force is Lipschitz continuous in time (case ii of Szalai 2014)"
std::ostream& operator<<(std::ostream& out, const ContactRegularity& regularity);

/// What reactions add at once to displacements, rates and accelerations. Shapes: m x m
struct ImmediateResponse {
  MultiVector W_K, W_C, W_I;
  MultiVector size_I;  ///< of the terms that W_I is the sum of
};

/// W_K, C B and C J B of modes.
ImmediateResponse immediate_response(const ContactModes& modes);

/// Of each contact. With several, each stays alone.
/// @throws InvalidInput naming the contact whose reaction does not move it at once in any way, grad h .
/// L^{1+} = 0
std::vector<ContactRegularity> contact_regularity(const ImmediateResponse& response);
/// Of a structure with these modes and no others.
std::vector<ContactRegularity> contact_regularity(const ContactModes& modes);

/// @throws InvalidInput naming a contact that its own reaction does not move in any way
void require_moved(const ContactModes& modes);

/**
 * Of each contact of a continuum whose first modes are listed: with omega_k about omega_0 (k + const)^{l/2},
 * one damping ratio D and a mean square of the mode values,
 * @f[ L^1(\tau) \approx L^{1+} \tau^\alpha, \quad \alpha = 1 - \frac2l, \quad
 *     L^{1+} = \overline{n^2}\,\frac2l\,\omega_0^{-2/l}\,\frac{\Gamma(a) \sin(a \arccos D)}{\sqrt{1 - D^2}},
 *     \quad a = \frac2l - 1, @f]
 * (arccos D in the place of Gamma sin where a = 0: l = 2, strings; beams have l = 4.) The sum over all modes
 * has been taken for an integral over k.
 * @throws InvalidInput as above; if there are fewer than 16 modes, they do not grow like a power, or like one
 * of l < 2, for
 *     which L^1 has no bound
 */
std::vector<ContactRegularity> continuum_regularity(const ClassicalModes& first_modes);

}  // namespace halfdof
