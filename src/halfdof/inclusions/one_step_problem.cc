// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/inclusions/delassus.h>
#include <halfdof/inclusions/law_checks.h>
#include <halfdof/inclusions/one_step_problem.h>

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

namespace halfdof {

using namespace internal;
namespace {

/// Number of columns of W up to which the dense matrix W fits into the cache of a processor.
constexpr Index largest_in_cache = 1000;

/// A pivot up to this size of the Delassus matrix W, scaled to a unit diagonal, counts as zero.
constexpr double zero_pivot_of_W = 1e-12;

/// Returns the Euclidean norm. For a single entry the absolute value is faster than a square root.
template <class Derived>
double length(const Eigen::MatrixBase<Derived>& x) {
  return x.size() == 1 ? std::abs(x[0]) : x.norm();
}

std::vector<LocalMatrix> diagonal_blocks(const std::vector<NamedLaw>& laws, const MultiVector& W) {
  Index n_columns = 0;
  for (const NamedLaw& named : laws)
    n_columns += named.law->dimension();
  if (W.rows() != n_columns || W.cols() != n_columns || !W.allFinite()) {
    std::ostringstream message;
    message << "The Delassus matrix of " << laws.size() << " inclusions must be " << n_columns << " x "
            << n_columns << " with finite entries, because the laws of these inclusions have " << n_columns
            << " directions in total. The given matrix is " << W.rows() << " x " << W.cols()
            << (W.allFinite() ? "." : " and contains NaN or infinity.");
    throw InvalidInput(message.str());
  }
  std::vector<LocalMatrix> blocks;
  Index first = 0;
  for (const NamedLaw& named : laws) {
    const Index d = named.law->dimension();
    blocks.emplace_back(W.block(first, first, d, d));
    first += d;
  }
  return blocks;
}

void check_block(const NamedLaw& named, const LocalMatrix& block) {
  const Index d = named.law->dimension();
  if (block.rows() == d && block.cols() == d && block.allFinite()) {
    const Eigen::LDLT<LocalMatrix> factor((0.5 * (block + block.transpose())).eval());
    // The pivots of the L D L^T factorization must be positive by more than rounding errors.
    const LocalVector pivots = factor.vectorD();
    if (factor.info() == Eigen::Success && pivots.minCoeff() > 1e-15 * block.diagonal().minCoeff()) return;
  }
  std::ostringstream message;
  message
      << "The diagonal block of the Delassus matrix for inclusion \"" << named.name << "\" ("
      << named.law->name() << ") is\n"
      << block << "\nThe block must be " << d << " x " << d
      << " with a positive definite symmetric part. If the block is zero, no DoF on which the inclusion acts "
         "can move: remove the inclusion and compute its reaction from the balance of forces afterwards.";
  throw InvalidInput(message.str());
}

}  // namespace

LawParameters parameters_of(const NamedLaw& named, double time, ContactState before) {
  try {
    return named.law->parameters(time, before);
  } catch (const InvalidInput& error) {
    throw InvalidInput("Inclusion \"" + named.name + "\": " + error.what());
  }
}

// All laws are checked together, because the rates of several inclusions may jump jointly even if the rate of
// each inclusion alone could not jump.
void check_single_valued(const std::vector<NamedLaw>& laws, const MultiVector& W) {
  Vector l = Vector::Zero(W.rows());
  Index first = 0;
  std::string names;
  for (const NamedLaw& named : laws) {
    const double steepest = named.law->one_sided_lipschitz_constant();
    if (steepest > 0 && std::isfinite(steepest)) {
      l.segment(first, named.law->dimension()).setConstant(steepest);
      names += (names.empty() ? "\"" : ", \"") + named.name + "\"";
    }
    first += named.law->dimension();
  }
  const double largest_eigenvalue = joint_weakening(W, l);
  if (largest_eigenvalue < 1) return;
  std::ostringstream message;
  message << "The friction force of " << names
          << " decreases with the slip rate so steeply that the rates would jump within the time step: the "
             "largest eigenvalue of sqrt(l_i l_j) W(i, j), with l_i the steepest decrease of the force of "
             "inclusion i and W the Delassus matrix of the step, is "
          << largest_eigenvalue
          << ", but must be below one. If the inclusions act on mass, W grows with the time step: multiply "
             "the time step by less than "
          << 1 / largest_eigenvalue
          << ". Otherwise add mass, or reduce the slope with which the friction decreases.";
  throw NotAvailable(message.str());
}

OneStepProblem::OneStepProblem(std::vector<NamedLaw>&& laws, std::vector<LocalMatrix> blocks)
    : laws_(std::move(laws)), first_{0}, blocks_(std::move(blocks)) {
  if (laws_.size() != blocks_.size()) {
    throw InvalidInput(
        "The problem of a time step has " + std::to_string(laws_.size()) + " inclusions, but " +
        std::to_string(blocks_.size()) +
        " diagonal blocks of its Delassus matrix were given. Give one block for each inclusion.");
  }
  for (std::size_t i = 0; i < laws_.size(); ++i) {
    check_block(laws_[i], blocks_[i]);
    intervals_.push_back(dynamic_cast<const IntervalLaw*>(laws_[i].law.get()));
    has_only_intervals_ = has_only_intervals_ && intervals_.back();
    may_reconsider_ = may_reconsider_ || laws_[i].law->may_reconsider();
    first_.push_back(first_.back() + laws_[i].law->dimension());
    rho_.push_back(static_cast<double>(blocks_[i].rows()) / blocks_[i].trace());
  }
  n_columns_ = first_.back();
  magnitude_.setZero(n_columns_);
}

OneStepProblem::OneStepProblem(std::vector<NamedLaw> laws, const MultiVector& W)
    : OneStepProblem(std::move(laws), diagonal_blocks(laws, W)) {
  W_ = W;
  const Vector root_of_diagonal = W.diagonal().cwiseAbs().cwiseSqrt();
  const MultiVector skew = W - W.transpose();
  is_symmetric_ =
      (skew.cwiseAbs().array() <= 1e-13 * (root_of_diagonal * root_of_diagonal.transpose()).array()).all();
  if (is_symmetric_) W_ = 0.5 * (W + W.transpose());
  find_sparsity();
  if (is_sparse() || n_columns_ <= largest_in_cache) return;
  single_.resize(n_columns_, n_columns_);
  for (Index i = 0; i < n_inclusions(); ++i)
    for (Index column = first_column(i); column < first_column(i) + dimension(i); ++column)
      single_.col(column) = (rho(i) * W_.col(column)).cast<float>();
}

OneStepProblem::OneStepProblem(std::vector<NamedLaw> laws, Operator W,
                               std::vector<LocalMatrix> diagonal_blocks,
                               std::shared_ptr<PrincipalSolver> principal)
    : OneStepProblem(std::move(laws), std::move(diagonal_blocks)) {
  operator_ = std::move(W);
  principal_ = std::move(principal);
  if (!operator_)
    throw InvalidInput(
        "The function that applies the Delassus matrix of a time step is empty. Give a function that "
        "computes W r.");
}

// The sum of all omitted entries of a row is less than a rounding error of the diagonal entry of the row.
void OneStepProblem::find_sparsity() {
  const Vector root_of_diagonal = W_.diagonal().cwiseAbs().cwiseSqrt();
  const double negligible = 1e-17 / std::max<double>(1, static_cast<double>(n_columns_));
  const auto counts = [&](Index row, Index column) {
    return std::abs(W_(row, column)) > negligible * root_of_diagonal[row] * root_of_diagonal[column];
  };
  Eigen::Index n_entries = 0;
  for (Index column = 0; column < n_columns_; ++column)
    for (Index row = 0; row < n_columns_; ++row)
      n_entries += counts(row, column);
  if (3 * n_entries >= W_.size()) return;
  sparse_.emplace(n_columns_, n_columns_);
  sparse_->reserve(n_entries);
  for (Index column = 0; column < n_columns_; ++column) {
    sparse_->startVec(column);
    for (Index row = 0; row < n_columns_; ++row)
      if (counts(row, column)) sparse_->insertBack(row, column) = W_(row, column);
  }
  sparse_->finalize();
}

// In single precision, the columns rho_i W(:, i) are multiplied by the change divided by its norm, so that no
// unit system leads to overflow.
void OneStepProblem::add_response_to_change(Index inclusion, LocalConstView change, Vector& w) const {
  const Index first = first_column(inclusion), d = dimension(inclusion);
  if (single_.size() > 0) {
    const double size = change.norm(), scale = size / rho(inclusion);
    const Eigen::Matrix<float, Eigen::Dynamic, 1, 0, 3, 1> part = (change / size).cast<float>();
    if (d == 3)
      w += scale * (part[0] * single_.col(first) + part[1] * single_.col(first + 1) +
                    part[2] * single_.col(first + 2))
                       .cast<double>();
    else
      for (Index k = 0; k < d; ++k)
        w += scale * (part[k] * single_.col(first + k)).cast<double>();
    return;
  }
  for (Index k = 0; k < d; ++k) {
    if (is_sparse())
      for (Eigen::SparseMatrix<double>::InnerIterator entry(*sparse_, first + k); entry; ++entry)
        w[entry.row()] += change[k] * entry.value();
    else
      w += change[k] * W_.col(first + k);
  }
}

bool OneStepProblem::is_singular() const {
  if (!has_matrix() || n_columns() == 0 || n_columns() > largest_in_cache) return false;
  const Vector scale = W_.diagonal().cwiseAbs().cwiseSqrt().cwiseInverse();
  const Eigen::LDLT<MultiVector> factors(
      MultiVector(scale.asDiagonal() * (0.5 * (W_ + W_.transpose())) * scale.asDiagonal()));
  return factors.vectorD().cwiseAbs().minCoeff() <= zero_pivot_of_W;
}

OneStepProblem OneStepProblem::with_compliance(double part) const {
  MultiVector W = W_;
  W.diagonal() *= 1 + part;
  return OneStepProblem(laws_, W);
}

double OneStepProblem::precision_of_response() const {
  return single_.size() > 0 ? static_cast<double>(std::numeric_limits<float>::epsilon())
                            : std::numeric_limits<double>::epsilon();
}

void OneStepProblem::multiply(const Vector& r, Vector& Wr) const {
  if (operator_) {
    operator_(r, Wr);
  } else if (is_sparse()) {
    Wr.noalias() = *sparse_ * r;
  } else {
    Wr.setZero(W_.rows());
    add_combination(W_, r, Wr);
  }
}

// Computes w = W r + b and magnitude_ = |b| + |W||r|.
void OneStepProblem::multiply_with_magnitudes(const Vector& b, const Vector& r, Vector& w) const {
  if (operator_) {
    operator_(r, w);
    magnitude_ = w.cwiseAbs();
  } else {
    w.setZero();
    magnitude_.setZero();
    for (Index column = 0; column < n_columns_; ++column) {
      if (r[column] == 0.) continue;  // Most reactions are zero, because few contacts are closed at a time.
      if (is_sparse()) {
        for (Eigen::SparseMatrix<double>::InnerIterator entry(*sparse_, column); entry; ++entry) {
          const double term = entry.value() * r[column];
          w[entry.row()] += term;
          magnitude_[entry.row()] += std::abs(term);
        }
      } else {
        w += r[column] * W_.col(column);
        magnitude_ += std::abs(r[column]) * W_.col(column).cwiseAbs();
      }
    }
  }
  w += b;
  magnitude_ += b.cwiseAbs();
}

LawsAtTime OneStepProblem::laws_at(double time, const std::vector<ContactState>& before) const {
  LawsAtTime laws;
  set_laws_at(time, before, laws);
  return laws;
}

void OneStepProblem::set_laws_at(double time, const std::vector<ContactState>& before,
                                 LawsAtTime& laws) const {
  laws.is_active.assign(laws_.size(), true);
  laws.before.resize(laws_.size());
  laws.parameters.resize(laws_.size());
  for (std::size_t i = 0; i < laws_.size(); ++i) {
    laws.before[i] = before.empty() ? laws_[i].law->initial_state() : before.at(i);
    laws.parameters[i] = parameters_of(laws_[i], time, laws.before[i]);
  }
}

OneStepProblem::Residual OneStepProblem::residual(const LawsAtTime& laws, const Vector& b, const Vector& r,
                                                  Vector& w) const {
  multiply_with_magnitudes(b, r, w);
  Residual result;
  for (Index i = 0; i < n_inclusions(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    if (!laws.is_active[k]) continue;
    const Index first = first_[k], d = dimension(i);
    const auto r_i = r.segment(first, d);
    const double defect =
        laws_[k].law->natural_residual(laws.parameters[k], rho_[k], w.segment(first, d), r_i);
    const double scale = length(r_i) + rho_[k] * length(magnitude_.segment(first, d));
    // The negated comparison is true also if the relative residual is NaN, which then is the result.
    const double relative = defect == 0 ? 0 : defect / scale;
    if (!(relative <= result.value)) result = {relative, i};
    if (std::isnan(relative)) break;
  }
  return result;
}

bool OneStepProblem::obeys_to_rounding(const LawsAtTime& laws, const Vector& r, const Vector& w,
                                       double tolerance, const Vector& rounding) const {
  const double product_rounding = rounding_of_a_term * static_cast<double>(n_columns_);
  for (Index i = 0; i < n_inclusions(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    if (!laws.is_active[k]) continue;
    const Index first = first_[k], d = dimension(i);
    const double size = rho_[k] * length(magnitude_.segment(first, d)),
                 rounding_of_b = rounding.size() > 0 ? rho_[k] * length(rounding.segment(first, d)) : 0.;
    const double defect =
        laws_[k].law->natural_residual(laws.parameters[k], rho_[k], w.segment(first, d), r.segment(first, d));
    if (!(defect <=
          tolerance * (length(r.segment(first, d)) + size) + product_rounding * size + rounding_of_b))
      return false;
  }
  return true;
}

std::vector<ContactState> OneStepProblem::states(const LawsAtTime& laws, const Vector& b, const Vector& r,
                                                 const Vector& w) const {
  Vector unused = w;
  multiply_with_magnitudes(b, r, unused);
  std::vector<ContactState> result;
  set_states(laws, r, w, result);
  return result;
}

void OneStepProblem::set_states(const LawsAtTime& laws, const Vector& r, const Vector& w,
                                std::vector<ContactState>& states, const Vector& rest_of) const {
  states.resize(laws_.size());
  for (Index i = 0; i < n_inclusions(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const Index first = first_[k], d = dimension(i);
    double rest = 1e-10 * length(magnitude_.segment(first, d));
    if (rest_of.size() > 0) rest += length(rest_of.segment(first, d));
    states[k] = laws.is_active[k]
                    ? laws_[k].law->state(laws.parameters[k], w.segment(first, d), r.segment(first, d), rest)
                    : ContactState::open;
  }
}

}  // namespace halfdof
