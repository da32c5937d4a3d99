// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/linear_algebra/exact/exact_structure.h>
#include <halfdof/linear_algebra/exact/long_numbers.h>
#include <halfdof/linear_algebra/exact/precise_spectrum.h>
#include <halfdof/linear_algebra/scaling/logarithmic_scaling.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <future>
#include <numeric>
#include <utility>

namespace halfdof::internal {

namespace {

/// A pencil whose rows, columns and eigenvalue have been scaled by powers of two: @f$ \lambda = 2^g \mu @f$.
struct ScaledPencil {
  MultiVector E, A;
  int exponent_of_eigenvalue = 0;  ///< the exponent g of the scale factor of the eigenvalue
};

/// Scales the rows, the columns and the eigenvalue of a pencil so that its entries have similar magnitudes.
ScaledPencil scaled(ConstView<double> E, ConstView<double> A) {
  const auto n = static_cast<Index>(E.rows());
  const LogarithmicScaling scaling =
      logarithmic_scaling(n, {{0, logarithms_of_entries(A)}, {1, logarithms_of_entries(E)}}, 6 * n + 2);
  const auto power = [](double exponent) { return std::exp2(std::round(exponent)); };
  const Vector rows = scaling.rows.unaryExpr(power), columns = scaling.columns.unaryExpr(power);
  ScaledPencil pencil{rows.asDiagonal() * E * columns.asDiagonal(),
                      rows.asDiagonal() * A * columns.asDiagonal(),
                      static_cast<int>(std::lround(scaling.rate))};
  pencil.E *= std::exp2(pencil.exponent_of_eigenvalue);
  return pencil;
}

using Real = DoubleDouble;
using Matrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;

/// Returns the modulus of the complex number re + i im without overflow of the squares.
Real modulus(const Real& re, const Real& im) {
  const Real a = abs(re), b = abs(im), larger = a < b ? b : a, smaller = a < b ? a : b;
  if (larger == 0.) return larger;
  const Real ratio = smaller / larger;
  return larger * sqrt(1. + ratio * ratio);
}

/**
 * Removes the zero eigenvalues from a matrix X: in each round, the LU factorization X = U V with the known
 * rank is replaced by V U, which has the same nonzero eigenvalues and one zero eigenvalue less for each
 * Jordan block at zero. The number of rounds is the order of the largest Jordan block at zero.
 * @param chains The dimension of the kernel of X in each round: the Weyr characteristic at zero
 * @return Whether the pivots of all factorizations agree with the known ranks
 */
bool remove_zero_eigenvalues(Matrix& X, const std::vector<Index>& chains) {
  constexpr double largest_ratio = 1e-10;
  for (const Index chain : chains) {
    const Eigen::Index n = X.rows(), rank = n - chain;
    if (rank == 0) {
      X.resize(0, 0);
      return true;
    }
    const Eigen::FullPivLU<Matrix> lu(X);
    const Matrix& both = lu.matrixLU();
    if (abs(both(rank, rank)) > largest_ratio * abs(both(rank - 1, rank - 1))) return false;
    Matrix U = both.leftCols(rank), V = both.topRows(rank);
    for (Eigen::Index j = 0; j < rank; ++j) {
      for (Eigen::Index i = 0; i < j; ++i)
        U(i, j) = 0.;
      U(j, j) = 1.;
      for (Eigen::Index i = j + 1; i < rank; ++i)
        V(i, j) = 0.;
    }
    U = (lu.permutationP().inverse() * U).eval();
    V = (V * lu.permutationQ().inverse()).eval();
    X = V * U;
  }
  return true;
}

/// Balances a matrix: row i is multiplied and column i divided by a power of two, so that both have about
/// equal norms (Parlett and Reinsch 1969). LAPACK has this similarity transformation only for double
/// precision.
void balance(Matrix& X) {
  constexpr int n_sweeps = 8;
  const Eigen::Index n = X.rows();
  MultiVector size(n, n);
  for (Eigen::Index j = 0; j < n; ++j)
    for (Eigen::Index i = 0; i < n; ++i)
      size(i, j) = i == j ? 0. : std::abs(to_double(X(i, j)));
  Vector factors = Vector::Ones(n);
  for (int sweep = 0; sweep < n_sweeps; ++sweep)
    for (Eigen::Index i = 0; i < n; ++i) {
      const double row = size.row(i).sum(), column = size.col(i).sum();
      if (row == 0 || column == 0) continue;
      const double factor = std::exp2(std::round(std::log2(column / row) / 2));
      size.row(i) *= factor;
      size.col(i) /= factor;
      factors[i] *= factor;
    }
  for (Eigen::Index j = 0; j < n; ++j)
    for (Eigen::Index i = 0; i < n; ++i)
      X(i, j) *= factors[i] / factors[j];
}

/// Returns the eigenvalue lambda = mu - 1/theta of the pencil, without its scaling, that belongs to an
/// eigenvalue theta of X = (mu E - A)^{-1} E.
Complex eigenvalue_of(const Real& theta_re, const Real& theta_im, double mu, int exponent_of_eigenvalue) {
  constexpr double negligible = 0x1p-64;
  const Real size = modulus(theta_re, theta_im), c = theta_re / size, s = theta_im / size;
  const Real re = mu - c / size, im = s / size, all = modulus(re, im);
  const auto part = [&](const Real& x) {
    return abs(x) <= negligible * all ? 0. : std::ldexp(to_double(x), exponent_of_eigenvalue);
  };
  return {part(re), part(im)};
}

/// Computes the finite eigenvalues of a pencil with one shift mu. No value is returned if the precision does
/// not suffice.
std::optional<std::vector<Complex>> eigenvalues_with_shift(const ScaledPencil& pencil,
                                                           const ExactStructure& at_infinity,
                                                           const ExactStructure& at_zero, double mu) {
  const Matrix E = pencil.E.cast<Real>(), A = pencil.A.cast<Real>();
  Matrix X = Eigen::PartialPivLU<Matrix>(Real(mu) * E - A).solve(E);
  if (!remove_zero_eigenvalues(X, at_infinity.weyr)) return std::nullopt;
  const auto one = [&] { return Matrix::Identity(X.rows(), X.rows()); };
  Matrix of_zeros = Real(mu) * X - one();
  if (!remove_zero_eigenvalues(of_zeros, at_zero.weyr)) return std::nullopt;
  X = of_zeros;
  X = ((X + one()) / Real(mu)).eval();

  std::vector<Complex> values(static_cast<std::size_t>(at_zero.order - at_zero.n_finite));
  const Eigen::Index n = X.rows();
  if (n == 0) return values;
  balance(X);
  const Eigen::RealSchur<Matrix> schur(X, false);
  if (schur.info() != Eigen::Success) return std::nullopt;
  const Matrix& T = schur.matrixT();
  const auto add = [&](const Real& re, const Real& im) {
    values.push_back(eigenvalue_of(re, im, mu, pencil.exponent_of_eigenvalue));
  };
  for (Eigen::Index i = 0; i < n; ++i) {
    if (i + 1 == n || T(i + 1, i) == 0.) {
      add(T(i, i), Real(0.));
      continue;
    }
    const Real half = (T(i, i) - T(i + 1, i + 1)) / 2., square = half * half + T(i, i + 1) * T(i + 1, i),
               mean = T(i + 1, i + 1) + half;
    const Real root = sqrt(abs(square));
    const bool is_complex = square < 0.;
    add(is_complex ? mean : mean + root, is_complex ? root : Real(0.));
    if (is_complex)
      values.push_back(std::conj(values.back()));
    else
      add(mean - root, Real(0.));
    ++i;
  }
  const bool are_finite = std::all_of(values.begin(), values.end(), [](Complex value) {
    return std::isfinite(value.real()) && std::isfinite(value.imag());
  });
  if (!are_finite || static_cast<Index>(values.size()) != at_infinity.n_finite) return std::nullopt;
  return values;
}

/// Replaces eigenvalues that nearly coincide by a multiple eigenvalue at their mean, and makes conjugate
/// eigenvalues exactly conjugate and adjacent.
std::vector<ExactRoot> merge_multiple_eigenvalues(std::vector<Complex> values) {
  constexpr double close = 1e-9;
  std::vector<ExactRoot> roots;
  while (!values.empty()) {
    std::vector<Complex> copies{values.back()};
    values.pop_back();
    for (std::size_t k = 0; k < copies.size(); ++k) {
      const auto near = std::partition(values.begin(), values.end(), [&](Complex other) {
        return std::abs(other - copies[k]) > close * std::abs(copies[k]);
      });
      copies.insert(copies.end(), near, values.end());
      values.erase(near, values.end());
    }
    Complex mean = 0;
    for (const Complex copy : copies)
      mean += copy / static_cast<double>(copies.size());
    // The eigenvalues into which rounding splits a real multiple eigenvalue are conjugate pairs with a real
    // mean.
    if (std::abs(mean.imag()) <= close * std::abs(mean)) mean = mean.real();
    const auto multiplicity = static_cast<Index>(copies.size());
    if (mean.imag() < 0) continue;  // it follows from the conjugate eigenvalue with positive imaginary part
    roots.push_back({mean, multiplicity});
    if (mean.imag() > 0) roots.push_back({std::conj(mean), multiplicity});
  }
  return roots;
}

/// Returns the pencil with rows and columns in reverse order, for which rounding errors differ.
ScaledPencil with_reversed_order(const ScaledPencil& pencil) {
  return {pencil.E.reverse(), pencil.A.reverse(), pencil.exponent_of_eigenvalue};
}

/// Returns whether two lists contain the same roots with the same multiplicities, up to a relative error of
/// 1e-10.
bool are_equal(const std::vector<ExactRoot>& some, std::vector<ExactRoot> others) {
  constexpr double known = 1e-10;
  if (some.size() != others.size()) return false;
  return std::all_of(some.begin(), some.end(), [&](const ExactRoot& root) {
    const auto same = std::find_if(others.begin(), others.end(), [&](const ExactRoot& other) {
      return other.multiplicity == root.multiplicity &&
             std::abs(other.value - root.value) <= known * std::abs(root.value);
    });
    if (same == others.end()) return false;
    others.erase(same);
    return true;
  });
}

/// Computes the finite eigenvalues of a pencil twice with different rounding errors, by different shifts and
/// orders of the unknowns. No value is returned if the two results differ.
std::optional<std::vector<ExactRoot>> confirmed_eigenvalues(const ScaledPencil& pencil,
                                                            const ExactStructure& at_infinity,
                                                            const ExactStructure& at_zero) {
  constexpr double mu = 0.8203125, other_mu = 1.3671875;
  auto second = std::async(std::launch::async, [&] {
    return eigenvalues_with_shift(with_reversed_order(pencil), at_infinity, at_zero, other_mu);
  });
  std::optional<std::vector<Complex>> values = eigenvalues_with_shift(pencil, at_infinity, at_zero, mu),
                                      others = second.get();
  if (!values || !others) return std::nullopt;
  const std::vector<ExactRoot> roots = merge_multiple_eigenvalues(std::move(*values));
  // If rounding split a multiple eigenvalue so that the parts are not symmetric to the real axis, some roots
  // may be missing in the list.
  const Index n_listed =
      std::accumulate(roots.begin(), roots.end(), Index{0},
                      [](Index n, const ExactRoot& root) { return n + root.multiplicity; });
  if (n_listed != at_infinity.n_finite) return std::nullopt;
  if (!are_equal(roots, merge_multiple_eigenvalues(std::move(*others)))) return std::nullopt;
  return roots;
}

}  // namespace

std::optional<ExactSpectrum> precise_spectrum(ConstView<double> E, ConstView<double> A) {
  const std::optional<ExactStructure> at_infinity = exact_structure(E, A), at_zero = exact_structure(A, E);
  if (!at_infinity || !at_zero) return std::nullopt;
  ExactSpectrum spectrum;
  spectrum.is_regular = at_infinity->is_regular();
  if (!spectrum.is_regular || at_infinity->n_finite == 0) return spectrum;
  const ScaledPencil pencil = scaled(E, A);
  if (!pencil.E.allFinite() || !pencil.A.allFinite()) return std::nullopt;
  auto roots = confirmed_eigenvalues(pencil, *at_infinity, *at_zero);
  if (!roots) return std::nullopt;
  spectrum.n_finite = at_infinity->n_finite;
  spectrum.roots = std::move(*roots);
  return spectrum;
}

}  // namespace halfdof::internal
