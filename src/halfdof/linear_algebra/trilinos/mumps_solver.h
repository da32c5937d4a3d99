#pragma once

#include <halfdof/linear_algebra/trilinos/direct_solver.h>
#include <halfdof/linear_algebra/trilinos/mumps_instance.h>

#include <memory>
#include <vector>

namespace halfdof::trilinos {

/**
 * Factorizes matrices of one pattern with MUMPS. Matrix, right-hand sides and solutions stay distributed
 * (ICNTL(18) = 3, ICNTL(20) = 10, ICNTL(21) = 1); symmetric matrices hand over their lower triangle only.
 * During the analysis MUMPS brings the row and column numbers, without values, to the first process, orders
 * them and releases them. An analysis in parallel takes PT-Scotch or ParMETIS, without which Debian builds
 * MUMPS 5.5.1: beyond two million rows the automatic choice iterates instead (iterate_krylov()).
 *
 * The ordering is computed once for a pattern. A factorization that has been dropped leaves its analysis
 * behind for the next one.
 */
template <class Scalar>
class MumpsSolver {
 public:
  /// @param ordering Used if it is known, filled otherwise.
  MumpsSolver(PatternPtr pattern, MumpsSymmetry symmetry, std::shared_ptr<Ordering> ordering);
  ~MumpsSolver();
  MumpsSolver(MumpsSolver&&) noexcept;
  MumpsSolver& operator=(MumpsSolver&&) noexcept;

  /**
   * Collective. MumpsSymmetry::definite means positive definite; nothing is returned where the matrix turns
   * out not to be, and SingularMatrix is not thrown then.
   *
   * @param values One for each entry of the pattern on this process, finite.
   * @throws SingularMatrix
   */
  ReportedFactorizationPtr<Scalar> factorize(const std::vector<Scalar>& values);

  /// Entries of the factors that the analysis predicts. Collective.
  double n_factor_entries();

  /// Memory of the process that needs most, as the analysis predicts it [bytes]. Collective.
  double predicted_memory();

  /// Gives back what a dropped factorization has left behind.
  void drop_idle();

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace halfdof::trilinos
