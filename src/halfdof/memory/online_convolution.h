// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/memory/memory_integrator.h>

#include <memory>
#include <vector>

namespace halfdof::internal {

/**
 * Computes the convolution of a given kernel with inputs that become available one after the other, where
 * each input may depend on the earlier results,
 * @f[ c_n = \sum_{k=1}^{\min(n, N-1)} K_k\,u_{n-k}, \qquad n = 0, 1, 2, \dots \qquad (1) @f]
 * (The caller adds the term K_0 u_n, since u_n is not yet available.) The terms with short lags k are summed
 * directly. For longer lags, whenever 2^l inputs are complete, the contribution of these inputs to the next
 * 2^l results is added by a fast Fourier transform (Hairer, Lubich and Schlichte 1985; FFTW). Each input
 * takes O(log^2 n) operations, and the storage is O(N) for a run of any length.
 *
 * The caller stores the past inputs as a ConvolutionHistory, so that one kernel can be used in several runs.
 *
 * Shapes: K_k rows x columns, u_n columns, c_n rows.
 */
class OnlineConvolution {
 public:
  /// @param kernel K_0, K_1, ..., K_{N-1}, N at least 1
  /// @throws InvalidInput if the kernel is empty, or its matrices differ in shape or are not finite
  explicit OnlineConvolution(std::vector<MultiVector> kernel);
  ~OnlineConvolution();
  OnlineConvolution(OnlineConvolution&&) noexcept;
  OnlineConvolution& operator=(OnlineConvolution&&) noexcept;

  /// Returns a history without inputs.
  ConvolutionHistory start() const;
  /// Returns the result c_n, where n is the number of inputs in the history. Shape: one entry for each row of
  /// the kernel
  Vector next(const ConvolutionHistory& history) const;
  /// Appends the input u = u_n, where n is the number of inputs in the history. Shape: one entry for each
  /// column of the kernel
  void push(const Vector& u, ConvolutionHistory& history);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace halfdof::internal
