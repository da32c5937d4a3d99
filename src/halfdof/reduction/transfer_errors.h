#pragma once

#include <halfdof/linear_algebra/eigen/engine.h>
#include <halfdof/reduction/output_map.h>

#include <functional>
#include <string>
#include <vector>

namespace halfdof {

/// How far the transfer functions of a state-space form are from those of the model: for each output at that
/// place s of those looked at where the error, relative to `largest`, is worst.
struct TransferErrors {
  Vector s;                  ///< [1/s], real and positive
  Vector largest;            ///< max_j |H_oj(s)| of the model, whatever the units of the loads j
  Vector error;              ///< max_j of the difference
  std::string not_compared;  ///< why largest and error are NaN; empty where they are known

  /// The same of all outputs at one place.
  struct Place {
    double s;
    Vector largest, error;
    /// Of the load f with that error: what the output would be if all DoFs that it sees moved as far as any
    /// does, @f$ |c|^T u\, \max_j |x_j| / u_j @f$ with x = P(s)^{-1} f and u the column scales of TermScales
    Vector size;
    /// How far the last digits of the entries of M, C and K may move this transfer function of the model:
    /// u |y|^T w(s, x) with w of TermScales and y = P(s)^{-T} c (Higham 2002, section 7.2)
    Vector rounding;
  };
  std::vector<Place> places;  ///< all that were looked at
};

/**
 * Compares @f$ H(s) = C_o (s E - A)^{-1} B + D_o + s D_o' @f$ with @f$ C\, P(s)^{-1} @f$, P of
 * ReducedSystem::before() and C of AssembledOutputs, at s = 0.74 characteristic_rate(), which is of the order
 * of the fastest motions: structures have no eigenvalue near a positive number. Of models of up to 1000 DoFs
 * without dropped columns it does so, too, at 0.74 of eight rates_of_rows() at most. It takes one
 * factorization of P(s) for each s, what H takes, and a solve for each output. Compared are loads on free
 * DoFs that take no part in left_out_loads(), and combinations of the others, if these DoFs are at most 1000,
 * that obey its equation (1), with largest coefficient one.
 *
 * Places where s is an eigenvalue, or memory does not suffice, are left out; where all are, nothing is
 * compared.
 *
 * @param H Gives H(s). Shape: n_outputs x n_dofs, assembled; may throw SingularMatrix or NotAvailable
 */
TransferErrors transfer_errors(const ReducedSystem<EigenEngine>& reduced, const std::vector<Output>& outputs,
                               const std::function<MultiVector(double s)>& H);

/// The largest error relative to the largest transfer function of its output; infinite where one is not
/// known.
double largest_relative_error(const TransferErrors& errors);

/// Whether somewhere an error is more than this share of the size of its output, so that it is no trace of
/// rounding beside a zero, and more than 1e4 times what the last digits of the model's entries explain.
bool loses_an_output(const TransferErrors& errors, double relative_error);

/// The outputs whose error is more than this share of their largest transfer function.
std::vector<Index> inaccurate_outputs(const TransferErrors& errors, double relative_error);

}  // namespace halfdof
