#include <halfdof/assembled/characteristic_rate.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/diagnosis.h>
#include <halfdof/reduction/first_order_form.h>
#include <halfdof/reduction/infinite_staircase.h>
#include <halfdof/reduction/singular_elimination.h>

#include <numeric>
#include <ostream>
#include <utility>

namespace halfdof {

namespace {

/// Of the shift, in units of a typical rate: no eigenvalue is likely to be there.
constexpr double random_shift = 0.7390851332151607;

/// What makes P(sigma) singular, if anything.
template <class Engine>
std::optional<SingularElimination> singular_pencil(const FreeSystem<Engine>& system,
                                                   const EliminationOptions& options) {
  const double sigma = random_shift * characteristic_rate(system);
  const auto damped = Engine::sum(sigma, system.C(), 1., system.K());
  std::vector<Index> all(static_cast<std::size_t>(system.dofs().n_local()));
  std::iota(all.begin(), all.end(), 0);
  const SingularBlock<Engine> block{pencil_block, Engine::sum(sigma * sigma, system.M(), 1., damped),
                                    Selection(std::move(all), system.dofs())};
  try {
    factorize_block(system, classify_dofs(system), block, options.factorization, options.condition_limit);
  } catch (const SingularElimination& error) {
    return error;
  }
  return std::nullopt;
}

InfiniteStaircase staircase_of(const FirstOrderForm& form) {
  const PencilBalance balance = halfdof::balance(form.E, form.A);
  return infinite_staircase(balance.balanced_E(form.E), balance.balanced_A(form.A));
}

Index index_of(const InfiniteStaircase& staircase) {
  return static_cast<Index>(staircase.weyr.size());
}

/// By the ranks of dense first-order forms.
template <class Engine>
void count_by_ranks(const FreeSystem<Engine>& system, Diagnosis& diagnosis) {
  const MultiVector M = Engine::to_dense(system.M()), C = Engine::to_dense(system.C()),
                    K = Engine::to_dense(system.K());
  try {
    const InfiniteStaircase smallest = staircase_of(smallest_form(M, C, K));
    diagnosis.n_finite = smallest.n_finite();
    diagnosis.n_infinite = 2 * system.dofs().n_global() - smallest.n_finite();
    diagnosis.index = index_of(smallest);
    diagnosis.method = ReductionMethod::weierstrass;
    diagnosis.index_companion = index_of(staircase_of(companion_form(M, C, K)));
  } catch (const AmbiguousRank& error) {
    diagnosis.problems.push_back({"rank", {}, error.what(), "Correct what is tiny, but not zero."});
  }
}

}  // namespace

template <class Engine>
Diagnosis diagnose(const ReducedSystem<Engine>& reduced) {
  const Classification& kinds = reduced.classification();
  const bool has_algebraic = kinds.n_algebraic() > 0, has_viscous = kinds.n_viscous() > 0;
  Diagnosis diagnosis;
  diagnosis.method = reduced.method();
  diagnosis.n_finite = kinds.n_states();
  diagnosis.n_infinite = 2 * reduced.before().dofs().n_global() - kinds.n_states();
  if (reduced.method() == ReductionMethod::constraints) {
    Diagnosis of_multipliers;
    if (2 * reduced.before().dofs().n_global() <= DiagnosisOptions().max_dense &&
        reduced.constraints().redundant.empty())
      count_by_ranks(reduced.before(), of_multipliers);
    diagnosis.index = of_multipliers.index;
    diagnosis.index_companion = of_multipliers.index_companion;
    for (const RedundantConstraints& redundant : reduced.constraints().redundant)
      diagnosis.problems.push_back(
          {"constraints", redundant.dofs,
           redundant.text + ", so that nothing determines their single multipliers",
           "Remove what is redundant; until then multipliers of least norm are taken."});
    diagnosis.is_regular = diagnosis.problems.empty();
    return diagnosis;
  }
  diagnosis.index = has_algebraic ? 1 : 0;
  diagnosis.index_companion = has_algebraic ? 2 : has_viscous ? 1 : 0;
  return diagnosis;
}

template <class Engine>
Diagnosis diagnose(const AssembledSystem<Engine>& assembled, const SingularElimination& reason,
                   const DiagnosisOptions& options) {
  const FreeSystem<Engine> system(assembled);
  Diagnosis diagnosis;
  if (const auto singular = singular_pencil(system, options.elimination)) {
    diagnosis.is_regular = false;
    diagnosis.problems = singular->parts();
    diagnosis.explanation = singular->what();
    return diagnosis;
  }
  diagnosis.problems = reason.parts();
  diagnosis.explanation = reason.what();
  if (system.dofs().n_global() <= options.max_dense) count_by_ranks(system, diagnosis);
  return diagnosis;
}

std::ostream& operator<<(std::ostream& out, const Diagnosis& diagnosis) {
  out << "Pencil lambda^2 M + lambda C + K: " << (diagnosis.is_regular ? "regular" : "singular");
  if (diagnosis.n_finite)
    out << ", " << *diagnosis.n_finite << " finite and " << *diagnosis.n_infinite << " infinite eigenvalues";
  if (diagnosis.index) out << "; index " << *diagnosis.index;
  if (diagnosis.index_companion) out << ", with all rates as states " << *diagnosis.index_companion;
  return out << ".\nReduction that applies: " << name_of(diagnosis.method) << ".\n";
}

template Diagnosis diagnose(const ReducedSystem<InstantiatedEngine>&);
template Diagnosis diagnose(const AssembledSystem<InstantiatedEngine>&, const SingularElimination&,
                            const DiagnosisOptions&);

}  // namespace halfdof
