// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

#include <Eigen/SparseCore>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

/// Spectra and structures for the tests of this room.
namespace halfdof::test {

/// Of Simionatto et al., section 3, from independent codes.
inline std::vector<Complex> engine_mount_eigenvalues() {
  return {{-0.689722809651981, 17.705915112406586},
          {-0.689722809651981, -17.705915112406586},
          {-8.779694309560127, 0},
          {-3.174193404469245, 0}};
}

/// Roots of 30 s^3 + 62 s^2 + 93 s + 91.
inline std::vector<Complex> three_kinds_eigenvalues() {
  return {{-1.4, 0}, {-1. / 3, 1.43372087784044}, {-1. / 3, -1.43372087784044}};
}

/// Largest distance of a value of `from` to the nearest of `to` that is still free, relative to the largest
/// modulus; infinite where the lists differ in length. Independent of the library's matching: greedy.
inline double farthest(std::vector<Complex> from, std::vector<Complex> to) {
  if (from.size() != to.size()) return std::numeric_limits<double>::infinity();
  double largest = 0, distance = 0;
  for (const Complex& value : to)
    largest = std::max(largest, std::abs(value));
  for (const Complex& value : from) {
    const auto nearest = std::min_element(to.begin(), to.end(), [&](Complex a, Complex b) {
      return std::abs(a - value) < std::abs(b - value);
    });
    distance = std::max(distance, std::abs(*nearest - value));
    to.erase(nearest);
  }
  return largest > 0 ? distance / largest : distance;
}

/// Entries of M, C and K, added up.
class SparseSystem {
 public:
  explicit SparseSystem(Index n) : n_(n) {}

  void add_mass(Index i, double m) { M_.emplace_back(i, i, m); }
  void add_spring(Index i, Index j, double k) { connect(K_, i, j, k); }
  void add_damper(Index i, Index j, double c) { connect(C_, i, j, c); }
  /// Between node i and the ground.
  void add_spring(Index i, double k) { K_.emplace_back(i, i, k); }
  void add_damper(Index i, double c) { C_.emplace_back(i, i, c); }
  void add_stiffness(Index i, Index j, double k) { K_.emplace_back(i, j, k); }

  Eigen::SparseMatrix<double> M() const { return matrix(M_); }
  Eigen::SparseMatrix<double> C() const { return matrix(C_); }
  Eigen::SparseMatrix<double> K() const { return matrix(K_); }
  Index size() const { return n_; }

 private:
  using Entries = std::vector<Eigen::Triplet<double>>;

  static void connect(Entries& entries, Index i, Index j, double value) {
    entries.emplace_back(i, i, value);
    entries.emplace_back(j, j, value);
    entries.emplace_back(i, j, -value);
    entries.emplace_back(j, i, -value);
  }
  Eigen::SparseMatrix<double> matrix(const Entries& entries) const {
    Eigen::SparseMatrix<double> A(n_, n_);
    A.setFromTriplets(entries.begin(), entries.end());
    return A;
  }

  Index n_;
  Entries M_, C_, K_;
};

/// A chain of unit masses and springs of stiffness k from the ground to a free end, at DoFs first, first + 1,
/// ... : omega_j = 2 sqrt(k) sin((2 j - 1) pi / (2 (2 n + 1))).
inline void add_chain(SparseSystem& system, Index first, Index n, double k) {
  for (Index i = 0; i < n; ++i) {
    system.add_mass(first + i, 1);
    if (i == 0)
      system.add_spring(first, k);
    else
      system.add_spring(first + i - 1, first + i, k);
  }
}

inline double chain_frequency(Index j, Index n, double k) {
  return 2 * std::sqrt(k) * std::sin((2 * j - 1) * 3.14159265358979323846 / (2. * (2 * n + 1)));
}

/**
 * A chain of n unit masses and springs of stiffness 100, and an electric potential between the last two, with
 * coupling 1000 and capacity 1000 in its own unit: it acts like one more spring of stiffness 1000. DoF n is
 * the potential, measured in `unit`.
 */
inline SparseSystem piezoelectric_chain(Index n, double unit, bool clamped) {
  SparseSystem chain(n + 1);
  add_chain(chain, 0, n, 100);
  if (!clamped) chain.add_spring(0, -100);
  for (const auto& [i, sign] : {std::pair(n - 1, 1.), {n - 2, -1.}}) {
    chain.add_stiffness(i, n, sign * 1000 * unit);
    chain.add_stiffness(n, i, sign * 1000 * unit);
  }
  chain.add_stiffness(n, n, -1000 * unit * unit);
  return chain;
}

/**
 * A lattice of unit masses on (n_x + 1) x 2 x 2 points, each a neighbour's spring away: a beam of square
 * cross section, so that every bending mode comes twice. DoFs 3 * point + direction. Clamped: the points at x
 * = 0 are left out.
 */
inline SparseSystem lattice_beam(Index n_x, bool clamped) {
  const Index n_left_out = clamped ? 4 : 0;
  const Index n_points = 4 * (n_x + 1) - n_left_out;
  SparseSystem system(3 * n_points);
  const auto point = [&](Index i, Index j, Index k) { return 4 * i + 2 * j + k - n_left_out; };
  const auto add_bar = [&](Index a, Index b, const Eigen::Vector3d& direction) {
    const Eigen::Matrix3d k =
        1e4 / direction.norm() * direction.normalized() * direction.normalized().transpose();
    for (Index p = 0; p < 3; ++p)
      for (Index q = 0; q < 3; ++q)
        for (const auto& [row, column, sign] : {std::tuple(a, a, 1), {b, b, 1}, {a, b, -1}, {b, a, -1}})
          if (row >= 0 && column >= 0) system.add_stiffness(3 * row + p, 3 * column + q, sign * k(p, q));
  };
  for (Index i = 0; i <= n_x; ++i)
    for (Index j = 0; j < 2; ++j)
      for (Index k = 0; k < 2; ++k) {
        for (Index p = 0; p < 3; ++p)
          if (point(i, j, k) >= 0) system.add_mass(3 * point(i, j, k) + p, 1);
        for (Index di = 0; di < 2; ++di)
          for (Index dj = -1; dj < 2; ++dj)
            for (Index dk = -1; dk < 2; ++dk)
              if (i + di <= n_x && j + dj >= 0 && j + dj < 2 && k + dk >= 0 && k + dk < 2 &&
                  4 * di + 2 * dj + dk > 0)
                add_bar(point(i, j, k), point(i + di, j + dj, k + dk), Eigen::Vector3d(di, dj, dk));
      }
  return system;
}

}  // namespace halfdof::test
