// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/characteristic_rate.h>
#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/dense/dense_solves.h>
#include <halfdof/linear_algebra/dense/stack.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/kernel/kernel_coordinates.h>
#include <halfdof/reduction/second_order_form.h>

#include <utility>

namespace halfdof::internal {
namespace {

/// The value of lambda in units of a typical rate at which P(lambda) is evaluated. Only by coincidence is
/// it an eigenvalue.
constexpr double generic_shift = 0.7390851332151607;

/// The dense matrices of the free DoFs with a basis U = [U_1 U_2 U_3] of the kernels of M and C and of the
/// rest.
struct KernelBlocks {
  MultiVector M, C, K;
  KernelBasis basis;
  MultiVector X;            ///< dual basis: X^T U = I
  std::vector<Index> free;  ///< assembled indices of the free DoFs
};

void check_order(GlobalIndex n, const SecondOrderOptions& options) {
  if (n <= options.max_order) return;
  throw NotAvailable("The second-order form is dense, and is limited to " +
                     std::to_string(options.max_order) + " free degrees of freedom, but this system has " +
                     std::to_string(n) + ". Raise max_order, or use the sparse reduction to first order.");
}

template <class Engine>
KernelBlocks kernel_blocks(const FreeSystem<Engine>& system, const SecondOrderOptions& options) {
  check_order(system.dofs().n_global(), options);
  const KernelCoordinates<Engine> coordinates = kernel_coordinates(system, options.kernel).value();
  const auto n = static_cast<Index>(system.dofs().n_local());
  const MultiVector S = Engine::to_dense(*coordinates.system.coordinates()),
                    X = Engine::to_dense(*coordinates.system.restriction());
  KernelBlocks blocks{Engine::to_dense(system.M()),
                      Engine::to_dense(system.C()),
                      Engine::to_dense(system.K()),
                      {},
                      MultiVector(n, n),
                      system.assembled().free().local()};
  const Classification& kinds = coordinates.classification;
  const std::vector<Index>&U_1 = kinds.algebraic().local(), &U_2 = kinds.viscous().local(),
        &U_3 = kinds.inertial().local();
  blocks.basis.n_1 = static_cast<Index>(U_1.size());
  blocks.basis.n_2 = static_cast<Index>(U_2.size());
  blocks.basis.U.resize(n, n);
  stack_columns(blocks.basis.U, S(Eigen::all, U_1), S(Eigen::all, U_2), S(Eigen::all, U_3));
  stack_columns(blocks.X, X(Eigen::all, U_1), X(Eigen::all, U_2), X(Eigen::all, U_3));
  return blocks;
}

template <class Engine>
KernelHypotheses hypotheses_of(const FreeSystem<Engine>& system, const KernelBlocks& blocks) {
  KernelHypotheses found = kernel_hypotheses(blocks.M, blocks.C, blocks.K, blocks.basis,
                                             generic_shift * characteristic_rate(system));
  for (Hypothesis& hypothesis : found.all)
    for (GlobalIndex& dof : hypothesis.dofs)
      dof = system.assembled_index(static_cast<Index>(dof));
  return found;
}

void check_sufficient(const KernelHypotheses& hypotheses) {
  if (hypotheses.suffice()) return;
  std::string message = std::string("Corollary ") + hypotheses.corollary() +
                        " does not reduce this system to equations of second order: ";
  if (hypotheses.N_3 == 0) message += "the mass matrix is zero; ";
  for (const Hypothesis& hypothesis : hypotheses.all) {
    if (hypothesis.holds) continue;
    message += hypothesis.name + " " + hypothesis.statement + " fails";
    for (std::size_t i = 0; i < hypothesis.dofs.size(); ++i)
      message += (i == 0 ? " at DoF " : ", ") + std::to_string(hypothesis.dofs[i]);
    message += "; ";
  }
  throw NotAvailable(message + "use the state-space form instead, which does not need these hypotheses.");
}

/// Returns a matrix with one row for each assembled DoF from a matrix with one row for each free DoF. Rows
/// of constrained DoFs are zero.
MultiVector expand_free_rows(ConstView<double> A, const std::vector<Index>& free, Index n_dofs) {
  MultiVector B = MultiVector::Zero(n_dofs, A.cols());
  B(free, Eigen::all) = A;
  return B;
}

void check_size(const char* name, const Vector& x, Index expected) {
  if (x.size() == expected) return;
  throw InvalidInput(std::string("The ") + name + " of a motion has " + std::to_string(x.size()) +
                     " entries, but it must have " + std::to_string(expected) + ". Give one value for each.");
}

}  // namespace

template <class Engine>
KernelHypotheses second_order_hypotheses(const AssembledSystem<Engine>& assembled,
                                         const SecondOrderOptions& options) {
  const FreeSystem<Engine> system(assembled);
  return hypotheses_of(system, kernel_blocks(system, options));
}

template <class Engine>
SecondOrderForm::SecondOrderForm(const AssembledSystem<Engine>& assembled,
                                 const SecondOrderOptions& options) {
  const FreeSystem<Engine> system(assembled);
  const KernelBlocks blocks = kernel_blocks(system, options);
  hypotheses_ = hypotheses_of(system, blocks);
  check_sufficient(hypotheses_);

  const KernelBasis& basis = blocks.basis;
  const Index n_3 = hypotheses_.N_3;
  const auto U_1 = basis.U.leftCols(basis.n_1), U_2 = basis.U.middleCols(basis.n_1, basis.n_2),
             U_3 = basis.U.rightCols(n_3);
  const auto X_2 = blocks.X.middleCols(basis.n_1, basis.n_2), X_3 = blocks.X.rightCols(n_3);
  // G_1 = K_11^{-1} U_1^T and G_2 = C_22^{-1} U_2^T.
  const MultiVector G_1 = solve_dense(U_1.transpose() * blocks.K * U_1, U_1.transpose()),
                    G_2 = solve_dense(U_2.transpose() * blocks.C * U_2, U_2.transpose());
  const MultiVector C_U_3 = blocks.C * U_3, K_U_3 = blocks.K * U_3;
  const MultiVector S = U_3 - U_1 * (G_1 * K_U_3) - U_2 * (G_2 * C_U_3);
  const MultiVector L =
      U_3.transpose() - (U_3.transpose() * blocks.K * U_1) * G_1 - (U_3.transpose() * blocks.C * U_2) * G_2;
  M_ = U_3.transpose() * blocks.M * U_3;
  C_ = U_3.transpose() * C_U_3 - (U_3.transpose() * blocks.C * U_2) * (G_2 * C_U_3);
  K_ = U_3.transpose() * K_U_3 - (U_3.transpose() * blocks.K * U_1) * (G_1 * K_U_3);

  const auto n_dofs = static_cast<Index>(assembled.n_dofs());
  const auto at_dofs = [&](ConstView<double> A) { return expand_free_rows(A, blocks.free, n_dofs); };
  const auto rows_and_columns = [&](ConstView<double> A) {
    return MultiVector(at_dofs(at_dofs(A).transpose()).transpose());
  };
  S_ = at_dofs(S);
  L_ = at_dofs(L.transpose()).transpose();
  U_ = at_dofs(basis.U);
  X_3_ = at_dofs(X_3);
  lift_of_force_ = rows_and_columns(U_1 * G_1);
  lift_of_impulse_ = rows_and_columns(U_2 * G_2);
  constants_of_displacement_ = at_dofs(X_2 + X_3 * (G_2 * C_U_3).transpose()).transpose();
}

Vector SecondOrderForm::restrict(const Vector& q) const {
  check_size("displacement", q, static_cast<Index>(U_.rows()));
  return X_3_.transpose() * q;
}

Vector SecondOrderForm::dropped_constants(const Vector& q) const {
  check_size("displacement", q, static_cast<Index>(U_.rows()));
  return constants_of_displacement_ * q;
}

Vector SecondOrderForm::lift(const SecondOrderMotion& motion) const {
  const auto n_dofs = static_cast<Index>(U_.rows());
  check_size("displacement", motion.q, order());
  check_size("vector of constants", motion.constants, hypotheses_.N_2);
  check_size("force", motion.force, n_dofs);
  check_size("impulse", motion.impulse, n_dofs);
  return S_ * motion.q + lift_of_force_ * motion.force + lift_of_impulse_ * motion.impulse +
         U_.middleCols(hypotheses_.N_1, hypotheses_.N_2) * motion.constants;
}

template KernelHypotheses second_order_hypotheses(const AssembledSystem<InstantiatedEngine>&,
                                                  const SecondOrderOptions&);
template SecondOrderForm::SecondOrderForm(const AssembledSystem<InstantiatedEngine>&,
                                          const SecondOrderOptions&);

}  // namespace halfdof::internal
