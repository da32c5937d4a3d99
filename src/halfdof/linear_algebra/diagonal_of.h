#pragma once

#include <halfdof/linear_algebra/engine.h>

namespace halfdof {

/// The diagonal of a square matrix, the local part of it. Shape: A.rows().n_local().
template <class Engine>
Vector diagonal_of(const typename Engine::Matrix& A) {
  const OwnedRows owned = Engine::to_rows(A);
  Vector diagonal = Vector::Zero(owned.rows());
  for (Index i = 0; i < owned.rows(); ++i)
    for (OwnedRows::InnerIterator entry(owned, i); entry; ++entry)
      if (entry.col() == A.rows().global_index(i)) diagonal[i] += entry.value();
  return diagonal;
}

}  // namespace halfdof
