// SPDX-License-Identifier: LGPL-2.1-or-later
#include "model.h"
#include <algorithm>
#include <cmath>

using halfdof::Complex;

namespace {

/// Returns an eigenvalue of a symmetric mode by Newton's method. The balance of forces is multiplied by
/// sinh(z) (k + d lambda) / lambda with z = lambda L / 2c, so that the function has no poles:
///   f = 2 T/c cosh(z) (k + d lambda) + k d sinh(z).
Complex symmetric_eigenvalue(const StringModel& model, double c, Complex lambda) {
  const double k = model.spring, d = model.damper, half = model.length / (2 * c);
  for (int iteration = 0; iteration < 100; ++iteration) {
    const Complex s = std::sinh(half * lambda), C = std::cosh(half * lambda);
    const Complex f = 2 * model.tension / c * C * (k + d * lambda) + k * d * s;
    const Complex slope = 2 * model.tension / c * (half * s * (k + d * lambda) + d * C) + k * d * half * C;
    lambda -= f / slope;
    if (std::abs(f / slope) < 1e-13 * std::abs(lambda)) break;
  }
  return lambda;
}

}  // namespace

std::vector<Complex> exact_eigenvalues(const StringModel& model, int n_pairs) {
  const double pi = std::acos(-1.);
  const double c = std::sqrt(model.tension / model.mass);
  std::vector<Complex> eigenvalues = {symmetric_eigenvalue(model, c, 0.)};
  for (int j = 1; j <= n_pairs; ++j) {
    eigenvalues.push_back(symmetric_eigenvalue(model, c, Complex(0, (2 * j - 1) * pi * c / model.length)));
    eigenvalues.emplace_back(0, 2 * j * pi * c / model.length);
  }
  std::sort(eigenvalues.begin(), eigenvalues.end(),
            [](const Complex& a, const Complex& b) { return a.imag() < b.imag(); });
  return eigenvalues;
}
