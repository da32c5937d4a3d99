// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/memory/online_convolution.h>

#include <fftw3.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

namespace halfdof::internal {

namespace {

/// Lags below this number are summed directly.
constexpr Index direct_lags = 64;

/// Fast Fourier transforms of several real sequences of equal length.
class Transform {
 public:
  Transform(Index length, Index n_sequences)
      : length_(length),
        n_(n_sequences),
        real_(fftw_alloc_real(n_real())),
        complex_(fftw_alloc_complex(n_complex())) {
    const int size = static_cast<int>(length_);
    const int spectrum = size / 2 + 1;
    forward_ = fftw_plan_many_dft_r2c(1, &size, static_cast<int>(n_), real_, nullptr, 1, size, complex_,
                                      nullptr, 1, spectrum, FFTW_ESTIMATE);
    backward_ = fftw_plan_many_dft_c2r(1, &size, static_cast<int>(n_), complex_, nullptr, 1, spectrum, real_,
                                       nullptr, 1, size, FFTW_ESTIMATE);
  }
  Transform(const Transform&) = delete;
  Transform& operator=(const Transform&) = delete;
  ~Transform() {
    fftw_destroy_plan(forward_);
    fftw_destroy_plan(backward_);
    fftw_free(real_);
    fftw_free(complex_);
  }

  Index spectrum() const { return length_ / 2 + 1; }

  /// Returns the spectra of the columns, which are padded by zeros. Shape: spectrum x n_sequences
  ComplexMultiVector forward(const MultiVector& sequences) {
    Eigen::Map<MultiVector> input(real_, length_, n_);
    input.setZero();
    input.topRows(sequences.rows()) = sequences;
    fftw_execute(forward_);
    return Eigen::Map<const ComplexMultiVector>(reinterpret_cast<const Complex*>(complex_), spectrum(), n_);
  }
  MultiVector backward(const ComplexMultiVector& spectra) {
    Eigen::Map<ComplexMultiVector>(reinterpret_cast<Complex*>(complex_), spectrum(), n_) = spectra;
    fftw_execute(backward_);
    return Eigen::Map<const MultiVector>(real_, length_, n_) / static_cast<double>(length_);
  }

 private:
  std::size_t n_real() const { return static_cast<std::size_t>(length_) * static_cast<std::size_t>(n_); }
  std::size_t n_complex() const {
    return static_cast<std::size_t>(spectrum()) * static_cast<std::size_t>(n_);
  }

  Index length_, n_;
  double* real_;
  fftw_complex* complex_;
  fftw_plan forward_, backward_;
};

/// Computes the contribution of the last 2^l inputs to the next 2^l results.
struct Level {
  Level(const std::vector<MultiVector>& kernel, Index block)
      : length(block),
        inputs(2 * block, static_cast<Index>(kernel.front().cols())),
        results(2 * block, static_cast<Index>(kernel.front().rows())) {
    const Eigen::Index rows = kernel.front().rows(), columns = kernel.front().cols();
    Transform entries(2 * block, static_cast<Index>(rows * columns));
    const auto n = std::min<Eigen::Index>(2 * block, static_cast<Eigen::Index>(kernel.size()));
    MultiVector sequences = MultiVector::Zero(n, rows * columns);
    // Short lags are omitted here, because next() adds them.
    for (Eigen::Index k = direct_lags; k < n; ++k)
      sequences.row(k) = kernel[static_cast<std::size_t>(k)].reshaped().transpose();
    spectrum = entries.forward(sequences);
  }

  Index length;
  Transform inputs, results;
  ComplexMultiVector spectrum;  ///< spectrum of the entries of the kernel, column by column
};

}  // namespace

struct OnlineConvolution::Implementation {
  Index rows, columns;
  Index n_kept;                     ///< number of inputs and results in the ring buffers
  std::vector<MultiVector> direct;  ///< K_k for short lags
  std::vector<std::unique_ptr<Level>> levels;

  Eigen::Index ring_row(std::int64_t i) const { return static_cast<Eigen::Index>(i % n_kept); }
  void add_block(Level& level, ConvolutionHistory& history) const;
  /// Checks the shape of a history. @throws InvalidInput unless start() returns histories of this shape
  void check(const ConvolutionHistory& history) const;
};

void OnlineConvolution::Implementation::check(const ConvolutionHistory& history) const {
  if (history.inputs.rows() != n_kept || history.inputs.cols() != columns ||
      history.results.rows() != n_kept || history.results.cols() != rows)
    throw InvalidInput(
        "The history of a convolution belongs to another convolution: its array of past inputs is " +
        std::to_string(history.inputs.rows()) + " x " + std::to_string(history.inputs.cols()) +
        ", but must be " + std::to_string(n_kept) + " x " + std::to_string(columns) +
        ". Give the history of a state that start() of this integrator has returned.");
}

OnlineConvolution::OnlineConvolution(std::vector<MultiVector> kernel)
    : implementation_(std::make_unique<Implementation>()) {
  if (kernel.empty())
    throw InvalidInput("The kernel of a convolution has no matrix. Give at least the matrix K_0.");
  for (const MultiVector& entry : kernel)
    if (entry.rows() != kernel.front().rows() || entry.cols() != kernel.front().cols() || entry.size() == 0 ||
        !entry.allFinite())
      throw InvalidInput(
          "One of the " + std::to_string(kernel.size()) +
          " matrices of the kernel of a convolution differs in shape from the first matrix, is empty, "
          "or is not finite. Give finite matrices of equal shape.");
  Implementation& own = *implementation_;
  own.rows = static_cast<Index>(kernel.front().rows());
  own.columns = static_cast<Index>(kernel.front().cols());
  const auto n = static_cast<Index>(kernel.size());
  Index block = direct_lags;
  for (; n > direct_lags; block *= 2) {
    own.levels.push_back(std::make_unique<Level>(kernel, block));
    if (block >= n) break;
  }
  own.n_kept = 2 * block;
  own.direct.assign(kernel.begin(), kernel.begin() + std::min(n, direct_lags));
}

OnlineConvolution::~OnlineConvolution() = default;
OnlineConvolution::OnlineConvolution(OnlineConvolution&&) noexcept = default;
OnlineConvolution& OnlineConvolution::operator=(OnlineConvolution&&) noexcept = default;

ConvolutionHistory OnlineConvolution::start() const {
  const Implementation& own = *implementation_;
  return {MultiVector::Zero(own.n_kept, own.columns), MultiVector::Zero(own.n_kept, own.rows)};
}

Vector OnlineConvolution::next(const ConvolutionHistory& history) const {
  const Implementation& own = *implementation_;
  own.check(history);
  Vector c = history.results.row(own.ring_row(history.n_inputs));
  const auto n_lags =
      std::min<std::int64_t>(history.n_inputs + 1, static_cast<std::int64_t>(own.direct.size()));
  for (std::int64_t k = 1; k < n_lags; ++k)
    c.noalias() += own.direct[static_cast<std::size_t>(k)] *
                   history.inputs.row(own.ring_row(history.n_inputs - k)).transpose();
  return c;
}

void OnlineConvolution::Implementation::add_block(Level& level, ConvolutionHistory& history) const {
  const Index length = level.length;
  MultiVector block(length, columns);
  for (Index i = 0; i < length; ++i)
    block.row(i) = history.inputs.row(ring_row(history.n_inputs - length + i));
  const ComplexMultiVector of_inputs = level.inputs.forward(block);
  ComplexMultiVector of_results = ComplexMultiVector::Zero(of_inputs.rows(), rows);
  for (Index j = 0; j < columns; ++j)
    for (Index i = 0; i < rows; ++i)
      of_results.col(i).array() += level.spectrum.col(i + j * rows).array() * of_inputs.col(j).array();
  const MultiVector all = level.results.backward(of_results);
  for (Index i = 0; i < length; ++i)
    history.results.row(ring_row(history.n_inputs + i)) += all.row(length + i);
}

void OnlineConvolution::push(const Vector& u, ConvolutionHistory& history) {
  const Implementation& own = *implementation_;
  if (u.size() != own.columns)
    throw InvalidInput("The input of a convolution has " + std::to_string(u.size()) +
                       " entries, but must have " + std::to_string(own.columns) + ".");
  own.check(history);
  history.results.row(own.ring_row(history.n_inputs)).setZero();
  history.inputs.row(own.ring_row(history.n_inputs)) = u;
  ++history.n_inputs;
  for (std::size_t l = own.levels.size(); l-- > 0;)
    if (history.n_inputs % own.levels[l]->length == 0) {
      own.add_block(*own.levels[l], history);
      return;
    }
}

}  // namespace halfdof::internal
