// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/builders/structural_damping.h>
#include <halfdof/classification/classification.h>
#include <halfdof/linear_algebra/eigen/engine.h>
#include <halfdof/reduction/reduced_system.h>

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

/**
 * @file
 * Eigenvalues as functions of a parameter. At each value p of the parameter, right and left vectors satisfy
 * @f[ P_p(\lambda_j)\, x_j = 0, \qquad z_j^T P_p(\lambda_j) = 0, \qquad
 *     P_p(\lambda) = \lambda^2 M + \lambda C + K, \qquad (1) @f]
 * and eigenvectors of one value are biorthogonal (Lancaster, Lambda-Matrices and Vibrating Systems, 1966,
 * section 4.3),
 * @f[ z_i^T \left[ (\lambda_i + \lambda_j) M + C \right] x_j = \delta_{ij}, \qquad (2) @f]
 * where the factor of @f$\delta_{ij}@f$ is @f$ z_i^T P'(\lambda_i) x_i @f$, to which the vectors are scaled.
 * With vectors i of the value p and j of the next value p', the left sides g_ij (with z_i, M, C of p) and
 * h_ji (with z_j, M, C of p') define the assurance
 * @f[ a_{ij} = \sqrt{|g_{ij} h_{ji}|}, \qquad (3) @f]
 * which depends on no scale of vectors, and is 1 for i = j and 0 otherwise if p = p'. Branches are continued
 * by the assignment with the largest sum of assurances.
 *
 * If M and C are the same at both values, then g_ij h_ji, summed over all modes i of p, is
 * @f$ z_j'^T [2 \lambda_j' M + C] x_j' = 1 @f$, since these modes are a basis. For undamped symmetric systems
 * no product is negative, so that
 * @f[ \sum_i a_{ij}^2 = 1, \qquad (4) @f]
 * and @f$ a_{ij}^2 @f$ is the part of mode j that mode i has. A mode with more than half of it is the only
 * one: this is the derivation of the limits in BranchOptions. In other systems parts may be larger than one,
 * so that competing modes are compared, too.
 *
 * The functions are for EigenEngine: eigenvalues at each value are compared with those of the next one by
 * vectors on all DoFs, which have to be on one process.
 */
namespace halfdof {

struct BranchOptions {
  Index count = 12;   ///< number of eigenvalues nearest to the shift that are asked for at each value, as for
                      ///< nearest_eigenvalues(); with structural damping, of modes of D
  Complex shift = 0;  ///< [1/s]
  /// A continuation is decided if its assurance is at least this number (half of the mode, see (4)), ...
  double least_assurance = 0.70710678118654757;
  /// ... and all competing ones are below this part of it (half of its part). Otherwise the step is divided.
  double largest_competitor = 0.70710678118654757;
  int max_divisions = 20;    ///< a step is divided at most so often, one part after the other
  int max_evaluations = 60;  ///< additional values within one step at most
  /// Two branches of which the eigenvalues would come closer than this part of their modulus, or than their
  /// uncertainties, cross; others that seem to cross may veer, which is decided by smaller steps.
  double resolved_gap = 1e-6;
  /// A mode grows if Re lambda is above this part of |lambda| and above the uncertainty of lambda.
  double growth = 1e-8;
  double onset_tolerance = 1e-9;  ///< of the parameter at which a mode begins to grow, relative to the step
};

/// An eigenvalue of a branch at one value of the parameter.
struct BranchPoint {
  double parameter;
  Complex eigenvalue;  ///< with nonnegative imaginary part [1/s]
  double error;        ///< uncertainty of the eigenvalue by rounding of the entries [1/s]; NaN if not known
  double assurance;    ///< assurance (3) of the continuation from the previous point; 1 at the first
  bool is_given;       ///< whether the value was given, not added to decide a continuation
  bool is_asked;       ///< whether the eigenvalue is among those that are asked for at this value
};

/// One eigenvalue, or conjugate pair, as a function of the parameter.
struct Branch {
  Index number;  ///< from 1 on, in the order of |lambda| at the first value, then of appearance
  std::vector<BranchPoint> points;
};

/// A step in which eigenvalues cannot be told apart, so that their branches may be exchanged after it.
struct UndecidedStep {
  double from, to;              ///< the smallest step that was tried
  std::vector<Index> branches;  ///< numbers
  double assurance;             ///< the lowest one of the continuations that were taken
};

/// A branch that begins or ends between two values: its eigenvalue comes into the computed set or leaves it,
/// or a conjugate pair becomes two real eigenvalues, or the reverse.
struct BranchEnd {
  double from, to;
  Index branch;
  bool begins;
};

/// Where a mode begins or ceases to grow.
struct StabilityChange {
  Index branch;
  double parameter;
  /// Half the width of the bracket, and the uncertainty of the eigenvalue over its mean slope in the step.
  double uncertainty;
  Complex eigenvalue;  ///< at the end of the uncertainty where the mode grows [1/s]
  bool begins_to_grow;
  /// Displacements of all assembled DoFs, the largest entry being one.
  ComplexVector shape;
};

/// A DoF whose kind differs between two systems.
struct KindDifference {
  GlobalIndex dof;  ///< assembled
  DoFKind before, after;
  std::string description;  ///< of the DoF
};

/// A DoF whose kind changes between two values.
struct KindOfDoFChange : KindDifference {
  double from, to;
};

/// A system with structural damping, and the reduction of its real embedding: of system.embedding(), with the
/// same numbering of DoFs, and not of another system.
struct ReducedStructuralSystem {
  StructurallyDampedSystem<EigenEngine> system;
  ReducedSystem<EigenEngine> of_embedding;
};

/// Branches of eigenvalues with everything that was not decided.
struct EigenvalueBranches {
  std::vector<double> values;    ///< the given values
  std::vector<Branch> branches;  ///< those that are asked for at a value at least, by their numbers
  std::vector<UndecidedStep> undecided;
  std::vector<BranchEnd> ends;
  std::vector<StabilityChange> stability;
  std::vector<Index> growing_at_first;  ///< branches that grow at the first value
  std::vector<KindOfDoFChange> kinds;
  Index n_evaluations = 0;        ///< systems whose eigenvalues were computed
  double max_backward_error = 0;  ///< largest EigenpairResidual::backward or EigenpairResidual::assembled
  std::string reason_without_left = {};  ///< why left vectors are not known at some value; empty: they are
  bool has_structural_damping = false;   ///< whether the branches are modes of D, with loss factors

  /// Prints the branches at the first and the last value, then everything else, one line each.
  /// @param name The name of the parameter
  void print(std::ostream& out, const std::string& name) const;
};

/**
 * Follows the eigenvalues nearest to a shift over a parameter.
 *
 * At each value the eigenvalues are computed by nearest_eigenvalues(), with left vectors by the transposed
 * matrices, and with some more eigenvalues than asked for, so that branches which leave the set for a while
 * are not lost. Only eigenvalues with nonnegative imaginary part are followed. Eigenvalues whose distance is
 * within their uncertainties are equal.
 *
 * A step is divided where a continuation is not decided (BranchOptions), and where two branches seem to cross
 * although their assurances admit a gap above BranchOptions::resolved_gap: a narrow veering, which a step
 * across it would take for a crossing. Vectors of equal eigenvalues are any basis of their space; they are
 * turned to those of the previous value, so that branches keep their identity at a value where they cross.
 * Branches that have been equal since the first value may be exchanged without a report. What remains
 * undecided, as where two eigenvalues and their vectors coalesce (flutter), is listed.
 *
 * Where a mode begins or ceases to grow in a step, the parameter is found by a bracketing method (TOMS 748).
 * A mode that grows in a part of a step, but at neither end, is not seen.
 *
 * @param system Returns the reduced system at a value. All have the same number of DoFs
 * @param values At least one, finite, ascending or descending strictly
 * @throws InvalidInput if values or options are out of range or systems differ in size; otherwise as
 *     nearest_eigenvalues()
 */
EigenvalueBranches eigenvalue_branches(const std::function<ReducedSystem<EigenEngine>(double)>& system,
                                       const std::vector<double>& values, const BranchOptions& options = {});

/**
 * Follows the modes of systems with structural damping, which are those of StructurallyDampedModes: a branch
 * is an eigenvalue of D(s) [1/s] with positive imaginary part, or a real one. It ends where the imaginary
 * part becomes negative. The equations (1) to (3) hold with C + i C_i and K + i K_i in place of C and K.
 * Vectors of D are those of the real embedding that have the form (x; -i x), and left vectors those of the
 * form (z; i z). Where eigenvalues of D and of its conjugate differ by at most the sum of 1e-5 of their
 * modulus and three times their uncertainty (BranchPoint::error), the vectors of both are split. Shapes in
 * the result have the DoFs of the application.
 *
 * @param system Returns the system at a value with the reduction of its embedding, as reduce() makes it; a
 * reduction of another system is not noticed, and gives wrong branches
 * @throws NotAvailable if eigenvalues of D and of its conjugate cannot be told apart; otherwise as the other
 * eigenvalue_branches()
 */
EigenvalueBranches eigenvalue_branches(const std::function<ReducedStructuralSystem(double)>& system,
                                       const std::vector<double>& values, const BranchOptions& options = {});

}  // namespace halfdof
