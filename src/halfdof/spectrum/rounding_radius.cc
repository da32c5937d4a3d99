#include <halfdof/spectrum/rounding_radius.h>
#include <halfdof/spectrum/uncertainty.h>

#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace halfdof {

namespace {

/// Multiplies rows and columns by powers of two that bring the largest entries of each near one.
void equilibrate(MultiVector& T, Vector& rows, Vector& columns) {
  constexpr int n_sweeps = 4;
  const auto inverse_root = [](double largest) {
    return largest > 0 ? std::exp2(-std::round(std::log2(largest) / 2)) : 1.;
  };
  for (int sweep = 0; sweep < n_sweeps; ++sweep) {
    const Vector of_rows = T.rowwise().maxCoeff().unaryExpr(inverse_root),
                 of_columns = T.colwise().maxCoeff().transpose().unaryExpr(inverse_root);
    T = (of_rows.asDiagonal() * T * of_columns.asDiagonal()).eval();
    rows.array() *= of_rows.array();
    columns.array() *= of_columns.array();
  }
}

}  // namespace

RoundingRadius::RoundingRadius(MultiVector M, MultiVector C, MultiVector K)
    : M_(std::move(M)), C_(std::move(C)), K_(std::move(K)) {}

MultiVector RoundingRadius::terms(double modulus) const {
  return modulus * modulus * M_.cwiseAbs() + modulus * C_.cwiseAbs() + K_.cwiseAbs();
}

/// S(z), infinite where P(z) is singular. P is scaled before it is factorized, so that elimination pivots by
/// digits and not by units.
double RoundingRadius::sum_at(Complex z, const std::optional<Scales>& of_all_places) const {
  Scales scales{Vector::Ones(K_.rows()), Vector::Ones(K_.rows())};
  MultiVector T = terms(std::abs(z));
  if (of_all_places) {
    scales = *of_all_places;
    T.setOnes();
  } else {
    equilibrate(T, scales.rows, scales.columns);
  }
  const ComplexMultiVector P =
      scales.rows.asDiagonal() * (z * z * M_ + z * C_ + K_) * scales.columns.asDiagonal();
  const MultiVector inverse = Eigen::PartialPivLU<ComplexMultiVector>(P).inverse().cwiseAbs();
  const double sum = inverse.transpose().cwiseProduct(T).sum();
  return std::isfinite(sum) ? sum : std::numeric_limits<double>::infinity();
}

double RoundingRadius::operator()(Complex lambda, double farthest, Changes changes) const {
  constexpr double step = 4, smallest = std::numeric_limits<double>::epsilon() / 16;
  const Complex directions[] = {std::polar(1., 0.7), std::polar(1., 2.9), std::polar(1., -1.8)};
  const double modulus = std::abs(lambda) > 0 ? std::abs(lambda) : farthest;
  double u = unit_roundoff;
  std::optional<Scales> scales;
  if (changes == Changes::of_all_places) {
    u *= 8 * static_cast<double>(K_.rows());
    scales = {Vector::Ones(K_.rows()), Vector::Ones(K_.rows())};
    MultiVector T = terms(modulus);
    equilibrate(T, scales->rows, scales->columns);
  }
  const auto largest_sum = [&](double radius) {
    double largest = 0;
    for (const Complex direction : directions)
      largest = std::max(largest, sum_at(lambda + radius * direction, scales));
    return largest;
  };
  // From within, where rounding hides the eigenvalue itself, outwards.
  double radius = smallest * modulus;
  while (radius < farthest && u * largest_sum(radius) >= 1)
    radius *= step;
  const double between = std::sqrt(radius * farthest);
  if (between < step * radius) return std::min(radius, farthest);
  const double sum = largest_sum(between),
               power = std::max(1., std::round(std::log2(sum / largest_sum(2 * between))));
  return std::min(farthest, between * std::pow(u * sum, 1 / power));
}

bool RoundingRadius::may_be_infinite(Complex lambda) const {
  constexpr double steps[] = {1.5, 4, 16, 256, 65536};
  const double u = 8 * unit_roundoff * static_cast<double>(K_.rows());
  return std::all_of(std::begin(steps), std::end(steps),
                     [&](double step) { return u * sum_at(step * lambda, std::nullopt) >= 1; });
}

double rounding_of_simple_eigenvalue(ConstView<double> M, ConstView<double> C, ConstView<double> K,
                                     Complex lambda, const ComplexVector& x, const ComplexVector& y) {
  const double modulus = std::abs(lambda);
  const MultiVector T = modulus * modulus * M.cwiseAbs() + modulus * C.cwiseAbs() + K.cwiseAbs();
  const Complex slope = (y.transpose() * (2. * lambda * (M * x) + C * x))(0);
  return unit_roundoff * (y.cwiseAbs().transpose() * T * x.cwiseAbs())(0) / std::abs(slope);
}

}  // namespace halfdof
