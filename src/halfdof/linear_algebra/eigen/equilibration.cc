// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/linear_algebra/eigen/equilibration.h>
#include <halfdof/linear_algebra/log_determinant.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace halfdof::internal {

namespace {

/// The exponent of zero and of numbers that are not finite.
constexpr int no_exponent = std::numeric_limits<int>::min() / 4;

/// Returns the exponent of the largest power of two that is at most |value|; no_exponent for zero and for
/// numbers that are not finite.
int exponent(double value) {
  return value == 0. || !std::isfinite(value) ? no_exponent : std::ilogb(value);
}

int exponent(Complex value) {
  return std::max(exponent(value.real()), exponent(value.imag()));
}

double times_power_of_two(double value, int power) {
  return std::ldexp(value, power);
}

Complex times_power_of_two(Complex value, int power) {
  return {std::ldexp(value.real(), power), std::ldexp(value.imag(), power)};
}

Vector powers_of_two(const Eigen::ArrayXi& exponents) {
  return exponents.unaryExpr([](int e) { return std::ldexp(1., e); }).matrix();
}

/// The pattern of a matrix, and the binary exponents of its entries and of the factors of its rows and
/// columns.
struct Exponents {
  const SquarePattern& pattern;
  std::vector<int> entries;
  Eigen::ArrayXi rows = Eigen::ArrayXi::Zero(pattern.n);
  Eigen::ArrayXi columns = Eigen::ArrayXi::Zero(pattern.n);

  /// Calls visit(row, column, exponent after scaling) for all nonzero entries.
  template <class Visit>
  void for_each_scaled(const Visit& visit) const {
    pattern.for_each_entry([&](Index i, Index j, std::size_t k) {
      if (entries[k] != no_exponent) visit(i, j, entries[k] + rows[i] + columns[j]);
    });
  }
};

/// The binary exponents of the largest entries of all rows and columns after scaling.
struct LargestExponents {
  Eigen::ArrayXi in_row;
  Eigen::ArrayXi in_column;

  explicit LargestExponents(const Exponents& exponents)
      : in_row(Eigen::ArrayXi::Constant(exponents.pattern.n, no_exponent)), in_column(in_row) {
    exponents.for_each_scaled([&](Index i, Index j, int scaled) {
      in_row[i] = std::max(in_row[i], scaled);
      in_column[j] = std::max(in_column[j], scaled);
    });
  }

  /// Returns the difference between the largest and the smallest of these exponents, for rows or for columns,
  /// whichever is larger. Null rows and columns are ignored.
  int spread() const {
    const auto of = [](const Eigen::ArrayXi& largest) {
      const int most = largest.maxCoeff();
      return most - (largest == no_exponent).select(most, largest).minCoeff();
    };
    return std::max(of(in_row), of(in_column));
  }
};

/// Scales rows, and then columns, so that the binary exponents of the nonzero entries of each have the mean
/// zero.
void subtract_means(Exponents& exponents) {
  const Index n = exponents.pattern.n;
  for (Eigen::ArrayXi* factors : {&exponents.rows, &exponents.columns}) {
    Eigen::ArrayXd sum = Eigen::ArrayXd::Zero(n), count = Eigen::ArrayXd::Zero(n);
    exponents.for_each_scaled([&](Index i, Index j, int scaled) {
      const Index line = factors == &exponents.rows ? i : j;
      sum[line] += scaled;
      count[line] += 1;
    });
    *factors -= (sum / count.max(1.)).round().cast<int>();
  }
}

/// Subtracts half of the largest exponents of the entries from the exponents of the factors.
/// @return Whether the largest entry of some row or column differed from one by a factor of two or more
bool halve_largest_exponents(const Eigen::ArrayXi& largest, Eigen::ArrayXi& factors) {
  const Eigen::Array<bool, Eigen::Dynamic, 1> is_unscaled = largest != no_exponent && largest.abs() > 1;
  factors -= is_unscaled.select(largest / 2, 0);
  return is_unscaled.any();
}

/// The factorization of A that solves with a factorization of the scaled matrix R A S.
template <class Scalar>
class UnscaledFactorization : public ReportedFactorization<Scalar> {
 public:
  UnscaledFactorization(ReportedFactorizationPtr<Scalar> inner, Vector row_factors, Vector column_factors)
      : inner_(std::move(inner)),
        row_factors_(std::move(row_factors)),
        column_factors_(std::move(column_factors)) {
    this->report() = inner_->report();
  }

  DenseMatrix<Scalar> solve(ConstView<Scalar> b) const override {
    return column_factors_.asDiagonal() * inner_->solve(row_factors_.asDiagonal() * b);
  }

  DenseMatrix<Scalar> solve_transposed(ConstView<Scalar> b) const override {
    return row_factors_.asDiagonal() * inner_->solve_transposed(column_factors_.asDiagonal() * b);
  }

  DenseMatrix<Scalar> forward(ConstView<Scalar> b) const override {
    return inner_->forward(row_factors_.asDiagonal() * b);
  }

  DenseMatrix<Scalar> backward(ConstView<Scalar> z) const override {
    return column_factors_.asDiagonal() * inner_->backward(z);
  }

  DenseMatrix<Scalar> transposed_backward(ConstView<Scalar> h) const override {
    return inner_->transposed_backward(column_factors_.asDiagonal() * h);
  }

  LogDeterminant<Scalar> log_determinant() const override {
    LogDeterminant<Scalar> scaled = inner_->log_determinant();
    scaled.log_modulus -= log_product(row_factors_).log_modulus + log_product(column_factors_).log_modulus;
    return scaled;
  }

 private:
  ReportedFactorizationPtr<Scalar> inner_;
  Vector row_factors_;
  Vector column_factors_;
};

}  // namespace

template <class Scalar>
EquilibratedMatrix<Scalar> equilibrated(const SquarePattern& pattern, const std::vector<Scalar>& values) {
  constexpr int min_spread_for_means = 10;  // binary exponent of a thousand
  constexpr int n_means = 8;
  constexpr int max_halvings = 12;  // the exponents of doubles have eleven bits
  Exponents exponents{pattern, std::vector<int>(values.size())};
  std::transform(values.begin(), values.end(), exponents.entries.begin(),
                 [](Scalar value) { return exponent(value); });
  if (pattern.n > 0 && LargestExponents(exponents).spread() > min_spread_for_means)
    for (int pass = 0; pass < n_means; ++pass)
      subtract_means(exponents);
  bool changed = true;
  for (int pass = 0; changed && pass < max_halvings; ++pass) {
    const LargestExponents largest(exponents);
    changed = halve_largest_exponents(largest.in_row, exponents.rows);
    changed = halve_largest_exponents(largest.in_column, exponents.columns) || changed;
  }

  const Eigen::ArrayXi row = exponents.rows.max(-1022).min(1023);
  const Eigen::ArrayXi column = exponents.columns.max(-1022).min(1023);
  EquilibratedMatrix<Scalar> result{powers_of_two(row), powers_of_two(column), values};
  pattern.for_each_entry([&](Index i, Index j, std::size_t k) {
    result.values[k] = times_power_of_two(values[k], row[i] + column[j]);
  });
  return result;
}

template <class Scalar>
ReportedFactorizationPtr<Scalar> undo_scaling(ReportedFactorizationPtr<Scalar> factorization,
                                              Vector row_factors, Vector column_factors) {
  if (row_factors.isOnes(0.) && column_factors.isOnes(0.)) return factorization;
  return std::make_unique<UnscaledFactorization<Scalar>>(std::move(factorization), std::move(row_factors),
                                                         std::move(column_factors));
}

template EquilibratedMatrix<double> equilibrated(const SquarePattern&, const std::vector<double>&);
template EquilibratedMatrix<Complex> equilibrated(const SquarePattern&, const std::vector<Complex>&);
template ReportedFactorizationPtr<double> undo_scaling(ReportedFactorizationPtr<double>, Vector, Vector);
template ReportedFactorizationPtr<Complex> undo_scaling(ReportedFactorizationPtr<Complex>, Vector, Vector);

}  // namespace halfdof::internal
