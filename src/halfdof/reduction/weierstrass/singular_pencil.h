// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/errors.h>
#include <halfdof/base/types.h>
#include <halfdof/linear_algebra/exact/exact_structure.h>
#include <halfdof/linear_algebra/ranks/rank_decision.h>
#include <halfdof/reduction/weierstrass/pencil_balance.h>

#include <optional>
#include <string>
#include <vector>

namespace halfdof::internal {

/**
 * Checks that a pencil is regular: the rank of lambda E_b - A_b at a few real lambda decides with
 * probability one. A singular value counts as zero up to 10 n epsilon of the largest one. If the smallest
 * singular value is only slightly larger, the pencil is accepted here, and infinite_staircase() decides. A
 * pencil that is singular in exact arithmetic is always refused, and a pencil that is regular in exact
 * arithmetic is accepted if its entries are not rounded.
 *
 * @param E,A n x n, balanced @param exact The structure in exact arithmetic, if known @param balance The
 * factors of the balanced pencil @param names Names of the unknowns, for the message; empty: "unknown 3"
 * @throws SingularPencil if the pencil is singular
 */
void check_regular(ConstView<double> E, ConstView<double> A, const std::optional<ExactStructure>& exact,
                   const PencilBalance& balance, const std::vector<std::string>& names);

}  // namespace halfdof::internal
