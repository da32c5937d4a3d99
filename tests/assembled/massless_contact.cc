// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/builders/model_builders.h>
#include <halfdof/assembled/free_system.h>
#include <halfdof/base/errors.h>
#include <halfdof/classification/classification.h>
#include <halfdof/linear_algebra/dense/dense_decompositions.h>

#include <boost/test/unit_test.hpp>

#include "eigen_systems.h"
#include <cmath>
#include <string>
#include <unsupported/Eigen/KroneckerProduct>

using namespace halfdof;
using namespace halfdof::internal;

namespace {

using Description = SystemDescription<EigenEngine>;
using DoFs = std::vector<GlobalIndex>;

/// The DoFs of one component at points on a line.
DoFLabels on_a_line(const std::vector<double>& x) {
  DoFLabels labels;
  labels.dimension = 1;
  labels.component_names = {"x"};
  labels.component.assign(x.size(), 0);
  for (const double place : x)
    labels.point.push_back({place, 0., 0.});
  return labels;
}

/// M with springs between neighbours.
Description chain(const MultiVector& M, DoFLabels labels = {}) {
  const Index n = static_cast<Index>(M.rows());
  MultiVector K = MultiVector::Zero(n, n);
  K.diagonal().setConstant(2.);
  for (Index i = 0; i + 1 < n; ++i)
    K(i, i + 1) = K(i + 1, i) = -1;
  Description description;
  description.mass = test::matrix_of<EigenEngine>(M);
  description.stiffness = test::matrix_of<EigenEngine>(K);
  description.labels = std::move(labels);
  return description;
}

MultiVector diagonal(const std::vector<double>& d) {
  return Eigen::Map<const Vector>(d.data(), static_cast<Index>(d.size())).asDiagonal();
}

MultiVector mass_of(const Description& description) {
  return EigenEngine::to_dense(*description.mass);
}

/// Consistent mass of n elements of length one and density one.
MultiVector consistent(Index n) {
  MultiVector M = MultiVector::Zero(n + 1, n + 1);
  for (Index i = 0; i < n; ++i)
    M.block<2, 2>(i, i) += (MultiVector(2, 2) << 2, 1, 1, 2).finished() / 6;
  return M;
}

MultiVector lumped(const MultiVector& M) {
  return M.rowwise().sum().asDiagonal();
}

/**
 * A block of n^dim cells with dim displacements in each node (numbered node by node), in which every node is
 * a little beside its place. The mass of node i along an axis is that of the one-dimensional element.
 */
struct Block {
  Index dim, n;
  Description description;
  DoFs bottom;  ///< all displacements where the last coordinate is lowest

  Block(Index dim, Index n, const MultiVector& line, unsigned seed) : dim(dim), n(n) {
    MultiVector M = MultiVector::Ones(1, 1);
    for (Index axis = 0; axis < dim; ++axis)
      M = Eigen::kroneckerProduct(line, M).eval();
    const Index n_nodes = static_cast<Index>(M.rows());
    M = Eigen::kroneckerProduct(M, MultiVector::Identity(dim, dim)).eval();
    description = chain(M);

    test::RandomNumbers random(seed);
    DoFLabels& labels = description.labels;
    labels.dimension = dim;
    for (Index node = 0; node < n_nodes; ++node) {
      std::array<double, 3> point{};
      Index rest = node;
      for (Index axis = 0; axis < dim; ++axis, rest /= n + 1)
        point[static_cast<std::size_t>(axis)] = 7 + rest % (n + 1) + 0.2 * random();
      for (Index c = 0; c < dim; ++c) {
        labels.point.push_back(point);
        labels.component.push_back(c);
        if (node < n_nodes / (n + 1)) bottom.push_back(node * dim + c);
      }
    }
    for (Index c = 0; c < dim; ++c)
      labels.component_names.push_back(std::string(1, "xyz"[c]));
  }
};

/// The fields 1, x, y, z of each component, on DoFs that are not constrained.
MultiVector affine_fields(const Description& description) {
  const DoFLabels& labels = description.labels;
  const auto n = static_cast<Index>(labels.point.size());
  MultiVector P = MultiVector::Zero(n, 4 * static_cast<Index>(labels.component_names.size()));
  for (Index i = 0; i < n; ++i) {
    const auto position = static_cast<std::size_t>(i);
    P(i, 4 * labels.component[position]) = 1;
    for (Index k = 0; k < 3; ++k)
      P(i, 4 * labels.component[position] + k + 1) = labels.point[position][static_cast<std::size_t>(k)];
  }
  for (const Index i : description.constrained)
    P.row(i).setZero();
  return P;
}

/// Largest difference of P^T M P, relative to the largest moment. Rounding leaves the condition number of the
/// equations of the moments times 1e-16.
double moments_differ(const Description& before, const Description& after) {
  const MultiVector P = affine_fields(before);
  const MultiVector moments = P.transpose() * mass_of(before) * P;
  return (P.transpose() * mass_of(after) * P - moments).cwiseAbs().maxCoeff() / moments.cwiseAbs().maxCoeff();
}
constexpr double rounding = 1e-12;

bool are_null(const Description& description, const DoFs& contact) {
  const MultiVector M = mass_of(description);
  for (const GlobalIndex dof : contact)
    if (!M.row(static_cast<Index>(dof)).isZero(0) || !M.col(static_cast<Index>(dof)).isZero(0)) return false;
  return true;
}

double lowest_eigenvalue(const MultiVector& M) {
  return symmetric_eigenvalues(M)[0];
}

/// What is said when the mass cannot be redistributed.
std::string refusal(const Description& description, const DoFs& contact) {
  try {
    with_massless_contact(description, contact);
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "";
}
bool says(const std::string& message, const std::string& text) {
  return message.find(text) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(massless_contact)

BOOST_AUTO_TEST_CASE(three_lumped_masses_take_over_a_fourth_as_quadratic_extrapolation_says) {
  const Description given = chain(diagonal({0.1, 1, 1, 1}), on_a_line({0, 1, 2, 3}));
  const MultiVector M = mass_of(with_massless_contact(given, {0}));
  BOOST_TEST((M - diagonal({0, 1.3, 0.7, 1.1})).cwiseAbs().maxCoeff() < 1e-14);
  BOOST_TEST((M.array() != 0.).count() == 3);
}

BOOST_AUTO_TEST_CASE(two_nodes_of_a_consistent_mass_move_as_if_the_third_followed_them) {
  // The moments determine all three entries that are left: those of q_0 = 2 q_1 - q_2.
  const MultiVector follow = (MultiVector(3, 3) << 0, 2, -1, 0, 1, 0, 0, 0, 1).finished();
  const MultiVector M = mass_of(with_massless_contact(chain(consistent(2), on_a_line({0, 1, 2})), {0}));
  BOOST_TEST((M - follow.transpose() * consistent(2) * follow).cwiseAbs().maxCoeff() < 1e-14);
  BOOST_TEST((M - M.transpose()).isZero(0));
}

BOOST_AUTO_TEST_CASE(mass_centre_and_inertia_of_lines_areas_and_solids_are_kept) {
  for (const Index dim : {1, 2, 3})
    for (const bool is_lumped : {false, true}) {
      const Index n = dim == 3 ? 5 : 9;
      const Block block(dim, n, is_lumped ? lumped(consistent(n)) : consistent(n), 1);
      const Description after = with_massless_contact(block.description, block.bottom);
      BOOST_TEST_CONTEXT("dimension " << dim << ", lumped " << is_lumped) {
        BOOST_TEST(moments_differ(block.description, after) < rounding);
        BOOST_TEST(are_null(after, block.bottom));
        const MultiVector M = mass_of(after), before = mass_of(block.description);
        BOOST_TEST((M - M.transpose()).isZero(0));
        BOOST_TEST(((before.array() == 0.) && (M.array() != 0.)).count() == 0);
        BOOST_TEST(lowest_eigenvalue(M) > -1e-15);
        BOOST_TEST((M - before).cwiseAbs().maxCoeff() > 0.);
      }
    }
}

BOOST_AUTO_TEST_CASE(the_numbering_does_not_matter) {
  const Block block(2, 5, consistent(5), 2);
  const Index n = static_cast<Index>(block.description.labels.point.size());
  const std::vector<Index> order = test::RandomNumbers(3).permutation(n);
  Description permuted = block.description;
  permuted.mass = test::matrix_of<EigenEngine>(mass_of(block.description)(order, order));
  permuted.stiffness =
      test::matrix_of<EigenEngine>(EigenEngine::to_dense(block.description.stiffness)(order, order));
  DoFs bottom;
  for (Index i = 0; i < n; ++i) {
    const auto here = static_cast<std::size_t>(i), there = static_cast<std::size_t>(order[here]);
    permuted.labels.point[here] = block.description.labels.point[there];
    permuted.labels.component[here] = block.description.labels.component[there];
    if (std::find(block.bottom.begin(), block.bottom.end(), order[here]) != block.bottom.end())
      bottom.push_back(i);
  }
  const MultiVector M = mass_of(with_massless_contact(block.description, block.bottom));
  const MultiVector M_permuted = mass_of(with_massless_contact(permuted, bottom));
  BOOST_TEST((M_permuted - M(order, order)).cwiseAbs().maxCoeff() < rounding);
}

BOOST_AUTO_TEST_CASE(components_that_lose_nothing_are_left_alone) {
  const Block block(2, 4, consistent(4), 4);
  DoFs normal;
  for (const GlobalIndex dof : block.bottom)
    if (dof % 2 == 1) normal.push_back(dof);
  const Description after = with_massless_contact(block.description, normal);
  BOOST_TEST(moments_differ(block.description, after) < rounding);
  BOOST_TEST(are_null(after, normal));
  const MultiVector change = mass_of(after) - mass_of(block.description);
  for (Index i = 0; i < change.rows(); i += 2)
    BOOST_TEST(change.row(i).isZero(0));
}

BOOST_AUTO_TEST_CASE(an_unsymmetric_mass_that_couples_components_keeps_its_moments) {
  Block block(2, 6, consistent(6), 5);
  MultiVector M = mass_of(block.description);
  test::RandomNumbers random(6);
  for (Index i = 0; i < M.rows(); ++i)
    for (const Index j : {i ^ 1, (i + 2) % static_cast<Index>(M.rows())})
      M(i, j) += 0.1 * M(i, i) * random();
  block.description.mass = test::matrix_of<EigenEngine>(M);
  const Description after = with_massless_contact(block.description, block.bottom);
  BOOST_TEST(moments_differ(block.description, after) < rounding);
  BOOST_TEST(are_null(after, block.bottom));
  BOOST_TEST((mass_of(after) - mass_of(after).transpose()).norm() > 1e-3);
}

BOOST_AUTO_TEST_CASE(constrained_dofs_are_taken_out_first) {
  Block block(2, 5, consistent(5), 7);
  // The first two nodes of the bottom, and one of the top.
  block.description.constrained = {0, 1, 2, 3, 70};
  const Description after = with_massless_contact(block.description, block.bottom);
  BOOST_TEST(moments_differ(block.description, after) < rounding);
  const MultiVector before = mass_of(block.description), M = mass_of(after);
  for (const Index i : block.description.constrained) {
    BOOST_TEST((M.row(i) - before.row(i)).isZero(0));
    BOOST_TEST((M.col(i) - before.col(i)).isZero(0));
  }
  const Classification kinds = classify_dofs(FreeSystem<EigenEngine>(AssembledSystem<EigenEngine>(after)));
  BOOST_TEST(kinds.n_algebraic() == 8);
  BOOST_TEST((kinds.kind(0) == DoFKind::constrained));
  BOOST_TEST((kinds.kind(4) == DoFKind::algebraic));
  BOOST_TEST((kinds.kind(12) == DoFKind::inertial));
}

BOOST_AUTO_TEST_CASE(a_contact_whose_dofs_are_all_held_changes_nothing) {
  Description given = chain(consistent(3), on_a_line({0, 1, 2, 3}));
  given.constrained = {0};
  BOOST_TEST((mass_of(with_massless_contact(given, {0})) - consistent(3)).isZero(0));
}

BOOST_AUTO_TEST_CASE(damped_contact_dofs_become_viscous) {
  Description given = chain(consistent(6), on_a_line({0, 1, 2, 3, 4, 5, 6}));
  given.damping = test::matrix_of<EigenEngine>(diagonal({0.3, 0, 0, 0, 0, 0, 0}));
  const Classification kinds = classify_dofs(
      FreeSystem<EigenEngine>(AssembledSystem<EigenEngine>(with_massless_contact(given, {0, 6}))));
  BOOST_TEST((kinds.kind(0) == DoFKind::viscous));
  BOOST_TEST((kinds.kind(6) == DoFKind::algebraic));
  BOOST_TEST(kinds.n_inertial() == 5);
}

BOOST_AUTO_TEST_CASE(no_body_takes_mass_from_another) {
  // Two bars that face each other; the gap between them is no spring.
  MultiVector M = MultiVector::Zero(10, 10);
  M.topLeftCorner(5, 5) = consistent(4);
  M.bottomRightCorner(5, 5) = 3 * consistent(4);
  Description given = chain(M, on_a_line({0, 1, 2, 3, 4, 4.1, 5.1, 6.1, 7.1, 8.1}));
  MultiVector K = EigenEngine::to_dense(given.stiffness);
  K(4, 5) = K(5, 4) = 0;
  given.stiffness = test::matrix_of<EigenEngine>(K);
  const MultiVector both = mass_of(with_massless_contact(given, {5, 4}));
  BOOST_TEST(both.topLeftCorner(5, 5).sum() == 4., boost::test_tools::tolerance(rounding));
  BOOST_TEST(both.bottomRightCorner(5, 5).sum() == 12., boost::test_tools::tolerance(rounding));
  // The second bar is the mirror image of the first, three times as heavy.
  BOOST_TEST((both.bottomRightCorner(5, 5).reverse() - 3 * both.topLeftCorner(5, 5)).isZero(rounding));
  const MultiVector one = mass_of(with_massless_contact(given, {4}));
  BOOST_TEST((one.bottomRightCorner(5, 5) - M.bottomRightCorner(5, 5)).isZero(0));
}

BOOST_AUTO_TEST_CASE(without_support_points_the_total_mass_is_kept) {
  const MultiVector M = mass_of(with_massless_contact(chain(diagonal({1, 2, 3, 5})), {0}));
  BOOST_TEST((M - diagonal({0, 2.2, 3.3, 5.5})).cwiseAbs().maxCoeff() < 1e-14);
  DoFLabels labels = on_a_line({0, 1, 2, 3});
  labels.point[2] = {NAN, NAN, NAN};
  const Description given = chain(diagonal({1, 2, 3, 5}), labels);
  BOOST_TEST((mass_of(with_massless_contact(given, {0})) - M).cwiseAbs().maxCoeff() < 1e-14);
}

BOOST_AUTO_TEST_CASE(dofs_without_mass_stay_so_and_need_no_place) {
  DoFLabels labels = on_a_line({0, 1, 2, 3, 4});
  labels.point[2] = {NAN, NAN, NAN};
  const Description given = chain(diagonal({0.1, 1, 0, 1, 1}), labels);
  const Description after = with_massless_contact(given, {0});
  BOOST_TEST((mass_of(after).diagonal() - diagonal({0, 1.2, 0, 0.8, 1.1}).diagonal()).cwiseAbs().maxCoeff() <
             1e-14);
  BOOST_TEST(mass_of(after)(2, 2) == 0.);
  BOOST_TEST(mass_of(after).sum() == 3.1, boost::test_tools::tolerance(rounding));
  // Once more: nothing is left to move.
  BOOST_TEST((mass_of(with_massless_contact(after, {0})) - mass_of(after)).isZero(0));
}

BOOST_AUTO_TEST_CASE(units_and_places_may_be_large_or_small) {
  const Block block(2, 4, consistent(4), 8);
  const MultiVector M = mass_of(with_massless_contact(block.description, block.bottom));
  Description far = block.description;
  far.mass = test::matrix_of<EigenEngine>(1e-9 * mass_of(block.description));
  for (auto& point : far.labels.point)
    point = {1e-6 * (point[0] + 1000), 1e-6 * point[1], 0.};
  // Places are known to 1e-13 of the size of the body.
  BOOST_TEST((1e9 * mass_of(with_massless_contact(far, block.bottom)) - M).cwiseAbs().maxCoeff() < 1e-10);
}

BOOST_AUTO_TEST_CASE(a_contact_that_is_the_whole_body_is_refused) {
  const std::string message = refusal(chain(consistent(2), on_a_line({0, 1, 2})), {0, 1, 2});
  BOOST_TEST(says(message, "DoF 0 (x, at (0)), DoF 1 (x, at (1)), DoF 2 (x, at (2))"));
  BOOST_TEST(says(message, "all the mass"));
}

BOOST_AUTO_TEST_CASE(a_body_of_two_nodes_cannot_keep_its_centre) {
  const Description given = chain(consistent(1), on_a_line({0, 1}));
  BOOST_TEST(says(refusal(given, {0}), "DoF 0 (x, at (0))"));
  BOOST_TEST(says(refusal(given, {0}), "too few"));
  BOOST_TEST(mass_of(with_massless_contact(chain(consistent(1)), {0}))(1, 1) == 1.,
             boost::test_tools::tolerance(rounding));
  // A lumped mass of three nodes has two numbers for three moments.
  BOOST_TEST(says(refusal(chain(lumped(consistent(2)), on_a_line({0, 1, 2})), {0}), "too few"));
}

BOOST_AUTO_TEST_CASE(a_mass_that_would_become_indefinite_is_refused_by_name) {
  const std::string message = refusal(chain(diagonal({0.5, 1, 1, 1}), on_a_line({0, 1, 2, 3})), {0});
  BOOST_TEST(says(message, "no positive semidefinite mass matrix"));
  BOOST_TEST(says(message, "decrease most are at DoF 2 (x, at (2))"));
  BOOST_TEST(says(message, "(DoF 0 (x, at (0)))"));
}

BOOST_AUTO_TEST_CASE(rounding_of_its_symmetry_does_not_make_a_mass_indefinite) {
  for (const double asymmetry : {1e-15, 1e-13, 9e-13}) {
    MultiVector M = consistent(5);
    M(3, 4) *= 1 + asymmetry;
    const auto points = on_a_line({0, 1, 2, 3, 4, 5});
    const MultiVector found = mass_of(with_massless_contact(chain(M, points), {0}));
    const MultiVector exact = mass_of(with_massless_contact(chain(consistent(5), points), {0}));
    BOOST_TEST((found - exact).cwiseAbs().maxCoeff() < 1e-11);
  }
}

BOOST_AUTO_TEST_CASE(a_mass_that_was_given_indefinite_is_said_to_be) {
  MultiVector M = consistent(5);
  M(3, 4) = M(4, 3) = 1;
  const std::string message = refusal(chain(M, on_a_line({0, 1, 2, 3, 4, 5})), {0});
  BOOST_TEST(says(message, "the given mass matrix is not positive semidefinite"), message);
}

BOOST_AUTO_TEST_CASE(dofs_that_do_not_exist_are_refused) {
  for (const GlobalIndex dof : {-1, 3})
    BOOST_CHECK_THROW(with_massless_contact(chain(consistent(2)), {dof}), InvalidInput);
}

BOOST_AUTO_TEST_SUITE_END()
