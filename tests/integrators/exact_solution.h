#pragma once

#include <halfdof/reduction/reduced_system.h>

#include "systems.h"
#include <unsupported/Eigen/MatrixFunctions>

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
  ExactSolution(const DenseSystem& system, const HarmonicLoad& load, const State& initial)
      : system_(system), load_(load), initial_(initial), elimination_(dense_elimination(system)) {
    const auto n_s = initial.y.size();
    const auto n_I = static_cast<Index>(elimination_.I.size()),
               n_C = static_cast<Index>(elimination_.C.size());
    MultiVector loads(system.size(), 3);
    loads << load.constant, load.cosine, load.sine;
    const MultiVector x = elimination_.D.fullPivLu().solve(loads);
    generator_ = MultiVector::Zero(n_s + 3, n_s + 3);
    generator_.topLeftCorner(n_s, n_s) = dense_state_matrix_of(system);
    generator_.block(n_I, n_s, n_C, 3) = x.middleRows(n_I, n_C);
    generator_.block(n_I + n_C, n_s, n_I, 3) = x.topRows(n_I);
    generator_(n_s + 1, n_s + 2) = -load.omega;
    generator_(n_s + 2, n_s + 1) = load.omega;
  }

  /// (q_I, q_C, v_I), each by ascending index.
  Vector state(double time) const {
    const auto n_s = initial_.y.size();
    Vector extended(n_s + 3);
    extended << initial_.y, 1, std::cos(load_.omega * initial_.time), std::sin(load_.omega * initial_.time);
    const MultiVector exponent = generator_ * (time - initial_.time);
    return (exponent.exp() * extended).head(n_s);
  }

  /// All DoFs.
  Vector displacement(double time) const {
    const auto& [I, C, K, D] = elimination_;
    const auto n_I = static_cast<Index>(I.size()), n_C = static_cast<Index>(C.size());
    const Vector y = state(time);
    const Vector q_I = y.head(n_I), q_C = y.segment(n_I, n_C), v_I = y.tail(n_I);
    const Vector x = D.fullPivLu().solve(load_(time) - system_.C(Eigen::all, I) * v_I -
                                         system_.K(Eigen::all, I) * q_I - system_.K(Eigen::all, C) * q_C);
    Vector q(system_.size());
    q(I) = q_I;
    q(C) = q_C;
    q(K) = x.tail(static_cast<Index>(K.size()));
    return q;
  }

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
