// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/inclusions/laws.h>
#include <halfdof/integrators/nonsmooth/implicit_methods.h>

#include <boost/test/unit_test.hpp>

#include "nonsmooth_models.h"

/// Models with more directions than dense Delassus matrices may have.

using namespace halfdof;
using namespace halfdof::test;

namespace {

using Jean = MoreauJean<EigenEngine>;

bool mentions(const std::exception& error, const char* text) {
  return std::string(error.what()).find(text) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(delassus_operators)

BOOST_AUTO_TEST_CASE(starts_with_delassus_matrices_as_operators_are_those_with_matrices) {
  // Masses 0 to 4, viscous DoFs 5 and 6, algebraic ones 7 and 8, each coupled within its kind and to others.
  DenseSystem system = empty_system(9);
  for (const Index i : {0, 1, 2, 3, 4})
    system.M(i, i) = 2 + i;
  connect(system.M, 0, 4, 0.5);
  connect(system.M, 1, 4, 0.3);
  connect(system.M, 2, 3, 0.2);
  for (const Index i : {5, 6})
    system.C(i, i) = i - 3;
  connect(system.C, 5, 6, 1.5);
  connect(system.C, 5, 0, 0.7);
  for (const Index i : {7, 8})
    system.K(i, i) = i;
  connect(system.K, 7, 8, 3.);
  connect(system.K, 8, 4, 2.);
  // Forces on half DoFs that follow accelerations: what pushes masses moves these at once.
  system.M(7, 0) = 0.4;
  system.M(5, 4) = 0.3;
  const auto coulomb = std::make_shared<CoulombFriction>(1, 0.3, 0., 0.);
  const NonsmoothModel<> model(system,
                               {inclusion("rests", friction(-9., 9.), on(0)),
                                inclusion("slips", friction(-1., 2.), on(1)),
                                {"slides", coulomb, {on(2), on(3)}},
                                inclusion("lies", contact(0., 0.5), on(4)),
                                inclusion("wet", friction(-0.5, 0.5), on(5)),
                                inclusion("pushed", contact(), on(6)),
                                inclusion("layer", contact(), on(7)),
                                inclusion("far", contact(-1.), on(8)),
                                inclusion("between", friction(-0.1, 0.1), Direction({{6, 1.}, {1, -1.}}))},
                               [](double) {
                                 return Vector(vector_of({4., 3., -7., 5., -6., 2., -3., -2., 1.}));
                               });
  DelassusOptions few;
  few.max_dense = 2;
  const InclusionOutcome as_operator = classify_inclusions(model.inclusions, few);
  const Vector q = Vector::Zero(9), v = vector_of({0., 1., 0., 0.8, 0., 0., 0., 0., 0.});
  const NonsmoothState dense = model.start(q, v),
                       found = nonsmooth_start(model.inclusions, as_operator, q, v);
  // All kinds push: a reaction that is left out would show.
  for (const Index j : {0, 1, 2, 3, 4, 5, 6, 7, 9})
    BOOST_TEST(std::abs(dense.r[j]) > 0.05);
  // Either solver stops at a relative residual of 1e-12.
  BOOST_TEST((found.r - dense.r).norm() < 1e-10 * dense.r.norm());
  BOOST_TEST((found.g - dense.g).norm() < 1e-10 * dense.r.norm());
  BOOST_TEST((found.w - dense.w).norm() < 1e-10 * dense.w.norm());
  BOOST_TEST((found.contacts == dense.contacts));
}

BOOST_AUTO_TEST_CASE(more_contacts_than_a_dense_matrix_may_have_start_on_half_dofs_and_on_masses) {
  // Two rows of nodes that their weights press on a floor, 1 each: massless ones on springs, and masses.
  const Index n = 520;
  DenseSystem system = empty_system(2 * n);
  std::vector<Inclusion> floor;
  for (Index i = 0; i < 2 * n; ++i) {
    if (i < n)
      system.K(i, i) = 1;
    else
      system.M(i, i) = 1;
    if (i % n > 0) connect(system.K, i - 1, i, 0.5);
    floor.push_back(inclusion("node " + std::to_string(i), contact(), on(i)));
  }
  const NonsmoothModel<> model(system, floor, [](double) { return Vector(-Vector::Ones(2 * n)); });
  BOOST_TEST(model.outcome.instantaneous_responses.K.size() == 0);
  const NonsmoothState state = model.at_rest();
  BOOST_TEST((state.r - Vector::Ones(2 * n)).cwiseAbs().maxCoeff() < 1e-10);
}

BOOST_AUTO_TEST_CASE(friction_that_weakens_starts_and_slips_alike_with_matrices_and_operators) {
  // The first mass is torn off, the second slips already, the third rests.
  DenseSystem system = empty_system(3);
  system.M = vector_of({1., 2., 3.}).asDiagonal();
  connect(system.M, 0, 1, 0.5);
  connect(system.K, 1, 2, 3.);
  const auto weak = std::make_shared<const WeakeningFriction>(FrictionCurve::exponential(1., 0.5, 0.3));
  const NonsmoothModel<> model(
      system, {inclusion("a", weak, on(0)), inclusion("b", weak, on(1)), inclusion("c", weak, on(2))},
      [](double) {
        return Vector(vector_of({3., 0., 0.2}));
      });
  DelassusOptions few;
  few.max_dense = 2;
  const InclusionOutcome as_operator = classify_inclusions(model.inclusions, few);
  NonsmoothState expected = model.start(Vector::Zero(3), vector_of({0., -1., 0.})),
                 found = nonsmooth_start(model.inclusions, as_operator, Vector(Vector::Zero(3)),
                                         vector_of({0., -1., 0.}));
  // At rest it is the threshold that counts: 1.
  BOOST_TEST(std::abs(expected.r[0] + 1) < 1e-12);
  BOOST_TEST(std::abs(expected.r[1] - (0.5 + 0.5 * std::exp(-1 / 0.3))) < 1e-12);
  BOOST_TEST(std::abs(expected.r[2] + 0.2) < 1e-12);
  BOOST_TEST((found.r - expected.r).norm() < 1e-10);
  verified_run(Jean(model.inclusions, model.outcome, 0.01), expected, 1.);
  verified_run(Jean(model.inclusions, as_operator, 0.01), found, 1.);
  BOOST_TEST((found.y - expected.y).norm() < 1e-9 * expected.y.norm());
}

BOOST_AUTO_TEST_CASE(integrators_keep_to_the_size_of_dense_matrices_that_the_outcome_was_asked_for) {
  DenseSystem system = empty_system(3);
  system.M = MultiVector::Identity(3, 3);
  connect(system.K, 0, 1, 2.);
  connect(system.K, 1, 2, 3.);
  DelassusOptions few;
  few.max_dense = 2;
  const auto rubbing = [&](std::shared_ptr<const Law> law) {
    std::vector<Inclusion> all;
    for (const GlobalIndex dof : {0, 1, 2})
      all.push_back(inclusion("rub " + std::to_string(dof), law, on(dof)));
    return NonsmoothModel<>(system, all, [](double) { return Vector(vector_of({3., 0., 0.})); });
  };
  const NonsmoothModel<> dry = rubbing(friction(-1., 1.));
  const InclusionOutcome as_operator = classify_inclusions(dry.inclusions, few);
  const auto run = [&](const InclusionOutcome& outcome) {
    NonsmoothState state = dry.start(Vector::Zero(3), Vector::Zero(3));
    verified_run(Jean(dry.inclusions, outcome, 0.01), state, 1.);
    return state.y;
  };
  // Either solver stops at a relative residual of 1e-12.
  BOOST_TEST((run(as_operator) - run(dry.outcome)).norm() < 1e-9 * run(dry.outcome).norm());
  // Frictions that weaken too much for the step tell which one an integrator has.
  const NonsmoothModel<> weak =
      rubbing(std::make_shared<const WeakeningFriction>(FrictionCurve::exponential(1., 0.5, 1e-3)));
  NonsmoothState state = weak.at_rest();
  BOOST_CHECK_EXCEPTION(Jean(weak.inclusions, weak.outcome, 0.01).run(state, 0.04), NotAvailable,
                        [](const auto& error) { return mentions(error, "sqrt(l_i l_j)"); });
  BOOST_CHECK_EXCEPTION(
      Jean(weak.inclusions, classify_inclusions(weak.inclusions, few), 0.01).run(state, 0.04), NotAvailable,
      [](const auto& error) { return mentions(error, "max_dense"); });
}

BOOST_AUTO_TEST_SUITE_END()
