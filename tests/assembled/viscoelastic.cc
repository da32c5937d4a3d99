// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/builders/model_builders.h>
#include <halfdof/assembled/rigid_modes.h>
#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/dense/dense_decompositions.h>
#include <halfdof/linear_algebra/eigen/engine.h>

#include <Eigen/Dense>
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <random>

namespace {

using namespace halfdof;
using namespace halfdof::internal;

using Engine = EigenEngine;
using Description = SystemDescription<Engine>;

constexpr BranchForm both_forms[] = {BranchForm::local, BranchForm::symmetric};

EigenMatrix sparse(const MultiVector& dense) {
  return EigenMatrix(EigenMatrix::Storage(dense.sparseView()));
}

MultiVector dense(const EigenMatrix& A) {
  return Engine::to_dense(A);
}

MultiVector random(Index n, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> value(-1., 1.);
  return MultiVector::NullaryExpr(n, n, [&](Eigen::Index, Eigen::Index) { return value(generator); });
}

/// Stiffness of unit springs between the neighbours of a chain.
MultiVector chain(Index n) {
  MultiVector K = MultiVector::Zero(n, n);
  for (Index i = 0; i + 1 < n; ++i) {
    K(i, i) += 1, K(i + 1, i + 1) += 1;
    K(i, i + 1) -= 1, K(i + 1, i) -= 1;
  }
  return K;
}

/// A in the given rows and columns of an n x n matrix.
MultiVector placed(const MultiVector& A, const std::vector<Index>& dofs, Index n) {
  MultiVector large = MultiVector::Zero(n, n);
  large(dofs, dofs) = A;
  return large;
}

/// Unit rods between all pairs of points in the plane: three rigid motions.
MultiVector truss(const std::vector<std::array<double, 2>>& points) {
  const auto n = static_cast<Index>(2 * points.size());
  MultiVector K = MultiVector::Zero(n, n);
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::size_t j = i + 1; j < points.size(); ++j) {
      const double x = points[j][0] - points[i][0];
      const double y = points[j][1] - points[i][1];
      Vector elongation = Vector::Zero(n);
      elongation[static_cast<Index>(2 * j)] = x / std::hypot(x, y);
      elongation[static_cast<Index>(2 * j + 1)] = y / std::hypot(x, y);
      elongation[static_cast<Index>(2 * i)] = -x / std::hypot(x, y);
      elongation[static_cast<Index>(2 * i + 1)] = -y / std::hypot(x, y);
      K += elongation * elongation.transpose();
    }
  return K;
}

ComplexMultiVector pencil(Complex s, const MultiVector& M, const MultiVector& C, const MultiVector& K) {
  return s * s * M + s * C + K;
}

/// Z(s) of the assembled DoFs when the DoFs behind them carry no load: a Schur complement.
ComplexMultiVector condensed(const ComplexMultiVector& P, Index n) {
  const Index n_rest = static_cast<Index>(P.rows()) - n;
  return P.topLeftCorner(n, n) - P.topRightCorner(n, n_rest) * P.bottomRightCorner(n_rest, n_rest).inverse() *
                                     P.bottomLeftCorner(n_rest, n);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(viscoelastic)

BOOST_AUTO_TEST_CASE(one_mass_on_a_standard_linear_solid_gives_the_matrices_of_the_textbook) {
  Description description;
  description.mass = sparse(MultiVector::Constant(1, 1, 3.));
  description.stiffness = sparse(MultiVector::Constant(1, 1, 10.));
  for (const BranchForm form : both_forms) {
    const auto large =
        with_viscoelastic_branches<Engine>(description, {{description.stiffness, {{0.5, 0.2}}, form}})
            .description;
    const MultiVector M = (MultiVector(2, 2) << 3, 0, 0, 0).finished();
    const MultiVector C = (MultiVector(2, 2) << 0, 0, 0, 1).finished();
    const MultiVector K = (MultiVector(2, 2) << 15, -5, -5, 5).finished();
    BOOST_TEST((dense(*large.mass) - M).isZero(0));
    BOOST_TEST((dense(*large.damping) - C).isZero(0));
    BOOST_TEST((dense(large.stiffness) - K).isZero(0));
  }
}

BOOST_AUTO_TEST_CASE(the_forms_keep_what_they_promise) {
  Description description;
  description.stiffness = sparse(chain(4));
  description.constrained = {0};
  const auto build = [&](BranchForm form) {
    return with_viscoelastic_branches<Engine>(description, {{description.stiffness, {{2., 0.5}}, form}})
        .description;
  };
  const auto symmetric = build(BranchForm::symmetric);
  BOOST_TEST((dense(symmetric.stiffness) - dense(symmetric.stiffness).transpose()).isZero(0));
  BOOST_TEST((dense(*symmetric.damping) - dense(*symmetric.damping).transpose()).isZero(0));

  const auto local = build(BranchForm::local);
  const MultiVector C_CC = dense(*local.damping).bottomRightCorner(3, 3);
  BOOST_TEST((C_CC - MultiVector(C_CC.diagonal().asDiagonal())).isZero(0));
  BOOST_TEST(C_CC.diagonal().minCoeff() > 0.);
}

BOOST_AUTO_TEST_CASE(without_the_internal_dofs_the_dynamic_stiffness_holds_the_prony_series) {
  // Two parts, one of them clamped (the first chain, to a constrained DoF 0), one of them floating; the rest
  // of the system is unsymmetric.
  const Index n = 7;
  const MultiVector K_1 = placed(chain(3), {0, 2, 5}, n);
  const MultiVector K_2 = placed(chain(3), {6, 3, 2}, n);
  const PronySeries series_1{{0.5, 0.1}, {2., 3.}};
  const PronySeries series_2{{0.25, 0.7}};
  Description description;
  description.mass = sparse(random(n, 1));
  description.damping = sparse(random(n, 2));
  description.stiffness = sparse(random(n, 3));
  description.constrained = {0};
  const auto relaxation = [](const PronySeries& series, Complex s) {
    Complex sum = 0;
    for (const auto [g, tau] : series)
      sum += g * s * tau / (1. + s * tau);
    return sum;
  };
  for (const BranchForm form : both_forms) {
    const auto large = with_viscoelastic_branches<Engine>(
        description, {{sparse(K_1), series_1, form}, {sparse(K_2), series_2, form}});

    BOOST_TEST(large.description.stiffness.rows().n_global() ==
               n + 2 * 2 + (form == BranchForm::local ? 3 : 2));
    BOOST_TEST(large.internal[0].rigid->fixed.size() == 0u);
    BOOST_TEST(large.internal[1].rigid->fixed.size() == (form == BranchForm::local ? 0u : 1u));

    for (const Complex s : {Complex(0.3, 2.), Complex(-1.7, 0.4), Complex(5., 0.)}) {
      const MultiVector free = MultiVector::Identity(n, n).rightCols(n - 1);
      const ComplexMultiVector expected =
          free.transpose() *
          (pencil(s, dense(*description.mass), dense(*description.damping), dense(description.stiffness)) +
           relaxation(series_1, s) * K_1 + relaxation(series_2, s) * K_2) *
          free;
      const ComplexMultiVector P =
          pencil(s, dense(*large.description.mass), dense(*large.description.damping),
                 dense(large.description.stiffness));
      const ComplexMultiVector Z = condensed(P.bottomRightCorner(P.rows() - 1, P.cols() - 1), n - 1);
      // A Schur complement of some ten well-conditioned rows.
      BOOST_TEST((Z - expected).norm() <= 1e-12 * expected.norm());
    }
  }
}

BOOST_AUTO_TEST_CASE(the_local_form_takes_unsymmetric_parts) {
  // DoF 2 pushes others but is not pushed, DoF 0 is pushed but pushes nothing; 3 does not belong to the part.
  MultiVector K_p = placed(random(3, 4), {0, 1, 2}, 4);
  K_p.row(2).setZero();
  K_p.col(0).setZero();
  Description description;
  description.mass = sparse(random(4, 1));
  description.damping = sparse(random(4, 2));
  description.stiffness = sparse(random(4, 3));
  const auto large =
      with_viscoelastic_branches<Engine>(description, {{sparse(K_p), {{0.5, 0.3}}, BranchForm::local}})
          .description;
  BOOST_TEST(large.stiffness.rows().n_global() == 4 + 3);

  const Complex s(0.3, 2.);
  const ComplexMultiVector expected =
      pencil(s, dense(*description.mass), dense(*description.damping), dense(description.stiffness)) +
      0.5 * s * 0.3 / (1. + s * 0.3) * K_p;
  const ComplexMultiVector Z =
      condensed(pencil(s, dense(*large.mass), dense(*large.damping), dense(large.stiffness)), 4);
  BOOST_TEST((Z - expected).norm() <= 1e-12 * expected.norm());
}

BOOST_AUTO_TEST_CASE(a_floating_part_in_the_plane_has_three_rigid_motions) {
  const std::vector<std::array<double, 2>> points{{0., 0.}, {1., 0.2}, {0.3, 1.}, {2., 1.5}, {1e-2, 2e-2}};
  const MultiVector K = 1e9 * truss(points);
  const RigidModes modes = rigid_modes<Engine>(sparse(K));
  BOOST_TEST_REQUIRE(modes.basis.cols() == 3);
  BOOST_TEST((K * modes.basis).norm() <= 1e-12 * K.norm() * modes.basis.norm());
  for (std::size_t i = 0; i < 3; ++i)
    for (Index k = 0; k < 3; ++k)
      BOOST_TEST(std::abs(modes.basis(modes.fixed[i], k) - (modes.mode[i] == k ? 1. : 0.)) <= 1e-12);

  Description description;
  description.stiffness = sparse(K);
  const auto large =
      with_viscoelastic_branches<Engine>(description, {{sparse(K), {{1., 1.}}, BranchForm::symmetric}})
          .description;
  const MultiVector C_CC = dense(*large.damping).bottomRightCorner(7, 7);
  BOOST_TEST(symmetric_eigenvalues(C_CC).minCoeff() > 1e-6 * C_CC.norm());
}

BOOST_AUTO_TEST_CASE(rigid_motions_of_many_pieces_are_all_found) {
  const Index n_pieces = 20;
  MultiVector K = MultiVector::Zero(3 * n_pieces, 3 * n_pieces);
  for (Index i = 0; i < n_pieces; ++i)
    K.block(3 * i, 3 * i, 3, 3) = std::pow(10., i % 3) * chain(3);
  const RigidModes modes = rigid_modes<Engine>(sparse(K));
  BOOST_TEST(modes.basis.cols() == n_pieces);
  const Vector ones = modes.basis * Vector::Ones(n_pieces);
  BOOST_TEST((ones - Vector::Ones(3 * n_pieces)).cwiseAbs().maxCoeff() <= 1e-12);
}

BOOST_AUTO_TEST_CASE(elastic_motions_that_are_very_soft_are_not_taken_for_rigid_ones) {
  // Two chains that hang together by a spring 1e-8 times as stiff, the first one held at its end.
  MultiVector K = MultiVector::Zero(6, 6);
  K.topLeftCorner(3, 3) = chain(3);
  K.bottomRightCorner(3, 3) = chain(3);
  K(0, 0) += 1;
  K(2, 2) += 1e-8, K(3, 3) += 1e-8, K(2, 3) -= 1e-8, K(3, 2) -= 1e-8;
  BOOST_TEST(rigid_modes<Engine>(sparse(K)).basis.cols() == 0);
}

BOOST_AUTO_TEST_CASE(more_pieces_than_anyone_would_mean_are_refused) {
  BOOST_CHECK_THROW(rigid_modes<Engine>(sparse([] {
                      MultiVector K = MultiVector::Zero(600, 600);
                      for (Index i = 0; i < 300; ++i)
                        K.block(2 * i, 2 * i, 2, 2) = chain(2);
                      return K;
                    }())),
                    InvalidInput);
}

BOOST_AUTO_TEST_CASE(relaxed_branches_carry_no_force) {
  const Index n = 5;
  const MultiVector K_p = placed(chain(3), {1, 4, 2}, n);
  Description description;
  description.stiffness = sparse(chain(n));
  const Vector u = (Vector(n) << 3, -1, 4, 1, -5).finished();
  for (const BranchForm form : both_forms) {
    const auto large =
        with_viscoelastic_branches<Engine>(description, {{sparse(K_p), {{0.5, 1.}, {3., 2.}}, form}});
    Vector all(n + (form == BranchForm::local ? 6 : 4));
    all << u, large.internal[0].relaxed(u, *Communicator::self());
    Vector expected = Vector::Zero(all.size());
    expected.head(n) = chain(n) * u;
    BOOST_TEST((dense(large.description.stiffness) * all - expected).norm() <= 1e-13 * expected.norm());
  }
}

BOOST_AUTO_TEST_CASE(internal_dofs_are_labelled_by_their_parents) {
  Description description;
  description.stiffness = sparse(chain(2));
  description.constrained = {0};
  description.labels = {{"x", "y"}, {0, 1}, {7, 8}, {{0., 0., 0.}, {1., 2., 0.}}, 2};
  const DoFLabels labels =
      with_viscoelastic_branches<Engine>(description, {{description.stiffness, {{1., 1.}, {1., 2.}}}})
          .description.labels;
  BOOST_TEST(labels.describe(2, 2) == "DoF 2 (node 8, y, branch 1, at (1, 2))");
  BOOST_TEST(labels.describe(3, 3) == "DoF 3 (node 8, y, branch 2, at (1, 2))");
}

BOOST_AUTO_TEST_CASE(loads_act_on_the_assembled_dofs_alone) {
  Description description;
  description.stiffness = sparse(MultiVector::Ones(1, 1));
  description.load = [](double t) { return Vector::Constant(1, t); };
  const auto large =
      with_viscoelastic_branches<Engine>(description, {{description.stiffness, {{1., 1.}}}}).description;
  BOOST_TEST((large.load(3.) - (Vector(2) << 3, 0).finished()).isZero(0));
  BOOST_TEST(!large.load_rate);
}

BOOST_AUTO_TEST_CASE(parts_that_make_no_sense_are_refused) {
  Description description;
  description.stiffness = sparse(chain(3));
  const auto build = [&](const MultiVector& K_p, const PronySeries& series) {
    with_viscoelastic_branches<Engine>(description, {{sparse(K_p), series, BranchForm::symmetric}});
  };
  BOOST_CHECK_THROW(build(chain(3), {}), InvalidInput);
  BOOST_CHECK_THROW(build(chain(3), {{-0.1, 1.}}), InvalidInput);
  BOOST_CHECK_THROW(build(chain(3), {{0.1, 0.}}), InvalidInput);
  BOOST_CHECK_THROW(build(chain(3), {{0.1, NAN}}), InvalidInput);
  BOOST_CHECK_THROW(build(chain(2), {{0.1, 1.}}), InvalidInput);
  BOOST_CHECK_THROW(build(MultiVector::Zero(3, 3), {{0.1, 1.}}), InvalidInput);
  BOOST_CHECK_THROW(build(random(3, 1), {{0.1, 1.}}), InvalidInput);

  description.constrained = {0};
  description.prescribed.value = [](double t) { return Vector::Constant(1, t); };
  BOOST_CHECK_THROW(build(chain(3), {{0.1, 1.}}), NotAvailable);
  BOOST_CHECK_NO_THROW(build(placed(chain(2), {1, 2}, 3), {{0.1, 1.}}));
}

BOOST_AUTO_TEST_SUITE_END()
