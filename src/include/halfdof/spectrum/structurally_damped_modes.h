// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/builders/structural_damping.h>
#include <halfdof/spectrum/compare_spectra.h>
#include <halfdof/spectrum/forced_vibration.h>
#include <halfdof/spectrum/frequency_response.h>

#include <cstddef>
#include <iosfwd>
#include <vector>

/**
 * @file
 * Modes and responses of systems with structural damping, from the reduction of their real embedding.
 */
namespace halfdof {

/// Returns the loss factor of an eigenvalue, @f$ \eta = \Im \lambda^2 / \Re \lambda^2 @f$ with lambda in the
/// second quadrant: that of the material if all of the stiffness has the same, because then
/// @f$ \lambda^2 = -\omega_0^2 (1 + i \eta) @f$. For small damping it is twice the damping ratio. NaN unless
/// |Im lambda| > |Re lambda|.
double loss_factor(Complex eigenvalue);

/// A mode of a system with structural damping.
struct StructurallyDampedMode {
  Mode mode;           ///< frequency and damping ratio; the eigenvalue belongs to D and has Im >= 0
  double loss_factor;  ///< loss_factor() of the eigenvalue
  double uncertainty;  ///< EigenpairResidual::error() [1/s]
  double difference;   ///< relative difference of the eigenvalues before and after the elimination
  double residual;     ///< EigenpairResidual::backward
};

/**
 * The modes of D(s) of StructurallyDampedSystem. Structural damping has a meaning at positive frequencies
 * only: an oscillation is a mode if its eigenvalue lambda of D has Im lambda > 0; the conjugate of lambda is
 * an eigenvalue of the conjugate of D, which describes negative frequencies. Real eigenvalues (up to their
 * uncertainty) belong to both. Eigenvalues of D with Im lambda < 0 have no physical meaning: they are the
 * growing partners of the modes, -lambda if there is no other damping, and relaxations of DoFs with
 * structural damping.
 */
struct StructurallyDampedModes {
  std::vector<StructurallyDampedMode> modes;  ///< in the order of the comparison, each once
  /// Complex displacements of the local DoFs of the application; the largest entry of each mode with Im
  /// lambda > 0 is one, those of the other modes are zero. Shape: n_local x number of modes.
  ComplexMultiVector shapes;
  std::vector<Complex> unphysical;  ///< eigenvalues of D with Im lambda < 0 [1/s]

  /// Keeps the k modes nearest to a shift or its conjugate, in their order, and those of the
  /// unphysical eigenvalues that are not farther from the shift or its conjugate than the last of them; keeps
  /// everything if there are at most k modes. @param shift [1/s]
  void keep_nearest(Index k, Complex shift);

  /// Prints the modes and the number of unphysical eigenvalues. @param n_rows Maximum number of modes
  void print(std::ostream& out, std::size_t n_rows = 40) const;
};

/**
 * Tells the eigenvalues of D from those of its conjugate in a list for the embedding. For each group of
 * oscillating eigenvalues that differ by less than 1e-5 of their modulus, or by less than their
 * uncertainties, an invariant subspace is computed by inverse iteration with one complex factorization. The
 * subspace is an orthogonal sum of vectors (x; -i x), which belong to D, and (x; i x), which belong to its
 * conjugate.
 *
 * @param comparison Of the embedding. A real eigenvalue with only one of its two copies in the list counts as
 * a mode
 * @throws NotAvailable if a subspace is not such a sum up to 1e-2, or other eigenvalues lie between those of
 * the group. Collective.
 */
template <class Engine>
StructurallyDampedModes structurally_damped_modes(const StructurallyDampedSystem<Engine>& system,
                                                  const ReducedSystem<Engine>& of_embedding,
                                                  const SpectrumComparison& comparison);

/**
 * Computes the response of D(i omega) before and after the elimination, as the other frequency_response():
 * @f$ \hat q = D(i\omega)^{-1} \hat f @f$. The rounding of a value is the sum of those of its real and its
 * imaginary part in the embedding. Inputs and outputs: DoFs of the application. Collective.
 * @throws InvalidInput if a frequency is negative, or a DoF is not one of the application; otherwise as there
 */
template <class Engine>
FrequencyResponse frequency_response(const StructurallyDampedSystem<Engine>& system,
                                     const ReducedSystem<Engine>& of_embedding,
                                     const std::vector<double>& frequencies,
                                     const std::vector<GlobalIndex>& inputs,
                                     const std::vector<Output>& outputs);

/// Computes the response of outputs along directions to loads on the DoFs of the application, in the same
/// way.
template <class Engine>
FrequencyResponse frequency_response(const StructurallyDampedSystem<Engine>& system,
                                     const ReducedSystem<Engine>& of_embedding,
                                     const std::vector<double>& frequencies, const HarmonicLoads& loads,
                                     const std::vector<DirectedOutput>& outputs);

/// Computes the response to the motion of supports (see the other base_response()), in the same way.
template <class Engine>
FrequencyResponse base_response(const StructurallyDampedSystem<Engine>& system,
                                const ReducedSystem<Engine>& of_embedding,
                                const std::vector<double>& frequencies, const BaseMotion& base,
                                const std::vector<DirectedOutput>& outputs);

}  // namespace halfdof
