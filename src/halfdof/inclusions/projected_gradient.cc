// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/inclusions/projected_gradient.h>

#include <cmath>
#include <sstream>

namespace halfdof::internal {

ProjectedGradient::ProjectedGradient(const OneStepProblem& problem)
    : problem_(problem), y_(problem.n_columns()), next_(problem.n_columns()), gradient_(problem.n_columns()) {
  estimate_largest_eigenvalue();
  check_weakening();
}

// Applies the power method to W, scaled by its diagonal. The entries of the start vector are irregular, so
// that the vector is not orthogonal to the dominant eigenvector of a structure with geometric symmetry.
void ProjectedGradient::estimate_largest_eigenvalue() {
  const Index m = problem_.n_columns();
  Vector root(m), x(m);
  for (Index i = 0; i < problem_.n_inclusions(); ++i) {
    root.segment(problem_.first_column(i), problem_.dimension(i)).setConstant(std::sqrt(problem_.rho(i)));
  }
  for (Index k = 0; k < m; ++k)
    x[k] = 1 + 0.5 * std::sin(1. + 2.7 * k);
  for (int iteration = 0; iteration < 30 && m > 0; ++iteration) {
    x.normalize();
    y_ = root.cwiseProduct(x);
    problem_.multiply(y_, gradient_);
    x = root.cwiseProduct(gradient_);
    largest_eigenvalue_ = x.norm();
  }
  // The factor makes the estimate an upper bound, because the power method converges from below.
  largest_eigenvalue_ *= 1.05;
}

void ProjectedGradient::check_weakening() {
  for (Index i = 0; i < problem_.n_inclusions(); ++i) {
    const double l = problem_.law(i).one_sided_lipschitz_constant();
    if (problem_.dimension(i) > 1 || !(l > 0) || !std::isfinite(l)) continue;
    weakens_ = true;
    const double weakening_ratio = l / problem_.rho(i) * largest_eigenvalue_;
    if (weakening_ratio < 0.5) continue;
    std::ostringstream message;
    message
        << "The friction force of \"" << problem_.name(i) << "\" (" << problem_.law(i).name()
        << ") decreases with the slip rate so steeply that the rates may jump within the time step. Its "
           "steepest decrease is l = "
        << l
        << ", the diagonal entry of the Delassus matrix W of the step is W(i, i) = " << 1 / problem_.rho(i)
        << ", and the largest eigenvalue of W scaled by its diagonal is " << largest_eigenvalue_
        << ". The product of these three numbers is " << weakening_ratio
        << ", but must be below one half if the Delassus matrix is applied as an operator. If the "
           "inclusions act on mass, W grows with the time step: multiply the time step by less than "
        << 0.5 / weakening_ratio
        << ". Otherwise reduce the slope with which the friction decreases, or raise the limit max_dense so "
           "that the matrix W is formed.";
    throw NotAvailable(message.str());
  }
}

IterationResult ProjectedGradient::iterate(const LawsAtTime& laws, const Vector& b, double tolerance,
                                           Index max_products, Vector& r, Vector& w) {
  IterationResult result;
  y_ = r;
  double t = 1;
  while (result.n_iterations < max_products) {
    ++result.n_iterations;
    problem_.multiply(y_, gradient_);
    gradient_ += b;
    for (Index i = 0; i < problem_.n_inclusions(); ++i) {
      const auto k = static_cast<std::size_t>(i);
      const Index first = problem_.first_column(i), d = problem_.dimension(i);
      auto next = next_.segment(first, d);
      next.setZero();
      if (!laws.is_active[k]) continue;
      const double rho = problem_.rho(i) / largest_eigenvalue_;
      const LocalVector z = y_.segment(first, d) - rho * gradient_.segment(first, d);
      problem_.law(i).resolvent(laws.parameters[k], rho, z, next);
    }
    result.has_diverged = !next_.allFinite();
    if (result.has_diverged) break;
    const double t_next = 0.5 * (1 + std::sqrt(1 + 4 * t * t));
    const bool ascends = (y_ - next_).dot(next_ - r) > 0;
    const double beta = ascends || weakens_ ? 0 : (t - 1) / t_next;
    y_ = next_ + beta * (next_ - r);
    t = ascends ? 1 : t_next;
    const bool has_settled =
        (next_ - r).lpNorm<Eigen::Infinity>() <= tolerance * next_.lpNorm<Eigen::Infinity>();
    r.swap(next_);
    // The residual, which costs a product with W, is computed if the iteration may have converged, and in
    // every tenth iteration.
    if (!has_settled && result.n_iterations % 10 && result.n_iterations < max_products) continue;
    result.residual = problem_.residual(laws, b, r, w);
    if (result.residual.value <= tolerance) break;
  }
  if (result.has_diverged) result.residual = problem_.residual(laws, b, r, w);
  return result;
}

}  // namespace halfdof::internal
