#pragma once

#include <halfdof/integrators/stage_problem.h>

namespace halfdof {

/**
 * Where theta < 1, what the directions see of half DoFs at the end of a step follows from means of the step,
 * which needs reactions that are such means. Those that act throughout a step change accelerations a of
 * masses and, in sweeping processes, rates c of viscous DoFs; in unsymmetric models these push half DoFs in
 * their rows,
 * @f[ p_K = M_{KI}\, a + C_{KC}\, c, \qquad p_C = M_{CI}\, a, \qquad (a;\ c;\ k) = D^{-1} H r, @f]
 * which would alternate from step to step. Costs nothing where D is block triangular (p = 0), otherwise a
 * solve with D for each direction. Collective.
 * @throws NotAvailable for such a model, with the names of the inclusions
 */
template <class Engine>
void require_means(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome,
                   const std::vector<DirectionRule>& rules);

}  // namespace halfdof
