// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/diagnosis/structural_reduction.h>

#include <boost/test/unit_test.hpp>

#include "complex_systems.h"
#include <sstream>
#include <string>

using namespace halfdof;
using namespace halfdof::test;

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Kinds by the ranks of the complex columns.
std::vector<DoFKind> kinds_by_columns(const ComplexSystem& system) {
  std::vector<DoFKind> kinds;
  for (Index j = 0; j < system.size(); ++j)
    kinds.push_back(system.real.M.col(j).norm() > 0 ? DoFKind::inertial
                    : system.C().col(j).norm() > 0  ? DoFKind::viscous
                                                    : DoFKind::algebraic);
  return kinds;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(structural_reduction)

BOOST_AUTO_TEST_CASE(kinds_are_those_of_the_complex_columns) {
  for (const unsigned seed : {1u, 2u, 3u}) {
    ComplexSystem system = with_loss_factors(random_unsymmetric(3, 2, 2, seed), seed);
    // One of the algebraic DoFs gets an imaginary damping only.
    const std::vector<DoFKind> before = kinds_by_columns(system);
    for (Index j = 0; j < system.size(); ++j)
      if (before[static_cast<std::size_t>(j)] == DoFKind::algebraic) {
        system.C_i(j, j) = 1;
        break;
      }
    const StructurallyDampedSystem<EigenEngine> both = structural(system);
    const ReducedSystem<EigenEngine> reduced = reduce(both);
    BOOST_TEST((application_kinds(both, reduced).kinds() == kinds_by_columns(system)));
    BOOST_TEST((classify_dofs(both).kinds() == kinds_by_columns(system)));
    BOOST_TEST(classify_dofs(both).n_states() == 9);
    BOOST_TEST(reduced.n_states() == 18);
    const Diagnosis diagnosis = diagnose(both, reduced);
    BOOST_TEST(*diagnosis.n_finite == 9);
    BOOST_TEST(*diagnosis.n_infinite == 5);
    BOOST_TEST(*diagnosis.index == 1);
  }
}

BOOST_AUTO_TEST_CASE(an_algebraic_dof_may_be_held_by_structural_damping_alone) {
  ComplexSystem system = SpringsInSeries().system();
  system.real.K.setZero();
  system.real.K(0, 0) = 1;
  system.K_i.setZero();
  system.K_i(1, 1) = 5;  // K_KK = 0, but K_KK + i K_i is regular
  const StructurallyDampedSystem<EigenEngine> both = structural(system);
  const Classification kinds = classify_dofs(both);
  BOOST_TEST((kinds.kind(1) == DoFKind::algebraic));
  BOOST_TEST(reduce(both).n_states() == 4);
}

BOOST_AUTO_TEST_CASE(singular_parts_are_named_once_in_the_dofs_of_the_application) {
  ComplexSystem system = SpringsInSeries().system();
  system.real.K(1, 1) = system.real.K(0, 1) = system.real.K(1, 0) = 0;  // nothing holds DoF 1
  system.K_i.setZero();
  system.K_i(0, 0) = 1;
  SystemDescription<EigenEngine> description;
  description.mass = matrix_of<EigenEngine>(system.real.M);
  description.stiffness = matrix_of<EigenEngine>(system.real.K);
  description.labels.component_names = {"x"};
  description.labels.component = {0, 0};
  description.labels.node = {7, 8};
  const StructurallyDampedSystem<EigenEngine> both(description, {matrix_of<EigenEngine>(system.K_i), {}});
  try {
    reduce(both);
    BOOST_TEST(false, "the node is free");
  } catch (const SingularElimination& error) {
    BOOST_TEST(error.block() == "K_KK");
    BOOST_TEST((error.dofs() == std::vector<GlobalIndex>{1}));
    BOOST_TEST(contains(error.what(), "DoF 1 (node 8, x)"));
    BOOST_TEST(!contains(error.what(), "imaginary"));
    BOOST_TEST(!contains(error.what(), "DoF 3"));
  }
  const Diagnosis diagnosis = diagnose(both);
  BOOST_TEST(!diagnosis.is_regular);
  BOOST_TEST_REQUIRE(!diagnosis.problems.empty());
  BOOST_TEST((diagnosis.problems[0].dofs == std::vector<GlobalIndex>{1}));
}

BOOST_AUTO_TEST_CASE(the_summary_counts_the_complex_system) {
  const StructurallyDampedSystem<EigenEngine> both = structural(SpringsInSeries().system());
  std::ostringstream text;
  print_summary(text, both, reduce(both));
  BOOST_TEST(contains(text.str(), "N_I = 1, N_C = 0, N_K = 1, N_s = 2"));
  BOOST_TEST(contains(text.str(), "Structural damping"));
  BOOST_TEST(!contains(text.str(), "DoF 2"));
}

BOOST_AUTO_TEST_SUITE_END()
