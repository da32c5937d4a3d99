// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/assembled_system.h>

#include <iosfwd>
#include <string>
#include <vector>

namespace halfdof::internal {

template <class Engine>
class FreeSystem;

}  // namespace halfdof::internal

namespace halfdof {

/**
 * Kinds of degrees of freedom, which depend only on the columns of the assembled matrices (Simionatto et al.,
 * section 2).
 *
 * | kind | M(:,j) | C(:,j) | state variables |
 * |---|---|---|---|
 * | inertial | not null | any | displacement and velocity |
 * | viscous | null | not null | displacement |
 * | algebraic | null | null | none |
 * | constrained | - | - | none |
 *
 * A half degree of freedom is a viscous or an algebraic one.
 */
enum class DoFKind : unsigned char { inertial, viscous, algebraic, constrained };

const char* name_of(DoFKind kind);

struct ClassificationOptions {
  /// A column is null if its 1-norm is at most this fraction of the largest column 1-norm of the same matrix
  /// (which is its operator 1-norm). Zero: only columns of exact zeros are null. The entries of a dropped
  /// column are replaced by zeros; in a symmetric matrix those of its row, too, so that it remains symmetric.
  double null_tolerance = 0;
  /// A column that is not null, but below this fraction of the largest, is reported as nearly null and kept.
  double nearly_null = 1e-12;
};

/// A column of M or C that is tiny, but counts as not null.
struct NearlyNullColumn {
  char matrix;              ///< 'M' or 'C'
  GlobalIndex dof;          ///< assembled index
  double relative_norm;     ///< 1-norm relative to the largest column 1-norm of the matrix; a null tolerance
                            ///< of at least this value drops the column
  std::string description;  ///< description of the DoF in messages
};

/// The nearly null columns on all processes. `first` describes those with the lowest DoF numbers, a limited
/// number for each matrix: first those of M, then those of C. `n` counts all of them.
struct NearlyNullColumns {
  std::vector<NearlyNullColumn> first;
  GlobalIndex n = 0;
};

/**
 * The kinds of all DoFs and the selections J_I, J_C, J_K of inertial, viscous and algebraic DoFs.
 * Numbering: selections contain local positions in *free* numbering; kinds() is in local assembled
 * numbering.
 */
class Classification {
 public:
  Classification(std::vector<DoFKind> kinds, const Selection& free, NearlyNullColumns nearly_null,
                 GlobalIndex n_dropped_columns);

  const std::vector<DoFKind>& kinds() const { return kinds_; }
  DoFKind kind(Index local_assembled) const { return kinds_[static_cast<std::size_t>(local_assembled)]; }

  const Selection& inertial() const { return inertial_; }
  const Selection& viscous() const { return viscous_; }
  const Selection& algebraic() const { return algebraic_; }

  GlobalIndex n_inertial() const { return inertial_.n_global(); }
  GlobalIndex n_viscous() const { return viscous_.n_global(); }
  GlobalIndex n_algebraic() const { return algebraic_.n_global(); }
  GlobalIndex n_constrained() const { return n_constrained_; }
  /// N_s = 2 N_I + N_C.
  GlobalIndex n_states() const { return 2 * n_inertial() + n_viscous(); }

  /// The nearly null columns with the lowest DoF numbers, on every process: at most ten of M, then ten of C.
  const std::vector<NearlyNullColumn>& nearly_null() const { return nearly_null_.first; }
  /// The number of nearly null columns on all processes.
  GlobalIndex n_nearly_null() const { return nearly_null_.n; }
  /// The number of columns that are not exactly zero, but null by the tolerance.
  GlobalIndex n_dropped_columns() const { return n_dropped_columns_; }

 private:
  std::vector<DoFKind> kinds_;
  Selection inertial_, viscous_, algebraic_;
  GlobalIndex n_constrained_;
  NearlyNullColumns nearly_null_;
  GlobalIndex n_dropped_columns_;
};

/// Classifies the DoFs in one pass over M_ff and C_ff. Collective. @throws InvalidInput if a tolerance is
/// negative, NaN or at least one.
template <class Engine>
Classification classify_dofs(const internal::FreeSystem<Engine>& system,
                             const ClassificationOptions& options = {});

/**
 * Returns the kinds for a system with a StateForce. They follow from the columns of M and C together with
 * those of the pattern, and are the same at every state. Collective.
 * @throws InvalidInput if a null tolerance is given
 */
template <class Engine>
Classification declared_kinds(const AssembledSystem<Engine>& system,
                              const ClassificationOptions& options = {});

/// Columns of mass and damping (linear and tangent together) at the motions checked so far, on local free
/// DoFs: the largest 1-norm of each column, and the diagonal entries at the first motion.
struct ColumnHistory {
  bool is_empty = true;  ///< whether no motion has been checked, on any process
  Vector mass, damping;
  Vector first_mass, first_damping;
};

/// Checks that the tangents at a motion do not change the kinds of the DoFs. The mass column of a DoF
/// declared inertial, or the damping column of a DoF declared viscous, must not be null, or smaller
/// than 1.5e-8 of its previous size (for example, the damping by a quadratic damper is proportional to
/// the rate, and a rate this small is only rounding). The diagonal entry of the column, if this entry
/// is larger than the rest of the column, must not change its sign, because the column would have been
/// null in between. Collective.
/// @param tangents The tangents at a motion at this time @param so_far The columns at previous motions;
/// those of this motion are added
/// @throws KindChange if a check fails
template <class Engine>
void check_kinds(const AssembledSystem<Engine>& system, const Tangents<Engine>& tangents,
                 const Classification& declared, double time, ColumnHistory& so_far);

/// Prints a table with kind, count, count by component, and first DoFs with label and point; then
/// warnings. Rank 0 writes the text. Collective.
template <class Engine>
void print(std::ostream& out, const Classification& classification, const AssembledSystem<Engine>& system);

}  // namespace halfdof
