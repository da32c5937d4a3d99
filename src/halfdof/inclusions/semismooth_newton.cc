#include <halfdof/inclusions/semismooth_newton.h>
#include <halfdof/linear_algebra/dense_factorization.h>

#include <cmath>

namespace halfdof {

SemismoothNewton::SemismoothNewton(const OneStepProblem& problem)
    : problem_(problem),
      phi_(problem.n_columns()),
      step_(problem.n_columns()),
      trial_(problem.n_columns()),
      trial_w_(problem.n_columns()),
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
    if (!laws.takes_part[k]) {
      r_i.setZero();
      continue;
    }
    const LocalVector z = r.segment(first, d) - problem_.rho(i) * w.segment(first, d);
    problem_.law(i).resolvent(laws.parameters[k], problem_.rho(i), z, r_i);
  }
}

void SemismoothNewton::differentiate(const LawsAtTime& laws, const Vector& r, const Vector& w) {
  for (Index i = 0; i < problem_.n_inclusions(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const Index first = problem_.first_column(i), d = problem_.dimension(i);
    const double rho = problem_.rho(i);
    const LocalVector z = r.segment(first, d) - rho * w.segment(first, d);
    const LocalMatrix G = laws.takes_part[k]
                              ? problem_.law(i).resolvent_derivative(laws.parameters[k], rho, z)
                              : LocalMatrix(LocalMatrix::Zero(d, d));
    jacobian_.middleRows(first, d).noalias() = rho * (G * problem_.matrix().middleRows(first, d));
    jacobian_.block(first, first, d, d) += LocalMatrix::Identity(d, d) - G;
  }
}

IterationResult SemismoothNewton::iterate(const LawsAtTime& laws, const Vector& b, double tolerance,
                                          Index max_systems, Vector& r, Vector& w) {
  IterationResult result;
  double size = evaluate(laws, b, r, w);
  while (result.n_iterations < max_systems) {
    ++result.n_iterations;
    differentiate(laws, r, w);
    step_ = -phi_;
    if (!solve_in_place(jacobian_, step_, pivots_) || !step_.allFinite()) break;
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
  // Into the sets themselves, which costs no accuracy.
  project(laws, r, w, trial_);
  r.swap(trial_);
  result.residual = problem_.residual(laws, b, r, w);
  return result;
}

}  // namespace halfdof
