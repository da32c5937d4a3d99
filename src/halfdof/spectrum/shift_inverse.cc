// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/free_system.h>
#include <halfdof/linear_algebra/dense/stack.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/state_parts.h>
#include <halfdof/reduction/unreduced_system.h>
#include <halfdof/spectrum/shift_inverse.h>

namespace halfdof::internal {

namespace {

template <class Matrix, class Scalar>
DenseMatrix<Scalar> transposed_product(const Matrix& A, const DenseMatrix<Scalar>& x) {
  DenseMatrix<Scalar> y = DenseMatrix<Scalar>::Zero(x.rows(), x.cols());
  A.add_transposed_product(Scalar(1), x, y);
  return y;
}

template <class Scalar, class Matrix>
DenseMatrix<Scalar> product(const Matrix& A, ConstView<Scalar> x) {
  DenseMatrix<Scalar> y = DenseMatrix<Scalar>::Zero(x.rows(), x.cols());
  A.add_product(Scalar(1), x, y);
  return y;
}

}  // namespace

template <class Engine, class Scalar>
ShiftInverse<Scalar> reduced_shift_inverse(const ReducedSystem<Engine>& reduced, Scalar sigma) {
  const ShiftedSystem<Engine, Scalar> shifted = reduced.shifted(sigma);
  const auto response = [reduced, shifted](ConstView<Scalar> x) -> DenseMatrix<Scalar> {
    return shifted.pencil().solve(product<Scalar>(reduced.free().M(), x));
  };
  const auto damped_response = [reduced, shifted](ConstView<Scalar> x) -> DenseMatrix<Scalar> {
    return shifted.pencil().solve(product<Scalar>(reduced.free().C(), x));
  };
  return {sigma,
          reduced.states(),
          reduced.n_states(),
          0,
          [shifted](ConstView<Scalar> y) { return shifted.solve(y); },
          response,
          damped_response};
}

template <class Engine, class Scalar>
ShiftInverse<Scalar> transposed_shift_inverse(const ReducedSystem<Engine>& reduced, Scalar sigma) {
  const FactorizationPtr<Scalar> pencil = reduced.factorize_pencil(sigma * sigma, sigma, Scalar(1));
  const auto left_vectors = [reduced, pencil, sigma](ConstView<Scalar> z) -> DenseMatrix<Scalar> {
    const DenseMatrix<Scalar> load = displacement_states(reduced, z) + sigma * velocity_states(reduced, z);
    return pencil->solve_transposed(load);
  };
  const auto apply = [reduced, left_vectors, sigma](ConstView<Scalar> z) {
    const Selection& I = reduced.classification().inertial();
    const Selection& C = reduced.classification().viscous();
    const DenseMatrix<Scalar> p = left_vectors(z);
    const DenseMatrix<Scalar> Mp = transposed_product(reduced.free().M(), p);
    const DenseMatrix<Scalar> Cp = transposed_product(reduced.free().C(), p);
    DenseMatrix<Scalar> result(z.rows(), z.cols());
    stack_rows(result, sigma * I.selected_rows(Mp) + I.selected_rows(Cp) - reduced.v_I(z),
               C.selected_rows(Cp), I.selected_rows(Mp));
    return result;
  };
  ShiftInverse<Scalar> inverse{sigma, reduced.states(), reduced.n_states(), 0, apply};
  inverse.left_vectors = left_vectors;
  return inverse;
}

template <class Engine, class Scalar>
ShiftInverse<Scalar> companion_shift_inverse(const ReducedSystem<Engine>& reduced, Scalar sigma) {
  const FreeSystem<Engine>& system = reduced.unreduced().system();
  const FactorizationPtr<Scalar> pencil =
      reduced.unreduced().factorize_pencil(sigma * sigma, sigma, Scalar(1));
  const GlobalIndex n_finite = reduced.unreduced().n_finite();
  const Index n = system.dofs().n_local();
  const auto apply = [system, pencil, sigma, n](ConstView<Scalar> x) {
    const DenseMatrix<Scalar> q = x.topRows(n), v = x.bottomRows(n);
    DenseMatrix<Scalar> load = DenseMatrix<Scalar>::Zero(n, x.cols());
    system.C().add_product(Scalar(1), q, load);
    system.M().add_product(Scalar(1), DenseMatrix<Scalar>(v + sigma * q), load);
    const DenseMatrix<Scalar> z = pencil->solve(load);
    DenseMatrix<Scalar> result(2 * n, x.cols());
    result << z, sigma * z - q;
    return result;
  };
  const auto response = [system, pencil](ConstView<Scalar> x) -> DenseMatrix<Scalar> {
    return pencil->solve(product<Scalar>(system.M(), x));
  };
  const auto damped_response = [system, pencil](ConstView<Scalar> x) -> DenseMatrix<Scalar> {
    return pencil->solve(product<Scalar>(system.C(), x));
  };
  const int longest_chain = reduced.free().constraints() ? reduced.free().constraints()->longest_chain : 2;
  return {sigma,          Partition(2 * n, system.dofs().shared_communicator()),
          n_finite,       longest_chain,
          apply,          response,
          damped_response};
}

template ShiftInverse<double> reduced_shift_inverse(const ReducedSystem<InstantiatedEngine>&, double);
template ShiftInverse<Complex> reduced_shift_inverse(const ReducedSystem<InstantiatedEngine>&, Complex);
template ShiftInverse<double> transposed_shift_inverse(const ReducedSystem<InstantiatedEngine>&, double);
template ShiftInverse<Complex> transposed_shift_inverse(const ReducedSystem<InstantiatedEngine>&, Complex);
template ShiftInverse<double> companion_shift_inverse(const ReducedSystem<InstantiatedEngine>&, double);
template ShiftInverse<Complex> companion_shift_inverse(const ReducedSystem<InstantiatedEngine>&, Complex);

}  // namespace halfdof::internal
