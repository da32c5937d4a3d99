// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/dense/dense_decompositions.h>
#include <halfdof/linear_algebra/dense/lapack_order.h>

#include <algorithm>
#include <limits>
#include <string>

namespace halfdof::internal {
namespace {

/// Returns a leading dimension for LAPACK, which requires at least one.
lapack_int leading_dimension(Eigen::Index n) {
  return std::max<lapack_int>(1, order(n));
}

void check_convergence(lapack_int info, const std::string& method) {
  if (info != 0)
    throw NoConvergence(
        method + " in LAPACK did not converge (info = " + std::to_string(info) +
            "). The matrix is badly scaled or not finite: check the coefficients and the units.",
        std::numeric_limits<double>::quiet_NaN());
}

SymmetricEigenpairs dsyev(ConstView<double> A, char want_vectors) {
  SymmetricEigenpairs pairs{Vector(A.rows()), A};
  if (A.rows() > 0)
    check_convergence(LAPACKE_dsyev(LAPACK_COL_MAJOR, want_vectors, 'L', order(A.rows()),
                                    pairs.vectors.data(), order(A.rows()), pairs.values.data()),
                      "The QL iteration (dsyev)");
  return pairs;
}

}  // namespace

namespace {

/// Computes the singular value decomposition of X by divide and conquer (dgesdd). If divide and conquer does
/// not converge, the slower QR iteration (dgesvd) is used. @param job 'A' for all singular vectors, 'N' for
/// none
void decompose(char job, ConstView<double> X, Vector& values, MultiVector& U, MultiVector& V) {
  const auto m = order(X.rows()), n = order(X.cols());
  MultiVector work = X;
  double *const u = job == 'A' ? U.data() : nullptr, *const v = job == 'A' ? V.data() : nullptr;
  const auto leading_u = job == 'A' ? leading_dimension(X.rows()) : 1,
             leading_v = job == 'A' ? leading_dimension(X.cols()) : 1;
  if (LAPACKE_dgesdd(LAPACK_COL_MAJOR, job, m, n, work.data(), leading_dimension(X.rows()), values.data(), u,
                     leading_u, v, leading_v) == 0)
    return;
  work = X;
  Vector superdiagonal(values.size());
  check_convergence(LAPACKE_dgesvd(LAPACK_COL_MAJOR, job, job, m, n, work.data(), leading_dimension(X.rows()),
                                   values.data(), u, leading_u, v, leading_v, superdiagonal.data()),
                    "The singular value decomposition (dgesvd)");
}

}  // namespace

SingularValueDecomposition singular_value_decomposition(ConstView<double> X) {
  SingularValueDecomposition svd{Vector(std::min(X.rows(), X.cols())), MultiVector(X.rows(), X.rows()),
                                 MultiVector(X.cols(), X.cols())};
  if (svd.values.size() == 0) {
    svd.U.setIdentity();
    svd.V.setIdentity();
    return svd;
  }
  decompose('A', X, svd.values, svd.U, svd.V);
  svd.V.transposeInPlace();
  return svd;
}

Vector singular_values(ConstView<double> X) {
  Vector values(std::min(X.rows(), X.cols()));
  MultiVector none;
  if (values.size() > 0) decompose('N', X, values, none, none);
  return values;
}

double reciprocal_condition(MultiVector X) {
  const lapack_int n = order(X.rows());
  if (n == 0) return 1;
  const double norm = X.cwiseAbs().colwise().sum().maxCoeff();
  std::vector<lapack_int> pivots(static_cast<std::size_t>(n));
  if (LAPACKE_dgetrf(LAPACK_COL_MAJOR, n, n, X.data(), n, pivots.data()) != 0) return 0;
  double reciprocal = 0;
  LAPACKE_dgecon(LAPACK_COL_MAJOR, '1', n, X.data(), n, norm, &reciprocal);
  return reciprocal;
}

BalancedMatrix balanced(ConstView<double> A) {
  BalancedMatrix result{A, Vector::Ones(A.rows())};
  lapack_int low = 0, high = 0;
  if (A.rows() > 0)
    check_convergence(LAPACKE_dgebal(LAPACK_COL_MAJOR, 'S', order(A.rows()), result.B.data(), order(A.rows()),
                                     &low, &high, result.D.data()),
                      "The balancing of a matrix (dgebal)");
  return result;
}

SymmetricEigenpairs symmetric_eigenpairs(ConstView<double> A) {
  return dsyev(A, 'V');
}

Vector symmetric_eigenvalues(ConstView<double> A) {
  return dsyev(A, 'N').values;
}

ComplexSchur complex_schur(ConstView<double> A) {
  const lapack_int n = order(A.rows());
  ComplexSchur schur{ComplexMultiVector(n, n), A.cast<Complex>()};
  ComplexVector values(n);
  lapack_int n_selected = 0;
  if (n > 0)
    check_convergence(LAPACKE_zgees(LAPACK_COL_MAJOR, 'V', 'N', nullptr, n, schur.T.data(), n, &n_selected,
                                    values.data(), schur.U.data(), n),
                      "The QR iteration (zgees)");
  return schur;
}

GeneralizedSchur generalized_schur(ConstView<double> A, ConstView<double> E) {
  const Index n = static_cast<Index>(A.rows());
  GeneralizedSchur schur{A, E, MultiVector(n, n), MultiVector(n, n), {}, Vector(n)};
  Vector re(n), im(n);
  lapack_int n_selected = 0;
  // dgges3 is not used, because its subroutine dlaqz0 (LAPACK 3.10) writes past the end of its arrays.
  if (n > 0)
    check_convergence(LAPACKE_dgges(LAPACK_COL_MAJOR, 'V', 'V', 'N', nullptr, order(n), schur.S.data(),
                                    order(n), schur.T.data(), order(n), &n_selected, re.data(), im.data(),
                                    schur.beta.data(), schur.Q.data(), order(n), schur.Z.data(), order(n)),
                      "The QZ iteration (dgges)");
  for (Index i = 0; i < n; ++i)
    schur.alpha.emplace_back(re[i], im[i]);
  return schur;
}

SylvesterSolution decouple_pencils(ConstView<double> A, ConstView<double> B, ConstView<double> C,
                                   ConstView<double> D, ConstView<double> E, ConstView<double> F) {
  // dtgsyl solves A R - L B = scale C, D R - L E = scale F in place.
  SylvesterSolution solution{-C, -F};
  if (C.size() == 0) return solution;
  const MultiVector a = A, b = B, d = D, e = E;
  double scale = 1, separation = 0;
  const lapack_int m = order(C.rows()), n = order(C.cols());
  const lapack_int info =
      LAPACKE_dtgsyl(LAPACK_COL_MAJOR, 'N', 0, m, n, a.data(), m, b.data(), n, solution.R.data(), m, d.data(),
                     m, e.data(), n, solution.L.data(), m, &scale, &separation);
  if (info != 0 || !(scale > 0))
    throw SingularMatrix(
        "The finite and the infinite eigenvalues of a pencil cannot be separated: the generalized Sylvester "
        "equation that decouples the two parts (" +
        std::to_string(m) + " and " + std::to_string(n) +
        " unknowns) is singular, because the parts share an eigenvalue to working precision. Check the "
        "coefficients for entries that are tiny but not zero.");
  solution.R /= scale;
  solution.L /= -scale;
  return solution;
}

}  // namespace halfdof::internal
