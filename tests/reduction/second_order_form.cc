// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/dense/dense_decompositions.h>
#include <halfdof/reduction/reduced_system.h>
#include <halfdof/reduction/second_order_form.h>

#include <Eigen/LU>
#include <boost/test/unit_test.hpp>

#include "eigen_systems.h"
#include <algorithm>

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

namespace {

void connect(MultiVector& A, Index i, Index j, double value) {
  A(i, i) += value;
  A(j, j) += value;
  A(i, j) -= value;
  A(j, i) -= value;
}

DenseSystem zeros(Index n) {
  return {MultiVector::Zero(n, n), MultiVector::Zero(n, n), MultiVector::Zero(n, n)};
}

/// Dumont et al., example 5.1: springs and dampers in series, q = (q_1, q_2, q_3).
DenseSystem in_series(double m, double k_1, double k_2, double c_1, double c_2) {
  DenseSystem system = zeros(3);
  system.M(2, 2) = m;
  connect(system.C, 1, 2, c_2);
  system.C(1, 1) += c_1;
  connect(system.K, 0, 2, k_2);
  system.K(0, 0) += k_1;
  return system;
}

/// What (4.1)-(4.4) leave of a matrix in the coordinates of U: blocks of sizes n_1, n_2 and n_3, unsymmetric.
DenseSystem obeying(Index n_1, Index n_2, Index n_3, unsigned seed) {
  const Index n = n_1 + n_2 + n_3;
  RandomNumbers random(seed);
  DenseSystem system = zeros(n);
  const MultiVector I = MultiVector::Identity(n, n);
  system.M.bottomRightCorner(n_3, n_3) = random.matrix(n_3, n_3) + 3 * I.topLeftCorner(n_3, n_3);
  system.C.bottomRightCorner(n_2 + n_3, n_2 + n_3) =
      random.matrix(n_2 + n_3, n_2 + n_3) + 3 * I.topLeftCorner(n_2 + n_3, n_2 + n_3);
  system.K = random.matrix(n, n) + 4 * I;
  system.K.middleRows(n_1, n_2).setZero();
  system.K.middleCols(n_1, n_2).setZero();
  return system;
}

DenseSystem turned(const DenseSystem& system, unsigned seed) {
  const Index n = system.size();
  const MultiVector Q = singular_value_decomposition(RandomNumbers(seed).matrix(n, n)).U;
  return {Q * system.M * Q.transpose(), Q * system.C * Q.transpose(), Q * system.K * Q.transpose()};
}

const Hypothesis& hypothesis(const KernelHypotheses& all, const std::string& name) {
  const auto found = std::find_if(all.all.begin(), all.all.end(), [&](const Hypothesis& one) {
    return one.name == name && (!one.holds || name != "(4.3)");
  });
  BOOST_REQUIRE(found != all.all.end());
  return *found;
}

/// Of a motion e^{s t}: forces f e^{s t}, and no constants.
void check_exponential_motion(const DenseSystem& system, const SecondOrderForm& form, double tolerance) {
  const double s = 0.37;
  const Vector f = RandomNumbers(5).matrix(system.size(), 1);
  const auto pencil = [&](const MultiVector& M, const MultiVector& C, const MultiVector& K) {
    return MultiVector(s * s * M + s * C + K);
  };
  const Vector expected = pencil(system.M, system.C, system.K).partialPivLu().solve(f);
  const Vector q = pencil(form.M(), form.C(), form.K()).partialPivLu().solve(form.L() * f);
  const Vector found = form.lift({q, Vector::Zero(form.hypotheses().N_2), f, f / s});
  BOOST_TEST((found - expected).norm() <= tolerance * expected.norm());
  BOOST_TEST((form.restrict(expected) - q).norm() <= tolerance * q.norm());
}

void check_congruence(const DenseSystem& system, const SecondOrderForm& form, double tolerance) {
  const auto agree = [&](const MultiVector& A, const MultiVector& reduced) {
    BOOST_TEST((form.L() * A * form.S() - reduced).norm() <= tolerance * A.norm());
  };
  agree(system.M, form.M());
  agree(system.C, form.C());
  agree(system.K, form.K());
}

std::string refusal_of(const DenseSystem& system) {
  try {
    const SecondOrderForm form(assemble<EigenEngine>(system));
  } catch (const NotAvailable& error) {
    return error.what();
  }
  BOOST_ERROR("was not refused");
  return "";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(second_order_form)

// Dumont et al., before (5.1).
BOOST_AUTO_TEST_CASE(springs_and_dampers_in_series_become_one_of_each) {
  const SecondOrderForm form(assemble<EigenEngine>(in_series(7, 2, 6, 5, 20)));
  BOOST_TEST(form.hypotheses().corollary() == "4.5");
  BOOST_TEST(form.hypotheses().N_1 == 1);
  BOOST_TEST(form.hypotheses().N_2 == 1);
  BOOST_REQUIRE(form.order() == 1);
  for (const Hypothesis& one : form.hypotheses().all)
    BOOST_TEST(one.holds, one.name);
  BOOST_TEST(form.M()(0, 0) == 7);
  BOOST_TEST(std::abs(form.C()(0, 0) - 4) < 1e-14);
  BOOST_TEST(std::abs(form.K()(0, 0) - 1.5) < 1e-14);
  BOOST_TEST((form.S() - (MultiVector(3, 1) << 0.75, 0.8, 1).finished()).norm() < 1e-15);
}

// Dumont et al., example 5.3 with Table 1: S and the eigenvalues besides zeros, computed with 50 digits.
BOOST_AUTO_TEST_CASE(a_vehicle_of_seven_displacements_has_three_equations) {
  DenseSystem system = zeros(7);
  system.M.diagonal() << 35, 1460, 0, 0, 0, 0, 25;
  connect(system.C, 0, 1, 21700);
  connect(system.C, 1, 3, 20000);
  connect(system.C, 3, 5, 15000);
  connect(system.C, 5, 6, 10000);
  connect(system.K, 0, 1, 9.5e6);
  connect(system.K, 1, 2, 2e6);
  connect(system.K, 2, 4, 1.5e6);
  connect(system.K, 4, 6, 1e6);
  const SecondOrderForm form(assemble<EigenEngine>(system));
  BOOST_TEST(form.hypotheses().suffice());
  MultiVector S(7, 3);
  S << 1, 0, 0, 0, 1, 0, 0, 10. / 13, 3. / 13, 0, 10. / 13, 3. / 13, 0, 6. / 13, 7. / 13, 0, 6. / 13, 7. / 13,
      0, 0, 1;
  BOOST_TEST((form.S() - S).norm() < 1e-13);
  check_congruence(system, form, 1e-14);
  for (const Complex s : {Complex(-317.469515559540525, 420.883036122180362),
                          Complex(-93.8502947671191167, 99.813761823076394)}) {
    const ComplexMultiVector P = s * s * form.M() + s * form.C() + form.K().cast<Complex>();
    const Vector sizes = (std::norm(s) * form.M() + std::abs(s) * form.C()).cwiseAbs().rowwise().sum();
    BOOST_TEST(std::abs((sizes.cwiseInverse().asDiagonal() * P).determinant()) < 1e-13);
  }
}

BOOST_AUTO_TEST_CASE(unsymmetric_systems_are_projected_from_the_left_by_more_than_the_transpose) {
  for (unsigned seed = 1; seed <= 8; ++seed)
    for (const auto& [n_1, n_2, n_3] :
         {std::array<Index, 3>{2, 3, 4}, {3, 1, 1}, {2, 0, 3}, {0, 2, 2}, {0, 0, 3}})
      for (const bool is_turned : {false, true}) {
        BOOST_TEST_CONTEXT(n_1 << ' ' << n_2 << ' ' << n_3 << ' ' << is_turned << ' ' << seed) {
          const DenseSystem plain = obeying(n_1, n_2, n_3, seed),
                            system = is_turned ? turned(plain, seed + 20) : plain;
          const SecondOrderForm form(assemble<EigenEngine>(system));
          BOOST_TEST(form.order() == n_3);
          BOOST_TEST(form.hypotheses().N_1 == n_1);
          BOOST_TEST(form.hypotheses().N_2 == n_2);
          BOOST_TEST(form.hypotheses().corollary() == (n_2 > 0 ? "4.5" : "4.6"));
          check_congruence(system, form, 1e-11);
          check_exponential_motion(system, form, 1e-10);
        }
      }
}

BOOST_AUTO_TEST_CASE(constants_that_the_reduction_drops_are_kept) {
  const DenseSystem system = turned(obeying(2, 3, 4, 3), 4);
  const SecondOrderForm form(assemble<EigenEngine>(system));
  RandomNumbers random(6);
  const Vector q = random.matrix(4, 1), constants = random.matrix(3, 1), none = Vector::Zero(9);
  const Vector lifted = form.lift({q, constants, none, none});
  BOOST_TEST((form.restrict(lifted) - q).norm() < 1e-12);
  BOOST_TEST((form.dropped_constants(lifted) - constants).norm() < 1e-12);
  // They move nothing: K times their displacements vanishes.
  const Vector at_rest = form.lift({Vector::Zero(4), constants, none, none});
  BOOST_TEST((system.K * at_rest).norm() < 1e-12);
  BOOST_CHECK_THROW(form.lift({q, none, none, none}), InvalidInput);
}

BOOST_AUTO_TEST_CASE(constrained_degrees_of_freedom_stay_out) {
  const DenseSystem small = in_series(7, 2, 6, 5, 20);
  DenseSystem system = zeros(4);
  const std::vector<Index> places{0, 1, 3};
  system.M(places, places) = small.M;
  system.C(places, places) = small.C;
  system.K(places, places) = small.K;
  system.K(2, 2) = 1;
  SystemDescription<EigenEngine> description;
  description.mass = matrix_of<EigenEngine>(system.M);
  description.damping = matrix_of<EigenEngine>(system.C);
  description.stiffness = matrix_of<EigenEngine>(system.K);
  description.constrained = {2};
  const SecondOrderForm form{AssembledSystem<EigenEngine>(description)};
  BOOST_TEST((form.S() - (MultiVector(4, 1) << 0.75, 0.8, 0, 1).finished()).norm() < 1e-15);
  BOOST_TEST(form.L().col(2).norm() == 0);
}

BOOST_AUTO_TEST_CASE(minors_that_vanish_alone_refuse_nothing) {
  DenseSystem system = zeros(3);
  system.M(2, 2) = 1;
  system.K << 0, 2, 1, 2, 0, 0, 1, 0, 5;
  const SecondOrderForm form(assemble<EigenEngine>(system));
  BOOST_TEST(!hypothesis(form.hypotheses(), "(4.7)").holds);
  BOOST_TEST(form.hypotheses().suffice());
  check_exponential_motion(system, form, 1e-13);
}

BOOST_AUTO_TEST_CASE(each_hypothesis_that_fails_is_named_with_its_dofs) {
  const auto fails = [](const DenseSystem& system, const std::string& name,
                        const std::vector<GlobalIndex>& dofs) {
    BOOST_TEST_CONTEXT(name) {
      const KernelHypotheses found = second_order_hypotheses(assemble<EigenEngine>(system));
      const Hypothesis& one = hypothesis(found, name);
      BOOST_TEST(!one.holds);
      BOOST_TEST(one.margin < 1);
      BOOST_TEST(!found.suffice());
      if (!dofs.empty()) BOOST_TEST(one.dofs == dofs, boost::test_tools::per_element());
      BOOST_TEST(refusal_of(system).find(name) != std::string::npos);
    }
  };
  DenseSystem system = in_series(7, 2, 6, 5, 20);
  system.M(0, 2) = 1e-3;
  fails(system, "(4.1)", {0});

  system = in_series(7, 2, 6, 5, 20);
  system.C(0, 1) = 1;
  fails(system, "(4.2 ii)", {0});

  system = zeros(2);
  system.M(0, 0) = 1;
  system.C(0, 1) = 1;
  system.K << 1, 2, 3, 4;
  fails(system, "(4.6 i)", {});

  system = in_series(7, 2, 6, 5, 20);
  system.K(1, 1) = 0.1;
  fails(system, "(4.3)", {1});

  system = in_series(7, 2, 6, 5, 20);
  system.K(1, 2) = 1;
  fails(system, "(4.4)", {});

  system = in_series(7, 2, 6, 5, 20);
  system.K(0, 0) = 0;
  system.K(0, 2) = system.K(2, 0) = 0;
  fails(system, "K_11", {0});
  fails(system, "Gamma", {0});

  DenseSystem massless = zeros(2);
  massless.C.setIdentity();
  massless.K.setIdentity();
  BOOST_TEST(refusal_of(massless).find("the mass matrix is zero") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(many_dofs_are_refused) {
  SecondOrderOptions options;
  options.max_order = 2;
  BOOST_CHECK_THROW(second_order_hypotheses(assemble<EigenEngine>(in_series(1, 1, 1, 1, 1)), options),
                    NotAvailable);
}

BOOST_AUTO_TEST_SUITE_END()
