#pragma once

#include <halfdof/assembled/free_system.h>

#include <iosfwd>
#include <string>
#include <vector>

namespace halfdof {

/**
 * Kinds of degrees of freedom, decided by the columns of the assembled matrices alone (Simionatto et al.,
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
  /// A column is null if its 1-norm is at most this times the largest column 1-norm of the same matrix (that
  /// is, of its operator 1-norm). Zero: only a column of exact zeros is null. The entries of a dropped column
  /// take no further part; in a symmetric matrix those of its row neither, so that it stays symmetric.
  double null_tolerance = 0;
  /// A column that is not null, but below this times the largest, is reported as nearly null and kept.
  double nearly_null = 1e-12;
};

/// A column that is tiny, but counts as not null.
struct NearlyNullColumn {
  char matrix;              ///< 'M' or 'C'
  GlobalIndex dof;          ///< assembled index
  double relative_norm;     ///< relative to the largest column 1-norm; the null tolerance that would drop it
  std::string description;  ///< of the DoF
};

/// What there is of them on all processes: the first ones of M, then those of C, and how many.
struct NearlyNullColumns {
  std::vector<NearlyNullColumn> first;
  GlobalIndex n = 0;
};

/**
 * The kinds of all DoFs and their selections J_I, J_C, J_K. Numbering: selections are local positions in
 * *free* numbering; kinds() in local assembled numbering.
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

  /// The nearly null columns of the lowest numbers, on every process: at most ten of M, then ten of C.
  const std::vector<NearlyNullColumn>& nearly_null() const { return nearly_null_.first; }
  /// How many there are on all processes.
  GlobalIndex n_nearly_null() const { return nearly_null_.n; }
  /// Columns that are not exactly zero, but were taken as null because a tolerance was asked for.
  GlobalIndex n_dropped_columns() const { return n_dropped_columns_; }

 private:
  std::vector<DoFKind> kinds_;
  Selection inertial_, viscous_, algebraic_;
  GlobalIndex n_constrained_;
  NearlyNullColumns nearly_null_;
  GlobalIndex n_dropped_columns_;
};

/// One pass over M_ff and C_ff. Collective. @throws InvalidInput if a tolerance is negative, NaN or at least
/// one.
template <class Engine>
Classification classify_dofs(const FreeSystem<Engine>& system, const ClassificationOptions& options = {});

/**
 * Kinds of a system with a StateForce, by the columns of its M and C together with those of the pattern: the
 * same at every state. Collective.
 * @throws InvalidInput if a null tolerance is asked for
 */
template <class Engine>
Classification declared_kinds(const AssembledSystem<Engine>& system,
                              const ClassificationOptions& options = {});

/// 1-norms of the columns of mass and damping, linear and tangent together, the largest of several motions,
/// and the diagonals at the first of them: local free DoFs.
struct ColumnsSoFar {
  bool is_empty = true;  ///< no motion was seen, on any process
  Vector mass, damping;
  Vector first_mass, first_damping;
};

/// @param tangents At a motion of that time @param so_far Of motions before, to which those are added
/// @throws KindChange if the mass of a DoF that was declared inertial, or the damping of one that was
/// declared viscous, is null there, or below 1.5e-8 of what it was: a rate behind a quadratic damper is
/// rounding then; or if its diagonal entry, larger than the rest of the column, has changed its sign: it was
/// null between both motions. Collective.
template <class Engine>
void check_kinds(const AssembledSystem<Engine>& system, const Tangents<Engine>& tangents,
                 const Classification& declared, double time, ColumnsSoFar& so_far);

/// The table: kind, count, by component, first DoFs with label and point; then the warnings. Written by rank
/// 0. Collective.
template <class Engine>
void print(std::ostream& out, const Classification& classification, const AssembledSystem<Engine>& system);

}  // namespace halfdof
