#pragma once

#include <halfdof/reduction/reduced_system.h>

namespace halfdof {

/**
 * Units of the states of a reduced system, powers of two, in which those that act on each other do so alike,
 * by the diagonals of the assembled matrices: of a displacement 1/sqrt(K_ii), of a rate 1/sqrt(M_ii). The
 * state matrix itself does not tell them: where K leaves nothing but rounding, as of bodies that float on
 * DoFs without mass, balancing would take that for data.
 * On one process, with products of n_dofs x N_s. Shape: N_s
 */
template <class Engine>
Vector state_scales(const ReducedSystem<Engine>& reduced);

}  // namespace halfdof
