#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/sparse_null_space.h>

#include <Eigen/SPQRSupport>

#include <string>

namespace halfdof {

MultiVector sparse_null_space(const Eigen::SparseMatrix<double>& A, const RankQuestion& question,
                              Index limit) {
  Eigen::SPQR<Eigen::SparseMatrix<double>> qr;
  qr.setPivotThreshold(question.uncertainty);
  qr.compute(A);
  const Index n = static_cast<Index>(A.cols()), rank = static_cast<Index>(qr.rank());
  if (static_cast<double>(n) * (n - rank) > static_cast<double>(limit) * limit)
    throw NotAvailable(
        "The kernel of " + question.matrix + " has the dimension " + std::to_string(n - rank) + " on " +
        std::to_string(n) +
        " columns that hang together: its basis is dense and does not fit. Take a coarser mesh, or raise "
        "KernelOptions::max_group.");
  MultiVector basis(n, n - rank);
  if (rank == n) return basis;
  const Eigen::SparseMatrix<double> R = qr.matrixR();
  MultiVector head = -MultiVector(R.topRightCorner(rank, n - rank));
  const Eigen::SparseMatrix<double> R_11 = R.topLeftCorner(rank, rank);
  R_11.triangularView<Eigen::Upper>().solveInPlace(head);
  basis << head, MultiVector::Identity(n - rank, n - rank);
  return qr.colsPermutation() * basis;
}

}  // namespace halfdof
