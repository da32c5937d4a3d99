// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/builders/model_builders.h>
#include <halfdof/base/errors.h>

#include <boost/test/unit_test.hpp>

#include "eigen_systems.h"
#include <limits>

using namespace halfdof;

namespace {

/// A mass m = 2 on a spring of stiffness 8, with a load of 3.
SystemDescription<EigenEngine> oscillator() {
  SystemDescription<EigenEngine> description;
  description.mass = test::matrix_of<EigenEngine>(MultiVector::Constant(1, 1, 2.));
  description.stiffness = test::matrix_of<EigenEngine>(MultiVector::Constant(1, 1, 8.));
  description.load = [](double) { return Vector(Vector::Constant(1, 3.)); };
  return description;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(lumped_elements)

BOOST_AUTO_TEST_CASE(a_spring_and_a_damper_in_series_bring_a_node_without_mass) {
  LumpedElements attachment;
  attachment.new_dofs = {"joint"};
  add_between(attachment.stiffness, 0, 1, 5.);
  add_between(attachment.damping, 1, ground, 7.);
  const auto enlarged = with_lumped_elements(oscillator(), attachment);

  MultiVector M(2, 2), C(2, 2), K(2, 2);
  M << 2, 0, 0, 0;
  C << 0, 0, 0, 7;
  K << 13, -5, -5, 5;
  BOOST_TEST((EigenEngine::to_dense(*enlarged.mass) == M));
  BOOST_TEST((EigenEngine::to_dense(*enlarged.damping) == C));
  BOOST_TEST((EigenEngine::to_dense(enlarged.stiffness) == K));
  BOOST_TEST((enlarged.load(0.) == Vector(Vector::Unit(2, 0) * 3)));
  BOOST_TEST((AssembledSystem<EigenEngine>(enlarged).describe(1) == "DoF 1 (joint)"));
}

BOOST_AUTO_TEST_CASE(labels_that_exist_are_continued) {
  auto description = oscillator();
  description.labels.component_names = {"x"};
  description.labels.component = {0};
  description.labels.node = {4};
  LumpedElements circuit;
  circuit.new_dofs = {"charge", "voltage"};
  circuit.damping = {{1, 1, 50.}};
  circuit.stiffness = {{1, 2, 1.}, {2, 1, -1.}};  // unsymmetric on purpose
  const AssembledSystem<EigenEngine> system(with_lumped_elements(description, circuit));
  BOOST_TEST((system.describe(0) == "DoF 0 (node 4, x)"));
  BOOST_TEST((system.describe(2) == "DoF 2 (voltage)"));
  BOOST_TEST((EigenEngine::to_dense(system.K())(1, 2) == 1.));
  BOOST_TEST((EigenEngine::to_dense(system.K())(2, 1) == -1.));
}

BOOST_AUTO_TEST_CASE(wrong_indices_and_values_are_refused) {
  LumpedElements wrong;
  add_between(wrong.stiffness, 0, 1, 5.);
  BOOST_CHECK_THROW(with_lumped_elements(oscillator(), wrong), InvalidInput);
  wrong.stiffness = {{0, 0, std::numeric_limits<double>::quiet_NaN()}};
  BOOST_CHECK_THROW(with_lumped_elements(oscillator(), wrong), InvalidInput);
}

BOOST_AUTO_TEST_SUITE_END()
