// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/spectrum/frequency_response.h>

#include <vector>

/**
 * @file
 * Vibration that supports or random forces excite, and the frequencies at which a response is worth
 * computing.
 */
namespace halfdof {

/// Harmonic motion of supports: constrained DoFs move along given directions, each direction as one input.
struct BaseMotion {
  /// @f$ q_D = d\, e^{i\omega t} / (i\omega)^k @f$ with the weights d of each direction. All DoFs of these
  /// directions must be constrained.
  std::vector<Direction> directions;
  /// The quantity whose amplitude is d: displacement (k = 0), rate (k = 1) or acceleration (k = 2).
  OutputQuantity quantity = OutputQuantity::acceleration;
};

/**
 * Computes the response to harmonic motion of supports. The supports load the free DoFs with
 * @f[ f = -\left((i\omega)^2 M_{fD} + i\omega\, C_{fD} + K_{fD}\right) q_D , @f]
 * where M_fD, C_fD and K_fD are the columns of the constrained DoFs. Displacements are absolute, and those of
 * constrained DoFs are the motion of the base. Reactions are the forces that move the base. The responses to
 * the three parts of f are computed by frequency_response() and added, and so are the bounds of their
 * rounding.
 *
 * @throws InvalidInput if a DoF of a direction is not constrained, or if a rate or an acceleration is given
 * at 0 Hz, where the displacement would not be bounded; otherwise as frequency_response(). Collective.
 */
template <class Engine>
FrequencyResponse base_response(const ReducedSystem<Engine>& reduced, const std::vector<double>& frequencies,
                                const BaseMotion& base, const std::vector<DirectedOutput>& outputs);

/**
 * Returns ascending frequencies that resolve the resonance of each eigenvalue @f$ \lambda = -a + i b @f$: the
 * given ones and, between the first and the last of these, the resonances @f$ b / 2\pi @f$ and frequencies
 * @f$ b / 2\pi \pm (a / 2\pi) \sinh(k h) @f$, k = 1, 2, ..., up to distances at which the given ones are as
 * dense. With the default step h, a response of one mode then differs from its interpolation between
 * neighbours by less than a hundredth of itself. If a is less than 1e-6 b, the distances are those of a =
 * 1e-6 b, and the resonance itself is left out: it is not resolved, and not bounded if a is zero. The
 * response to modes outside the range matters near its ends, so give eigenvalues up to six distances of
 * frequencies beyond these, too. Of frequencies that are a hundred times nearer to each other than needed, as
 * those of equal eigenvalues, one is left.
 *
 * @param frequencies Ascending frequencies [Hz] @param eigenvalues Eigenvalues [1/s]; those with negative
 * imaginary parts are ignored @param step h; 1 / 12 for mean squares @throws InvalidInput if it is
 * not positive
 */
std::vector<double> with_resonances(const std::vector<double>& frequencies,
                                    const std::vector<Complex>& eigenvalues, double step = 1. / 6);

/// A one-sided power spectral density over frequency, given at some frequencies. Between these it is a
/// straight line in a logarithmic diagram, as vibration specifications have it; where one of two
/// neighbouring values is zero, a straight line in a linear diagram.
class PowerSpectralDensity {
 public:
  /// @param frequencies Ascending frequencies [Hz] @param values Densities [unit^2/Hz]
  /// @throws InvalidInput if there is none, the numbers of both differ, frequencies do not ascend or are
  /// negative, or a value is negative or not finite
  PowerSpectralDensity(std::vector<double> frequencies, std::vector<double> values);

  /// Returns the density at a frequency. @throws InvalidInput outside the given frequencies; a density that
  /// is given at one frequency holds at all
  double operator()(double frequency) const;

  /// The frequencies at which the density is given [Hz]. Those of an integral should contain them.
  const std::vector<double>& frequencies() const { return frequencies_; }

 private:
  std::vector<double> frequencies_, values_;
};

/// Power spectral densities of outputs, and their root mean squares.
struct RandomResponse {
  std::vector<double> frequencies;  ///< [Hz]; those without response are left out
  MultiVector densities;            ///< frequencies x outputs [unit of the output^2/Hz]
  Vector rms;  ///< root of the integral of each density over the frequencies, by the trapezoidal rule
  /// Bound of the error of each root mean square where the frequencies resolve the densities: three times the
  /// estimated error h^3 |S''| / 12 of the trapezoidal rule in each interval, summed, divided by twice the
  /// root mean square. NaN if there are fewer than three frequencies.
  Vector rms_error;
};

/**
 * Computes power spectral densities of outputs for stationary random inputs that are not correlated,
 * @f[ S_o(f) = \sum_i |H_{oi}(f)|^2\, S_i(f) , @f]
 * from the response after the elimination.
 * @param inputs One density for each input @throws InvalidInput if their number differs from that of the
 * inputs
 */
RandomResponse random_response(const FrequencyResponse& response,
                               const std::vector<PowerSpectralDensity>& inputs);

}  // namespace halfdof
