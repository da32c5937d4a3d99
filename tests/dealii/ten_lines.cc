// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/dealii/profile.h>
#include <halfdof/diagnosis/diagnosis.h>
#include <halfdof/integrators/smooth/implicit_methods.h>
#include <halfdof/spectrum/compare_spectra.h>

#include <boost/test/unit_test.hpp>

#include "model.h"
#include <cmath>
#include <iostream>
#include <sstream>

BOOST_AUTO_TEST_SUITE(ten_lines)

BOOST_AUTO_TEST_CASE(from_the_matrices_of_an_application_to_its_fields) {
  dealii::Triangulation<2> mesh;
  const halfdof::test::Model model(mesh);
  const halfdof::test::SerialMatrices application(model, halfdof::test::Assembly::matrix_and_load);
  const auto& [sparsity, mass, damping, stiffness, load] = application;
  const auto& constraints = model.constraints;
  const auto& dof_handler = model.dofs;
  dealii::Vector<double> displacement(dof_handler.n_dofs()), velocity(dof_handler.n_dofs());
  const double time_step = 0.01, end_time = 0.1;
  int n_observed = 0;
  const auto observer = [&](const auto&) { ++n_observed; };
  std::ostringstream out;

  const auto assembled =
      halfdof::assembled_from_dealii(mass, damping, stiffness, constraints, load, dof_handler);
  const auto reduced = halfdof::reduce(assembled);                 // classify, eliminate exactly
  reduced.print_summary(out);                                      // kinds of DoFs, number of states, solvers
  const auto spectra = halfdof::compare_spectra(reduced, 12);      // eigenvalues before and after, in pairs
  auto state = consistent_state(reduced, displacement, velocity);  // with a report of changed values
  halfdof::GeneralizedAlpha(reduced, time_step).run(state, end_time, observer);
  reduced.lift(state, displacement);  // all DoFs, constraints distributed

  BOOST_TEST(spectra.passed);
  for (const char* const said :
       {"component 2", "index 1, with all rates as states 2", "applies: null-columns"})
    BOOST_TEST(out.str().find(said) != std::string::npos, out.str());
  BOOST_TEST(n_observed == 11);
  BOOST_TEST(std::abs(state.time - end_time) <= 1e-15);
  dealii::Vector<double> distributed = displacement;
  constraints.distribute(distributed);
  distributed -= displacement;
  BOOST_TEST(distributed.linfty_norm() <= 1e-14 * displacement.linfty_norm());
}

BOOST_AUTO_TEST_CASE(stages_appear_in_the_timer_of_an_application) {
  dealii::Triangulation<2> mesh;
  const halfdof::test::Model model(mesh);
  const halfdof::test::SerialMatrices application(model, halfdof::test::Assembly::matrix_and_load);
  dealii::TimerOutput timer(std::cout, dealii::TimerOutput::never, dealii::TimerOutput::wall_times);
  halfdof::profile_into(timer);
  {
    const dealii::TimerOutput::Scope section(timer, "application");
    halfdof::reduce(halfdof::assembled_from_dealii(application.M, application.C, application.K,
                                                   model.constraints, application.f, model.dofs));
  }
  halfdof::Profile::of_process().stop();
  const auto times = timer.get_summary_data(dealii::TimerOutput::total_wall_time);
  for (const char* const name : {"application", "halfdof: reduce", "halfdof: classify", "halfdof: factorize"})
    BOOST_TEST(times.count(name) == 1U, name);
  BOOST_TEST(times.at("halfdof: reduce") <= times.at("application"));
}

BOOST_AUTO_TEST_CASE(a_potential_that_nothing_holds_is_named_by_node_component_and_point) {
  dealii::Triangulation<2> mesh;
  const halfdof::test::Model model(mesh);
  halfdof::test::SerialMatrices application(model, halfdof::test::Assembly::matrix_and_load);
  auto& [sparsity, mass, damping, stiffness, load] = application;
  const auto& kinds = model.dofs.get_fe();
  const auto healthy =
      halfdof::assembled_from_dealii(mass, damping, stiffness, model.constraints, load, model.dofs);
  const auto& labels = healthy.labels();
  dealii::types::global_dof_index wrong = 0;
  while (labels.component[wrong] + 1 != static_cast<int>(kinds.n_components()) ||
         model.constraints.is_constrained(wrong))
    ++wrong;
  for (auto& row : {&mass, &damping, &stiffness})
    for (dealii::types::global_dof_index i = 0; i < model.dofs.n_dofs(); ++i) {
      if (sparsity.exists(wrong, i)) row->set(wrong, i, 0.);
      if (sparsity.exists(i, wrong)) row->set(i, wrong, 0.);
    }
  const halfdof::Diagnosis found = halfdof::diagnose(
      halfdof::assembled_from_dealii(mass, damping, stiffness, model.constraints, load, model.dofs));
  BOOST_TEST(!found.is_regular);
  BOOST_TEST_REQUIRE(found.problems.size() == 1u);
  BOOST_TEST_REQUIRE(found.problems[0].names.size() == 1u);
  const auto local = static_cast<halfdof::Index>(wrong);
  BOOST_TEST(found.problems[0].names[0] == labels.describe(local, local));
  BOOST_TEST(found.problems[0].names[0].find("component 2, at (") != std::string::npos);
  BOOST_TEST(found.problems[0].cause.find("nothing connects it") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
