#pragma once

#include <halfdof/linear_algebra/eigen/engine.h>
#include <halfdof/reduction/output_map.h>
#include <halfdof/reduction/transfer_function.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace halfdof {

/// Errors of transfer functions up to this are small, relative to these or to their sizes.
constexpr double transfer_accuracy = 1e-6;

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
  };
  std::vector<Place> places;  ///< all that were looked at

  /// An output whose transfer function is wrong: for some load the error is more than transfer_accuracy of
  /// `size`, more than 1e4 times what the last digits of the entries of M, C and K explain, and more than
  /// 16 n times what those of the form explain, of n free DoFs.
  struct Lost {
    Index output;
    double s;      ///< where error / size is largest [1/s]
    double error;  ///< in the unit of the output per load
    /// What the output would be if the DoFs that it sees moved as far as any DoF does under the load:
    /// @f$ |c|^T u\, \max_j |x_j| / u_j @f$ with x = P(s)^{-1} f and u the column scales of TermScales
    double size;
  };
  std::vector<Lost> lost;  ///< one entry for each such output; none where a null tolerance dropped columns

  /// Two places between which det (s E - A) / det P(s) changes.
  struct LostEigenvalues {
    double s, other_s;  ///< [1/s]
    double factor;      ///< of the change beyond what is explained, at least one
  };
  /// Where that is by more than 1 % beyond what is explained, the eigenvalues of the form are not those of
  /// the model. Explained is at each place 1e4 times what the last digits of the entries of M, C and K do and
  /// 16 n times what those of the form do; of more than 1000 DoFs a factor of 1.28.
  std::optional<LostEigenvalues> lost_eigenvalues;
};

/**
 * Compares @f$ H(s) = C_o (s E - A)^{-1} B + D_o + s D_o' @f$ with @f$ C\, P(s)^{-1} @f$, P of
 * ReducedSystem::before() and C of AssembledOutputs, at s = 0.74 characteristic_rate(), which is of the order
 * of the fastest motions: structures have no eigenvalue near a positive number. Of models of up to 1000 DoFs
 * without dropped columns it does so, too, at 0.74 of eight rates_of_rows() at most, of others at a quarter
 * of the first place. Determinants are compared between places, unless columns were dropped. It takes one
 * factorization of P(s) for each s, what H takes, a solve for each output, and one for each load with an
 * error of more than transfer_accuracy of a transfer function, the 1000 with the largest of these at most.
 * Compared are loads on free DoFs that take no part in left_out_loads(), and combinations of the others, if
 * these DoFs are at most 1000, that obey its equation (1), with largest coefficient one.
 *
 * Places where s is an eigenvalue, or memory does not suffice, are left out; where all are, nothing is
 * compared. What a change of coordinates (ReductionMethod::kernel) or a null tolerance has done to the model
 * is in before() as well, and does not show.
 *
 * @param transfer H(s), whose loads are those on assembled DoFs; may throw SingularMatrix or NotAvailable
 */
TransferErrors transfer_errors(const ReducedSystem<EigenEngine>& reduced, const std::vector<Output>& outputs,
                               const std::function<TransferFunction(double s)>& transfer);

/// The largest error relative to the largest transfer function of its output; infinite where one is not
/// known.
double largest_relative_error(const TransferErrors& errors);

/// What lost and lost_eigenvalues say, in sentences, each output by what it is; empty where there are none.
std::string describe_lost(const TransferErrors& errors, const std::vector<Output>& outputs);

/// The outputs whose error is more than this share of their largest transfer function.
std::vector<Index> inaccurate_outputs(const TransferErrors& errors, double relative_error);

}  // namespace halfdof
