// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/builders/structural_damping.h>

#include <optional>

namespace halfdof::internal {

/// A weight that differs by more than this from zero and one is undecided. A vector of the complex system
/// with an error of the relative size e has the weight 1 - e^2: only errors above a tenth of the vector, with
/// which its shape would be useless, are undecided.
constexpr double undecided_weight = 1e-2;

/// How an invariant subspace of a real embedding consists of vectors (x; -i x), which belong to the complex
/// system, and of vectors (x; i x), which belong to its conjugate.
struct SubspaceParts {
  /// Combinations of the columns that belong to the complex system, and those that belong to its conjugate.
  /// Shapes: m x m_1 and m x m_2, with m_1 + m_2 = m.
  ComplexMultiVector of_complex_system, of_conjugate;
  ComplexMultiVector A;  ///< rates of the combinations `of_complex_system` in themselves. Shape: m_1 x m_1
};

/**
 * Tells both parts of an invariant subspace apart. The weight of a combination, between zero and one, is the
 * part of its displacements and rates that is of the form (x; -i x).
 *
 * @param X Displacements of the assembled DoFs of the embedding. Shape: 2 n_local x m
 * @param A The rates are X A. Shape: m x m
 * @return Nothing if a weight is undecided, or if the columns, each with its rates, depend on one another so
 * nearly that rounding alone may change a weight by `undecided_weight`. Collective.
 */
template <class Engine>
std::optional<SubspaceParts> split_subspace(const StructurallyDampedSystem<Engine>& system,
                                            const ComplexMultiVector& X, const ComplexMultiVector& A);

}  // namespace halfdof::internal
