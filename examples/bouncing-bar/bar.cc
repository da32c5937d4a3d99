// SPDX-License-Identifier: LGPL-2.1-or-later
#include "bar.h"

#include <Eigen/SparseCore>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace halfdof;

double Bar::wave_speed() const {
  return std::sqrt(modulus / density);
}

double Bar::contact_begin() const {
  return height / speed;
}

double Bar::contact_end() const {
  return contact_begin() + 2 * length / wave_speed();
}

double Bar::contact_force() const {
  return density * wave_speed() * section * speed;
}

double Bar::energy() const {
  return density * section * length * speed * speed / 2;
}

double Bar::tip(double time) const {
  return -speed * std::min(time, contact_begin()) + speed * std::max(time - contact_end(), 0.);
}

double Bar::impulse(double time) const {
  return contact_force() * (std::clamp(time, contact_begin(), contact_end()) - contact_begin());
}

namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;

/// Assembles a global matrix from the same symmetric 2 x 2 matrix on each element.
EigenMatrix sum_over_elements(Index n_elements, double diagonal, double off_diagonal) {
  Triplets entries;
  for (Index i = 0; i < n_elements; ++i) {
    entries.emplace_back(i, i, diagonal);
    entries.emplace_back(i + 1, i + 1, diagonal);
    entries.emplace_back(i, i + 1, off_diagonal);
    entries.emplace_back(i + 1, i, off_diagonal);
  }
  EigenMatrix::Storage matrix(n_elements + 1, n_elements + 1);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return EigenMatrix(std::move(matrix));
}

}  // namespace

SystemDescription<EigenEngine> assemble(const Bar& bar, Index n_elements, ElementMass mass) {
  const double length = bar.length / n_elements;
  const double k = bar.modulus * bar.section / length, m = bar.density * bar.section * length;
  SystemDescription<EigenEngine> description;
  description.mass = mass == ElementMass::consistent ? sum_over_elements(n_elements, m / 3, m / 6)
                                                     : sum_over_elements(n_elements, m / 2, 0.);
  description.stiffness = sum_over_elements(n_elements, k, -k);

  // The redistribution of mass needs the positions of the nodes to preserve centre of mass and inertia.
  DoFLabels& labels = description.labels;
  labels.dimension = 1;
  labels.component_names = {"u"};
  for (Index i = 0; i <= n_elements; ++i) {
    labels.component.push_back(0);
    labels.point.push_back({i * length, 0., 0.});
  }
  return description;
}
