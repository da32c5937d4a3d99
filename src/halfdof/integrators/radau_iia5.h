#pragma once

#include <halfdof/integrators/fixed_step.h>
#include <halfdof/integrators/implicit_step.h>

#include <Eigen/Core>

namespace halfdof {

/**
 * The Radau IIA method with three stages (Hairer, Wanner 1996, section IV.5, Table 5.6) on the reduced state:
 * collocation at @f$ c = ((4-\sqrt 6)/10,\ (4+\sqrt 6)/10,\ 1) @f$,
 * @f[ Z_i = h \sum_j a_{ij} \left( A (y_n + Z_j) + B F(t_n + c_j h) \right), \qquad y_{n+1} = y_n + Z_3. @f]
 * Order 5, L-stable. With the eigenvalues @f$\lambda_k@f$ of the inverse of (a_ij), one real and a complex
 * pair, and its left and right eigenvectors @f$ l_k^T t_k = 1 @f$, the stages separate (ibid., section IV.8)
 * into one real and one complex system:
 * @f[ (\lambda_k / h\, E - A)\, w_k = (l_k^T 1)\, A y_n + B \sum_j l_{kj} F(t_n + c_j h), \qquad
 *     Z_j = t_{1j} w_1 + 2\,\mathrm{Re}(t_{2j} w_2). @f]
 * Since the system is linear there is no Newton iteration. The eigenvectors are computed when the integrator
 * is made. Dense output is the collocation polynomial, of degree 3.
 */
template <class Engine>
class RadauIIA5 final : public FixedStepIntegrator<Engine> {
 public:
  /// @param time_step h > 0 [s]. @throws InvalidInput if it is not.
  RadauIIA5(const ReducedSystem<Engine>& reduced, double time_step);

  std::string name() const override { return "Radau IIA of order 5"; }

 protected:
  Vector take_step(const State& from, double step, double end) override;
  Vector interpolate_step(const State& begin, const State& end, double theta) const override;
  void forget_tangents(const State&) override { implicit_ = {}; }
  std::string advice() const override { return a_stable_advice; }

 private:
  /// One eigenvalue with its eigenvectors.
  template <class Scalar>
  struct Mode {
    Scalar lambda;
    Eigen::Matrix<Scalar, 3, 1> left, right;
  };
  struct StepMatrices {
    ImplicitStep<Engine, double> real;
    ImplicitStep<Engine, Complex> complex;
  };

  Eigen::Vector3d c_;
  Mode<double> real_;
  Mode<Complex> complex_;
  Vector w_real_;            ///< w_1 of the last step
  ComplexVector w_complex_;  ///< w_2 of the last step
  PerStepLength<StepMatrices> implicit_;
};

}  // namespace halfdof
