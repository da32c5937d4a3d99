// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/memory/kernel_terms.h>
#include <halfdof/memory/memory_hypotheses.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace halfdof::internal {

namespace {

/// Returns the integral of tau^p/p! e^{-a tau} from T to infinity.
double integral_of_tail(int p, double a, double T) {
  if (!(a > 0)) return std::numeric_limits<double>::infinity();
  double sum = 0, term = 1;  // (a T)^j/j!
  for (int j = 0; j <= p; ++j, term *= a * T / j)
    sum += term;
  return sum * std::exp(-a * T) / std::pow(a, p + 1);
}

MultiVector omitted_memory(const std::vector<KernelTerm>& terms, const MemoryEquation& equation,
                           double memory) {
  MultiVector sum = MultiVector::Zero(equation.n_resolved(), equation.modes().n_contacts());
  for (const KernelTerm& term : terms) {
    const double weight = integral_of_tail(term.power, -term.eigenvalue.real(), memory);
    for (Eigen::Index i = 0; i < sum.size(); ++i)
      if (term.residue(i) != 0.) sum(i) += std::abs(term.residue(i)) * weight;
  }
  return sum;
}

}  // namespace

MemoryHypotheses memory_hypotheses(const ContactModes& modes) {
  MemoryHypotheses found;
  found.largest_real_part = -std::numeric_limits<double>::infinity();
  const std::vector<Complex> all = modes.eigenvalues();
  double fastest = 0;
  for (const Complex& value : all)
    fastest = std::max(fastest, std::abs(value));
  for (const Complex& value : all) {
    if (value.real() > found.largest_real_part) {
      found.largest_real_part = value.real();
      found.fastest_growing = value;
    }
    if (std::abs(value) > 1e-14 * fastest)
      found.smallest_damping_ratio =
          std::min(found.smallest_damping_ratio,
                   -value.real() / std::abs(value) + 0.);  // adding zero removes the sign of -0
  }
  return found;
}

double invariance_residual(const MemoryEquation& equation) {
  const ContactModes& modes = equation.modes();
  MultiVector JW(modes.n_coordinates(), equation.n_resolved());
  Eigen::Index first = 0;
  for (const MultiVector& J : modes.J) {
    JW.middleRows(first, J.rows()) = J * equation.right_inverse_of_V().middleRows(first, J.rows());
    first += J.rows();
  }
  return (JW - equation.right_inverse_of_V() * equation.A()).norm() / JW.norm();
}

void require_bounded(const ContactModes& modes) {
  for (const Complex& value : modes.eigenvalues())
    if (value.real() > 1e-10 * std::abs(value))
      throw InvalidInput(
          "The modes of the contacts have the eigenvalue " + number_text(value.real()) +
          (value.imag() < 0 ? " - " : " + ") + number_text(std::abs(value.imag())) +
          "i 1/s with a positive real part, so that the motion grows and the memory kernel of the "
          "structure has no bound. Add damping to this mode, or integrate the full model.");
}

MultiVector omitted_memory(const MemoryEquation& equation, double memory) {
  if (!(memory >= 0))
    throw InvalidInput("The length of the memory is " + number_text(memory) +
                       " s, but must not be negative.");
  return omitted_memory(kernel_terms(equation), equation, memory);
}

double memory_length(const MemoryEquation& equation, double tolerance) {
  if (!(tolerance > 0))
    throw InvalidInput("The part of the memory kernel that may be omitted is " + number_text(tolerance) +
                       ", but must be positive.");
  const std::vector<KernelTerm> terms = kernel_terms(equation);
  const double size = omitted_memory(terms, equation, 0).maxCoeff();
  if (size == 0) return 0;
  const auto is_enough = [&](double memory) {
    return omitted_memory(terms, equation, memory).maxCoeff() <= tolerance * size;
  };
  if (!std::isfinite(size)) return size;
  double longer = 1 / std::abs(terms.front().eigenvalue);
  while (!is_enough(longer))
    longer *= 2;
  double shorter = 0;
  while (longer - shorter > 1e-3 * longer) {
    const double middle = (shorter + longer) / 2;
    (is_enough(middle) ? longer : shorter) = middle;
  }
  return longer;
}

}  // namespace halfdof::internal
