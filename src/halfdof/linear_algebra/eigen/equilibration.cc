#include <halfdof/linear_algebra/eigen/equilibration.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace halfdof {

namespace {

constexpr int no_exponent = std::numeric_limits<int>::min() / 4;

/// The exponent of the power of two next below the magnitude.
int exponent(double value) {
  return value == 0. ? no_exponent : std::ilogb(value);
}

int exponent(Complex value) {
  return std::max(exponent(value.real()), exponent(value.imag()));
}

Vector powers_of_two(const std::vector<int>& exponents) {
  Vector powers(static_cast<Eigen::Index>(exponents.size()));
  for (std::size_t i = 0; i < exponents.size(); ++i)
    powers[static_cast<Eigen::Index>(i)] = std::ldexp(1., std::clamp(exponents[i], -1022, 1023));
  return powers;
}

/// Takes half of the largest exponents off; whether any was off by more than a factor of two.
bool halve(const std::vector<int>& largest, std::vector<int>& factors) {
  bool changed = false;
  for (std::size_t i = 0; i < factors.size(); ++i) {
    if (largest[i] <= no_exponent / 2 || std::abs(largest[i]) <= 1) continue;
    factors[i] -= largest[i] / 2;
    changed = true;
  }
  return changed;
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

 private:
  ReportedFactorizationPtr<Scalar> inner_;
  Vector row_factors_;
  Vector column_factors_;
};

}  // namespace

template <class Scalar>
Equilibrated<Scalar> equilibrated(const SquarePattern& pattern, const std::vector<Scalar>& values) {
  constexpr int most_passes = 12;  // 2^12 halvings take off more than the range of double
  const auto n = static_cast<std::size_t>(pattern.n);
  std::vector<int> row_exponents(n, 0), column_exponents(n, 0), exponents(values.size());
  std::transform(values.begin(), values.end(), exponents.begin(),
                 [](Scalar value) { return exponent(value); });

  bool changed = true;
  for (int pass = 0; changed && pass < most_passes; ++pass) {
    std::vector<int> largest_in_row(n, no_exponent), largest_in_column(n, no_exponent);
    for (std::size_t j = 0; j < n; ++j)
      for (auto k = static_cast<std::size_t>(pattern.starts[j]);
           k < static_cast<std::size_t>(pattern.starts[j + 1]); ++k) {
        const auto i = static_cast<std::size_t>(pattern.rows[k]);
        const int scaled = exponents[k] + row_exponents[i] + column_exponents[j];
        largest_in_row[i] = std::max(largest_in_row[i], scaled);
        largest_in_column[j] = std::max(largest_in_column[j], scaled);
      }
    changed = halve(largest_in_row, row_exponents);
    changed = halve(largest_in_column, column_exponents) || changed;
  }

  Equilibrated<Scalar> result{powers_of_two(row_exponents), powers_of_two(column_exponents), values};
  for (std::size_t j = 0; j < n; ++j)
    for (auto k = static_cast<std::size_t>(pattern.starts[j]);
         k < static_cast<std::size_t>(pattern.starts[j + 1]); ++k)
      result.values[k] = result.values[k] * result.row_factors[pattern.rows[k]] *
                         result.column_factors[static_cast<Eigen::Index>(j)];
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

}  // namespace halfdof
