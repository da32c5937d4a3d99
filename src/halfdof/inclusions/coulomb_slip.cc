// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/inclusions/coulomb_slip.h>

#include <cmath>
#include <limits>

namespace halfdof::internal {
namespace {

constexpr double two_pi = 6.283185307179586476925;
constexpr std::size_t n_cells = 24;

struct Angle {
  double x, cos_x, sin_x, cos_2x, sin_2x;
};

/// Returns the end points of n_cells intervals of equal length between the angles 0 and 2 pi.
std::array<Angle, n_cells + 1> full_turn() {
  std::array<Angle, n_cells + 1> turn;
  for (std::size_t k = 0; k <= n_cells; ++k) {
    const double x = two_pi * static_cast<double>(k) / n_cells;
    turn[k] = {x, std::cos(x), std::sin(x), std::cos(2 * x), std::sin(2 * x)};
  }
  return turn;
}

}  // namespace

CoulombSlip::CoulombSlip(const Eigen::Matrix3d& W, const Eigen::Vector3d& b, double mu)
    : W_(W), b_(b), mu_(mu) {
  const double b_n = b[0], b_0 = b[1], b_1 = b[2];
  const double u_0 = W(0, 1), u_1 = W(0, 2);
  const double p_0 = W(0, 0) * b_0 - b_n * W(1, 0), p_1 = W(0, 0) * b_1 - b_n * W(2, 0);
  a_0_ = 0.5 * mu * (u_0 * b_1 - u_1 * b_0 - b_n * (W(2, 1) - W(1, 2)));
  a_1_ = p_1;
  b_1_ = -p_0;
  a_2_ = 0.5 * mu * (u_0 * b_1 + u_1 * b_0 - b_n * (W(2, 1) + W(1, 2)));
  b_2_ = 0.5 * mu * (u_1 * b_1 - u_0 * b_0 - b_n * (W(2, 2) - W(1, 1)));
}

double CoulombSlip::value(double x) const {
  return a_0_ + a_1_ * std::cos(x) + b_1_ * std::sin(x) + a_2_ * std::cos(2 * x) + b_2_ * std::sin(2 * x);
}

double CoulombSlip::slope(double x) const {
  return -a_1_ * std::sin(x) + b_1_ * std::cos(x) + 2 * (b_2_ * std::cos(2 * x) - a_2_ * std::sin(2 * x));
}

double CoulombSlip::curvature(double x) const {
  return -a_1_ * std::cos(x) - b_1_ * std::sin(x) - 4 * (a_2_ * std::cos(2 * x) + b_2_ * std::sin(2 * x));
}

bool CoulombSlip::compute_candidate(double x, Candidate& result) const {
  const Eigen::Vector2d e(std::cos(x), std::sin(x));
  const double d = W_(0, 0) + mu_ * (W_(0, 1) * e[0] + W_(0, 2) * e[1]);
  if (!(d > 0)) return false;
  const double r_n = -b_[0] / d;
  result.r << r_n, mu_ * r_n * e[0], mu_ * r_n * e[1];
  result.sigma = -e.dot(b_.tail<2>() + W_.bottomRows<2>() * result.r);
  return true;
}

bool CoulombSlip::find_near(const Eigen::Vector3d& guess, Eigen::Vector3d& r) const {
  if (guess[1] == 0 && guess[2] == 0) return false;
  double x = std::atan2(guess[2], guess[1]);
  for (int iteration = 0; iteration < 12; ++iteration) {
    const double step = value(x) / slope(x);
    if (!(std::abs(step) < 0.5)) return false;
    x -= step;
    if (std::abs(step) > 1e-8)
      continue;  // Below this limit the error, the square of the step, is negligible.
    Candidate found;
    if (!compute_candidate(x, found) || found.sigma < 0) return false;
    r = found.r;
    return true;
  }
  return false;
}

// Computes the zero of a function between two angles by Newton's method. A bisection replaces a step that
// would leave the interval.
template <class F, class G>
double CoulombSlip::bracketed_zero(const F& function, const G& derivative, double low, double high) {
  const bool rises = function(high) > 0;
  double x = 0.5 * (low + high);
  for (int iteration = 0; iteration < 100; ++iteration) {
    const double f = function(x);
    if (f == 0) return x;
    ((f > 0) == rises ? high : low) = x;
    double next = x - f / derivative(x);
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (std::abs(next - x) <= 1e-15 * two_pi) return next;
    x = next;
  }
  return x;
}

// A change of sign between neighbouring points of a grid of angles brackets a zero of p. Two zeros between
// neighbouring points are separated by an extremum of p with the opposite sign, which is a zero of p'.
int CoulombSlip::find_all(std::array<Candidate, 4>& candidates) const {
  static const std::array<Angle, n_cells + 1> turn = full_turn();
  const auto p = [this](double x) { return value(x); };
  const auto dp = [this](double x) { return slope(x); };
  const auto ddp = [this](double x) { return curvature(x); };
  std::size_t n = 0;
  const auto take = [&](double low, double high) {
    if (n < 4 && compute_candidate(bracketed_zero(p, dp, low, high), candidates[n])) ++n;
  };
  double p_low = 0, dp_low = 0;
  for (std::size_t k = 0; k <= n_cells; ++k) {
    const Angle& e = turn[k];
    const double p_high = a_0_ + a_1_ * e.cos_x + b_1_ * e.sin_x + a_2_ * e.cos_2x + b_2_ * e.sin_2x;
    const double dp_high = -a_1_ * e.sin_x + b_1_ * e.cos_x + 2 * (b_2_ * e.cos_2x - a_2_ * e.sin_2x);
    if (k > 0 && (p_low < 0) != (p_high < 0)) {
      take(turn[k - 1].x, e.x);
    } else if (k > 0 && (dp_low < 0) != (dp_high < 0) && (p_low < 0) == (dp_high < 0)) {
      const double top = bracketed_zero(dp, ddp, turn[k - 1].x, e.x);
      if ((p(top) < 0) != (p_low < 0)) {
        take(turn[k - 1].x, top);
        take(top, e.x);
      }
    }
    p_low = p_high;
    dp_low = dp_high;
  }
  return static_cast<int>(n);
}

}  // namespace halfdof::internal
