#include <halfdof/integrators/reaction_input.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/dense_form.h>

#include <algorithm>

namespace halfdof {

template <class Engine>
ReactionInput<Engine>::ReactionInput(const Inclusions<Engine>& inclusions, const DelassusOptions& options)
    : inclusions_(inclusions) {
  const ReducedSystem<Engine>& reduced = inclusions.reduced();
  const Index m = inclusions.n_directions();
  const double bytes = 8. * static_cast<double>(reduced.n_local_states()) * static_cast<double>(m);
  if (reduced.communicator().max(bytes) > options.max_column_bytes) return;
  columns_.emplace(reduced.n_local_states(), m);
  for (Index first = 0; first < m; first += solve_batch) {
    const Index n = std::min(solve_batch, m - first);
    columns_->middleCols(first, n) = reduced.input(inclusions.H().columns(first, n));
  }
}

template <class Engine>
Vector ReactionInput<Engine>::apply(const Vector& r) const {
  if (columns_) return combination(*columns_, r);
  return inclusions_.reduced().input(inclusions_.H().force(r));
}

template class ReactionInput<InstantiatedEngine>;

}  // namespace halfdof
