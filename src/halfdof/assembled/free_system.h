// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/free_matrix.h>
#include <halfdof/assembled/given_motion.h>

#include <functional>
#include <memory>
#include <optional>

namespace halfdof::internal {

/**
 * A system of free DoFs in coordinates in which constraints @f$ A_1 \dot q + A_2 q = b(t) @f$ (or the
 * equations of the infinite eigenvalues of a pencil) are satisfied identically:
 * @f[ q_f = S \tilde q + o(t) + N \mu, \qquad
 *     Z^T (M_{ff} \ddot q_f + C_{ff} \dot q_f + K_{ff} q_f - F) = 0, \qquad
 *     \dot q_b + R \tilde q = r(t). \qquad (1) @f]
 * The coordinates q_b are a part of q~, and their rates are constrained by the third equation. The products N
 * mu are the values of multipliers; Z^T eliminates the forces of the multipliers from the second equation.
 * The rows of q_b in the second equation are zero and are replaced by the third equation; the time derivative
 * of the third equation eliminates q_b'' from the other rows:
 * @f[ \tilde M \ddot{\tilde q} + \tilde C \dot{\tilde q} + \tilde K \tilde q = Z^T F - w(t). \qquad (2) @f]
 * The function constraint_coordinates() computes the form, and weierstrass_coordinates() computes a form
 * without q_b and mu. Both functions work on one process.
 */
template <class Engine>
struct ConstrainedForm {
  using Matrix = typename Engine::Matrix;
  using Sparse = Eigen::SparseMatrix<double>;

  Matrix S;          ///< shape: free DoFs x coordinates
  Matrix X;          ///< left inverse of S: X^T S = I, X^T o = 0 and X^T N = 0. Shape: as S
  Matrix Z;          ///< null columns for q_b. Shape: as S
  Selection places;  ///< for each coordinate, the local assembled DoF whose number the coordinate has
  Matrix M, C, K;    ///< the matrices of (2)

  GivenMotion given;       ///< u, the prescribed motions and right sides
  TimeCombination offset;  ///< o in terms of u, on the free DoFs
  TimeCombination load;    ///< w in terms of u

  Sparse S_b;                         ///< columns of S that belong to q_b
  Sparse rate_rows;                   ///< R
  TimeCombination constrained_rates;  ///< r in terms of u

  /// The rows of L^T are the linear combinations of the equations of free DoFs that are constraints: L^T C
  /// and L^T K are the coefficients A_1 and A_2, and L^T F is the right side, which must contain only b and
  /// terms of q_D.
  Sparse L;
  std::vector<bool> is_multiplier;  ///< for each local assembled DoF, whether N has an entry there
  /// Computes N mu from the residual F - M q'' - C q' - K q on the free DoFs, evaluated without multipliers.
  std::function<Vector(const Vector& rest)> multipliers;
  /// The transpose of multipliers(): maps weights of N mu to weights of the residuals. Shapes: free DoFs x k.
  std::function<MultiVector(const MultiVector& weights)> residual_weights;

  /// Computes the state y from displacements and rates on the free DoFs that need not be consistent; if
  /// empty, y is computed with X^T and M.
  std::function<Vector(const Vector& q, const Vector& v, double time)> states;
  /// Upper bound on the length of Jordan chains of the infinite eigenvalue of the companion pencil
  int longest_chain = 4;

  TimeCombination redundant;  ///< residuals of redundant constraints in terms of u; zero if none contradicts
  std::vector<std::string> redundant_names;  ///< names of the rows of `redundant`
};

/**
 * The assembled system without its constrained DoFs. With the index f for free and the index D for
 * constrained DoFs, the free rows of @f$ M \ddot q + C \dot q + K q = f @f$ are
 * @f[ M_{ff} \ddot q_f + C_{ff} \dot q_f + K_{ff} q_f = F(t), \qquad
 *     F = f_f - M_{fD} \ddot q_D - C_{fD} \dot q_D - K_{fD} q_D. @f]
 * The diagonal entries of constrained DoFs are not used (finite-element libraries put arbitrary values
 * there). A FreeSystem may have other coordinates than the free DoFs: @f$ q_f = S \tilde q @f$ and
 * @f$ \tilde q = X^T q_f @f$ with @f$ X^T S = I @f$. Its equations are then multiplied by a matrix
 * @f$ Z^T @f$, so that its matrices are @f$ Z^T M_{ff} S @f$, @f$ Z^T C_{ff} S @f$ and @f$ Z^T K_{ff} S @f$,
 *     and its load is @f$ Z^T F @f$. All other classes work in the coordinates of a FreeSystem. In systems
 *     with constraints, the coordinates are the coordinates of a ConstrainedForm.
 *
 * Numbering: free. Each coordinate has the number of a DoF on which its column of S is not zero. Stored
 * zeros are dropped. Copying is cheap.
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

  /// Transforms the system to the coordinates of S, X^T S = I, and multiplies its equations by a regular Z^T.
  /// Entries of Z^T K S that are zero up to rounding are dropped, so that they do not count as stiffness.
  /// Shapes: dofs() x dofs(). For one process.
  FreeSystem in_coordinates(const Matrix& S, const Matrix& X, const Matrix& Z) const;
  /// Transforms the system to coordinates in which constraints are satisfied.
  /// @param form The form whose matrices S, X and Z refer to the free DoFs; the coordinates of this system
  ///     must be the free DoFs
  /// @throws InvalidInput if a needed derivative of a given motion is missing
  FreeSystem in_coordinates(std::shared_ptr<const ConstrainedForm<Engine>> form) const;
  /// Returns S, or no value if the coordinates are the free DoFs.
  const std::optional<Matrix>& coordinates() const { return S_; }
  /// Returns X, whose transpose maps displacements to coordinates, or no value if the coordinates are the
  /// free DoFs.
  const std::optional<Matrix>& restriction() const { return X_; }
  /// Returns Z, whose transpose maps forces to the equations, or no value if the coordinates are the free
  /// DoFs.
  const std::optional<Matrix>& equations() const { return Z_; }
  /// Returns the form of the constraints, or a null pointer if the system has no constraints. After a further
  /// change of coordinates, the members `load` and `rate_rows` of the form refer to the new coordinates, but
  /// S, X and Z do not: use coordinates(), restriction() and equations().
  const ConstrainedForm<Engine>* constraints() const { return constraints_.get(); }
  /// Returns for each local free DoF i the participation of the given coordinates j in this DoF, the sum of
  /// |S_ij X_ij| over j. The sum is zero if no given coordinate moves DoF i. For one process.
  Vector participation(const Selection& coordinates) const;
  /// Returns the local assembled DoFs whose numbers the coordinates have, in ascending order.
  const Selection& places() const { return constraints_ ? constraints_->places : assembled_.free(); }

  /// Returns o(t) or a time derivative of it on the free DoFs. @throws NotAvailable if a needed derivative of
  /// a given motion is missing
  Vector offset(double time, int derivative = 0) const;
  /// Whether all given functions are available that the derivative of o(t) of this order needs.
  bool has_offset(int derivative) const;

  /// Returns X^T J_f^T x, where J_f^T selects the free DoFs: the coordinates of displacements x of all local
  /// assembled DoFs. Shapes: x local assembled DoFs x k, result local coordinates x k.
  template <class Derived>
  DenseMatrix<typename Derived::Scalar> restrict(const Eigen::MatrixBase<Derived>& x) const {
    using Dense = DenseMatrix<typename Derived::Scalar>;
    const Dense of_free = assembled_.free().selected_rows(x);
    return X_ ? transposed_product(*X_, of_free) : of_free;
  }
  /// Adds J_f S x, the displacements of free DoFs at coordinates x, to vectors y of all local assembled DoFs.
  template <class Derived, class Target>
  void add_to(const Eigen::MatrixBase<Derived>& x, Target& y) const {
    assembled_.free().add_to(of_free_dofs(DenseMatrix<typename Derived::Scalar>(x)), y);
  }
  /// Returns S^T w. If w are the weights of a linear functional of the displacements of free DoFs, then S^T w
  /// are the weights of this functional on the coordinates. Shapes: w free DoFs x k, result coordinates x k.
  template <class Scalar>
  DenseMatrix<Scalar> weights_of_coordinates(DenseMatrix<Scalar> w) const {
    return S_ ? transposed_product(*S_, w) : w;
  }
  /// Returns S x, the displacements of the free DoFs at coordinates x.
  template <class Scalar>
  DenseMatrix<Scalar> of_free_dofs(DenseMatrix<Scalar> x) const {
    return S_ ? product(*S_, x) : x;
  }

  /// Returns Z^T J_f^T f, the right sides of the equations for forces f on all local assembled DoFs.
  template <class Derived>
  DenseMatrix<typename Derived::Scalar> restrict_forces(const Eigen::MatrixBase<Derived>& f) const {
    return to_equations(DenseMatrix<typename Derived::Scalar>(assembled_.free().selected_rows(f)));
  }
  /// Adds J_f Z x to y. If x are the weights of a linear functional of the right sides of the equations, then
  /// J_f Z x are the weights of this functional on the forces on assembled DoFs.
  template <class Target>
  void add_weights_to(const MultiVector& x, Target& y) const {
    assembled_.free().add_to(Z_ ? product(*Z_, x) : x, y);
  }
  /// Returns Z^T f, the right sides of the equations for forces f on the free DoFs.
  template <class Scalar>
  DenseMatrix<Scalar> to_equations(DenseMatrix<Scalar> f) const {
    return Z_ ? transposed_product(*Z_, f) : f;
  }

  /// The matrices are built on first use, which is collective.
  const Matrix& M() const { return M_(); }
  const Matrix& C() const { return C_(); }
  const Matrix& K() const { return K_(); }
  /// M, C and K as objects that compute norms and blocks without building the whole matrix.
  const FreeMatrix<Engine>& mass() const { return M_; }
  const FreeMatrix<Engine>& damping() const { return C_; }
  const FreeMatrix<Engine>& stiffness() const { return K_; }

  /// The entries of M, C and K in the equations of this system and the columns of constrained DoFs.
  const Matrix& M_constrained() const { return M_constrained_; }
  const Matrix& C_constrained() const { return C_constrained_; }
  const Matrix& K_constrained() const { return K_constrained_; }

  /// Whether M, C and K are symmetric up to FactorizationOptions::symmetry_tolerance. Collective.
  bool is_symmetric() const;

  /// Returns the system with zeros in the columns of M and of C whose flag is false. There is one flag for
  /// each local free DoF. In a symmetric matrix the corresponding rows are set to zero, too, so that the
  /// matrix remains symmetric. Collective.
  FreeSystem keep_columns(const std::vector<bool>& keep_mass, const std::vector<bool>& keep_damping) const;

  /// Returns the system with K + A. Shape of A: dofs() x dofs().
  FreeSystem with_added_stiffness(const Matrix& A) const;

  /// Returns the same equations with another load f(t) on the assembled DoFs.
  FreeSystem with_load(const TimeFunction& load, const TimeFunction& load_rate) const;

  /// Returns F(t) on the free DoFs, or Z^T F - w(t) in a system with constraints.
  /// @throws InvalidInput if constraints contradict one another; NotAvailable if a load acts on multipliers
  Vector load(double time) const;
  /// Returns F(t) for the given load in place of f(t). Shape: local assembled DoFs.
  Vector load(Vector f, double time) const;
  /// Returns F'(t).
  /// @throws NotAvailable if the load rate is missing, or if a derivative of the prescribed motion that F'(t)
  ///     contains is missing
  Vector load_rate(double time) const;

  /// Returns the names of the functions among "q_D", "q_D'" and "q_D''" that the equations of free DoFs
  /// contain.
  std::vector<std::string> needed_prescribed() const;

  /// Describes a local free DoF, "DoF 17 (...)" in assembled numbering. In other coordinates, the function
  /// describes the DoF whose number the coordinate has.
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

}  // namespace halfdof::internal
