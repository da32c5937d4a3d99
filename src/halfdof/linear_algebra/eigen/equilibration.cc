// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/linear_algebra/eigen/equilibration.h>
#include <halfdof/linear_algebra/log_determinant.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace halfdof::internal {

namespace {

constexpr int no_exponent = std::numeric_limits<int>::min() / 4;

/// Returns the exponent of the largest power of two that is not larger than the magnitude; no_exponent for
/// zero and for numbers that are not finite.
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

/// The pattern with the binary exponents of the values and of the row and column factors.
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

  /// Returns the largest difference of the exponents between rows, or between columns, without null rows and
  /// columns.
  int spread() const {
    const auto of = [](const Eigen::ArrayXi& largest) {
      const int most = largest.maxCoeff();
      return most - (largest == no_exponent).select(most, largest).minCoeff();
    };
    return std::max(of(in_row), of(in_column));
  }
};

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

/// Subtracts half of the largest exponents from the exponents of the factors. Returns whether a largest entry
/// was off by more than a factor of two.
bool halve(const Eigen::ArrayXi& largest, Eigen::ArrayXi& factors) {
  const Eigen::Array<bool, Eigen::Dynamic, 1> off = largest != no_exponent && largest.abs() > 1;
  factors -= off.select(largest / 2, 0);
  return off.any();
}

template <class Scalar>
class ScaledFactorization : public ReportedFactorization<Scalar> {
 public:
  ScaledFactorization(ReportedFactorizationPtr<Scalar> inner, Vector row_factors, Vector column_factors)
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
Equilibrated<Scalar> equilibrated(const SquarePattern& pattern, const std::vector<Scalar>& values) {
  constexpr int spread_of_units = 10;
  constexpr int n_means = 8;
  constexpr int most_halvings = 12;  // the exponents of doubles have eleven bits
  Exponents exponents{pattern, std::vector<int>(values.size())};
  std::transform(values.begin(), values.end(), exponents.entries.begin(),
                 [](Scalar value) { return exponent(value); });
  if (pattern.n > 0 && LargestExponents(exponents).spread() > spread_of_units)
    for (int pass = 0; pass < n_means; ++pass)
      subtract_means(exponents);
  bool changed = true;
  for (int pass = 0; changed && pass < most_halvings; ++pass) {
    const LargestExponents largest(exponents);
    changed = halve(largest.in_row, exponents.rows);
    changed = halve(largest.in_column, exponents.columns) || changed;
  }

  const Eigen::ArrayXi row = exponents.rows.max(-1022).min(1023);
  const Eigen::ArrayXi column = exponents.columns.max(-1022).min(1023);
  Equilibrated<Scalar> result{powers_of_two(row), powers_of_two(column), values};
  pattern.for_each_entry([&](Index i, Index j, std::size_t k) {
    result.values[k] = times_power_of_two(values[k], row[i] + column[j]);
  });
  return result;
}

template <class Scalar>
ReportedFactorizationPtr<Scalar> unscaled(ReportedFactorizationPtr<Scalar> factorization, Vector row_factors,
                                          Vector column_factors) {
  if (row_factors.isOnes(0.) && column_factors.isOnes(0.)) return factorization;
  return std::make_unique<ScaledFactorization<Scalar>>(std::move(factorization), std::move(row_factors),
                                                       std::move(column_factors));
}

template Equilibrated<double> equilibrated(const SquarePattern&, const std::vector<double>&);
template Equilibrated<Complex> equilibrated(const SquarePattern&, const std::vector<Complex>&);
template ReportedFactorizationPtr<double> unscaled(ReportedFactorizationPtr<double>, Vector, Vector);
template ReportedFactorizationPtr<Complex> unscaled(ReportedFactorizationPtr<Complex>, Vector, Vector);

}  // namespace halfdof::internal
