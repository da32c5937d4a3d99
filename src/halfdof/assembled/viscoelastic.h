#pragma once

#include <halfdof/assembled/assembled_system.h>
#include <halfdof/assembled/rigid_modes.h>

#include <vector>

namespace halfdof {

/// One Maxwell branch of a relaxation modulus.
struct PronyTerm {
  double g;    ///< stiffness of the branch's spring relative to the long-term stiffness; > 0
  double tau;  ///< relaxation time [s]; > 0
};

/// @f$ E(t) = E_\infty\,(1 + \sum_i g_i e^{-t/\tau_i}) @f$. One term is the standard linear solid (Zener).
using PronySeries = std::vector<PronyTerm>;

/// @throws InvalidInput if there is no term, or a g_i or tau_i is not positive and finite
void check(const PronySeries& series);

/// A part of the structure that relaxes.
template <class Engine>
struct ViscoelasticPart {
  typename Engine::Matrix stiffness;  ///< K_p: what the part contributes to K in the long term; symmetric
  PronySeries series;
};

/// The internal DoFs that one part brought.
struct InternalDoFs {
  std::vector<Index> parents;  ///< local assembled DoFs that the part touches, ascending
  RigidModes rigid;            ///< of K_p on these, by position among the parents
  std::size_t n_branches;

  /// The displacements of the internal DoFs in which every branch carries no force, branch after branch: what
  /// a structure held at u for a long time has. Shapes: u local assembled DoFs before the enlargement.
  /// Collective.
  Vector relaxed(const Vector& u, const Communicator& communicator) const;
};

/// A description with the internal DoFs behind its own.
template <class Engine>
struct ViscoelasticDescription {
  SystemDescription<Engine> description;
  std::vector<InternalDoFs> internal;  ///< one for each part
};

/**
 * Internal variables for linear viscoelasticity: each branch i of a part is a spring g_i K_p in series with a
 * dashpot g_i tau_i K_p, and z_i, a field of displacements on the part, is what its dashpot has yielded,
 * @f[ M\ddot u + C\dot u + K u + \sum_i g_i K_p (u - z_i) = f, \qquad
 *     g_i\tau_i K_p\,\dot z_i = g_i K_p\,(u - z_i). @f]
 * Eliminating z_i gives back the hereditary integral
 * @f$ K_p \int g_i e^{-(t-s)/\tau_i}\,\dot u(s)\,ds @f$. The z_i have damping but no mass: they are viscous
 * DoFs. With @f$E = \frac12 g_i (u-z_i)^T K_p (u-z_i)@f$ the matrices stay symmetric, and C_CC is block
 * diagonal with blocks @f$g_i\tau_i K_p@f$. (Generalized
 * Maxwell model; the z_i are the anelastic displacement fields of Lesieutre and Bianchini (1995).)
 *
 * Only u - z_i modulo the rigid motions of the part matters. z_i therefore lives on the free DoFs that K_p
 * touches, and where K_p is singular on these (a part that is not clamped), as many of its DoFs are left out
 * (fixed at zero) as there are rigid motions. This is exact: the forces of a branch do not change when a
 * rigid motion is added to z_i, and their equilibrium makes the left-out rows follow from the others.
 * Constrained DoFs of the part count as relaxed where they rest.
 *
 * Numbering: assembled DoFs keep theirs; the internal ones follow, on each process by part, branch and parent
 * DoF. Labels: component "x, branch 1", node and point of the parent. Collective.
 *
 * @throws InvalidInput if a series is not positive, K_p has another size than K, is not symmetric, or touches
 * no free DoF
 * @throws NotAvailable if K_p couples free DoFs to constrained ones that move (the branches would have to
 * relax there too)
 */
template <class Engine>
ViscoelasticDescription<Engine> with_viscoelastic_branches(
    const SystemDescription<Engine>& description, const std::vector<ViscoelasticPart<Engine>>& parts);

}  // namespace halfdof
