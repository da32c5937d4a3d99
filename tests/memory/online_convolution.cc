// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/memory/online_convolution.h>

#include <boost/test/unit_test.hpp>

#include "systems.h"

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

BOOST_AUTO_TEST_SUITE(online_convolutions)

BOOST_AUTO_TEST_CASE(it_is_the_naive_sum_where_inputs_depend_on_results) {
  struct Tried {
    Index length, rows, columns, n_inputs;
  };
  for (const auto& [length, rows, columns, n_inputs] : {Tried{1, 1, 1, 10},
                                                        {2, 1, 1, 200},
                                                        {64, 1, 1, 300},
                                                        {65, 2, 1, 500},
                                                        {128, 1, 2, 600},
                                                        {129, 1, 1, 1100},
                                                        {1000, 2, 3, 1300},
                                                        {3000, 1, 1, 1200}}) {
    BOOST_TEST_CONTEXT(length << " lags, " << rows << " x " << columns) {
      RandomNumbers random(static_cast<unsigned>(length));
      std::vector<MultiVector> kernel;
      for (Index k = 0; k < length; ++k)
        kernel.push_back(random.matrix(rows, columns) / (1. + k));
      OnlineConvolution convolution(kernel);
      ConvolutionHistory history = convolution.start();
      std::vector<Vector> inputs;
      double error = 0, size = 0;
      for (Index n = 0; n < n_inputs; ++n) {
        Vector expected = Vector::Zero(rows);
        for (Index k = 1; k <= std::min(n, length - 1); ++k)
          expected += kernel[static_cast<std::size_t>(k)] * inputs[static_cast<std::size_t>(n - k)];
        const Vector found = convolution.next(history);
        error = std::max(error, (found - expected).cwiseAbs().maxCoeff());
        size = std::max(size, expected.cwiseAbs().maxCoeff());
        inputs.emplace_back(Vector(random.matrix(columns, 1)) + 0.1 * Vector::Constant(columns, found[0]));
        convolution.push(inputs.back(), history);
      }
      BOOST_TEST(error <= 1e-12 * (1 + size));
    }
  }
}

BOOST_AUTO_TEST_CASE(wrong_kernels_and_inputs_are_refused) {
  BOOST_CHECK_THROW(OnlineConvolution({}), InvalidInput);
  BOOST_CHECK_THROW(OnlineConvolution({MultiVector::Zero(1, 1), MultiVector::Zero(2, 1)}), InvalidInput);
  BOOST_CHECK_THROW(OnlineConvolution({MultiVector::Constant(1, 1, std::nan(""))}), InvalidInput);
  OnlineConvolution convolution({MultiVector::Ones(1, 2)});
  ConvolutionHistory history = convolution.start();
  BOOST_CHECK_THROW(convolution.push(Vector::Zero(1), history), InvalidInput);
}

BOOST_AUTO_TEST_SUITE_END()
