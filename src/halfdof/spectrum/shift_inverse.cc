#include <halfdof/base/pseudo_random.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/linear_algebra/tall_blocks.h>
#include <halfdof/spectrum/shift_inverse.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace halfdof {

namespace {

template <class Matrix, class Scalar>
DenseMatrix<Scalar> transposed_product(const Matrix& A, const DenseMatrix<Scalar>& x) {
  DenseMatrix<Scalar> y = DenseMatrix<Scalar>::Zero(x.rows(), x.cols());
  A.add_transposed_product(Scalar(1), x, y);
  return y;
}

/// @f$\|P(\sigma)^{-1} M\|^{-1/2}@f$ [1/s], of displacements over their scales, by a few steps of the power method; one
/// without mass.
template <class Engine, class Scalar>
double slowest_rate(const FreeSystem<Engine>& system, const Factorization<Scalar>& pencil,
                    const Vector& scales) {
  constexpr int n_steps = 4;
  const Partition& dofs = system.dofs();
  DenseMatrix<Scalar> x = pseudo_random(dofs, 1, 0).template cast<Scalar>();
  double ratio = 0;
  for (int step = 0; step < n_steps; ++step) {
    x /= std::max(column_norms<Scalar>(dofs.communicator(), x)[0], std::numeric_limits<double>::min());
    DenseMatrix<Scalar> load = DenseMatrix<Scalar>::Zero(x.rows(), 1);
    system.M().add_product(Scalar(1), DenseMatrix<Scalar>(scales.asDiagonal() * x), load);
    x = scales.cwiseInverse().asDiagonal() * pencil.solve(load);
    ratio = column_norms<Scalar>(dofs.communicator(), x)[0];
  }
  const double rate = 1 / std::sqrt(ratio);
  return std::isfinite(rate) && rate > 0 ? rate : 1;
}

/// How much faster than the slowest rate the unit of velocities is.
constexpr double beyond_slowest = 8;

}  // namespace

template <class Engine, class Scalar>
SlowestMotion slowest_motion(const ReducedSystem<Engine>& reduced, const ShiftInverse<Scalar>& inverse) {
  constexpr int n_steps = 4;
  const Communicator& communicator = reduced.communicator();
  const Index n_I = reduced.classification().inertial().n_local();
  DenseMatrix<Scalar> y = DenseMatrix<Scalar>::Zero(reduced.n_local_states(), 1), image;
  y.bottomRows(n_I) = pseudo_random(reduced.states(), 1, 0).template cast<Scalar>().bottomRows(n_I);
  double ratio = 0;
  for (int step = 0; step < n_steps; ++step) {
    y /= std::max(column_norms<Scalar>(communicator, y)[0], std::numeric_limits<double>::min());
    image = inverse.apply(y);
    y.bottomRows(n_I) = image.topRows(n_I);
    ratio = column_norms<Scalar>(communicator, DenseMatrix<Scalar>(image.topRows(n_I)))[0];
  }
  const double rate = 1 / std::sqrt(ratio);
  if (!std::isfinite(rate) || rate <= 0) return {1, ComplexMultiVector(y.rows(), 0)};
  return {rate, image.template cast<Complex>()};
}

template <class Engine>
Vector state_units(const ReducedSystem<Engine>& reduced, double slowest_rate) {
  Vector units = Vector::Ones(reduced.n_local_states());
  units.tail(reduced.classification().inertial().n_local()).setConstant(beyond_slowest * slowest_rate);
  return units;
}

template <class Engine, class Scalar>
ShiftInverse<Scalar> reduced_shift_inverse(const ReducedSystem<Engine>& reduced, Scalar sigma) {
  const ShiftedSystem<Engine, Scalar> shifted = reduced.shifted(sigma);
  return {sigma, reduced.states(), reduced.n_states(), 0,
          [shifted](ConstView<Scalar> y) { return shifted.solve(y); }};
}

template <class Engine, class Scalar>
ShiftInverse<Scalar> transposed_shift_inverse(const ReducedSystem<Engine>& reduced, Scalar sigma) {
  const FactorizationPtr<Scalar> pencil = reduced.factorize_pencil(sigma * sigma, sigma, Scalar(1));
  const auto apply = [reduced, pencil, sigma](ConstView<Scalar> z) {
    const Selection& I = reduced.classification().inertial();
    const Selection& C = reduced.classification().viscous();
    const DenseMatrix<Scalar> load = reduced.displacement_states(z) + sigma * reduced.velocity_states(z);
    const DenseMatrix<Scalar> p = pencil->solve_transposed(load);
    const DenseMatrix<Scalar> Mp = transposed_product(reduced.free().M(), p);
    const DenseMatrix<Scalar> Cp = transposed_product(reduced.free().C(), p);
    DenseMatrix<Scalar> result(z.rows(), z.cols());
    result << sigma * I.restrict(Mp) + I.restrict(Cp) - reduced.v_I(z), C.restrict(Cp), I.restrict(Mp);
    return result;
  };
  return {sigma, reduced.states(), reduced.n_states(), 0, apply};
}

template <class Engine, class Scalar>
ShiftInverse<Scalar> companion_shift_inverse(const ReducedSystem<Engine>& reduced, const Vector& scales,
                                             Scalar sigma) {
  const FreeSystem<Engine>& system = reduced.before();
  const FactorizationPtr<Scalar> pencil = reduced.factorize_pencil_before(sigma * sigma, sigma, Scalar(1));
  const GlobalIndex n_finite = reduced.n_finite_before();
  const Index n = system.dofs().n_local();
  const double rate = beyond_slowest * slowest_rate<Engine>(system, *pencil, scales);
  const auto apply = [system, pencil, scales, rate, sigma, n](ConstView<Scalar> x) {
    const DenseMatrix<Scalar> q = scales.asDiagonal() * x.topRows(n),
                              v = rate * (scales.asDiagonal() * x.bottomRows(n));
    DenseMatrix<Scalar> load = DenseMatrix<Scalar>::Zero(n, x.cols());
    system.C().add_product(Scalar(1), q, load);
    system.M().add_product(Scalar(1), DenseMatrix<Scalar>(v + sigma * q), load);
    const DenseMatrix<Scalar> z = pencil->solve(load);
    DenseMatrix<Scalar> result(2 * n, x.cols());
    const Vector to_scaled = scales.cwiseInverse();
    result << to_scaled.asDiagonal() * z,
        to_scaled.asDiagonal() * DenseMatrix<Scalar>((sigma * z - q) / rate);
    return result;
  };
  const int longest_chain = reduced.free().constraints() ? reduced.free().constraints()->longest_chain : 2;
  return {sigma, Partition(2 * n, system.dofs().shared_communicator()), n_finite, longest_chain, apply};
}

template SlowestMotion slowest_motion(const ReducedSystem<InstantiatedEngine>&, const ShiftInverse<double>&);
template SlowestMotion slowest_motion(const ReducedSystem<InstantiatedEngine>&, const ShiftInverse<Complex>&);
template Vector state_units(const ReducedSystem<InstantiatedEngine>&, double);
template ShiftInverse<double> reduced_shift_inverse(const ReducedSystem<InstantiatedEngine>&, double);
template ShiftInverse<Complex> reduced_shift_inverse(const ReducedSystem<InstantiatedEngine>&, Complex);
template ShiftInverse<double> transposed_shift_inverse(const ReducedSystem<InstantiatedEngine>&, double);
template ShiftInverse<Complex> transposed_shift_inverse(const ReducedSystem<InstantiatedEngine>&, Complex);
template ShiftInverse<double> companion_shift_inverse(const ReducedSystem<InstantiatedEngine>&, const Vector&,
                                                      double);
template ShiftInverse<Complex> companion_shift_inverse(const ReducedSystem<InstantiatedEngine>&,
                                                       const Vector&, Complex);

}  // namespace halfdof
