// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/inclusions/laws.h>
#include <halfdof/inclusions/outcome.h>
#include <halfdof/integrators/nonsmooth/implicit_methods.h>
#include <halfdof/integrators/nonsmooth/nonsmooth_integrator.h>
#include <halfdof/memory/contact_modes.h>
#include <halfdof/memory/memory_equation.h>
#include <halfdof/memory/memory_hypotheses.h>
#include <halfdof/memory/modal_memory.h>
#include <halfdof/memory/structure_modes.h>

#include <boost/test/unit_test.hpp>

#include "memory/structures.h"
#include "models.h"

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

BOOST_AUTO_TEST_SUITE(modes_of_structures)

BOOST_AUTO_TEST_CASE(contacts_on_all_kinds_respond_as_the_assembled_system) {
  for (const bool is_symmetric : {true, false})
    for (unsigned seed = 1; seed <= 4; ++seed)
      BOOST_TEST_CONTEXT(is_symmetric << ' ' << seed) {
        DenseSystem system =
            is_symmetric ? random_symmetric(4, 3, 2, seed) : random_unsymmetric(4, 3, 2, seed);
        if (!is_symmetric) {
          // Eigenvalues to the left: shift time, P(s) -> P(s + a).
          const double a = 40;
          const DenseSystem given = system;
          system.C = given.C + 2 * a * given.M;
          system.K = given.K + a * given.C + a * a * given.M;
        }
        const DenseElimination kinds = dense_elimination(system);
        const std::vector<Index> dofs = {kinds.I[0], kinds.C[0], kinds.K[0]};
        try {
          const StructureModes found = structure_modes(contacts_at(system, dofs));
          BOOST_TEST(found.modes.n_coordinates() == 11);
          BOOST_TEST(found.residual < 1e-9);
          BOOST_TEST(found.omitted_response(1.) == 0.);
          for (const Complex s : {Complex(0.7, 2.), Complex(3., -1.), Complex(50., 0.)}) {
            const ComplexMultiVector expected = response(system, dofs, s);
            BOOST_TEST((response(found.modes, s) - expected).norm() < 1e-8 * expected.norm());
          }
        } catch (const InvalidInput& error) {
          BOOST_TEST(!is_symmetric, error.what());  // an eigenvalue to the right is refused
        }
      }
}

BOOST_AUTO_TEST_CASE(modes_nearest_the_origin_with_what_they_leave_out) {
  const DenseSystem system = chain(60, false);
  const std::vector<Index> dofs = {20, 47};
  const Inclusions<EigenEngine> contacts = contacts_at(system, dofs);
  StructureModesOptions options;
  options.n_eigenvalues = 30;
  const StructureModes found = structure_modes(contacts, {}, {}, options);
  BOOST_TEST(found.modes.n_coordinates() <=
             33);  // one more eigenvalue, and what makes C B zero, for each contact
  BOOST_TEST(found.modes.W_C().isZero(0));
  BOOST_TEST(found.residual < 1e-8);
  BOOST_TEST(found.fastest_kept <= found.slowest_omitted * (1 + 1e-9));
  // Exact at rest; below its bound above.
  BOOST_TEST((response(found.modes, 0.) - response(system, dofs, 0.)).norm() < 1e-9);
  for (const double part : {0.1, 0.3, 0.6}) {
    const double omega = part * found.slowest_omitted;
    const double error =
        (response(found.modes, Complex(0, omega)) - response(system, dofs, Complex(0, omega)))
            .cwiseAbs()
            .maxCoeff();
    BOOST_TEST(error <= found.omitted_response(omega));
    BOOST_TEST(error > 0);
  }
  options.keeps_static_compliance = false;
  const StructureModes bare = structure_modes(contacts, {}, {}, options);
  BOOST_TEST(bare.modes.W_K.isZero(0));
  BOOST_TEST((response(bare.modes, 0.) - response(system, dofs, 0.)).norm() > 1e-3);
}

BOOST_AUTO_TEST_CASE(left_eigenvectors_are_found_where_matrices_are_unsymmetric) {
  DenseSystem system = chain(60, false, 0.1);
  for (Index i = 1; i < 60; ++i)
    system.C(i, i - 1) *= 0.8;  // a follower damper
  const std::vector<Index> dofs = {20, 47};
  StructureModesOptions options;
  options.n_eigenvalues = 24;
  const StructureModes found = structure_modes(contacts_at(system, dofs), {}, {}, options);
  BOOST_TEST(found.residual < 1e-8);
  const auto error = [&](Complex s) {
    const ComplexMultiVector expected = response(system, dofs, s);
    return (response(found.modes, s) - expected).norm() / expected.norm();
  };
  BOOST_TEST(error(0.) < 1e-9);
  BOOST_TEST(error(Complex(0, 0.05)) < 1e-2);
}

BOOST_AUTO_TEST_CASE(rigid_bodies_stay_exactly_rigid) {
  const DenseSystem system = chain(30, true);
  for (const Index n : {0, 14}) {
    StructureModesOptions options;
    options.n_eigenvalues = n;
    const StructureModes found = structure_modes(contacts_at(system, {3}), {}, {}, options);
    Index n_zeros = 0;
    for (const Complex& value : found.modes.eigenvalues())
      n_zeros += value == 0. ? 1 : 0;
    BOOST_TEST(n_zeros == 2);
    const ComplexMultiVector expected = response(system, {3}, Complex(0.01, 0.02));
    const double error = (response(found.modes, Complex(0.01, 0.02)) - expected).norm();
    BOOST_TEST(error < 1e-8 * expected.norm() + found.omitted_response(std::abs(Complex(0.01, 0.02))));
    const MemoryEquation equation(found.modes);
    BOOST_TEST(std::abs(equation.A()(1, 0)) < 1e-12);
    BOOST_TEST(std::abs(equation.L_inf()(1, 0) - 1. / 30) < 1e-9);
  }
}

BOOST_AUTO_TEST_CASE(states_are_put_back_and_loads_act_at_their_places) {
  const DenseSystem system = chain(12, false);
  const Inclusions<EigenEngine> contacts = contacts_at(system, {5});
  const MultiVector load = MultiVector::Identity(12, 12).col(9);
  const StructureModes found = structure_modes(contacts, load, {on(2)});
  const Vector y = RandomNumbers(3).matrix(24, 1);
  BOOST_TEST((found.lift(found.restrict(y), Vector::Zero(1)) - y).norm() < 1e-9 * y.norm());
  BOOST_TEST(found.omitted_part(y) < 1e-9);
  // At rest under the load: observed and contact displacements are columns of K^{-1}.
  const MultiVector rest = system.K.inverse();
  ModalMemory method(found.modes, {{std::make_shared<DryFriction>(-1e-9, 1e-9), "pad"}}, 0.5,
                     {ScalarFunction(1.)});
  MemoryState state =
      method.start(0, found.restrict(Vector((Vector(24) << rest.col(9), Vector::Zero(12)).finished())));
  method.run(state, 5.);
  BOOST_TEST(std::abs(state.g[0] - rest(5, 9)) < 1e-7);
  BOOST_TEST(std::abs(method.observed(state).s[0] - rest(2, 9)) < 1e-7);
}

BOOST_AUTO_TEST_CASE(friction_moves_the_structure_as_small_steps_of_the_full_model) {
  const DenseSystem system = chain(20, false);
  const std::vector<Inclusion> given = {pad("first", 0.05, on(6)), pad("second", 0.08, between(15, 14))};
  const ReducedSystem<EigenEngine> reduced = reduce(assemble<EigenEngine>(system));
  const Inclusions<EigenEngine> contacts(reduced, given);
  const InclusionOutcome outcome = classify_inclusions(contacts);
  const Vector q = 0.3 * Vector(RandomNumbers(5).matrix(20, 1)), v = Vector::Zero(20);
  NonsmoothState full = nonsmooth_start(contacts, outcome, q, v, 0.);
  MoreauJean<EigenEngine>(contacts, outcome, 1e-3).run(full, 8.);

  const StructureModes found = structure_modes(contacts);
  BOOST_TEST(found.modes.W_C().isZero(0));
  std::vector<NamedLaw> laws;
  for (const Inclusion& inclusion : contacts.acting())
    laws.push_back({inclusion.law, inclusion.name});
  ModalMemory method(found.modes, laws, 5e-3);
  MemoryState state = method.start(0, found.restrict((Vector(40) << q, v).finished()));
  method.run(state, 8.);
  BOOST_TEST((state.g - full.g).norm() < 1e-3);
  BOOST_TEST((found.lift(state.x, state.r) - full.y).norm() < 5e-3);
  BOOST_TEST(std::abs(state.dissipated - full.dissipated) < 1e-3);
}

/// Largest differences of displacements and reactions of contacts, beside small steps of the full model.
struct Beside {
  double g = 0, r = 0, size = 0, impulse = 0;
};

Beside beside_full_model(const DenseSystem& system, const std::vector<Inclusion>& given, double end) {
  const Inclusions<EigenEngine> contacts(reduce(assemble<EigenEngine>(system)), given);
  const InclusionOutcome outcome = classify_inclusions(contacts);
  const auto n = system.M.rows();
  const Vector q = Vector::Zero(n);
  const Vector v = -0.5 * system.M * RandomNumbers(5).matrix(static_cast<Index>(n), 1).cwiseAbs();
  NonsmoothState full = nonsmooth_start(contacts, outcome, q, v, 0.);
  const StructureModes found = structure_modes(contacts);
  std::vector<NamedLaw> laws;
  for (const Inclusion& inclusion : contacts.acting())
    laws.push_back({inclusion.law, inclusion.name});
  ModalMemory method(found.modes, laws, 2e-3);
  const Vector of_reactions = found.lift(Vector::Zero(found.Q.cols()), full.r);
  MemoryState state = method.start(0, found.restrict(full.y - of_reactions), full.r);
  MoreauJean<EigenEngine> steps(contacts, outcome, 5e-4);
  Beside largest;
  for (double t = end / 20; t < end + 1e-9; t += end / 20) {
    steps.run(full, t);
    method.run(state, t);
    largest.g = std::max(largest.g, (state.g - full.g).cwiseAbs().maxCoeff());
    largest.r = std::max(largest.r, (state.r - full.r).cwiseAbs().maxCoeff());
    largest.size = std::max(largest.size, full.g.cwiseAbs().maxCoeff());
  }
  largest.impulse = (state.impulse - full.impulse).norm() / full.impulse.norm();
  return largest;
}

BOOST_AUTO_TEST_CASE(contacts_on_half_dofs_move_as_in_the_full_model) {
  DenseSystem viscous = chain(12, false, 0.3), algebraic = chain(12, false, 0);
  viscous.M(5, 5) = viscous.M(9, 9) = 0;
  algebraic.C = 0.05 * algebraic.M;
  algebraic.M(5, 5) = algebraic.M(9, 9) = 0;
  algebraic.C(5, 5) = algebraic.C(9, 9) = 0;
  struct Tried {
    const char* what;
    DenseSystem system;
    std::vector<Inclusion> contacts;
  };
  const auto wall = [](Index dof) {
    return inclusion("wall", std::make_shared<UnilateralContact>(-0.05), on(dof));
  };
  const auto plate = [](Index normal, Index tangent) {
    return Inclusion{"plate", std::make_shared<CoulombFriction>(1, 0.4, -0.05), {on(normal), on(tangent)}};
  };
  for (const Tried& tried :
       {Tried{"friction, viscous", viscous, {pad("pad", 0.05, on(5))}},
        Tried{"friction, algebraic", algebraic, {pad("pad", 0.05, on(5))}},
        Tried{"two of both", viscous, {pad("pad", 0.05, on(5)), pad("next", 0.03, on(3))}},
        Tried{"wall, viscous", viscous, {wall(5)}}, Tried{"wall, algebraic", algebraic, {wall(5)}},
        Tried{"Coulomb, viscous", viscous, {plate(5, 9)}},
        Tried{"Coulomb, algebraic", algebraic, {plate(5, 9)}}})
    BOOST_TEST_CONTEXT(tried.what) {
      const Beside found = beside_full_model(tried.system, tried.contacts, 10.);
      BOOST_TEST_MESSAGE(tried.what << ": " << found.g << " of " << found.size << ", reactions " << found.r
                                    << ", impulses " << found.impulse);
      BOOST_TEST(found.size > 0.05);
      BOOST_TEST(found.g < 2e-3 * found.size);
      BOOST_TEST(found.impulse < 2e-3);
    }
}

BOOST_AUTO_TEST_CASE(constrained_dofs_at_rest_are_no_motion) {
  const DenseSystem system = chain(12, false);
  SystemDescription<EigenEngine> description;
  description.mass = matrix_of<EigenEngine>(system.M);
  description.damping = matrix_of<EigenEngine>(system.C);
  description.stiffness = matrix_of<EigenEngine>(system.K);
  description.constrained = {11};
  const auto contacts = [&] {
    return Inclusions<EigenEngine>(reduce(AssembledSystem<EigenEngine>(description)), {pad("pad", 1, on(5))});
  };
  const Complex s(0.1, 0.4);
  DenseSystem held{system.M.topLeftCorner(11, 11), system.C.topLeftCorner(11, 11),
                   system.K.topLeftCorner(11, 11)};
  BOOST_TEST((response(structure_modes(contacts()).modes, s) - response(held, {5}, s)).norm() < 1e-9);
  const TimeFunction moving = [](double) { return Vector(Vector::Ones(1)); };
  description.prescribed.value = description.prescribed.rate = description.prescribed.acceleration = moving;
  BOOST_CHECK_THROW(structure_modes(contacts()), NotAvailable);
}

BOOST_AUTO_TEST_CASE(a_compliance_below_that_of_a_step_does_not_make_reactions_alternate) {
  const Inclusions<EigenEngine> contacts = contacts_at(chain(30, false), {29});
  const Vector start = (Vector(60) << 0.5 * Vector::LinSpaced(30, 0, 1), Vector::Zero(30)).finished();
  const auto reactions = [&](Index n_eigenvalues) {
    StructureModesOptions options;
    options.n_eigenvalues = n_eigenvalues;
    const StructureModes found = structure_modes(contacts, {}, {}, options);
    ModalMemory method(found.modes, {{std::make_shared<DryFriction>(-0.02, 0.02), "pad"}}, 0.02);
    MemoryState state = method.start(0, found.restrict(start));
    std::vector<double> all;
    method.run(state, 20., [&](const MemoryState& now) { all.push_back(now.r[0]); });
    return all;
  };
  const std::vector<double> expected = reactions(0);
  for (const Index n : {40, 50, 56, 58}) {
    const std::vector<double> found = reactions(n);
    // In the mean: where slip ends they jump, some a step later than others.
    double mean = 0;
    for (std::size_t k = 1; k < found.size(); ++k)
      mean += std::abs(found[k] - expected[k]) / static_cast<double>(found.size());
    BOOST_TEST_MESSAGE(n << " eigenvalues: reactions differ by " << mean);
    BOOST_TEST(mean < 1e-3);
  }
}

BOOST_AUTO_TEST_CASE(what_is_left_out_moves_contacts_by_no_more_than_its_bound) {
  const DenseSystem system = chain(20, false, 0.);
  MultiVector place = MultiVector::Zero(20, 1);
  place(9, 0) = 1;
  SystemDescription<EigenEngine> description;
  description.mass = matrix_of<EigenEngine>(system.M);
  description.stiffness = matrix_of<EigenEngine>(system.K);
  const Inclusions<EigenEngine> contacts(
      reduce(AssembledSystem<EigenEngine>(description)),
      {inclusion("wall", std::make_shared<UnilateralContact>(-1e3), on(12))});
  const ScalarFunction load([](double t) { return t < 3 ? std::sin(1.7 * t) : 0.; });
  const auto displacements = [&](Index n_eigenvalues, double& bound) {
    StructureModesOptions options;
    options.n_eigenvalues = n_eigenvalues;
    const StructureModes found = structure_modes(contacts, place, {}, options);
    ModalMemory method(found.modes, {{contacts.acting()[0].law, "wall"}}, 0.01, {load});
    MemoryState state = method.start(0, Vector::Zero(found.modes.n_coordinates()));
    std::vector<double> all;
    Vector variation = Vector::Zero(2), largest = variation;
    double last = 0;
    method.run(state, 12., [&](const MemoryState& now) {
      all.push_back(now.g[0]);
      variation[1] += std::abs(load(now.time) - last);
      largest[1] = std::max(largest[1], std::abs(load(now.time)));
      last = load(now.time);
    });
    bound = found.omitted_motion(0, variation, largest);
    return all;
  };
  double none = 1;
  const std::vector<double> whole = displacements(0, none);
  BOOST_TEST(none == 0.);
  double before = 1e100;
  for (const Index n : {12, 20, 30}) {
    double bound = 0, largest = 0;
    const std::vector<double> some = displacements(n, bound);
    for (std::size_t k = 0; k < some.size(); ++k)
      largest = std::max(largest, std::abs(some[k] - whole[k]));
    BOOST_TEST_MESSAGE(n << " eigenvalues: " << largest << ", at most " << bound);
    BOOST_TEST(largest <= bound);
    BOOST_TEST(bound < before);
    before = bound;
  }
}

BOOST_AUTO_TEST_CASE(some_eigenvalues_are_found_whatever_their_number) {
  // Undamped, so that pairs lie on one line, and more states than dense matrices are taken for.
  const DenseSystem system = chain(170, false, 0);
  const Inclusions<EigenEngine> contacts = contacts_at(system, {80});
  for (const Index n : {1, 2, 15, 30, 39, 44, 47}) {
    StructureModesOptions options;
    options.n_eigenvalues = n;
    const StructureModes found = structure_modes(contacts, {}, {}, options);
    const Index n_kept = found.modes.n_coordinates() - found.n_fast;
    BOOST_TEST((n_kept == n || n_kept == n + 1), n << ' ' << n_kept);
    BOOST_TEST(found.residual < 1e-7);
    BOOST_TEST(found.slowest_omitted > 1.01 * found.fastest_kept);
    BOOST_TEST((response(found.modes, 0.) - response(system, {80}, 0.)).norm() < 1e-7);
  }
}

BOOST_AUTO_TEST_CASE(a_chain_of_three_zero_eigenvalues_stays_whole) {
  // q_0'' = q_1, q_1' = 0: forces move q_0 by t, and by t^2/2.
  DenseSystem system{MultiVector::Zero(2, 2), MultiVector::Zero(2, 2), MultiVector::Zero(2, 2)};
  system.M(0, 0) = 1;
  system.C(1, 1) = 1;
  system.K(0, 1) = -1;
  const StructureModes found = structure_modes(contacts_at(system, {0, 1}));
  BOOST_TEST(found.modes.n_coordinates() == 3);
  for (const Complex s : {Complex(0.7, 2.), Complex(3., -1.)})
    BOOST_TEST((response(found.modes, s) - response(system, {0, 1}, s)).norm() < 1e-12);
  BOOST_TEST(memory_hypotheses(found.modes).largest_real_part == 0.);
  // The same beside what swings, in coordinates that hide it.
  DenseSystem both{MultiVector::Zero(4, 4), MultiVector::Zero(4, 4), MultiVector::Zero(4, 4)};
  both.M.topLeftCorner(2, 2) = system.M;
  both.C.topLeftCorner(2, 2) = system.C;
  both.K.topLeftCorner(2, 2) = system.K;
  both.M.bottomRightCorner(2, 2).setIdentity();
  both.C.bottomRightCorner(2, 2) = 0.1 * MultiVector::Identity(2, 2);
  both.K.bottomRightCorner(2, 2) << 3, -1, -1, 2;
  MultiVector turn = MultiVector::Identity(4, 4);
  turn(0, 2) = 0.7;  // q_0 + 0.7 q_2 in the place of q_0; equations as they were
  turn(2, 0) = -0.3;
  const MultiVector by = turn.transpose();
  both = {by * both.M * turn, by * both.C * turn, by * both.K * turn};
  const StructureModes hidden = structure_modes(contacts_at(both, {0, 2}));
  BOOST_TEST(hidden.modes.n_coordinates() == 7);
  for (const Complex s : {Complex(0.7, 2.), Complex(3., -1.)})
    BOOST_TEST((response(hidden.modes, s) - response(both, {0, 2}, s)).norm() < 1e-10);
  Index n_zero = 0;
  for (const Complex& value : hidden.modes.eigenvalues())
    n_zero += value == 0.;
  BOOST_TEST(n_zero == 3);
}

BOOST_AUTO_TEST_CASE(a_damper_at_the_contact_does_not_disturb_a_truncated_model) {
  DenseSystem system = chain(40, false, 0);
  system.C(10, 10) = 0.2;
  const Inclusions<EigenEngine> contacts = contacts_at(system, {10});
  for (const Index n : {10, 20, 40})
    for (const bool keeps : {true, false}) {
      StructureModesOptions options;
      options.n_eigenvalues = n;
      options.keeps_static_compliance = keeps;
      const StructureModes found = structure_modes(contacts, {}, {}, options);
      BOOST_TEST(found.n_fast == 1);
      const ContactRegularity regularity = contact_regularity(found.instantaneous_responses)[0];
      BOOST_TEST((regularity.which == ContactCase::inertia));
      BOOST_TEST(std::abs(regularity.L_1_plus - 1) < 1e-9);  // a unit mass
      ModalMemory method(found.modes, {{std::make_shared<DryFriction>(-0.1, 0.1), "pad"}}, 0.05);
      // At rest under a reaction, what lifts from the coordinates is what they came from.
      const Vector r = Vector::Constant(1, 0.05);
      const MultiVector force = 0.05 * MultiVector::Identity(40, 40).col(10);
      const Vector y = (Vector(80) << system.K.inverse() * force, Vector::Zero(40)).finished();
      MemoryState state = method.start(0, found.restrict(y, r, {}), r);
      method.run(state, 1.);
      if (keeps) BOOST_TEST(std::abs(state.g[0] - y[10]) < 1e-9);
      BOOST_TEST(std::abs(state.w[0]) < 1e-9);
    }
}

BOOST_AUTO_TEST_CASE(two_floating_bodies_have_two_rigid_modes) {
  DenseSystem system = chain(20, true, 0);
  system.K.topRightCorner(8, 12).setZero();
  system.K.bottomLeftCorner(12, 8).setZero();
  for (const Index i : {7, 8})
    system.K(i, i) = -system.K.row(i).sum() + system.K(i, i);
  system.C = 0.03 * system.K;
  const std::vector<Index> dofs = {3, 14};
  for (const Index n : {20, 9}) {
    ClassicalStructureOptions options;
    options.n_modes = n;
    const ClassicalStructure found = classical_structure(contacts_at(system, dofs), options);
    BOOST_TEST((found.modes.frequency.array() == 0).count() == 2);
    const Complex s(0.02, 0.1);
    const ComplexMultiVector expected = response(system, dofs, s);
    const double error = (response(contact_modes(found.modes), s) - expected).norm() / expected.norm();
    BOOST_TEST(error < (n == 20 ? 1e-9 : 1e-4));
    BOOST_CHECK_THROW(found.modal_state(Vector::Zero(20), Vector::Zero(20)), NotAvailable);
  }
}

BOOST_AUTO_TEST_CASE(what_has_no_memory_of_its_own_is_refused) {
  const Inclusions<EigenEngine> contacts = contacts_at(chain(5, false), {2});
  BOOST_CHECK_THROW(structure_modes(contacts, MultiVector::Zero(4, 1)), InvalidInput);
  StructureModesOptions options;
  options.max_dense = 6;
  BOOST_CHECK_THROW(structure_modes(contacts, {}, {}, options), NotAvailable);
  BOOST_CHECK_THROW(structure_modes(contacts_at(chain(5, false), {})), InvalidInput);
  // A load whose places nobody tells.
  SystemDescription<EigenEngine> loaded;
  loaded.mass = loaded.stiffness = matrix_of<EigenEngine>(MultiVector::Identity(1, 1));
  loaded.load = [](double) { return Vector(Vector::Ones(1)); };
  const Inclusions<EigenEngine> of_loaded(reduce(AssembledSystem<EigenEngine>(loaded)),
                                          {pad("pad", 1, on(0))});
  BOOST_CHECK_THROW(structure_modes(of_loaded), InvalidInput);
  BOOST_TEST(structure_modes(of_loaded, MultiVector::Ones(1, 1)).modes.n_loads() == 1);
  DenseSystem growing = chain(5, false);
  growing.C(0, 0) = -1;
  BOOST_CHECK_THROW(structure_modes(contacts_at(growing, {2})), InvalidInput);
}

BOOST_AUTO_TEST_SUITE_END()
