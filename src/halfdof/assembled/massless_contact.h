#pragma once

#include <halfdof/assembled/assembled_system.h>

#include <vector>

namespace halfdof {

/**
 * The description with a mass matrix in which contact DoFs have no mass: it is redistributed over the rest of
 * their bodies (Khenous, Laborde, Renard 2008). With S the contact DoFs and R the other free DoFs of a body,
 * @f[ M^r_{ij} = 0 \ \ (i \in S \text{ or } j \in S), \qquad
 *     M^r_{ij} = M_{ij}\,(1 + a_i^T \Lambda\, a_j) \ \ (i, j \in R), \qquad a = (1, x, y, z), \qquad (1) @f]
 * where Lambda, one small matrix for each body and pair of components, is such that
 * @f[ P^T M^r P = P^T M P \qquad (2) @f]
 * with the fields 1, x, y and z of each component on the free DoFs as columns of P. So total mass, centre and
 * moments of inertia are those of before, and with them the kinetic energy of every motion that is affine in
 * space. Of all changes of M within its pattern that obey (2), (1) has the least
 * @f$ \sum (M^r_{ij} - M_{ij})^2 / M_{ij} @f$ (where the entries are positive). Khenous et al. take the least
 * absolute change, which makes the small masses of graded meshes negative first. A lumped mass stays
 * diagonal.
 *
 * Contact DoFs without damping are algebraic then, and contact on them is a Lipschitz law: no impacts, no
 * coefficient of restitution, energy conserved. Those with damping are viscous: a first-order sweeping
 * process. C is left as it is; where it is to hold a multiple of the mass, add the new mass to it.
 *
 * Constrained DoFs are taken out first: contact DoFs among them are passed over, they take no mass, and (2)
 * is about the mass of the free DoFs alone. Couplings of M to constrained DoFs stay, as loads of their
 * motion.
 *
 * Numbering: assembled. Bodies are those of find_bodies(); none takes mass from another. Labels decide what
 * can be kept: without components all DoFs count as one field, and without support points, or if some of a
 * component are missing, it is the total mass alone. A symmetric mass matrix is factorized once, to see that
 * the new one is positive semidefinite. Collective: every process gives the same DoFs.
 *
 * @throws InvalidInput if a contact DoF does not exist, the rest of a body cannot obey (2) because it is too
 * small, or M^r would not be positive semidefinite, and names the DoFs; otherwise as AssembledSystem
 */
template <class Engine>
SystemDescription<Engine> with_massless_contact(const SystemDescription<Engine>& description,
                                                const std::vector<GlobalIndex>& contact);

}  // namespace halfdof
