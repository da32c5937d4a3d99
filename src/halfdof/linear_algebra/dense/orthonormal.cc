// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/linear_algebra/dense/orthonormal.h>

namespace halfdof::internal {

MultiVector orthonormalized(const Communicator& communicator, MultiVector X) {
  Eigen::Index kept = 0;
  for (Eigen::Index j = 0; j < X.cols(); ++j) {
    const double before = norm(communicator, X.col(j));
    for (int pass = 0; pass < 2; ++pass)
      X.col(j) -= X.leftCols(kept) * inner_products(communicator, X.leftCols(kept), X.col(j));
    const double after = norm(communicator, X.col(j));
    if (!(after > 1e-13 * before)) continue;
    X.col(kept) = X.col(j) / after;
    ++kept;
  }
  return X.leftCols(kept);
}

}  // namespace halfdof::internal
