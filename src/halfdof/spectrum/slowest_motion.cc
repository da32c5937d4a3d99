// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/pseudo_random.h>
#include <halfdof/linear_algebra/dense/dense_eigenvalues.h>
#include <halfdof/linear_algebra/dense/orthonormal.h>
#include <halfdof/linear_algebra/kernels/tall_blocks.h>
#include <halfdof/spectrum/slowest_motion.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace halfdof::internal {

namespace {

/// Ratio of the rate in the unit of velocities to the slowest rate.
constexpr double beyond_slowest = 8;

}  // namespace

template <class Scalar>
SlowestMotion slowest_motion(const BlockOperator<Scalar>& response, const Partition& dofs,
                             const Vector& scales) {
  constexpr int n_steps = 4;
  DenseMatrix<Scalar> scaled = pseudo_random(dofs, 1, 0).template cast<Scalar>(), x;
  double ratio = 0;
  for (int step = 0; step < n_steps; ++step) {
    scaled /=
        std::max(column_norms<Scalar>(dofs.communicator(), scaled)[0], std::numeric_limits<double>::min());
    x = response(DenseMatrix<Scalar>(scales.asDiagonal() * scaled));
    scaled = scales.cwiseInverse().asDiagonal() * x;
    ratio = column_norms<Scalar>(dofs.communicator(), scaled)[0];
  }
  const double rate = 1 / std::sqrt(ratio);
  if (!std::isfinite(rate) || rate <= 0) return {1, ComplexMultiVector(x.rows(), 0)};
  return {rate, x.template cast<Complex>()};
}

FasterMotions faster_motions(const BlockOperator<double>& response, int power, const Partition& dofs,
                             const Vector& scales, double than, Index n_motions) {
  constexpr int n_steps = 3;
  constexpr double clearly_faster = 10;
  const Communicator& communicator = dofs.communicator();
  const auto n = static_cast<Index>(std::min<GlobalIndex>(n_motions, dofs.n_global()));
  MultiVector X = orthonormalized(communicator, pseudo_random(dofs, n)), image;
  for (int step = 0; step < n_steps; ++step) {
    image = scales.cwiseInverse().asDiagonal() * response(MultiVector(scales.asDiagonal() * X));
    if (step + 1 < n_steps) X = orthonormalized(communicator, std::move(image));
  }
  FasterMotions motions;
  for (const Complex value : eigenvalues(tall_products<double>(communicator, X, image))) {
    const double rate = std::pow(std::abs(value), -1. / power);
    if (!(rate > clearly_faster * than))
      ++motions.n_slower;
    else if (std::isfinite(rate))
      motions.rate = motions.rate == 0 ? rate : std::min(motions.rate, rate);
  }
  return motions;
}

Vector state_units(const Classification& kinds, const Vector& scales, double slowest_rate) {
  const Vector of_I = kinds.inertial().selected_rows(scales), of_C = kinds.viscous().selected_rows(scales);
  Vector units(2 * of_I.size() + of_C.size());
  units << of_I, of_C, beyond_slowest * slowest_rate * of_I;
  return units;
}

Vector companion_units(const Vector& scales, double slowest_rate) {
  Vector units(2 * scales.size());
  units << scales, beyond_slowest * slowest_rate * scales;
  return units;
}

template SlowestMotion slowest_motion(const BlockOperator<double>&, const Partition&, const Vector&);
template SlowestMotion slowest_motion(const BlockOperator<Complex>&, const Partition&, const Vector&);

}  // namespace halfdof::internal
