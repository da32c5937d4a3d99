#pragma once

#include <halfdof/reduction/direction.h>
#include <halfdof/reduction/output_map.h>

#include <string>
#include <vector>

namespace halfdof {

/// Share of its own peak below which a response is compared absolutely where its rounding is not known.
constexpr double response_floor = 1e-6;

/// A frequency at which the dynamic stiffness is singular, so that there is no response.
struct MissingResponse {
  double frequency;    ///< as FrequencyResponse::frequencies
  std::string reason;  ///< what moves there, and what to do: sentences
};

/**
 * @f$ H_{oi}(\omega) @f$: output o per unit force on input i, once from the assembled and once from the
 * reduced system.
 */
struct FrequencyResponse {
  std::vector<double> frequencies;  ///< [Hz], or one over the application's unit of time
  std::vector<GlobalIndex> inputs;  ///< assembled indices; empty where loads were given
  std::vector<Output> outputs;      ///< empty where outputs along directions were asked for
  /// Outputs x inputs for each frequency, on every process; NaN at missing ones.
  std::vector<ComplexMultiVector> before, after;
  std::vector<MissingResponse> missing;  ///< in the order of the frequencies
  /// How far rounding may move |before|, at each frequency: with x = P^{-1} f and y = P^{-T} c of the output
  /// c, @f$ 8 u\, |y|^T (T(\omega)\, |x| + s) @f$ (Higham 2002, section 7.2), where
  /// @f$ T = |\omega|^2 |M| + |\omega| |C| + |K| @f$ stands for the entries and s for what is computed with
  /// them: TermScales, since factors hold entries where P has zeros, and where the reduction is the
  /// Weierstrass form, which changes all coordinates, n times what is largest in the row and column of each
  /// place of T, times |x|. NaN for reactions. Empty at missing frequencies.
  std::vector<MultiVector> rounding;
  /// Largest |before - after| of an entry at a frequency, relative to |before| there, or to |after| where
  /// that is zero. Entries that differ by no more than their rounding do not count. Where that is not known,
  /// what is smaller than response_floor times the largest |before| of the same entry over all frequencies is
  /// compared with that: an antiresonance has no digits to compare.
  double max_relative_difference = 0;
};

/**
 * The response to harmonic forces @f$ f = \hat f e^{i \omega t} @f$, @f$\omega = 2 \pi@f$ times the
 * frequency. Before,
 * @f[ \hat q = P(i\omega)^{-1} \hat f, \qquad P(\lambda) = \lambda^2 M + \lambda C + K, @f]
 * and rates, accelerations and reactions from it by the assembled matrices. After, with the output equation
 * of OutputMap,
 * @f[ H(\omega) = C_o\, (i\omega I - A)^{-1} B + D_o + i\omega\, D_o'. @f]
 * Accelerations are i omega times the rates, so that those of algebraic DoFs, which follow the second
 * derivative of the load, have a response, too.
 * One factorization of @f$P(i\omega)@f$ per frequency serves both and all inputs (two where a null tolerance
 * dropped columns: before, nothing is dropped); one symbolic analysis serves all frequencies.
 *
 * @param inputs Assembled indices of DoFs that are not constrained. @param outputs As of OutputMap.
 * @throws InvalidInput if an index is out of range, an input is constrained, or a frequency is not finite;
 * NotAvailable if an output needs more than the rate of the load, or an input has a part in left_out_loads();
 * SingularMatrix (the message names the frequency) if every frequency is an undamped eigenvalue. Collective.
 */
template <class Engine>
FrequencyResponse frequency_response(const ReducedSystem<Engine>& reduced,
                                     const std::vector<double>& frequencies,
                                     const std::vector<GlobalIndex>& inputs,
                                     const std::vector<Output>& outputs);

/// Amplitudes of harmonic loads, one column for each input: the load vectors of an application, say. What
/// acts on a constrained DoF moves nothing and adds -f_D to its reaction.
/// Shape: local assembled DoFs x inputs. Units: those of f.
struct HarmonicLoads {
  MultiVector amplitudes;
};

/// A unit reaction along each direction: H, with the rows of all local assembled DoFs.
/// @throws InvalidInput if a direction names a DoF that is not assembled. Collective.
template <class Engine>
HarmonicLoads unit_forces(const AssembledSystem<Engine>& assembled, const std::vector<Direction>& along);

/// The displacement h^T q along a direction, its rate or its acceleration, or the sum h_D^T r_D of
/// reactions, whose DoFs must all be constrained.
struct DirectedOutput {
  OutputQuantity quantity;
  Direction along;
};

/**
 * The response of outputs along directions to any loads: each entry is the sum of the responses of the single
 * DoFs of the direction, with its weights, before as well as after, and so is its rounding.
 * @throws InvalidInput if the amplitudes have another number of rows than there are local assembled DoFs,
 * other numbers of columns on other processes, or entries that are not finite, and as above; NotAvailable
 * if a load f has L^T f other than zero (left_out_loads()). Collective.
 */
template <class Engine>
FrequencyResponse frequency_response(const ReducedSystem<Engine>& reduced,
                                     const std::vector<double>& frequencies, const HarmonicLoads& loads,
                                     const std::vector<DirectedOutput>& outputs);

/// FrequencyResponse::max_relative_difference of two responses, one matrix for each frequency. NaN if an
/// entry is. @param rounding One for each frequency, empty where nothing is known; none: of no frequency
double largest_relative_difference(const std::vector<ComplexMultiVector>& before,
                                   const std::vector<ComplexMultiVector>& after,
                                   const std::vector<MultiVector>& rounding = {});

/// Displacements of DoFs as outputs.
inline std::vector<Output> displacements(const std::vector<GlobalIndex>& dofs) {
  std::vector<Output> outputs;
  for (const GlobalIndex dof : dofs)
    outputs.push_back({OutputQuantity::displacement, dof});
  return outputs;
}

}  // namespace halfdof
