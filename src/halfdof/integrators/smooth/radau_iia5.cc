// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/free_system.h>
#include <halfdof/integrators/smooth/implicit_methods.h>
#include <halfdof/integrators/smooth/implicit_step.h>
#include <halfdof/linear_algebra/dense/dense_eigenvalues.h>
#include <halfdof/linear_algebra/instantiate.h>

#include <Eigen/Dense>

namespace halfdof {

using namespace internal;

namespace {

/// Returns the matrix (a_ij) of Hairer, Wanner, Table 5.6.
Eigen::Matrix3d coefficients() {
  const double s = std::sqrt(6.);
  Eigen::Matrix3d a;
  a << (88 - 7 * s) / 360, (296 - 169 * s) / 1800, (-2 + 3 * s) / 225,  //
      (296 + 169 * s) / 1800, (88 + 7 * s) / 360, (-2 - 3 * s) / 225,   //
      (16 - s) / 36, (16 + s) / 36, 1. / 9;
  return a;
}

/// Returns the values at theta of the Lagrange polynomials with the nodes 0, c_1, c_2, c_3 that belong to
/// c_1, c_2 and c_3. These values are the factors of the stages Z_1, Z_2, Z_3 in the collocation polynomial.
Eigen::Vector3d collocation_weights(const Eigen::Vector3d& c, double theta) {
  Eigen::Vector3d weights;
  for (int j = 0; j < 3; ++j) {
    weights[j] = theta / c[j];
    for (int i = 0; i < 3; ++i)
      if (i != j) weights[j] *= (theta - c[i]) / (c[j] - c[i]);
  }
  return weights;
}

}  // namespace

template <class Engine>
struct RadauIIA5<Engine>::Implementation {
  /// An eigenvalue of the inverse of (a_ij), with its left and right eigenvectors.
  template <class Scalar>
  struct StageEigenpair {
    Scalar lambda;
    Eigen::Matrix<Scalar, 3, 1> left, right;
  };
  struct StepMatrices {
    ImplicitStep<Engine, double> real;
    ImplicitStep<Engine, Complex> complex;
  };

  Implementation();

  Eigen::Vector3d c;
  StageEigenpair<double> real;
  StageEigenpair<Complex> complex;
  Vector w_real;            ///< The solution w_1 of the real system in the last step.
  ComplexVector w_complex;  ///< The solution w_2 of the complex system in the last step.
  PerStepLength<StepMatrices> step_matrices;
};

template <class Engine>
RadauIIA5<Engine>::Implementation::Implementation() {
  const double s = std::sqrt(6.);
  c << (4 - s) / 10, (4 + s) / 10, 1;
  const DenseEigenpairs eigen = eigenpairs(MultiVector(coefficients().inverse()));
  const Eigen::Matrix3cd right = eigen.vectors, left = right.inverse();
  for (int k = 0; k < 3; ++k) {
    const Complex lambda = eigen.values[static_cast<std::size_t>(k)];
    if (lambda.imag() == 0)
      real = {lambda.real(), left.row(k).transpose().real(), right.col(k).real()};
    else if (lambda.imag() > 0)
      complex = {lambda, left.row(k).transpose(), right.col(k)};
  }
}

template <class Engine>
RadauIIA5<Engine>::RadauIIA5(const ReducedSystem<Engine>& reduced, double time_step)
    : FixedStepIntegrator<Engine>(reduced, "Radau IIA", time_step),
      implementation_(std::make_unique<Implementation>()) {}

template <class Engine>
RadauIIA5<Engine>::~RadauIIA5() = default;
template <class Engine>
RadauIIA5<Engine>::RadauIIA5(RadauIIA5&&) noexcept = default;
template <class Engine>
RadauIIA5<Engine>& RadauIIA5<Engine>::operator=(RadauIIA5&&) noexcept = default;

template <class Engine>
void RadauIIA5<Engine>::forget_tangents(const State&) {
  implementation_->step_matrices = {};
}

template <class Engine>
Vector RadauIIA5<Engine>::take_step(const State& from, double step, double end) {
  const auto& reduced = this->reduced();
  auto& [c, real, complex, w_real, w_complex, step_matrices] = *implementation_;
  const auto& implicit =
      step_matrices.get_or_make(step, this->time_step(), [&, &real = real, &complex = complex]() {
        return typename Implementation::StepMatrices{{reduced, real.lambda / step, this->name()},
                                                     {reduced, complex.lambda / step, this->name()}};
      });

  const Vector v_I = reduced.v_I(from.y);
  Vector inertia = Vector::Zero(reduced.free().dofs().n_local()), elastic = inertia;
  add_momentum(reduced, 1., v_I, inertia);
  subtract_elastic_forces(reduced, from.y, elastic);
  MultiVector loads(inertia.size(), 3);
  for (int j = 0; j < 3; ++j)
    loads.col(j) = this->load(j < 2 ? from.time + c[j] * step : end);

  const double c_real = real.left.sum();
  w_real = implicit.real.increment(
      implicit.real.sigma() * c_real * inertia + c_real * elastic + loads * real.left, c_real * v_I);
  const Complex c_complex = complex.left.sum();
  w_complex = implicit.complex.increment(
      implicit.complex.sigma() * c_complex * inertia + c_complex * elastic + loads * complex.left,
      c_complex * v_I);
  return from.y + real.right[2] * w_real + 2 * (complex.right[2] * w_complex).real();
}

template <class Engine>
Vector RadauIIA5<Engine>::interpolate_step(const State& begin, const State&, double theta) const {
  const Eigen::Vector3d weights = collocation_weights(implementation_->c, theta);
  const double real = weights.dot(implementation_->real.right);
  const Complex complex = (weights.transpose() * implementation_->complex.right)(0);
  return begin.y + real * implementation_->w_real + 2 * (complex * implementation_->w_complex).real();
}

template class RadauIIA5<InstantiatedEngine>;

}  // namespace halfdof
