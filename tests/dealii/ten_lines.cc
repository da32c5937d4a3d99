#include <halfdof/integrators/generalized_alpha.h>
#include <halfdof/spectrum/compare_spectra.h>

#include <boost/test/unit_test.hpp>

#include "model.h"
#include <cmath>
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
  const auto reduced = halfdof::reduce(assembled);                // classify, eliminate exactly
  reduced.print_summary(out);                                     // kinds by component, N_s, solvers chosen
  const auto spectra = halfdof::compare_spectra(reduced, 12);     // before, after, matched; residuals
  auto state = reduced.consistent_state(displacement, velocity);  // says what it had to change
  halfdof::GeneralizedAlpha(reduced, time_step).run(state, end_time, observer);
  reduced.lift(state, displacement);  // all DoFs, constraints distributed

  BOOST_TEST(spectra.passed);
  BOOST_TEST(out.str().find("component 2") != std::string::npos);
  BOOST_TEST(n_observed == 11);
  BOOST_TEST(std::abs(state.time - end_time) <= 1e-15);
  dealii::Vector<double> distributed = displacement;
  constraints.distribute(distributed);
  distributed -= displacement;
  BOOST_TEST(distributed.linfty_norm() <= 1e-14 * displacement.linfty_norm());
}

BOOST_AUTO_TEST_SUITE_END()
