// SPDX-License-Identifier: LGPL-2.1-or-later
#include "fibre.h"

#include <cmath>

using namespace halfdof;

namespace {

const double pi = std::acos(-1.);

/// Adds a spring or damper between two DoFs to a matrix.
void add_between(MultiVector& matrix, Index i, Index j, double value) {
  matrix(i, i) += value;
  matrix(j, j) += value;
  matrix(i, j) -= value;
  matrix(j, i) -= value;
}

/// Returns the time since the beginning of the last twitch of sarcomere i, or a negative value before the
/// first twitch.
double since_twitch(const Fibre& fibre, Index i, double time) {
  const double since_first = time - fibre.delay * (i + 1);
  return since_first < 0 ? since_first : std::fmod(since_first, fibre.period);
}

}  // namespace

std::vector<std::string> Fibre::names() const {
  std::vector<std::string> names;
  for (int i = 0; i < n_sarcomeres; ++i)
    for (const char* kind : {"q_", "x_", "y_"})
      names.push_back(kind + std::to_string(i));
  names.push_back("q_" + std::to_string(n_sarcomeres));
  return names;
}

std::vector<std::string> Fibre::names_of_state() const {
  std::vector<std::string> all = names();
  for (const std::string& name : names())
    all.push_back(name + "'");
  return all;
}

MultiVector Fibre::M() const {
  MultiVector M = MultiVector::Zero(n_dofs(), n_dofs());
  M(slide(), slide()) = m;
  return M;
}

MultiVector Fibre::C() const {
  MultiVector C = MultiVector::Zero(n_dofs(), n_dofs());
  C(0, 0) = c_0;
  for (Index q = 0; q < slide(); q += 3) {
    add_between(C, q + 1, q + 2, theta);
    add_between(C, q + 2, q + 3, c);
  }
  return C;
}

MultiVector Fibre::K() const {
  MultiVector K = MultiVector::Zero(n_dofs(), n_dofs());
  K(0, 0) = k_0;
  for (Index q = 0; q < slide(); q += 3) {
    add_between(K, q, q + 2, K_s);
    add_between(K, q + 1, q + 2, gamma);
    add_between(K, q + 2, q + 3, k);
    if (stiffness == Stiffness::printed) {
      K(q + 2, q) += K_s;
      K(q + 2, q + 1) -= K_s;
    }
  }
  return K;
}

MultiVector Fibre::L() const {
  MultiVector L = MultiVector::Zero(n_dofs(), n_sarcomeres);
  for (Index i = 0; i < n_sarcomeres; ++i) {
    L(3 * i, i) = 1;
    L(3 * i + 1, i) = -1;
  }
  return L;
}

Vector Fibre::activation(double time) const {
  Vector u = Vector::Zero(n_sarcomeres);
  for (Index i = 0; i < n_sarcomeres; ++i) {
    const double t = since_twitch(*this, i, time);
    if (t > 0 && t < duration) u[i] = force * std::pow(std::sin(pi * t / duration), 2);
  }
  return u;
}

Vector Fibre::activation_rate(double time) const {
  Vector rate = Vector::Zero(n_sarcomeres);
  for (Index i = 0; i < n_sarcomeres; ++i) {
    const double t = since_twitch(*this, i, time);
    if (t > 0 && t < duration) rate[i] = force * pi / duration * std::sin(2 * pi * t / duration);
  }
  return rate;
}
