// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/parameters/mode_sample.h>
#include <halfdof/spectrum/left_vectors.h>
#include <halfdof/spectrum/nearest_eigenvalues.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace halfdof::internal {

namespace {

/// Returns the pairs of a real system, nearest first.
UpperPairs upper_pairs(const ReducedSystem<EigenEngine>& reduced, const BranchOptions& options) {
  const auto n_states = static_cast<Index>(reduced.n_states());
  const Index k = std::min(n_states, options.count + std::max(4, options.count / 4));
  const NearestEigenvalues nearest = nearest_eigenvalues(reduced, k, options.shift);
  UpperPairs pairs;
  std::vector<Index> columns;
  for (std::size_t j = 0; j < nearest.eigenvalues.size(); ++j) {
    const Complex value = nearest.eigenvalues[j];
    const EigenpairResidual& residual = nearest.residuals[j];
    if (value.imag() < 0) continue;
    // The nearer value of a pair comes first; its conjugate belongs to it.
    const bool follows = j > 0 && value.imag() > 0 && nearest.eigenvalues[j - 1] == std::conj(value);
    const bool is_asked = static_cast<Index>(j) - (follows ? 1 : 0) < options.count;
    if (is_asked) pairs.backward_error = std::max(pairs.backward_error, backward_error_of(residual));
    columns.push_back(static_cast<Index>(j));
    pairs.values.push_back(value);
    pairs.errors.push_back(residual.error());
    pairs.is_asked.push_back(is_asked);
  }
  pairs.shapes = nearest.shapes(Eigen::all, columns);
  pairs.left_shapes = ComplexMultiVector::Zero(pairs.shapes.rows(), pairs.shapes.cols());
  pairs.has_left.assign(columns.size(), false);
  try {
    const LeftVectors left = left_vectors(reduced, nearest);
    pairs.left_shapes = on_assembled_dofs(reduced, left.p(Eigen::all, columns));
    for (std::size_t j = 0; j < columns.size(); ++j)
      pairs.has_left[j] = left.known[static_cast<std::size_t>(columns[j])];
  } catch (const Error& error) {
    pairs.reason_without_left = error.what();
  }
  return pairs;
}

/// Returns (x; lambda x). Shapes: x n x k, result 2 n x k.
ComplexMultiVector doubled(const ComplexMultiVector& x, const std::vector<Complex>& values) {
  ComplexMultiVector u(2 * x.rows(), x.cols());
  u.topRows(x.rows()) = x;
  for (Eigen::Index j = 0; j < x.cols(); ++j)
    u.col(j).tail(x.rows()) = values[static_cast<std::size_t>(j)] * x.col(j);
  return u;
}

/// Returns a number for each eigenvalue that those in common have which cannot be told apart: their distance
/// is at most the sum of their errors. Errors that are not known count as zero.
std::vector<Index> clusters(const std::vector<Complex>& values, const std::vector<double>& errors) {
  std::vector<Index> numbers(values.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      if (std::abs(values[i] - values[j]) > zero_or(errors[i]) + zero_or(errors[j])) continue;
      const Index from = numbers[i], to = numbers[j];
      std::replace(numbers.begin(), numbers.end(), from, to);
    }
  return numbers;
}

/// Scales left vectors such that w^T E u = 1, which they satisfy up to a factor.
void scale_left_vectors(ModeSample& sample) {
  const ComplexMultiVector EU = times_E(sample.system, sample.right);
  for (Index j = 0; j < sample.size(); ++j) {
    const Complex factor = 1. / (sample.left.col(j).transpose() * EU.col(j)).value();
    const bool is_known = sample.has_left[static_cast<std::size_t>(j)] && std::isfinite(std::abs(factor));
    sample.has_left[static_cast<std::size_t>(j)] = is_known;
    if (is_known) sample.left.col(j) *= factor;
  }
}

/// Adds pairs to a sample, sorted by modulus, and scales their vectors.
ModeSample with_pairs(ModeSample sample, const UpperPairs& pairs) {
  std::vector<Index> order(pairs.values.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](Index i, Index j) {
    return std::abs(pairs.values[static_cast<std::size_t>(i)]) <
           std::abs(pairs.values[static_cast<std::size_t>(j)]);
  });
  for (const Index place : order) {
    const auto i = static_cast<std::size_t>(place);
    sample.eigenvalues.push_back(pairs.values[i]);
    sample.errors.push_back(pairs.errors[i]);
    sample.is_asked.push_back(pairs.is_asked[i]);
    sample.has_left.push_back(pairs.has_left[i]);
  }
  sample.right = doubled(pairs.shapes(Eigen::all, order), sample.eigenvalues);
  sample.left = doubled(pairs.left_shapes(Eigen::all, order), sample.eigenvalues);
  scale_left_vectors(sample);
  sample.cluster = clusters(sample.eigenvalues, sample.errors);
  sample.twins.resize(order.size());
  std::iota(sample.twins.begin(), sample.twins.end(), 0);
  sample.backward_error = pairs.backward_error;
  sample.reason_without_left = pairs.reason_without_left;
  return sample;
}

}  // namespace

double backward_error_of(const EigenpairResidual& residual) {
  const double error = std::max(residual.assembled, residual.backward);
  return residual.is_empty || !std::isfinite(error) ? std::numeric_limits<double>::infinity() : error;
}

ComplexMultiVector on_assembled_dofs(const ReducedSystem<EigenEngine>& reduced, const ComplexMultiVector& p) {
  const auto n = static_cast<Eigen::Index>(reduced.assembled().n_dofs());
  MultiVector re = MultiVector::Zero(n, p.cols()), im = re;
  reduced.free().add_weights_to(MultiVector(p.real()), re);
  reduced.free().add_weights_to(MultiVector(p.imag()), im);
  return re.cast<Complex>() + Complex(0, 1) * im.cast<Complex>();
}

ComplexMultiVector times_E(const AssembledSystem<EigenEngine>& system, const ComplexMultiVector& V) {
  const Eigen::Index n = V.rows() / 2;
  ComplexMultiVector product = ComplexMultiVector::Zero(V.rows(), V.cols());
  ComplexMultiVector top = ComplexMultiVector::Zero(n, V.cols()), bottom = top;
  system.C().add_product(Complex(1), V.topRows(n), top);
  system.M().add_product(Complex(1), V.bottomRows(n), top);
  system.M().add_product(Complex(1), V.topRows(n), bottom);
  product.topRows(n) = top;
  product.bottomRows(n) = bottom;
  return product;
}

ModeSample mode_sample(double value, const ReducedSystem<EigenEngine>& reduced,
                       const BranchOptions& options) {
  return with_pairs({value, reduced.assembled(), reduced.assembled(), reduced.classification().kinds()},
                    upper_pairs(reduced, options));
}

ModeSample mode_sample(double value, const ReducedStructuralSystem& reduced, const BranchOptions& options) {
  // Those of the imaginary parts are the same.
  std::vector<DoFKind> kinds = reduced.of_embedding.classification().kinds();
  kinds.resize(static_cast<std::size_t>(reduced.system.n_dofs()));
  return with_pairs({value, reduced.system.embedding(), reduced.system.real_part(), std::move(kinds)},
                    structural_pairs(reduced, options));
}

}  // namespace halfdof::internal
