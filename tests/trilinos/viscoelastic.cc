// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/builders/model_builders.h>
#include <halfdof/base/errors.h>
#include <halfdof/spectrum/nearest_eigenvalues.h>

#include <Eigen/Dense>
#include <boost/test/unit_test.hpp>

#include "random_systems.h"
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace halfdof;
using namespace halfdof::test;

/// Unit springs between the neighbours of a chain.
MultiVector chain(Index n) {
  MultiVector K = MultiVector::Zero(n, n);
  for (Index i = 0; i + 1 < n; ++i)
    K.block(i, i, 2, 2) += (MultiVector(2, 2) << 1, -1, -1, 1).finished();
  return K;
}

std::vector<std::pair<Layout, BranchForm>> all_cases() {
  std::vector<std::pair<Layout, BranchForm>> cases;
  for (const Layout layout : all_layouts)
    for (const BranchForm form : {BranchForm::local, BranchForm::symmetric})
      cases.emplace_back(layout, form);
  return cases;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(viscoelastic)

BOOST_AUTO_TEST_CASE(a_floating_part_shared_by_the_processes_keeps_its_dynamic_stiffness) {
  const Index n = 9;
  const Complex s(0.3, 2.);
  MultiVector K_p = MultiVector::Zero(n, n);
  K_p.block(2, 2, 5, 5) = chain(5);
  const MultiVector K = random_dense(n, n);
  for (const auto& [layout, form] : all_cases()) {
    const Index n_internal = form == BranchForm::local ? 10 : 8;
    const Partition dofs = partition(n, layout);
    SystemDescription<TrilinosEngine> description;
    description.stiffness = with_stored_zeros(K, dofs);
    const auto large = with_viscoelastic_branches<TrilinosEngine>(
        description, {{with_stored_zeros(K_p, dofs), {{0.5, 0.1}, {2., 3.}}, form}});

    const ComplexMultiVector P = s * TrilinosEngine::to_dense(*large.description.damping) +
                                 TrilinosEngine::to_dense(large.description.stiffness);
    BOOST_TEST_REQUIRE(P.rows() == n + n_internal);
    const ComplexMultiVector Z =
        P.topLeftCorner(n, n) - P.topRightCorner(n, n_internal) *
                                    P.bottomRightCorner(n_internal, n_internal).inverse() *
                                    P.bottomLeftCorner(n_internal, n);
    const ComplexMultiVector expected =
        K + (0.5 * s * 0.1 / (1. + s * 0.1) + 2. * s * 3. / (1. + s * 3.)) * K_p;
    // A Schur complement of ten well-conditioned rows.
    BOOST_TEST((Z - expected).norm() <= 1e-12 * expected.norm());

    const Vector u = local(MultiVector(Vector::LinSpaced(n, 1., 3.).array().square().matrix()), dofs);
    Vector q(large.description.stiffness.rows().n_local());
    q << u, large.internal[0].relaxed(u, dofs.communicator());
    Vector force = Vector::Zero(q.size());
    large.description.stiffness.add_product(1., q, force);
    description.stiffness.add_product(-1., u, force.head(u.size()));
    BOOST_TEST(norm(dofs.communicator(), force) <= 1e-13 * norm(dofs.communicator(), u));
  }
}

BOOST_AUTO_TEST_CASE(tables_by_component_name_branches_that_only_some_processes_have) {
  // Two components in turn; the part touches rows of the first process only, and "y" more often than "x".
  const Index n = 12;
  MultiVector K_p = MultiVector::Zero(n, n);
  K_p.block(1, 1, 3, 3) = chain(3);
  for (const Layout layout : all_layouts) {
    const Partition dofs = partition(n, layout);
    SystemDescription<TrilinosEngine> description;
    description.mass = with_stored_zeros(MultiVector::Identity(n, n), dofs);
    description.stiffness = with_stored_zeros(chain(n) + MultiVector::Identity(n, n), dofs);
    description.labels.component_names = {"x", "y"};
    for (Index i = 0; i < dofs.n_local(); ++i)
      description.labels.component.push_back(static_cast<Index>(dofs.global_index(i) % 2));
    const auto large = with_viscoelastic_branches<TrilinosEngine>(
        description, {{with_stored_zeros(K_p, dofs), {{0.5, 0.1}, {2., 3.}}, BranchForm::local}});
    const std::vector<std::string> expected{"x",           "y",           "x, branch 1",
                                            "y, branch 1", "x, branch 2", "y, branch 2"};
    BOOST_TEST(large.description.labels.component_names == expected, boost::test_tools::per_element());

    const auto reduced = reduce(AssembledSystem<TrilinosEngine>(large.description));
    std::ostringstream summary;
    reduced.print_summary(summary);
    if (dofs.communicator().rank() == 0)
      BOOST_TEST(summary.str().find("x, branch 1 1, y, branch 1 2, x, branch 2 1, y, branch 2 2") !=
                 std::string::npos);
    const ModeTable table = mode_table(reduced, nearest_eigenvalues(reduced, 4));
    const std::vector<std::string> directions{"x", "y"};
    BOOST_TEST(table.directions == directions, boost::test_tools::per_element());
    BOOST_TEST(table.total_mass[0] == n / 2.);
  }
}

BOOST_AUTO_TEST_CASE(processes_that_name_components_differently_are_refused) {
  const Partition dofs = partition(6, Layout::consecutive);
  SystemDescription<TrilinosEngine> description;
  description.stiffness = with_stored_zeros(MultiVector::Identity(6, 6), dofs);
  description.labels.component_names = {"x"};
  description.labels.component.assign(static_cast<std::size_t>(dofs.n_local()), 0);
  if (dofs.communicator().rank() == 1) description.labels.component_names.emplace_back("y");
  const auto construct = [&] { AssembledSystem<TrilinosEngine> system(description); };
  if (dofs.communicator().size() == 1)
    BOOST_CHECK_NO_THROW(construct());
  else
    BOOST_CHECK_EXCEPTION(construct(), InvalidInput, [](const InvalidInput& e) {
      return std::string(e.what()).find("\"x, y\" on process 1") != std::string::npos;
    });
}

BOOST_AUTO_TEST_SUITE_END()
