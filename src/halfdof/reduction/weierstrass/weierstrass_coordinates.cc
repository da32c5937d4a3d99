// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/linear_algebra/one_process.h>
#include <halfdof/reduction/weierstrass/weierstrass_coordinates.h>
#include <halfdof/reduction/weierstrass/weierstrass_equations.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace halfdof::internal {

namespace {

/// Returns for each right side b_k the position of the multiplier's equation among the free equations.
template <class Engine>
std::vector<std::optional<Index>> equations_of_right_sides(const AssembledSystem<Engine>& system,
                                                           Index n_right_sides) {
  const std::vector<Index>& free = system.free().local();
  std::vector<std::optional<Index>> equations(static_cast<std::size_t>(n_right_sides));
  for (std::size_t k = 0; k < equations.size(); ++k) {
    const auto place = std::lower_bound(free.begin(), free.end(), system.multipliers().local()[k]);
    if (place != free.end() && *place == system.multipliers().local()[k])
      equations[k] = static_cast<Index>(place - free.begin());
  }
  return equations;
}

std::string text_of(const WeierstrassEquations& equations) {
  std::string text = "The pencil is regular, and its infinite part is deflated: nilpotency index " +
                     std::to_string(equations.nilpotency_index);
  if (equations.L.cols() > 0)
    text += "; loads on " + std::to_string(equations.L.cols()) +
            " combinations of equations must be known with their time derivatives";
  return text + ".";
}

}  // namespace

template <class Engine>
Attempt<WeierstrassCoordinates<Engine>> weierstrass_coordinates(const FreeSystem<Engine>& system,
                                                                const WeierstrassOptions& options) try {
  if (system.dofs().communicator().size() > 1)
    return Refusal(
        NotAvailable("The Weierstrass form is computed with dense matrices on one process only. "
                     "Run the application on one process."));
  const AssembledSystem<Engine>& assembled = system.assembled();
  auto form = std::make_shared<ConstrainedForm<Engine>>();
  form->given = GivenMotion(assembled.prescribed(), assembled.constrained().n_local(),
                            assembled.right_sides(), assembled.multipliers().n_local());
  const WeierstrassEquations equations = weierstrass_equations(
      {Engine::to_dense(system.M()), Engine::to_dense(system.C()), Engine::to_dense(system.K()),
       Engine::to_dense(system.M_constrained()), Engine::to_dense(system.C_constrained()),
       Engine::to_dense(system.K_constrained()),
       equations_of_right_sides(assembled, form->given.n_right_sides())},
      unit_factors(entries_of<Engine>(system.M()), entries_of<Engine>(system.C()),
                   entries_of<Engine>(system.K())),
      form->given, options);

  std::vector<Index> dofs;
  std::vector<DoFKind> of_dofs(static_cast<std::size_t>(assembled.dofs().n_local()), DoFKind::constrained);
  for (std::size_t i = 0; i < equations.places.size(); ++i) {
    dofs.push_back(assembled.free().local()[static_cast<std::size_t>(equations.places[i])]);
    of_dofs[static_cast<std::size_t>(dofs.back())] = equations.kinds[i];
  }
  form->places = Selection(dofs, assembled.dofs());
  const Partition &free = system.dofs(), &coordinates = form->places.partition();
  form->S = matrix_from<Engine>(equations.S, free, coordinates);
  form->X = matrix_from<Engine>(equations.X, free, coordinates);
  form->Z = matrix_from<Engine>(equations.Z, free, coordinates);
  form->M = matrix_from<Engine>(equations.M, coordinates, coordinates);
  form->C = matrix_from<Engine>(equations.C, coordinates, coordinates);
  form->K = matrix_from<Engine>(equations.K, coordinates, coordinates);
  form->offset = equations.offset;
  form->load = equations.load;
  form->S_b = equations.S_b;
  form->rate_rows = equations.rate_rows;
  form->constrained_rates = equations.constrained_rates;
  form->L = equations.L;
  form->is_multiplier.assign(of_dofs.size(), false);
  form->multipliers = [](const Vector& rest) -> Vector { return Vector::Zero(rest.size()); };
  form->residual_weights = [](const MultiVector& w) -> MultiVector {
    return MultiVector::Zero(w.rows(), w.cols());
  };
  form->states = equations.states;
  form->longest_chain = static_cast<int>(equations.nilpotency_index) + 2;

  return WeierstrassCoordinates<Engine>{system.in_coordinates(form),
                                        Classification(std::move(of_dofs), form->places, {}, 0),
                                        text_of(equations)};
} catch (const SingularPencil& reason) {
  return Refusal(reason);
}

template Attempt<WeierstrassCoordinates<InstantiatedEngine>> weierstrass_coordinates(
    const FreeSystem<InstantiatedEngine>&, const WeierstrassOptions&);

}  // namespace halfdof::internal
