#pragma once

#include <halfdof/assembled/assembled_system.h>

namespace halfdof {

/**
 * The assembled system without its constrained DoFs. With f and D the free and the constrained DoFs, the free
 * rows of @f$ M \ddot q + C \dot q + K q = f @f$ are
 * @f[ M_{ff} \ddot q_f + C_{ff} \dot q_f + K_{ff} q_f = F(t), \qquad
 *     F = f_f - M_{fD} \ddot q_D - C_{fD} \dot q_D - K_{fD} q_D. @f]
 * Whatever stands on the diagonal of a constrained DoF (finite-element libraries put invented values there)
 * takes no part.
 *
 * Numbering: free. Stored zeros are dropped. Cheap to copy.
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

  /// J_f^T x: of vectors of all local assembled DoFs the entries of the free ones. Shapes: columns x k.
  template <class Derived>
  DenseMatrix<typename Derived::Scalar> restrict(const Eigen::MatrixBase<Derived>& x) const {
    return assembled_.free().restrict(x);
  }
  /// y += J_f x: adds free displacements into vectors of all local assembled DoFs.
  template <class Derived, class Target>
  void add_to(const Eigen::MatrixBase<Derived>& x, Target& y) const {
    assembled_.free().add_to(x, y);
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

  /// "DoF 17 (...)" of a local free DoF, in assembled numbering.
  std::string describe(Index local_free) const;
  GlobalIndex assembled_index(Index local_free) const;

 private:
  AssembledSystem<Engine> assembled_;
  Matrix M_, C_, K_;
  Matrix M_constrained_, C_constrained_, K_constrained_;
  bool needs_value_ = false, needs_rate_ = false, needs_acceleration_ = false;
};

}  // namespace halfdof
