#include <halfdof/integrators/impulse_input.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/dense_form.h>

#include <algorithm>

namespace halfdof {

template <class Engine>
ImpulseInput<Engine>::ImpulseInput(const Inclusions<Engine>& inclusions, const std::vector<bool>& takes_part,
                                   const DelassusOptions& options)
    : inclusions_(inclusions) {
  const ReducedSystem<Engine>& reduced = inclusions.reduced();
  const Index m = inclusions.n_directions();
  GrowingColumns of_momentum(reduced.free().dofs().n_local(), m),
      viscous(reduced.classification().viscous().n_local(), m);
  for (Index first = 0; first < m; first += solve_batch) {
    const Index n = std::min(solve_batch, m - first);
    MultiVector forces = inclusions.H().columns(first, n);
    for (Index j = 0; j < n; ++j)
      if (!takes_part[static_cast<std::size_t>(first + j)]) forces.col(j).setZero();
    const MultiVector x = reduced.elimination().solve(forces);
    of_momentum.append(momentum(forces, x));
    viscous.append(viscous_rates(x));
    if (reduced.communicator().max(of_momentum.bytes() + viscous.bytes()) > options.max_column_bytes) return;
  }
  columns_ = Columns{GroupedColumns(of_momentum.finish()), GroupedColumns(viscous.finish())};
}

template <class Engine>
MultiVector ImpulseInput<Engine>::viscous_rates(const MultiVector& x) const {
  return inclusions_.reduced().classification().viscous().restrict(x);
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

template class ImpulseInput<InstantiatedEngine>;

}  // namespace halfdof
