#pragma once

#include <halfdof/assembled/free_system.h>
#include <halfdof/assembled/unit_factors.h>
#include <halfdof/classification/constraint_levels.h>

namespace halfdof {

/**
 * A system of which redundant constraints leave multipliers undetermined, with stiffness that determines them:
 * redundant rows say nothing new, and as many multipliers have no force, so that
 * @f[ \det(P(s) + u w^T) = c \det P_0(s), \qquad c \ne 0, @f]
 * where P_0 is without these rows and multipliers, if every left null vector y(s) of P has a product with u,
 * and every right one with w, that is constant and regular. The system itself where no row is redundant.
 *
 * @param L,rows,levels the equations that are the constraints, these, and what they imply
 * @param dual,idle combinations of multipliers, and of their columns those without force
 * @throws AmbiguousRank where the numbers of both are not the same
 */
template <class Engine>
FreeSystem<Engine> with_determined_multipliers(const FreeSystem<Engine>& system, const UnitFactors& units,
                                               const Eigen::SparseMatrix<double>& L,
                                               const ConstraintRows& rows, const ConstraintLevels& levels,
                                               const Eigen::SparseMatrix<double>& dual,
                                               const Eigen::SparseMatrix<double>& idle,
                                               const KernelOptions& options);

}  // namespace halfdof
