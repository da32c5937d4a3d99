#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/spectrum/norms.h>
#include <halfdof/spectrum/polish.h>

#include <algorithm>

namespace halfdof {

namespace {

/// Where rounding alone does not explain a residual `reduced` this large, the vector is polished.
constexpr double good_residual = 1e-9;
/// And where its smallest entries, those of stiff or light DoFs, have no more digits than this.
constexpr double good_backward_error = 1e-8;

/// Above one for a vector to be polished.
double badness(const EigenpairResidual& residual) {
  return std::max(residual.reduced / std::max(good_residual, 10 * residual.rounding),
                  residual.backward / good_backward_error);
}

bool needs_polish(const Eigenmodes& modes, std::size_t j) {
  return modes.eigenvalues[j] != 0. && badness(modes.residuals[j]) > 1;
}

/// Two steps of inverse iteration. A real eigenvalue keeps a real vector: with y real and lambda +- i d as
/// shifts, the real part of (sigma - lambda) (sigma - A)^{-1} y has d^2 / (d^2 + (lambda - mu)^2) of each
/// other real eigenvalue mu.
template <class Engine>
ComplexVector improved(const ReducedSystem<Engine>& reduced, Complex lambda, ComplexVector y) {
  const bool is_real = lambda.imag() == 0;
  const Complex beside = 1e-5 * std::abs(lambda) * (is_real ? Complex(0, 1) : Complex(1));
  const auto near = reduced.shifted(lambda + beside);
  for (int step = 0; step < 2; ++step) {
    y = beside * ComplexVector(near.solve(y));
    if (is_real) y.imag().setZero();
    y /= norm(reduced.communicator(), y);
  }
  return y;
}

}  // namespace

template <class Engine>
Eigenmodes polished(const ReducedSystem<Engine>& reduced, const TermScales<Engine>& scales,
                    const std::vector<Complex>& values, Eigenmodes modes) {
  ComplexMultiVector states = modes.states;
  bool any = false;
  for (std::size_t j = 0; j < values.size(); ++j) {
    if (!needs_polish(modes, j)) continue;
    any = true;
    const auto column = static_cast<Index>(j);
    const bool is_partner = j > 0 && values[j].imag() != 0 && values[j] == std::conj(values[j - 1]);
    try {
      states.col(column) = is_partner ? ComplexVector(states.col(column - 1).conjugate())
                                      : improved<Engine>(reduced, values[j], states.col(column));
    } catch (const SingularMatrix&) {  // the shift is an eigenvalue too: the vector is as good as it gets
    }
  }
  if (!any) return modes;

  const Eigenmodes candidates = eigenmodes(reduced, scales, values, states);
  for (Index j = 0; j < states.cols(); ++j)
    if (badness(candidates.residuals[static_cast<std::size_t>(j)]) >=
        badness(modes.residuals[static_cast<std::size_t>(j)]))
      states.col(j) = modes.states.col(j);
  return eigenmodes(reduced, scales, values, std::move(states));
}

template Eigenmodes polished(const ReducedSystem<InstantiatedEngine>&, const TermScales<InstantiatedEngine>&,
                             const std::vector<Complex>&, Eigenmodes);

}  // namespace halfdof
