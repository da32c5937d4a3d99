// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/linear_algebra/exact/exact_spectrum.h>
#include <halfdof/linear_algebra/exact/simple_eigenvalue.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/exact_count.h>
#include <halfdof/reduction/weierstrass/weierstrass_form.h>

#include <algorithm>
#include <vector>

namespace halfdof::internal {

template <class Engine>
std::optional<ExactStructure> exact_structure_of(const FreeSystem<Engine>& system) {
  const Partition& dofs = system.dofs();
  if (dofs.communicator().size() > 1 || dofs.n_global() > exact_structure_limit) return std::nullopt;
  const FirstOrderForm form =
      smallest_form(Engine::to_dense(system.M()), Engine::to_dense(system.C()), Engine::to_dense(system.K()));
  return exact_structure(form.E, form.A);
}

template <class Engine>
std::optional<Complex> eigenvalue_lost_by_elimination(const FreeSystem<Engine>& system,
                                                      GlobalIndex n_states) {
  const MultiVector M = Engine::to_dense(system.M()), C = Engine::to_dense(system.C()),
                    K = Engine::to_dense(system.K());
  auto exact = exact_spectrum(M, C, K);
  if (!exact || !exact->is_regular) return std::nullopt;
  std::vector<ExactRoot>& roots = exact->roots;
  std::sort(roots.begin(), roots.end(),
            [](const ExactRoot& a, const ExactRoot& b) { return std::abs(a.value) > std::abs(b.value); });
  std::vector<Complex> lost;
  auto n_left = exact->n_finite - n_states;
  for (auto root = roots.begin(); root != roots.end() && n_left > 0; n_left -= root++->multiplicity)
    lost.insert(lost.end(), static_cast<std::size_t>(root->multiplicity), root->value);
  const std::vector<Complex> finite = certainly_finite_eigenvalues(M, C, K, lost);
  return finite.empty() ? std::nullopt : std::optional(finite.front());
}

template std::optional<Complex> eigenvalue_lost_by_elimination(const FreeSystem<InstantiatedEngine>&,
                                                               GlobalIndex);
template std::optional<ExactStructure> exact_structure_of(const FreeSystem<InstantiatedEngine>&);

}  // namespace halfdof::internal
