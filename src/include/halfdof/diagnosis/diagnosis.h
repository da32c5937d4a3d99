// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/errors.h>
#include <halfdof/reduction/reduced_system.h>

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace halfdof {

/**
 * The properties of the equations of a system. With @f$ P(\lambda) = \lambda^2 M + \lambda C + K @f$ on the n
 * free DoFs:
 * - the pencil is regular if det P is not zero for all lambda: its pattern, and the rank of P at one random
 *   real lambda decide this with probability one;
 * - of its 2 n eigenvalues, deg det P are finite;
 * - the index is that of the first-order form smallest_form() with the states (q, v_I). The index of
 * the companion form (q, q') is equal or one higher (Dumont et al. 2001, section 3).
 *
 * If half DoFs can be eliminated (D regular), all of these follow by counting: there are 2 N_I + N_C finite
 * eigenvalues; the index is 1 with algebraic DoFs, otherwise 0; the index of the companion form is 2 with
 * algebraic DoFs, 1 with viscous DoFs only, otherwise 0. If D is singular, they follow from ranks of dense
 * matrices up to max_dense DoFs; for larger systems certify_index_two() bounds the index.
 */
struct Diagnosis {
  bool is_regular = true;
  /// The first method that applies, in the order of ReductionMethod: null columns, kernels, constraints,
  /// Weierstrass form.
  ReductionMethod method = ReductionMethod::none;
  /// Numbers of finite and infinite eigenvalues. They have no values if the pencil is singular, or if
  /// they were not determined (see not_determined). Exception: if only redundant constraints make the
  /// pencil singular, n_finite is the number of states that remain.
  std::optional<GlobalIndex> n_finite, n_infinite;
  /// Number of infinite eigenvalues that are finite for the entries as stored, because rounding of the
  /// entries has changed a null column or a kernel; 0 if this number is not known.
  GlobalIndex n_rounded = 0;
  /// Indices of the pencil and of its companion form. They have no values if n_rounded > 0, because
  /// then rounding decides whether n_rounded eigenvalues are infinite.
  std::optional<Index> index, index_companion;
  /// The values of index and index_companion if the n_rounded eigenvalues count as infinite; no values
  /// if n_rounded = 0.
  std::optional<Index> index_if_infinite, index_companion_if_infinite;
  std::optional<Index> largest_index;  ///< certified upper bound of both indices, if the index was not
                                       ///< determined
  std::string known_by;  ///< how the index was determined or its bound certified; "" for a singular pencil
  std::string not_determined;  ///< properties of a regular pencil that were not determined, and why
  /// The causes of a singular pencil; then the causes of a singular D for the requested method, or for
  /// null columns; redundant constraints; ambiguous ranks.
  std::vector<SingularPart> problems;
};

struct DiagnosisOptions {
  /// Largest number of free DoFs for which ranks are computed where counting does not suffice: half a minute
  /// for 1000 DoFs. Ranks that rounding leaves ambiguous are computed exactly up to 500 DoFs, which takes 2 s
  /// for 200 DoFs and 43 s for 450.
  Index max_dense = 1000;
  ReductionOptions reduction;
};

/// Diagnoses a system whose half DoFs have been eliminated. For null columns this costs nothing; otherwise
/// the ranks of small systems are computed. With constraints the index is that of the pencil with
/// multipliers. Collective. @param max_dense As in DiagnosisOptions, which also states the cost
template <class Engine>
Diagnosis diagnose(const ReducedSystem<Engine>& reduced, Index max_dense = 300);

/// Diagnoses a system whose elimination with these options was refused; with a StateForce, its tangents at
/// rest at t = 0. Costs a factorization of P, and up to max_dense DoFs dense work that grows with the cube of
/// their number. Collective.
template <class Engine>
Diagnosis diagnose(const AssembledSystem<Engine>& system, const SingularElimination& reason,
                   const DiagnosisOptions& options = {});

/// Reduces a system with these options if that is possible, and diagnoses it. Collective.
template <class Engine>
Diagnosis diagnose(const AssembledSystem<Engine>& system, const DiagnosisOptions& options = {});

/// Prints a few lines: the properties, the reduction that applies, and each problem with its DoFs,
/// cause and remedy. Every process that calls the operator writes the lines.
std::ostream& operator<<(std::ostream& out, const Diagnosis& diagnosis);

}  // namespace halfdof
