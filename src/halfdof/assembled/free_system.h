#pragma once

#include <halfdof/assembled/assembled_system.h>

#include <optional>

namespace halfdof {

/**
 * The assembled system without its constrained DoFs. With f and D the free and the constrained DoFs, the free
 * rows of @f$ M \ddot q + C \dot q + K q = f @f$ are
 * @f[ M_{ff} \ddot q_f + C_{ff} \dot q_f + K_{ff} q_f = F(t), \qquad
 *     F = f_f - M_{fD} \ddot q_D - C_{fD} \dot q_D - K_{fD} q_D. @f]
 * Whatever stands on the diagonal of a constrained DoF (finite-element libraries put invented values there)
 * takes no part. In other coordinates, @f$ q_f = S \tilde q @f$ with @f$ S^T S = I @f$, the matrices are
 * @f$ S^T M_{ff} S @f$ and so on, and the load is @f$ S^T F @f$: everybody else sees coordinates alone.
 *
 * Numbering: free; a coordinate stands at the place of a DoF that takes part in it. Stored zeros are dropped.
 * Cheap to copy.
 *
 * @throws InvalidInput if a motion is prescribed, but a derivative of it that the model needs is missing.
 */
template <class Engine>
class FreeSystem {
 public:
  using Matrix = typename Engine::Matrix;

  explicit FreeSystem(AssembledSystem<Engine> assembled);

  const AssembledSystem<Engine>& assembled() const { return assembled_; }
  const Partition& dofs() const { return M_.rows(); }

  /// The same system in the coordinates of an orthonormal S. Shapes: free DoFs x coordinates. Collective.
  FreeSystem in_coordinates(const Matrix& S) const;
  /// S; nothing where the coordinates are the free DoFs themselves.
  const std::optional<Matrix>& coordinates() const { return S_; }

  /// S^T J_f^T x: of vectors of all local assembled DoFs the coordinates. Shapes: columns x k.
  template <class Derived>
  DenseMatrix<typename Derived::Scalar> restrict(const Eigen::MatrixBase<Derived>& x) const {
    return to_coordinates(DenseMatrix<typename Derived::Scalar>(assembled_.free().restrict(x)));
  }
  /// y += J_f S x: adds displacements of the coordinates into vectors of all local assembled DoFs.
  template <class Derived, class Target>
  void add_to(const Eigen::MatrixBase<Derived>& x, Target& y) const {
    assembled_.free().add_to(of_free_dofs(DenseMatrix<typename Derived::Scalar>(x)), y);
  }
  /// S^T x of vectors of the free DoFs. Shapes: columns x k.
  template <class Scalar>
  DenseMatrix<Scalar> to_coordinates(DenseMatrix<Scalar> x) const {
    if (!S_) return x;
    DenseMatrix<Scalar> y = DenseMatrix<Scalar>::Zero(S_->columns().n_local(), x.cols());
    S_->add_transposed_product(Scalar(1), x, y);
    return y;
  }
  /// S x.
  template <class Scalar>
  DenseMatrix<Scalar> of_free_dofs(DenseMatrix<Scalar> x) const {
    if (!S_) return x;
    DenseMatrix<Scalar> y = DenseMatrix<Scalar>::Zero(S_->rows().n_local(), x.cols());
    S_->add_product(Scalar(1), x, y);
    return y;
  }

  const Matrix& M() const { return M_; }
  const Matrix& C() const { return C_; }
  const Matrix& K() const { return K_; }

  /// Couplings of the free rows to the constrained columns.
  const Matrix& M_constrained() const { return M_constrained_; }
  const Matrix& C_constrained() const { return C_constrained_; }
  const Matrix& K_constrained() const { return K_constrained_; }

  /// Whether M, C and K are symmetric up to rounding, FactorizationOptions::symmetry_tolerance. Collective.
  bool is_symmetric() const;

  /// The same system without the columns of M and of C that are not kept; one flag for each local free DoF.
  /// Of a symmetric matrix the rows go too, so that it stays symmetric. Collective.
  FreeSystem keep_columns(const std::vector<bool>& keep_mass, const std::vector<bool>& keep_damping) const;

  /// F(t) on the free DoFs.
  Vector load(double time) const;
  /// F'(t). @throws NotAvailable without the load rate, or without the next derivative of a
  /// prescribed motion that loads the free rows.
  Vector load_rate(double time) const;

  /// Which of "q_D", "q_D'", "q_D''" load the free rows.
  std::vector<std::string> needed_prescribed() const;

  /// "DoF 17 (...)" of a local free DoF, in assembled numbering: that at whose place a coordinate stands.
  std::string describe(Index local_free) const;
  GlobalIndex assembled_index(Index local_free) const;

 private:
  AssembledSystem<Engine> assembled_;
  Matrix M_, C_, K_;
  Matrix M_constrained_, C_constrained_, K_constrained_;
  std::optional<Matrix> S_;
  bool needs_value_ = false, needs_rate_ = false, needs_acceleration_ = false;
};

}  // namespace halfdof
