#pragma once

#include <halfdof/inclusions/law.h>

#include <Eigen/SparseCore>

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace halfdof {

/// Of each of the few terms that make what a law meets.
inline constexpr double rounding_of_a_term = 8 * std::numeric_limits<double>::epsilon();

/// The law of one inclusion, and what messages call it.
struct NamedLaw {
  std::shared_ptr<const Law> law;
  std::string name;
};

/// The numbers of its law. @throws InvalidInput naming the inclusion if one has left its range
LawParameters parameters_of(const NamedLaw& named, double time, ContactState before);

/// @param W the Delassus matrix of a step, all its rows rates or all of them displacements
/// @throws NotAvailable if laws that weaken would let w jump together (joint_weakening()), with a step that
/// would do
void check_single_valued(const std::vector<NamedLaw>& laws, const MultiVector& W);

/// W_FF^{-1} for sets F of columns, of a W that is an operator.
class PrincipalSolver {
 public:
  virtual ~PrincipalSolver() = default;
  /// @param F Ascending @return whether W_FF is regular
  virtual bool factorize(const std::vector<Index>& F) = 0;
  /// Of the last F. Shape: its size
  virtual void solve(Eigen::Ref<Vector> right) const = 0;
};

/// What changes from step to step, one entry for each inclusion.
struct LawsAtTime {
  std::vector<LawParameters> parameters;
  std::vector<ContactState> before;  ///< states at the start of the step: the first guess of active sets
  std::vector<bool> takes_part;      ///< the others have r = 0, a contact that is still apart for instance
};

/**
 * What is left of a time step once the structure has been eliminated:
 * @f[ w = W r + b, \qquad (w_i, r_i) \in \mathcal G_i(t) \ \text{ for each inclusion } i, \qquad (1) @f]
 * with the Delassus matrix W (m x m, m small) of the step. Inclusion i owns law(i).dimension() neighbouring
 * entries of w, r and b. W may be unsymmetric. It is a matrix, or for large m an operator with its diagonal
 * blocks.
 *
 * How well a pair obeys the laws is measured by the natural map, inclusion by inclusion and without units:
 * @f[ \epsilon_i = \frac{|r_i - R_i(r_i - \rho_i w_i)|}
 *                       {|r_i| + \rho_i\,|\,|b_i| + (|W|\,|r|)_i\,|}, \qquad
 *     \rho_i = \frac{d_i}{\mathrm{tr}\,W_{ii}}, \qquad \epsilon = \max_i \epsilon_i, \qquad (2) @f]
 * R_i being the law's resolvent. The denominator is what rounding is relative to: a componentwise backward
 * error, which a stable solver brings to 1e-14 however ill conditioned W may be. (An operator has no |W|; it
 * takes |W r|.)
 *
 * Laws that weaken may let w jump: (1) then has several solutions, see check_single_valued().
 */
class OneStepProblem {
 public:
  using Operator = std::function<void(const Vector& r, Vector& Wr)>;

  /// A W that is symmetric to rounding, |W_ij - W_ji| <= 1e-13 sqrt(W_ii W_jj), is made so.
  /// @throws InvalidInput if the size of W is not the sum of the dimensions, an entry is not finite, or the
  ///     symmetric part of a diagonal block is not positive definite: nothing that the inclusion meets can
  ///     move
  OneStepProblem(std::vector<NamedLaw> laws, const MultiVector& W);

  /// @param W linear @param diagonal_blocks those of W, one d x d block for each inclusion
  /// @param principal lets an operator be pivoted with
  OneStepProblem(std::vector<NamedLaw> laws, Operator W, std::vector<LocalMatrix> diagonal_blocks,
                 std::shared_ptr<PrincipalSolver> principal = nullptr);

  Index n_inclusions() const { return static_cast<Index>(laws_.size()); }
  /// Entries of w, r and b.
  Index n_columns() const { return n_columns_; }
  Index first_column(Index inclusion) const { return first_[static_cast<std::size_t>(inclusion)]; }
  Index dimension(Index inclusion) const {
    return first_[static_cast<std::size_t>(inclusion) + 1] - first_[static_cast<std::size_t>(inclusion)];
  }

  const Law& law(Index inclusion) const { return *laws_[static_cast<std::size_t>(inclusion)].law; }
  const std::string& name(Index inclusion) const { return laws_[static_cast<std::size_t>(inclusion)].name; }
  /// The law, where its reaction is confined to an interval; otherwise null.
  const IntervalLaw* interval_law(Index inclusion) const {
    return intervals_[static_cast<std::size_t>(inclusion)];
  }
  bool has_only_intervals() const { return has_only_intervals_; }

  const LocalMatrix& diagonal_block(Index inclusion) const {
    return blocks_[static_cast<std::size_t>(inclusion)];
  }
  /// rho_i of equation (2).
  double rho(Index inclusion) const { return rho_[static_cast<std::size_t>(inclusion)]; }

  /// Whether W is given by its entries; the following seven functions need that.
  bool has_matrix() const { return !operator_; }
  const MultiVector& matrix() const { return W_; }
  bool is_symmetric() const { return is_symmetric_; }
  /// Whether W is singular, so that reactions that balance one another move nothing; no is said above 1000
  /// columns.
  bool is_redundant() const;
  /// The same with a compliance of each direction more, `part` of its entry on the diagonal of W.
  OneStepProblem with_compliance(double part) const;
  /// Whether most entries are below rounding, as in long chains: products then skip them.
  bool is_sparse() const { return sparse_.has_value(); }
  /// w += W(:, i) change, for the columns of inclusion i. Of a large dense W its entries in single
  /// precision: what differs is relative to the change.
  void add_moved(Index inclusion, LocalConstView change, Vector& w) const;
  /// Relative error of add_moved().
  double precision_of_moved() const;

  /// Null unless it was given.
  PrincipalSolver* principal() const { return principal_.get(); }
  /// Wr = W r.
  void multiply(const Vector& r, Vector& Wr) const;

  /// The parameters of all laws, each taking part. @param before states(), or empty at the very start
  LawsAtTime laws_at(double time, const std::vector<ContactState>& before = {}) const;
  /// The same in the place of others.
  void set_laws_at(double time, const std::vector<ContactState>& before, LawsAtTime& laws) const;

  struct Residual {
    double value = 0;  ///< epsilon
    Index worst = 0;   ///< the inclusion where it arises
  };
  /// Equation (2); w = W r + b is computed on the way.
  Residual residual(const LawsAtTime& laws, const Vector& b, const Vector& r, Vector& w) const;

  /// Whether the b and r that residual() was asked for last, with the w that it found, obey the laws to a
  /// tolerance of (2) and what rounding explains: of products with W, and of b itself.
  /// @param rounding of b, n_columns() entries; empty: none
  bool obeys_to_rounding(const LawsAtTime& laws, const Vector& r, const Vector& w, double tolerance,
                         const Vector& rounding) const;

  /// What each inclusion does, a |w| below 1e-10 (|b| + |W||r|) counting as rest.
  std::vector<ContactState> states(const LawsAtTime& laws, const Vector& b, const Vector& r,
                                   const Vector& w) const;
  /// The same in the place of others, for the b and r that residual() was asked for last.
  /// @param rest |w| that count as rest besides, n_columns() entries; empty: none
  void set_states(const LawsAtTime& laws, const Vector& r, const Vector& w, std::vector<ContactState>& states,
                  const Vector& rest = {}) const;
  /// Whether any law may.
  bool may_reconsider() const { return may_reconsider_; }

 private:
  /// Binds the laws, which stay in place until both arguments are there, in whichever order they are made.
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
  Eigen::MatrixXf single_;  ///< W, where it is large and dense: sweeps are bound by memory
  bool is_symmetric_ = false;
  std::optional<Eigen::SparseMatrix<double>> sparse_;  ///< W

  mutable Vector magnitude_;  ///< |b| + |W||r|
};

}  // namespace halfdof
