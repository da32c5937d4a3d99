// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/reduction/state_space.h>
#include <halfdof/reduction/transfer_function.h>

#include <functional>
#include <vector>

namespace halfdof::internal {

/**
 * Compares @f$ H(s) = C_o (s E - A)^{-1} B + D_o + s D_o' @f$ of a state-space form with the transfer
 * function @f$ C\, P(s)^{-1} @f$ of the model, with P of ReducedSystem::unreduced() and C of
 * AssembledOutputs, at s = 0.74 characteristic_rate(). This s is of the order of the fastest motions;
 * structures have no eigenvalue near a positive real number. For models of up to 1000 DoFs without
 * dropped columns, further values of s are 0.74 times up to eight corner_frequencies(), and for other models
 * a quarter of the first s. The determinants of s E - A and P(s) are also compared between the values
 * of s, unless columns were dropped.
 *
 * For each s the comparison takes one factorization of P(s), the evaluation of H, one solve for each
 * output, and one solve for each load with a relative error above transfer_accuracy (at most 1000
 * loads, those with the largest errors). The loads are those on free DoFs without entries in
 * excluded_loads(), and if at most 1000 DoFs have entries, the combinations of loads on these DoFs that
 * satisfy equation (1) of excluded_loads(), with largest coefficient one.
 *
 * A value of s is omitted if it is an eigenvalue, or if memory does not suffice. If all values are
 * omitted, nothing is compared. The rounding errors of a change of coordinates
 * (ReductionMethod::kernel) are contained in ReducedSystem::unreduced(), too, so that they are not part
 * of the errors.
 *
 * @param transfer The function H(s), with columns for loads on assembled DoFs; it may throw
 * SingularMatrix or NotAvailable
 */
TransferErrors transfer_errors(const ReducedSystem<EigenEngine>& reduced, const std::vector<Output>& outputs,
                               const std::function<TransferFunction(double s)>& transfer);

}  // namespace halfdof::internal
