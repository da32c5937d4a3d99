#pragma once

#include <halfdof/assembled/assembled_system.h>
#include <halfdof/classification/classification.h>

#include <Eigen/Dense>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

/// Small assembled systems, dense, for tests of every room and of both engines.
namespace halfdof::test {

struct DenseSystem {
  MultiVector M, C, K;
  Index size() const { return static_cast<Index>(K.rows()); }
};

/// The hydroelastic mount of Simionatto et al., section 3: one mass, two viscous DoFs.
inline DenseSystem engine_mount() {
  DenseSystem mount{MultiVector::Zero(3, 3), MultiVector::Zero(3, 3), MultiVector::Zero(3, 3)};
  mount.M(0, 0) = 20;
  mount.C << 100, -100, 0, -100, 100, 0, 0, 0, 300;
  mount.K << 5500, 0, -500, 0, 1000, 0, -500, 0, 1000;
  return mount;
}

/// The smallest unsymmetric system with all three kinds, in the order inertial, viscous, algebraic; integer
/// entries, so that its reduction is known in fractions.
inline DenseSystem three_kinds() {
  DenseSystem system{MultiVector::Zero(3, 3), MultiVector::Zero(3, 3), MultiVector::Zero(3, 3)};
  system.M << 2, 0, 0, 1, 0, 0, -1, 0, 0;
  system.C << 1, 3, 0, -2, 4, 0, 5, 1, 0;
  system.K << 7, -1, 2, 0, 3, 1, 4, -2, 5;
  return system;
}

/// Uniform numbers in [-1, 1] from the standard library's generator, the same on every machine.
class RandomNumbers {
 public:
  explicit RandomNumbers(unsigned seed) : generator_(seed) {}
  double operator()() {
    return 2. * static_cast<double>(generator_()) / static_cast<double>(generator_.max()) - 1;
  }
  MultiVector matrix(Index n_rows, Index n_columns) {
    return MultiVector::NullaryExpr(n_rows, n_columns, [this] { return (*this)(); });
  }
  Index below(Index n) { return static_cast<Index>(generator_() % static_cast<unsigned>(n)); }
  std::vector<Index> permutation(Index n) {
    std::vector<Index> order(static_cast<std::size_t>(n));
    std::iota(order.begin(), order.end(), 0);
    for (Index i = n - 1; i > 0; --i)
      std::swap(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(below(i + 1))]);
    return order;
  }

 private:
  std::mt19937 generator_;
};

/// A full unsymmetric system with the given numbers of each kind, its columns at random places.
inline DenseSystem random_unsymmetric(Index n_inertial, Index n_viscous, Index n_algebraic, unsigned seed) {
  RandomNumbers random(seed);
  const Index n = n_inertial + n_viscous + n_algebraic;
  const std::vector<Index> place = random.permutation(n);
  DenseSystem system{MultiVector::Zero(n, n), MultiVector::Zero(n, n), random.matrix(n, n)};
  for (Index j = 0; j < n; ++j) {
    const Index column = place[static_cast<std::size_t>(j)];
    if (j < n_inertial) system.M.col(column) = random.matrix(n, 1);
    if (j < n_inertial + n_viscous) system.C.col(column) = random.matrix(n, 1);
  }
  return system;
}

/// A symmetric system with definite blocks of all kinds, permuted: M and C are positive semidefinite, K is
/// definite except for the algebraic DoFs, on which it is negative definite (as an electric potential is).
inline DenseSystem random_symmetric(Index n_inertial, Index n_viscous, Index n_algebraic, unsigned seed) {
  RandomNumbers random(seed);
  const Index n = n_inertial + n_viscous + n_algebraic;
  const auto definite = [&](Index size) {
    const MultiVector root = random.matrix(size, size);
    return MultiVector(root * root.transpose() + MultiVector::Identity(size, size));
  };
  DenseSystem ordered{MultiVector::Zero(n, n), MultiVector::Zero(n, n), MultiVector::Zero(n, n)};
  const Index n_moving = n_inertial + n_viscous;
  ordered.M.topLeftCorner(n_inertial, n_inertial) = definite(n_inertial);
  ordered.C.topLeftCorner(n_moving, n_moving) = definite(n_moving);
  ordered.K.topLeftCorner(n_moving, n_moving) = definite(n_moving);
  ordered.K.bottomRightCorner(n_algebraic, n_algebraic) = -definite(n_algebraic);
  ordered.K.topRightCorner(n_moving, n_algebraic) = random.matrix(n_moving, n_algebraic);
  ordered.K.bottomLeftCorner(n_algebraic, n_moving) =
      ordered.K.topRightCorner(n_moving, n_algebraic).transpose();

  const std::vector<Index> place = random.permutation(n);
  const auto permuted = [&](const MultiVector& A) { return MultiVector(A(place, place)); };
  return {permuted(ordered.M), permuted(ordered.C), permuted(ordered.K)};
}

/// The dense mixed-column matrix, columns in the order (I, C, K), and the selections as index lists.
struct DenseElimination {
  std::vector<Index> I, C, K;
  MultiVector D;
};

/// Straight from the definition: null columns of M, then of C, by exact zeros.
inline DenseElimination dense_elimination(const DenseSystem& system) {
  DenseElimination e;
  for (Index j = 0; j < system.size(); ++j)
    (!system.M.col(j).isZero(0) ? e.I : !system.C.col(j).isZero(0) ? e.C : e.K).push_back(j);
  e.D.resize(system.size(), system.size());
  e.D << system.M(Eigen::all, e.I), system.C(Eigen::all, e.C), system.K(Eigen::all, e.K);
  return e;
}

/// The state matrix A of y = (q_I, q_C, v_I), straight from the definition.
inline MultiVector dense_state_matrix_of(const DenseSystem& system) {
  const DenseElimination e = dense_elimination(system);
  const auto n_I = static_cast<Index>(e.I.size()), n_C = static_cast<Index>(e.C.size());
  MultiVector A = MultiVector::Zero(2 * n_I + n_C, 2 * n_I + n_C);
  if (A.size() == 0) return A;
  MultiVector right(system.size(), A.cols());
  right << system.K(Eigen::all, e.I), system.K(Eigen::all, e.C), system.C(Eigen::all, e.I);
  const MultiVector X = -e.D.fullPivLu().solve(right);
  A.topRightCorner(n_I, n_I).setIdentity();
  A.middleRows(n_I, n_C) = X.middleRows(n_I, n_C);
  A.bottomRows(n_I) = X.topRows(n_I);
  return A;
}

template <class Engine>
typename Engine::Matrix matrix_of(const MultiVector& dense);

/// Without loads, constraints and labels, on one process.
template <class Engine>
AssembledSystem<Engine> assemble(const DenseSystem& system) {
  return assembled_system<Engine>(matrix_of<Engine>(system.M), matrix_of<Engine>(system.C),
                                  matrix_of<Engine>(system.K));
}

}  // namespace halfdof::test
