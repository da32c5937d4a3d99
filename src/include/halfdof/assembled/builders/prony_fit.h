// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/builders/model_builders.h>
#include <halfdof/base/types.h>

namespace halfdof {

/// A loss factor that is constant over a band of frequencies.
struct LossFactorBand {
  double loss_factor;  ///< eta > 0
  double from, to;     ///< [Hz], 0 < from < to
};

/// The complex modulus of a material, or the complex stiffness of a part, at some frequencies.
struct ModulusTable {
  Vector frequencies;    ///< positive, strictly ascending [Hz]
  ComplexVector moduli;  ///< K' + i K'' with K' > 0, K'' >= 0; in any unit
};

/// A Prony series that approximates a loss factor over a band, or a table of moduli. Its errors are those of
/// the rounded numbers of the series, over the band or at the frequencies of the table.
struct PronyFit {
  /// Long-term stiffness K_0: relative to the storage stiffness K of the structural damping, or in the unit
  /// of the table.
  double long_term;
  PronySeries series;                ///< ascending rates; terms with g = 0 are omitted
  double largest_loss_factor_error;  ///< largest |eta(f) - eta| / eta; for a table, largest |eta(f) - eta|
  double largest_storage_error;      ///< largest |K'(f) / K - 1|; for a table, |K'(f_j) / K'_j - 1|
  /// Largest |K(2 pi i f) / (K (1 + i eta)) - 1|; for a table, |K(2 pi i f_j) / K_j - 1|, which the fit
  /// minimizes.
  double largest_relative_error;
};

/// Returns the stiffness relative to K, @f$ k_0 (1 + \sum_k g_k s / (s + 1/\tau_k)) @f$ with the long-term
/// stiffness k_0.
Complex relative_stiffness(double long_term, const PronySeries& series, Complex s);

/**
 * Replaces a stiffness K (1 + i eta), which has no causal motion, by a causal one with nearly the same loss
 * factor over a band,
 * @f[ K(s) = K_0 \Bigl(1 + \sum_k g_k \frac{s}{s + r_k}\Bigr), \quad g_k \ge 0, \qquad (1) @f]
 * whose branches are viscous half DoFs: pass long_term times the stiffness of the part to
 * with_viscoelastic_branches(), and replace the stiffness K_p of the part by long_term K_p. Since
 * Im K = eta Re K is linear in g, each set of rates r_k, evenly spaced on a logarithmic scale, gives g by
 * nonnegative least squares (Lawson and Hanson 1974); the ends of the rates are those with the least largest
 * error of the loss factor. The storage stiffness of (1) rises with the frequency. K_0 makes its errors at
 * both ends of the band equal. By causality (Kramers and Kronig), no series with the loss factor eta has an
 * error much smaller than @f$ \tanh(\arctan(\eta) \ln(f_2/f_1) / \pi) @f$.
 *
 * @param n_branches At most this number of terms, 1 ... 40
 * @throws InvalidInput if a number is not positive and finite, the band is empty, or n_branches is out of
 * range
 */
PronyFit fit_loss_factor(const LossFactorBand& band, Index n_branches);

/**
 * Approximates measured moduli K_j at the frequencies f_j by the series (1). The stiffnesses K_0 and K_0 g_k
 * follow from nonnegative least squares of the relative errors @f$K(2 \pi i f_j) / K_j - 1@f$, for rates that
 * are evenly spaced on a logarithmic scale. The ends of the rates are those with the least largest relative
 * error. A table that violates causality, such as one whose storage modulus falls with the frequency, has a
 * large error. If the stiffness matrix K_p of the part was assembled with the modulus one, pass long_term K_p
 * to with_viscoelastic_branches().
 *
 * @param n_branches At most this number of terms, 1 ... 40
 * @throws InvalidInput if the table has fewer than two rows, or its numbers are not as described, if
 * n_branches is out of range, if all fitted series have the long-term stiffness zero, or if the best one has
 * no terms, because the table has no loss
 */
PronyFit fit_moduli(const ModulusTable& table, Index n_branches);

}  // namespace halfdof
