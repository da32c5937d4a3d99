// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/linear_algebra/dense/dense_decompositions.h>
#include <halfdof/linear_algebra/ranks/dense_parts.h>
#include <halfdof/linear_algebra/ranks/nilpotent_form.h>

#include <algorithm>

namespace halfdof::internal {

NilpotentForm nilpotent_form(const MultiVector& N, double tolerance) {
  const Eigen::Index n = N.rows();
  NilpotentForm form{MultiVector::Identity(n, n), N};
  for (Eigen::Index first = 0; first < n;) {
    const Eigen::Index size = n - first;
    const SingularValueDecomposition svd = singular_value_decomposition(form.T.bottomRightCorner(size, size));
    const auto rank = std::min<Eigen::Index>((svd.values.array() > tolerance).count(), size - 1);
    const MultiVector basis = side_by_side({svd.V.rightCols(size - rank), svd.V.leftCols(rank)});
    form.U.rightCols(size) *= basis;
    form.T.rightCols(size) *= basis;
    form.T.bottomRows(size).applyOnTheLeft(basis.transpose());
    auto zeros = form.T.block(first, first, size, size - rank);
    form.dropped = std::max(form.dropped, largest_entry(zeros));
    zeros.setZero();
    first += size - rank;
  }
  return form;
}

}  // namespace halfdof::internal
