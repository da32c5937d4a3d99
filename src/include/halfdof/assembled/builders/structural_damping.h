// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/assembled_system.h>

#include <optional>

namespace halfdof {

/// Imaginary parts of the stiffness and of the damping. A missing matrix is zero. Shapes: n_dofs() x
/// n_dofs(). A material with the loss factor eta and the stiffness K_p contributes eta K_p to the imaginary
/// stiffness.
template <class Engine>
struct ImaginaryParts {
  std::optional<typename Engine::Matrix> stiffness;  ///< K_i
  std::optional<typename Engine::Matrix> damping;    ///< C_i
};

/**
 * A system with structural (hysteretic) damping, whose dynamic stiffness is
 * @f[ D(s) = s^2 M + s\,(C + i\,C_i) + K + i\,K_i, \qquad s = i\omega,\ \omega > 0. \qquad (1) @f]
 * The system describes harmonic motion only, because it has no causal motion in time (Crandall 1970). With q
 * = a + i b, it is equivalent to a real system of twice the size, the *real embedding* with the matrices
 * @f[ \begin{pmatrix} M & \\ & M \end{pmatrix}, \quad
 *     \begin{pmatrix} C & -C_i \\ C_i & C \end{pmatrix}, \quad
 *     \begin{pmatrix} K & -K_i \\ K_i & K \end{pmatrix}, \qquad (2) @f]
 * which can be classified, reduced and diagnosed like any other system. A column of (2) is null if and only
 * if the corresponding column of the complex matrix is null. The eigenvalues of (2) are the eigenvalues of D
 * and their conjugates. If (p; r) is an eigenvector of (2), then p + i r is an eigenvector of D, or zero if
 * the eigenvalue belongs only to the conjugate of D. If (p; r) is the response of (2) at i omega to the force
 * (f; 0), then p + i r is the response of D to f.
 *
 * Numbering: the first n_dofs() DoFs of the embedding, and on each process the first half of the local DoFs,
 * are a; the other DoFs are b, in the same order, so that DoF n_dofs() + i belongs to DoF i. The component
 * names of b end with "imaginary part". Copying is cheap.
 *
 * @throws InvalidInput if a matrix has another size than K, or contains NaN or infinity; NotAvailable if the
 * description has loads, prescribed motions or state forces, which are functions of time
 */
template <class Engine>
class StructurallyDampedSystem {
 public:
  using Matrix = typename Engine::Matrix;

  /// Constructs the real part and the embedding. Collective.
  /// @param description The real parts M, C and K, with constraints and labels
  StructurallyDampedSystem(const SystemDescription<Engine>& description,
                           const ImaginaryParts<Engine>& imaginary);

  /// Returns the system with the real parts M, C and K, in the DoFs of the application.
  const AssembledSystem<Engine>& real_part() const { return real_part_; }
  /// Returns the real embedding (2).
  const AssembledSystem<Engine>& embedding() const { return embedding_; }

  GlobalIndex n_dofs() const { return real_part_.n_dofs(); }
  /// Returns the DoF of the embedding that is the imaginary part of a DoF.
  GlobalIndex imaginary_part(GlobalIndex dof) const { return n_dofs() + dof; }
  /// Returns the DoF of the application to which a DoF of the embedding belongs.
  GlobalIndex application_dof(GlobalIndex of_embedding) const { return of_embedding % n_dofs(); }

  /// Computes a + i b from vectors of the embedding. Shapes: 2 n_local x k, result n_local x k.
  ComplexMultiVector joined(ConstView<Complex> of_embedding) const;

 private:
  AssembledSystem<Engine> real_part_, embedding_;
};

}  // namespace halfdof
