// SPDX-License-Identifier: LGPL-2.1-or-later
// Explicit forms, outputs and consistent states are whole on every process and do not depend on who owns
// what.
#include <halfdof/assembled/free_system.h>
#include <halfdof/base/errors.h>
#include <halfdof/reduction/consistent_state.h>
#include <halfdof/reduction/dense_form.h>
#include <halfdof/reduction/state_space.h>

#include <boost/test/unit_test.hpp>

#include "eigen_systems.h"
#include "trilinos/random_systems.h"
#include <algorithm>
#include <cmath>
#include <numeric>

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

namespace {

constexpr Index n = 14;
const std::vector<GlobalIndex> constrained = {9, 3};

DenseSystem dense_system() {
  return random_unsymmetric(5, 4, 5, 17);
}

/// The same model on either engine: a load, two moving constrained DoFs.
template <class Engine>
SystemDescription<Engine> with_loads(SystemDescription<Engine> description, const Partition& dofs) {
  const auto owned = [dofs](double scale) -> TimeFunction {
    return [dofs, scale](double t) -> Vector {
      Vector f(dofs.n_local());
      for (Index i = 0; i < f.size(); ++i)
        f[i] = scale * std::sin(t + static_cast<double>(dofs.global_index(i)));
      return f;
    };
  };
  description.load = owned(1);
  for (const GlobalIndex dof : constrained)
    if (const Index local = dofs.local_index(dof); local >= 0) description.constrained.push_back(local);
  const auto moved = [dofs](double scale, const std::vector<Index>& listed) -> TimeFunction {
    return [=](double t) -> Vector {
      Vector q(static_cast<Eigen::Index>(listed.size()));
      for (std::size_t i = 0; i < listed.size(); ++i)
        q[static_cast<Eigen::Index>(i)] = scale * (t + static_cast<double>(dofs.global_index(listed[i])));
      return q;
    };
  };
  description.prescribed = {moved(0.1, description.constrained), moved(0.2, description.constrained),
                            moved(0.3, description.constrained)};
  return description;
}

ReducedSystem<EigenEngine> on_one_machine() {
  const DenseSystem dense = dense_system();
  SystemDescription<EigenEngine> description;
  description.mass = matrix_of<EigenEngine>(dense.M);
  description.damping = matrix_of<EigenEngine>(dense.C);
  description.stiffness = matrix_of<EigenEngine>(dense.K);
  return reduce(AssembledSystem<EigenEngine>(with_loads(std::move(description), Partition(n))));
}

ReducedSystem<TrilinosEngine> distributed(const Partition& dofs) {
  const DenseSystem dense = dense_system();
  SystemDescription<TrilinosEngine> description;
  description.mass = with_stored_zeros(dense.M, dofs);
  description.damping = with_stored_zeros(dense.C, dofs);
  description.stiffness = with_stored_zeros(dense.K, dofs);
  return reduce(AssembledSystem<TrilinosEngine>(with_loads(std::move(description), dofs)));
}

/// What state i is: twice its DoF, plus one for a rate.
template <class Engine>
std::vector<Index> meaning_of_states(const ReducedSystem<Engine>& reduced) {
  const auto& dofs = reduced.assembled().dofs();
  Vector displacement(dofs.n_local()), rate(dofs.n_local());
  for (Index i = 0; i < dofs.n_local(); ++i) {
    displacement[i] = 2. * static_cast<double>(dofs.global_index(i));
    rate[i] = displacement[i] + 1;
  }
  const MultiVector all = gather_rows(reduced.states(), reduced.restrict(displacement, rate));
  std::vector<Index> meaning;
  for (Index i = 0; i < all.rows(); ++i)
    meaning.push_back(static_cast<Index>(all(i, 0)));
  return meaning;
}

/// The state that stands in place `meaning` of an order sorted by meaning.
std::vector<Index> sorted_by(const std::vector<Index>& meaning) {
  std::vector<Index> order(meaning.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](Index a, Index b) {
    return meaning[static_cast<std::size_t>(a)] < meaning[static_cast<std::size_t>(b)];
  });
  return order;
}

const Vector initial_displacement = RandomNumbers(1).matrix(n, 1);
const Vector initial_rate = RandomNumbers(2).matrix(n, 1);

// Two direct solvers on random matrices of order 12, whose condition numbers stay below 1e4.
constexpr double tolerance = 1e-10;

}  // namespace

BOOST_AUTO_TEST_SUITE(state_space_forms)

BOOST_AUTO_TEST_CASE(state_and_input_matrices_are_those_of_one_machine_but_for_the_order_of_states) {
  const auto one = on_one_machine();
  const std::vector<Index> order = sorted_by(meaning_of_states(one));
  const MultiVector A = dense_state_matrix(one)(order, order), B = dense_input_matrix(one)(order, Eigen::all);
  for (const Layout layout : all_layouts) {
    const auto reduced = distributed(partition(n, layout));
    const std::vector<Index> here = sorted_by(meaning_of_states(reduced));
    const MultiVector A_here = dense_state_matrix(reduced)(here, here);
    const MultiVector B_here = dense_input_matrix(reduced)(here, Eigen::all);
    BOOST_TEST((A_here - A).norm() <= tolerance * A.norm());
    BOOST_TEST((B_here - B).norm() <= tolerance * B.norm());
  }
}

BOOST_AUTO_TEST_CASE(outputs_are_those_of_one_machine) {
  const auto one = on_one_machine();
  std::vector<Output> outputs;
  for (GlobalIndex i = 0; i < n; ++i)
    outputs.push_back({OutputQuantity::displacement, i});
  for (const Index i : one.classification().viscous().local())
    outputs.push_back({OutputQuantity::rate, one.free().assembled_index(i)});
  for (const GlobalIndex dof : constrained)
    outputs.push_back({OutputQuantity::reaction, dof});
  const OutputMap<EigenEngine> map(one, outputs);
  const Vector z = map.evaluate({0.4, one.restrict(initial_displacement, initial_rate)});
  for (const Layout layout : all_layouts) {
    const Partition dofs = partition(n, layout);
    const auto reduced = distributed(dofs);
    const OutputMap<TrilinosEngine> here(reduced, outputs);
    const State state{0.4, reduced.restrict(local(initial_displacement, dofs), local(initial_rate, dofs))};
    BOOST_TEST((here.evaluate(state) - z).norm() <= tolerance * z.norm());
    BOOST_TEST((here.feed_through() - map.feed_through()).norm() <= tolerance * map.feed_through().norm());
  }
}

BOOST_AUTO_TEST_CASE(the_report_of_changed_initial_values_is_the_same_on_every_process) {
  const ConsistentState one = consistent_state(on_one_machine(), initial_displacement, initial_rate, 0.4);
  for (const Layout layout : all_layouts) {
    const Partition dofs = partition(n, layout);
    const ConsistentState here = consistent_state(distributed(dofs), local(initial_displacement, dofs),
                                                  local(initial_rate, dofs), 0.4);
    BOOST_TEST(here.report.n_changed == one.report.n_changed);
    BOOST_REQUIRE_EQUAL(here.report.largest.size(), one.report.largest.size());
    for (std::size_t i = 0; i < one.report.largest.size(); ++i) {
      BOOST_TEST(here.report.largest[i].dof == one.report.largest[i].dof);
      BOOST_TEST(here.report.largest[i].quantity == one.report.largest[i].quantity);
      BOOST_TEST(here.report.largest[i].given == one.report.largest[i].given);
      BOOST_TEST(std::abs(here.report.largest[i].consistent - one.report.largest[i].consistent) <=
                 tolerance * (1 + std::abs(one.report.largest[i].consistent)));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_mistake_on_one_process_is_refused_on_all) {
  const Partition dofs = partition(n, Layout::consecutive);
  const auto reduced = distributed(dofs);
  Vector broken = local(initial_displacement, dofs);
  if (dofs.communicator().rank() == dofs.communicator().size() - 1) broken[0] = std::nan("");
  BOOST_CHECK_THROW(consistent_state(reduced, broken, local(initial_rate, dofs)), InvalidInput);
}

BOOST_AUTO_TEST_SUITE_END()
