// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/linear_algebra/norms.h>
#include <halfdof/spectrum/polish.h>

#include <algorithm>

namespace halfdof::internal {

namespace {

/// A vector is polished if its residual `reduced` is larger than this, and larger than rounding explains.
constexpr double good_residual = 1e-9;
/// A vector is also polished if its `backward` error is larger than this, because then the small entries of
/// stiff or light DoFs have few digits.
constexpr double good_backward_error = 1e-8;

/// Returns a number that is larger than one if a vector has to be polished.
double badness(const EigenpairResidual& residual) {
  return std::max(residual.reduced / std::max(good_residual, 10 * residual.rounding),
                  residual.backward / good_backward_error);
}

bool needs_polish(const Eigenmodes& modes, std::size_t j) {
  return modes.eigenvalues[j] != 0. && badness(modes.residuals[j]) > 1;
}

struct Eigenpair {
  Complex value;
  ComplexVector vector;
};

/// Makes two steps of inverse iteration with a shift sigma beside lambda, at the distance d. For an
/// eigenvector y, (sigma - A)^{-1} y = y / (sigma - lambda): each step estimates lambda from this, and the
/// last estimate is returned. For a real lambda, sigma = lambda + i d, and only the real part of i d (sigma
/// - A)^{-1} y is kept, so that the vector remains real. In this real part the component along any other
/// real eigenvector, with the eigenvalue mu, is multiplied by d^2 / (d^2 + (lambda - mu)^2).
template <class Engine>
Eigenpair improved(const ReducedSystem<Engine>& reduced, Complex lambda, ComplexVector y) {
  const Communicator& communicator = reduced.communicator();
  const bool is_real = lambda.imag() == 0;
  const Complex beside = 1e-5 * std::abs(lambda) * (is_real ? Complex(0, 1) : Complex(1));
  const Complex sigma = lambda + beside;
  const auto near = reduced.shifted(sigma);
  for (int step = 0; step < 2; ++step) {
    y /= norm(communicator, y);
    const ComplexVector z = near.solve(y);
    Complex stretch = y.dot(z);
    communicator.sum(reinterpret_cast<double*>(&stretch), 2);
    lambda = sigma - 1. / stretch;
    y = beside * z;
    if (is_real) {
      lambda = lambda.real();
      y.imag().setZero();
    }
  }
  return {lambda, y / norm(communicator, y)};
}

}  // namespace

template <class Engine>
Eigenmodes polished(const ReducedSystem<Engine>& reduced, const TermScales<Engine>& scales,
                    std::vector<Complex> values, Eigenmodes modes) {
  std::vector<std::size_t> bad;
  for (std::size_t j = 0; j < values.size(); ++j)
    if (needs_polish(modes, j)) bad.push_back(j);
  if (bad.empty()) return modes;

  std::vector<Complex> new_values = values;
  ComplexMultiVector states = modes.states;
  for (const std::size_t j : bad) {
    const auto column = static_cast<Index>(j);
    const bool is_partner = j > 0 && values[j].imag() != 0 && values[j] == std::conj(values[j - 1]);
    try {
      const Eigenpair pair = is_partner
                                 ? Eigenpair{std::conj(new_values[j - 1]), states.col(column - 1).conjugate()}
                                 : improved<Engine>(reduced, values[j], states.col(column));
      new_values[j] = pair.value;
      states.col(column) = pair.vector;
    } catch (const SingularMatrix&) {  // the shift is an eigenvalue too: the vector is not changed
    }
  }

  const Eigenmodes candidates = eigenmodes(reduced, scales, new_values, states);
  for (std::size_t j = 0; j < values.size(); ++j)
    if (badness(candidates.residuals[j]) < badness(modes.residuals[j]))
      values[j] = new_values[j];
    else
      states.col(static_cast<Index>(j)) = modes.states.col(static_cast<Index>(j));
  return eigenmodes(reduced, scales, values, std::move(states));
}

template Eigenmodes polished(const ReducedSystem<InstantiatedEngine>&, const TermScales<InstantiatedEngine>&,
                             std::vector<Complex>, Eigenmodes);

}  // namespace halfdof::internal
