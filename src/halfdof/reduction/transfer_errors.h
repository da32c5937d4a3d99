// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/reduction/state_space.h>
#include <halfdof/reduction/transfer_function.h>

#include <functional>
#include <vector>

namespace halfdof::internal {

/**
 * Compares @f$ H(s) = C_o (s E - A)^{-1} B + D_o + s D_o' @f$ with @f$ C\, P(s)^{-1} @f$, P of
 * ReducedSystem::unreduced() and C of AssembledOutputs, at s = 0.74 characteristic_rate(). This s is of the
 * order of the fastest motions; structures have no eigenvalue near a positive real number. For models of up
 * to 1000 DoFs without dropped columns it also compares at 0.74 times up to eight corner_frequencies(), for
 * other models at a quarter of the first s. Determinants are compared between the values of s, unless columns
 * were dropped.
 *
 * For each s the comparison takes one factorization of P(s), the evaluation of H, one solve for each output,
 * and one solve for each load with a relative error above transfer_accuracy (at most 1000 loads, those with
 * the largest errors). The loads are those on free DoFs without entries in excluded_loads(), and combinations
 * of the other loads that satisfy its equation (1), with largest coefficient one, if at most 1000 DoFs have
 * entries.
 *
 * A value of s is omitted if it is an eigenvalue, or if memory does not suffice; if all are omitted, nothing
 * is compared. The effects of a change of coordinates (ReductionMethod::kernel) or of a null tolerance are
 * contained in before(), too, so they are not part of the errors.
 *
 * @param transfer H(s), with columns for loads on assembled DoFs; may throw SingularMatrix or NotAvailable
 */
TransferErrors transfer_errors(const ReducedSystem<EigenEngine>& reduced, const std::vector<Output>& outputs,
                               const std::function<TransferFunction(double s)>& transfer);

}  // namespace halfdof::internal
