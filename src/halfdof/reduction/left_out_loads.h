#pragma once

#include <halfdof/reduction/reduced_system.h>

#include <Eigen/SparseCore>

#include <string>

namespace halfdof {

/**
 * Loads that the state-space form does not represent. Where an equation, or a combination of equations, is a
 * constraint, a load on it is the right side of this constraint, L^T (C q' + K q) = L^T f, and motions depend
 * on its derivatives too. The matrices B and D_o and the responses made of them hold for loads with
 * @f[ L^T f = 0. \qquad (1) @f]
 * Columns of L are those of ConstrainedForm, and unit vectors for AssembledSystem::multipliers(), whose right
 * sides are b(t) with the derivatives that were given. Where several DoFs take part in a column of L, as in
 * (1, 0, -1), equal loads on both of them obey (1), a single one does not.
 *
 * Shape: local assembled DoFs x loads, the largest entry of each column one.
 */
template <class Engine>
Eigen::SparseMatrix<double> left_out_loads(const ReducedSystem<Engine>& reduced);

/// The DoFs whose loads have a part in left_out_loads(), in a sentence; "" where there are none.
template <class Engine>
std::string loads_left_out(const ReducedSystem<Engine>& reduced);

}  // namespace halfdof
