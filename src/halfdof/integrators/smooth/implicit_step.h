// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/reduction/reduced_system.h>

#include <optional>
#include <string>

namespace halfdof::internal {

/**
 * The linear system of an implicit step. The unknown is the increment of the state and not the state itself,
 * so that small motions about large static displacements keep all their digits. For a given state y, vector
 * b, number c and load F the system is
 * @f[ (\sigma E - A)\, \delta = c\, A y + b + B F. \qquad (1) @f]
 * The system is solved with the sparse matrices M, C and K, without A and D. With y = (q_I, q_C, v_I) and
 * b = (b_{qI}, b_{qC}, b_{vI}), the elimination of the rates from (1) gives
 * @f[ (\sigma^2 M + \sigma C + K)\, x = M J_I (\sigma (c\, v_I + b_{qI}) + b_{vI})
 *       + C (J_I b_{qI} + J_C b_{qC}) - c K (J_I q_I + J_C q_C) + F, \qquad (2) @f]
 * @f[ \delta = (x_I,\ x_C,\ \sigma x_I - c\, v_I - b_{qI}). \qquad (3) @f]
 * If b = 0, as in one-stage methods and collocation, (2) costs a product with M, a product with K, and one
 * solve.
 *
 * Shapes: x and right-hand sides have one entry for each local free DoF, states n_local_states() entries.
 */
template <class Engine, class Scalar>
class ImplicitStep {
 public:
  using ScalarVector = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;

  /// Factorizes the matrix sigma^2 M + sigma C + K.
  /// @param sigma the shift [1/s] @throws SingularMatrix if sigma is an eigenvalue of A
  ImplicitStep(const ReducedSystem<Engine>& reduced, Scalar sigma, const std::string& integrator);

  Scalar sigma() const { return sigma_; }

  using ConstScalarView = const Eigen::Ref<const ScalarVector>&;
  /// Returns the solution x of (2), whose matrix is sigma^2 M + sigma C + K.
  DenseMatrix<Scalar> solve(const ScalarVector& right_hand_side) const {
    return step_matrix_->solve(right_hand_side);
  }
  /// Solves (2) and returns delta by (3). @param offset the vector c v_I + b_qI of (3)
  ScalarVector increment(const ScalarVector& right_hand_side, ConstScalarView offset) const {
    ScalarVector delta;
    set_state_increment(solve(right_hand_side).col(0), offset, delta);
    return delta;
  }
  /// Computes delta by (3) from x. @param offset the vector c v_I + b_qI of (3)
  void set_state_increment(ConstScalarView x, ConstScalarView offset, ScalarVector& delta) const;
  /// Adds factor * delta to y, with delta by (3) from x. @param offset the vector c v_I + b_qI of (3)
  void add_state_increment(Scalar factor, ConstScalarView x, ConstScalarView offset, ScalarVector& y) const;

  const FactorizationPtr<Scalar>& step_matrix() const { return step_matrix_; }

 private:
  ReducedSystem<Engine> reduced_;
  Scalar sigma_;
  FactorizationPtr<Scalar> step_matrix_;
};

/// Adds factor * M J_I v_I to rhs. Shapes: v_I local inertial DoFs, rhs local free DoFs.
template <class Engine>
void add_momentum(const ReducedSystem<Engine>& reduced, double factor, ConstView<double> v_I, Vector& rhs);

/// Subtracts from rhs the elastic forces K (J_I q_I + J_C q_C) of the displacements that are states.
/// Shapes: y n_local_states(), rhs local free DoFs.
template <class Engine>
void subtract_elastic_forces(const ReducedSystem<Engine>& reduced, const Vector& y, Vector& rhs);

/// Adds the terms of a state in the right-hand side of (2) for c = 1 and b = 0.
/// Shapes: y n_local_states(), rhs local free DoFs.
template <class Engine>
void add_state_forces(const ReducedSystem<Engine>& reduced, double sigma, const Vector& y, Vector& rhs) {
  subtract_elastic_forces(reduced, y, rhs);
  add_momentum(reduced, sigma, reduced.v_I(y), rhs);
}

/// Stores two objects that depend on the step length, one for the regular step and one for a shortened step.
template <class T>
class PerStepLength {
 public:
  /// Returns the object for steps of a length. Calls make() if the stored object for regular steps, or for
  /// shortened ones, belongs to another length.
  template <class Make>
  const T& get_or_make(double length, double regular_length, const Make& make) {
    Entry& entry = length == regular_length ? regular_ : shortened_;
    if (!entry.value || entry.length != length) entry = {length, make()};
    return *entry.value;
  }

 private:
  struct Entry {
    double length = 0;
    std::optional<T> value;
  };
  Entry regular_, shortened_;
};

/// The last sentence of the error message for a state that grows beyond all bounds, if the method is stable
/// for every step length.
inline constexpr const char* a_stable_advice =
    "The method is stable for every step length, so that the system itself is unstable (check whether "
    "eigenvalues have a positive real part), or the load grows without bound.";

}  // namespace halfdof::internal
