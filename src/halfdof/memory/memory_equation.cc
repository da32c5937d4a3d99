// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/dense/dense_decompositions.h>
#include <halfdof/linear_algebra/dense/dense_eigenvalues.h>
#include <halfdof/linear_algebra/dense/dense_solves.h>
#include <halfdof/linear_algebra/ranks/dense_parts.h>
#include <halfdof/memory/block_exponential.h>
#include <halfdof/memory/memory_equation.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

namespace halfdof {

using namespace internal;

namespace {

/// A mode adds directions to the resolved motion if the part of its columns of V outside the directions of
/// other modes, relative to these columns, exceeds clear_new_part. If such modes do not span all motions of
/// the contacts, modes with more than smallest_new_part are added.
constexpr double clear_new_part = 1e-3, smallest_new_part = 1e-9;

/// Order of the blocks by their slowest eigenvalues, and for each block whether its slowest eigenvalue is
/// zero up to rounding, relative to the fastest eigenvalue of all blocks.
struct BlockRates {
  std::vector<Index> by_rate;
  std::vector<bool> is_zero;
};

BlockRates rates_of(const std::vector<MultiVector>& blocks) {
  std::vector<double> slowest;
  double fastest = 0;
  for (const MultiVector& block : blocks) {
    slowest.push_back(std::numeric_limits<double>::infinity());
    for (const Complex& value : eigenvalues(block)) {
      slowest.back() = std::min(slowest.back(), std::abs(value));
      fastest = std::max(fastest, std::abs(value));
    }
  }
  BlockRates rates;
  for (const double rate : slowest)
    rates.is_zero.push_back(rate <= 1e-14 * fastest);
  rates.by_rate.resize(blocks.size());
  std::iota(rates.by_rate.begin(), rates.by_rate.end(), 0);
  std::stable_sort(rates.by_rate.begin(), rates.by_rate.end(), [&](Index i, Index j) {
    return slowest[static_cast<std::size_t>(i)] < slowest[static_cast<std::size_t>(j)];
  });
  return rates;
}

/// Orthonormal basis of the motions of the contacts that some modes span.
class SpannedDirections {
 public:
  explicit SpannedDirections(Eigen::Index n) : basis_(n, 0) {}

  Eigen::Index rank() const { return basis_.cols(); }

  /// Extends the basis by the parts of the columns outside of its span that are larger than the threshold,
  /// relative to the size of the columns. @return whether the basis was extended
  bool add(const MultiVector& columns, double threshold) {
    const MultiVector outside = columns - basis_ * (basis_.transpose() * columns);
    const SingularValueDecomposition svd = singular_value_decomposition(outside);
    const auto n_new = (svd.values.array() > threshold * columns.norm()).count();
    basis_ = side_by_side({basis_, svd.U.leftCols(n_new)});
    return n_new > 0;
  }

 private:
  MultiVector basis_;
};

}  // namespace

std::vector<Index> MemoryEquation::choose_resolved_blocks() const {
  const BlockRates rates = rates_of(modes_.J);
  const std::vector<Index> first = modes_.first_coordinates();
  const auto columns = [&](Index block) -> MultiVector {
    const auto b = static_cast<std::size_t>(block);
    return V_.middleCols(first[b], first[b + 1] - first[b]);
  };
  std::vector<Index> chosen = resolved_;
  for (std::size_t b = 0; b < modes_.J.size(); ++b) {
    const auto block = static_cast<Index>(b);
    if (!rates.is_zero[b] || !columns(block).any()) continue;
    const bool is_chosen = std::find(chosen.begin(), chosen.end(), block) != chosen.end();
    if (!resolved_.empty() && !is_chosen)
      throw InvalidInput(
          "Mode " + std::to_string(block) +
          " has a zero eigenvalue, as rigid-body modes have, and moves the contacts, but is not among the "
          "resolved modes. Add this mode to the resolved modes, or leave the list of resolved modes empty.");
    if (!is_chosen) chosen.push_back(block);
  }
  if (!resolved_.empty()) return chosen;

  SpannedDirections spanned(V_.rows());
  for (const Index block : chosen)
    spanned.add(columns(block), smallest_new_part);
  for (const double threshold : {clear_new_part, smallest_new_part})
    for (const Index block : rates.by_rate) {
      if (spanned.rank() == V_.rows()) break;
      if (std::find(chosen.begin(), chosen.end(), block) != chosen.end() || !columns(block).any()) continue;
      if (spanned.add(columns(block), threshold)) chosen.push_back(block);
    }
  return chosen;
}

/// Computes W and A, and adds rows to V for coordinates of resolved modes beyond the motion of the contacts.
void MemoryEquation::compute_resolved_matrices(const std::vector<Index>& coordinates) {
  const MultiVector null_space = LeastSquares(V_(Eigen::all, coordinates), 1e-12).kernel();
  if (null_space.cols() > 0) {
    MultiVector extra = MultiVector::Zero(null_space.cols(), V_.cols());
    const std::vector<Index> independent = independent_rows(null_space);
    for (std::size_t i = 0; i < independent.size(); ++i)
      extra(static_cast<Eigen::Index>(i), coordinates[static_cast<std::size_t>(independent[i])]) = 1;
    V_ = stacked({V_, extra});
  }
  const MultiVector V_l = V_(Eigen::all, coordinates);
  const std::optional<MultiVector> inverse = V_l.rows() == V_l.cols() ? inverse_of(V_l) : std::nullopt;
  if (!inverse)
    throw InvalidInput("The " + std::to_string(resolved_.size()) + " resolved modes have " +
                       std::to_string(coordinates.size()) +
                       " coordinates, which do not span all displacements and rates of the " +
                       std::to_string(modes_.n_contacts()) +
                       " contacts. Choose modes in which the contacts move differently, or leave the list of "
                       "resolved modes empty; merge contacts that always move together.");
  right_inverse_ = MultiVector::Zero(V_.cols(), V_.rows());
  right_inverse_(coordinates, Eigen::all) = *inverse;
  A_ = modes_.rates_of(V_) * right_inverse_;
  // The first rows of A are known exactly: the derivatives of displacements are the rates.
  A_.topRows(modes_.n_contacts()).setZero();
  A_.block(0, modes_.n_contacts(), modes_.n_contacts(), modes_.n_contacts()).setIdentity();
}

MemoryEquation::MemoryEquation(ContactModes modes, std::vector<Index> resolved_blocks)
    : modes_(std::move(modes)), resolved_(std::move(resolved_blocks)) {
  check_contact_modes(modes_);
  for (const Index block : resolved_)
    if (block < 0 || block >= modes_.n_blocks())
      throw InvalidInput("Mode " + std::to_string(block) +
                         " is among the resolved modes, but the modes are numbered "
                         "from 0 to " +
                         std::to_string(modes_.n_blocks() - 1) + ". Correct the number.");
  const std::vector<Index> first = modes_.first_coordinates();
  V_ = stacked({modes_.C, modes_.rates_of(modes_.C)});
  resolved_ = choose_resolved_blocks();
  std::sort(resolved_.begin(), resolved_.end());
  resolved_.erase(std::unique(resolved_.begin(), resolved_.end()), resolved_.end());

  std::vector<Index> coordinates;
  for (const Index block : resolved_)
    for (Index x = first[static_cast<std::size_t>(block)]; x < first[static_cast<std::size_t>(block) + 1];
         ++x)
      coordinates.push_back(x);
  compute_resolved_matrices(coordinates);

  R_ = V_;
  for (Index block = 0; block < modes_.n_blocks(); ++block) {
    const auto b = static_cast<std::size_t>(block);
    const MultiVector& J = modes_.J[b];
    const auto of_block = V_.middleCols(first[b], J.rows());
    if (std::binary_search(resolved_.begin(), resolved_.end(), block) || !of_block.any()) continue;
    R_.middleCols(first[b], J.rows()) = solve_dense(J.transpose(), (A_ * of_block).transpose()).transpose();
  }
  R_.topRows(modes_.n_contacts()) = modes_.C;
  const auto limit = [this](const MultiVector& B) {
    MultiVector L = R_ * B - A_ * jump(B);
    L.topRows(modes_.n_contacts()).setZero();  // The first rows are C B - C B.
    return L;
  };
  L_inf_ = limit(modes_.B);
  L_inf_f_ = limit(modes_.B_f);
}

MultiVector MemoryEquation::jump(const MultiVector& B) const {
  MultiVector y = MultiVector::Zero(V_.rows(), B.cols());
  y.middleRows(modes_.n_contacts(), modes_.n_contacts()) = product_with_exact_zeros(modes_.C, B);
  return y;
}

MultiVector MemoryEquation::integral(int times, double tau, const MultiVector& B) const {
  MultiVector sum = MultiVector::Zero(V_.rows(), B.cols());
  const MultiVector N = kernel_output_matrix();
  Eigen::Index first = 0;
  for (const MultiVector& J : modes_.J) {
    const auto of_block = N.middleCols(first, J.rows());
    if (of_block.any()) {
      const BlockExponential exponential = block_exponential(J, tau);
      const MultiVector& factor = times == 0 ? exponential.E : times == 1 ? exponential.F_1 : exponential.F_2;
      sum += of_block * (factor * B.middleRows(first, J.rows()));
    }
    first += J.rows();
  }
  return sum;
}

MultiVector MemoryEquation::H(double tau) const {
  MultiVector of_rest = modes_.rates_of(V_) - A_ * V_;
  of_rest.topRows(modes_.n_contacts()).setZero();
  const std::vector<Index> first = modes_.first_coordinates();
  for (std::size_t b = 0; b < modes_.J.size(); ++b) {
    auto of_block = of_rest.middleCols(first[b], modes_.J[b].rows());
    if (std::binary_search(resolved_.begin(), resolved_.end(), static_cast<Index>(b)))
      of_block.setZero();
    else
      of_block = (of_block * block_exponential(modes_.J[b], tau).E).eval();
  }
  return of_rest;
}

}  // namespace halfdof
