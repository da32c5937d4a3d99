// SPDX-License-Identifier: LGPL-2.1-or-later
#include "exact.h"

#include <halfdof/base/errors.h>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace halfdof;

namespace {

constexpr std::complex<double> i(0, 1);

}  // namespace

ExactMotion::ExactMotion(const Absorber& absorber) : absorber_(absorber) {
  const double m = absorber.m, c = absorber.c(), k = absorber.k();
  if (!(c * c < 4 * m * k))
    throw InvalidInput(
        "The closed form is valid only for an underdamped absorber, c^2 < 4 m k. Reduce the damping.");
  Z_ = absorber.E_0 / (k - m * std::pow(absorber.omega_0, 2) + i * c * absorber.omega_0);
  lambda_ = (-c + i * std::sqrt(4 * m * k - c * c)) / (2 * m);

  // The scan step is shorter than every piece of the motion; most pieces are thousands of times longer.
  const double scan = 1e-4 / std::abs(lambda_);
  pieces_.push_back(rest(0., absorber.q_3));
  for (double time = 0; time < absorber.end; time += scan) {
    if (!is_over(time + scan, pieces_.back())) continue;
    double before = time, over = time + scan;
    while (over - before > 4e-16 * over) {
      const double middle = 0.5 * (before + over);
      (is_over(middle, pieces_.back()) ? over : before) = middle;
    }
    pieces_.push_back(after(over, pieces_.back()));
  }
}

ExactMotion::Point ExactMotion::at(double time) const {
  const auto behind = std::upper_bound(pieces_.begin() + 1, pieces_.end(), time,
                                       [](double t, const Piece& piece) { return t < piece.t_0; });
  return at(time, *(behind - 1));
}

ExactMotion::Point ExactMotion::at(double time, const Piece& piece) const {
  if (piece.state == ContactState::stick) return {piece.q, 0.};
  const auto shaken = Z_ * std::exp(i * absorber_.omega_0 * time);
  const auto free = piece.Y * std::exp(lambda_ * (time - piece.t_0));
  return {(piece.r - absorber_.m * absorber_.g) / absorber_.k() + shaken.imag() + free.real(),
          (i * absorber_.omega_0 * shaken).imag() + (lambda_ * free).real()};
}

ExactMotion::Piece ExactMotion::slip(double time, double q, double v, bool is_forward) const {
  Piece piece{time, is_forward ? ContactState::slip_forward : ContactState::slip_back, q, v};
  piece.r = is_forward ? -absorber_.a : absorber_.b;
  const Point without = at(time, piece);
  // Y is chosen so that displacement and velocity have the given values at the beginning of the piece.
  const double real = q - without.q;
  piece.Y = {real, (lambda_.real() * real - (v - without.v)) / lambda_.imag()};
  return piece;
}

ExactMotion::Piece ExactMotion::rest(double time, double q) const {
  const double other_forces = absorber_.load(time) - absorber_.k() * q;
  const bool on_the_stop = absorber_.stop && q <= absorber_.stop->height;
  if (other_forces > absorber_.a) return slip(time, q, 0., true);
  if (other_forces < -absorber_.b && !on_the_stop) return slip(time, q, 0., false);
  return {time, ContactState::stick, q, 0.};
}

bool ExactMotion::is_over(double time, const Piece& piece) const {
  const Point now = at(time, piece);
  switch (piece.state) {
    case ContactState::slip_forward:
      return now.v < 0;
    case ContactState::slip_back:
      return now.v > 0 || (absorber_.stop && now.q < absorber_.stop->height);
    default:
      return rest(time, piece.q).state != ContactState::stick;
  }
}

ExactMotion::Piece ExactMotion::after(double time, const Piece& piece) const {
  const Point now = at(time, piece);
  const bool hits =
      absorber_.stop && piece.state == ContactState::slip_back && now.q < absorber_.stop->height;
  if (!hits) return rest(time, now.q);
  const auto [height, e] = *absorber_.stop;
  return e > 0 ? slip(time, height, -e * now.v, true) : rest(time, height);
}
