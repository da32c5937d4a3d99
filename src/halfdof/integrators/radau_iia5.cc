#include <halfdof/integrators/radau_iia5.h>
#include <halfdof/linear_algebra/dense_eigenvalues.h>
#include <halfdof/linear_algebra/instantiate.h>

#include <Eigen/Dense>

namespace halfdof {

namespace {

/// (a_ij) of Hairer, Wanner, Table 5.6.
Eigen::Matrix3d coefficients() {
  const double s = std::sqrt(6.);
  Eigen::Matrix3d a;
  a << (88 - 7 * s) / 360, (296 - 169 * s) / 1800, (-2 + 3 * s) / 225,  //
      (296 + 169 * s) / 1800, (88 + 7 * s) / 360, (-2 - 3 * s) / 225,   //
      (16 - s) / 36, (16 + s) / 36, 1. / 9;
  return a;
}

/// Lagrange polynomials of the nodes 0, c_1, c_2, c_3 that belong to c: what Z_j contributes at theta.
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
RadauIIA5<Engine>::RadauIIA5(const ReducedSystem<Engine>& reduced, double time_step)
    : FixedStepIntegrator<Engine>(reduced, "Radau IIA", time_step) {
  const double s = std::sqrt(6.);
  c_ << (4 - s) / 10, (4 + s) / 10, 1;
  const DenseEigenpairs eigen = eigenpairs(MultiVector(coefficients().inverse()));
  const Eigen::Matrix3cd right = eigen.vectors, left = right.inverse();
  for (int k = 0; k < 3; ++k) {
    const Complex lambda = eigen.values[static_cast<std::size_t>(k)];
    if (lambda.imag() == 0)
      real_ = {lambda.real(), left.row(k).transpose().real(), right.col(k).real()};
    else if (lambda.imag() > 0)
      complex_ = {lambda, left.row(k).transpose(), right.col(k)};
  }
}

template <class Engine>
Vector RadauIIA5<Engine>::take_step(const State& from, double step, double end) {
  const auto& reduced = this->reduced();
  const auto& implicit = implicit_.get(step, this->time_step(), [&]() {
    return StepMatrices{{reduced, real_.lambda / step, this->name()},
                        {reduced, complex_.lambda / step, this->name()}};
  });

  const Vector v_I = reduced.v_I(from.y);
  Vector inertia = Vector::Zero(reduced.free().dofs().n_local()), elastic = inertia;
  add_momentum(reduced, 1., v_I, inertia);
  subtract_elastic_forces(reduced, from.y, elastic);
  MultiVector loads(inertia.size(), 3);
  for (int j = 0; j < 3; ++j)
    loads.col(j) = this->load(j < 2 ? from.time + c_[j] * step : end);

  const double c_real = real_.left.sum();
  w_real_ = implicit.real.increment(
      implicit.real.sigma() * c_real * inertia + c_real * elastic + loads * real_.left, c_real * v_I);
  const Complex c_complex = complex_.left.sum();
  w_complex_ = implicit.complex.increment(
      implicit.complex.sigma() * c_complex * inertia + c_complex * elastic + loads * complex_.left,
      c_complex * v_I);
  return from.y + real_.right[2] * w_real_ + 2 * (complex_.right[2] * w_complex_).real();
}

template <class Engine>
Vector RadauIIA5<Engine>::interpolate_step(const State& begin, const State&, double theta) const {
  const Eigen::Vector3d weights = collocation_weights(c_, theta);
  const double real = weights.dot(real_.right);
  const Complex complex = (weights.transpose() * complex_.right)(0);
  return begin.y + real * w_real_ + 2 * (complex * w_complex_).real();
}

template class RadauIIA5<InstantiatedEngine>;

}  // namespace halfdof
