// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/inclusions/semismooth_newton.h>
#include <halfdof/linear_algebra/dense/dense_factorization.h>

#include <Eigen/QR>

#include <cmath>

namespace halfdof::internal {

namespace {

/// A pivot of the Jacobian up to this size counts as zero. The entries of the Jacobian are about one.
constexpr double zero_pivot_of_jacobian = 1e-10;

}  // namespace

SemismoothNewton::SemismoothNewton(const OneStepProblem& problem, bool is_singular)
    : problem_(problem),
      is_singular_(is_singular),
      phi_(problem.n_columns()),
      step_(problem.n_columns()),
      trial_(problem.n_columns()),
      trial_w_(problem.n_columns()),
      G_(static_cast<std::size_t>(problem.n_inclusions())),
      moved_(problem.n_columns()),
      jacobian_(problem.n_columns(), problem.n_columns()) {}

double SemismoothNewton::evaluate(const LawsAtTime& laws, const Vector& b, const Vector& r, Vector& w) {
  problem_.multiply(r, w);
  w += b;
  project(laws, r, w, phi_);
  phi_ = r - phi_;
  return phi_.norm();
}

void SemismoothNewton::project(const LawsAtTime& laws, const Vector& r, const Vector& w,
                               Vector& nearest) const {
  for (Index i = 0; i < problem_.n_inclusions(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const Index first = problem_.first_column(i), d = problem_.dimension(i);
    auto r_i = nearest.segment(first, d);
    if (!laws.is_active[k]) {
      r_i.setZero();
      continue;
    }
    const LocalVector z = r.segment(first, d) - problem_.rho(i) * w.segment(first, d);
    problem_.law(i).resolvent(laws.parameters[k], problem_.rho(i), z, r_i);
  }
}

void SemismoothNewton::differentiate(const LawsAtTime& laws, const Vector& r, const Vector& w) {
  active_.clear();
  columns_.clear();
  for (Index i = 0; i < problem_.n_inclusions(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const Index first = problem_.first_column(i), d = problem_.dimension(i);
    const double rho = problem_.rho(i);
    if (!laws.is_active[k]) continue;
    const LocalVector z = r.segment(first, d) - rho * w.segment(first, d);
    G_[k] = problem_.law(i).resolvent_derivative(laws.parameters[k], rho, z);
    if (G_[k].isZero(0.)) continue;
    active_.push_back(i);
    for (Index column = first; column < first + d; ++column)
      columns_.push_back(column);
  }
}

void SemismoothNewton::assemble() {
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const double* const moved = problem_.matrix().col(columns_[c]).data();
    double* entry = jacobian_.col(static_cast<Index>(c)).data();
    for (const Index i : active_) {
      const LocalMatrix& G = G_[static_cast<std::size_t>(i)];
      const Index first = problem_.first_column(i), d = problem_.dimension(i);
      for (Index row = 0; row < d; ++row) {
        double sum = 0;
        for (Index k = 0; k < d; ++k)
          sum += G(row, k) * moved[first + k];
        *entry++ = problem_.rho(i) * sum;
      }
    }
  }
  Index at = 0;
  for (const Index i : active_) {
    const Index d = problem_.dimension(i);
    jacobian_.block(at, at, d, d) += LocalMatrix::Identity(d, d) - G_[static_cast<std::size_t>(i)];
    at += d;
  }
}

bool SemismoothNewton::solve() {
  if (!is_singular_) return solve_in_place(jacobian_, right_, pivots_);
  const auto n = static_cast<Index>(right_.size());
  Eigen::CompleteOrthogonalDecomposition<MultiVector> factors;
  factors.setThreshold(zero_pivot_of_jacobian);
  factors.compute(jacobian_.topLeftCorner(n, n));
  right_ = factors.solve(right_);
  return true;
}

bool SemismoothNewton::find_step() {
  step_ = -phi_;
  step_(columns_).setZero();
  right_ = -phi_(columns_);
  if (!step_.isZero(0.)) {
    problem_.multiply(step_, moved_);
    Index at = 0;
    for (const Index i : active_) {
      const Index first = problem_.first_column(i), d = problem_.dimension(i);
      right_.segment(at, d) -= problem_.rho(i) * (G_[static_cast<std::size_t>(i)] * moved_.segment(first, d));
      at += d;
    }
  }
  // If G = 0 for all inclusions, the step -Phi needs no linear system.
  if (columns_.empty()) return step_.allFinite();
  if (!solve() || !right_.allFinite()) return false;
  step_(columns_) = right_;
  return true;
}

IterationResult SemismoothNewton::iterate(const LawsAtTime& laws, const Vector& b, double tolerance,
                                          Index max_systems, Vector& r, Vector& w) {
  IterationResult result;
  double size = evaluate(laws, b, r, w);
  while (result.n_iterations < max_systems) {
    ++result.n_iterations;
    differentiate(laws, r, w);
    assemble();
    if (!find_step()) break;
    double length = 1, trial_size = 0;
    for (; length > 1e-3; length /= 2) {
      trial_ = r + length * step_;
      trial_size = evaluate(laws, b, trial_, trial_w_);
      if (trial_size < (1 - 1e-4 * length) * size) break;
    }
    if (!(trial_size < size)) break;
    r.swap(trial_);
    w.swap(trial_w_);
    size = trial_size;
    result.residual = problem_.residual(laws, b, r, w);
    if (result.residual.value <= tolerance) break;
  }
  // A last evaluation of the resolvents makes r admissible and does not increase its error.
  project(laws, r, w, trial_);
  r.swap(trial_);
  result.residual = problem_.residual(laws, b, r, w);
  return result;
}

}  // namespace halfdof::internal
