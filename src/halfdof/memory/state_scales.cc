// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/characteristic_rate.h>
#include <halfdof/linear_algebra/entries.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/memory/state_scales.h>
#include <halfdof/reduction/state_parts.h>

#include <cmath>

namespace halfdof::internal {

namespace {

template <class Matrix>
Vector diagonal_of(const Matrix& A, const MultiVector& units) {
  return units.cwiseProduct(matrix_times(A, units)).colwise().sum().transpose().cwiseAbs();
}

/// Returns 1/sqrt(size), rounded to a power of two, or 1 if the size is zero.
double scale_for(double size) {
  return size > 0 ? std::exp2(std::round(-std::log2(size) / 2)) : 1.;
}

}  // namespace

template <class Engine>
Vector state_scales(const ReducedSystem<Engine>& reduced) {
  const Index N = reduced.n_local_states();
  const MultiVector units = displacement_states(reduced, MultiVector(MultiVector::Identity(N, N)));
  const FreeSystem<Engine>& system = reduced.free();
  const Vector M = diagonal_of(system.M(), units), C = diagonal_of(system.C(), units),
               K = diagonal_of(system.K(), units);
  const auto n_inertial = static_cast<Index>(reduced.classification().n_inertial());
  const double rate = characteristic_rate(system);
  Vector scales(N);
  for (Index j = 0; j < N - n_inertial; ++j) {
    const double resisting = j < n_inertial ? rate * rate * M[j] : rate * C[j];
    scales[j] = scale_for(K[j] > 0 ? K[j] : resisting);
    if (j < n_inertial) scales[N - n_inertial + j] = scale_for(M[j] > 0 ? M[j] : K[j] / (rate * rate));
  }
  return scales;
}

template Vector state_scales(const ReducedSystem<InstantiatedEngine>&);

}  // namespace halfdof::internal
