#pragma once

#include <halfdof/assembled/free_matrix.h>
#include <halfdof/assembled/given_motion.h>

#include <functional>
#include <memory>
#include <optional>

namespace halfdof {

/**
 * What constraints @f$ A_1 \dot q + A_2 q = b(t) @f$, or the infinite part of a pencil, leave of a system of
 * free DoFs: coordinates in which they hold,
 * @f[ q_f = S \tilde q + o(t) + N \mu, \qquad
 *     Z^T (M_{ff} \ddot q_f + C_{ff} \dot q_f + K_{ff} q_f - F) = 0, \qquad
 *     \dot q_b + R \tilde q = r(t), \qquad (1) @f]
 * with coordinates q_b among the others whose rates, and N mu multipliers whose forces Z does not see. The
 * third equation stands in the rows of q_b, and gives q_b'' where the second has it:
 * @f[ \tilde M \ddot{\tilde q} + \tilde C \dot{\tilde q} + \tilde K \tilde q = Z^T F - w(t). \qquad (2) @f]
 * Found by constraint_coordinates(), or without q_b and mu by weierstrass_coordinates(), on one process.
 */
template <class Engine>
struct ConstrainedForm {
  using Matrix = typename Engine::Matrix;
  using Sparse = Eigen::SparseMatrix<double>;

  Matrix S;          ///< shape: free DoFs x coordinates
  Matrix X;          ///< X^T S = I; o and N are orthogonal to its columns. Shape: as S
  Matrix Z;          ///< null columns for q_b. Shape: as S
  Selection places;  ///< local assembled DoFs at whose places the coordinates stand
  Matrix M, C, K;    ///< of (2)

  GivenMotion given;       ///< u
  TimeCombination offset;  ///< o of u, on the free DoFs
  TimeCombination load;    ///< w of u

  Sparse S_b;                   ///< columns of S that belong to q_b
  Sparse rate_rows;             ///< R
  TimeCombination bound_rates;  ///< r of u

  /// Rows of the equations L^T (...) = 0 that are the constraints: F must vanish there but for b and q_D.
  Sparse L;
  std::vector<bool> is_multiplier;  ///< of local assembled DoFs, whether they take part in one
  /// N mu of what is left of the equations on the free DoFs, F - M q'' - C q' - K q without multipliers.
  std::function<Vector(const Vector& rest)> multipliers;
  /// The transposed of multipliers(): weights of the residuals of equations for weights of N mu. Shapes: free
  /// DoFs x k.
  std::function<MultiVector(const MultiVector& weights)> multiplier_weights;

  /// y of displacements and rates on the free DoFs that need not be consistent; empty: by X^T and M.
  std::function<Vector(const Vector& q, const Vector& v, double time)> states;
  int longest_chain = 4;  ///< of infinite eigenvectors of the pencil with all rates as states, at most

  TimeCombination redundant;                 ///< of u, zero unless constraints contradict one another
  std::vector<std::string> redundant_names;  ///< of its rows
};

/**
 * The assembled system without its constrained DoFs. With f and D the free and the constrained DoFs, the free
 * rows of @f$ M \ddot q + C \dot q + K q = f @f$ are
 * @f[ M_{ff} \ddot q_f + C_{ff} \dot q_f + K_{ff} q_f = F(t), \qquad
 *     F = f_f - M_{fD} \ddot q_D - C_{fD} \dot q_D - K_{fD} q_D. @f]
 * Whatever stands on the diagonal of a constrained DoF (finite-element libraries put invented values there)
 * takes no part. In other coordinates, @f$ q_f = S \tilde q @f$ and @f$ \tilde q = X^T q_f @f$ with
 * @f$ X^T S = I @f$, the matrices are @f$ Z^T M_{ff} S @f$ and so on, and the load is @f$ Z^T F @f$:
 * all other classes see coordinates alone. Where constraints hold, they are those of a ConstrainedForm.
 *
 * Numbering: free; a coordinate stands at the place of a DoF that takes part in it. Stored zeros are dropped.
 * Cheap to copy.
 *
 * @throws InvalidInput if a motion is prescribed, but a derivative of it that the model needs is missing;
 * NotAvailable if the system has a StateForce.
 */
template <class Engine>
class FreeSystem {
 public:
  using Matrix = typename Engine::Matrix;

  explicit FreeSystem(AssembledSystem<Engine> assembled);

  const AssembledSystem<Engine>& assembled() const { return assembled_; }
  const Partition& dofs() const { return M_.rows(); }

  /// The same system in the coordinates of S, X^T S = I, its equations taken by a regular Z. What rounding
  /// leaves of zeros in Z^T K S is dropped, so that it is not taken for stiffness. Shapes: dofs() x dofs().
  /// On one process.
  FreeSystem in_coordinates(const Matrix& S, const Matrix& X, const Matrix& Z) const;
  /// The same system where constraints hold. @param form In the free DoFs; this system is in them, too
  /// @throws InvalidInput if a derivative of a given motion is needed that is missing
  FreeSystem in_coordinates(std::shared_ptr<const ConstrainedForm<Engine>> form) const;
  /// S; nothing where the coordinates are the free DoFs themselves.
  const std::optional<Matrix>& coordinates() const { return S_; }
  /// X of displacements, which X^T takes to coordinates.
  const std::optional<Matrix>& restriction() const { return X_; }
  /// Z, which takes forces to the equations.
  const std::optional<Matrix>& equations() const { return Z_; }
  /// Null where no constraints hold. Those of its coordinates that were changed further are of coordinates().
  const ConstrainedForm<Engine>* constraints() const { return constraints_.get(); }
  /// Of each local free DoF i, the sum of |S_ij X_ij| over some coordinates j: zero where these take no part
  /// in it. On one process.
  Vector participation(const Selection& coordinates) const;
  /// Local assembled DoFs at whose places the coordinates stand, ascending.
  const Selection& places() const { return constraints_ ? constraints_->places : assembled_.free(); }

  /// o(t), or a derivative of it, on the free DoFs. @throws NotAvailable where it was not given
  Vector offset(double time, int derivative = 0) const;
  /// Whether that can be asked for.
  bool has_offset(int derivative) const;

  /// X^T J_f^T x: of displacements of all local assembled DoFs the coordinates. Shapes: columns x k.
  template <class Derived>
  DenseMatrix<typename Derived::Scalar> restrict(const Eigen::MatrixBase<Derived>& x) const {
    using Dense = DenseMatrix<typename Derived::Scalar>;
    const Dense of_free = assembled_.free().restrict(x);
    return X_ ? transposed_product(*X_, of_free) : of_free;
  }
  /// y += J_f S x: adds displacements of the coordinates into vectors of all local assembled DoFs.
  template <class Derived, class Target>
  void add_to(const Eigen::MatrixBase<Derived>& x, Target& y) const {
    assembled_.free().add_to(of_free_dofs(DenseMatrix<typename Derived::Scalar>(x)), y);
  }
  /// S^T w: what coordinates weigh of weights w on displacements of the free DoFs. Shapes: columns x k.
  template <class Scalar>
  DenseMatrix<Scalar> weights_of_coordinates(DenseMatrix<Scalar> w) const {
    return S_ ? transposed_product(*S_, w) : w;
  }
  /// S x.
  template <class Scalar>
  DenseMatrix<Scalar> of_free_dofs(DenseMatrix<Scalar> x) const {
    return S_ ? product(*S_, x) : x;
  }

  /// Z^T J_f^T f of forces on all local assembled DoFs.
  template <class Derived>
  DenseMatrix<typename Derived::Scalar> restrict_forces(const Eigen::MatrixBase<Derived>& f) const {
    return to_equations(DenseMatrix<typename Derived::Scalar>(assembled_.free().restrict(f)));
  }
  /// y += J_f Z x: what forces on assembled DoFs weigh that weigh x in the equations.
  template <class Target>
  void add_weights_to(const MultiVector& x, Target& y) const {
    assembled_.free().add_to(Z_ ? product(*Z_, x) : x, y);
  }
  /// Z^T f of forces on the free DoFs.
  template <class Scalar>
  DenseMatrix<Scalar> to_equations(DenseMatrix<Scalar> f) const {
    return Z_ ? transposed_product(*Z_, f) : f;
  }

  /// Made when they are first asked for, collectively.
  const Matrix& M() const { return M_(); }
  const Matrix& C() const { return C_(); }
  const Matrix& K() const { return K_(); }
  /// The same, to be read by norms and blocks before they are made.
  const FreeMatrix<Engine>& mass() const { return M_; }
  const FreeMatrix<Engine>& damping() const { return C_; }
  const FreeMatrix<Engine>& stiffness() const { return K_; }

  /// Couplings of the equations to the constrained columns.
  const Matrix& M_constrained() const { return M_constrained_; }
  const Matrix& C_constrained() const { return C_constrained_; }
  const Matrix& K_constrained() const { return K_constrained_; }

  /// Whether M, C and K are symmetric up to rounding, FactorizationOptions::symmetry_tolerance. Collective.
  bool is_symmetric() const;

  /// The same system without the columns of M and of C that are not kept; one flag for each local free DoF.
  /// Of a symmetric matrix the rows go too, so that it stays symmetric. Collective.
  FreeSystem keep_columns(const std::vector<bool>& keep_mass, const std::vector<bool>& keep_damping) const;

  /// The same system with K + A. Shape of A: dofs() x dofs().
  FreeSystem with_added_stiffness(const Matrix& A) const;

  /// F(t) on the free DoFs; Z^T F - w(t) where constraints hold.
  /// @throws InvalidInput if constraints contradict one another; NotAvailable if a load acts on multipliers
  Vector load(double time) const;
  /// The same of another load in the place of f(t). Shape: local assembled DoFs.
  Vector load(Vector other, double time) const;
  /// F'(t). @throws NotAvailable without the load rate, or without the next derivative of a
  /// prescribed motion that loads the free rows.
  Vector load_rate(double time) const;

  /// Which of "q_D", "q_D'", "q_D''" load the free rows.
  std::vector<std::string> needed_prescribed() const;

  /// "DoF 17 (...)" of a local free DoF, in assembled numbering: that at whose place a coordinate stands.
  std::string describe(Index local_free) const;
  GlobalIndex assembled_index(Index local_free) const;

 private:
  template <class Scalar>
  static DenseMatrix<Scalar> product(const Matrix& A, const DenseMatrix<Scalar>& x) {
    DenseMatrix<Scalar> y = DenseMatrix<Scalar>::Zero(A.rows().n_local(), x.cols());
    A.add_product(Scalar(1), x, y);
    return y;
  }
  template <class Scalar>
  static DenseMatrix<Scalar> transposed_product(const Matrix& A, const DenseMatrix<Scalar>& x) {
    DenseMatrix<Scalar> y = DenseMatrix<Scalar>::Zero(A.columns().n_local(), x.cols());
    A.add_transposed_product(Scalar(1), x, y);
    return y;
  }
  void check_constraints(const Vector& load, double time) const;

  AssembledSystem<Engine> assembled_;
  FreeMatrix<Engine> M_, C_, K_;
  Matrix M_constrained_, C_constrained_, K_constrained_;
  std::optional<Matrix> S_, X_, Z_;
  std::shared_ptr<const ConstrainedForm<Engine>> constraints_;
  bool needs_value_ = false, needs_rate_ = false, needs_acceleration_ = false;
};

}  // namespace halfdof
