// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/dense_form.h>
#include <halfdof/reduction/mixed_column_matrix.h>
#include <halfdof/reduction/state_space.h>

#include <algorithm>

namespace halfdof {

using namespace internal;

namespace {

const Selection& selection_of(const Classification& classification, DoFKind kind) {
  switch (kind) {
    case DoFKind::inertial:
      return classification.inertial();
    case DoFKind::viscous:
      return classification.viscous();
    case DoFKind::algebraic:
      return classification.algebraic();
    case DoFKind::constrained:
      break;
  }
  throw InvalidInput(
      "The inverse of the mixed-column matrix D has no rows for constrained DoFs, because D contains only "
      "the free ones. Ask for the rows of inertial, viscous or algebraic DoFs.");
}

/// Returns the local rows of the columns first ... first + n - 1 of an identity matrix.
MultiVector identity_columns(const Partition& partition, GlobalIndex first, Index n) {
  MultiVector columns = MultiVector::Zero(partition.n_local(), n);
  for (Index j = 0; j < n; ++j)
    if (const Index local = partition.local_index(first + j); local >= 0) columns(local, j) = 1;
  return columns;
}

Index batch_at(GlobalIndex first, GlobalIndex n) {
  return static_cast<Index>(std::min<GlobalIndex>(solve_batch, n - first));
}

}  // namespace

template <class Engine>
MultiVector dense_state_matrix(const ReducedSystem<Engine>& reduced, const DenseFormOptions& options) {
  const GlobalIndex n = reduced.n_states();
  check_dense_size("state matrix A", n, n, options);
  MultiVector A(n, n);
  for (GlobalIndex j = 0; j < n; j += solve_batch) {
    const Index batch = batch_at(j, n);
    A.middleCols(j, batch) = gather_rows(
        reduced.states(), reduced.apply_homogeneous(identity_columns(reduced.states(), j, batch)));
  }
  return A;
}

template <class Engine>
MultiVector dense_inverse_rows(const ReducedSystem<Engine>& reduced, DoFKind kind,
                               const DenseFormOptions& options) {
  const Selection& selected = selection_of(reduced.classification(), kind);
  const AssembledSystem<Engine>& assembled = reduced.assembled();
  check_dense_size("row block of the inverse of D", selected.n_global(), assembled.n_dofs(), options);

  MultiVector rows(selected.n_global(), assembled.n_dofs());
  for (GlobalIndex i = 0; i < rows.rows(); i += solve_batch) {
    const Index batch = batch_at(i, rows.rows());
    MultiVector unit = MultiVector::Zero(reduced.free().dofs().n_local(), batch);
    selected.add_to(identity_columns(selected.partition(), i, batch), unit);
    MultiVector columns = MultiVector::Zero(assembled.dofs().n_local(), batch);
    reduced.free().add_weights_to(reduced.elimination().solve_transposed(unit), columns);
    rows.middleRows(i, batch) = gather_rows(assembled.dofs(), columns).transpose();
  }
  return rows;
}

template <class Engine>
MultiVector dense_input_matrix(const ReducedSystem<Engine>& reduced, const DenseFormOptions& options) {
  check_dense_size("input matrix B", reduced.n_states(), reduced.assembled().n_dofs(), options);
  const MultiVector gamma = dense_inverse_rows(reduced, DoFKind::inertial, options);
  const MultiVector alpha = dense_inverse_rows(reduced, DoFKind::viscous, options);

  const Partition& inertial = reduced.classification().inertial().partition();
  const Partition& viscous = reduced.classification().viscous().partition();
  MultiVector local = MultiVector::Zero(reduced.n_local_states(), reduced.assembled().n_dofs());
  for (Index i = 0; i < viscous.n_local(); ++i)
    local.row(inertial.n_local() + i) = alpha.row(viscous.global_index(i));
  for (Index i = 0; i < inertial.n_local(); ++i)
    local.row(inertial.n_local() + viscous.n_local() + i) = gamma.row(inertial.global_index(i));
  return gather_rows(reduced.states(), local);
}

template MultiVector dense_state_matrix(const ReducedSystem<InstantiatedEngine>&, const DenseFormOptions&);
template MultiVector dense_inverse_rows(const ReducedSystem<InstantiatedEngine>&, DoFKind,
                                        const DenseFormOptions&);
template MultiVector dense_input_matrix(const ReducedSystem<InstantiatedEngine>&, const DenseFormOptions&);

}  // namespace halfdof
