// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

#include <vector>

namespace halfdof::internal {

/// An entry of a list of eigenvalues that is closed under conjugation.
struct ConjugateEntry {
  Complex value;
  Index source;     ///< position of its vector in the original list
  bool conjugated;  ///< whether the vector has to be conjugated
  bool real;        ///< whether the vector has to be made real
};

/**
 * Closes a list of eigenvalues of a real operator under conjugation: each complex eigenvalue is followed by
 * its conjugate, which is taken from the list if it is there (up to rounding), and added otherwise. Apart
 * from this, the order of the list is kept.
 *
 * @param tolerances For each value, the imaginary part below which it counts as real, and the distance within
 * which a partner is sought.
 */
std::vector<ConjugateEntry> with_conjugate_partners(const std::vector<Complex>& values,
                                                    const std::vector<double>& tolerances);

}  // namespace halfdof::internal
