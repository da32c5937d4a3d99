// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/integrators/smooth/implicit_step.h>

#include <boost/test/unit_test.hpp>

#include "eigen_systems.h"
#include <cmath>

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

namespace {

constexpr Index n = 1000001;  // above which whole matrices are applied, and no copies of their columns

enum Kind : Index { inertial, viscous, algebraic };

/// A chain of one kind after another, its springs between 1 and 2.
AssembledSystem<EigenEngine> chain() {
  Eigen::SparseMatrix<double> M(n, n), C(n, n), K(n, n);
  for (auto* A : {&M, &C})
    A->reserve(Eigen::VectorXi::Constant(n, 1));
  K.reserve(Eigen::VectorXi::Constant(n, 3));
  const auto spring = [](Index i) { return 1.5 + 0.5 * std::sin(i); };
  for (Index i = 0; i < n; ++i) {
    if (i % 3 == inertial) M.insert(i, i) = 2;
    if (i % 3 == viscous) C.insert(i, i) = 3;
    if (i > 0) K.insert(i - 1, i) = -spring(i);
    K.insert(i, i) = spring(i) + spring(i + 1);
    if (i + 1 < n) K.insert(i + 1, i) = -spring(i + 1);
  }
  return assembled_system<EigenEngine>(EigenMatrix(M), EigenMatrix(C), EigenMatrix(K));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(large_systems)

BOOST_AUTO_TEST_CASE(forces_of_states_are_those_of_the_assembled_matrices) {
  const AssembledSystem<EigenEngine> assembled = chain();
  const auto reduced = reduce(assembled);
  Vector q(n), v(n);
  for (Index i = 0; i < n; ++i) {
    q[i] = i % 3 == algebraic ? 0 : std::cos(i);
    v[i] = i % 3 == inertial ? std::sin(2. * i) : 0;
  }
  const double sigma = 7;
  Vector expected = Vector::Ones(n);
  expected += sigma * (assembled.M().entries() * v) - assembled.K().entries() * q;
  Vector rhs = Vector::Ones(n);
  add_state_forces(reduced, sigma, reduced.restrict(q, v), rhs);
  BOOST_TEST((rhs - expected).lpNorm<Eigen::Infinity>() < 1e-14);
}

BOOST_AUTO_TEST_SUITE_END()
