#pragma once

#include <halfdof/reduction/output_map.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace halfdof {

/**
 * The output matrix C(s) of the assembled system, z = C(s) q for displacements @f$ q\, e^{st} @f$. Its rows
 * give the displacement q_i, the rate s q_i or the acceleration s^2 q_i of a DoF, or the reaction
 * @f[ r_D = (K_{Df} + s\, C_{Df} + s^2 M_{Df})\, q_f @f]
 * of a constrained DoF, to which what loads on it add comes (of_loads()). The system and the outputs must
 * outlive this object.
 *
 * Numbering: coordinates of ReducedSystem::before().
 */
template <class Engine>
class AssembledOutputs {
 public:
  AssembledOutputs(const ReducedSystem<Engine>& reduced, const std::vector<Output>& outputs)
      : free_(reduced.before()), assembled_(reduced.assembled()), outputs_(outputs) {
    if (std::none_of(outputs.begin(), outputs.end(), is_reaction)) return;
    for (const typename Engine::Matrix* matrix : {&assembled_.K(), &assembled_.C(), &assembled_.M()})
      held_.push_back(Engine::submatrix(*matrix, assembled_.constrained(), assembled_.free()));
  }

  const std::vector<Output>& list() const { return outputs_; }
  static bool is_reaction(const Output& output) { return output.quantity == OutputQuantity::reaction; }

  /// This process's share of z. Shapes: q local coordinates x k, result n_outputs x k.
  template <class Scalar>
  DenseMatrix<Scalar> operator()(const DenseMatrix<Scalar>& q, Scalar s) const {
    DenseMatrix<Scalar> displacements = DenseMatrix<Scalar>::Zero(assembled_.dofs().n_local(), q.cols()),
                        reactions = displacements,
                        z = DenseMatrix<Scalar>::Zero(static_cast<Index>(outputs_.size()), q.cols());
    free_.add_to(q, displacements);
    const DenseMatrix<Scalar> q_free = free_.of_free_dofs(q);
    if (!held_.empty()) {
      DenseMatrix<Scalar> held = DenseMatrix<Scalar>::Zero(assembled_.constrained().n_local(), q.cols());
      Scalar factor = 1;
      for (const auto& matrix : held_) {
        matrix.add_product(factor, q_free, held);
        factor *= s;
      }
      assembled_.constrained().add_to(held, reactions);
    }
    for_local([&](Index o, Index dof, int derivative) {
      z.row(o) = std::pow(s, derivative) *
                 (is_reaction(outputs_[static_cast<std::size_t>(o)]) ? reactions : displacements).row(dof);
    });
    return z;
  }

  /// What loads add to the outputs beside the motion, -f_D of reactions: this process's share.
  /// Shapes: loads local assembled DoFs x k, result n_outputs x k.
  MultiVector of_loads(const MultiVector& loads) const {
    MultiVector z = MultiVector::Zero(static_cast<Index>(outputs_.size()), loads.cols());
    for_local([&](Index o, Index dof, int) {
      if (is_reaction(outputs_[static_cast<std::size_t>(o)])) z.row(o) = -loads.row(dof);
    });
    return z;
  }

  /// C(s)^T. Shape: local coordinates x n_outputs.
  template <class Scalar>
  DenseMatrix<Scalar> transposed(Scalar s) const {
    DenseMatrix<Scalar> weights =
        DenseMatrix<Scalar>::Zero(assembled_.dofs().n_local(), static_cast<Index>(outputs_.size()));
    DenseMatrix<Scalar> of_reactions = weights;
    for_local([&](Index o, Index dof, int derivative) {
      (is_reaction(outputs_[static_cast<std::size_t>(o)]) ? of_reactions : weights)(dof, o) =
          std::pow(s, derivative);
    });
    DenseMatrix<Scalar> of_free = assembled_.free().restrict(weights);
    if (!held_.empty()) {
      const DenseMatrix<Scalar> of_held = assembled_.constrained().restrict(of_reactions);
      Scalar factor = 1;
      for (const auto& matrix : held_) {
        matrix.add_transposed_product(factor, of_held, of_free);
        factor *= s;
      }
    }
    return free_.weights_of_coordinates(of_free);
  }

 private:
  /// use(output, local assembled DoF, number of derivatives) of the outputs of this process.
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
  std::vector<typename Engine::Matrix> held_;  ///< K, C and M between constrained and free DoFs; or none
};

}  // namespace halfdof
