#pragma once

#include <halfdof/base/errors.h>
#include <halfdof/inclusions/interval_pivoting.h>
#include <halfdof/inclusions/projected_gradient.h>
#include <halfdof/inclusions/semismooth_newton.h>

#include <functional>
#include <memory>
#include <optional>

namespace halfdof {

enum class OneStepMethod {
  automatic,
  closed_form,         ///< one inclusion
  gauss_seidel,        ///< alone
  pivoting,            ///< intervals, W as a matrix or with a PrincipalSolver
  newton,              ///< Gauss-Seidel and Newton in turn, W as a matrix
  projected_gradient,  ///< W as an operator
};

/// "closed form", "Gauss-Seidel", "pivoting", "Newton", "projected gradient"
const char* name_of(OneStepMethod method);

struct OneStepOptions {
  OneStepMethod method = OneStepMethod::automatic;
  double tolerance = 1e-12;      ///< of OneStepProblem::residual(), without units; at least least_tolerance
  Index max_iterations = 20000;  ///< sweeps, linear systems or products, whichever the method makes
};

/// What rounding lets a solver reach.
constexpr double least_tolerance = 1e-14;

struct OneStepReport {
  OneStepMethod method = OneStepMethod::automatic;  ///< the one that brought the solution
  Index n_iterations = 0;                           ///< of all methods tried
  OneStepProblem::Residual residual;
  bool has_diverged = false;  ///< the iteration ended because reactions became infinite
};

/// No reactions were found. Whatever was passed is as it was before the step.
class NoReactions : public NoConvergence {
 public:
  NoReactions(const std::string& message, double residual, std::string inclusion)
      : NoConvergence(message, residual), inclusion_(std::move(inclusion)) {}

  /// Name of the inclusion with the largest residual.
  const std::string& inclusion() const { return inclusion_; }

 private:
  std::string inclusion_;
};

/**
 * Solves one step, w = W r + b with the laws of all inclusions (OneStepProblem), again and again with the
 * same W:
 *
 * @code
 * OneStepSolver solver(OneStepProblem(laws, W));
 * LawsAtTime now = solver.problem().laws_at(t, states);
 * solver.solve(now, b, r, w);
 * states = solver.problem().states(now, b, r, w);
 * @endcode
 *
 * Which method serves:
 * one inclusion: its law's exact solution;
 * intervals (dry friction, unilateral contact): pivoting, which is exact and indifferent to stiffness, after
 * Gauss-Seidel where W is sparse and weakly coupled;
 * others: Gauss-Seidel, and Newton's method where the sweeps that would be left cost more; where reactions
 * balance one another (a singular W) and thresholds follow them, motions depend on how they are shared: the
 * shares are those of equal relative compliances, whatever the reactions to start from, unless the laws do
 * not admit these; W as an operator: the accelerated projected gradient method; with a PrincipalSolver only
 * where inclusions are weakly coupled, otherwise pivoting.
 *
 * The workspace is kept from call to call, and so are the factors of the last set of free inclusions; they
 * speed up the next call and do not change its result.
 */
class OneStepSolver {
 public:
  /// @throws InvalidInput if the method does not fit the problem, or an option is out of range
  explicit OneStepSolver(OneStepProblem problem, OneStepOptions options = {});
  OneStepSolver(const OneStepSolver&) = delete;
  OneStepSolver& operator=(const OneStepSolver&) = delete;

  const OneStepProblem& problem() const { return problem_; }
  /// The largest residual of a solution that rounding keeps from the tolerance, for instance where contacts
  /// that depend on each other hold displacements whose differences over a step are small; 0: none.
  double largest_residual() const { return largest_residual_; }
  /// Whether inclusions hardly move one another: of a W that is an operator.
  bool is_weakly_coupled() const;

  /**
   * @param laws from problem().laws_at(); Law::reconsider() may change the parameters (static friction that
   * breaks)
   * @param b rates or gaps without reactions, n_columns() entries
   * @param r on entry the reactions to start from, those of the last step; on return the solution
   * @param w W r + b
   * @throws NoReactions if the residual stays above the tolerance: r, w and laws are then unchanged;
   *     InvalidInput if b or r have the wrong length or are not finite
   */
  OneStepReport solve(LawsAtTime& laws, const Vector& b, Vector& r, Vector& w);
  /// The same with a b that is the difference of larger numbers: residuals above the tolerance are taken that
  /// their rounding explains.
  /// @param rounding of b, n_columns() entries; computed where the tolerance is not met
  OneStepReport solve(LawsAtTime& laws, const Vector& b, Vector& r, Vector& w,
                      const std::function<Vector()>& rounding);
  /// Rates of the last solution that are rest to laws that reconsider, n_columns() entries; empty: none
  const Vector& rest() const { return rest_; }

 private:
  OneStepReport solve_once(const LawsAtTime& laws, const Vector& b);
  OneStepReport solve_single(const LawsAtTime& laws, const Vector& b);
  OneStepReport solve_intervals(const LawsAtTime& laws, const Vector& b);
  OneStepReport solve_any(const LawsAtTime& laws, const Vector& b);
  OneStepReport solve_any_from(const LawsAtTime& laws, const Vector& b, Vector& r);
  OneStepReport solve_redundant(const LawsAtTime& laws, const Vector& b);
  bool are_admitted(const LawsAtTime& laws, const Vector& r) const;
  double admitted_length(const LawsAtTime& laws, const Vector& b, const Vector& r, const Vector& d) const;
  bool reconsider(LawsAtTime& laws, const std::function<Vector()>& rounding);
  bool pushes_without_bound(Index i) const;
  std::string contradiction(const Vector& b) const;
  void check(const LawsAtTime& laws, const Vector& b, const Vector& r) const;
  [[noreturn]] void fail(const OneStepReport& report, const Vector& b) const;

  OneStepProblem problem_;
  OneStepOptions options_;
  Vector r_, w_, rest_;
  LawsAtTime laws_;
  std::vector<ContactState> found_;
  double largest_residual_ = 0;
  GaussSeidel gauss_seidel_;
  std::optional<IntervalPivoting> pivoting_;
  std::optional<SemismoothNewton> newton_;
  std::optional<ProjectedGradient> gradient_;
  std::unique_ptr<OneStepSolver> compliant_;  ///< of a redundant problem, which shares its reactions
};

}  // namespace halfdof
