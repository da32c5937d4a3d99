#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/memory/kernel_terms.h>
#include <halfdof/memory/memory_hypotheses.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace halfdof {

namespace {

MultiVector left_out(const KernelTerms& terms, const MemoryEquation& equation, double memory) {
  MultiVector sum = MultiVector::Zero(equation.n_resolved(), equation.modes().n_contacts());
  for (std::size_t k = 0; k < terms.eigenvalues.size(); ++k) {
    const double decay = -terms.eigenvalues[k].real();
    const double weight =
        decay > 0 ? std::exp(-decay * memory) / decay : std::numeric_limits<double>::infinity();
    for (Eigen::Index i = 0; i < sum.size(); ++i)
      if (terms.residues[k](i) != 0.) sum(i) += std::abs(terms.residues[k](i)) * weight;
  }
  return sum;
}

}  // namespace

MemoryHypotheses memory_hypotheses(const MemoryEquation& equation) {
  MemoryHypotheses found;
  found.largest_real_part = -std::numeric_limits<double>::infinity();
  const std::vector<Complex> all = equation.modes().eigenvalues();
  double fastest = 0;
  for (const Complex& value : all)
    fastest = std::max(fastest, std::abs(value));
  for (const Complex& value : all) {
    if (value.real() > found.largest_real_part) {
      found.largest_real_part = value.real();
      found.fastest_growing = value;
    }
    if (std::abs(value) > 1e-14 * fastest)
      found.smallest_damping_ratio = std::min(found.smallest_damping_ratio, -value.real() / std::abs(value));
  }
  const ContactModes& modes = equation.modes();
  MultiVector JW(modes.n_coordinates(), equation.n_resolved());
  Eigen::Index first = 0;
  for (const MultiVector& J : modes.J) {
    JW.middleRows(first, J.rows()) = J * equation.W().middleRows(first, J.rows());
    first += J.rows();
  }
  found.invariance_residual = (JW - equation.W() * equation.A()).norm() / JW.norm();
  return found;
}

void require_bounded(const ContactModes& modes) {
  for (const Complex& value : modes.eigenvalues())
    if (value.real() > 1e-10 * std::abs(value))
      throw InvalidInput(
          "The modes of the contacts hold the eigenvalue " + number_text(value.real()) +
          (value.imag() < 0 ? " - " : " + ") + number_text(std::abs(value.imag())) +
          "i 1/s, which grows: the memory of the structure has no bound. Damp it, or integrate the full "
          "model.");
}

MultiVector memory_left_out(const MemoryEquation& equation, double memory) {
  if (!(memory >= 0))
    throw InvalidInput("A memory of " + number_text(memory) +
                       " s was asked for. Give one that is not negative.");
  return left_out(kernel_terms(equation), equation, memory);
}

double memory_length(const MemoryEquation& equation, double tolerance) {
  if (!(tolerance > 0))
    throw InvalidInput("A memory that leaves out " + number_text(tolerance) +
                       " of its kernel was asked for. Give a positive part.");
  const KernelTerms terms = kernel_terms(equation);
  const double size = left_out(terms, equation, 0).maxCoeff();
  if (size == 0) return 0;
  const auto is_enough = [&](double memory) {
    return left_out(terms, equation, memory).maxCoeff() <= tolerance * size;
  };
  if (!std::isfinite(size)) return size;
  double longer = 1 / std::abs(terms.eigenvalues.front());
  while (!is_enough(longer))
    longer *= 2;
  double shorter = 0;
  while (longer - shorter > 1e-3 * longer) {
    const double middle = (shorter + longer) / 2;
    (is_enough(middle) ? longer : shorter) = middle;
  }
  return longer;
}

}  // namespace halfdof
