// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/memory/structure_modes.h>

#include <boost/test/unit_test.hpp>

#include "memory/structures.h"

using namespace halfdof;
using namespace halfdof::test;

BOOST_AUTO_TEST_SUITE(classical_structures)

BOOST_AUTO_TEST_CASE(classical_modes_of_structures_respond_as_they_do) {
  for (const bool floats : {false, true}) {
    DenseSystem system = chain(40, floats);
    system.C = floats ? MultiVector(0.03 * system.K) : MultiVector(0.01 * system.M + 0.03 * system.K);
    const std::vector<Index> dofs = {9, 31};
    const Inclusions<EigenEngine> contacts = contacts_at(system, dofs);
    for (const Index n : {40, 12}) {
      ClassicalStructureOptions options;
      options.n_modes = n;
      const ClassicalStructure found = classical_structure(contacts, options);
      BOOST_TEST(found.modes.frequency.size() == (n == 40 ? 40 : 14));  // an attachment mode for each contact
      BOOST_TEST(found.residual < 1e-9);
      BOOST_TEST((found.modes.frequency[0] == 0.) == floats);
      const Complex s(0.01, 0.05);
      const ComplexMultiVector expected = response(system, dofs, s);
      const double error = (response(contact_modes(found.modes), s) - expected).norm() / expected.norm();
      BOOST_TEST(error < (n == 40 ? 1e-9 : 1e-4));
      BOOST_TEST(contact_modes(found.modes).W_K.isZero(0));
      if (!floats)
        BOOST_TEST((response(contact_modes(found.modes), 0.) - response(system, dofs, 0.)).norm() < 1e-9);
    }
  }
}

BOOST_AUTO_TEST_CASE(classical_modes_follow_dofs_without_mass) {
  DenseSystem system = chain(20, false);
  system.C.setZero();
  system.M(7, 7) = 0;
  const std::vector<Index> dofs = {7, 12};
  ClassicalStructureOptions options;
  options.n_modes = 100;
  options.damping_ratio = 0.05;
  const ClassicalStructure found = classical_structure(contacts_at(system, dofs), options);
  BOOST_TEST(found.modes.frequency.size() == 19);
  const ContactModes modes = contact_modes(found.modes);
  BOOST_TEST(modes.W_K(0, 0) > 0.1);
  BOOST_TEST(std::abs(modes.W_K(1, 1)) < 1e-10);
  BOOST_TEST((response(modes, 0.) - response(system, dofs, 0.)).norm() < 1e-9);
  const Vector q = found.shapes.col(2), x = found.modal_state(q, 2 * q);
  BOOST_TEST((x - 1. * Vector::Unit(38, 4) - 2. * Vector::Unit(38, 5)).norm() < 1e-9);
  BOOST_TEST((found.displacements(x) - q).norm() < 1e-9);
}

BOOST_AUTO_TEST_CASE(what_has_no_classical_modes_is_refused) {
  const auto refused = [](const DenseSystem& system, const ClassicalStructureOptions& options = {}) {
    BOOST_CHECK_THROW(classical_structure(contacts_at(system, {1}), options), Error);
  };
  refused(chain(6, false));  // uneven dampers
  DenseSystem unsymmetric = chain(6, false, 0);
  unsymmetric.K(2, 3) *= 2;
  refused(unsymmetric);
  DenseSystem creeping = chain(6, false, 0);
  creeping.M(3, 3) = 0;
  creeping.C(3, 3) = 1;
  refused(creeping);
  ClassicalStructureOptions options;
  options.damping_ratio = 0.1;
  DenseSystem damped = chain(6, false, 0);
  damped.C = damped.K;
  refused(damped, options);
  options.damping_ratio = {};
  options.n_modes = 0;
  refused(chain(6, false, 0), options);
  DenseSystem buckled = chain(6, false, 0);
  buckled.K(0, 0) = -5;
  refused(buckled);
}

BOOST_AUTO_TEST_SUITE_END()
