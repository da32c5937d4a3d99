// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/reduction/transfer_errors.h>

#include <boost/test/unit_test.hpp>

#include "eigen_systems.h"
#include <algorithm>
#include <cmath>
#include <vector>

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

namespace {

using Quantity = OutputQuantity;

/// Without rounding.
TransferFunction of(const MultiVector& H) {
  return {
      H,
      [n = H.rows()](const MultiVector& loads) -> MultiVector { return MultiVector::Zero(n, loads.cols()); },
      std::nan(""),
      {}};
}

/// A random model of ten DoFs, DoF 7 of which is clamped.
struct Clamped {
  DenseSystem dense = random_unsymmetric(4, 3, 3, 5);
  std::vector<Index> free = {0, 1, 2, 3, 4, 5, 6, 8, 9};

  ReducedSystem<EigenEngine> reduced() const {
    SystemDescription<EigenEngine> description;
    description.mass = matrix_of<EigenEngine>(dense.M);
    description.damping = matrix_of<EigenEngine>(dense.C);
    description.stiffness = matrix_of<EigenEngine>(dense.K);
    description.constrained = {7};
    return reduce(AssembledSystem<EigenEngine>(description));
  }
  MultiVector P(double s) const { return s * s * dense.M + s * dense.C + dense.K; }
  /// Displacement of DoF 0, rate of DoF 3, reaction and displacement of DoF 7.
  MultiVector H(double s) const {
    const MultiVector inverse = MultiVector(P(s)(free, free)).inverse();
    MultiVector rows = MultiVector::Zero(4, 10);
    rows(0, free) = inverse.row(0);
    rows(1, free) = s * inverse.row(3);
    rows(2, free) = P(s)(7, free) * inverse;
    return rows;
  }
  std::vector<Output> outputs = {
      {Quantity::displacement, 0}, {Quantity::rate, 3}, {Quantity::reaction, 7}, {Quantity::displacement, 7}};
};

}  // namespace

BOOST_AUTO_TEST_SUITE(transfer_errors_of_written_matrices)

BOOST_AUTO_TEST_CASE(exact_transfer_functions_have_no_error) {
  const Clamped model;
  const TransferErrors errors =
      transfer_errors(model.reduced(), model.outputs, [&](double s) { return of(model.H(s)); });
  for (Index o = 0; o < 3; ++o) {
    BOOST_TEST(errors.s[o] > 0);
    BOOST_TEST(std::abs(errors.largest[o] / model.H(errors.s[o]).row(o).cwiseAbs().maxCoeff() - 1) <= 1e-12);
    BOOST_TEST(errors.error[o] <= 1e-12 * errors.largest[o]);
  }
  BOOST_TEST(errors.largest[3] == 0);
  BOOST_TEST(errors.error[3] == 0);
  BOOST_TEST(inaccurate_outputs(errors, 1e-10).empty());
}

BOOST_AUTO_TEST_CASE(each_output_has_its_own_error) {
  const Clamped model;
  const TransferErrors errors = transfer_errors(model.reduced(), model.outputs, [&](double s) {
    MultiVector H = model.H(s);
    H(1, 4) += 0.25;
    H(2, 7) = 1;  // no force acts on a clamped DoF
    return of(H);
  });
  BOOST_TEST(errors.error[0] <= 1e-12 * errors.largest[0]);
  BOOST_TEST(std::abs(errors.error[1] - 0.25) <= 1e-12);
  BOOST_TEST((inaccurate_outputs(errors, 1e-6) == std::vector<Index>{1}));
}

BOOST_AUTO_TEST_CASE(errors_are_looked_for_where_equations_have_their_rates) {
  // Oscillators of 1, 1e4 and 1e9 1/s, side by side: each answers where its own rate is.
  DenseSystem system{MultiVector::Zero(3, 3), MultiVector::Zero(3, 3), MultiVector::Zero(3, 3)};
  system.M.diagonal() << 1, 1e-8, 1e-18;
  system.K.setIdentity();
  const std::vector<Output> outputs{
      {Quantity::displacement, 0}, {Quantity::displacement, 1}, {Quantity::displacement, 2}};
  const std::vector<double> rates{1, 1e4, 1e9};
  const TransferErrors errors =
      transfer_errors(reduce(assemble<EigenEngine>(system)), outputs, [&](double s) {
        MultiVector H = (s * s * system.M.diagonal() + system.K.diagonal()).cwiseInverse().asDiagonal();
        for (Index o = 0; o < 3; ++o)
          H(o, o) *= 1 + 1e-4 / (1 + std::pow(std::log(s / rates[static_cast<std::size_t>(o)]), 2));
        return of(H);
      });
  for (Index o = 0; o < 3; ++o) {
    BOOST_TEST(errors.s[o] / rates[static_cast<std::size_t>(o)] == 0.74, boost::test_tools::tolerance(0.01));
    BOOST_TEST(errors.error[o] > 0.9e-4 * errors.largest[o]);
  }
}

BOOST_AUTO_TEST_CASE(what_is_not_a_number_has_no_small_error) {
  DenseSystem system{MultiVector::Zero(2, 2), MultiVector::Zero(2, 2), MultiVector::Zero(2, 2)};
  system.M.diagonal() << 1, 1e-8;
  system.K.setIdentity();
  for (const bool is_at_slow_rate : {true, false}) {
    const TransferErrors errors =
        transfer_errors(reduce(assemble<EigenEngine>(system)), {{Quantity::displacement, 0}}, [&](double s) {
          MultiVector H = (s * s * system.M.diagonal() + system.K.diagonal()).cwiseInverse().asDiagonal();
          if ((s < 100) == is_at_slow_rate) H(0, 0) = std::nan("");
          return of(H.topRows(1));
        });
    BOOST_TEST(std::isnan(errors.error[0]));
    BOOST_TEST((inaccurate_outputs(errors, 1e-6) == std::vector<Index>{0}));
  }
}

BOOST_AUTO_TEST_CASE(a_wrong_entry_loses_its_output_in_any_units) {
  for (const double unit : {1., 1e-12, 1e12}) {
    Clamped model;
    const Vector units = (Vector(10) << unit, 1, 1, unit, 1, 1 / unit, 1, 1, 1, 1).finished();
    const Vector of_rows = (Vector(10) << 1, unit, 1, 1 / unit, unit, 1, 1, 1, 1, 1).finished();
    for (MultiVector* A : {&model.dense.M, &model.dense.C, &model.dense.K})
      *A = of_rows.asDiagonal() * *A * units.asDiagonal();
    const auto lost = [&](Index output, Index load, double error, double explained) {
      return transfer_errors(model.reduced(), model.outputs,
                             [&](double s) {
                               MultiVector H = model.H(s);
                               H(output, load) *= 1 + error;
                               const double rounding = explained * std::abs(H(output, load));
                               return TransferFunction{H,
                                                       [=](const MultiVector& loads) -> MultiVector {
                                                         return MultiVector::Constant(4, loads.cols(),
                                                                                      rounding);
                                                       },
                                                       std::nan(""),
                                                       {}};
                             })
          .lost;
    };
    for (const Index load : {0, 1, 4, 9})
      for (const Index output : {0, 1, 2}) {
        BOOST_TEST(lost(output, load, 0, 0).empty());
        const auto found = lost(output, load, 1e-2, 0);
        BOOST_REQUIRE(found.size() == 1u);
        BOOST_TEST(found.front().output == output);
        BOOST_TEST(found.front().error <= 0.011 * found.front().size);
        BOOST_TEST(lost(output, load, 1e-2, 1e-3).empty());
      }
    BOOST_TEST(lost(0, 4, std::nan(""), 0).size() == 1u);
  }
}

BOOST_AUTO_TEST_CASE(an_eigenvalue_that_a_form_has_lost_changes_its_determinant) {
  const Clamped model;
  const auto lost = [&](double eigenvalue, double explained) {
    return transfer_errors(model.reduced(), {},
                           [&](double s) {
                             const double of_model = std::log(
                                 std::abs(MultiVector(model.P(s)(model.free, model.free)).determinant()));
                             return TransferFunction{
                                 MultiVector(0, 10), [](const MultiVector&) { return MultiVector(0, 0); },
                                 of_model + 7.5 - (eigenvalue > 0 ? std::log(s + eigenvalue) : 0.),
                                 [=] { return explained; }};
                           })
        .lost_eigenvalues;
  };
  BOOST_TEST(!lost(0, 0));
  const auto found = lost(1e-9, 0);
  BOOST_REQUIRE(found.has_value());
  BOOST_TEST(found->factor * std::min(found->s, found->other_s) == std::max(found->s, found->other_s),
             boost::test_tools::tolerance(1e-6));
  BOOST_TEST(!lost(1e-9, 1));
}

BOOST_AUTO_TEST_CASE(a_lost_spring_shows_beside_a_wrong_soft_one) {
  // Loads of the two are judged by what each of them moves.
  DenseSystem system{MultiVector::Zero(3, 3), MultiVector::Zero(3, 3), MultiVector::Zero(3, 3)};
  system.K << 1, 1, 0, 1, 1 + 1e-9, 0, 0, 0, 2;
  const std::vector<Output> outputs{{Quantity::displacement, 0}, {Quantity::displacement, 2}};
  const auto lost = [&](double of_soft, double of_spring) {
    return transfer_errors(
               reduce(assemble<EigenEngine>(system)), outputs,
               [&](double) {
                 MultiVector H = MultiVector(system.K.inverse())(std::vector<Index>{0, 2}, Eigen::all);
                 H(0, 0) += of_soft;
                 H(1, 2) += of_spring;
                 return of(H);
               })
        .lost;
  };
  BOOST_TEST(lost(1, 0).empty());
  const auto found = lost(1, -0.5);
  BOOST_REQUIRE(found.size() == 1u);
  BOOST_TEST(found.front().output == 1);
}

BOOST_AUTO_TEST_CASE(an_eigenvalue_has_no_error_to_tell) {
  const Clamped model;
  const TransferErrors errors =
      transfer_errors(model.reduced(), model.outputs,
                      [](double) -> TransferFunction { throw SingularMatrix("an eigenvalue"); });
  BOOST_TEST(std::isnan(errors.error[2]));
  BOOST_TEST(errors.not_compared.find("1/s is an eigenvalue, up to rounding") != std::string::npos);
  BOOST_TEST((inaccurate_outputs(errors, 1e-6) == std::vector<Index>{0, 1, 2, 3}));
}

BOOST_AUTO_TEST_CASE(loads_that_are_left_out_are_not_compared) {
  // Two masses on springs that a multiplier holds together: q_0 + 2 q_1 = 0.
  DenseSystem dense{MultiVector::Zero(3, 3), MultiVector::Zero(3, 3), MultiVector::Zero(3, 3)};
  dense.M.diagonal() << 1, 3, 0;
  dense.K << 4, -1, 1, -1, 5, 2, 1, 2, 0;
  const auto compare = [&](const DenseSystem& system, const MultiVector& change) {
    return transfer_errors(reduce(assemble<EigenEngine>(system)), {{Quantity::displacement, 0}},
                           [&](double s) {
                             const MultiVector P = s * s * system.M + s * system.C + system.K;
                             return of(MultiVector(P.inverse().row(0)) + change);
                           });
  };
  // A load on the multiplier alone.
  BOOST_TEST(compare(dense, (MultiVector(1, 3) << 0, 0, 1).finished()).error[0] <= 1e-14);
  BOOST_TEST(std::abs(compare(dense, (MultiVector(1, 3) << 0, 1, 0).finished()).error[0] - 1) <= 1e-14);
  // The same equations mixed: L is (0, -1, 1) then.
  MultiVector mixing(3, 3);
  mixing << 1, 0, 1, 0, 1, 0, 0, 1, 1;
  const DenseSystem mixed = turned(dense, mixing, MultiVector::Identity(3, 3));
  BOOST_TEST(compare(mixed, (MultiVector(1, 3) << 0, -1, 1).finished()).error[0] <= 1e-14);
  BOOST_TEST(compare(mixed, (MultiVector(1, 3) << 0, 1, 0).finished()).error[0] > 0.5);
}

BOOST_AUTO_TEST_CASE(what_is_lost_is_told_by_the_worst_output) {
  const std::vector<Output> outputs{{Quantity::displacement, 4}, {Quantity::rate, 7}};
  TransferErrors errors{{}, {}, {}, "", {}, {}, {}};
  BOOST_TEST(describe_lost(errors, outputs).empty());
  errors.lost = {{0, 2., 0.5, 10.}, {1, 3., std::nan(""), 1.}};
  const std::string of_outputs = describe_lost(errors, outputs);
  BOOST_TEST(
      of_outputs.find("output 1, rate of DoF 7, has an error of nan at s = 3 1/s") != std::string::npos,
      of_outputs);
  BOOST_TEST(of_outputs.find("1 other output is wrong, too") != std::string::npos, of_outputs);
  errors.lost_eigenvalues = TransferErrors::LostEigenvalues{0.5, 4., 7.25};
  const std::string of_both = describe_lost(errors, outputs);
  BOOST_TEST(
      of_both.find("changes by a factor of 7.25 between s = 0.5 1/s and s = 4 1/s") != std::string::npos,
      of_both);
  BOOST_TEST(of_both.find("output 1, rate of DoF 7") != std::string::npos, of_both);
}

BOOST_AUTO_TEST_SUITE_END()
