// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/term_scales.h>
#include <halfdof/spectrum/nearest_eigenvalues.h>

#include <vector>

namespace halfdof::internal {

/// Returns the largest `uncertainty` or `set_to_zero` of the zero eigenvalues [1/s]: the modulus up to which
/// eigenvalues count as zero.
double zero_radius(const std::vector<Complex>& values, const std::vector<EigenpairResidual>& residuals);

/// Returns the eigenvalues, with those that cannot be distinguished from zero because of rounding
/// (round_zeros()) set to zero. Shapes: states n_local_states() x k. @param scales Of reduced.free().
/// Collective.
template <class Engine>
std::vector<Complex> rounded_eigenvalues(const ReducedSystem<Engine>& reduced,
                                         const TermScales<Engine>& scales,
                                         const std::vector<Complex>& eigenvalues, ConstView<Complex> states);

/// Which eigenvalues are zero.
enum class Zeros {
  as_given,    ///< only eigenvalues that are given as zero
  by_rounding  ///< also eigenvalues that round_zeros() sets to zero
};

/// Computes shapes and residuals of eigenpairs (lambda, y) of A. Shapes: states n_local_states() x k.
/// @param scales Of reduced.free(). Collective.
template <class Engine>
Eigenmodes eigenmodes(const ReducedSystem<Engine>& reduced, const TermScales<Engine>& scales,
                      const std::vector<Complex>& eigenvalues, ComplexMultiVector states,
                      Zeros zeros = Zeros::by_rounding);

/// Computes how well pairs (lambda, y) satisfy the assembled and the reduced equations, one entry for each
/// pair, on every process. Shapes: states n_local_states() x k. @param scales Of reduced.free(). @param found
/// Eigenvalues as they were computed [1/s].
/// @param listed The same with those that count as zero set to zero. These have the residuals of `found`,
/// relative to a larger rate, since rows without stiffness would otherwise be compared with rounding errors.
/// @param zero_scale [1/s] Modulus below which `reduced` is absolute. Collective.
template <class Engine>
std::vector<EigenpairResidual> eigenpair_residuals(const ReducedSystem<Engine>& reduced,
                                                   const TermScales<Engine>& scales,
                                                   const std::vector<Complex>& found,
                                                   const std::vector<Complex>& listed,
                                                   ConstView<Complex> states, double zero_scale);

/// Returns the displacements of all free DoFs of states without load. Shapes: states n_local_states() x k,
/// result local free DoFs x k. Collective.
template <class Engine>
ComplexMultiVector free_displacements(const ReducedSystem<Engine>& reduced, ConstView<Complex> states);

}  // namespace halfdof::internal
