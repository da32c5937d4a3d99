// SPDX-License-Identifier: LGPL-2.1-or-later
#include "by_hand.h"

#include <halfdof/inclusions/laws.h>

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>

using namespace halfdof;

namespace {

/// Returns the stiffness matrix K(n) of (3.4), or of (3.11c) if the force at the end is known, which is K(n)
/// with k_n = 0.
MultiVector tridiagonal(const Chain& chain) {
  const Index n = chain.n();
  MultiVector K = MultiVector::Zero(n, n);
  for (Index i = 0; i < n; ++i) {
    K(i, i) = chain.k[i] + (i < n - 1 || chain.end != End::force_known ? chain.k[i + 1] : 0.);
    if (i > 0) K(i, i - 1) = K(i - 1, i) = -chain.k[i];
  }
  return K;
}

std::unique_ptr<OneStepSolver> projection_on_the_box(const Vector& alpha, const MultiVector& K_inverse) {
  std::vector<NamedLaw> laws;
  for (Index i = 0; i < static_cast<Index>(K_inverse.rows()); ++i)
    laws.push_back({std::make_shared<const StVenantElement>(alpha[i]), "element " + std::to_string(i + 1)});
  return std::make_unique<OneStepSolver>(OneStepProblem(std::move(laws), K_inverse));
}

}  // namespace

ManualReduction::ManualReduction(const Chain& chain)
    : chain_(chain),
      n_massless_(static_cast<Index>((chain.masses().array() == 0).count())),
      n_massive_(chain.n() - n_massless_),
      K_(tridiagonal(chain)),
      K_00_inverse_(K_.topLeftCorner(n_massless_, n_massless_)
                        .llt()
                        .solve(MultiVector::Identity(n_massless_, n_massless_))) {
  if (n_massless_ > 0) box_ = projection_on_the_box(chain.alpha, K_00_inverse_);
}

Vector ManualReduction::force(double t) const {
  Vector F = chain_.force(t);
  const double end = chain_.end_value(t);
  F[chain_.n() - 1] += chain_.end == End::force_known ? -end : chain_.k[chain_.n()] * end;
  return F;
}

Vector ManualReduction::force_rate(double t) const {
  Vector F = chain_.force_rate(t);
  const double end = chain_.end_rate(t);
  F[chain_.n() - 1] += chain_.end == End::force_known ? -end : chain_.k[chain_.n()] * end;
  return F;
}

Vector ManualReduction::state_of(const Vector& v, const Vector& rate, const Vector& g) const {
  Vector X(p());
  X << g.head(n_massless_), v.tail(n_massive_), rate.tail(n_massive_);
  return X;
}

Vector ManualReduction::massless_displacements(const Vector& F, const Vector& X) const {
  return K_00_inverse_ * (X.head(n_massless_) + F.head(n_massless_) -
                          K_.topRightCorner(n_massless_, n_massive_) * X.segment(n_massless_, n_massive_));
}

Vector ManualReduction::displacements(double t, const Vector& X) const {
  Vector v(chain_.n());
  v << massless_displacements(force(t), X), X.segment(n_massless_, n_massive_);
  return v;
}

Vector ManualReduction::drift(double h, const Vector& X, const Vector& F, const Vector& increment) const {
  const Vector a = X.segment(n_massless_, n_massive_), b = X.tail(n_massive_);
  const Vector pull = F.tail(n_massive_) -
                      K_.bottomLeftCorner(n_massive_, n_massless_) * massless_displacements(F, X) -
                      K_.bottomRightCorner(n_massive_, n_massive_) * a;
  Vector result(p());
  result << h * K_.topRightCorner(n_massless_, n_massive_) * b - increment.head(n_massless_), h * b,
      h * pull.cwiseQuotient(chain_.mass.tail(n_massive_));
  return result;
}

Vector ManualReduction::drift(double t, double h, const Vector& X) const {
  return drift(h, X, force(t), h * force_rate(t));
}

Vector ManualReduction::drift_by_increments(double t, double h, const Vector& X) const {
  return drift(h, X, force(t + h), force(t + h) - force(t));
}

double ManualReduction::norm_squared(const Vector& x) const {
  const Vector G = x.head(n_massless_), b = x.tail(n_massive_);
  return G.dot(K_00_inverse_ * G) + x.segment(n_massless_, n_massive_).squaredNorm() +
         b.dot(chain_.mass.tail(n_massive_).cwiseProduct(b));
}

double ManualReduction::functional(double h, const Vector& x, const Vector& Z) const {
  const double phi = chain_.alpha.tail(n_massive_).dot(x.tail(n_massive_).cwiseAbs());
  return phi + norm_squared(x - Z) / (2 * h);
}

Vector ManualReduction::clipped(Vector x) const {
  const auto alpha = chain_.alpha.head(n_massless_);
  x.head(n_massless_) = x.head(n_massless_).cwiseMin(alpha).cwiseMax(-alpha);
  return x;
}

Vector ManualReduction::resolvent(double h, const Vector& Z) {
  Vector X = Z;
  if (n_massless_ > 0) {
    // The friction G solves w = K_00^-1 (G - Z) in -N_C(G), a projection onto the box C in the metric of
    // K_00^-1.
    LawsAtTime laws = box_->problem().laws_at(0.);
    Vector G = clipped(Z).head(n_massless_), w;
    box_->solve(laws, -K_00_inverse_ * Z.head(n_massless_), G, w);
    X.head(n_massless_) = G;
  }
  for (Index i = 0; i < n_massive_; ++i) {
    double& b = X[n_massless_ + n_massive_ + i];
    const double threshold = h * chain_.alpha[n_massless_ + i] / chain_.mass[n_massless_ + i];
    b = std::copysign(std::max(std::abs(b) - threshold, 0.), b);
  }
  return X;
}
