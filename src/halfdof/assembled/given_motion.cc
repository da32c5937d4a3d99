// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/given_motion.h>
#include <halfdof/base/errors.h>

#include <algorithm>
#include <utility>

namespace halfdof::internal {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

TimeCombination combine(const TimeCombination& a, double beta, const TimeCombination& b) {
  TimeCombination sum = a;
  for (std::size_t k = 0; k < b.terms.size(); ++k)
    if (k < sum.terms.size())
      sum.terms[k] = sum_with_exact_zeros(sum.terms[k], beta, b.terms[k]);
    else
      sum.terms.push_back(beta * b.terms[k]);
  return sum;
}

TimeFunction function_of(const PrescribedMotion& motion, std::size_t derivative) {
  const TimeFunction* const functions[] = {&motion.value, &motion.rate, &motion.acceleration, &motion.jerk};
  return derivative < 4 ? *functions[derivative] : nullptr;
}

}  // namespace

bool TimeCombination::is_zero() const {
  return std::all_of(terms.begin(), terms.end(), [](const Sparse& A) { return A.nonZeros() == 0; });
}

TimeCombination TimeCombination::derivative() const {
  if (terms.empty()) return {};
  TimeCombination result{{Sparse(terms[0].rows(), terms[0].cols())}};
  result.terms.insert(result.terms.end(), terms.begin(), terms.end());
  return result;
}

TimeCombination operator+(const TimeCombination& a, const TimeCombination& b) {
  return combine(a, 1, b);
}

TimeCombination operator-(const TimeCombination& a, const TimeCombination& b) {
  return combine(a, -1, b);
}

TimeCombination operator*(const Sparse& A, const TimeCombination& b) {
  TimeCombination product;
  for (const Sparse& term : b.terms)
    product.terms.push_back(product_with_exact_zeros(A, term));
  return product;
}

TimeCombination scaled_rows(const Vector& factors, const TimeCombination& b) {
  TimeCombination result;
  for (const Sparse& term : b.terms)
    result.terms.emplace_back(factors.asDiagonal() * term);
  return result;
}

GivenMotion::GivenMotion(PrescribedMotion supports, Index n_supports, PrescribedMotion right_sides,
                         Index n_right_sides)
    : parts_{{std::move(supports), n_supports, "q_D"}, {std::move(right_sides), n_right_sides, "b"}} {
  for (Part& part : parts_)
    if (!part.motion.moves()) part.size = 0;
}

template <class Add>
void GivenMotion::for_each(const TimeCombination& combination, double time, const Add& add) const {
  for (std::size_t k = 0; k < combination.terms.size(); ++k) {
    Index first = 0;
    for (const Part& part : parts_) {
      const Sparse A = combination.terms[k].middleCols(first, part.size);
      first += part.size;
      if (A.nonZeros() == 0) continue;
      const TimeFunction function = function_of(part.motion, k);
      if (!function)
        throw NotAvailable(
            "Constraints that depend on time need " + missing(combination) +
            ", which was not given. Give this function, too, as an analytic derivative: the library does not "
            "differentiate given functions.");
      add(A, function(time));
    }
  }
}

Vector GivenMotion::operator()(const TimeCombination& combination, double time) const {
  Vector sum = combination.terms.empty() ? Vector() : Vector(Vector::Zero(combination.terms[0].rows()));
  for_each(combination, time, [&](const Sparse& A, const Vector& u) { sum += A * u; });
  return sum;
}

Vector GivenMotion::sum_of_moduli(const TimeCombination& combination, double time) const {
  Vector sum = combination.terms.empty() ? Vector() : Vector(Vector::Zero(combination.terms[0].rows()));
  for_each(combination, time,
           [&](const Sparse& A, const Vector& u) { sum += Sparse(A.cwiseAbs()) * u.cwiseAbs(); });
  return sum;
}

std::string GivenMotion::missing(const TimeCombination& combination) const {
  for (std::size_t k = 0; k < combination.terms.size(); ++k) {
    Index first = 0;
    for (const Part& part : parts_) {
      const bool is_needed = Sparse(combination.terms[k].middleCols(first, part.size)).nonZeros() > 0;
      first += part.size;
      if (is_needed && !function_of(part.motion, k)) return part.name + std::string(k, '\'');
    }
  }
  return "";
}

}  // namespace halfdof::internal
