#pragma once

#include <halfdof/spectrum/eigenmodes.h>

namespace halfdof {

/// Eigenpairs with what belongs to them, and their eigenvalues as they were found: not rounded to zero.
struct FoundModes {
  std::vector<Complex> values;
  Eigenmodes modes;

  const std::vector<Complex>& rounded() const { return modes.eigenvalues; }
};

/// Above which residuals a pair is polished.
struct PolishLimits {
  double reduced = 1e-9;  ///< and ten times what rounding does to it
  double backward =
      1e-8;  ///< the smallest entries, those of stiff or light DoFs, have no more digits than this
};

/**
 * Improves eigenpairs whose residual `reduced` rounding alone does not explain, or whose error `backward` is
 * large, by two steps of inverse iteration close to their own eigenvalue. A vector of a fast mode comes out
 * of a basis that slow modes dominate, and inherits rounding errors of their size; A multiplies these by the
 * stiffness of rough modes. The entries of DoFs that hardly move may drown in the errors of the others. One
 * factorization for each such pair.
 *
 * The shift lies 1e-5 |lambda| beside the eigenvalue, off the real axis for a real one: real neighbours are
 * then at least as far. A pair is replaced only if its residuals become smaller, and left as it is where
 * the shift is an eigenvalue itself.
 *
 * Collective.
 */
template <class Engine>
FoundModes polished(const ReducedSystem<Engine>& reduced, const TermScales<Engine>& scales, FoundModes found,
                    const PolishLimits& limits = {});

}  // namespace halfdof
