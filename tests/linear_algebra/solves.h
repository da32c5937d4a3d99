// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/linear_algebra/engine.h>

#include <boost/test/unit_test.hpp>

#include "linear_algebra/matrices.h"

namespace halfdof::test {

/// Checks both solves, and the halves of the first, against A itself, for one and for many right-hand sides.
inline void check_solves(const MultiVector& A, const Factorization<double>& factorization) {
  const auto n = static_cast<Index>(A.rows());
  for (const Index n_columns : {1, 3, 40}) {
    const MultiVector b = random_vectors(n, n_columns, 7);
    const MultiVector x = factorization.solve(b);
    const MultiVector y = factorization.solve_transposed(b);
    BOOST_TEST(backward_error(A, x, b) < 1e-11);
    BOOST_TEST(backward_error(MultiVector(A.transpose()), y, b) < 1e-11);

    const MultiVector z = factorization.forward(b);
    BOOST_TEST(backward_error(A, factorization.backward(z), b) < 1e-11);
    // g^T z = h^T B z as rounding tells, relative to the terms of the sums.
    const MultiVector h = random_vectors(n, 2, 8), g = factorization.transposed_backward(h);
    const MultiVector scale =
        g.cwiseAbs().transpose() * z.cwiseAbs() + h.cwiseAbs().transpose() * x.cwiseAbs();
    BOOST_TEST(((g.transpose() * z - h.transpose() * x).cwiseAbs().array() <= 1e-11 * scale.array()).all());
  }
}

}  // namespace halfdof::test
