#include <halfdof/linear_algebra/dense_eigenvalues.h>
#include <halfdof/linear_algebra/dense_solves.h>
#include <halfdof/memory/kernel_terms.h>

namespace halfdof {

KernelTerms kernel_terms(const MemoryEquation& equation) {
  const ContactModes& modes = equation.modes();
  const MultiVector N = equation.kernel_reading();
  KernelTerms terms;
  Eigen::Index first = 0;
  for (const MultiVector& J : modes.J) {
    const MultiVector of_block = N.middleCols(first, J.rows()), B = modes.B.middleRows(first, J.rows());
    first += J.rows();
    if (!of_block.any() || !B.any()) continue;
    const DenseEigenpairs pairs = eigenpairs(J);
    const ComplexMultiVector eta = solve_dense(pairs.vectors, B.cast<Complex>());
    for (Eigen::Index k = 0; k < J.rows(); ++k) {
      terms.eigenvalues.push_back(pairs.values[static_cast<std::size_t>(k)]);
      terms.residues.emplace_back(of_block.cast<Complex>() * pairs.vectors.col(k) * eta.row(k));
    }
  }
  return terms;
}

}  // namespace halfdof
