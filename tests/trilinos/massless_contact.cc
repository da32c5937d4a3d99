// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/builders/bodies.h>
#include <halfdof/assembled/builders/model_builders.h>
#include <halfdof/base/errors.h>

#include <boost/test/unit_test.hpp>

#include "eigen_systems.h"
#include "random_systems.h"
#include <string>
#include <utility>

using namespace halfdof;
using namespace halfdof::internal;

namespace {

constexpr Index n_nodes = 11;

/// Two bars of several nodes in one line, the second from DoF 6 on.
std::pair<MultiVector, MultiVector> two_bars() {
  MultiVector M = MultiVector::Zero(n_nodes, n_nodes), K = M;
  for (Index i = 0; i + 1 < n_nodes; ++i) {
    if (i == 5) continue;
    M(i, i) += 2;
    M(i + 1, i + 1) += 2;
    M(i, i + 1) = M(i + 1, i) = 1;
    K(i, i + 1) = K(i + 1, i) = -1;
  }
  K.diagonal().setConstant(2.);
  return {M, K};
}

template <class Engine, class MatrixOf>
SystemDescription<Engine> described(const MatrixOf& matrix_of, const Partition& dofs) {
  const auto [M, K] = two_bars();
  SystemDescription<Engine> description;
  description.mass = matrix_of(M);
  description.stiffness = matrix_of(K);
  description.labels.component_names = {"x"};
  description.labels.component.assign(static_cast<std::size_t>(dofs.n_local()), 0);
  description.labels.dimension = 1;
  for (Index i = 0; i < dofs.n_local(); ++i)
    description.labels.point.push_back({1.5 * static_cast<double>(dofs.global_index(i)), 0., 0.});
  return description;
}

SystemDescription<EigenEngine> whole() {
  return described<EigenEngine>([](const MultiVector& A) { return test::matrix_of<EigenEngine>(A); },
                                Partition(n_nodes));
}
SystemDescription<TrilinosEngine> shared(const Partition& dofs) {
  return described<TrilinosEngine>([&](const MultiVector& A) { return test::with_stored_zeros(A, dofs); },
                                   dofs);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(massless_contact)

BOOST_AUTO_TEST_CASE(rows_come_back_as_they_were_given) {
  for (const test::Layout layout : test::all_layouts) {
    const Partition rows = test::partition(7, layout);
    const MultiVector A = test::random_sparse(7, 7, 0.4);
    const TrilinosMatrix matrix = test::with_stored_zeros(A, rows);
    const OwnedRows owned = TrilinosEngine::to_rows(matrix);
    const TrilinosMatrix again = TrilinosEngine::from_rows(owned, rows, rows);
    BOOST_TEST((TrilinosEngine::to_dense(again) - A).isZero(0));
  }
}

BOOST_AUTO_TEST_CASE(bodies_are_found_across_processes) {
  for (const test::Layout layout : test::all_layouts) {
    const Partition dofs = test::partition(n_nodes, layout);
    const Bodies bodies = find_bodies(AssembledSystem<TrilinosEngine>(shared(dofs)));
    BOOST_TEST(bodies.n_bodies == 2);
    for (Index i = 0; i < dofs.n_local(); ++i)
      BOOST_TEST(bodies.body_of[static_cast<std::size_t>(i)] == (dofs.global_index(i) > 5 ? 1 : 0));
  }
}

BOOST_AUTO_TEST_CASE(bodies_are_those_of_one_process_whatever_is_spread_how) {
  const Index n = 60;
  for (const double share : {0.002, 0.008, 0.02}) {
    // Unsymmetric, so that edges are seen from one of their ends alone.
    const MultiVector K = test::random_sparse(n, n, share) + MultiVector(MultiVector::Identity(n, n)),
                      M = test::random_sparse(n, n, share);
    const std::vector<Index> held = {7, 20, 41};
    SystemDescription<EigenEngine> alone;
    alone.stiffness = test::matrix_of<EigenEngine>(K), alone.mass = test::matrix_of<EigenEngine>(M);
    alone.constrained = held;
    const Bodies expected = find_bodies(AssembledSystem<EigenEngine>(alone));
    for (const test::Layout layout : test::all_layouts) {
      const Partition dofs = test::partition(n, layout);
      SystemDescription<TrilinosEngine> spread;
      spread.stiffness = test::with_stored_zeros(K, dofs), spread.mass = test::with_stored_zeros(M, dofs);
      for (const Index dof : held)
        if (const Index i = dofs.local_index(dof); i >= 0) spread.constrained.push_back(i);
      const Bodies found = find_bodies(AssembledSystem<TrilinosEngine>(spread));
      BOOST_TEST(found.n_bodies == expected.n_bodies);
      for (Index i = 0; i < dofs.n_local(); ++i)
        BOOST_TEST(found.body_of[static_cast<std::size_t>(i)] ==
                   expected.body_of[static_cast<std::size_t>(dofs.global_index(i))]);
    }
  }
}

BOOST_AUTO_TEST_CASE(several_processes_redistribute_as_one_does) {
  const std::vector<GlobalIndex> contact = {5, 6};
  const MultiVector expected = EigenEngine::to_dense(*with_massless_contact(whole(), contact).mass);
  for (const test::Layout layout : test::all_layouts) {
    const auto result = with_massless_contact(shared(test::partition(n_nodes, layout)), contact);
    const MultiVector M = TrilinosEngine::to_dense(*result.mass);
    // Sums over processes add in another order.
    BOOST_TEST((M - expected).cwiseAbs().maxCoeff() < 1e-12);
    BOOST_TEST((M - M.transpose()).isZero(0));
    BOOST_TEST(M.col(5).isZero(0));
  }
}

BOOST_AUTO_TEST_CASE(all_processes_refuse_with_the_same_names) {
  const Partition dofs = test::partition(n_nodes, test::Layout::scattered);
  std::string message;
  try {
    with_massless_contact(shared(dofs), {6, 7, 8, 9, 10});
  } catch (const InvalidInput& error) {
    message = error.what();
  }
  BOOST_TEST(message.find("(DoF 6 (x, at (9)), DoF 7") != std::string::npos);
  for (const std::string& other : dofs.communicator().gather(message))
    BOOST_TEST(other == message);
}

BOOST_AUTO_TEST_SUITE_END()
