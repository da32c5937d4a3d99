// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/classification/classification.h>
#include <halfdof/linear_algebra/engine.h>

#include <string>
#include <vector>

namespace halfdof {

/// Methods to reduce a system to a regular state space, the weakest first.
enum class ReductionMethod {
  automatic,     ///< the first of the following methods that suffices
  null_columns,  ///< half DoFs are found by their null columns
  kernel,        ///< half DoFs are found by kernels of M and C: KernelCoordinates
  constraints,   ///< null space of constraints that multipliers enforce: ConstraintCoordinates
  weierstrass,   ///< dense Weierstrass form of a pencil of any index: WeierstrassCoordinates
  none           ///< no method applies
};

/// "auto", "null-columns", "kernel", "constraints", "weierstrass", "none"
const char* name_of(ReductionMethod method);

/// The factorization of D. `automatic` uses the block-triangular form if the null rows allow it.
enum class EliminationPath { automatic, block_triangular, whole };

struct EliminationOptions {
  EliminationPath path = EliminationPath::automatic;
  FactorizationOptions factorization;
  double condition_warning = 1e12;  ///< condition estimate of D above which a warning is given
  double condition_limit = 1e15;    ///< condition estimate of D above which D counts as singular
};

/// Options of Newton's iterations for nonlinear equations, at a state and in a time step.
struct NewtonOptions {
  /// Change at which an iteration ends, in (0, 1), relative to the largest entry of the same kind. An
  /// iteration also ends if its changes are no larger than rounding.
  double tolerance = 1e-10;
  int max_iterations = 50;  ///< at least 1
  /// The tangents are updated and factorized again if a change is not smaller than this fraction of the
  /// previous one, in (0, 1).
  double slow = 0.25;
  /// Whether the tangents at the end of every step are checked for the declared kinds.
  bool monitor_kinds = true;
};

/// Options of WeierstrassForm.
struct WeierstrassOptions {
  /// Larger pencils are refused, because the work grows with the cube of the order. A pencil of order
  /// 2000 takes half a minute.
  Index max_order = 4200;
  std::vector<std::string> names = {};  ///< names of the unknowns, for messages; empty: "unknown 3"
};

struct ReductionOptions {
  /// Any method except none.
  ReductionMethod method = ReductionMethod::automatic;
  ClassificationOptions classification;
  KernelOptions kernel;
  WeierstrassOptions weierstrass;
  /// Largest number of free DoFs for which `automatic` uses the Weierstrass form, whose work grows with the
  /// cube of this number.
  GlobalIndex max_weierstrass = 500;
  EliminationOptions elimination;
  FactorizationOptions shifted;  ///< factorization of sigma^2 M + sigma C + K
  NewtonOptions newton;          ///< Newton's iteration in systems with a StateForce
};

}  // namespace halfdof
