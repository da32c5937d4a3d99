#pragma once

#include <halfdof/linear_algebra/engine.h>

namespace halfdof {

/// |A|, entry by entry.
template <class Engine>
typename Engine::Matrix absolute_of(const typename Engine::Matrix& A) {
  const OwnedRows rows = Engine::to_rows(A).cwiseAbs();
  return Engine::from_rows(rows, A.rows(), A.columns());
}

}  // namespace halfdof
