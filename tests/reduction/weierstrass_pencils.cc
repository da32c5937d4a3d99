// SPDX-License-Identifier: LGPL-2.1-or-later
#include "reduction/weierstrass_pencils.h"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

namespace halfdof::test {

MultiVector nilpotent(const std::vector<Index>& sizes) {
  const Index n = std::accumulate(sizes.begin(), sizes.end(), Index{0});
  MultiVector N = MultiVector::Zero(n, n);
  Index first = 0;
  for (const Index size : sizes) {
    for (Index i = 0; i + 1 < size; ++i)
      N(first + i, first + i + 1) = 1;
    first += size;
  }
  return N;
}

KnownPencil make_pencil(const MultiVector& A_1, std::vector<Index> sizes, const MultiVector& P,
                        const MultiVector& Q) {
  KnownPencil pencil{{}, {}, P, Q, A_1, nilpotent(sizes), std::move(sizes)};
  const Index n_f = pencil.n_finite(), n = n_f + static_cast<Index>(pencil.N.rows());
  MultiVector E = MultiVector::Identity(n, n), A = E;
  E.bottomRightCorner(n - n_f, n - n_f) = pencil.N;
  A.topLeftCorner(n_f, n_f) = A_1;
  pencil.E = P * E * Q;
  pencil.A = P * A * Q;
  return pencil;
}

MultiVector coordinates(RandomNumbers& random, Index n, Coordinates kind) {
  if (kind == Coordinates::full) return random.matrix(n, n);
  if (kind == Coordinates::ill_conditioned) {
    const auto orthogonal = [&] {
      return MultiVector(Eigen::HouseholderQR<MultiVector>(random.matrix(n, n)).householderQ());
    };
    const Vector values = Vector::LinSpaced(n, 0, -std::log(1e4)).array().exp();
    const MultiVector left = orthogonal();
    return left * values.asDiagonal() * orthogonal();
  }
  MultiVector P = MultiVector::Identity(n, n);
  for (Index k = 0; kind == Coordinates::sparse && k < 3 * n; ++k) {
    const Index i = random.below(n), j = random.below(n);
    if (i != j) P(i, j) = random();
  }
  return P;
}

KnownPencil random_pencil(RandomNumbers& random, Coordinates kind, Index max_finite) {
  const Index n_f = 1 + random.below(max_finite), index = 1 + random.below(4);
  std::vector<Index> sizes = {index};
  for (Index k = random.below(1 + max_finite / 3); k > 0; --k)
    sizes.push_back(1 + random.below(index));
  std::sort(sizes.rbegin(), sizes.rend());
  const Index n = n_f + std::accumulate(sizes.begin(), sizes.end(), Index{0});
  const MultiVector A_1 = random.matrix(n_f, n_f), P = coordinates(random, n, kind);
  return make_pencil(A_1, std::move(sizes), P, coordinates(random, n, kind));
}

void permute(RandomNumbers& random, KnownPencil& pencil) {
  const std::vector<Index> rows = random.permutation(pencil.order()),
                           columns = random.permutation(pencil.order());
  for (MultiVector* matrix : {&pencil.E, &pencil.A})
    *matrix = MultiVector((*matrix)(rows, columns));
  pencil.P = MultiVector(pencil.P(rows, Eigen::all));
  pencil.Q = MultiVector(pencil.Q(Eigen::all, columns));
}

void scale(RandomNumbers& random, KnownPencil& pencil) {
  const Vector rows = (std::log(1e6) * random.matrix(pencil.order(), 1)).array().exp();
  const Vector columns = (std::log(1e6) * random.matrix(pencil.order(), 1)).array().exp();
  for (MultiVector* matrix : {&pencil.E, &pencil.A})
    *matrix = rows.asDiagonal() * *matrix * columns.asDiagonal();
  pencil.P = rows.asDiagonal() * pencil.P;
  pencil.Q = pencil.Q * columns.asDiagonal();
}

double spectral_distance(std::vector<Complex> found, const std::vector<Complex>& expected) {
  if (found.size() != expected.size()) return HUGE_VAL;
  double distance = 0;
  for (const Complex value : expected) {
    const auto nearest = std::min_element(found.begin(), found.end(), [&](Complex a, Complex b) {
      return std::abs(a - value) < std::abs(b - value);
    });
    distance = std::max(distance, std::abs(*nearest - value) / std::abs(value));
    found.erase(nearest);
  }
  return distance;
}

MultiVector resolvent_by_parts(const WeierstrassForm& form, double lambda) {
  const Index n_f = form.n_finite(), n_inf = form.n_infinite();
  MultiVector middle = MultiVector::Zero(n_f + n_inf, n_f + n_inf);
  middle.topLeftCorner(n_f, n_f) = (lambda * MultiVector::Identity(n_f, n_f) - form.A_1()).inverse();
  middle.bottomRightCorner(n_inf, n_inf) =
      (lambda * form.N() - MultiVector::Identity(n_inf, n_inf)).inverse();
  return form.T() * middle * form.Z();
}

}  // namespace halfdof::test
