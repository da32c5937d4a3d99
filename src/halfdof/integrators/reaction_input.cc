#include <halfdof/integrators/reaction_input.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/dense_form.h>

#include <algorithm>

namespace halfdof {

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

template class ReactionInput<InstantiatedEngine>;

}  // namespace halfdof
