// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/reduction/state_space.h>

#include <boost/test/unit_test.hpp>

#include "eigen_systems.h"
#include <algorithm>

using namespace halfdof;
using namespace halfdof::test;

namespace {

ReducedSystem<EigenEngine> reduced(const DenseSystem& system) {
  return reduce(assemble<EigenEngine>(system));
}

/// Largest relative difference of E^{-1} A and E^{-1} B from the dense A and B.
double difference_from_dense(const ReducedSystem<EigenEngine>& system, const SparsePencil& pencil) {
  const MultiVector A = dense_state_matrix(system), B = dense_input_matrix(system);
  const auto E = MultiVector(pencil.E.entries()).fullPivLu();
  return std::max((E.solve(MultiVector(pencil.A.entries())) - A).norm() / A.norm(),
                  (E.solve(MultiVector(pencil.B.entries())) - B).norm() / B.norm());
}

SparsePencilOptions any_fill() {
  SparsePencilOptions options;
  options.max_fill = 1e9;
  return options;
}

/// A chain of masses 1, each joined to the next over a massless joint between two springs.
DenseSystem chain_with_joints(Index n_masses) {
  const Index n = 2 * n_masses - 1;
  DenseSystem chain{MultiVector::Zero(n, n), MultiVector::Zero(n, n), MultiVector::Zero(n, n)};
  const auto join = [](MultiVector& A, Index i, Index j, double value) {
    A(i, i) += value;
    A(j, j) += value;
    A(i, j) -= value;
    A(j, i) -= value;
  };
  for (Index i = 0; i < n; i += 2)
    chain.M(i, i) = 1;
  for (Index i = 0; i + 1 < n; ++i)
    join(chain.K, i, i + 1, 1. + 0.1 * i);
  for (Index i = 0; i + 2 < n; i += 2)
    join(chain.C, i, i + 2, 0.3);
  chain.K(0, 0) += 1;
  return chain;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(sparse_pencils)

BOOST_AUTO_TEST_CASE(the_engine_mount_is_a_rearrangement_of_its_columns) {
  const SparsePencil pencil = sparse_pencil(reduced(engine_mount()));
  MultiVector E(4, 4), A(4, 4), B(4, 3);
  E << 1, 0, 0, 0, 0, 100, 0, 0, 0, 0, 300, 0, 0, -100, 0, 20;
  A << 0, 0, 0, 1, 0, -1000, 0, 100, 500, 0, -1000, 0, -5500, 0, 500, -100;
  B << 0, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0;
  BOOST_TEST((MultiVector(pencil.E.entries()) == E));
  BOOST_TEST((MultiVector(pencil.A.entries()) == A));
  BOOST_TEST((MultiVector(pencil.B.entries()) == B));
  BOOST_TEST(pencil.fill == 1);
}

BOOST_AUTO_TEST_CASE(unsymmetric_systems_without_algebraic_dofs_agree_with_the_dense_form) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const auto system = reduced(random_unsymmetric(4, 3, 0, seed));
    BOOST_TEST(difference_from_dense(system, sparse_pencil(system)) <= 1e-11);
  }
}

BOOST_AUTO_TEST_CASE(algebraic_dofs_are_eliminated_also_where_the_other_rows_are_unsymmetric) {
  const auto three = reduced(three_kinds());
  BOOST_TEST(difference_from_dense(three, sparse_pencil(three, any_fill())) <= 1e-13);
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const auto system = reduced(random_unsymmetric(4, 3, 3, seed));
    BOOST_TEST(difference_from_dense(system, sparse_pencil(system, any_fill())) <= 1e-9);
  }
}

BOOST_AUTO_TEST_CASE(massless_joints_in_a_chain_are_local) {
  const auto chain = reduced(chain_with_joints(20));
  const SparsePencil pencil = sparse_pencil(chain);
  BOOST_TEST(difference_from_dense(chain, pencil) <= 1e-12);
  // Each mass has an entry of its own and one for each neighbour in K and in C.
  BOOST_TEST(pencil.A.n_local_entries() <= 20 + 2 * 3 * 20);
}

BOOST_AUTO_TEST_CASE(a_connected_region_of_algebraic_dofs_is_not_local) {
  // Masses on a line of springs, each with a potential that is coupled to its neighbours' as well.
  const Index n = 30;
  DenseSystem piezo{MultiVector::Zero(2 * n, 2 * n), MultiVector::Zero(2 * n, 2 * n),
                    MultiVector::Zero(2 * n, 2 * n)};
  piezo.M.topLeftCorner(n, n).setIdentity();
  for (Index i = 0; i < n; ++i)
    for (Index j = std::max(0, i - 1); j <= std::min(n - 1, i + 1); ++j) {
      const double second_difference = i == j ? 2 : -1;
      piezo.K(i, j) = second_difference;
      piezo.K(n + i, n + j) = -second_difference;
      piezo.K(i, n + j) = piezo.K(n + j, i) = 0.1 * second_difference;
    }
  const auto system = reduced(piezo);
  BOOST_CHECK_EXCEPTION(sparse_pencil(system), NotAvailable, [](const NotAvailable& e) {
    return std::string(e.what()).find("fills the sparse pencil") != std::string::npos;
  });
  BOOST_TEST(difference_from_dense(system, sparse_pencil(system, any_fill())) <= 1e-10);
}

BOOST_AUTO_TEST_CASE(the_predicted_fill_bounds_the_actual_one) {
  const DenseSystem dense = random_symmetric(6, 5, 4, 11);
  const auto system = reduced(dense);
  const SparsePencil pencil = sparse_pencil(system, any_fill());
  const DenseElimination e = dense_elimination(dense);
  const auto n_columns_entries = [](const MultiVector& A) {
    return static_cast<double>((A.array() != 0).count());
  };
  const double before = n_columns_entries(e.D) + n_columns_entries(dense.K(Eigen::all, e.I)) +
                        n_columns_entries(dense.K(Eigen::all, e.C)) +
                        n_columns_entries(dense.C(Eigen::all, e.I));
  const auto n_identities = 2. * 6;
  const auto after =
      static_cast<double>(pencil.E.n_local_entries() + pencil.A.n_local_entries()) - n_identities;
  BOOST_TEST(after <= pencil.fill * before);
}

BOOST_AUTO_TEST_CASE(algebraic_dofs_whose_own_rows_are_singular_are_eliminated_by_others) {
  // The acceleration of DoF 0 stands in row 1 alone, the massless DoF 1 in row 0 alone: D = [0 1; 1 0], K_KK
  // = 0.
  DenseSystem system{MultiVector::Zero(2, 2), MultiVector::Zero(2, 2), MultiVector::Zero(2, 2)};
  system.M(1, 0) = 1;
  system.K << 1, 1, 2, 0;
  const auto crossed = reduced(system);
  BOOST_TEST(dense_state_matrix(crossed)(1, 0) == -2);
  const SparsePencil pencil = sparse_pencil(crossed, any_fill());
  const MultiVector E = EigenEngine::to_dense(pencil.E), A = EigenEngine::to_dense(pencil.A),
                    B = EigenEngine::to_dense(pencil.B);
  BOOST_TEST((E.inverse() * A - dense_state_matrix(crossed)).norm() == 0);
  BOOST_TEST((B.row(1) - Eigen::RowVector2d(0, 1)).norm() == 0);
}

BOOST_AUTO_TEST_SUITE_END()
