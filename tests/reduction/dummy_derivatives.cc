// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/constraint_rows.h>
#include <halfdof/base/errors.h>
#include <halfdof/diagnosis/diagnosis.h>
#include <halfdof/reduction/consistent_state.h>

#include <boost/test/unit_test.hpp>

#include "reduction/constrained_models.h"
#include <algorithm>
#include <string>

using namespace halfdof;
using namespace halfdof::test;

/// Constraints solved for dependent DoFs, against bases of what they leave.
namespace {

ReducedSystem<EigenEngine> with_null_columns(const SystemDescription<EigenEngine>& description) {
  ReductionOptions options;
  options.method = ReductionMethod::null_columns;
  return reduce(AssembledSystem<EigenEngine>(with_dummy_derivatives(description).description), options);
}

double difference(const Vector& found, const Vector& expected) {
  return (found - expected).norm() / (1 + expected.norm());
}

/// Masses in a row, each on a spring of its own, and all tied to their neighbours.
ConstrainedModel tied_masses(Index n) {
  ConstrainedModel model;
  model.system = zero_system(n);
  model.system.M.diagonal().setConstant(2);
  model.system.K.diagonal().setConstant(18);
  model.A_2 = MultiVector::Zero(n - 1, n);
  for (Index i = 0; i + 1 < n; ++i)
    model.A_2.block(i, i, 1, 2) << 1, -1;
  return model;
}

template <class Check>
void for_random_models(const Check& check) {
  for (unsigned seed = 1; seed <= 8; ++seed)
    for (const bool is_symmetric : {true, false})
      for (const auto& [n_position, n_velocity] : {std::pair<Index, Index>{2, 0}, {0, 2}, {1, 1}, {2, 1}})
        BOOST_TEST_CONTEXT(seed << ' ' << is_symmetric << ' ' << n_position << ' ' << n_velocity) {
          ConstrainedModel model = random_constrained(is_symmetric, n_position, n_velocity, seed);
          check(model, n_position, n_velocity, seed);
        }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(dummy_derivatives)

BOOST_AUTO_TEST_CASE(the_spectrum_is_that_of_the_constrained_system) {
  for_random_models([](const ConstrainedModel& model, Index n_position, Index n_velocity, unsigned) {
    const DummyDerivatives<EigenEngine> found = with_dummy_derivatives(model.description());
    BOOST_TEST(found.dependent.size() == static_cast<std::size_t>(n_position + n_velocity));
    BOOST_TEST(found.redundant.empty());
    const auto reduced = with_null_columns(model.description());
    BOOST_TEST(reduced.n_states() == 12 - 2 * n_position - n_velocity);
    BOOST_TEST(farthest_from(eigenvalues_of(reduced), model.exact_eigenvalues()) < 1e-8);
  });
}

BOOST_AUTO_TEST_CASE(motions_and_reactions_are_those_of_the_constrained_system) {
  for_random_models([](ConstrainedModel model, Index n_position, Index n_velocity, unsigned seed) {
    RandomNumbers random(seed);
    const Index m = n_position + n_velocity, n = 8 + m;
    const Vector f = random.matrix(8, 1);
    model.load = [f](double t) { return Vector(std::cos(t) * f); };
    model.motion = swinging(random.matrix(m, 1), random.matrix(m, 1));
    const auto expected = model.reduced(), found = with_null_columns(model.description());
    const double t = 0.7;
    const AssembledMotion motion = expected.lift({t, random.matrix(expected.n_local_states(), 1)});
    Vector q = Vector::Zero(found.assembled().dofs().n_local()), v = q;
    q.head(n) = motion.displacement;
    v.head(n) = motion.rate;
    const AssembledMotion lifted = found.lift({t, found.restrict(q, v)});
    BOOST_TEST(difference(lifted.displacement.head(n), motion.displacement) < 1e-8);
    for (const Index i : found.classification().inertial().local()) {
      BOOST_TEST(std::abs(lifted.rate[i] - motion.rate[i]) < 1e-8 * (1 + motion.rate.norm()));
      BOOST_TEST(std::abs(lifted.acceleration[i] - motion.acceleration[i]) <
                 1e-8 * (1 + motion.acceleration.norm()));
    }
  });
}

BOOST_AUTO_TEST_CASE(what_is_kept_becomes_dependent_only_where_nothing_else_can) {
  const SystemDescription<EigenEngine> description = tied_masses(4).description();
  for (const Index kept : {0, 1, 2, 3}) {
    const std::vector<Index> dependent = with_dummy_derivatives(description, {0, {kept}}).dependent;
    BOOST_TEST(dependent.size() == 3u);
    BOOST_TEST((std::find(dependent.begin(), dependent.end(), kept) == dependent.end()));
  }
  const auto forced = with_dummy_derivatives(description, {0, {0, 1, 2, 3}});
  BOOST_TEST(forced.dependent.size() == 3u);
  const auto reduced = reduce(AssembledSystem<EigenEngine>(forced.description));
  BOOST_TEST(farthest_from(eigenvalues_of(reduced), {{0, 3}, {0, -3}}) < 1e-12);
}

BOOST_AUTO_TEST_CASE(a_damper_on_one_of_many_tied_masses_damps_all) {
  ConstrainedModel model = tied_masses(5);
  model.system.C(0, 0) = 3;
  // 10 q'' + 3 q' + 90 q = 0
  const Complex root = std::sqrt(Complex(9 - 4 * 10 * 90.));
  for (const Index kept : {0, 2, 4}) {
    const auto enlarged = with_dummy_derivatives(model.description(), {0, {kept}});
    const auto reduced = reduce(AssembledSystem<EigenEngine>(enlarged.description));
    BOOST_TEST(farthest_from(eigenvalues_of(reduced), {(-3. + root) / 20., (-3. - root) / 20.}) < 1e-12);
  }
}

BOOST_AUTO_TEST_CASE(constraints_that_hide_others_are_left_to_bases) {
  // q_0 = q_1 and q_0' - q_1' + q_0 = 0: nothing moves.
  ConstrainedModel model = tied_masses(2);
  model.A_1 = rows({{0, 0}, {1, -1}});
  model.A_2 = rows({{1, -1}, {1, 0}});
  BOOST_CHECK_THROW(with_dummy_derivatives(model.description()), NotAvailable);
  const auto left = with_dummy_derivatives(model.description(), {1, {}});
  BOOST_TEST(left.dependent.empty());
  const auto reduced = reduce(AssembledSystem<EigenEngine>(left.description));
  BOOST_TEST((reduced.method() == ReductionMethod::constraints));
  BOOST_TEST(reduced.n_states() == 0);
}

BOOST_AUTO_TEST_CASE(supports_that_move_carry_the_constraints_along) {
  ConstrainedModel model;
  model.system = zero_system(3);
  model.system.M.diagonal() << 2, 3, 1;
  model.system.C.diagonal() << 0.1, 0.2, 0;
  model.system.K.diagonal() << 8, 5, 0;
  model.A_2 = rows({{1, 2, -1}});
  model.constrained = {2};
  model.prescribed = swinging(Vector::Constant(1, 0.5), Vector::Constant(1, 2));
  const auto expected = model.reduced(), found = with_null_columns(model.description());
  const double t = 0.4, q_1 = 0.3, v_1 = -0.2, q_D = 0.5 + 2 * std::sin(t), v_D = 2 * std::cos(t);
  const Vector q = numbers({q_D - 2 * q_1, q_1, q_D, 0}), v = numbers({v_D - 2 * v_1, v_1, v_D, 0});
  const AssembledMotion motion = expected.lift({t, expected.project(q, v, t)});
  Vector more = Vector::Zero(found.assembled().dofs().n_local()), more_v = more;
  more.head(4) = q;
  more_v.head(4) = v;
  const AssembledMotion lifted = found.lift({t, found.restrict(more, more_v)});
  BOOST_TEST(difference(lifted.displacement.head(4), motion.displacement) < 1e-12);
}

BOOST_AUTO_TEST_CASE(thousands_of_tied_degrees_of_freedom_stay_sparse) {
  const Index n = 4000;
  const SystemDescription<EigenEngine> description = tied_masses(n).description();
  ReductionOptions options;
  options.method = ReductionMethod::constraints;
  BOOST_CHECK_EXCEPTION(reduce(AssembledSystem<EigenEngine>(description), options), NotAvailable,
                        [](const NotAvailable& error) {
                          return std::string(error.what()).find("with_dummy_derivatives()") !=
                                 std::string::npos;
                        });
  const Index limit = KernelOptions().max_group;
  const auto enlarged = with_dummy_derivatives(description, {limit, {}});
  BOOST_TEST(enlarged.dependent.size() == static_cast<std::size_t>(n - 1));
  const auto reduced = reduce(AssembledSystem<EigenEngine>(enlarged.description));
  BOOST_TEST(reduced.n_states() == 2);
  const SpectrumComparison spectra = compare_spectra(reduced, 2);
  BOOST_TEST(spectra.passed);
  BOOST_TEST(farthest_from(spectra.after.finite, {{0, 3}, {0, -3}}) < 1e-10);
  const Index n_all = static_cast<Index>(reduced.assembled().n_dofs());
  Vector q = Vector::Zero(n_all), v = q;
  q.head(n).setConstant(0.3);
  BOOST_TEST(consistent_state(reduced, q, v).report.n_changed == 0);
  q[2] += 1;
  BOOST_TEST(consistent_state(reduced, q, v).report.n_changed == 1);
  // Up to the limit nothing is changed.
  BOOST_TEST(with_dummy_derivatives(tied_masses(limit).description(), {limit, {}}).dependent.empty());
  BOOST_TEST(with_dummy_derivatives(description).description.stiffness.rows().n_global() == 3 * n - 2);
}

BOOST_AUTO_TEST_CASE(constraints_that_follow_from_others_leave_their_multipliers_at_rest) {
  ConstrainedModel model = tied_masses(4);
  model.A_2.conservativeResize(4, 4);
  model.A_2.row(3) << 1e5, 0, 0, -1e5;
  const DummyDerivatives<EigenEngine> enlarged = with_dummy_derivatives(model.description());
  BOOST_TEST(enlarged.dependent.size() == 3u);
  BOOST_REQUIRE(enlarged.redundant.size() == 1u);
  const auto reduced = reduce(AssembledSystem<EigenEngine>(enlarged.description));
  BOOST_TEST(farthest_from(eigenvalues_of(reduced), {{0, 3}, {0, -3}}) < 1e-12);
  model.b = numbers({0, 0, 0, 1});
  BOOST_TEST(with_dummy_derivatives(model.description(), {1, {}}).dependent.empty());
  BOOST_CHECK_EXCEPTION(
      with_dummy_derivatives(model.description()), NotAvailable, [](const NotAvailable& error) {
        return std::string(error.what()).find("(multiplier, constraint 1) is redundant") != std::string::npos;
      });
}

BOOST_AUTO_TEST_CASE(what_cannot_be_differentiated_is_refused) {
  ConstrainedModel model = tied_masses(3);
  SystemDescription<EigenEngine> loaded = model.description();
  loaded.load = [](double) { return Vector(Vector::Unit(5, 4)); };
  const auto reduced = with_null_columns(loaded);
  BOOST_CHECK_EXCEPTION(reduced.linear_load(0), NotAvailable, [](const NotAvailable& error) {
    return std::string(error.what()).find("DoF 4 (multiplier, constraint 1)") != std::string::npos;
  });
  model.motion = swinging(Vector::Zero(2), Vector::Ones(2));
  model.motion.acceleration = {};
  BOOST_CHECK_EXCEPTION(with_dummy_derivatives(model.description()), InvalidInput,
                        [](const InvalidInput& error) {
                          return std::string(error.what()).find("b'' was not given") != std::string::npos;
                        });
  BOOST_CHECK_THROW(with_dummy_derivatives(tied_masses(3).description(), {0, {5}}), InvalidInput);
  // q_0 = q_1 + q_2' of a support.
  ConstrainedModel driven = tied_masses(3);
  driven.A_2 = rows({{1, -1, 0}});
  driven.A_1 = rows({{0, 0, 1}});
  driven.constrained = {2};
  driven.prescribed = swinging(Vector::Zero(1), Vector::Ones(1));
  BOOST_CHECK_THROW(with_dummy_derivatives(driven.description()), NotAvailable);
  // Nothing to do.
  const auto mount = assemble<EigenEngine>(engine_mount());
  SystemDescription<EigenEngine> plain;
  plain.mass = mount.M();
  plain.damping = mount.C();
  plain.stiffness = mount.K();
  BOOST_TEST(with_dummy_derivatives(plain).dependent.empty());
  plain.state_force.force = [](double, const AssembledMotion& motion) {
    return Vector(Vector::Zero(motion.displacement.size()));
  };
  BOOST_CHECK_THROW(with_dummy_derivatives(plain), NotAvailable);
}

BOOST_AUTO_TEST_SUITE_END()
