#pragma once

#include <halfdof/base/errors.h>
#include <halfdof/reduction/reduced_system.h>

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace halfdof {

/**
 * What the equations of a system determine. With @f$ P(\lambda) = \lambda^2 M + \lambda C + K @f$ on the n
 * free DoFs:
 * - the pencil is regular if det P is not zero for all lambda: its pattern, and the rank of P at one random
 *   real lambda decide with probability one;
 * - of its 2 n eigenvalues deg det P are finite;
 * - the index of the half-DoF state (q, v_I), the form that smallest_form() has, and of the companion form
 *   (q, q'), which equals it or is one higher (Dumont et al. 2001, section 3).
 *
 * Where half DoFs can be eliminated (D regular) all of this is known by counting: 2 N_I + N_C finite
 * eigenvalues; index 1 with algebraic DoFs, otherwise 0; with all rates 2, with viscous DoFs alone 1.
 * Otherwise the ranks of dense matrices tell it up to max_dense DoFs, and beyond that certify_index_two()
 * bounds the index.
 */
struct Diagnosis {
  bool is_regular = true;
  /// The weakest one that applies.
  ReductionMethod method = ReductionMethod::none;
  /// Nothing where the pencil is singular, or not_determined says why; but n_finite counts the states that
  /// remain where redundant constraints alone make it singular.
  std::optional<GlobalIndex> n_finite, n_infinite;
  /// Of the infinite ones, how many are finite with the entries as they stand, if these are rounded: a null
  /// column or a kernel that rounding has changed. 0 where that is not known.
  GlobalIndex n_rounded = 0;
  /// Nothing where n_rounded > 0: rounding decides whether those eigenvalues are infinite.
  std::optional<Index> index, index_companion;
  /// index and index_companion with the n_rounded eigenvalues taken as infinite; nothing where there are none
  std::optional<Index> index_if_infinite, index_companion_if_infinite;
  std::optional<Index> largest_index;  ///< of both forms, where it is certified, but not determined
  std::string known_by;  ///< what determined the index, or certified its bound; "" for a singular pencil
  std::string not_determined;  ///< what is missing of a regular pencil, and why
  /// What is wrong: of a singular pencil what makes it so; then what the method that was asked for, or null
  /// columns, leave singular; redundant constraints; ambiguous ranks.
  std::vector<SingularPart> problems;
};

/// Whether the number of states follows from the columns that are not null, none dropped, and a D that is
/// regular without doubt.
template <class Engine>
bool is_surely_counted(const ReducedSystem<Engine>& reduced) {
  return reduced.method() == ReductionMethod::null_columns &&
         reduced.classification().n_dropped_columns() == 0 && !reduced.elimination().is_badly_conditioned();
}

struct DiagnosisOptions {
  /// Free DoFs up to which ranks decide what counting cannot: half a minute for 1000. Ranks that rounding
  /// leaves in doubt are exact up to 500 DoFs, which takes 2 s for 200 DoFs and 43 s for 450.
  Index max_dense = 1000;
  ReductionOptions reduction;
};

/// Of a system whose half DoFs have been eliminated. By null columns the diagnosis costs nothing; otherwise
/// the ranks of small systems are counted. With constraints the index is that of the pencil with multipliers.
/// Collective. @param max_dense as DiagnosisOptions; see there what it costs
template <class Engine>
Diagnosis diagnose(const ReducedSystem<Engine>& reduced, Index max_dense = 300);

/// Of one whose elimination, with these options, was refused; with a StateForce, of its tangents at rest at t
/// = 0. Costs a factorization of P, and up to max_dense DoFs dense work that grows like the cube. Collective.
template <class Engine>
Diagnosis diagnose(const AssembledSystem<Engine>& system, const SingularElimination& reason,
                   const DiagnosisOptions& options = {});

/// Of any system: reduces it, if that can be done. Collective.
template <class Engine>
Diagnosis diagnose(const AssembledSystem<Engine>& system, const DiagnosisOptions& options = {});

/// A few lines: what is known, the reduction that applies, and each problem with its DoFs, cause and remedy.
/// Written by every process that calls.
std::ostream& operator<<(std::ostream& out, const Diagnosis& diagnosis);

}  // namespace halfdof
