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
void check_series(const PronySeries& series);

/// Two ways to write the equation of the internal DoFs, with the same motion of all others.
enum class BranchForm {
  local,     ///< DoF by DoF: regular and well conditioned for every part, but K becomes unsymmetric
  symmetric  ///< weighted by K_p: M, C, K stay symmetric, but C_CC is as ill conditioned as K_p
};

/// A part of the structure that relaxes.
template <class Engine>
struct ViscoelasticPart {
  typename Engine::Matrix stiffness;  ///< K_p: what the part contributes to K in the long term
  PronySeries series;
  BranchForm form = BranchForm::local;
};

/// The internal DoFs that one part brought.
struct InternalDoFs {
  std::vector<Index> parents;  ///< local assembled DoFs that the part touches, ascending
  RigidModes rigid;            ///< of K_p on these, by position among the parents; none in local form
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
 * @f[ M\ddot u + C\dot u + K u + \sum_i g_i K_p (u - z_i) = f, \qquad \tau_i\,\dot z_i = u - z_i \qquad (1)
 * @f] (generalized Maxwell model). Eliminating z_i gives back the hereditary integral
 * @f$ K_p \int g_i e^{-(t-s)/\tau_i}\,\dot u(s)\,ds @f$. The z_i have damping but no mass: they are viscous
 * DoFs, on the free DoFs that K_p touches. Constrained DoFs of the part count as relaxed where they rest.
 *
 * BranchForm::local takes (1) as it stands, each row of the second equation times g_i and the mean norm of
 * its row and column of K_p. C_CC is diagonal, and nothing can float.
 *
 * BranchForm::symmetric multiplies the second equation by g_i K_p, as the anelastic displacement fields of
 * Lesieutre and Bianchini (1995) have it. Then @f$\frac12 g_i (u-z_i)^T K_p (u-z_i)@f$ is part of the energy
 * 1/2 q^T K q, and every factorization stays a symmetric one; for slender parts, whose K_p has a large
 * condition number, z_i and its rate lose as many digits (u does not). Only u - z_i modulo the rigid motions
 * of the part matters here: where K_p is singular on its free DoFs (a part that is not clamped), as many DoFs
 * of z_i are left out (fixed at zero) as there are rigid motions. This is exact: the forces of a branch do
 * not change when a rigid motion is added to z_i, and their equilibrium makes the left-out rows follow from
 * the others.
 *
 * Numbering: assembled DoFs keep theirs; the internal ones follow, on each process by part, branch and parent
 * DoF. Labels: component "x, branch 1", node and point of the parent. Collective.
 *
 * @throws InvalidInput if a series is not positive, K_p has another size than K, touches no free DoF, or is
 * not symmetric where the symmetric form is asked for
 * @throws NotAvailable if K_p couples free DoFs to constrained ones that move (the branches would have to
 * relax there too)
 */
template <class Engine>
ViscoelasticDescription<Engine> with_viscoelastic_branches(
    const SystemDescription<Engine>& description, const std::vector<ViscoelasticPart<Engine>>& parts);

}  // namespace halfdof
