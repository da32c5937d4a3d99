// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/reduction/reduced_system.h>

#include <Eigen/SparseCore>

#include <string>

namespace halfdof::internal {

/**
 * Returns the loads that the state-space form does not represent. If an equation, or a combination of
 * equations, is a constraint, a load on it is the right side of this constraint, L^T (C q' + K q) = L^T f,
 * and the motion depends on derivatives of this load, too. The matrices B and D_o and the responses computed
 * with them are valid for loads with
 * @f[ L^T f = 0. \qquad (1) @f]
 * The columns of L are those of ConstrainedForm, and unit vectors for AssembledSystem::multipliers(), whose
 * right sides are b(t) with the derivatives that were given. If a column of L has entries on several DoFs, as
 * in (1, 0, -1), equal loads on both DoFs satisfy (1), but a load on one of them does not.
 *
 * Shape: local assembled DoFs x excluded loads; the largest entry of each column is one.
 */
template <class Engine>
Eigen::SparseMatrix<double> excluded_loads(const ReducedSystem<Engine>& reduced);

/// Names the DoFs on which excluded_loads() has entries, in a sentence. The text is empty if there are
/// no excluded loads.
template <class Engine>
std::string describe_excluded_loads(const ReducedSystem<Engine>& reduced);

}  // namespace halfdof::internal
