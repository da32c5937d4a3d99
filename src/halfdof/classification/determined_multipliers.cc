#include <halfdof/classification/determined_multipliers.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/linear_algebra/local_basis.h>
#include <halfdof/linear_algebra/one_process.h>
#include <halfdof/linear_algebra/pivot_rows.h>
#include <halfdof/linear_algebra/rank_decision.h>

#include <algorithm>
#include <string>
#include <vector>

namespace halfdof {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

Sparse with_unit_columns(const Sparse& A) {
  return A * column_norms(A).cwiseInverse().asDiagonal();
}

/// [A B].
Sparse beside(const Sparse& A, const Sparse& B) {
  Sparse all(A.rows(), A.cols() + B.cols());
  all.leftCols(A.cols()) = A;
  all.rightCols(B.cols()) = B;
  return all;
}

/// Rows on which the columns of a matrix are regular, ascending.
std::vector<Index> rows_of_pivots(const Sparse& columns) {
  std::vector<Index> rows = pivot_rows(columns).rows;
  std::sort(rows.begin(), rows.end());
  return rows;
}

/// Combinations u of rows for which P + u w^T has the determinant of the independent rows, but for a constant
/// factor: every left null vector y(s) of the rows A_1 s + A_2 has to keep a constant product with u. Where the
/// dependence is constant, y^T [A_1 A_2] = 0, any rows serve on which y is regular, and entries of one are
/// exact. The rest is orthogonal to these y and to the independent combinations.
Sparse rows_to_leave(const ConstraintRows& rows, const ConstraintLevels& levels,
                     const KernelOptions& options) {
  const Vector sizes = row_sizes(rows);
  const Sparse both = beside(rows.A_1, rows.A_2).transpose();
  const Vector norms = column_norms(both), both_sizes = (norms.array() == 0).select(1., norms);
  const Sparse null =
                   null_columns_of(both * both_sizes.cwiseInverse().asDiagonal(), "the constraints", options),
               y = with_unit_columns(sizes.cwiseQuotient(both_sizes).asDiagonal() * null);
  const Sparse known = beside(levels.independent.transpose(), y).transpose();
  return sizes.asDiagonal() * beside(null_columns_of(known, "the independent constraints", options),
                                     unit_columns(rows_of_pivots(y), static_cast<Index>(sizes.size())));
}

}  // namespace

template <class Engine>
FreeSystem<Engine> with_determined_multipliers(const FreeSystem<Engine>& system, const UnitFactors& units,
                                               const Sparse& L, const ConstraintRows& rows,
                                               const ConstraintLevels& levels, const Sparse& dual,
                                               const Sparse& idle, const KernelOptions& options) {
  if (levels.redundant.rows() == 0) return system;
  const Sparse u = with_unit_columns(L * rows_to_leave(rows, levels, options)),
               w = with_unit_columns(dual *
                                     unit_columns(rows_of_pivots(idle), static_cast<Index>(idle.rows())));
  if (u.cols() != w.cols())
    throw AmbiguousRank(std::to_string(u.cols()) + " constraints are redundant, but " +
                            std::to_string(w.cols()) +
                            " multipliers have no force. Remove constraints that follow from others.",
                        {});
  const Sparse added = units.rows.cwiseInverse().asDiagonal() * Sparse(u * w.transpose()) *
                       units.columns.cwiseInverse().asDiagonal();
  return system.with_added_stiffness(matrix_from<Engine>(added, system.dofs(), system.dofs()));
}

template FreeSystem<InstantiatedEngine> with_determined_multipliers(const FreeSystem<InstantiatedEngine>&,
                                                                    const UnitFactors&, const Sparse&,
                                                                    const ConstraintRows&,
                                                                    const ConstraintLevels&, const Sparse&,
                                                                    const Sparse&, const KernelOptions&);

}  // namespace halfdof
