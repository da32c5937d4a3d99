// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/builders/model_builders.h>
#include <halfdof/base/types.h>

namespace halfdof {

/// A constant loss factor over a band of frequencies.
struct LossFactorBand {
  double loss_factor;  ///< eta > 0
  double from, to;     ///< [Hz], 0 < from < to
};

/// A Prony series whose loss factor is nearly constant over a band, with its largest errors in this band.
struct PronyFit {
  /// The long-term stiffness K_0 relative to the stiffness K of K (1 + i eta).
  double long_term;
  PronySeries series;                ///< terms in ascending order of 1/tau; terms with g = 0 are omitted
  double largest_loss_factor_error;  ///< largest |eta(f) - eta| / eta
  double largest_storage_error;      ///< largest |K'(f) / K - 1|
};

/// Returns the complex stiffness of a Prony series relative to K, @f$ k_0 (1 + \sum_k g_k s / (s + 1/\tau_k))
/// @f$, with k_0 = long_term.
Complex relative_stiffness(double long_term, const PronySeries& series, Complex s);

/**
 * Approximates a stiffness K (1 + i eta), which has no causal motion in time, by a causal stiffness with
 * nearly the same loss factor over a band,
 * @f[ K(s) = K_0 \Bigl(1 + \sum_k g_k \frac{s}{s + r_k}\Bigr), \quad g_k \ge 0, \qquad (1) @f]
 * whose branches are viscous half DoFs. To use the series, replace the stiffness K_p of the part in K by
 * long_term K_p, and pass long_term K_p to with_viscoelastic_branches(). The condition Im K = eta Re K is
 * linear in g. For given rates r_k, which are evenly spaced on a logarithmic scale, g is therefore the
 * solution of a nonnegative least-squares problem (Lawson and Hanson 1974). The smallest and the largest rate
 * minimize the largest error of the loss factor. The storage stiffness Re K(i omega) of (1) increases with
 * the frequency, and K_0 is chosen so that its errors at both ends of the band are equal. By causality
 * (Kramers and Kronig), no series with the loss factor eta has an error of the storage stiffness much smaller
 * than @f$ \tanh(\arctan(\eta) \ln(f_2/f_1) / \pi) @f$.
 *
 * @param n_branches The largest number of terms, 1 ... 40
 * @throws InvalidInput if a number is not positive and finite, the band is empty, or n_branches is out of
 * range
 */
PronyFit fit_loss_factor(const LossFactorBand& band, Index n_branches);

}  // namespace halfdof
