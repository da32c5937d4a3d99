// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/free_system.h>
#include <halfdof/reduction/reduced_system.h>

namespace halfdof::internal {

/// Returns (q_I, q_C) of one or several states. Shapes: Y n_local_states() x k, result (n_I + n_C) x k.
template <class Engine, class Derived>
auto displacement_part(const ReducedSystem<Engine>& reduced, Eigen::MatrixBase<Derived>& Y) {
  return Y.topRows(Y.rows() - reduced.classification().inertial().n_local());
}
template <class Engine, class Derived>
auto displacement_part(const ReducedSystem<Engine>& reduced, const Eigen::MatrixBase<Derived>& Y) {
  return Y.topRows(Y.rows() - reduced.classification().inertial().n_local());
}

/// Returns the displacements of the free DoFs that are states; zero at algebraic DoFs.
template <class Engine, class Derived>
DenseMatrix<typename Derived::Scalar> displacement_states(const ReducedSystem<Engine>& reduced,
                                                          const Eigen::MatrixBase<Derived>& Y) {
  DenseMatrix<typename Derived::Scalar> q =
      DenseMatrix<typename Derived::Scalar>::Zero(reduced.free().dofs().n_local(), Y.cols());
  reduced.classification().inertial().add_to(reduced.q_I(Y), q);
  reduced.classification().viscous().add_to(reduced.q_C(Y), q);
  return q;
}

/// Returns the rates of the inertial DoFs on the free DoFs; zero at all other DoFs.
template <class Engine, class Derived>
DenseMatrix<typename Derived::Scalar> velocity_states(const ReducedSystem<Engine>& reduced,
                                                      const Eigen::MatrixBase<Derived>& Y) {
  DenseMatrix<typename Derived::Scalar> v =
      DenseMatrix<typename Derived::Scalar>::Zero(reduced.free().dofs().n_local(), Y.cols());
  reduced.classification().inertial().add_to(reduced.v_I(Y), v);
  return v;
}

}  // namespace halfdof::internal
