// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/assembled_system.h>

#include <optional>

namespace halfdof {

/// Imaginary parts of the stiffness and of the damping; absent: zero. Shapes: n_dofs() x n_dofs(). A material
/// with the loss factor eta and the stiffness K_p contributes eta K_p to the imaginary stiffness.
template <class Engine>
struct ImaginaryParts {
  std::optional<typename Engine::Matrix> stiffness;  ///< K_i
  std::optional<typename Engine::Matrix> damping;    ///< C_i
};

/**
 * A system with structural (hysteretic) damping, whose dynamic stiffness is
 * @f[ D(s) = s^2 M + s\,(C + i\,C_i) + K + i\,K_i, \qquad s = i\omega,\ \omega > 0. \qquad (1) @f]
 * It describes harmonic motion only: no causal motion in time belongs to it (Crandall 1970). With
 * q = a + i b, it is a real system of twice the size, the *real embedding*,
 * @f[ \begin{pmatrix} M & \\ & M \end{pmatrix}, \quad
 *     \begin{pmatrix} C & -C_i \\ C_i & C \end{pmatrix}, \quad
 *     \begin{pmatrix} K & -K_i \\ K_i & K \end{pmatrix}, \qquad (2) @f]
 * which can be classified, reduced and diagnosed like any other system. A column of it is null if and only if
 * the column of the complex matrix is. Its eigenvalues are those of D and their conjugates. An eigenvector
 * (p; r) of (2) gives the eigenvector p + i r of D, or zero if the eigenvalue belongs to the conjugate of D
 * only. Under a force (f; 0), the response of D at i omega is p + i r.
 *
 * Numbering: the first n_dofs() DoFs of the embedding, on each process the first local ones, are a; the
 * others are b, in the same order. The labels of b say "imaginary part". Cheap to copy.
 *
 * @throws InvalidInput if a matrix has another size than K, or contains NaN or infinity; NotAvailable if the
 * description has loads, prescribed motions or state forces, which are functions of time
 */
template <class Engine>
class StructuralSystem {
 public:
  using Matrix = typename Engine::Matrix;

  /// Collective. @param description The real parts M, C and K, with constraints and labels
  StructuralSystem(const SystemDescription<Engine>& description, const ImaginaryParts<Engine>& imaginary);

  /// M, C and K in the DoFs of the application.
  const AssembledSystem<Engine>& real_part() const { return real_part_; }
  /// The system (2).
  const AssembledSystem<Engine>& embedding() const { return embedding_; }

  GlobalIndex n_dofs() const { return real_part_.n_dofs(); }
  /// The DoF of the embedding that is the imaginary part of a DoF. On one process.
  GlobalIndex imaginary_part(GlobalIndex dof) const { return n_dofs() + dof; }
  /// The DoF of the application to which a DoF of the embedding belongs. On one process.
  GlobalIndex application_dof(GlobalIndex of_embedding) const { return of_embedding % n_dofs(); }

  /// Computes a + i b from vectors of the embedding. Shapes: 2 n_local x k, result n_local x k.
  ComplexMultiVector joined(ConstView<Complex> of_embedding) const;

 private:
  AssembledSystem<Engine> real_part_, embedding_;
};

}  // namespace halfdof
