// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/errors.h>
#include <halfdof/inclusions/law.h>

#include <Eigen/SparseCore>

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace halfdof {

/// Bound of the rounding error of each term of the sums that give rates and gaps, relative to the term.
inline constexpr double rounding_of_a_term = 8 * std::numeric_limits<double>::epsilon();

/// Returns the parameters of the law. @throws InvalidInput with the name of the inclusion if a parameter is
/// out of range
LawParameters parameters_of(const NamedLaw& named, double time, ContactState before);

/// Checks that the problem of a time step has a unique solution.
/// @param W the Delassus matrix of a step; its rows are either all rates or all displacements
/// @throws NotAvailable if the rates w of laws that weaken with the rate would jump jointly; the message
/// gives a step length that is short enough
void check_single_valued(const std::vector<NamedLaw>& laws, const MultiVector& W);

/// Solves linear systems with principal submatrices W_FF of a Delassus matrix W that is given as an operator,
/// where F is a set of columns of W.
class PrincipalSolver {
 public:
  virtual ~PrincipalSolver() = default;
  /// Factorizes W_FF. @param F in ascending order @return whether W_FF is regular
  virtual bool factorize(const std::vector<Index>& F) = 0;
  /// Replaces `right` by W_FF^{-1} right, with the set F of the last call of factorize(). Shape: the size of
  /// F
  virtual void solve(Eigen::Ref<Vector> right) const = 0;
};

/// The data of the laws in one time step. Each vector has one entry for each inclusion.
struct LawsAtTime {
  std::vector<LawParameters> parameters;
  std::vector<ContactState>
      before;  ///< contact states at the start of the step, the first guess of active sets
  /// Whether the reaction is an unknown of this step. Inclusions that are not active, such as open contacts,
  /// have r = 0.
  std::vector<bool> is_active;
};

/**
 * The problem of one time step after elimination of the structure:
 * @f[ w = W r + b, \qquad (w_i, r_i) \in \mathcal G_i(t) \ \text{ for each inclusion } i, \qquad (1) @f]
 * with the Delassus matrix W (m x m, m small) of the step, reactions r, rates or gaps w, the rates or gaps b
 * without reactions, and the graphs G_i of the laws. Inclusion i has law(i).dimension() consecutive entries
 * of w, r and b. W may be unsymmetric. W is given as a matrix, or for large m as an operator with its
 * diagonal blocks.
 *
 * The natural map measures how well a pair (w, r) satisfies the law of each inclusion i, by a residual
 * without units,
 * @f[ \epsilon_i = \frac{|r_i - R_i(r_i - \rho_i w_i)|}
 *                       {|r_i| + \rho_i\,|\,|b_i| + (|W|\,|r|)_i\,|}, \qquad
 *     \rho_i = \frac{d_i}{\mathrm{tr}\,W_{ii}}, \qquad \epsilon = \max_i \epsilon_i, \qquad (2) @f]
 * where R_i is the resolvent of the law, W_ii the diagonal block of W and d_i its size. Rounding errors are
 * relative to the denominator, so that epsilon is a componentwise backward error, which a stable solver
 * reduces to 1e-14 whatever the condition number of W.
 * (For an operator |W| is not available, and |W r| replaces |W| |r|.)
 *
 * If the reaction of a law decreases steeply with the rate, (1) may have several solutions, and w may jump;
 * see check_single_valued().
 */
class OneStepProblem {
 public:
  using Operator = std::function<void(const Vector& r, Vector& Wr)>;

  /// Replaces W by its symmetric part if W is symmetric to rounding, |W_ij - W_ji| <= 1e-13 sqrt(W_ii W_jj).
  /// @throws InvalidInput if the size of W is not the sum of the dimensions, an entry is not finite, or the
  ///     symmetric part of a diagonal block is not positive definite: no DoF on which the inclusion acts can
  ///     move
  OneStepProblem(std::vector<NamedLaw> laws, const MultiVector& W);

  /// Constructs a problem with an operator. @param W a linear function @param diagonal_blocks diagonal blocks
  /// of W, one d x d block for each inclusion
  /// @param principal a solver that the method of pivoting needs if W is an operator
  OneStepProblem(std::vector<NamedLaw> laws, Operator W, std::vector<LocalMatrix> diagonal_blocks,
                 std::shared_ptr<PrincipalSolver> principal = nullptr);

  Index n_inclusions() const { return static_cast<Index>(laws_.size()); }
  /// Number of entries of w, r and b.
  Index n_columns() const { return n_columns_; }
  Index first_column(Index inclusion) const { return first_[static_cast<std::size_t>(inclusion)]; }
  Index dimension(Index inclusion) const {
    return first_[static_cast<std::size_t>(inclusion) + 1] - first_[static_cast<std::size_t>(inclusion)];
  }

  const Law& law(Index inclusion) const { return *laws_[static_cast<std::size_t>(inclusion)].law; }
  const std::string& name(Index inclusion) const { return laws_[static_cast<std::size_t>(inclusion)].name; }
  /// The law if its reaction is confined to an interval; otherwise null.
  const IntervalLaw* interval_law(Index inclusion) const {
    return intervals_[static_cast<std::size_t>(inclusion)];
  }
  /// Whether the reactions of all laws are confined to intervals.
  bool has_only_intervals() const { return has_only_intervals_; }

  const LocalMatrix& diagonal_block(Index inclusion) const {
    return blocks_[static_cast<std::size_t>(inclusion)];
  }
  /// The scaling factor rho_i of the natural map (2), an inverse mean diagonal entry of W_ii.
  double rho(Index inclusion) const { return rho_[static_cast<std::size_t>(inclusion)]; }

  /// Whether W is given by its entries. The functions from matrix() to precision_of_response() require it.
  bool has_matrix() const { return !operator_; }
  const MultiVector& matrix() const { return W_; }
  bool is_symmetric() const { return is_symmetric_; }
  /// Whether W is singular, so that some combinations of reactions cause no motion. Above 1000 columns W is
  /// not checked, and the result is false.
  bool is_singular() const;
  /// Returns the problem with an additional compliance in each direction, `part` times its diagonal entry of
  /// W.
  OneStepProblem with_compliance(double part) const;
  /// Whether at least two thirds of the entries of W are negligible to rounding, as in long chains. Products
  /// with W skip negligible entries.
  bool is_sparse() const { return sparse_.has_value(); }
  /// Computes w += W(:, i) change, for the columns of inclusion i. If W is large and dense, its entries are
  /// used in single precision; the error is relative to the change.
  void add_response_to_change(Index inclusion, LocalConstView change, Vector& w) const;
  /// Unit roundoff of the precision in which add_response_to_change() multiplies.
  double precision_of_response() const;

  /// The solver for principal submatrices that the constructor was given, or null.
  PrincipalSolver* principal() const { return principal_.get(); }
  /// Computes Wr = W r.
  void multiply(const Vector& r, Vector& Wr) const;

  /// Returns the data of the laws at a time, with all inclusions active. @param before states() of the last
  /// step, or empty at the start
  LawsAtTime laws_at(double time, const std::vector<ContactState>& before = {}) const;
  /// As laws_at(), but overwrites existing data.
  void set_laws_at(double time, const std::vector<ContactState>& before, LawsAtTime& laws) const;

  struct Residual {
    double value = 0;  ///< epsilon of equation (2)
    Index worst = 0;   ///< inclusion with the largest epsilon_i
  };
  /// Computes the residual (2), and w = W r + b.
  Residual residual(const LawsAtTime& laws, const Vector& b, const Vector& r, Vector& w) const;

  /// Whether w and r satisfy the laws up to the tolerance of the residual (2), rounding errors of the
  /// products with W, and rounding errors of b. The last call of residual() must have had the arguments b and
  /// r, and have returned w.
  /// @param rounding rounding errors of b, n_columns() entries; an empty vector means that b is exact
  bool obeys_to_rounding(const LawsAtTime& laws, const Vector& r, const Vector& w, double tolerance,
                         const Vector& rounding) const;

  /// Returns the contact state of each inclusion. An inclusion with |w| <= 1e-10 (|b| + |W||r|) counts as at
  /// rest.
  std::vector<ContactState> states(const LawsAtTime& laws, const Vector& b, const Vector& r,
                                   const Vector& w) const;
  /// As states(), but overwrites existing states. The last call of residual() must have had the arguments b
  /// and r.
  /// @param rest increase of the bound of |w| below which an inclusion counts as at rest, n_columns()
  /// entries; an empty vector means no increase
  void set_states(const LawsAtTime& laws, const Vector& r, const Vector& w, std::vector<ContactState>& states,
                  const Vector& rest = {}) const;
  /// Whether Law::may_reconsider() holds for any law.
  bool may_reconsider() const { return may_reconsider_; }

 private:
  /// Constructs the members that do not depend on W. The reference to the laws delays the move of the laws
  /// until both arguments are evaluated, in either order.
  OneStepProblem(std::vector<NamedLaw>&& laws, std::vector<LocalMatrix> blocks);
  void find_sparsity();
  void multiply_with_magnitudes(const Vector& b, const Vector& r, Vector& w) const;

  std::vector<NamedLaw> laws_;
  std::vector<const IntervalLaw*> intervals_;
  std::vector<Index> first_;
  Index n_columns_ = 0;
  bool may_reconsider_ = false;
  bool has_only_intervals_ = true;
  std::vector<LocalMatrix> blocks_;
  std::vector<double> rho_;

  Operator operator_;
  std::shared_ptr<PrincipalSolver> principal_;
  MultiVector W_;
  Eigen::MatrixXf single_;  ///< rho_i W in single precision, for fast sweeps, if W is large and dense
  bool is_symmetric_ = false;
  std::optional<Eigen::SparseMatrix<double>> sparse_;  ///< W without negligible entries, if is_sparse()

  mutable Vector magnitude_;  ///< |b| + |W||r| of the last call of residual()
};

enum class OneStepMethod {
  automatic,
  closed_form,         ///< exact solution of the law, for one inclusion
  gauss_seidel,        ///< only Gauss-Seidel sweeps
  pivoting,            ///< for laws with intervals, W as a matrix or with a PrincipalSolver
  newton,              ///< alternates Gauss-Seidel and Newton, W as a matrix
  projected_gradient,  ///< accelerated projected gradient method, for W as an operator
};

/// Returns "automatic", "closed form", "Gauss-Seidel", "pivoting", "Newton" or "projected gradient".
const char* name_of(OneStepMethod method);

struct OneStepOptions {
  OneStepMethod method = OneStepMethod::automatic;
  double tolerance = 1e-12;      ///< largest OneStepProblem::residual(); at least least_tolerance
  Index max_iterations = 20000;  ///< limit of sweeps, linear systems or products
};

/// The smallest residual that a solver can reach in spite of rounding.
constexpr double least_tolerance = 1e-14;

struct OneStepReport {
  OneStepMethod method = OneStepMethod::automatic;  ///< the method that found the solution
  Index n_iterations = 0;                           ///< number of iterations of all methods tried
  OneStepProblem::Residual residual;
  bool has_diverged = false;  ///< the iteration ended because reactions became infinite
};

/// The error if no reactions of a time step were found. The arguments of OneStepSolver::solve() are unchanged
/// then.
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
 * Solves the problem of a time step, w = W r + b with the laws of all inclusions (OneStepProblem), for any
 * number of steps with the same W:
 *
 * @code
 * OneStepSolver solver(OneStepProblem(laws, W));
 * LawsAtTime now = solver.problem().laws_at(t, states);
 * solver.solve(now, b, r, w);
 * states = solver.problem().states(now, b, r, w);
 * @endcode
 *
 * The method is chosen automatically:
 * - for one inclusion, the exact solution of its law;
 * - for interval laws (dry friction, unilateral contact), pivoting, which is exact and whose cost does not
 *   depend on the condition number of W; if W is sparse, a few Gauss-Seidel sweeps are tried first;
 * - for other laws, Gauss-Seidel sweeps, and Newton's method if the remaining sweeps would cost more. If W is
 *   singular, only combinations of some reactions are determined, but thresholds may depend on the single
 *   reactions; the solver then returns the reactions of inclusions with equal relative compliances, whatever
 *   the initial reactions, unless the laws do not admit these reactions;
 * - for W as an operator, the accelerated projected gradient method; with a PrincipalSolver this method is
 *   tried only if inclusions are weakly coupled, and pivoting is used otherwise.
 *
 * The solver stores the factors of the last set of free inclusions, which speed up the next call and do not
 * change its result.
 */
class OneStepSolver {
 public:
  /// @throws InvalidInput if the method does not fit the problem, or an option is out of range
  explicit OneStepSolver(OneStepProblem problem, OneStepOptions options = {});
  ~OneStepSolver();
  OneStepSolver(const OneStepSolver&) = delete;
  OneStepSolver& operator=(const OneStepSolver&) = delete;

  const OneStepProblem& problem() const { return problem_; }
  /// The largest residual of all solutions that did not reach the tolerance, but were accepted because
  /// rounding errors explain their residual; 0 if there was no such solution. An example are contacts whose
  /// directions are linearly dependent and whose displacements change little within a step.
  double largest_residual() const { return largest_residual_; }
  /// Whether the reaction of an inclusion hardly moves other inclusions. The result is false unless W is an
  /// operator.
  bool is_weakly_coupled() const;

  /**
   * Solves the step.
   * @param laws from problem().laws_at(); Law::reconsider() may change the parameters (static friction whose
   * threshold is exceeded)
   * @param b rates or gaps without reactions, n_columns() entries
   * @param r on entry the reactions to start from, those of the last step; on return the solution
   * @param w W r + b
   * @throws NoReactions if the residual stays above the tolerance: r, w and laws are then unchanged;
   *     InvalidInput if b or r have the wrong length or are not finite
   */
  OneStepReport solve(LawsAtTime& laws, const Vector& b, Vector& r, Vector& w);
  /// Solves the step for a b that is the difference of larger numbers: a residual above the tolerance is
  /// accepted if the rounding errors of these numbers explain it.
  /// @param rounding returns the rounding errors of b, n_columns() entries; called only if the tolerance is
  /// not reached or a law may reconsider its parameters
  OneStepReport solve(LawsAtTime& laws, const Vector& b, Vector& r, Vector& w,
                      const std::function<Vector()>& rounding);
  /// Bounds below which rates of the last solution counted as zero in Law::reconsider(), n_columns() entries.
  /// The vector is empty if no rounding errors were given.
  const Vector& rest() const { return rest_; }

 private:
  OneStepReport solve_once(const LawsAtTime& laws, const Vector& b);
  OneStepReport solve_single(const LawsAtTime& laws, const Vector& b);
  OneStepReport solve_intervals(const LawsAtTime& laws, const Vector& b);
  OneStepReport solve_general(const LawsAtTime& laws, const Vector& b);
  OneStepReport solve_general_from(const LawsAtTime& laws, const Vector& b, Vector& r);
  OneStepReport solve_with_singular_matrix(const LawsAtTime& laws, const Vector& b);
  bool are_admitted(const LawsAtTime& laws, const Vector& r) const;
  double admitted_length(const LawsAtTime& laws, const Vector& b, const Vector& r, const Vector& d) const;
  bool reconsider(LawsAtTime& laws, const std::function<Vector()>& rounding);
  bool is_unbounded(Index i) const;
  std::string contradiction_message(const Vector& b) const;
  void check(const LawsAtTime& laws, const Vector& b, const Vector& r) const;
  [[noreturn]] void fail(const OneStepReport& report, const Vector& b) const;

  OneStepProblem problem_;
  OneStepOptions options_;
  Vector r_, w_, rest_;
  LawsAtTime laws_;
  std::vector<ContactState> found_;
  double largest_residual_ = 0;
  /// The solvers that the method uses.
  struct Solvers;
  std::unique_ptr<Solvers> solvers_;
  /// If W is singular, the solver of the problem with an additional compliance, whose reactions are unique.
  std::unique_ptr<OneStepSolver> compliant_;
};

}  // namespace halfdof
