#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/exact_count.h>
#include <halfdof/reduction/first_order_form.h>

namespace halfdof {

template <class Engine>
std::optional<ExactStructure> exact_structure_of(const FreeSystem<Engine>& system) {
  const Partition& dofs = system.dofs();
  if (dofs.communicator().size() > 1 || dofs.n_global() > exact_structure_limit) return std::nullopt;
  const FirstOrderForm form =
      smallest_form(Engine::to_dense(system.M()), Engine::to_dense(system.C()), Engine::to_dense(system.K()));
  return exact_structure(form.E, form.A);
}

template std::optional<ExactStructure> exact_structure_of(const FreeSystem<InstantiatedEngine>&);

}  // namespace halfdof
