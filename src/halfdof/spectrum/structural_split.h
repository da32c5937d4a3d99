// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/builders/structural_damping.h>

#include <optional>

namespace halfdof::internal {

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
 * @return Nothing if a weight differs from zero and one by more than 1e-2, or if displacements and rates do
 * not determine the columns. Collective.
 */
template <class Engine>
std::optional<SubspaceParts> split_subspace(const StructurallyDampedSystem<Engine>& system,
                                            const ComplexMultiVector& X, const ComplexMultiVector& A);

}  // namespace halfdof::internal
