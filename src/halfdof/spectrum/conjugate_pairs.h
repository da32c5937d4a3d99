#pragma once

#include <halfdof/base/types.h>

#include <vector>

namespace halfdof {

/// What stands at one place of a list that is closed under conjugation.
struct ConjugateEntry {
  Complex value;
  Index source;     ///< position in the original list whose vector belongs to it
  bool conjugated;  ///< the vector is to be conjugated
  bool real;        ///< the vector is to be made real
};

/**
 * Closes a list of eigenvalues of a real operator under conjugation: each complex one is followed by its
 * partner, which is taken from the list where it is there (up to rounding) and added where it is not. The
 * order of the list is kept otherwise.
 *
 * @param tolerances For each value, the imaginary part below which it counts as real, and the distance within
 * which a partner is sought.
 */
std::vector<ConjugateEntry> with_conjugate_partners(const std::vector<Complex>& values,
                                                    const std::vector<double>& tolerances);

}  // namespace halfdof
