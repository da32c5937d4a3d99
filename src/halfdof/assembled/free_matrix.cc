// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/free_matrix.h>
#include <halfdof/base/profile.h>
#include <halfdof/linear_algebra/instantiate.h>

#include <algorithm>
#include <mutex>
#include <optional>
#include <utility>

namespace halfdof::internal {

namespace {

/// Converts a selection from free numbering to assembled numbering. Collective.
Selection assembled_selection(const Selection& of_free, const Selection& free) {
  std::vector<Index> local(of_free.local().size());
  std::transform(of_free.local().begin(), of_free.local().end(), local.begin(),
                 [&](Index i) { return free.local()[static_cast<std::size_t>(i)]; });
  return Selection(std::move(local), free.partition());
}

}  // namespace

template <class Engine>
struct FreeMatrix<Engine>::Shared {
  Matrix source;                  ///< the assembled matrix A, or its free part if `free` has no value
  std::optional<Selection> free;  ///< the free DoFs; no value if `source` is the free part already
  mutable std::once_flag once = {};
  mutable std::optional<Matrix> free_part = {};
};

template <class Engine>
FreeMatrix<Engine>::FreeMatrix(const Matrix& A, const Selection& free) : shared_(new Shared{A, free}) {}

template <class Engine>
FreeMatrix<Engine>::FreeMatrix(const Matrix& A_ff) : shared_(new Shared{A_ff, std::nullopt}) {}

template <class Engine>
const Partition& FreeMatrix<Engine>::rows() const {
  return shared_->free ? shared_->free->partition() : shared_->source.rows();
}

template <class Engine>
const typename Engine::Matrix& FreeMatrix<Engine>::operator()() const {
  if (!shared_->free) return shared_->source;
  std::call_once(shared_->once, [this] {
    const StageTimer stage("take out constrained DoFs");
    shared_->free_part = Engine::submatrix(shared_->source, *shared_->free, *shared_->free);
  });
  return *shared_->free_part;
}

template <class Engine>
Vector FreeMatrix<Engine>::column_norms() const {
  if (!shared_->free) return Engine::column_norms(shared_->source);
  Vector norms = Engine::column_norms(shared_->source, *shared_->free);
  const bool is_all = shared_->free->n_local() == static_cast<Index>(norms.size());
  return is_all ? norms : Vector(shared_->free->selected_rows(norms));
}

template <class Engine>
std::vector<typename Engine::Matrix> FreeMatrix<Engine>::row_blocks(const std::vector<Selection>& rows,
                                                                    const Selection& columns) const {
  if (!shared_->free) return Engine::row_blocks(shared_->source, rows, columns);
  std::vector<Selection> assembled_rows;
  for (const Selection& of : rows)
    assembled_rows.push_back(assembled_selection(of, *shared_->free));
  return Engine::row_blocks(shared_->source, assembled_rows, assembled_selection(columns, *shared_->free));
}

template class FreeMatrix<InstantiatedEngine>;

}  // namespace halfdof::internal
