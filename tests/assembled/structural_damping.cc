// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>

#include <boost/test/unit_test.hpp>

#include "complex_systems.h"
#include <limits>
#include <string>

using namespace halfdof;
using namespace halfdof::test;

BOOST_AUTO_TEST_SUITE(structural_damping)

BOOST_AUTO_TEST_CASE(the_embedding_represents_the_complex_product) {
  RandomNumbers random(3);
  ComplexSystem system = with_loss_factors(random_unsymmetric(2, 1, 1, 3), 3);
  system.C_i = random.matrix(4, 4);
  const StructurallyDampedSystem<EigenEngine> both = structural(system);
  const ComplexVector q = random.matrix(4, 1) + Complex(0, 1) * random.matrix(4, 1);
  Vector ab(8);
  ab << q.real(), q.imag();
  const auto check = [&](const EigenMatrix& embedded, const ComplexMultiVector& complex) {
    const Vector product = EigenEngine::to_dense(embedded) * ab;
    const ComplexVector expected = complex * q;
    BOOST_TEST((both.joined(product.cast<Complex>()) - expected).norm() < 1e-14 * expected.norm());
  };
  check(both.embedding().M(), system.real.M.cast<Complex>());
  check(both.embedding().C(), system.C());
  check(both.embedding().K(), system.K());
}

BOOST_AUTO_TEST_CASE(constraints_and_labels_are_doubled) {
  SystemDescription<EigenEngine> description;
  description.stiffness = matrix_of<EigenEngine>(MultiVector::Identity(3, 3));
  description.constrained = {2, 0};
  const ImaginaryParts<EigenEngine> lossy{matrix_of<EigenEngine>(MultiVector::Identity(3, 3)), {}};
  const StructurallyDampedSystem<EigenEngine> unlabelled(description, lossy);
  BOOST_TEST((unlabelled.embedding().constrained().local() == std::vector<Index>{0, 2, 3, 5}));
  BOOST_TEST(unlabelled.embedding().describe(4) == "DoF 4 (imaginary part)");
  BOOST_TEST(unlabelled.real_part().describe(1) == "DoF 1");
  BOOST_TEST(unlabelled.imaginary_part(1) == 4);
  BOOST_TEST(unlabelled.application_dof(4) == 1);
  description.labels.component_names = {"x"};
  description.labels.component = {0, 0, 0};
  description.labels.node = {5, 6, 7};
  const StructurallyDampedSystem<EigenEngine> labelled(description, lossy);
  BOOST_TEST(labelled.embedding().describe(1) == "DoF 1 (node 6, x)");
  BOOST_TEST(labelled.embedding().describe(4) == "DoF 4 (node 6, x, imaginary part)");
}

BOOST_AUTO_TEST_CASE(functions_of_time_and_wrong_matrices_are_refused) {
  SystemDescription<EigenEngine> description;
  description.stiffness = matrix_of<EigenEngine>(MultiVector::Identity(2, 2));
  const EigenMatrix lossy = matrix_of<EigenEngine>(MultiVector::Identity(2, 2));
  using System = StructurallyDampedSystem<EigenEngine>;
  const ImaginaryParts<EigenEngine> large{matrix_of<EigenEngine>(MultiVector::Identity(3, 3)), {}};
  BOOST_CHECK_THROW(System(description, large), InvalidInput);
  MultiVector wrong = MultiVector::Identity(2, 2);
  wrong(1, 0) = std::numeric_limits<double>::infinity();
  const ImaginaryParts<EigenEngine> infinite{{}, matrix_of<EigenEngine>(wrong)};
  BOOST_CHECK_EXCEPTION(System(description, infinite), NotFinite, [](const NotFinite& error) {
    return std::string(error.what()).find("row 1, column 0") != std::string::npos;
  });
  description.load = [](double) { return Vector::Zero(2); };
  const ImaginaryParts<EigenEngine> right{lossy, {}};
  BOOST_CHECK_EXCEPTION(System(description, right), NotAvailable, [](const NotAvailable& error) {
    return std::string(error.what()).find("no causal motion") != std::string::npos;
  });
}

BOOST_AUTO_TEST_SUITE_END()
