#pragma once

#include <halfdof/linear_algebra/eigen/engine.h>
#include <halfdof/reduction/output_map.h>

#include <functional>
#include <vector>

namespace halfdof {

/// How far the transfer functions of a state-space form are from those of the model at one place s.
struct TransferErrors {
  double s = 0;    ///< [1/s], real and positive
  Vector largest;  ///< of each output: max_j |H_oj(s)| of the model over loads on single DoFs
  Vector error;    ///< of each output: max_j of the difference; NaN where s is an eigenvalue of either
};

/**
 * Compares @f$ H(s) = C_o (s E - A)^{-1} B + D_o + s D_o' @f$ with @f$ C\, P(s)^{-1} @f$, P of
 * ReducedSystem::before() and C of AssembledOutputs, at s = 0.74 characteristic_rate(): structures have no
 * eigenvalue near a positive number. One factorization of P(s) and one solve for each output. Compared are
 * loads on free DoFs that take no part in left_out_loads(), and combinations of the others, if they are at
 * most 1000, that obey its equation (1), with largest coefficient one.
 *
 * @param H Gives H(s). Shape: n_outputs x n_dofs, assembled; may throw SingularMatrix
 */
TransferErrors transfer_errors(const ReducedSystem<EigenEngine>& reduced, const std::vector<Output>& outputs,
                               const std::function<MultiVector(double s)>& H);

/// The outputs of which the error is more than this share of the largest transfer function.
std::vector<Index> beyond(const TransferErrors& errors, double relative_error);

}  // namespace halfdof
