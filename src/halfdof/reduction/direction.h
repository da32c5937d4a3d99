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
 * A positive reaction pushes along h; s is the displacement of the inclusion along it, w its rate. Weights
 * have the unit that makes s a length (or an angle) and r the work-conjugate force (or moment).
 *
 * Several weights of one DoF are summed; sums that cancel are dropped. Every process gives the same entries.
 *
 * @throws InvalidInput if there is no entry, a weight is NaN or infinite, an index is negative, or all
 * weights cancel.
 */
class Direction {
 public:
  explicit Direction(std::vector<WeightedDoF> entries);

  /// By ascending DoF, each once, none zero. Of a direction that lives on: those of a temporary one would be
  /// gone before they are read.
  const std::vector<WeightedDoF>& entries() const& { return entries_; }
  const std::vector<WeightedDoF>& entries() const&& = delete;

 private:
  std::vector<WeightedDoF> entries_;
};

/// alpha a + beta b. @throws InvalidInput if nothing is left of it.
Direction combine(double alpha, const Direction& a, double beta, const Direction& b);

/// The displacement of DoF `a` relative to DoF `b`: s = q_a - q_b.
Direction between(GlobalIndex a, GlobalIndex b);

/// c where b = c a up to rounding (1e-12, relative), nothing where the two are not parallel.
std::optional<double> parallel_factor(const Direction& a, const Direction& b);

/**
 * H, by the rows of this process: those of free DoFs act and move, those of constrained DoFs see only the
 * prescribed motion,
 * @f[ s = H_f^T q_f + H_D^T q_D(t). @f]
 * Shapes: H is n_dofs x size(); reactions r and displacements s have size() entries, whole on every process.
 * Constant; cheap to copy. Results that leave a process are sums over all: those functions are collective.
 *
 * @throws InvalidInput if a direction names a DoF that is not assembled.
 */
class DirectionMatrix {
 public:
  /// Collective. @param free,constrained The local assembled DoFs of each sort.
  DirectionMatrix(const std::vector<Direction>& directions, const Partition& dofs, const Selection& free,
                  const Selection& constrained);

  /// S^T H_f in the place of H_f where displacements are seen, and Z^T H_f where forces act, without what
  /// rounding leaves of zeros. @param to_coordinates,to_equations x -> S^T x and Z^T x, of several vectors of
  /// the local free DoFs. Collective.
  using Change = std::function<MultiVector(MultiVector)>;
  DirectionMatrix in_coordinates(const Change& to_coordinates, const Change& to_equations) const;

  /// m, the number of directions.
  Index size() const { return static_cast<Index>(free_->cols()); }

  /// H_f r, the forces on the local free DoFs. Shapes: r size() x k, result local free DoFs x k.
  MultiVector force(ConstView<double> r) const;
  /// Columns first ... first + n - 1 of H_f. Shapes: local free DoFs x n.
  MultiVector columns(Index first, Index n) const;
  /// H_f^T x. Shapes: x local free DoFs x k, result size() x k. Collective.
  MultiVector components(ConstView<double> x) const;
  /// H_f^T x of the free DoFs themselves, also in coordinates. Collective.
  Vector dof_components(const Vector& x) const;
  /// H_D^T x. Shapes: x local constrained DoFs, result size(). Collective.
  Vector constrained_components(const Vector& x) const;

  /// This process's rows, as displacements are seen: local free DoFs x size().
  const Eigen::SparseMatrix<double>& free() const { return *free_; }
  /// The same of the free DoFs themselves, also in coordinates.
  const Eigen::SparseMatrix<double>& on_dofs() const { return *on_dofs_; }
  /// This process's rows: local constrained DoFs x size().
  const Eigen::SparseMatrix<double>& constrained() const { return *constrained_; }
  const Communicator& communicator() const { return *communicator_; }

 private:
  using Columns = std::shared_ptr<const Eigen::SparseMatrix<double>>;
  /// H without what rounding leaves of zeros after a change of coordinates.
  Columns changed(const Change& change) const;

  Columns free_, forces_, on_dofs_, constrained_;
  std::shared_ptr<const Communicator> communicator_;
};

}  // namespace halfdof
