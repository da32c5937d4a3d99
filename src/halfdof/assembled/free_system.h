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
 * The rates of the coordinates q_b, which are part of q~, are constrained. N mu are multipliers, whose forces
 * Z eliminates. The third equation fills the rows of q_b; its time derivative replaces q_b'' in the second
 * one:
 * @f[ \tilde M \ddot{\tilde q} + \tilde C \dot{\tilde q} + \tilde K \tilde q = Z^T F - w(t). \qquad (2) @f]
 * The form is found by constraint_coordinates(), or without q_b and mu by weierstrass_coordinates(), on one
 * process.
 */
template <class Engine>
struct ConstrainedForm {
  using Matrix = typename Engine::Matrix;
  using Sparse = Eigen::SparseMatrix<double>;

  Matrix S;          ///< shape: free DoFs x coordinates
  Matrix X;          ///< X^T S = I; o and N are orthogonal to its columns. Shape: as S
  Matrix Z;          ///< null columns for q_b. Shape: as S
  Selection places;  ///< local assembled DoFs, one for each coordinate, whose numbers the coordinates take
  Matrix M, C, K;    ///< the matrices of (2)

  GivenMotion given;       ///< u, the prescribed motions and right sides
  TimeCombination offset;  ///< o in terms of u, on the free DoFs
  TimeCombination load;    ///< w in terms of u

  Sparse S_b;                   ///< columns of S that belong to q_b
  Sparse rate_rows;             ///< R
  TimeCombination bound_rates;  ///< r in terms of u

  /// L^T combines the equations of the free DoFs to the constraints among them: L^T M, L^T C, L^T K and L^T F
  /// are the terms of the constraints. L^T F must contain only b and terms of q_D.
  Sparse L;
  std::vector<bool> is_multiplier;  ///< for each local assembled DoF, whether N has an entry there
  /// Computes N mu from the residual F - M q'' - C q' - K q on the free DoFs, evaluated without multipliers.
  std::function<Vector(const Vector& rest)> multipliers;
  /// The transpose of multipliers(): maps weights of N mu to weights of the residuals. Shapes: free DoFs x k.
  std::function<MultiVector(const MultiVector& weights)> multiplier_weights;

  /// Computes the state y from displacements and rates on the free DoFs that need not be consistent; if
  /// empty, y is computed with X^T and M.
  std::function<Vector(const Vector& q, const Vector& v, double time)> states;
  int longest_chain = 4;  ///< bound on the length of chains of infinite eigenvectors of the companion pencil

  TimeCombination redundant;  ///< residuals of redundant constraints in terms of u; nonzero: contradiction
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
 * @f$ Z^T @f$, so that its matrices are @f$ Z^T M_{ff} S @f$ and so on, and its load is @f$ Z^T F @f$. All
 * other classes work in the coordinates of a FreeSystem. For systems with constraints these are the
 * coordinates of a ConstrainedForm.
 *
 * Numbering: free; each coordinate takes the number of a DoF on which its column of S is not zero. Stored
 * zeros are dropped. Cheap to copy.
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
  /// Transforms the system to coordinates in which constraints are satisfied. @param form A form on the free
  /// DoFs; this system must be in the free DoFs, too
  /// @throws InvalidInput if a needed derivative of a given motion is missing
  FreeSystem in_coordinates(std::shared_ptr<const ConstrainedForm<Engine>> form) const;
  /// S; no value if the coordinates are the free DoFs.
  const std::optional<Matrix>& coordinates() const { return S_; }
  /// X; X^T maps displacements to coordinates.
  const std::optional<Matrix>& restriction() const { return X_; }
  /// Z; Z^T maps forces to the equations.
  const std::optional<Matrix>& equations() const { return Z_; }
  /// The form of the constraints; a null pointer for systems without constraints. After a further change of
  /// coordinates, its load and rate_rows belong to the new ones, and S, X and Z are coordinates(),
  /// restriction() and equations().
  const ConstrainedForm<Engine>* constraints() const { return constraints_.get(); }
  /// Returns for each local free DoF i the sum of |S_ij X_ij| over the given coordinates j, which is zero
  /// where none of these coordinates acts on DoF i. For one process.
  Vector participation(const Selection& coordinates) const;
  /// Local assembled DoFs whose numbers the coordinates take, ascending.
  const Selection& places() const { return constraints_ ? constraints_->places : assembled_.free(); }

  /// Returns o(t) or a time derivative of it on the free DoFs. @throws NotAvailable if a needed derivative of
  /// a given motion is missing
  Vector offset(double time, int derivative = 0) const;
  /// Whether this derivative of o(t) is available.
  bool has_offset(int derivative) const;

  /// Returns X^T J_f^T x, where J_f^T selects the free DoFs: the coordinates of displacements x of all local
  /// assembled DoFs. Shapes: x local assembled DoFs x k, result local coordinates x k.
  template <class Derived>
  DenseMatrix<typename Derived::Scalar> restrict(const Eigen::MatrixBase<Derived>& x) const {
    using Dense = DenseMatrix<typename Derived::Scalar>;
    const Dense of_free = assembled_.free().selected_rows(x);
    return X_ ? transposed_product(*X_, of_free) : of_free;
  }
  /// y += J_f S x: adds displacements of the coordinates into vectors of all local assembled DoFs.
  template <class Derived, class Target>
  void add_to(const Eigen::MatrixBase<Derived>& x, Target& y) const {
    assembled_.free().add_to(of_free_dofs(DenseMatrix<typename Derived::Scalar>(x)), y);
  }
  /// S^T w: maps weights w on displacements of the free DoFs to weights on the coordinates. Shapes: columns x
  /// k.
  template <class Scalar>
  DenseMatrix<Scalar> weights_of_coordinates(DenseMatrix<Scalar> w) const {
    return S_ ? transposed_product(*S_, w) : w;
  }
  /// S x.
  template <class Scalar>
  DenseMatrix<Scalar> of_free_dofs(DenseMatrix<Scalar> x) const {
    return S_ ? product(*S_, x) : x;
  }

  /// Z^T J_f^T f for forces f on all local assembled DoFs.
  template <class Derived>
  DenseMatrix<typename Derived::Scalar> restrict_forces(const Eigen::MatrixBase<Derived>& f) const {
    return to_equations(DenseMatrix<typename Derived::Scalar>(assembled_.free().selected_rows(f)));
  }
  /// y += J_f Z x: maps weights x on the equations to weights on forces on assembled DoFs.
  template <class Target>
  void add_weights_to(const MultiVector& x, Target& y) const {
    assembled_.free().add_to(Z_ ? product(*Z_, x) : x, y);
  }
  /// Z^T f for forces f on the free DoFs.
  template <class Scalar>
  DenseMatrix<Scalar> to_equations(DenseMatrix<Scalar> f) const {
    return Z_ ? transposed_product(*Z_, f) : f;
  }

  /// The matrices are built on first use, which is collective.
  const Matrix& M() const { return M_(); }
  const Matrix& C() const { return C_(); }
  const Matrix& K() const { return K_(); }
  /// The same matrices in a form that gives norms and blocks without building the whole matrix.
  const FreeMatrix<Engine>& mass() const { return M_; }
  const FreeMatrix<Engine>& damping() const { return C_; }
  const FreeMatrix<Engine>& stiffness() const { return K_; }

  /// Couplings of the equations to the constrained columns.
  const Matrix& M_constrained() const { return M_constrained_; }
  const Matrix& C_constrained() const { return C_constrained_; }
  const Matrix& K_constrained() const { return K_constrained_; }

  /// Whether M, C and K are symmetric up to FactorizationOptions::symmetry_tolerance. Collective.
  bool is_symmetric() const;

  /// Returns the system without the columns of M and of C whose flag is false; one flag for each local free
  /// DoF. From a symmetric matrix the rows are removed, too, so that it remains symmetric. Collective.
  FreeSystem keep_columns(const std::vector<bool>& keep_mass, const std::vector<bool>& keep_damping) const;

  /// Returns the system with K + A. Shape of A: dofs() x dofs().
  FreeSystem with_added_stiffness(const Matrix& A) const;

  /// Returns F(t) on the free DoFs, or Z^T F - w(t) in a system with constraints.
  /// @throws InvalidInput if constraints contradict one another; NotAvailable if a load acts on multipliers
  Vector load(double time) const;
  /// Does the same with another load in place of f(t). Shape: local assembled DoFs.
  Vector load(Vector other, double time) const;
  /// Returns F'(t). @throws NotAvailable if the load rate is missing, or the next derivative of a prescribed
  /// motion that acts on free rows
  Vector load_rate(double time) const;

  /// Names the functions among "q_D", "q_D'", "q_D''" that act on free rows.
  std::vector<std::string> needed_prescribed() const;

  /// Describes a local free DoF, "DoF 17 (...)" in assembled numbering; for a coordinate, the DoF whose
  /// number it takes.
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
