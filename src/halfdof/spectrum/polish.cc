#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/spectrum/norms.h>
#include <halfdof/spectrum/polish.h>

#include <algorithm>

namespace halfdof {

namespace {

/// Above one for a vector to be polished.
double badness(const EigenpairResidual& residual, const PolishLimits& limits) {
  return std::max(residual.reduced / std::max(limits.reduced, 10 * residual.rounding),
                  residual.backward / limits.backward);
}

bool needs_polish(const Eigenmodes& modes, std::size_t j, const PolishLimits& limits) {
  return modes.eigenvalues[j] != 0. && badness(modes.residuals[j], limits) > 1;
}

struct Eigenpair {
  Complex value;
  ComplexVector vector;
};

/// Two steps of inverse iteration, of which the last one gives the eigenvalue, too: (sigma - A)^{-1} y is
/// y / (sigma - lambda). A real eigenvalue keeps a real vector: with y real and lambda +- i d as shifts, the
/// real part of (sigma - lambda) (sigma - A)^{-1} y has d^2 / (d^2 + (lambda - mu)^2) of each other real
/// eigenvalue mu.
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
FoundModes polished(const ReducedSystem<Engine>& reduced, const TermScales<Engine>& scales, FoundModes found,
                    const PolishLimits& limits) {
  std::vector<Complex>& values = found.values;
  const Eigenmodes& modes = found.modes;
  std::vector<std::size_t> bad;
  for (std::size_t j = 0; j < values.size(); ++j)
    if (needs_polish(modes, j, limits)) bad.push_back(j);
  if (bad.empty()) return found;

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
    } catch (const SingularMatrix&) {  // the shift is an eigenvalue too: the vector is as good as it gets
    }
  }

  const Eigenmodes candidates = eigenmodes(reduced, scales, new_values, states);
  for (std::size_t j = 0; j < values.size(); ++j)
    if (badness(candidates.residuals[j], limits) < badness(modes.residuals[j], limits))
      values[j] = new_values[j];
    else
      states.col(static_cast<Index>(j)) = modes.states.col(static_cast<Index>(j));
  return {values, eigenmodes(reduced, scales, values, std::move(states))};
}

template FoundModes polished(const ReducedSystem<InstantiatedEngine>&, const TermScales<InstantiatedEngine>&,
                             FoundModes, const PolishLimits&);

}  // namespace halfdof
