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

/// One term of a Prony series, which belongs to one Maxwell branch: a spring and a dashpot in series.
struct PronyTerm {
  double g;    ///< stiffness of the branch's spring relative to the long-term stiffness; > 0
  double tau;  ///< relaxation time [s]; > 0
};

/// The terms of @f$ E(t) = E_\infty\,(1 + \sum_i g_i e^{-t/\tau_i}) @f$. One term is the standard linear
/// solid (Zener).
using PronySeries = std::vector<PronyTerm>;

/// Checks a Prony series. @throws InvalidInput if there is no term, or if some g_i or tau_i is not positive
/// and finite
void check_series(const PronySeries& series);

/// The form of the equations of the internal DoFs. The motion of all other DoFs does not depend on it.
enum class BranchForm {
  local,     ///< one scalar equation for each DoF: C_CC is diagonal and regular, but K becomes unsymmetric
  symmetric  ///< equations multiplied by K_p: M, C, K remain symmetric, but C_CC is as ill conditioned as K_p
};

/// A part of the structure that consists of a linear viscoelastic material.
template <class Engine>
struct ViscoelasticPart {
  typename Engine::Matrix stiffness;  ///< K_p: the contribution of the part to the long-term stiffness K
  PronySeries series;
  BranchForm form = BranchForm::local;
};

/// The internal DoFs of one viscoelastic part.
struct InternalDoFs {
  std::vector<Index> parents;  ///< local assembled DoFs on which K_p acts, ascending
  /// The rigid motions of K_p on the parents, whose rows follow the order of `parents`. There are none in the
  /// local form.
  std::shared_ptr<const internal::RigidModes> rigid;
  std::size_t n_branches;
  /// Returns the displacements of the internal DoFs, branch after branch, at which no branch carries a force.
  /// This is the state of a structure that has been held at the displacements u for a long time. Shape: u has
  /// the local assembled DoFs before internal DoFs were added. Collective.
  Vector relaxed(const Vector& u, const Communicator& communicator) const;
};

/// A description in which internal DoFs follow the given DoFs.
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
 * @f] (generalized Maxwell model). Elimination of z_i gives the hereditary integral
 * @f$ K_p \int g_i e^{-(t-s)/\tau_i}\,\dot u(s)\,ds @f$. The z_i have damping but no mass: they are viscous
 * DoFs, one for each free DoF on which K_p acts. At constrained DoFs of the part, z_i = u is assumed.
 *
 * BranchForm::local uses (1), where each row of the second equation is multiplied by g_i and by the mean norm
 * of the corresponding row and column of K_p. C_CC is then diagonal, and regular also for parts that are not
 * clamped.
 *
 * BranchForm::symmetric multiplies the second equation by g_i K_p, as in the anelastic displacement fields of
 * Lesieutre and Bianchini (1995). Then @f$\frac12 g_i (u-z_i)^T K_p (u-z_i)@f$ is part of the energy
 * 1/2 q^T K q, and every factorization remains symmetric. For slender parts, whose K_p has a large condition
 * number, z_i and its rate lose a corresponding number of digits, but u does not. If K_p is singular on its
 * free DoFs (a part that is not clamped), one DoF of z_i is omitted (fixed at zero) for each rigid motion of
 * the part. This omission is exact: a rigid motion added to z_i does not change the forces of the branch, and
 * the omitted rows follow from the other rows because these forces are in equilibrium.
 *
 * Numbering: assembled DoFs keep their numbers, and the internal DoFs follow, on each process in the order of
 * part, branch and parent DoF. Labels: an internal DoF has the component "x, branch 1", and the node and
 * point of its parent. Collective.
 *
 * @throws InvalidInput if a series is empty or not positive, if K_p has another size than K, if K_p is zero
 *     on all free DoFs, or if K_p is not symmetric in the symmetric form
 * @throws NotAvailable if K_p couples free DoFs to constrained DoFs with a prescribed motion, at which the
 *     branches would need internal variables, too
 */
template <class Engine>
ViscoelasticDescription<Engine> with_viscoelastic_branches(
    const SystemDescription<Engine>& description, const std::vector<ViscoelasticPart<Engine>>& parts);

/**
 * Returns the description with a mass matrix M^r in which contact DoFs have no mass. Their mass is
 * redistributed over the other DoFs of the same body (Khenous, Laborde, Renard 2008). With S the contact DoFs
 * and R the other free DoFs of a body,
 * @f[ M^r_{ij} = 0 \ \ (i \in S \text{ or } j \in S), \qquad
 *     M^r_{ij} = M_{ij}\,(1 + a_i^T \Lambda\, a_j) \ \ (i, j \in R), \qquad a = (1, x, y, z), \qquad (1) @f]
 * where a_i are the values of the fields at DoF i. The matrix Lambda, of size 4 x 4 for each body and pair of
 * components, is the solution of
 * @f[ P^T M^r P = P^T M P \qquad (2) @f]
 * with the fields 1, x, y and z of each component on the free DoFs as columns of P. Therefore the total mass,
 * the centre of mass, the moments of inertia and the kinetic energy of every motion that is affine in space
 * do not change. Among all changes of M within its pattern that satisfy (2), the change (1) minimizes
 * @f$ \sum (M^r_{ij} - M_{ij})^2 / M_{ij} @f$ if the entries are positive. Khenous et al. minimize the
 * absolute change instead, with which the small masses of graded meshes become negative more easily. A
 * lumped mass matrix remains diagonal.
 *
 * Contact DoFs without damping become algebraic, and the reaction of a contact on them is a Lipschitz
 * function of the state: there are no impacts and no coefficient of restitution, and energy is conserved.
 * Contact DoFs with damping become viscous: their contact is a first-order sweeping process. C is not
 * changed. If C contains damping proportional to mass, assemble that part of C with the new mass matrix.
 *
 * Constrained DoFs are excluded: contact DoFs among them are ignored, they receive no mass, and (2) concerns
 * only the mass of the free DoFs. Couplings of M between free and constrained DoFs are kept; they are loads
 * of the prescribed motion.
 *
 * Numbering: assembled. Bodies are the connected components of the free DoFs (find_bodies()), and no mass
 * moves from one body to another. The labels decide which moments can be preserved: without components, all
 * DoFs count as one field, and if support points of a component are missing, only its total mass is
 * preserved. If the mass matrix is symmetric, the new mass matrix is factorized once, to check that it is
 * positive semidefinite. Collective: every process gives the same DoFs.
 *
 * @throws InvalidInput if a contact DoF does not exist, if (2) has no solution because a body has too few
 *     other DoFs, if M^r would not be positive semidefinite, or as AssembledSystem; the message names the
 *     DoFs
 */
template <class Engine>
SystemDescription<Engine> with_massless_contact(const SystemDescription<Engine>& description,
                                                const std::vector<GlobalIndex>& contact);

/// A value to be added to the entry a_ij of a matrix. Numbering: assembled, 0-based.
struct MatrixEntry {
  GlobalIndex row;
  GlobalIndex column;
  double value;
};

/// The index of the ground, at which one end of an element may be fixed.
constexpr GlobalIndex ground = -1;

/// Appends the entries of value (e_a - e_b)(e_a - e_b)^T, the matrix of a spring, a damper or an inerter
/// between the DoFs a and b, or between a DoF and the ground.
void add_between(std::vector<MatrixEntry>& entries, GlobalIndex a, GlobalIndex b, double value);

/// A nonlinear spring or damper between two DoFs, or between a DoF and the ground. The force opposes the
/// elongation x = q_a - q_b and is any function of x and x'. It is evaluated on the processes that own a or
/// b. The derivatives of the force are evaluated on all processes with the same arguments.
struct NonlinearElement {
  using Function = std::function<double(double x, double rate)>;

  GlobalIndex a, b;
  Function force;
  Function stiffness = {};  ///< d force / dx; a missing function is zero
  /// d force / dx'. A missing function is zero, and a and b keep their kinds. If the force depends on x' and
  /// a or b would be algebraic without this function, the function must be given, because no force may depend
  /// on the rate of an algebraic DoF.
  Function damping = {};
};

/**
 * Elements without a finite-element mesh: springs, dampers, point masses, joints and electric circuits,
 * together with the DoFs that they add to the model (the node between a spring and a damper, the charge on an
 * electrode). Every process must give the same elements.
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
  std::vector<std::string>
      new_dofs;  ///< component names of the new DoFs, whose numbers follow the assembled DoFs
  std::vector<MatrixEntry> mass;
  std::vector<MatrixEntry> damping;
  std::vector<MatrixEntry> stiffness;
  std::vector<NonlinearElement> nonlinear = {};  ///< nonlinear elements, which are added to the state force
};

/**
 * Returns the description with the elements added to its matrices and to its state force. New DoFs have no
 * load, and the last process owns them. Numbering: assembled DoFs keep their numbers. Collective.
 * @throws InvalidInput if an index is neither an assembled nor a new DoF, if a value is not finite, or if
 *     processes give different elements
 */
template <class Engine>
SystemDescription<Engine> with_lumped_elements(const SystemDescription<Engine>& description,
                                               const LumpedElements& elements);

/**
 * Computes the rigid motions of an elastic body from its support points x: translations e_i, and the small
 * rotations @f$ e_i \times x @f$ (in the plane only the rotation about the third axis). These motions have no
 * strain energy, so that they span the near null space that algebraic multigrid needs. The motions are zero
 * at DoFs of other components, and rotations are zero at DoFs without a support point.
 *
 * @param first_component The first component of the displacement. The number of its components is the
 *     dimension of the labels.
 * @return The motions as columns. Shape: local assembled DoFs x 1, 3 or 6 in one, two or three dimensions, or
 *     x 0 if the labels have too few components
 */
MultiVector rigid_motions(const DoFLabels& labels, Index n_local, Index first_component = 0);

}  // namespace halfdof
