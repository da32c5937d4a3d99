// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/assembled_system.h>
#include <halfdof/classification/classification.h>

#include <Eigen/Dense>

#include <random>
#include <vector>

/// Small assembled systems, dense, for tests of every room and of both engines.
namespace halfdof::test {

struct DenseSystem {
  MultiVector M, C, K;
  Index size() const { return static_cast<Index>(K.rows()); }
};

/// The hydroelastic mount of Simionatto et al., section 3: one mass, two viscous DoFs.
DenseSystem engine_mount();

/// The smallest unsymmetric system with all three kinds, in the order inertial, viscous, algebraic; integer
/// entries, so that its reduction is known in fractions.
DenseSystem three_kinds();

/// Uniform numbers in [-1, 1] from the standard library's generator, the same on every machine.
class RandomNumbers {
 public:
  explicit RandomNumbers(unsigned seed) : generator_(seed) {}
  double operator()() {
    return 2. * static_cast<double>(generator_()) / static_cast<double>(generator_.max()) - 1;
  }
  MultiVector matrix(Index n_rows, Index n_columns);
  Index below(Index n) { return static_cast<Index>(generator_() % static_cast<unsigned>(n)); }
  std::vector<Index> permutation(Index n);

 private:
  std::mt19937 generator_;
};

/// A full unsymmetric system with the given numbers of each kind, its columns at random places.
DenseSystem random_unsymmetric(Index n_inertial, Index n_viscous, Index n_algebraic, unsigned seed);

/// A symmetric system with definite blocks of all kinds, permuted: M and C are positive semidefinite, K is
/// definite except for the algebraic DoFs, on which it is negative definite (as an electric potential is).
DenseSystem random_symmetric(Index n_inertial, Index n_viscous, Index n_algebraic, unsigned seed);

/// The system in the coordinates q = Q p, its equations taken from the left by L.
DenseSystem turned(const DenseSystem& system, const MultiVector& L, const MultiVector& Q);

/// The dense mixed-column matrix, columns in the order (I, C, K), and the selections as index lists.
struct DenseElimination {
  std::vector<Index> I, C, K;
  MultiVector D;
};

/// Straight from the definition: null columns of M, then of C, by exact zeros.
DenseElimination dense_elimination(const DenseSystem& system);

/// The state matrix A of y = (q_I, q_C, v_I), straight from the definition.
MultiVector dense_state_matrix_of(const DenseSystem& system);

template <class Engine>
typename Engine::Matrix matrix_of(const MultiVector& dense);

/// Without loads, constraints and labels, on one process.
template <class Engine>
AssembledSystem<Engine> assemble(const DenseSystem& system) {
  return assembled_system<Engine>(matrix_of<Engine>(system.M), matrix_of<Engine>(system.C),
                                  matrix_of<Engine>(system.K));
}

}  // namespace halfdof::test
