#pragma once

#include <halfdof/assembled/assembled_system.h>

#include <optional>
#include <string>
#include <vector>

namespace halfdof {

/**
 * Constraints @f$ A_1 \dot q + A_2 q = b(t) @f$ beside M, C and K: rigid links, gears, rolling without slip.
 * A row without rates constrains displacements; one with rates, rates alone (displacements drift as it says).
 */
template <class Engine>
struct ConstraintsBeside {
  using Matrix = typename Engine::Matrix;

  std::optional<Matrix> rate;      ///< A_1; absent: zero. Shape: rows x assembled DoFs
  std::optional<Matrix> position;  ///< A_2; absent: zero. Shape: rows x assembled DoFs
  Vector constant;                 ///< a part of b that never changes; empty: zero
  /// b(t) with the derivatives that are needed: one more than the rows have where a constraint on rates meets
  /// mass, two more for one on displacements. Absent: zero.
  PrescribedMotion right_side;
  std::vector<std::string> names;  ///< one for each row, for messages; empty: "multiplier, constraint i"
};

/**
 * The description with constraints, each with a multiplier as a further DoF behind the assembled ones,
 * @f[ \begin{bmatrix} M & \\ & 0 \end{bmatrix} \begin{bmatrix} \ddot q \\ \ddot\mu \end{bmatrix} +
 *     \begin{bmatrix} C & \\ A_1 & 0 \end{bmatrix} \begin{bmatrix} \dot q \\ \dot\mu \end{bmatrix} +
 *     \begin{bmatrix} K & B^T \\ A_2 & 0 \end{bmatrix} \begin{bmatrix} q \\ \mu \end{bmatrix} =
 *     \begin{bmatrix} f \\ b \end{bmatrix}, @f]
 * with the row of A_1 in B where it has entries on free DoFs, otherwise that of A_2, so that reactions do
 * no work on motions that the constraint allows. Where rows of B depend on each other on the free DoFs, and
 * the same combination of the rows on rates leaves a constraint on displacements, the row of this hidden
 * constraint takes the place in B of the row with the largest part in the combination (its weight times the
 * norm of its direction on free DoFs; of equal ones the first), in which that row has the weight one: the
 * hidden constraint has a reaction like any other. The reactions on the structure are
 * @f$ -B^T \mu @f$. reduce() eliminates them (ConstraintCoordinates), but not beside a StateForce. Numbering:
 * assembled DoFs keep theirs, row i becomes DoF n_dofs + i.
 *
 * @throws InvalidInput if shapes differ, an entry is not finite, a row is zero or acts on constrained DoFs
 * alone, or derivatives of b were given without b; NotAvailable on several processes
 */
template <class Engine>
SystemDescription<Engine> with_constraints(const SystemDescription<Engine>& description,
                                           const ConstraintsBeside<Engine>& constraints);

}  // namespace halfdof
