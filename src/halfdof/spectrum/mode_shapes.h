// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/linear_algebra/eigen/engine.h>
#include <halfdof/reduction/reduced_system.h>
#include <halfdof/spectrum/structurally_damped_modes.h>

#include <vector>

namespace halfdof::internal {

/// Right eigenvectors of the assembled system.
struct ModeShapes {
  ComplexMultiVector shapes;  ///< one column for each eigenvalue; its largest entry is one
  /// @f$ \max_i |P(\lambda) x|_i / d_i @f$ over the largest of the terms @f$ |\lambda|^2 |M| |x| + |\lambda|
  /// |C|
  /// |x| + |K| |x| @f$ over @f$ d_i @f$, with d the square roots of the largest entries of the rows of P
  std::vector<double> residuals;
  Index n_repeated = 0;  ///< columns that the other vectors of copies of the same eigenvalue combine to
};

/**
 * Computes a vector x of @f$ (\lambda^2 M + \lambda C + K) x = 0 @f$ for each of some eigenvalues, by inverse
 * iteration with the assembled matrices, @f$ x \leftarrow P(\sigma)^{-1} P'(\sigma) x @f$ with a shift sigma
 * beside lambda, so that no result of the elimination but lambda enters. Copies of an eigenvalue that follow
 * each other get orthogonal vectors as far as it has so many; the others are repetitions.
 *
 * Shapes: assembled DoFs x number of eigenvalues. Constrained DoFs are zero, and multipliers of constraints
 * are among the rows.
 * @throws SingularMatrix if no shift near an eigenvalue is regular
 */
ModeShapes shapes_of(const ReducedSystem<EigenEngine>& reduced, const std::vector<Complex>& eigenvalues);

/**
 * Returns the vectors of @f$ D(\lambda) x = 0 @f$ for the modes of a system with structural damping: of
 * oscillations those of StructurallyDampedModes, and of real eigenvalues those that the other shapes_of()
 * finds in the real embedding, (p; r), as p + i r. The residuals are those of (x; -i x) in the embedding.
 *
 * Shapes: DoFs of the application x number of modes.
 */
ModeShapes shapes_of(const StructurallyDampedSystem<EigenEngine>& system,
                     const ReducedSystem<EigenEngine>& of_embedding, const StructurallyDampedModes& modes);

}  // namespace halfdof::internal
