// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/free_system.h>
#include <halfdof/reduction/state_space.h>
#include <halfdof/reduction/unreduced_system.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace halfdof::internal {

/**
 * The output matrix Z(s) of the assembled system, z = Z(s) q for displacements @f$ q\, e^{st} @f$. The
 * rows of Z(s) give the displacement q_i, the rate s q_i or the acceleration s^2 q_i of a DoF, or the
 * reaction
 * @f[ r_D = (K_{Df} + s\, C_{Df} + s^2 M_{Df})\, q_f @f]
 * of a constrained DoF. The function of_loads() computes the direct part -f_D of loads on constrained
 * DoFs. The system and the outputs must outlive this object.
 *
 * Numbering: coordinates of ReducedSystem::unreduced().
 */
template <class Engine>
class AssembledOutputs {
 public:
  AssembledOutputs(const ReducedSystem<Engine>& reduced, const std::vector<Output>& outputs)
      : free_(reduced.unreduced().system()), assembled_(reduced.assembled()), outputs_(outputs) {
    if (std::none_of(outputs.begin(), outputs.end(), is_reaction)) return;
    for (const typename Engine::Matrix* matrix : {&assembled_.K(), &assembled_.C(), &assembled_.M()})
      constrained_rows_.push_back(Engine::submatrix(*matrix, assembled_.constrained(), assembled_.free()));
  }

  const std::vector<Output>& list() const { return outputs_; }
  static bool is_reaction(const Output& output) { return output.quantity == OutputQuantity::reaction; }

  /// Computes this process's share of z. Shapes: q local coordinates x k, result n_outputs x k.
  template <class Scalar>
  DenseMatrix<Scalar> operator()(const DenseMatrix<Scalar>& q, Scalar s) const {
    DenseMatrix<Scalar> displacements = DenseMatrix<Scalar>::Zero(assembled_.dofs().n_local(), q.cols()),
                        reactions = displacements,
                        z = DenseMatrix<Scalar>::Zero(static_cast<Index>(outputs_.size()), q.cols());
    free_.add_to(q, displacements);
    const DenseMatrix<Scalar> q_free = free_.of_free_dofs(q);
    if (!constrained_rows_.empty()) {
      DenseMatrix<Scalar> reactions_on_constrained =
          DenseMatrix<Scalar>::Zero(assembled_.constrained().n_local(), q.cols());
      Scalar factor = 1;
      for (const auto& matrix : constrained_rows_) {
        matrix.add_product(factor, q_free, reactions_on_constrained);
        factor *= s;
      }
      assembled_.constrained().add_to(reactions_on_constrained, reactions);
    }
    for_local([&](Index o, Index dof, int derivative) {
      z.row(o) = std::pow(s, derivative) *
                 (is_reaction(outputs_[static_cast<std::size_t>(o)]) ? reactions : displacements).row(dof);
    });
    return z;
  }

  /// Computes this process's share of the direct contribution of loads to the outputs: -f_D in reactions,
  /// zero in other outputs. Shapes: loads local assembled DoFs x k, result n_outputs x k.
  MultiVector of_loads(const MultiVector& loads) const {
    MultiVector z = MultiVector::Zero(static_cast<Index>(outputs_.size()), loads.cols());
    for_local([&](Index o, Index dof, int) {
      if (is_reaction(outputs_[static_cast<std::size_t>(o)])) z.row(o) = -loads.row(dof);
    });
    return z;
  }

  /// Returns the transposed output matrix Z(s)^T. Shape: local coordinates x n_outputs.
  template <class Scalar>
  DenseMatrix<Scalar> transposed(Scalar s) const {
    DenseMatrix<Scalar> weights =
        DenseMatrix<Scalar>::Zero(assembled_.dofs().n_local(), static_cast<Index>(outputs_.size()));
    DenseMatrix<Scalar> of_reactions = weights;
    for_local([&](Index o, Index dof, int derivative) {
      (is_reaction(outputs_[static_cast<std::size_t>(o)]) ? of_reactions : weights)(dof, o) =
          std::pow(s, derivative);
    });
    DenseMatrix<Scalar> of_free = assembled_.free().selected_rows(weights);
    if (!constrained_rows_.empty()) {
      const DenseMatrix<Scalar> reaction_weights = assembled_.constrained().selected_rows(of_reactions);
      Scalar factor = 1;
      for (const auto& matrix : constrained_rows_) {
        matrix.add_transposed_product(factor, reaction_weights, of_free);
        factor *= s;
      }
    }
    return free_.weights_of_coordinates(of_free);
  }

 private:
  /// Calls use(output, local assembled DoF, number of derivatives) for each output of this process.
  template <class Use>
  void for_local(const Use& use) const {
    for (std::size_t o = 0; o < outputs_.size(); ++o)
      if (const Index local = assembled_.dofs().local_index(outputs_[o].dof); local >= 0)
        use(static_cast<Index>(o), local,
            is_reaction(outputs_[o]) ? 0 : static_cast<int>(outputs_[o].quantity));
  }

  const FreeSystem<Engine>& free_;
  const AssembledSystem<Engine>& assembled_;
  const std::vector<Output>& outputs_;
  std::vector<typename Engine::Matrix>
      constrained_rows_;  ///< K, C and M in constrained rows and free columns; empty without reactions
};

}  // namespace halfdof::internal
