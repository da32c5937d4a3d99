// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/inclusions/delassus.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/dense_form.h>
#include <halfdof/reduction/mixed_column_matrix.h>

#include <algorithm>

namespace halfdof {

using namespace internal;

template <class Engine>
DelassusMatrices delassus_matrices(const Inclusions<Engine>& inclusions, const DelassusOptions& options) {
  const DirectionMatrix& H = inclusions.H();
  const Classification& kinds = inclusions.reduced().classification();
  const Index m = H.n_directions();
  check_dense_delassus(m, options.max_dense);

  DelassusMatrices W{MultiVector(m, m), MultiVector(m, m), MultiVector(m, m)};
  for (Index first = 0; first < m; first += solve_batch) {
    const Index n = std::min(solve_batch, m - first);
    const MultiVector x = inclusions.reduced().elimination().solve(H.columns(first, n));
    W.I.middleCols(first, n) = H.components(kinds.inertial().only(x));
    W.C.middleCols(first, n) = H.components(kinds.viscous().only(x));
    W.K.middleCols(first, n) = H.components(kinds.algebraic().only(x));
  }
  for (Index j = 0; j < m; ++j)
    if (!W.I.col(j).allFinite() || !W.C.col(j).allFinite() || !W.K.col(j).allFinite())
      throw InvalidInput(
          "The response to a unit reaction of \"" + inclusions.direction_name(j) +
          "\" contains NaN or infinity. Give the direction smaller weights, or look for entries of "
          "M, C and K near the largest floating-point number.");
  if (inclusions.reduced().free().is_symmetric()) make_symmetric(W.K);
  return W;
}

template DelassusMatrices delassus_matrices(const Inclusions<InstantiatedEngine>&, const DelassusOptions&);

}  // namespace halfdof
