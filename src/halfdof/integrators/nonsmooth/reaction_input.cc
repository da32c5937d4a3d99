// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/integrators/nonsmooth/reaction_input.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/dense_form.h>
#include <halfdof/reduction/mixed_column_matrix.h>

#include <algorithm>

namespace halfdof::internal {

template <class Engine>
ReactionInput<Engine>::ReactionInput(const Inclusions<Engine>& inclusions, const DelassusOptions& options)
    : inclusions_(inclusions) {
  const ReducedSystem<Engine>& reduced = inclusions.reduced();
  const Index m = inclusions.n_directions(),
              n_rows = reduced.n_local_states() - reduced.classification().inertial().n_local();
  const double bytes = 8. * static_cast<double>(n_rows) * static_cast<double>(m);
  if (reduced.communicator().max(bytes) > options.max_column_bytes) return;
  columns_.emplace(n_rows, m);
  for (Index first = 0; first < m; first += solve_batch) {
    const Index n = std::min(solve_batch, m - first);
    columns_->middleCols(first, n) = reduced.input(inclusions.H().columns(first, n)).bottomRows(n_rows);
  }
}

template <class Engine>
Vector ReactionInput<Engine>::apply(const Vector& r) const {
  if (columns_) {
    Vector y_rate = Vector::Zero(inclusions_.reduced().n_local_states());
    y_rate.tail(columns_->rows()) = combination(*columns_, r);
    return y_rate;
  }
  return inclusions_.reduced().input(inclusions_.H().force(r));
}

template <class Engine>
ImpulseInput<Engine>::ImpulseInput(const Inclusions<Engine>& inclusions, const std::vector<bool>& is_active,
                                   const DelassusOptions& options)
    : inclusions_(inclusions) {
  const ReducedSystem<Engine>& reduced = inclusions.reduced();
  const Index m = inclusions.n_directions();
  SparseColumnsBuilder of_momentum(reduced.free().dofs().n_local(), m),
      viscous(reduced.classification().viscous().n_local(), m);
  for (Index first = 0; first < m; first += solve_batch) {
    const Index n = std::min(solve_batch, m - first);
    MultiVector forces = inclusions.H().columns(first, n);
    for (Index j = 0; j < n; ++j)
      if (!is_active[static_cast<std::size_t>(first + j)]) forces.col(j).setZero();
    const MultiVector x = reduced.elimination().solve(forces);
    of_momentum.append(momentum(forces, x));
    viscous.append(viscous_rates(x));
    if (reduced.communicator().max(of_momentum.bytes() + viscous.bytes()) > options.max_column_bytes) return;
  }
  columns_ = Columns{GroupedColumns(of_momentum.finish()), GroupedColumns(viscous.finish())};
}

template <class Engine>
MultiVector ImpulseInput<Engine>::viscous_rates(const MultiVector& x) const {
  return inclusions_.reduced().classification().viscous().selected_rows(x);
}

template <class Engine>
MultiVector ImpulseInput<Engine>::momentum(const MultiVector& force, const MultiVector& x) const {
  const ReducedSystem<Engine>& reduced = inclusions_.reduced();
  MultiVector momentum = force;
  reduced.free().C().add_product(-1., reduced.classification().viscous().only(x), momentum);
  reduced.free().K().add_product(-1., reduced.classification().algebraic().only(x), momentum);
  return momentum;
}

template <class Engine>
void ImpulseInput<Engine>::add_momentum(double factor, const Vector& r, Vector& rhs) const {
  const Vector scaled = factor * r;
  if (columns_) return columns_->momentum.add_product(scaled, rhs);
  const MultiVector force = inclusions_.H().force(scaled);
  rhs += momentum(force, inclusions_.reduced().elimination().solve(force));
}

template <class Engine>
void ImpulseInput<Engine>::add_viscous_rates(double factor, const Vector& r, Eigen::Ref<Vector> rates) const {
  const Vector scaled = factor * r;
  if (columns_) return columns_->viscous.add_product(scaled, rates);
  rates += viscous_rates(inclusions_.reduced().elimination().solve(inclusions_.H().force(scaled)));
}

template class ReactionInput<InstantiatedEngine>;
template class ImpulseInput<InstantiatedEngine>;

}  // namespace halfdof::internal
