#pragma once

#include <halfdof/assembled/lumped_elements.h>
#include <halfdof/reduction/direction.h>

#include <string>
#include <vector>

/**
 * @file
 * What is attached to a model along directions h (of a point of a mesh, say, see DealIIDirections): springs,
 * dampers, point masses on rigid rods, and rigid links. Numbering: assembled. Every process gives the same.
 */
namespace halfdof {

/// Adds value h h^T: to the stiffness a spring from s = h^T q to the ground, to the damping a damper, to the
/// mass a mass that moves by s. Units of value: those of the matrix for s, force / length for a stiffness.
/// @throws InvalidInput if the value is not finite
void add_along(std::vector<MatrixEntry>& entries, const Direction& h, double value);

/**
 * A point mass with DoFs of its own, one for each name: what holds it are springs or rigid links. @return
 * their numbers, which follow those of the assembled DoFs and of the new DoFs that the elements hold already.
 * @param n_assembled DoFs of the matrices, of all processes @param mass > 0
 * @throws InvalidInput if the mass is not positive and finite, or there is no name
 */
std::vector<GlobalIndex> point_mass(LumpedElements& elements, GlobalIndex n_assembled, double mass,
                                    const std::vector<std::string>& names);

/**
 * A point mass at the ends of as many rigid rods as it has displacements u. Rod i, along the unit vector d_i,
 * passes the displacement s_i = h_i^T q of its other end on,
 * @f[ d_i^T u = s_i, \quad i = 1 \ldots n, \qquad u = R^{-1} H^T q, \qquad
 *     M \leftarrow M + m\, H R^{-T} R^{-1} H^T, \qquad (1) @f]
 * where the rows of R are d_i^T, so that u needs no DoFs and the rods no multipliers: this works on any
 * number of processes.
 * @param mass m > 0 @param axes R, n x n @param ends h_i, n directions along d_i
 * @return the displacements u as n directions, columns of H R^{-T}
 * @throws InvalidInput if the mass is not positive, shapes differ, an axis is not a unit vector (to 1e-8),
 * or the
 *     axes depend on each other (condition of R above 1e8)
 */
std::vector<Direction> mass_on_rods(LumpedElements& elements, double mass, const MultiVector& axes,
                                    const std::vector<Direction>& ends);

/// sum_i b_i q_i' + sum_i a_i q_i = constant.
struct LinearConstraint {
  std::vector<WeightedDoF> displacement;  ///< a_i
  std::vector<WeightedDoF> rate = {};     ///< b_i
  double constant = 0;
  std::string name = "rigid link";  ///< for messages
};

/// Two directions that move alike, h_a^T q = h_b^T q: a rigid rod along them, for small motions.
/// @throws InvalidInput if a and b are the same
LinearConstraint rigid_link(const Direction& a, const Direction& b);
/// Two DoFs that move alike, q_a = q_b.
LinearConstraint rigid_link(GlobalIndex a, GlobalIndex b);

}  // namespace halfdof
