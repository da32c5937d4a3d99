#pragma once

#include <halfdof/base/types.h>

#include <memory>
#include <vector>

namespace halfdof {

/**
 * The convolution of a kernel that is known with inputs that come one after the other, each of which may
 * depend on what the ones before have made,
 * @f[ c_n = \sum_{k=1}^{\min(n, N-1)} K_k\,u_{n-k}, \qquad n = 0, 1, 2, \dots \qquad (1) @f]
 * (K_0 u_n, in which u_n is not known yet, is left to the caller.) Short lags are summed; behind them,
 * whenever 2^l inputs are complete, their part in the next 2^l results is added by a fast Fourier transform
 * (Hairer, Lubich and Schlichte 1985; FFTW): O(log^2 n) operations for each input and O(N) numbers of
 * storage, however long the run.
 *
 * Shapes: K_k rows x columns, u_n columns, c_n rows.
 */
class OnlineConvolution {
 public:
  /// @param kernel K_0, K_1, ..., K_{N-1}, N at least 1, of one shape. @throws InvalidInput if they are not,
  /// or not finite
  explicit OnlineConvolution(std::vector<MultiVector> kernel);
  ~OnlineConvolution();
  OnlineConvolution(OnlineConvolution&&) noexcept;
  OnlineConvolution& operator=(OnlineConvolution&&) noexcept;

  /// c_n for the n inputs so far. Shape: rows
  Vector next() const;
  /// u_n. Shape: columns
  void push(const Vector& u);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace halfdof
