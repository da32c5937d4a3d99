// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/free_system.h>
#include <halfdof/base/errors.h>
#include <halfdof/reduction/consistent_state.h>
#include <halfdof/spectrum/frequency_response.h>

#include <boost/test/unit_test.hpp>

#include "constrained_models.h"
#include <sstream>
#include <string>
#include <utility>

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

BOOST_AUTO_TEST_SUITE(constraints)

BOOST_AUTO_TEST_CASE(masses_on_a_rigid_link_are_one_mass) {
  const ConstrainedModel model{two_masses(), {}, rows({{1, -1}}), {}, {}, {}, {}, {}, {}};
  const auto reduced = model.reduced();
  BOOST_TEST((reduced.method() == ReductionMethod::constraints));
  BOOST_TEST(reduced.n_states() == 2);
  BOOST_TEST(reduced.constraints().n_position == 1);
  BOOST_TEST(reduced.constraints().n_velocity == 0);
  // M, C and K of q_0 = q_1: 5, 0.3, 80.
  const Complex root = std::sqrt(Complex(0.09 - 4 * 5 * 80.));
  const std::vector<Complex> exact = {(-0.3 + root) / 10., (-0.3 - root) / 10.};
  BOOST_TEST(farthest_from(eigenvalues_of(reduced), exact) < 1e-14);
  const SpectrumComparison spectra = compare_all(reduced);
  BOOST_TEST(spectra.passed);
  BOOST_TEST(spectra.before.n_infinite == 4);
}

BOOST_AUTO_TEST_CASE(a_double_pendulum_of_points_and_rods_has_its_two_frequencies) {
  const double g = 9.81, l = 0.7, m = 1.3;
  ConstrainedModel model{zero_system(4), {}, rows({{0, 1, 0, 0}, {0, -1, 0, 1}}), {}, {}, {}, {}, {}, {}};
  model.system.M.diagonal().setConstant(m);
  // Tension of the rods: 2 m g and m g.
  model.system.K(0, 0) = 2 * m * g / l + m * g / l;
  model.system.K(0, 2) = model.system.K(2, 0) = -m * g / l;
  model.system.K(2, 2) = m * g / l;
  std::vector<Complex> exact;
  for (const double sign : {-1., 1.})
    for (const double conjugate : {-1., 1.})
      exact.emplace_back(0, conjugate * std::sqrt((2 + sign * std::sqrt(2.)) * g / l));
  const auto reduced = model.reduced();
  BOOST_TEST(reduced.n_states() == 4);
  BOOST_TEST(farthest_from(eigenvalues_of(reduced), exact) < 1e-13);
  // The rods turned by 30 degrees against the axes.
  const double c = std::cos(0.5), s = std::sin(0.5);
  MultiVector Q = MultiVector::Identity(4, 4);
  for (const Index i : {0, 2})
    Q.block(i, i, 2, 2) << c, -s, s, c;
  model.system.M = (Q.transpose() * model.system.M * Q).eval();
  model.system.K = (Q.transpose() * model.system.K * Q).eval();
  model.A_2 = (model.A_2 * Q).eval();
  model.A_2.row(1) *= 1e6;
  const auto turned = model.reduced();
  BOOST_TEST(farthest_from(eigenvalues_of(turned), exact) < 1e-12);
  const ConsistentState state = consistent_state(turned, Vector::Ones(6), Vector::Zero(6));
  BOOST_TEST(state.report.n_changed > 0);
  const AssembledMotion lifted = turned.lift(state);
  BOOST_TEST((model.A_2 * lifted.displacement.head(4)).cwiseAbs().maxCoeff() < 1e-9);
  BOOST_TEST(residual(turned.assembled(), lifted, 0) < 1e-7);
}

BOOST_AUTO_TEST_CASE(redundant_rows_are_named_and_contradictory_ones_refused) {
  ConstrainedModel model{two_masses(), {}, rows({{1, -1}, {-3e6, 3e6}}), numbers({0.25, -0.75e6}), {}, {}, {},
                         {},           {}};
  const auto reduced = model.reduced();
  BOOST_TEST(reduced.n_states() == 2);
  BOOST_REQUIRE(reduced.constraints().redundant.size() == 1u);
  for (const char* name : {"DoF 2 (multiplier, constraint 0)", "DoF 3 (multiplier, constraint 1)"})
    BOOST_TEST(reduced.constraints().redundant[0].text.find(name) != std::string::npos,
               reduced.constraints().redundant[0].text);
  BOOST_TEST(reduced.constraints().redundant[0].dofs.size() == 2u);
  std::ostringstream summary;
  reduced.print_summary(summary);
  BOOST_TEST(
      summary.str().find(
          "Problem, constraints, DoF 2 (multiplier, constraint 0) and DoF 3 (multiplier, constraint 1): ") !=
          std::string::npos,
      summary.str());
  const ConsistentState state = consistent_state(reduced, numbers({1, 0.75, 0, 0}), Vector::Zero(4));
  BOOST_TEST(state.report.n_changed == 0);
  BOOST_TEST(residual(reduced.assembled(), reduced.lift(state), 0) < 1e-8);
  BOOST_TEST(compare_spectra(reduced, 2).passed);

  model.b[1] = 1;
  const auto contradicts = [](const InvalidInput& error) {
    const std::string text = error.what();
    return text.find("contradict") != std::string::npos &&
           text.find("DoF 3 (multiplier, constraint 1)") != std::string::npos;
  };
  const auto wrong = model.reduced();
  BOOST_CHECK_EXCEPTION(wrong.linear_load(0), InvalidInput, contradicts);
}

BOOST_AUTO_TEST_CASE(redundant_rows_leave_the_spectrum_and_the_response_of_the_independent_ones) {
  const auto check = [](const ConstrainedModel& independent, const ConstrainedModel& redundant) {
    const auto expected = independent.reduced(), found = redundant.reduced();
    BOOST_TEST(found.constraints().redundant.size() ==
               static_cast<std::size_t>(redundant.A_2.rows() - independent.A_2.rows()));
    const SpectrumComparison comparison = compare_all(found);
    BOOST_TEST(comparison.passed);
    BOOST_TEST(comparison.before.reliable);
    BOOST_TEST(farthest_from(comparison.after.finite, independent.exact_eigenvalues()) < 1e-7);
    BOOST_TEST(farthest_from(comparison.before.finite, independent.exact_eigenvalues()) < 1e-7);
    BOOST_TEST(compare_spectra(found, 2).passed);
    const auto inputs = std::vector<GlobalIndex>{0, 1};
    const FrequencyResponse H = frequency_response(found, {0.1, 0.7}, inputs, displacements(inputs)),
                            exact = frequency_response(expected, {0.1, 0.7}, inputs, displacements(inputs));
    BOOST_TEST(H.max_relative_difference < 1e-8);
    for (std::size_t k = 0; k < 2; ++k)
      BOOST_TEST((H.before[k] - exact.before[k]).norm() < 1e-8 * exact.before[k].norm());
  };
  // A row that stands twice, exactly redundant.
  ConstrainedModel twice{two_masses(), {}, rows({{1, -1}, {1, -1}}), {}, {}, {}, {}, {}, {}}, once = twice;
  once.A_2 = rows({{1, -1}});
  check(once, twice);
  // Integers are not rounded, whatever determines the force-free multipliers.
  ConstrainedModel three_times{
      zero_system(3), {}, rows({{1, -1, 0}, {1, -1, 0}, {1, -1, 0}}), {}, {}, {}, {}, {}, {}};
  three_times.system.M.diagonal() << 1, 2, 3;
  three_times.system.C.diagonal() << 0.5, 0.25, 0.125;
  three_times.system.K << 30, -10, 0, -10, 20, -10, 0, -10, 15;
  const SpectrumComparison comparison = compare_all(three_times.reduced());
  BOOST_TEST(comparison.passed);
  BOOST_TEST(comparison.before.n_rounded == 0);

  for (unsigned seed = 1; seed <= 6; ++seed)
    for (const bool is_symmetric : {true, false})
      for (const auto& [n_position, n_velocity] : {std::pair<Index, Index>{2, 0}, {0, 2}, {1, 2}})
        BOOST_TEST_CONTEXT(seed << ' ' << is_symmetric << ' ' << n_position << ' ' << n_velocity) {
          const ConstrainedModel independent = random_constrained(is_symmetric, n_position, n_velocity, seed);
          ConstrainedModel redundant = independent;
          const Index m = n_position + n_velocity;
          RandomNumbers random(seed);
          // Combinations of rows of one kind; and where there are both, the rate of the constraint on
          // displacements with a multiple of one on rates.
          const Index first = n_position > 1 ? 0 : n_position,
                      n_mixed = n_position > 1 ? n_position : n_velocity;
          const MultiVector weights = 1e3 * random.matrix(1, n_mixed);
          const auto append = [&](MultiVector& A, const MultiVector& row) {
            A.conservativeResize(A.rows() + 1, A.cols());
            A.bottomRows(1) = row;
          };
          append(redundant.A_1, weights * independent.A_1.middleRows(first, n_mixed));
          append(redundant.A_2, weights * independent.A_2.middleRows(first, n_mixed));
          if (n_position > 0 && n_velocity > 0) {
            append(redundant.A_1, independent.A_2.row(0) + 0.3 * independent.A_1.row(m - 1));
            append(redundant.A_2, 0.3 * independent.A_2.row(m - 1));
          }
          check(independent, redundant);
        }
}

BOOST_AUTO_TEST_CASE(redundant_rows_on_rates_leave_the_rigid_motions_at_zero) {
  // Free chains of masses with rows that allow their rigid motion, and integer combinations of these.
  for (unsigned seed = 1; seed <= 20; ++seed)
    BOOST_TEST_CONTEXT(seed) {
      RandomNumbers random(seed);
      const auto integer = [&](double largest) { return std::round(largest * random.matrix(1, 1)(0, 0)); };
      const Index n = 4;
      ConstrainedModel model{zero_system(n), MultiVector::Zero(3, n), {}, {}, {}, {}, {}, {}, {}};
      for (Index i = 0; i < n; ++i)
        model.system.M(i, i) = 1 + std::abs(integer(3));
      for (Index i = 0; i + 1 < n; ++i) {
        const double k = 1 + std::abs(integer(4));
        model.system.K.block(i, i, 2, 2) += k * (MultiVector(2, 2) << 1, -1, -1, 1).finished();
      }
      for (Index i = 0; i < n - 1; ++i)
        model.A_1(0, i) = i == 0 ? 1 : integer(3);
      model.A_1(0, n - 1) = -model.A_1.row(0).sum();
      model.A_1.row(1) = 3 * model.A_1.row(0);
      model.A_1.row(2) = -2 * model.A_1.row(0);
      const SpectrumComparison comparison = compare_all(model.reduced());
      BOOST_TEST(comparison.passed);
      BOOST_TEST(std::count(comparison.before.finite.begin(), comparison.before.finite.end(), 0.) >= 2);
    }
}

BOOST_AUTO_TEST_CASE(a_row_on_constrained_dofs_alone_is_refused_by_its_number) {
  ConstrainedModel model{two_masses(), {}, rows({{1, -1}, {0, 2}}), {}, {}, {}, {}, {1}, {}};
  BOOST_CHECK_EXCEPTION(model.description(), InvalidInput, [](const InvalidInput& error) {
    return std::string(error.what()).find("1 acts only on constrained degrees of freedom, DoF 1,") !=
           std::string::npos;
  });
  model.A_2 = rows({{1, -1}});
  BOOST_CHECK_NO_THROW(model.description());
}

BOOST_AUTO_TEST_CASE(a_rate_and_a_position_of_one_combination_leave_a_hidden_constraint) {
  // q_0 = q_1, and q_0' - q_1' + q_0 - q_2 = b: hence q_0 - q_2 = b.
  ConstrainedModel model{zero_system(3),
                         rows({{0, 0, 0}, {1, -1, 0}}),
                         rows({{1, -1, 0}, {1, 0, -1}}),
                         numbers({0, 0.5}),
                         {},
                         {},
                         {},
                         {},
                         {}};
  model.system.M.diagonal() << 1, 2, 4;
  model.system.K.diagonal() << 10, 30, 30;
  const auto reduced = model.reduced();
  BOOST_TEST(reduced.constraints().n_position == 2);
  BOOST_TEST(reduced.constraints().n_hidden == 1);
  BOOST_TEST(reduced.n_states() == 2);
  const std::vector<Complex> exact = {{0, std::sqrt(10.)}, {0, -std::sqrt(10.)}};
  BOOST_TEST(farthest_from(eigenvalues_of(reduced), exact) < 1e-14);
  const AssembledMotion lifted = reduced.lift(consistent_state(reduced, Vector::Ones(5), Vector::Zero(5)));
  BOOST_TEST(lifted.displacement[0] - lifted.displacement[1] == 0);
  BOOST_TEST(lifted.displacement[0] - lifted.displacement[2] == 0.5, boost::test_tools::tolerance(1e-14));
  BOOST_TEST(residual(reduced.assembled(), lifted, 0) < 1e-12);
  BOOST_TEST(farthest_from(model.exact_eigenvalues(), exact) < 1e-12);
}

BOOST_AUTO_TEST_CASE(constraints_that_say_the_same_share_their_forces) {
  // The same rod twice, the second one in millimetres.
  ConstrainedModel model{two_masses(), {}, rows({{1, -1}, {1e3, -1e3}}), {}, {}, {}, {}, {}, {}};
  model.load = [](double) { return numbers({10., 0.}); };
  const auto reduced = model.reduced();
  const AssembledMotion lifted = reduced.lift({0, Vector::Zero(2)});
  BOOST_TEST(residual(reduced.assembled(), lifted, 0) < 1e-12);
  // 10 N move 5 kg, 6 N of them the 3 kg behind the rods.
  BOOST_TEST(lifted.displacement[2] == 3., boost::test_tools::tolerance(1e-12));
  BOOST_TEST(lifted.displacement[3] == 3e-3, boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(multipliers_that_cannot_hold_what_their_rows_say_are_refused) {
  // q_0 = q_1 and q_0' - q_1' + q_0 - q_2 = 0, but both multipliers push along (1, -1, 0): q_0 = q_2 has no
  // force.
  DenseSystem system = zero_system(5);
  system.M.diagonal() << 1, 2, 4, 0, 0;
  system.K.diagonal() << 10, 20, 40, 0, 0;
  system.K.block(3, 0, 2, 3) << 1, -1, 0, 1, 0, -1;
  system.C.block(4, 0, 1, 3) << 1, -1, 0;
  system.K.block(0, 3, 3, 2) << 1, 1, -1, -1, 0, 0;
  ReductionOptions options;
  options.method = ReductionMethod::constraints;
  BOOST_CHECK_THROW(reduce(assemble<EigenEngine>(system), options), NotAvailable);
  BOOST_CHECK_THROW(reduce(assemble<EigenEngine>(system)), SingularElimination);
}

BOOST_AUTO_TEST_CASE(a_constraint_on_rates_is_a_half_degree_of_freedom) {
  // A damper-like row v_0 - v_1 = -k (q_0 - q_1): the difference decays with the rate k, whatever the masses
  // do.
  const double k = 3;
  ConstrainedModel model{two_masses(), rows({{2, -2}}), rows({{2 * k, -2 * k}}), {}, {}, {}, {}, {}, {}};
  const auto reduced = model.reduced();
  BOOST_TEST(reduced.constraints().n_velocity == 1);
  BOOST_TEST(reduced.n_states() == 3);
  BOOST_TEST(reduced.classification().n_viscous() == 1);
  const Complex root = std::sqrt(Complex(0.09 - 4 * 5 * 80.));
  const std::vector<Complex> exact = {-k, (-0.3 + root) / 10., (-0.3 - root) / 10.};
  BOOST_TEST(farthest_from(eigenvalues_of(reduced), exact) < 1e-13);
  BOOST_TEST(farthest_from(model.exact_eigenvalues(), exact) < 1e-12);
  const State state{0, numbers({0.3, 0.1, 0.7})};
  const AssembledMotion lifted = reduced.lift(state);
  BOOST_TEST(lifted.rate[0] - lifted.rate[1] == -k * (lifted.displacement[0] - lifted.displacement[1]),
             boost::test_tools::tolerance(1e-13));
  BOOST_TEST(residual(reduced.assembled(), lifted, 0) < 1e-12);
}

BOOST_AUTO_TEST_CASE(a_sleigh_turns_back_where_its_mass_runs_ahead) {
  const double m = 2, I = 0.5, a = 0.3, V = 1.5;
  ConstrainedModel model{zero_system(2), rows({{1, 0}}), rows({{0, -V}}), {}, {}, {}, {}, {}, {}};
  model.system.M << m, m * a, m * a, I + m * a * a;
  const auto reduced = model.reduced();
  BOOST_TEST(reduced.n_states() == 3);
  const std::vector<Complex> found = eigenvalues_of(reduced);
  const double exact = -m * a * V / (I + m * a * a);
  double nearest = 1;
  Index n_zero = 0;
  for (const Complex value : found) {
    nearest = std::min(nearest, std::abs(value - exact));
    n_zero += std::abs(value) < 1e-12;
  }
  BOOST_TEST(nearest < 1e-13);
  BOOST_TEST(n_zero == 2);
}

BOOST_AUTO_TEST_CASE(multipliers_found_in_K_are_eliminated_as_by_hand) {
  // mu_1 and mu_2 hold mu_1 + mu_2 and share one constraint: K_KK = [1 -1; -1 1], whose kernel no column
  // shows.
  DenseSystem system = zero_system(4);
  system.M.diagonal() << 2, 3, 0, 0;
  system.K.topLeftCorner(2, 2) = two_masses().K;
  system.K.bottomRightCorner(2, 2) << 1, -1, -1, 1;
  system.K.block(0, 2, 2, 2) << 1, 1, -1, -1;
  system.K.block(2, 0, 2, 2) << 1, -1, 1, -1;
  const auto reduced = reduce(assemble<EigenEngine>(system));
  BOOST_TEST((reduced.method() == ReductionMethod::constraints));
  BOOST_TEST(reduced.classification().n_algebraic() == 1);
  const std::vector<Complex> exact = {{0, 4}, {0, -4}};  // 80 / 5
  BOOST_TEST(farthest_from(eigenvalues_of(reduced), exact) < 1e-14);
  const auto mount = reduce(assemble<EigenEngine>(engine_mount()));
  BOOST_TEST((mount.method() == ReductionMethod::null_columns));
}

BOOST_AUTO_TEST_CASE(random_constraints_leave_the_finite_eigenvalues_of_the_multipliers_pencil) {
  for (unsigned seed = 1; seed <= 6; ++seed)
    for (const bool is_symmetric : {true, false})
      for (const auto& [n_position, n_velocity] : {std::pair<Index, Index>{2, 0}, {0, 2}, {1, 1}, {2, 1}}) {
        BOOST_TEST_CONTEXT(seed << ' ' << is_symmetric << ' ' << n_position << ' ' << n_velocity) {
          RandomNumbers random(seed);
          ConstrainedModel model = random_constrained(is_symmetric, n_position, n_velocity, seed);
          model.load = [](double t) { return Vector(Vector::Constant(8, std::cos(t))); };
          const auto reduced = model.reduced();
          BOOST_TEST((reduced.method() == ReductionMethod::constraints));
          BOOST_TEST(reduced.n_states() == 12 - 2 * n_position - n_velocity);
          BOOST_TEST(farthest_from(eigenvalues_of(reduced), model.exact_eigenvalues()) < 1e-8);
          const State state{0.3, random.matrix(reduced.n_local_states(), 1)};
          const AssembledMotion lifted = reduced.lift(state);
          BOOST_TEST(residual(reduced.assembled(), lifted, 0.3) < 1e-8 * (1 + lifted.displacement.norm()));
          BOOST_TEST((reduced.project(lifted.displacement, lifted.rate, 0.3) - state.y).norm() < 1e-8);
          const FrequencyResponse response =
              frequency_response(reduced, {0.1, 0.7}, {0, 1},
                                 {{OutputQuantity::displacement, 2}, {OutputQuantity::displacement, 7}});
          BOOST_TEST(response.max_relative_difference < 1e-8);
        }
      }
}

BOOST_AUTO_TEST_CASE(large_blocks_are_decided_by_sparse_factorizations_up_to_a_limit) {
  ConstrainedModel model{
      random_symmetric(6, 0, 0, 4), {}, RandomNumbers(3).matrix(2, 6), {}, {}, {}, {}, {}, {}};
  ReductionOptions options;
  options.kernel.max_dense = 2;
  const auto reduced = reduce(model.assembled(), options);
  BOOST_TEST(farthest_from(eigenvalues_of(reduced), model.exact_eigenvalues()) < 1e-9);
  options.kernel.max_group = 5;
  options.method = ReductionMethod::constraints;
  BOOST_CHECK_EXCEPTION(reduce(model.assembled(), options), NotAvailable, [](const NotAvailable& error) {
    return std::string(error.what()).find("couples 6 DoFs") != std::string::npos;
  });
}

BOOST_AUTO_TEST_CASE(unsymmetric_multipliers_push_along_directions_of_their_own) {
  // The constraint is q_0 = q_1, but its reaction pushes along (1, -1/2): a friction that follows the normal
  // force.
  DenseSystem system = zero_system(3);
  system.M.diagonal() << 2, 3, 0;
  system.K.topLeftCorner(2, 2) = two_masses().K;
  system.K.block(2, 0, 1, 2) << 1, -1;
  system.K.block(0, 2, 2, 1) << 1, -0.5;
  const auto reduced = reduce(assemble<EigenEngine>(system));
  BOOST_TEST((reduced.method() == ReductionMethod::constraints));
  // Rows (1, 2) of both equations: 2 + 2 * 3 and 30 + 2 * 50.
  const std::vector<Complex> exact = {{0, std::sqrt(130 / 8.)}, {0, -std::sqrt(130 / 8.)}};
  BOOST_TEST(farthest_from(eigenvalues_of(reduced), exact) < 1e-13);
  BOOST_TEST(residual(reduced.assembled(), reduced.lift({0, numbers({1, 2})}), 0) < 1e-12);
}

BOOST_AUTO_TEST_CASE(massless_parts_stay_half_degrees_of_freedom_under_constraints) {
  // A mass, linked to a massless node on a damper to another massless node on a spring.
  ConstrainedModel model{zero_system(3), {}, rows({{1, -1, 0}}), {}, {}, {}, {}, {}, {}};
  model.system.M(0, 0) = 1;
  model.system.C.block(1, 1, 2, 2) << 3, -3, -3, 3;
  model.system.K(2, 2) = 4;
  const auto reduced = model.reduced();
  BOOST_TEST(reduced.n_states() == 3);
  BOOST_TEST(farthest_from(eigenvalues_of(reduced), model.exact_eigenvalues()) < 1e-12);
}

BOOST_AUTO_TEST_CASE(what_is_no_constraint_is_refused_as_before) {
  DenseSystem floating = zero_system(2);
  floating.M(0, 0) = floating.K(0, 0) = 1;
  BOOST_CHECK_THROW(reduce(assemble<EigenEngine>(floating)), SingularElimination);
  ReductionOptions options;
  options.method = ReductionMethod::constraints;
  BOOST_CHECK_THROW(reduce(assemble<EigenEngine>(floating), options), NotAvailable);
  BOOST_CHECK_THROW(reduce(assemble<EigenEngine>(engine_mount()), options), NotAvailable);
  ConstrainedModel model{two_masses(), {}, rows({{1, -1}}), {}, {}, {}, {}, {}, {}};
  model.A_2.setZero();
  BOOST_CHECK_THROW(model.reduced(), InvalidInput);
  model.A_2 = rows({{1, -1, 0}});
  BOOST_CHECK_THROW(model.reduced(), InvalidInput);
}

BOOST_AUTO_TEST_CASE(constraints_may_leave_nothing_that_moves) {
  DenseSystem held = zero_system(2);
  held.M(0, 0) = 1;
  held.K << 3, 1, 1, 0;
  const auto reduced = reduce(assemble<EigenEngine>(held));
  BOOST_TEST((reduced.method() == ReductionMethod::constraints));
  BOOST_TEST(reduced.n_states() == 0);
  const AssembledMotion lifted = reduced.lift({0, Vector(0)}, numbers({5, 0}));
  BOOST_TEST((lifted.displacement == numbers({0, 5})));
  const SpectrumComparison spectra = compare_all(reduced);
  BOOST_TEST(spectra.passed);
  BOOST_TEST(spectra.before.n_infinite == 4);
}

BOOST_AUTO_TEST_CASE(hidden_constraints_may_leave_nothing_that_moves) {
  // q_0 = q_1 and q_0' - q_1' + q_0 = 0.
  ConstrainedModel model{
      two_masses(), rows({{0, 0}, {1, -1}}), rows({{1, -1}, {1, 0}}), {}, {}, {}, {}, {}, {}};
  BOOST_TEST(model.reduced().n_states() == 0);
}

BOOST_AUTO_TEST_CASE(constraints_hidden_by_clamped_dofs_have_reactions) {
  // Without q_2, which is clamped: q_0 = 0 and q_0' + q_1 = 0, whose directions depend on each other.
  ConstrainedModel model{zero_system(4),
                         rows({{0, 0, 0, 0}, {1, 0, 1, 0}}),
                         rows({{1, 0, 0, 0}, {0, 1, 0, 0}}),
                         {},
                         {},
                         {},
                         {},
                         {2},
                         {}};
  model.system.M.diagonal() << 1, 2, 4, 1;
  model.system.K << 3, -1, 0, -1, -1, 2, -1, 0, 0, -1, 2, -1, -1, 0, -1, 4;
  const auto reduced = model.reduced();
  BOOST_TEST(reduced.constraints().n_position == 2);
  BOOST_TEST(farthest_from(eigenvalues_of(reduced), {{0, 2}, {0, -2}}) < 1e-14);
  BOOST_TEST(compare_all(reduced).passed);
}

BOOST_AUTO_TEST_CASE(blocks_of_constraints_stay_local) {
  // A chain of rigid pairs.
  const Index n_pairs = 300, n = 2 * n_pairs;
  ConstrainedModel model{zero_system(n), {}, MultiVector::Zero(n_pairs, n), {}, {}, {}, {}, {}, {}};
  model.system.M.diagonal().setOnes();
  for (Index i = 0; i + 1 < n; ++i)
    model.system.K.block(i, i, 2, 2) += (MultiVector(2, 2) << 1, -1, -1, 1).finished();
  model.system.K(0, 0) += 1;
  for (Index i = 0; i < n_pairs; ++i)
    model.A_2.block(i, 2 * i, 1, 2) << 1, -1;
  const auto reduced = model.reduced();
  BOOST_TEST(reduced.free().coordinates()->n_local_entries() == n);
  // A chain of masses 2 on springs 1, one end held: omega_k = 2 sqrt(1/2) sin((2 k + 1) pi / (4 n_pairs +
  // 2)).
  const double slowest = std::sqrt(2.) * std::sin(std::acos(-1.) / (4. * n_pairs + 2));
  const SpectrumComparison spectra = compare_spectra(reduced, 4);
  BOOST_TEST(spectra.passed);
  BOOST_TEST(std::abs(spectra.after.finite[0]) == slowest, boost::test_tools::tolerance(1e-8));
}

BOOST_AUTO_TEST_SUITE_END()
