// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/parameters/mode_sample.h>
#include <halfdof/reduction/unreduced_system.h>
#include <halfdof/spectrum/assignment.h>
#include <halfdof/spectrum/nearest_eigenvalues.h>

#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace halfdof::internal {

namespace {

/// Eigenvalues nearer to each other than this part of their modulus are equal.
constexpr double equal = 1e-9;

/// Eigenpairs of the upper half plane, nearest first.
struct UpperPairs {
  std::vector<Complex> values;
  std::vector<double> errors;
  std::vector<bool> is_asked;
  ComplexMultiVector shapes;
  double backward_error = 0;
};

double zero_or(double number) {
  return std::isnan(number) ? 0. : number;
}

UpperPairs upper_pairs(const ReducedSystem<EigenEngine>& reduced, Index k, const BranchOptions& options) {
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
    const double error = std::max(residual.assembled, residual.backward);
    if (is_asked && (residual.is_empty || !std::isfinite(error)))
      pairs.backward_error = std::numeric_limits<double>::infinity();
    else if (is_asked)
      pairs.backward_error = std::max(pairs.backward_error, error);
    columns.push_back(static_cast<Index>(j));
    pairs.values.push_back(value);
    pairs.errors.push_back(residual.error());
    pairs.is_asked.push_back(is_asked);
  }
  pairs.shapes = nearest.shapes(Eigen::all, columns);
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

EigenMatrix transposed(const EigenMatrix& A) {
  return EigenMatrix(EigenMatrix::Storage(A.entries().transpose()));
}

bool is_symmetric(const AssembledSystem<EigenEngine>& system) {
  return system.M().is_symmetric() && system.C().is_symmetric() && system.K().is_symmetric();
}

UpperPairs transposed_pairs(const AssembledSystem<EigenEngine>& system, Index k,
                            const BranchOptions& options) {
  SystemDescription<EigenEngine> description;
  description.mass = transposed(system.M());
  description.damping = transposed(system.C());
  description.stiffness = transposed(system.K());
  description.constrained = system.constrained().local();
  return upper_pairs(reduce(AssembledSystem<EigenEngine>(std::move(description))), k, options);
}

/// Returns for each eigenvalue the position of the one in another list that is the same; -1 if there is none.
std::vector<Index> same_values(const UpperPairs& pairs, const UpperPairs& others) {
  constexpr double same = 1e-4;
  const auto n = static_cast<Index>(pairs.values.size()), n_others = static_cast<Index>(others.values.size());
  MultiVector cost = MultiVector::Constant(n + n_others, n, 2.);
  const auto difference = [&](Index i, Index j) {
    const Complex a = pairs.values[static_cast<std::size_t>(j)],
                  b = others.values[static_cast<std::size_t>(i)];
    const double scale = std::max(std::abs(a), std::abs(b));
    return scale > 0 ? std::abs(a - b) / scale : 0.;
  };
  for (Index i = 0; i < n_others; ++i)
    for (Index j = 0; j < n; ++j)
      cost(i, j) = difference(i, j);
  std::vector<Index> places = cheapest_assignment(cost);
  for (Index j = 0; j < n; ++j) {
    Index& place = places[static_cast<std::size_t>(j)];
    if (place >= n_others) {
      place = -1;
      continue;
    }
    const double error = zero_or(pairs.errors[static_cast<std::size_t>(j)]);
    const Complex value = pairs.values[static_cast<std::size_t>(j)];
    if (difference(place, j) > same &&
        std::abs(value - others.values[static_cast<std::size_t>(place)]) > error)
      place = -1;
  }
  return places;
}

/// Returns a number for each eigenvalue that equal ones have in common.
std::vector<Index> clusters(const std::vector<Complex>& values, const std::vector<double>& errors) {
  std::vector<Index> numbers(values.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const double distance = std::abs(values[i] - values[j]);
      if (distance > equal * std::abs(values[i]) + zero_or(errors[i]) + zero_or(errors[j])) continue;
      const Index from = numbers[i], to = numbers[j];
      std::replace(numbers.begin(), numbers.end(), from, to);
    }
  return numbers;
}

/// Scales the left vectors of each cluster such that W^T E U = I on it, or marks them as not known.
void make_dual(ModeSample& sample) {
  constexpr double singular = 1e-13;
  const ComplexMultiVector EU = times_E(sample.system, sample.right);
  for (Index number = 0; number < sample.size(); ++number) {
    std::vector<Index> members;
    bool is_known = true;
    for (Index j = 0; j < sample.size(); ++j)
      if (sample.cluster[static_cast<std::size_t>(j)] == number) {
        members.push_back(j);
        is_known = is_known && sample.has_left[static_cast<std::size_t>(j)];
      }
    if (members.empty()) continue;
    const ComplexMultiVector W = sample.left(Eigen::all, members), V = EU(Eigen::all, members);
    const ComplexMultiVector B = W.transpose() * V;
    const Eigen::FullPivLU<ComplexMultiVector> lu(B);
    const double scale = W.norm() * V.norm();
    is_known = is_known && B.allFinite() && lu.maxPivot() > singular * scale &&
               std::abs(lu.matrixLU()(B.rows() - 1, B.cols() - 1)) > singular * scale;
    for (const Index j : members)
      sample.has_left[static_cast<std::size_t>(j)] = is_known;
    if (is_known) sample.left(Eigen::all, members) = W * lu.inverse().transpose();
  }
}

void set_left_vectors(ModeSample& sample, const UpperPairs& pairs, Index k, const BranchOptions& options) {
  sample.left = ComplexMultiVector::Zero(sample.right.rows(), sample.right.cols());
  sample.has_left.assign(pairs.values.size(), false);
  if (is_symmetric(sample.system)) {
    sample.left = sample.right;
    sample.has_left.assign(pairs.values.size(), true);
  } else {
    try {
      constexpr Index n_beyond = 4;
      const UpperPairs others = transposed_pairs(sample.system, k + n_beyond, options);
      const ComplexMultiVector W = doubled(others.shapes, others.values);
      const std::vector<Index> places = same_values(pairs, others);
      for (Index j = 0; j < sample.size(); ++j)
        if (const Index place = places[static_cast<std::size_t>(j)]; place >= 0) {
          sample.left.col(j) = W.col(place);
          sample.has_left[static_cast<std::size_t>(j)] = true;
        }
    } catch (const Error& error) {
      sample.reason_without_left = error.what();
    }
  }
  make_dual(sample);
}

}  // namespace

ComplexMultiVector times_E(const AssembledSystem<EigenEngine>& system, const ComplexMultiVector& V) {
  const Eigen::Index n = V.rows() / 2;
  ComplexMultiVector product = ComplexMultiVector::Zero(V.rows(), V.cols());
  ComplexMultiVector top = ComplexMultiVector::Zero(n, V.cols()), bottom = top;
  system.C().add_product(Complex(1), V.topRows(n), top);
  system.M().add_product(Complex(1), V.bottomRows(n), top);
  system.M().add_product(Complex(1), V.topRows(n), bottom);
  product << top, bottom;
  return product;
}

ModeSample mode_sample(double value, const ReducedSystem<EigenEngine>& reduced,
                       const BranchOptions& options) {
  const auto n_states = static_cast<Index>(reduced.n_states());
  const Index k = std::min(n_states, options.count + std::max(4, options.count / 4));
  const UpperPairs pairs = upper_pairs(reduced, k, options);
  std::vector<Index> order(pairs.values.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](Index i, Index j) {
    return std::abs(pairs.values[static_cast<std::size_t>(i)]) <
           std::abs(pairs.values[static_cast<std::size_t>(j)]);
  });
  UpperPairs sorted;
  for (const Index place : order) {
    const auto i = static_cast<std::size_t>(place);
    sorted.values.push_back(pairs.values[i]);
    sorted.errors.push_back(pairs.errors[i]);
    sorted.is_asked.push_back(pairs.is_asked[i]);
  }
  sorted.shapes = pairs.shapes(Eigen::all, order);
  ModeSample sample{value,
                    reduced.assembled(),
                    classify_dofs(reduced.unreduced().system()).kinds(),
                    sorted.values,
                    sorted.errors,
                    sorted.is_asked,
                    doubled(sorted.shapes, sorted.values),
                    {},
                    {},
                    clusters(sorted.values, sorted.errors)};
  sample.twins.resize(sorted.values.size());
  std::iota(sample.twins.begin(), sample.twins.end(), 0);
  sample.backward_error = pairs.backward_error;
  set_left_vectors(sample, sorted, k, options);
  return sample;
}

}  // namespace halfdof::internal
