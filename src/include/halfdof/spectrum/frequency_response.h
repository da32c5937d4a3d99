// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/reduction/direction.h>
#include <halfdof/reduction/state_space.h>

#include <string>
#include <vector>

namespace halfdof {

/// Fraction of its own peak below which a response is compared absolutely, if its rounding is not known.
constexpr double response_floor = 1e-6;

/// A frequency at which the dynamic stiffness is singular, so that there is no response.
struct MissingResponse {
  double frequency;    ///< one of FrequencyResponse::frequencies
  std::string reason;  ///< sentences that say which DoFs move and what to do
};

/**
 * The frequency response @f$ H_{oi}(\omega) @f$, output o per unit force on input i, once from the assembled
 * and once from the reduced system.
 */
struct FrequencyResponse {
  std::vector<double> frequencies;  ///< frequencies [Hz], or one over the application's unit of time
  std::vector<GlobalIndex> inputs;  ///< assembled indices of inputs; empty if loads were given
  std::vector<Output> outputs;      ///< outputs; empty if they are along directions
  /// Matrices outputs x inputs, one for each frequency, on every process; NaN at missing frequencies.
  std::vector<ComplexMultiVector> before, after;
  std::vector<MissingResponse> missing;  ///< frequencies without response, in their order
  /// Bound of the effect of rounding on |before|, at each frequency: with x = P^{-1} f and y = P^{-T} c of
  /// the output c, it is @f$ 8 u\, |y|^T (T(\omega)\, |x| + s) @f$ (Higham 2002, section 7.2). @f$ T =
  /// |\omega|^2 |M| + |\omega| |C| + |K| @f$ accounts for rounding of the entries, and s for rounding of the
  /// computations with them. s is given by TermScales, since factors have entries where P has zeros. If the
  /// reduction is the Weierstrass form, which changes all coordinates, s is n times the largest entry in the
  /// row and column of each place of T, times |x|. NaN for reactions. Empty at missing frequencies.
  std::vector<MultiVector> rounding;
  /// Largest |before - after| of an entry at a frequency, relative to |before| there, or to |after| if
  /// |before| is zero. Entries that differ by no more than their rounding do not count. If their rounding is
  /// not known, entries smaller than response_floor times the largest |before| of the same entry over all
  /// frequencies are compared relative to that product, because an antiresonance has no significant digits.
  double max_relative_difference = 0;
};

/**
 * Computes the response to harmonic forces @f$ f = \hat f e^{i \omega t} @f$, where @f$\omega = 2 \pi@f$
 * times the frequency. Before the elimination it is
 * @f[ \hat q = P(i\omega)^{-1} \hat f, \qquad P(\lambda) = \lambda^2 M + \lambda C + K, @f]
 * from which the assembled matrices give rates, accelerations and reactions. After the elimination it follows
 * from the output equation of OutputMap,
 * @f[ H(\omega) = C_o\, (i\omega I - A)^{-1} B + D_o + i\omega\, D_o'. @f]
 * Accelerations are i omega times the rates. Thus accelerations of algebraic DoFs also have a response,
 * although they depend on the second derivative of the load. One factorization of @f$P(i\omega)@f$ per
 * frequency serves both systems and all inputs; if a null tolerance dropped columns, a second one is needed
 * for the system before the elimination, which contains them. One symbolic analysis serves all frequencies.
 *
 * @param inputs Assembled indices of DoFs that are not constrained. @param outputs Outputs as for OutputMap.
 * @throws InvalidInput if an index is out of range, an input is constrained, or a frequency is not finite;
 * NotAvailable if an output needs more than the rate of the load, or an input has a part in excluded_loads();
 * SingularMatrix (the message names the frequency) if every frequency is an undamped eigenvalue. Collective.
 */
template <class Engine>
FrequencyResponse frequency_response(const ReducedSystem<Engine>& reduced,
                                     const std::vector<double>& frequencies,
                                     const std::vector<GlobalIndex>& inputs,
                                     const std::vector<Output>& outputs);

/// Amplitudes of harmonic loads, one column for each input, such as the load vectors of an application. A
/// load on a constrained DoF moves nothing and adds -f_D to the reaction there. Shape: local assembled DoFs x
/// inputs. Units: those of f.
struct HarmonicLoads {
  MultiVector amplitudes;
};

/// Returns a unit force along each direction: the matrix H, with the rows of all local assembled DoFs.
/// @throws InvalidInput if a direction names a DoF that is not assembled. Collective.
template <class Engine>
HarmonicLoads unit_forces(const AssembledSystem<Engine>& assembled, const std::vector<Direction>& along);

/// An output along a direction: the displacement h^T q, its rate or its acceleration, or the sum h_D^T r_D of
/// reactions. For reactions all DoFs of the direction must be constrained.
struct DirectedOutput {
  OutputQuantity quantity;
  Direction along;
};

/**
 * Computes the response of outputs along directions to arbitrary loads. Each entry is the sum of the
 * responses of the single DoFs of the direction, multiplied by its weights, both before and after the
 * elimination, and so is its rounding.
 * @throws InvalidInput if the amplitudes have another number of rows than there are local assembled DoFs,
 * other numbers of columns on other processes, or entries that are not finite, and as above; NotAvailable
 * if a load f has L^T f other than zero (excluded_loads()). Collective.
 */
template <class Engine>
FrequencyResponse frequency_response(const ReducedSystem<Engine>& reduced,
                                     const std::vector<double>& frequencies, const HarmonicLoads& loads,
                                     const std::vector<DirectedOutput>& outputs);

/// Returns FrequencyResponse::max_relative_difference of two responses, one matrix for each frequency; NaN if
/// an entry is NaN. @param rounding One matrix for each frequency, empty if its rounding is not known; an
/// empty vector: not known at any frequency
double largest_relative_difference(const std::vector<ComplexMultiVector>& before,
                                   const std::vector<ComplexMultiVector>& after,
                                   const std::vector<MultiVector>& rounding = {});

/// Returns the displacements of DoFs as outputs.
inline std::vector<Output> displacements(const std::vector<GlobalIndex>& dofs) {
  std::vector<Output> outputs;
  outputs.reserve(dofs.size());
  for (const GlobalIndex dof : dofs)
    outputs.push_back({OutputQuantity::displacement, dof});
  return outputs;
}

}  // namespace halfdof
