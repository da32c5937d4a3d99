// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/reduction/reduced_system.h>

#include "systems.h"

namespace halfdof::test {

/// f(t) = constant + cosine cos(omega t) + sine sin(omega t).
struct HarmonicLoad {
  Vector constant, cosine, sine;
  double omega = 0;

  Vector operator()(double time) const {
    return constant + std::cos(omega * time) * cosine + std::sin(omega * time) * sine;
  }

  static HarmonicLoad none(Index n) { return {Vector::Zero(n), Vector::Zero(n), Vector::Zero(n), 0.}; }

  /// On every DoF.
  static HarmonicLoad random(Index n, double omega, unsigned seed) {
    RandomNumbers numbers(seed);
    return {numbers.matrix(n, 1), numbers.matrix(n, 1), numbers.matrix(n, 1), omega};
  }
};

/**
 * The exact solution of a small system, from dense matrices and the matrix exponential alone: with the load
 * as a system of its own, w = (1, cos, sin), w' = S w, (y; w)' = [A  B F_w; 0  S] (y; w).
 */
class ExactSolution {
 public:
  ExactSolution(const DenseSystem& system, const HarmonicLoad& load, const State& initial);

  /// (q_I, q_C, v_I), each by ascending index.
  Vector state(double time) const;
  /// All DoFs.
  Vector displacement(double time) const;

 private:
  DenseSystem system_;
  HarmonicLoad load_;
  State initial_;
  DenseElimination elimination_;
  MultiVector generator_;
};

/**
 * Two masses (DoFs 1 and 3) and all kinds of half DoFs, in mixed order: the inner point of a Maxwell branch
 * between the masses (DoF 0, viscous), which with the spring beside it makes a Zener solid, and a massless
 * joint between two springs (DoF 2, algebraic).
 */
inline DenseSystem zener_oscillator() {
  DenseSystem s{MultiVector::Zero(4, 4), MultiVector::Zero(4, 4), MultiVector::Zero(4, 4)};
  const auto connect = [](MultiVector& A, Index i, Index j, double value) {
    A(i, i) += value;
    A(j, j) += value;
    A(i, j) -= value;
    A(j, i) -= value;
  };
  s.M(1, 1) = 1;
  s.M(3, 3) = 2;
  s.C(1, 1) = 0.4;
  connect(s.C, 0, 3, 2);
  s.K(1, 1) = 30;
  connect(s.K, 1, 3, 20);
  connect(s.K, 1, 0, 15);
  connect(s.K, 3, 2, 25);
  s.K(2, 2) += 10;
  return s;
}

template <class Engine>
ReducedSystem<Engine> reduce_with_load(const DenseSystem& system, const HarmonicLoad& load) {
  SystemDescription<Engine> description;
  description.mass = matrix_of<Engine>(system.M);
  description.damping = matrix_of<Engine>(system.C);
  description.stiffness = matrix_of<Engine>(system.K);
  description.load = load;
  return reduce(AssembledSystem<Engine>(std::move(description)));
}

/// Entries between -1 and 1.
template <class Engine>
State random_state(const ReducedSystem<Engine>& reduced, unsigned seed, double time = 0) {
  return {time, RandomNumbers(seed).matrix(static_cast<Index>(reduced.n_states()), 1)};
}

/// Largest difference relative to the largest entry.
inline double relative_error(const Vector& found, const Vector& expected) {
  if (found.size() != expected.size()) return std::numeric_limits<double>::infinity();
  if (expected.size() == 0) return 0;
  return (found - expected).cwiseAbs().maxCoeff<Eigen::PropagateNaN>() / expected.cwiseAbs().maxCoeff();
}

}  // namespace halfdof::test
