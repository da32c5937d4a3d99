// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/free_system.h>
#include <halfdof/linear_algebra/dense/stack.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/reduced_system.h>
#include <halfdof/reduction/state_parts.h>

namespace halfdof {

using namespace internal;

namespace {

/// Computes y += A x for a real matrix and real or complex vectors.
template <class Scalar, class Matrix>
void add_product(const Matrix& A, const DenseMatrix<Scalar>& x, DenseMatrix<Scalar>& y) {
  A.add_product(Scalar(1), x, y);
}

}  // namespace

template <class Engine, class Scalar>
ShiftedSystem<Engine, Scalar>::ShiftedSystem(const ReducedSystem<Engine>& reduced, Scalar sigma)
    : reduced_(reduced), sigma_(sigma), pencil_(reduced.factorize_pencil(sigma * sigma, sigma, Scalar(1))) {}

template <class Engine, class Scalar>
DenseMatrix<Scalar> ShiftedSystem<Engine, Scalar>::solve_displacements(ConstView<Scalar> b) const {
  const DenseMatrix<Scalar> b_q = displacement_states(reduced_, b);
  DenseMatrix<Scalar> b_v = velocity_states(reduced_, b);
  // The term sigma b_q may be added for all DoFs, because the columns of M of viscous and algebraic DoFs
  // are null.
  b_v += sigma_ * b_q;
  DenseMatrix<Scalar> r = DenseMatrix<Scalar>::Zero(b_q.rows(), b_q.cols());
  add_product(reduced_.free().M(), b_v, r);
  add_product(reduced_.free().C(), b_q, r);
  return pencil_->solve(r);
}

template <class Engine, class Scalar>
DenseMatrix<Scalar> ShiftedSystem<Engine, Scalar>::solve(ConstView<Scalar> b) const {
  const DenseMatrix<Scalar> q = solve_displacements(b);
  const Selection& I = reduced_.classification().inertial();
  const DenseMatrix<Scalar> q_I = I.selected_rows(q);
  DenseMatrix<Scalar> y(b.rows(), b.cols());
  stack_rows(y, q_I, reduced_.classification().viscous().selected_rows(q), sigma_ * q_I - reduced_.q_I(b));
  return y;
}

template class ShiftedSystem<InstantiatedEngine, double>;
template class ShiftedSystem<InstantiatedEngine, Complex>;

}  // namespace halfdof
