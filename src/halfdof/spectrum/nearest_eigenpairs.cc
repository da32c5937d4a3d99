// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/linear_algebra/kernels/tall_blocks.h>
#include <halfdof/linear_algebra/krylov/invariant_subspace.h>
#include <halfdof/spectrum/conjugate_pairs.h>
#include <halfdof/spectrum/dense_spectrum.h>
#include <halfdof/spectrum/nearest_eigenpairs.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <type_traits>

namespace halfdof::internal {

namespace {

/// Tolerance of Schur vectors of R. With R q = theta q + r, the vector y = R q has ||(A - lambda) y|| /
/// (|lambda| ||y||) of about ||r|| / |theta| times |sigma - lambda| / |lambda|; this is a hundredth of the
/// residual for which polish.h makes a factorization.
constexpr double subspace_tolerance = 1e-11;

/// Returns the middle of those values that have not converged and are near the first of them, in the upper
/// half plane. A search about this point resolves them.
Complex center_of_crowd(const std::vector<Complex>& values, const Vector& residuals, Complex sigma) {
  constexpr double about = 0.1;
  Complex first = 0, sum = 0;
  int n = 0;
  for (std::size_t j = 0; j < values.size(); ++j) {
    if (residuals[static_cast<Index>(j)] <= subspace_tolerance) continue;
    const Complex value(values[j].real(), std::abs(values[j].imag()));
    if (n == 0) first = value;
    if (std::abs(value - first) > about * std::abs(first - sigma)) continue;
    sum += value;
    ++n;
  }
  return n > 0 ? sum / static_cast<double>(n) : sigma;
}

[[noreturn]] void refuse(const StalledIteration& iteration, Complex sigma) {
  std::vector<Complex> values;
  double reach = 0;
  for (Index j = 0; j < iteration.values().size(); ++j) {
    values.push_back(sigma - 1. / iteration.values()[j]);
    if (iteration.residuals()[j] <= subspace_tolerance)
      reach = std::max(reach, std::abs(values.back() - sigma));
  }
  const Complex better = center_of_crowd(values, iteration.residuals(), sigma);
  const Index n_left = static_cast<Index>(values.size()) - iteration.n_converged();
  std::string message = "Of the " + std::to_string(values.size()) + " eigenvalues nearest to the shift, " +
                        std::to_string(iteration.n_converged()) + " have converged";
  if (reach > 0) message += ", as far as " + number_text(reach) + " 1/s from it";
  message += ". The largest relative residual of the other " + std::to_string(n_left) + " is " +
             number_text(iteration.residual()) +
             ": they crowd at nearly the same distance from the shift, about " + number_text(better.real()) +
             (better.imag() == 0 ? "" : " +- " + number_text(better.imag()) + "i") +
             " 1/s. Take a shift there, or ask for another number.";
  throw StalledSearch(message, iteration.residual(), better, iteration.n_converged());
}

/// Number of states up to which the inverse is formed as a dense matrix, all of whose eigenvalues are
/// computed; this takes half a second.
constexpr GlobalIndex dense_inverse_up_to = 300;

/// Enlarges the Krylov basis until the iteration converges: many eigenvalues at nearly the same distance need
/// a larger basis, not more restarts.
template <class Scalar>
InvariantSubspace<Scalar> with_basis_large_enough(const ShiftInverse<Scalar>& inverse,
                                                  SubspaceOptions options) {
  constexpr int n_enlargements = 2;
  options.max_restarts = 50;
  options.tolerance = subspace_tolerance;
  options.n_basis = options.n_eigenvalues + std::max(2 * options.n_eigenvalues, 40);
  if (const GlobalIndex n = inverse.partition.n_global(); n <= dense_inverse_up_to)
    options.n_basis = std::max(options.n_basis, static_cast<Index>(n));
  for (int enlarged = 0;; ++enlarged) {
    try {
      return dominant_subspace(inverse.apply, inverse.partition, options);
    } catch (const StalledIteration& iteration) {
      if (enlarged == n_enlargements) refuse(iteration, inverse.sigma);
    }
    options.n_basis *= 2;
  }
}

/// Returns X W. Shapes: X local rows x m, W m x k.
ComplexMultiVector combined(const MultiVector& X, const ComplexMultiVector& W) {
  ComplexMultiVector result(X.rows(), W.cols());
  result.real() = tall_combination<double>(X, MultiVector(W.real()));
  result.imag() = tall_combination<double>(X, MultiVector(W.imag()));
  return result;
}

ComplexMultiVector combined(const ComplexMultiVector& X, const ComplexMultiVector& W) {
  return tall_combination<Complex>(X, W);
}

/// Returns the positions of the k values nearest to the shift.
std::vector<Index> nearest(const std::vector<Complex>& values, Complex sigma, Index k) {
  std::vector<Index> positions(values.size());
  std::iota(positions.begin(), positions.end(), 0);
  const auto distance = [&](Index i) { return std::abs(values[static_cast<std::size_t>(i)] - sigma); };
  std::stable_sort(positions.begin(), positions.end(),
                   [&](Index i, Index j) { return distance(i) < distance(j); });
  positions.resize(std::min(positions.size(), static_cast<std::size_t>(k)));
  return positions;
}

/// Returns the imaginary part up to which an eigenvalue counts as real, which is also the distance up to
/// which another eigenvalue counts as its conjugate.
double partner_tolerance(Complex value, Complex sigma) {
  return 1e-10 * std::max(std::abs(value), std::abs(value - sigma));
}

/// Removes the second one of two neighbours that are exact conjugates, as a real matrix at a real shift has
/// them. Copies of a real eigenvalue that rounding splits into conjugates are kept.
std::vector<Index> without_second_partners(const std::vector<Complex>& values,
                                           const std::vector<Index>& positions, Complex sigma) {
  std::vector<Index> left;
  bool follows = false;
  for (std::size_t p = 0; p < positions.size(); ++p) {
    const auto value = [&](std::size_t at) { return values[static_cast<std::size_t>(positions[at])]; };
    follows = p > 0 && !follows && std::abs(value(p).imag()) > partner_tolerance(value(p), sigma) &&
              value(p) == std::conj(value(p - 1));
    if (!follows) left.push_back(positions[p]);
  }
  return left;
}

/// A vector multiplied by the phase that makes it as real as possible: its real part, and the rest (imaginary
/// part).
struct RealAndRest {
  Vector real, rest;
};

RealAndRest turned_real(const Communicator& communicator, const ComplexVector& y) {
  Complex square = (y.array() * y.array()).sum();
  communicator.sum(reinterpret_cast<double*>(&square), 2);
  const Complex phase = square == 0. ? 1. : std::sqrt(std::abs(square) / square);
  return {(phase * y).real(), (phase * y).imag()};
}

/// Returns a real vector of a real eigenvalue. If rounding split two copies into conjugates, the real and the
/// imaginary part are both such vectors: the second copy gets the rest, if it is more than rounding errors.
ComplexVector made_real(const Communicator& communicator, const ComplexVector& y, bool is_second) {
  constexpr double rounding = 1e-6;
  const RealAndRest parts = turned_real(communicator, y);
  const double size = norm(communicator, MultiVector(parts.real)),
               rest = norm(communicator, MultiVector(parts.rest));
  return (is_second && rest > rounding * size ? parts.rest : parts.real).cast<Complex>();
}

/// Returns the values with their vectors, closed under conjugation.
Eigenpairs with_partners(const Communicator& communicator, Complex sigma, const Eigenpairs& pairs) {
  std::vector<double> tolerances;
  for (const Complex& value : pairs.values)
    tolerances.push_back(partner_tolerance(value, sigma));
  const std::vector<ConjugateEntry> entries = with_conjugate_partners(pairs.values, tolerances);

  const auto is_second = [&](Index source) {
    const auto at = static_cast<std::size_t>(source);
    return at > 0 && pairs.values[at].imag() < 0 && pairs.values[at] == std::conj(pairs.values[at - 1]);
  };
  Eigenpairs closed{
      {}, ComplexMultiVector(pairs.vectors.rows(), static_cast<Index>(entries.size())), pairs.is_complete};
  for (const ConjugateEntry& entry : entries) {
    const ComplexVector y = pairs.vectors.col(entry.source);
    const auto column = static_cast<Index>(closed.values.size());
    if (entry.real)
      closed.vectors.col(column) = made_real(communicator, y, is_second(entry.source));
    else if (entry.conjugated)
      closed.vectors.col(column) = y.conjugate();
    else
      closed.vectors.col(column) = y;
    closed.values.push_back(entry.value);
  }
  return closed;
}

}  // namespace

template <class Scalar>
Eigenpairs nearest_eigenpairs(const ShiftInverse<Scalar>& inverse, Index k, const Rounded& rounded) {
  const Communicator& communicator = inverse.partition.communicator();
  if (inverse.n_finite == 0) return {{}, ComplexMultiVector(inverse.partition.n_local(), 0)};

  SubspaceOptions options;
  options.n_eigenvalues = static_cast<Index>(std::min<GlobalIndex>(k, inverse.n_finite));
  options.n_start_steps = inverse.n_infinite_steps;
  const InvariantSubspace<Scalar> dominant = with_basis_large_enough(inverse, options);
  DenseEigenpairs pairs = eigenpairs(dominant.T);
  for (Complex& value : pairs.values)
    value = inverse.sigma - 1. / value;

  const std::vector<Index> chosen =
      without_second_partners(pairs.values, nearest(pairs.values, inverse.sigma, k), inverse.sigma);
  Eigenpairs found;
  found.is_complete = dominant.is_complete;
  for (const Index i : chosen)
    found.values.push_back(pairs.values[static_cast<std::size_t>(i)]);
  // R Q W instead of Q W: one more application of R damps the errors that A would amplify.
  found.vectors = combined(inverse.apply(dominant.Q), ComplexMultiVector(pairs.vectors(Eigen::all, chosen)));
  if (inverse.units.size() > 0) found.vectors = (inverse.units.asDiagonal() * found.vectors).eval();
  // Zeros of a real operator at a real shift are real already, or conjugates of each other.
  if (std::is_same_v<Scalar, Complex> && rounded) {
    const std::vector<Complex> values = rounded(found.values, found.vectors);
    for (std::size_t j = 0; j < values.size(); ++j)
      if (values[j] == 0.) found.values[j] = found.values[j].real();
  }
  return with_partners(communicator, inverse.sigma, found);
}

template Eigenpairs nearest_eigenpairs(const ShiftInverse<double>&, Index, const Rounded&);
template Eigenpairs nearest_eigenpairs(const ShiftInverse<Complex>&, Index, const Rounded&);

}  // namespace halfdof::internal
