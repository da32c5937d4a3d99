#include <halfdof/base/errors.h>
#include <halfdof/spectrum/dense_spectrum.h>
#include <halfdof/spectrum/eigenvalue_scale.h>

#include <lapacke.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <string>
#include <tuple>

namespace halfdof {
namespace {

template <class Derived>
void check_square_and_finite(const Eigen::MatrixBase<Derived>& A, const std::string& name) {
  std::ostringstream message;
  if (A.rows() != A.cols()) {
    message << "The " << name << " has " << A.rows() << " rows and " << A.cols()
            << " columns. Eigenvalues are defined for square matrices only: pass a square one.";
    throw InvalidInput(message.str());
  }
  if (A.rows() > dense_spectrum_limit) {
    message << "The " << name << " is of order " << A.rows() << ", more than the limit of "
            << dense_spectrum_limit
            << " for all eigenvalues at once. Ask for the eigenvalues nearest a shift instead "
               "(nearest_eigenvalues).";
    throw NotAvailable(message.str());
  }
  for (Index j = 0; j < A.cols(); ++j)
    for (Index i = 0; i < A.rows(); ++i)
      if (!std::isfinite(std::abs(A(i, j)))) {
        message << "The " << name << " holds " << A(i, j) << " at row " << i << ", column " << j
                << ". Eigenvalues need finite entries: correct the matrix.";
        throw InvalidInput(message.str());
      }
}

void check_convergence(lapack_int info, const std::string& method) {
  if (info == 0) return;
  throw NoConvergence(method + " stopped with info = " + std::to_string(info) +
                          " before all eigenvalues had converged. The matrices are badly scaled: check the "
                          "units, or ask for the eigenvalues nearest a shift.",
                      std::numeric_limits<double>::quiet_NaN());
}

struct RealSchur {
  Vector re, im;
  MultiVector vectors;
};

RealSchur dgeev(ConstView<double> A, char want_vectors) {
  check_square_and_finite(A, "matrix");
  const auto n = static_cast<lapack_int>(A.rows());
  MultiVector work = A;
  RealSchur result{Vector(n), Vector(n), MultiVector(want_vectors == 'V' ? n : 0, n)};
  if (n == 0) return result;
  check_convergence(LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', want_vectors, n, work.data(), n, result.re.data(),
                                  result.im.data(), nullptr, 1, result.vectors.data(), n),
                    "QR iteration (dgeev)");
  return result;
}

std::vector<Complex> complex_values(const Vector& re, const Vector& im) {
  std::vector<Complex> values(static_cast<std::size_t>(re.size()));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = {re[static_cast<Index>(i)], im[static_cast<Index>(i)]};
  return values;
}

double power_of_two_near(double x) {
  return std::exp2(std::round(std::log2(x)));
}

/// Brings the largest entries of rows and columns near one, a few sweeps of square roots (Ruiz, 2001).
void balance(double gamma, MultiVector& M, MultiVector& C, MultiVector& K) {
  if (K.size() == 0) return;
  for (int sweep = 0; sweep < 4; ++sweep) {
    const MultiVector size =
        (gamma * gamma * M.cwiseAbs()).cwiseMax(gamma * C.cwiseAbs()).cwiseMax(K.cwiseAbs());
    const auto inverse_root = [](double largest) {
      return largest > 0 ? power_of_two_near(1 / std::sqrt(largest)) : 1.;
    };
    const Vector rows = size.rowwise().maxCoeff().unaryExpr(inverse_root);
    const Vector columns = size.colwise().maxCoeff().transpose().unaryExpr(inverse_root);
    for (MultiVector* matrix : {&M, &C, &K})
      *matrix = rows.asDiagonal() * *matrix * columns.asDiagonal();
  }
}

double scale_of(const MultiVector& M, const MultiVector& C, const MultiVector& K) {
  return power_of_two_near(characteristic_rate(M.norm(), C.norm(), K.norm()));
}

}  // namespace

std::vector<Complex> eigenvalues(ConstView<double> A) {
  const RealSchur schur = dgeev(A, 'N');
  return complex_values(schur.re, schur.im);
}

DenseEigenpairs eigenpairs(ConstView<double> A) {
  const RealSchur schur = dgeev(A, 'V');
  DenseEigenpairs pairs{complex_values(schur.re, schur.im), schur.vectors.cast<Complex>()};
  for (Index j = 0; j + 1 < A.cols(); ++j)
    if (schur.im[j] > 0) {
      pairs.vectors.col(j).imag() = schur.vectors.col(j + 1);
      pairs.vectors.col(j + 1) = pairs.vectors.col(j).conjugate();
      ++j;
    }
  return pairs;
}

DenseEigenpairs eigenpairs(ConstView<Complex> A) {
  check_square_and_finite(A, "matrix");
  const auto n = static_cast<lapack_int>(A.rows());
  ComplexMultiVector work = A;
  DenseEigenpairs pairs{std::vector<Complex>(static_cast<std::size_t>(n)), ComplexMultiVector(n, n)};
  const auto data = [](Complex* values) { return reinterpret_cast<lapack_complex_double*>(values); };
  if (n > 0)
    check_convergence(LAPACKE_zgeev(LAPACK_COL_MAJOR, 'N', 'V', n, data(work.data()), n,
                                    data(pairs.values.data()), nullptr, 1, data(pairs.vectors.data()), n),
                      "QR iteration (zgeev)");
  return pairs;
}

std::vector<HomogeneousEigenvalue> eigenvalues(ConstView<double> A, ConstView<double> E) {
  check_square_and_finite(A, "first matrix of the pencil");
  check_square_and_finite(E, "second matrix of the pencil");
  if (A.rows() != E.rows())
    throw InvalidInput("The two matrices of the pencil are of order " + std::to_string(A.rows()) + " and " +
                       std::to_string(E.rows()) + ". Both must be of the same order.");
  const auto n = static_cast<lapack_int>(A.rows());
  MultiVector a = A, e = E;
  Vector re(n), im(n), beta(n);
  if (n > 0)
    check_convergence(LAPACKE_dggev3(LAPACK_COL_MAJOR, 'N', 'N', n, a.data(), n, e.data(), n, re.data(),
                                     im.data(), beta.data(), nullptr, 1, nullptr, 1),
                      "QZ iteration (dggev3)");
  std::vector<HomogeneousEigenvalue> result;
  for (Index i = 0; i < n; ++i)
    result.push_back({Complex(re[i], im[i]), beta[i]});
  return result;
}

QuadraticSpectrum quadratic_spectrum(ConstView<double> M_given, ConstView<double> C_given,
                                     ConstView<double> K_given) {
  const Index n = static_cast<Index>(K_given.rows());
  check_square_and_finite(K_given, "stiffness");
  if (M_given.rows() != n || M_given.cols() != n || C_given.rows() != n || C_given.cols() != n)
    throw InvalidInput("Mass, damping and stiffness differ in shape. Pass three n x n matrices.");

  MultiVector M = M_given, C = C_given, K = K_given;
  balance(scale_of(M, C, K), M, C, K);
  const double gamma = scale_of(M, C, K);

  MultiVector A = MultiVector::Zero(2 * n, 2 * n), E = MultiVector::Zero(2 * n, 2 * n);
  A.topRightCorner(n, n).setIdentity();
  A.bottomLeftCorner(n, n) = -K;
  A.bottomRightCorner(n, n) = -gamma * C;
  E.topLeftCorner(n, n).setIdentity();
  E.bottomRightCorner(n, n) = gamma * gamma * M;

  const double epsilon = std::numeric_limits<double>::epsilon();
  const double null_alpha = 2 * n * epsilon * A.norm(), null_beta = 2 * n * epsilon * E.norm();
  QuadraticSpectrum spectrum;
  for (const HomogeneousEigenvalue& ratio : eigenvalues(A, E)) {
    if (std::abs(ratio.beta) > null_beta)
      spectrum.finite.push_back(gamma * ratio.alpha / ratio.beta);
    else
      ++(std::abs(ratio.alpha) > null_alpha ? spectrum.n_infinite : spectrum.n_undetermined);
  }
  sort_by_modulus(spectrum.finite);
  return spectrum;
}

void sort_by_modulus(std::vector<Complex>& eigenvalues) {
  std::sort(eigenvalues.begin(), eigenvalues.end(), [](Complex a, Complex b) {
    return std::make_tuple(std::abs(a), a.real(), -a.imag()) <
           std::make_tuple(std::abs(b), b.real(), -b.imag());
  });
}

}  // namespace halfdof
