// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/partition.h>
#include <halfdof/base/types.h>

#include <Eigen/SparseCore>

#include <functional>
#include <optional>
#include <vector>

namespace halfdof {

/// One entry of a column of H. Assembled numbering, 0-based.
struct WeightedDoF {
  GlobalIndex dof;
  double weight;
};

/**
 * The direction of a localized reaction: one sparse column h of H in
 * @f[ M \ddot q + C \dot q + K q = f(t) + H r, \qquad s = H^T q, \quad w = H^T \dot q. @f]
 * A positive reaction pushes along h; s is the displacement of the inclusion along it, w its rate. The
 * weights have the unit that makes s a length (or an angle) and r the work-conjugate force (or moment).
 *
 * Several weights of one DoF are added; DoFs whose weights cancel are dropped. Every process gives the same
 * entries.
 *
 * @throws InvalidInput if there is no entry, a weight is NaN or infinite, an index is negative, or all
 * weights cancel.
 */
class Direction {
 public:
  explicit Direction(std::vector<WeightedDoF> entries);

  /// The entries by ascending DoF, each DoF once, no weight zero. This function cannot be called on a
  /// temporary direction, because the reference would dangle.
  const std::vector<WeightedDoF>& entries() const& { return entries_; }
  const std::vector<WeightedDoF>& entries() const&& = delete;

 private:
  std::vector<WeightedDoF> entries_;
};

/// Returns alpha a + beta b. @throws InvalidInput if all weights cancel
Direction combine(double alpha, const Direction& a, double beta, const Direction& b);

/// Returns the direction of the displacement of DoF `a` relative to DoF `b`: s = q_a - q_b.
Direction between(GlobalIndex a, GlobalIndex b);

/// Returns c if b = c a up to rounding (1e-12, relative), and no value if the directions are not parallel.
std::optional<double> parallel_factor(const Direction& a, const Direction& b);

/**
 * The rows of H on this process. Reactions act on free DoFs; rows of constrained DoFs matter only for
 * displacements, through the prescribed motion,
 * @f[ s = H_f^T q_f + H_D^T q_D(t). @f]
 * Shapes: H is n_dofs x n_directions(); reactions r and displacements s have n_directions() entries on every
 * process. Constant; cheap to copy. Functions that add results of all processes are collective.
 *
 * @throws InvalidInput if a direction names a DoF that is not assembled.
 */
class DirectionMatrix {
 public:
  /// Collective. @param free,constrained The local free and constrained DoFs, assembled indices.
  DirectionMatrix(const std::vector<Direction>& directions, const Partition& dofs, const Selection& free,
                  const Selection& constrained);

  /// A linear map of several vectors on the local free DoFs.
  using Change = std::function<MultiVector(MultiVector)>;
  /// Returns the directions in other coordinates: S^T H_f for displacements and Z^T H_f for forces. Entries
  /// that are zero up to rounding are dropped. @param to_coordinates,to_equations The maps x -> S^T x and x
  /// -> Z^T x. Collective.
  DirectionMatrix in_coordinates(const Change& to_coordinates, const Change& to_equations) const;

  /// Returns the number m of directions, which is the number of columns of H.
  Index n_directions() const { return static_cast<Index>(free_->cols()); }

  /// Computes H_f r, the forces on the local free DoFs. Shapes: r n_directions() x k, result local free DoFs
  /// x k.
  MultiVector force(ConstView<double> r) const;
  /// Returns the columns first ... first + n - 1 of H_f. Shapes: local free DoFs x n.
  MultiVector columns(Index first, Index n) const;
  /// Computes H_f^T x. Shapes: x local free DoFs x k, result n_directions() x k. Collective.
  MultiVector components(ConstView<double> x) const;
  /// Computes H_f^T x with H_f on the free DoFs, also after a change of coordinates. Collective.
  Vector dof_components(const Vector& x) const;
  /// Computes H_D^T x. Shapes: x local constrained DoFs, result n_directions(). Collective.
  Vector constrained_components(const Vector& x) const;

  /// The local rows of H_f, or of S^T H_f in coordinates. Shape: local free DoFs x n_directions().
  const Eigen::SparseMatrix<double>& free() const { return *free_; }
  /// The local rows of H_f on the free DoFs, also after a change of coordinates.
  const Eigen::SparseMatrix<double>& on_dofs() const { return *on_dofs_; }
  /// The local rows of H_D. Shape: local constrained DoFs x n_directions().
  const Eigen::SparseMatrix<double>& constrained() const { return *constrained_; }
  const Communicator& communicator() const { return *communicator_; }

 private:
  using Columns = std::shared_ptr<const Eigen::SparseMatrix<double>>;
  /// H after a change of coordinates, without entries that are zero up to rounding.
  Columns changed(const Change& change) const;

  Columns free_, forces_, on_dofs_, constrained_;
  std::shared_ptr<const Communicator> communicator_;
};

}  // namespace halfdof
