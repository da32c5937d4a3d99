// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/assembled_system.h>
#include <halfdof/base/types.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace halfdof::internal {

struct RigidModes;

}  // namespace halfdof::internal

namespace halfdof {

/// One Maxwell branch of a relaxation modulus.
struct PronyTerm {
  double g;    ///< stiffness of the branch's spring relative to the long-term stiffness; > 0
  double tau;  ///< relaxation time [s]; > 0
};

/// The terms of @f$ E(t) = E_\infty\,(1 + \sum_i g_i e^{-t/\tau_i}) @f$. One term is the standard linear
/// solid (Zener).
using PronySeries = std::vector<PronyTerm>;

/// @throws InvalidInput if there is no term, or a g_i or tau_i is not positive and finite
void check_series(const PronySeries& series);

/// Two forms of the equation of the internal DoFs; the motion of all other DoFs is the same in both.
enum class BranchForm {
  local,     ///< one equation for each DoF: always regular and well conditioned, but K becomes unsymmetric
  symmetric  ///< equations multiplied by K_p: M, C, K remain symmetric, but C_CC is as ill conditioned as K_p
};

/// A part of the structure that relaxes.
template <class Engine>
struct ViscoelasticPart {
  typename Engine::Matrix stiffness;  ///< K_p: the contribution of the part to the long-term stiffness K
  PronySeries series;
  BranchForm form = BranchForm::local;
};

/// The internal DoFs that one part adds.
struct InternalDoFs {
  std::vector<Index> parents;  ///< local assembled DoFs on which K_p acts, ascending
  /// Rigid motions of K_p on the parents, by their position; none for the local form.
  std::shared_ptr<const internal::RigidModes> rigid;
  std::size_t n_branches;

  /// Returns the displacements of the internal DoFs, branch after branch, for which no branch carries a
  /// force: those of a structure that has been held at u for a long time. Shapes: u local assembled DoFs
  /// before the enlargement. Collective.
  Vector relaxed(const Vector& u, const Communicator& communicator) const;
};

/// A description with internal DoFs added after its own DoFs.
template <class Engine>
struct ViscoelasticDescription {
  SystemDescription<Engine> description;
  std::vector<InternalDoFs> internal;  ///< one for each part
};

/**
 * Adds internal variables for linear viscoelasticity. Each branch i of a part is a spring g_i K_p in series
 * with a dashpot g_i tau_i K_p. Its internal variable z_i, a field of displacements on the part, is the
 * elongation of the dashpot,
 * @f[ M\ddot u + C\dot u + K u + \sum_i g_i K_p (u - z_i) = f, \qquad \tau_i\,\dot z_i = u - z_i \qquad (1)
 * @f] (generalized Maxwell model). Eliminating z_i gives the hereditary integral
 * @f$ K_p \int g_i e^{-(t-s)/\tau_i}\,\dot u(s)\,ds @f$. The z_i have damping but no mass: they are viscous
 * DoFs, one for each free DoF on which K_p acts. Constrained DoFs of the part count as relaxed.
 *
 * BranchForm::local uses (1), with each row of the second equation multiplied by g_i and the mean norm of
 * its row and column of K_p. C_CC is diagonal, so it is regular also for parts that are not clamped.
 *
 * BranchForm::symmetric multiplies the second equation by g_i K_p, as in the anelastic displacement fields of
 * Lesieutre and Bianchini (1995). Then @f$\frac12 g_i (u-z_i)^T K_p (u-z_i)@f$ is part of the energy
 * 1/2 q^T K q, and every factorization remains symmetric. For slender parts, whose K_p has a large condition
 * number, z_i and its rate lose a corresponding number of digits (u does not). Only u - z_i modulo the rigid
 * motions of the part matters in this form: where K_p is singular on its free DoFs (a part that is not
 * clamped), as many DoFs of z_i are omitted (fixed at zero) as there are rigid motions. This is exact: the
 * forces of a branch do not change when a rigid motion is added to z_i, and the omitted rows follow from the
 * others because these forces are in equilibrium.
 *
 * Numbering: assembled DoFs keep their numbers; the internal ones follow, on each process by part, branch and
 * parent DoF. Labels: component "x, branch 1", node and point of the parent. Collective.
 *
 * @throws InvalidInput if a series is not positive, K_p has another size than K, K_p is zero on all free
 * DoFs, or K_p is not symmetric where the symmetric form is asked for
 * @throws NotAvailable if K_p couples free DoFs to constrained DoFs that move (the branches would need
 * internal variables there, too)
 */
template <class Engine>
ViscoelasticDescription<Engine> with_viscoelastic_branches(
    const SystemDescription<Engine>& description, const std::vector<ViscoelasticPart<Engine>>& parts);

/**
 * Returns the description with a mass matrix in which contact DoFs have no mass: their mass is redistributed
 * over the rest of their bodies (Khenous, Laborde, Renard 2008). With S the contact DoFs and R the other free
 * DoFs of a body,
 * @f[ M^r_{ij} = 0 \ \ (i \in S \text{ or } j \in S), \qquad
 *     M^r_{ij} = M_{ij}\,(1 + a_i^T \Lambda\, a_j) \ \ (i, j \in R), \qquad a = (1, x, y, z), \qquad (1) @f]
 * where Lambda, one small matrix for each body and pair of components, is such that
 * @f[ P^T M^r P = P^T M P \qquad (2) @f]
 * with the fields 1, x, y and z of each component on the free DoFs as columns of P. So the total mass, the
 * centre of mass, the moments of inertia and the kinetic energy of every motion that is affine in space do
 * not change. Among all changes of M within its pattern that satisfy (2), (1) has the least
 * @f$ \sum (M^r_{ij} - M_{ij})^2 / M_{ij} @f$ (where the entries are positive). Khenous et al. minimize the
 * absolute change, which makes the small masses of graded meshes negative first. A lumped mass matrix remains
 * diagonal.
 *
 * Contact DoFs without damping become algebraic, and the reaction of a contact on them is a Lipschitz
 * function of the state: there are no impacts and no coefficient of restitution, and energy is conserved.
 * Contact DoFs with damping become viscous: their contact is a first-order sweeping process. C is not
 * changed; if it contains a multiple of the mass, add the same multiple of the new mass.
 *
 * Constrained DoFs are excluded: contact DoFs among them are ignored, they receive no mass, and (2) concerns
 * only the mass of the free DoFs. Couplings of M between free and constrained DoFs are kept; they are loads
 * of the prescribed motion.
 *
 * Numbering: assembled. Bodies are those of find_bodies(); no mass moves from one body to another. The labels
 * decide which moments can be kept: without components all DoFs count as one field, and without support
 * points (or if some of a component are missing) only the total mass is kept. A symmetric mass matrix is
 * factorized once, to check that the new one is positive semidefinite. Collective: every process gives the
 * same DoFs.
 *
 * @throws InvalidInput if a contact DoF does not exist, the rest of a body is too small to satisfy (2), or
 * M^r would not be positive semidefinite; the message names the DoFs. Otherwise as AssembledSystem
 */
template <class Engine>
SystemDescription<Engine> with_massless_contact(const SystemDescription<Engine>& description,
                                                const std::vector<GlobalIndex>& contact);

/// A term a_ij += value of a matrix. Assembled numbering, 0-based.
struct MatrixEntry {
  GlobalIndex row;
  GlobalIndex column;
  double value;
};

/// The index of the ground, at which one end of an element may be fixed.
constexpr GlobalIndex ground = -1;

/// Adds value (e_a - e_b)(e_a - e_b)^T: a spring, a damper or an inerter between two DoFs, or between a DoF
/// and the ground.
void add_between(std::vector<MatrixEntry>& entries, GlobalIndex a, GlobalIndex b, double value);

/// A spring or damper between two DoFs, or between a DoF and the ground. Its force opposes the elongation x =
/// q_a - q_b and is any function of x and x'. The force is evaluated on the processes that own a or b, its
/// derivatives on all processes, with the same arguments.
struct NonlinearElement {
  using Function = std::function<double(double x, double rate)>;

  GlobalIndex a, b;
  Function force;
  Function stiffness = {};  ///< d force / dx; absent: zero
  /// d force / dx'; if absent, it is zero, and a and b keep their kinds. It is needed if a or b would
  /// otherwise be algebraic, because no force may depend on the rate of an algebraic DoF.
  Function damping = {};
};

/**
 * Elements without a finite-element mesh: springs, dampers, point masses, joints, electric circuits; and the
 * DoFs that they add to the model (the node between a spring and a damper, the charge on an electrode). Every
 * process gives the same elements.
 *
 * @code
 * // A spring and a damper in series between DoF `middle` and the ground: the node between them has no mass.
 * LumpedElements attachment;
 * const GlobalIndex node = n_dofs;
 * attachment.new_dofs = {"joint"};
 * add_between(attachment.stiffness, middle, node, 2e3);
 * add_between(attachment.damping, node, ground, 5.);
 * @endcode
 */
struct LumpedElements {
  std::vector<std::string> new_dofs;  ///< component names; the new DoFs are numbered after the assembled ones
  std::vector<MatrixEntry> mass;
  std::vector<MatrixEntry> damping;
  std::vector<MatrixEntry> stiffness;
  std::vector<NonlinearElement> nonlinear = {};  ///< their sum is added to the state force
};

/**
 * Returns the description with the elements added to its matrices. New DoFs carry no load, and belong to the
 * last process. Numbering: assembled DoFs keep their numbers. Collective.
 * @throws InvalidInput if an index is neither an assembled nor a new DoF, a value is not finite, or processes
 *     give different elements.
 */
template <class Engine>
SystemDescription<Engine> with_lumped_elements(const SystemDescription<Engine>& description,
                                               const LumpedElements& elements);

/**
 * Computes the rigid motions of an elastic body from its support points x: translations e_i, and the small
 * rotations @f$ e_i \times x @f$ (in the plane: about the third axis). No stiffness resists them, so they
 * span the near null space that algebraic multigrid needs. They are zero at DoFs of other components, and
 * rotations are zero at DoFs without support point.
 *
 * @param first_component The first component of the displacement, which has as many as points have
 * coordinates
 * @return local assembled DoFs x 1, 3 or 6, depending on the dimension of the labels; x 0 if there are fewer
 * components
 */
MultiVector rigid_motions(const DoFLabels& labels, Index n_local, Index first_component = 0);

}  // namespace halfdof
