#pragma once

#include <halfdof/reduction/reduced_system.h>

#include <string>

namespace halfdof {

/**
 * The linear system behind every implicit step, for increments rather than states: small motions on top of
 * large static displacements keep all their digits. For given y, b, c and loads F it solves
 * @f[ (\sigma E - A)\, \delta = c\, A y + b + B F \qquad (1) @f]
 * through the original sparsity: neither A nor D takes part. With y = (q_I, q_C, v_I) and
 * b = (b_{qI}, b_{qC}, b_{vI}), eliminating the rates from (1) leaves
 * @f[ (\sigma^2 M + \sigma C + K)\, x = M J_I (\sigma (c\, v_I + b_{qI}) + b_{vI})
 *       + C (J_I b_{qI} + J_C b_{qC}) - c K (J_I q_I + J_C q_C) + F, \qquad (2) @f]
 * @f[ \delta = (x_I,\ x_C,\ \sigma x_I - c\, v_I - b_{qI}). \qquad (3) @f]
 * Where b = 0, as for one-stage methods and collocation, (2) costs a product with M, one with K, and one
 * solve.
 *
 * Shapes: x and right-hand sides on the local free DoFs; states n_local_states().
 */
template <class Engine, class Scalar>
class ImplicitStep {
 public:
  using ScalarVector = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;

  /// Factorizes sigma^2 M + sigma C + K, sigma in [1/s]. @throws SingularMatrix if sigma is an eigenvalue of
  /// A.
  ImplicitStep(const ReducedSystem<Engine>& reduced, Scalar sigma, const std::string& integrator);

  Scalar sigma() const { return sigma_; }

  using ConstScalarView = const Eigen::Ref<const ScalarVector>&;
  /// x by (2).
  DenseMatrix<Scalar> solve(const ScalarVector& right_hand_side) const {
    return step_matrix_->solve(right_hand_side);
  }
  /// delta by (3), from the right-hand side of (2) and the offset c v_I + b_qI.
  ScalarVector increment(const ScalarVector& right_hand_side, ConstScalarView offset) const {
    ScalarVector delta;
    set_state_increment(solve(right_hand_side).col(0), offset, delta);
    return delta;
  }
  /// The same from x.
  void set_state_increment(ConstScalarView x, ConstScalarView offset, ScalarVector& delta) const;
  /// y += factor delta
  void add_state_increment(Scalar factor, ConstScalarView x, ConstScalarView offset, ScalarVector& y) const;

  const FactorizationPtr<Scalar>& step_matrix() const { return step_matrix_; }

 private:
  ReducedSystem<Engine> reduced_;
  Scalar sigma_;
  FactorizationPtr<Scalar> step_matrix_;
};

/// rhs += factor M J_I v_I. Shapes: v_I local inertial DoFs, rhs local free DoFs.
template <class Engine>
void add_momentum(const ReducedSystem<Engine>& reduced, double factor, ConstView<double> v_I, Vector& rhs);

/// rhs -= K (J_I q_I + J_C q_C), the elastic forces of the displacements that are states.
/// Shapes: y n_local_states(), rhs local free DoFs.
template <class Engine>
void subtract_elastic_forces(const ReducedSystem<Engine>& reduced, const Vector& y, Vector& rhs);

/// What a state adds to the right-hand side of (2) for c = 1 and b = 0. Shapes: as above.
template <class Engine>
void add_state_forces(const ReducedSystem<Engine>& reduced, double sigma, const Vector& y, Vector& rhs) {
  subtract_elastic_forces(reduced, y, rhs);
  add_momentum(reduced, sigma, reduced.v_I(y), rhs);
}

}  // namespace halfdof
