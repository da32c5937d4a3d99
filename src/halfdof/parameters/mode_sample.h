// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/parameters/eigenvalue_branches.h>
#include <halfdof/spectrum/nearest_eigenvalues.h>

#include <cmath>
#include <string>
#include <vector>

namespace halfdof::internal {

/**
 * Eigenvalues with nonnegative imaginary part at one value of a parameter, by ascending modulus, with vectors
 * u = (x; lambda x) and w = (z; lambda z) of the linearization with E = [C M; M 0], in which (2) reads
 * @f$ W^T E U = I @f$. Vectors of equal eigenvalues may be any basis, so that their lower halves need not be
 * lambda times the upper ones exactly.
 */
struct ModeSample {
  double value;
  /// The system of the vectors; with structural damping the real embedding, in which modes of the complex
  /// system have right vectors (x; -i x) and left vectors (z; i z).
  AssembledSystem<EigenEngine> system;
  AssembledSystem<EigenEngine> application;  ///< in the DoFs of the application, which are the first ones
  std::vector<DoFKind> kinds;                ///< of the DoFs of the application
  std::vector<Complex> eigenvalues = {};     ///< [1/s]
  std::vector<double> errors = {};           ///< [1/s]; NaN if not known
  std::vector<bool> is_asked = {};
  ComplexMultiVector right = {}, left = {};  ///< U and W. Shape: 2 n_dofs x number of eigenvalues
  std::vector<bool> has_left = {};           ///< whether the left vector is known
  std::vector<Index> cluster = {};           ///< a number that equal eigenvalues have in common
  /// A number that eigenvalues have in common that have been equal since the first value.
  std::vector<Index> twins = {};
  std::vector<Index> branch = {};  ///< numbers of branches
  double backward_error = 0;       ///< the largest one
  std::string reason_without_left = {};

  Index size() const { return static_cast<Index>(eigenvalues.size()); }
};

/// Returns an error, or zero if it is not known.
inline double zero_or(double error) {
  return std::isnan(error) ? 0. : error;
}

/// Eigenpairs with nonnegative imaginary part, in any order. Shapes: n_dofs x number of values.
struct UpperPairs {
  std::vector<Complex> values;
  std::vector<double> errors;
  std::vector<bool> is_asked, has_left;
  ComplexMultiVector shapes, left_shapes;  ///< x and z on the DoFs of `ModeSample::system`
  double backward_error = 0;               ///< the largest one of those that are asked for
  std::string reason_without_left;
};

/// Returns the largest residual or backward error of an eigenpair; infinity if none is known.
double backward_error_of(const EigenpairResidual& residual);

/// Returns left vectors on all assembled DoFs. Shapes: p free DoFs x k, result n_dofs x k.
ComplexMultiVector on_assembled_dofs(const ReducedSystem<EigenEngine>& reduced, const ComplexMultiVector& p);

/// Returns the modes of the complex system as vectors of the embedding, (x; -i x) and (z; i z). @throws
/// NotAvailable if they cannot be told from those of its conjugate
UpperPairs structural_pairs(const ReducedStructuralSystem& reduced, const BranchOptions& options);

/// Computes the sample at a value of the parameter, with some more eigenvalues than asked for.
/// @throws As nearest_eigenvalues()
ModeSample mode_sample(double value, const ReducedSystem<EigenEngine>& reduced, const BranchOptions& options);

/// Computes the sample of the modes of a system with structural damping. @throws As structural_pairs()
ModeSample mode_sample(double value, const ReducedStructuralSystem& reduced, const BranchOptions& options);

/// Returns E V. Shapes: 2 n_dofs x k.
ComplexMultiVector times_E(const AssembledSystem<EigenEngine>& system, const ComplexMultiVector& V);

}  // namespace halfdof::internal
