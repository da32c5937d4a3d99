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

/// Rounding error, relative to the term, of each term of the sums that laws constrain (rates and gaps).
inline constexpr double rounding_of_a_term = 8 * std::numeric_limits<double>::epsilon();

/// Returns the parameters of the law. @throws InvalidInput with the name of the inclusion if a parameter is
/// out of range
LawParameters parameters_of(const NamedLaw& named, double time, ContactState before);

/// Checks that the problem of a step has a unique solution.
/// @param W the Delassus matrix of a step; its rows are either all rates or all displacements
/// @throws NotAvailable if laws that weaken would let w jump jointly; the message gives a
/// step length that is short enough
void check_single_valued(const std::vector<NamedLaw>& laws, const MultiVector& W);

/// Solves systems with principal submatrices W_FF, F a set of columns, of a W that is an operator.
class PrincipalSolver {
 public:
  virtual ~PrincipalSolver() = default;
  /// Prepares solves with W_FF. @param F in ascending order @return whether W_FF is regular
  virtual bool factorize(const std::vector<Index>& F) = 0;
  /// Replaces `right` by W_FF^{-1} right for the last F. Shape: the size of F
  virtual void solve(Eigen::Ref<Vector> right) const = 0;
};

/// The data of the laws that change from step to step, one entry for each inclusion.
struct LawsAtTime {
  std::vector<LawParameters> parameters;
  std::vector<ContactState> before;  ///< states at the start of the step: the first guess of active sets
  /// Whether the law is solved in this step. Inclusions that are not active, such as open contacts, have
  /// r = 0.
  std::vector<bool> is_active;
};

/**
 * The problem of one time step after elimination of the structure:
 * @f[ w = W r + b, \qquad (w_i, r_i) \in \mathcal G_i(t) \ \text{ for each inclusion } i, \qquad (1) @f]
 * with the Delassus matrix W (m x m, m small) of the step. Inclusion i has law(i).dimension() neighbouring
 * entries of w, r and b. W may be unsymmetric. It is given as a matrix, or for large m as an operator with
 * its diagonal blocks.
 *
 * The natural map measures how well a pair (w, r) satisfies the laws, for each inclusion and without units:
 * @f[ \epsilon_i = \frac{|r_i - R_i(r_i - \rho_i w_i)|}
 *                       {|r_i| + \rho_i\,|\,|b_i| + (|W|\,|r|)_i\,|}, \qquad
 *     \rho_i = \frac{d_i}{\mathrm{tr}\,W_{ii}}, \qquad \epsilon = \max_i \epsilon_i, \qquad (2) @f]
 * where R_i is the resolvent of the law. Rounding errors are relative to the denominator, so that epsilon is
 * a componentwise backward error, which a stable solver reduces to 1e-14 however ill conditioned W may be.
 * (For an operator |W| is not available, and |W r| replaces |W| |r|.)
 *
 * Laws that weaken may let w jump: (1) then has several solutions, see check_single_valued().
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
  /// @param principal allows pivoting with an operator
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
  bool has_only_intervals() const { return has_only_intervals_; }

  const LocalMatrix& diagonal_block(Index inclusion) const {
    return blocks_[static_cast<std::size_t>(inclusion)];
  }
  /// rho_i of equation (2).
  double rho(Index inclusion) const { return rho_[static_cast<std::size_t>(inclusion)]; }

  /// Whether W is given by its entries, which the following seven functions require.
  bool has_matrix() const { return !operator_; }
  const MultiVector& matrix() const { return W_; }
  bool is_symmetric() const { return is_symmetric_; }
  /// Whether W is singular, so that some combinations of reactions move nothing. Above 1000 columns W is not
  /// checked, and the result is false.
  bool is_singular() const;
  /// Returns the problem with an additional compliance in each direction, `part` times its diagonal entry of
  /// W.
  OneStepProblem with_compliance(double part) const;
  /// Whether most entries of W are negligible to rounding, as in long chains; products skip negligible
  /// entries.
  bool is_sparse() const { return sparse_.has_value(); }
  /// Computes w += W(:, i) change, for the columns of inclusion i. If W is large and dense, its entries are
  /// used in single precision; the error is relative to the change.
  void add_response_to_change(Index inclusion, LocalConstView change, Vector& w) const;
  /// Relative error of add_response_to_change().
  double precision_of_response() const;

  /// The solver that the constructor was given, or null.
  PrincipalSolver* principal() const { return principal_.get(); }
  /// Computes Wr = W r.
  void multiply(const Vector& r, Vector& Wr) const;

  /// Returns the parameters of all laws, with all inclusions active. @param before states() of the last step,
  /// or empty at the start
  LawsAtTime laws_at(double time, const std::vector<ContactState>& before = {}) const;
  /// As laws_at(), but overwrites existing data.
  void set_laws_at(double time, const std::vector<ContactState>& before, LawsAtTime& laws) const;

  struct Residual {
    double value = 0;  ///< epsilon of equation (2)
    Index worst = 0;   ///< inclusion with the largest epsilon_i
  };
  /// Computes the residual (2), and w = W r + b.
  Residual residual(const LawsAtTime& laws, const Vector& b, const Vector& r, Vector& w) const;

  /// Whether the laws are satisfied, up to a tolerance of (2) and to rounding errors of the products with W
  /// and of b, by the arguments b and r of the last call of residual() and the w that it computed.
  /// @param rounding rounding errors of b, n_columns() entries; empty: none
  bool obeys_to_rounding(const LawsAtTime& laws, const Vector& r, const Vector& w, double tolerance,
                         const Vector& rounding) const;

  /// Returns the state of each inclusion; a |w| below 1e-10 (|b| + |W||r|) counts as rest.
  std::vector<ContactState> states(const LawsAtTime& laws, const Vector& b, const Vector& r,
                                   const Vector& w) const;
  /// As states(), but overwrites existing states, for the b and r of the last call of residual().
  /// @param rest additional |w| that counts as rest, n_columns() entries; empty: none
  void set_states(const LawsAtTime& laws, const Vector& r, const Vector& w, std::vector<ContactState>& states,
                  const Vector& rest = {}) const;
  /// Whether Law::may_reconsider() holds for any law.
  bool may_reconsider() const { return may_reconsider_; }

 private:
  /// Takes the laws by reference, so that they are not moved before both arguments are evaluated, in either
  /// order.
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
  Eigen::MatrixXf single_;  ///< rho_i W, if W is large and dense: memory limits the speed of sweeps
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
  projected_gradient,  ///< for W as an operator
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

/// Thrown if no reactions were found. The arguments are then as they were before the step.
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
 * The automatic choice of the method:
 * one inclusion: the exact solution of its law;
 * intervals (dry friction, unilateral contact): pivoting, which is exact and indifferent to stiffness, after
 * Gauss-Seidel where W is sparse and weakly coupled;
 * other laws: Gauss-Seidel, and Newton's method where the remaining sweeps would cost more. If W is singular,
 * some reactions balance one another, and thresholds may depend on how they are shared; then the reactions
 * are shared as for equal relative compliances, whatever the initial reactions, unless the laws do not admit
 * these reactions;
 * W as an operator: the accelerated projected gradient method; with a PrincipalSolver only where inclusions
 * are weakly coupled, otherwise pivoting.
 *
 * The workspace is kept from call to call, and so are the factors of the last set of free inclusions; they
 * speed up the next call and do not change its result.
 */
class OneStepSolver {
 public:
  /// @throws InvalidInput if the method does not fit the problem, or an option is out of range
  explicit OneStepSolver(OneStepProblem problem, OneStepOptions options = {});
  ~OneStepSolver();
  OneStepSolver(const OneStepSolver&) = delete;
  OneStepSolver& operator=(const OneStepSolver&) = delete;

  const OneStepProblem& problem() const { return problem_; }
  /// The largest residual of an accepted solution that did not reach the tolerance because of rounding, for
  /// instance where contacts that depend on each other hold displacements whose differences over a step are
  /// small; 0 if there was none.
  double largest_residual() const { return largest_residual_; }
  /// Whether inclusions hardly move one another; computed only if W is an operator, otherwise false.
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
  /// Bounds below which rates of the last solution counted as rest in Law::reconsider(), n_columns() entries;
  /// empty: none.
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
  /// The solvers that the method uses.
  struct Solvers;
  std::unique_ptr<Solvers> solvers_;
  /// If W is singular: the problem with compliances, which shares the reactions.
  std::unique_ptr<OneStepSolver> compliant_;
};

}  // namespace halfdof
