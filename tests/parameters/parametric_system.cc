// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/parameters/parametric_system.h>

#include <boost/test/unit_test.hpp>

#include "eigen_systems.h"
#include <string>

using namespace halfdof;
using namespace halfdof::test;

namespace {

using Terms = MatrixTerms<EigenEngine>;

MatrixTerm<EigenEngine> term(const MultiVector& A, const std::string& factor) {
  return {matrix_of<EigenEngine>(A), ParameterFormula(factor)};
}

MultiVector dense(const EigenMatrix& A) {
  return EigenEngine::to_dense(A);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(parametric_system)

BOOST_AUTO_TEST_CASE(matrices_are_sums_with_the_factors_of_the_values) {
  RandomNumbers random(1);
  const DenseSystem parts = random_unsymmetric(3, 1, 1, 2);
  const MultiVector G = random.matrix(5, 5), N = random.matrix(5, 5), M1 = random.matrix(5, 5);
  SystemDescription<EigenEngine> constant;
  constant.stiffness = matrix_of<EigenEngine>(parts.K);
  constant.constrained = {4};
  const ParametricSystem<EigenEngine> system(
      constant, {{term(M1, "omega^2")}, {term(parts.C, "1"), term(G, "omega")}, {term(N, "-mu*omega")}},
      {{"omega", 2.}, {"mu", 0.5}});
  for (const double omega : {2., -0.3, 0.}) {
    const AssembledSystem<EigenEngine> at = omega == 2 ? system.at() : system.at({{"omega", omega}});
    BOOST_TEST(dense(at.M()).isApprox(omega * omega * M1, 1e-15));
    BOOST_TEST(dense(at.C()).isApprox(parts.C + omega * G, 1e-15));
    BOOST_TEST(dense(at.K()).isApprox(parts.K - 0.5 * omega * N, 1e-15));
    BOOST_TEST(at.constrained().n_global() == 1);
  }
  BOOST_TEST(system.depends_on("mu"));
}

BOOST_AUTO_TEST_CASE(the_kinds_of_dofs_are_those_of_the_sum) {
  // The damping of the second DoF vanishes at omega = 0: it is then algebraic.
  const MultiVector I = MultiVector::Identity(2, 2), first = Vector::Unit(2, 0).asDiagonal(),
                    second = Vector::Unit(2, 1).asDiagonal();
  const ParametricSystem<EigenEngine> system(
      {}, {{term(first, "1")}, {term(second, "omega")}, {term(I, "1")}}, {{"omega", 1.}});
  BOOST_TEST(dense(system.at({{"omega", 0.}}).C()).isZero(0));
  BOOST_TEST(dense(system.at().C()).isApprox(second));
}

BOOST_AUTO_TEST_CASE(wrong_terms_and_values_are_refused) {
  const MultiVector I = MultiVector::Identity(2, 2), large = MultiVector::Identity(3, 3);
  const auto says = [](const std::string& text) {
    return [text](const InvalidInput& error) {
      return std::string(error.what()).find(text) != std::string::npos;
    };
  };
  using System = ParametricSystem<EigenEngine>;
  BOOST_CHECK_EXCEPTION(System({}, {{term(I, "1")}, {}, {}}, {}), InvalidInput, says("no stiffness"));
  BOOST_CHECK_EXCEPTION(System({}, {{}, {term(large, "1")}, {term(I, "1")}}, {}), InvalidInput,
                        says("Term 0 of the damping is 3 x 3"));
  BOOST_CHECK_EXCEPTION(System({}, {{}, {}, {term(I, "mu")}}, {}), InvalidInput,
                        says("\"mu\" is no parameter"));
  const System system({}, {{}, {}, {term(I, "1/mu")}}, {{"mu", 1.}});
  BOOST_CHECK_EXCEPTION(system.at({{"nu", 1.}}), InvalidInput, says("\"nu\""));
  BOOST_CHECK_EXCEPTION(system.at({{"mu", 0.}}), InvalidInput, says("inf at mu = 0"));
}

BOOST_AUTO_TEST_SUITE_END()
