// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/linear_algebra/dense/dense_eigenvalues.h>
#include <halfdof/linear_algebra/dense/dense_solves.h>
#include <halfdof/memory/kernel_terms.h>

#include <algorithm>
#include <cmath>

namespace halfdof::internal {

namespace {

/// Eigenvalues of a block whose distance, relative to their modulus and to their coupling, is smaller than
/// this value are replaced by one defective eigenvalue.
constexpr double repeated_tolerance = 1e-6;

/// Adds the terms R_p tau^p/p! e^{mu tau} of N e^{J tau} B for a block J = mu I + D with the single
/// eigenvalue mu, where D is nilpotent: D^k = 0 if k is at least the size of the block.
void add_repeated(const MultiVector& N, const MultiVector& D, double mu, MultiVector B,
                  std::vector<KernelTerm>& terms) {
  for (Eigen::Index p = 0; p < D.rows(); ++p, B = D * B)
    terms.push_back({mu, static_cast<int>(p), (N * B).cast<Complex>()});
}

/// Returns whether the eigenvalues of a block J = mu I + Z are so close to their mean mu that they count as
/// one defective eigenvalue; false if Z = 0. @param deviation the matrix Z
bool has_one_defective_eigenvalue(const MultiVector& deviation, double mu) {
  const double size = deviation.norm();
  if (size == 0) return false;
  const MultiVector one = deviation / size;
  MultiVector power = one;
  for (Eigen::Index p = 1; p < deviation.rows(); ++p)
    power = (power * one).eval();
  const double spread = size * std::pow(power.norm(), 1. / static_cast<double>(deviation.rows()));
  return spread < repeated_tolerance * std::min(std::abs(mu), size);
}

}  // namespace

std::vector<KernelTerm> kernel_terms(const MemoryEquation& equation) {
  const ContactModes& modes = equation.modes();
  const MultiVector kernel_output = equation.kernel_output_matrix();
  std::vector<KernelTerm> terms;
  Eigen::Index first = 0;
  for (const MultiVector& J : modes.J) {
    const MultiVector N = kernel_output.middleCols(first, J.rows()), B = modes.B.middleRows(first, J.rows());
    first += J.rows();
    if (!N.any() || !B.any()) continue;
    const double mu = J.trace() / static_cast<double>(J.rows());
    const MultiVector deviation = J - mu * MultiVector::Identity(J.rows(), J.cols());
    if (has_one_defective_eigenvalue(deviation, mu)) {
      add_repeated(N, deviation, mu, B, terms);
      continue;
    }
    const DenseEigenpairs pairs = eigenpairs(J);
    const ComplexMultiVector eta = solve_dense(pairs.vectors, B.cast<Complex>());
    for (Eigen::Index k = 0; k < J.rows(); ++k)
      terms.push_back({pairs.values[static_cast<std::size_t>(k)], 0,
                       N.cast<Complex>() * pairs.vectors.col(k) * eta.row(k)});
  }
  return terms;
}

}  // namespace halfdof::internal
