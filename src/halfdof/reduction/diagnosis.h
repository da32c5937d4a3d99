#pragma once

#include <halfdof/base/errors.h>
#include <halfdof/reduction/reduced_system.h>

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace halfdof {

/**
 * What the equations of a system determine. With @f$ P(\lambda) = \lambda^2 M + \lambda C + K @f$ on the n free
 * DoFs:
 * - the pencil is regular if det P is not zero for all lambda: the rank of P at one random real lambda decides
 *   with probability one;
 * - of its 2 n eigenvalues deg det P are finite;
 * - the index of the half-DoF state (q, v_I), the form that smallest_form() has, and of the companion form
 *   (q, q'), which equals it or is one higher (Dumont et al. 2001, section 3).
 *
 * Where half DoFs can be eliminated (D regular) all of this is known by counting: 2 N_I + N_C finite
 * eigenvalues; index 1 with algebraic DoFs, otherwise 0; with all rates 2, with viscous DoFs alone 1.
 */
struct Diagnosis {
  bool is_regular = true;
  ReductionMethod method = ReductionMethod::none;
  /// Nothing where the pencil is singular, larger than DiagnosisOptions::max_dense, or a rank is ambiguous.
  std::optional<GlobalIndex> n_finite, n_infinite;
  std::optional<Index> index, index_companion;
  /// What is wrong: of a singular pencil the DoFs that nothing determines, otherwise what keeps null columns
  /// from being eliminated, and ambiguous ranks.
  std::vector<SingularPart> problems;
  std::string explanation;  ///< of a singular pencil, in words; or of the elimination that was refused
};

struct DiagnosisOptions {
  Index max_dense = 1000;  ///< free DoFs up to which ranks decide what counting cannot
  EliminationOptions elimination;
};

/// Of a system whose half DoFs have been eliminated.
template <class Engine>
Diagnosis diagnose(const ReducedSystem<Engine>& reduced);

/// Of one whose elimination was refused. Costs a factorization of P, and up to max_dense DoFs dense work that
/// grows like the cube. Collective.
template <class Engine>
Diagnosis diagnose(const AssembledSystem<Engine>& system, const SingularElimination& reason,
                   const DiagnosisOptions& options = {});

/// Two or three lines. Written by every process that calls.
std::ostream& operator<<(std::ostream& out, const Diagnosis& diagnosis);

}  // namespace halfdof
