#pragma once

#include <halfdof/base/types.h>
#include <halfdof/linear_algebra/trilinos/engine.h>

#include <functional>
#include <string>

namespace halfdof::trilinos {

/// z = B r with B near A^{-1}, linear; symmetric where A is. Collective.
struct ApproximateInverse {
  std::function<MultiVector(ConstView<double> r)> apply;
  std::string name;                   ///< "diagonal", "multigrid with 4 levels"
  bool is_positive_definite = false;  ///< known to be, whether A is or not
};

/**
 * For a square matrix with a positive diagonal, chosen by what a few conjugate gradients with the diagonal
 * do:
 *
 * - where they reduce a residual with smooth and rough parts alike, as for a mass matrix or a small step, the
 *   diagonal is all it takes: the number of steps depends neither on the mesh nor on the number of processes;
 * - otherwise A is elliptic, and multigrid by smoothed aggregation (ML; Vanek, Mandel and Brezina 1996) takes
 *   on the smooth parts.
 *
 * Holds on to A. Shapes: near_null_space local rows x k, the motions that A hardly resists (rigid ones of an
 * elastic body); no columns: constants. A matrix without rows has the identity.
 */
ApproximateInverse approximate_inverse(const TrilinosMatrix& A, bool is_symmetric,
                                       const MultiVector& near_null_space);

/// Incomplete factors (Ifpack) of the rows of each process, for what is not elliptic. @throws NoConvergence
/// if a pivot is zero, of which the matrix may be innocent
ApproximateInverse incomplete_factorization(const TrilinosMatrix& A, bool is_definite);

}  // namespace halfdof::trilinos
