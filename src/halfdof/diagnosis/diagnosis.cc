// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/characteristic_rate.h>
#include <halfdof/diagnosis/diagnosis.h>
#include <halfdof/diagnosis/index_certificate.h>
#include <halfdof/linear_algebra/exact/regularity.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/exact_count.h>
#include <halfdof/reduction/linearized_state_force.h>
#include <halfdof/reduction/singular_elimination.h>
#include <halfdof/reduction/unreduced_system.h>
#include <halfdof/reduction/weierstrass/infinite_staircase.h>
#include <halfdof/reduction/weierstrass/pencil_balance.h>
#include <halfdof/reduction/weierstrass/weierstrass_form.h>

#include <algorithm>
#include <numeric>
#include <ostream>
#include <utility>

namespace halfdof {

using namespace internal;

namespace {

/// The value of lambda in units of a typical rate at which the rank of the pencil is computed. Only by
/// coincidence is it an eigenvalue.
constexpr double generic_shift = 0.7390851332151607;

template <class Engine>
SingularBlock<Engine> pencil_at(const FreeSystem<Engine>& system, double lambda) {
  const auto damped = Engine::sum(lambda, system.C(), 1., system.K());
  std::vector<Index> all(static_cast<std::size_t>(system.dofs().n_local()));
  std::iota(all.begin(), all.end(), 0);
  return {pencil_block, Engine::sum(lambda * lambda, system.M(), 1., damped),
          Selection(std::move(all), system.dofs())};
}

/// Returns the parts in which the pencil is singular, followed by the parts in which D is singular on
/// other DoFs.
std::vector<SingularPart> all_problems(const SingularElimination& pencil,
                                       const SingularElimination& elimination) {
  std::vector<SingularPart> problems = pencil.parts();
  const std::vector<GlobalIndex> named = pencil.dofs();
  for (const SingularPart& part : elimination.parts())
    if (std::find_first_of(part.dofs.begin(), part.dofs.end(), named.begin(), named.end()) == part.dofs.end())
      problems.push_back(part);
  return problems;
}

InfiniteStaircase infinite_staircase_of(const FirstOrderForm& form) {
  const PencilBalance balance = internal::balance(form.E, form.A);
  return infinite_staircase(balance.balanced_E(form.E), balance.balanced_A(form.A),
                            exact_structure(form.E, form.A, largest_exact_structure));
}

Index index_of(const InfiniteStaircase& staircase) {
  return static_cast<Index>(staircase.weyr.size());
}

/// Determines the numbers of eigenvalues and the indices from the ranks of dense first-order forms.
/// @throws AmbiguousRank
template <class Engine>
void count_by_ranks(const FreeSystem<Engine>& system, Diagnosis& diagnosis) {
  const MultiVector M = Engine::to_dense(system.M()), C = Engine::to_dense(system.C()),
                    K = Engine::to_dense(system.K());
  const InfiniteStaircase smallest = infinite_staircase_of(smallest_form(M, C, K)),
                          companion = infinite_staircase_of(companion_form(M, C, K));
  const Index n_more = index_of(companion) - index_of(smallest);
  if (smallest.n_finite() != companion.n_finite() || n_more < 0 || n_more > 1)
    throw AmbiguousRank(
        "The ranks of two first-order forms of the same pencil contradict each other: the "
        "smallest form has " +
            std::to_string(smallest.n_finite()) + " finite eigenvalues and index " +
            std::to_string(index_of(smallest)) + ", the companion form has " +
            std::to_string(companion.n_finite()) + " finite eigenvalues and index " +
            std::to_string(index_of(companion)) + ". Set entries to zero that are only rounding errors.",
        {});
  if (diagnosis.n_finite && *diagnosis.n_finite != smallest.n_finite())
    diagnosis.problems.push_back({"rank",
                                  {},
                                  "the ranks of dense first-order forms give " +
                                      std::to_string(smallest.n_finite()) +
                                      " finite eigenvalues, but the elimination leaves " +
                                      std::to_string(*diagnosis.n_finite) + " states",
                                  "Set entries to zero that are only rounding errors."});
  diagnosis.n_finite = smallest.n_finite();
  diagnosis.n_infinite = 2 * system.dofs().n_global() - smallest.n_finite();
  diagnosis.index = index_of(smallest);
  diagnosis.index_companion = index_of(companion);
  diagnosis.known_by = "the ranks of dense first-order forms";
}

/// Bounds the index by certify_index_two() where ranks do not determine the index.
template <class Engine>
void bound_index(const FreeSystem<Engine>& system, double lambda, const std::string& why_no_ranks,
                 Diagnosis& diagnosis) {
  const IndexCertificate certificate = certify_index_two(system, lambda);
  const std::string missing =
      diagnosis.n_finite ? "the index" : "the number of finite eigenvalues and the index";
  if (certificate.holds) {
    diagnosis.largest_index = 2;
    diagnosis.known_by = certificate.text;
    diagnosis.not_determined = missing + " itself, at most 2: " + why_no_ranks;
  } else {
    diagnosis.not_determined =
        missing + ": " + why_no_ranks +
        ", and Proposition 3.5 (ii) of Dumont et al. does not bound the index, because " + certificate.text;
  }
}

/// Determines the numbers of eigenvalues and the indices from ranks, or bounds the index if the system
/// is too large or a rank is ambiguous.
template <class Engine>
void count_by_ranks_or_bound_index(const FreeSystem<Engine>& system, double lambda, Index max_dense,
                                   Diagnosis& diagnosis) {
  const GlobalIndex n = system.dofs().n_global();
  if (n > max_dense) {
    bound_index(system, lambda,
                "D is singular, and " + std::to_string(n) + " free DoFs are more than the " +
                    std::to_string(max_dense) + " for which ranks of dense matrices are taken",
                diagnosis);
    return;
  }
  try {
    count_by_ranks(system, diagnosis);
  } catch (const AmbiguousRank& error) {
    diagnosis.problems.push_back(
        {"rank", {}, error.what(), "Set entries to zero that are only rounding errors."});
    bound_index(system, lambda, "a rank is ambiguous", diagnosis);
  }
}

/// Compares the number of finite eigenvalues with the exact number for the stored entries of a small
/// system. If the stored entries have more finite eigenvalues, the index is not determined.
template <class Engine>
void compare_with_exact_count(const FreeSystem<Engine>& given, Diagnosis& diagnosis) {
  if (!diagnosis.is_regular || !diagnosis.n_finite) return;
  const std::optional<ExactStructure> exact = exact_structure_of(given);
  if (!exact || !exact->is_regular() || !exact->has_rounded_entries) return;
  diagnosis.n_rounded = std::max<GlobalIndex>(0, exact->n_finite - *diagnosis.n_finite);
  if (diagnosis.n_rounded == 0 || !diagnosis.index) return;
  diagnosis.index_if_infinite = std::exchange(diagnosis.index, std::nullopt);
  diagnosis.index_companion_if_infinite = std::exchange(diagnosis.index_companion, std::nullopt);
  diagnosis.not_determined =
      "the index, because rounding of the entries decides whether " + std::to_string(diagnosis.n_rounded) +
      (diagnosis.n_rounded == 1 ? " eigenvalue is" : " eigenvalues are") + " finite or infinite";
}

/// Returns whether a small system was regular before its entries were rounded.
template <class Engine>
bool is_regular_before_rounding(const FreeSystem<Engine>& system) {
  constexpr GlobalIndex max_dofs = 150;  // some seconds
  return system.dofs().n_global() <= max_dofs &&
         is_regular_to_rounding(Engine::to_dense(system.M()), Engine::to_dense(system.C()),
                                Engine::to_dense(system.K()));
}

/// Returns the value of lambda at which the rank of the pencil is computed [1/s].
template <class Engine>
double generic_lambda(const FreeSystem<Engine>& system) {
  return generic_shift * characteristic_rate(system);
}

/// Completes the diagnosis of a system whose constraints have been eliminated. The number of states is
/// known, and the index is that of the pencil with multipliers.
template <class Engine>
void diagnose_constraints(const ReducedSystem<Engine>& reduced, Index max_dense, Diagnosis& diagnosis) {
  const std::vector<RedundantConstraints>& all = reduced.constraints().redundant;
  const AssembledSystem<Engine>& assembled = reduced.assembled();
  for (const RedundantConstraints& redundant : all) {
    SingularPart remark{"constraints", redundant.dofs,
                        "the constraints of these multipliers depend on each other or follow from others, so "
                        "that nothing determines the multipliers individually",
                        "The motion does not depend on the individual multipliers: the multipliers whose "
                        "forces have the least norm are used. Remove redundant constraints if the "
                        "individual multipliers matter."};
    for (const GlobalIndex dof : redundant.dofs)
      remark.names.push_back(assembled.describe(assembled.dofs().local_index(dof)));
    diagnosis.problems.push_back(std::move(remark));
  }
  diagnosis.is_regular = all.empty();
  if (!diagnosis.is_regular) return;
  const FreeSystem<Engine>& before = reduced.unreduced().system();
  count_by_ranks_or_bound_index(before, generic_lambda(before), max_dense, diagnosis);
}

/// Diagnoses a system reduced by ReductionMethod::automatic instead of the requested method. The result
/// has no value if the automatic method was requested, or if no method suffices.
template <class Engine>
std::optional<Diagnosis> diagnose_by_automatic_method(const AssembledSystem<Engine>& assembled,
                                                      const DiagnosisOptions& options) {
  ReductionOptions reduction = options.reduction;
  if (reduction.method == ReductionMethod::automatic) return std::nullopt;
  reduction.method = ReductionMethod::automatic;
  try {
    return diagnose(ReducedSystem<Engine>(assembled, reduction), options.max_dense);
  } catch (const SingularElimination&) {
    return std::nullopt;
  }
}

/// Diagnoses the linearization at rest, because the kinds of DoFs do not depend on the state. Only null
/// columns of the tangents are eliminated.
template <class Engine>
Diagnosis diagnose_tangents(const LinearizedStateForce<Engine>& at_rest, const SingularElimination& reason,
                            DiagnosisOptions options) {
  options.reduction.method = ReductionMethod::automatic;
  Diagnosis diagnosis = diagnose(at_rest.system.linearized(at_rest.tangents), reason, options);
  diagnosis.method = ReductionMethod::none;
  return diagnosis;
}

void print(std::ostream& out, const SingularPart& problem) {
  out << "Problem, " << problem.block << (problem.names.empty() ? "" : ", ") << list_of(problem.names) << ": "
      << problem.cause << ". " << problem.remedy << '\n';
}

}  // namespace

template <class Engine>
Diagnosis diagnose(const ReducedSystem<Engine>& reduced, Index max_dense) {
  const Classification& kinds = reduced.classification();
  const bool has_algebraic = kinds.n_algebraic() > 0, has_viscous = kinds.n_viscous() > 0;
  Diagnosis diagnosis;
  diagnosis.n_finite = kinds.n_states();
  if (reduced.method() == ReductionMethod::constraints) {
    diagnose_constraints(reduced, max_dense, diagnosis);
  } else if (reduced.method() == ReductionMethod::weierstrass) {
    count_by_ranks_or_bound_index(reduced.unreduced().system(), generic_lambda(reduced.unreduced().system()),
                                  max_dense, diagnosis);
  } else {
    diagnosis.index = has_algebraic ? 1 : 0;
    diagnosis.index_companion = has_algebraic ? 2 : has_viscous ? 1 : 0;
    diagnosis.known_by = "counting the columns of D, which is regular";
  }
  if (diagnosis.is_regular)
    diagnosis.n_infinite = 2 * reduced.unreduced().system().dofs().n_global() - *diagnosis.n_finite;
  diagnosis.method = reduced.method();
  if (!reduced.depends_on_state() && !reduced.unreduced().is_surely_counted())
    compare_with_exact_count(FreeSystem<Engine>(reduced.assembled()), diagnosis);
  return diagnosis;
}

template <class Engine>
Diagnosis diagnose(const AssembledSystem<Engine>& assembled, const SingularElimination& reason,
                   const DiagnosisOptions& options) {
  if (assembled.state_force())
    return diagnose_tangents(state_force_linearized_at_rest(assembled, options.reduction), reason, options);
  if (auto automatic = diagnose_by_automatic_method(assembled, options)) {
    automatic->problems.insert(automatic->problems.begin(), reason.parts().begin(), reason.parts().end());
    return *automatic;
  }
  const FreeSystem<Engine> system(assembled);
  const double lambda = generic_lambda(system);
  Diagnosis diagnosis;
  const Classification kinds = classify_dofs(system, options.reduction.classification);
  const std::optional<ExactStructure> exact = exact_structure_of(system);
  const bool is_exactly_regular = exact && exact->is_regular();
  if (!is_exactly_regular || exact->has_rounded_entries) {
    const auto singular = find_singular(system, kinds, pencil_at(system, lambda),
                                        options.reduction.elimination.condition_limit);
    diagnosis.is_regular =
        exact ? is_exactly_regular && (!singular || is_regular_before_rounding(system)) : !singular;
    if (!diagnosis.is_regular) {
      diagnosis.problems = singular ? all_problems(*singular, reason) : reason.parts();
      return diagnosis;
    }
  }
  diagnosis.problems = reason.parts();
  count_by_ranks_or_bound_index(system, lambda, options.max_dense, diagnosis);
  compare_with_exact_count(system, diagnosis);
  return diagnosis;
}

template <class Engine>
Diagnosis diagnose(const AssembledSystem<Engine>& assembled, const DiagnosisOptions& options) {
  try {
    return diagnose(ReducedSystem<Engine>(assembled, options.reduction), options.max_dense);
  } catch (const SingularElimination& reason) {
    return diagnose(assembled, reason, options);
  }
}

std::ostream& operator<<(std::ostream& out, const Diagnosis& diagnosis) {
  out << "Pencil lambda^2 M + lambda C + K: " << (diagnosis.is_regular ? "regular" : "singular");
  if (diagnosis.n_finite) out << ", " << *diagnosis.n_finite << " finite";
  if (diagnosis.n_infinite) out << " and " << *diagnosis.n_infinite << " infinite";
  if (diagnosis.n_finite) out << " eigenvalues";
  if (diagnosis.n_finite && !diagnosis.is_regular)
    out << " once the multipliers of redundant constraints are determined";
  if (diagnosis.n_rounded > 0)
    out << " (" << diagnosis.n_rounded << " of the infinite eigenvalues "
        << (diagnosis.n_rounded == 1 ? "is" : "are")
        << " finite for the entries as stored, but these entries "
        << "have so many digits that rounding may be the cause)";
  if (diagnosis.index) out << "; index " << *diagnosis.index;
  if (diagnosis.index_companion) out << ", with all rates as states " << *diagnosis.index_companion;
  if (diagnosis.largest_index) out << "; index at most " << *diagnosis.largest_index;
  if (diagnosis.index_if_infinite)
    out << "; if " << (diagnosis.n_rounded == 1 ? "this eigenvalue is" : "these eigenvalues are")
        << " infinite, the index is " << *diagnosis.index_if_infinite << ", with all rates as states "
        << *diagnosis.index_companion_if_infinite;
  out << ".\n";
  if (!diagnosis.known_by.empty())
    out << (diagnosis.index_if_infinite ? "That index is known by " : "Index known by ") << diagnosis.known_by
        << ".\n";
  if (!diagnosis.not_determined.empty()) out << "Not determined: " << diagnosis.not_determined << ".\n";
  out << "Reduction that applies: " << name_of(diagnosis.method) << ".\n";
  for (const SingularPart& problem : diagnosis.problems)
    print(out, problem);
  return out;
}

template Diagnosis diagnose(const ReducedSystem<InstantiatedEngine>&, Index);
template Diagnosis diagnose(const AssembledSystem<InstantiatedEngine>&, const SingularElimination&,
                            const DiagnosisOptions&);
template Diagnosis diagnose(const AssembledSystem<InstantiatedEngine>&, const DiagnosisOptions&);

}  // namespace halfdof
