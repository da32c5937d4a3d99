// SPDX-License-Identifier: LGPL-2.1-or-later
#include "vehicle.h"

#include <halfdof/base/text_table.h>
#include <halfdof/inclusions/laws.h>

#include <cmath>
#include <iostream>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>

using namespace halfdof;

namespace {

const double pi = std::acos(-1.);

/// Adds a spring or damper between two DoFs to a matrix.
void connect(MultiVector& A, Index i, Index j, double value) {
  A(i, i) += value;
  A(j, j) += value;
  A(i, j) -= value;
  A(j, i) -= value;
}

double in_series(const std::vector<double>& parts) {
  return 1 / std::accumulate(parts.begin(), parts.end(), 0.,
                             [](double sum, double part) { return sum + 1 / part; });
}

/// Returns n coefficients that vary linearly from the first to the last value of the table. They are scaled
/// so that n elements in series have the same coefficient as the elements of the table in series.
std::vector<double> distributed_values(Index n, const std::vector<double>& table) {
  std::vector<double> parts;
  for (Index i = 0; i < n; ++i) {
    const double place = n == 1 ? 0.5 : static_cast<double>(i) / static_cast<double>(n - 1);
    parts.push_back((1 - place) * table.front() + place * table.back());
  }
  const double scale = in_series(table) / in_series(parts);
  for (double& part : parts)
    part *= scale;
  return parts;
}

Inclusion wheel_on(Index dof, std::optional<double> restitution) {
  const ScalarFunction obstacle(road, road_rate);
  return inclusion("wheel", std::make_shared<const UnilateralContact>(obstacle, restitution),
                   Direction({{dof, 1.}}));
}

/// Returns the reduced system with a contact, loaded by the weights of all masses.
Inclusions<EigenEngine> with_contact(const Matrices& matrices, const Inclusion& contact,
                                     DoFLabels labels = {}) {
  SystemDescription<EigenEngine> description;
  description.mass = EigenMatrix(matrices.M.sparseView(0, 0));
  description.damping = EigenMatrix(matrices.C.sparseView(0, 0));
  description.stiffness = EigenMatrix(matrices.K.sparseView(0, 0));
  description.load = [weights = Vector(-gravity * matrices.M.diagonal())](double) { return weights; };
  description.labels = std::move(labels);
  return {reduce(AssembledSystem<EigenEngine>(std::move(description))), {contact}};
}

DoFLabels labels_of(const Vehicle& vehicle) {
  DoFLabels labels;
  labels.component_names = {"wheel", "vehicle", "joint of springs", "joint of dampers", "B"};
  for (Index i = 0; i < vehicle.n_dofs(); ++i)
    labels.component.push_back(i < 2 ? i : i == vehicle.head() ? 4 : 2 + i % 2);
  return labels;
}

}  // namespace

Matrices Vehicle::matrices() const {
  const Index n = n_dofs();
  Matrices all{MultiVector::Zero(n, n), MultiVector::Zero(n, n), MultiVector::Zero(n, n)};
  all.M(0, 0) = m;
  all.M(1, 1) = M;
  all.M(head(), head()) = B;
  connect(all.K, 0, 1, k_1);
  connect(all.C, 0, 1, c_1);
  for (Index i = 0; i < n_vertebrae(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    const bool is_last = i + 1 == n_vertebrae();
    connect(all.K, i == 0 ? 1 : 2 * i, is_last ? head() : 2 * i + 2, k[at]);
    connect(all.C, i == 0 ? 1 : 2 * i + 1, is_last ? head() : 2 * i + 3, c[at]);
  }
  return all;
}

Vector Vehicle::standing() const {
  Vector q = Vector::Zero(n_dofs());
  q[1] = -(M + B) * gravity / k_1;
  double below = q[1];
  for (Index i = 1; i <= n_vertebrae(); ++i) {
    below -= B * gravity / k[static_cast<std::size_t>(i - 1)];
    q[2 * i] = below;
    if (i < n_vertebrae()) q[2 * i + 1] = below;
  }
  return q;
}

Vehicle first_table(Index n) {
  Vehicle vehicle;
  vehicle.k_1 = 95e5;
  vehicle.c_1 = 21700;
  vehicle.k = distributed_values(n, {20e5, 15e5, 10e5});
  vehicle.c = distributed_values(n, {20000, 15000, 10000});
  return vehicle;
}

Vehicle second_table(Index n) {
  Vehicle vehicle;
  vehicle.k_1 = 35e5;
  vehicle.c_1 = 21700;
  vehicle.k = distributed_values(n, {20000, 15000, 10000});
  vehicle.c = distributed_values(n, {2000, 1500, 1000});
  return vehicle;
}

double road(double time) {
  if (time < road_begins || time >= road_ends) return 0;
  return 0.05 * std::sin(10 * pi * (time - road_begins));
}

double road_rate(double time) {
  if (time < road_begins || time >= road_ends) return 0;
  return 0.5 * pi * std::cos(10 * pi * (time - road_begins));
}

VehicleOnRoad::VehicleOnRoad(const Vehicle& given)
    : vehicle(given),
      inclusions(with_contact(given.matrices(), wheel_on(0, 1.), labels_of(given))),
      outcome(classify_inclusions(inclusions)) {}

NonsmoothState VehicleOnRoad::start(double time) const {
  const Vector q = vehicle.standing();
  return nonsmooth_start(inclusions, outcome, q, Vector::Zero(q.size()), time);
}

NonsmoothState VehicleOnRoad::start_behind_road(double lambda, double time) const {
  const double depth = lambda * vehicle.weight() / vehicle.m;
  const Vector q = vehicle.standing().array() - depth;
  NonsmoothState state = start(time);
  state.y = consistent_state(inclusions.reduced(), q, Vector::Zero(q.size()), time).y;
  state.g[0] = -depth;
  return state;
}

void print_reduced_contact_laws(const Vehicle& vehicle) {
  TextTable table({"contact at", "acts on", "form after elimination", "states", "impacts"});
  const auto add = [&](const char* place, const Inclusions<EigenEngine>& inclusions) {
    const InclusionOutcome outcome = classify_inclusions(inclusions);
    const DirectionOutcome& contact = outcome.directions[0];
    const bool has_impacts = contact.reduced_law() == ReducedLaw::measure_inclusion;
    table.add_row({place, name_of(contact.decided_by[0]), name_of(contact.reduced_law()),
                   static_cast<int>(outcome.n_states), has_impacts ? "yes" : "no"});
  };
  add("a wheel with mass", with_contact(vehicle.matrices(), wheel_on(0, 1.)));

  Vehicle light = vehicle;
  light.m = 0;
  add("a wheel without mass", with_contact(light.matrices(), wheel_on(0, std::nullopt)));

  Matrices with_tyre = vehicle.matrices();
  const Index tread = vehicle.n_dofs();
  for (MultiVector* matrix : {&with_tyre.M, &with_tyre.C, &with_tyre.K})
    matrix->conservativeResizeLike(MultiVector::Zero(tread + 1, tread + 1));
  connect(with_tyre.K, 0, tread, 2e5);
  add("a tread without mass, on a spring below the wheel",
      with_contact(with_tyre, wheel_on(tread, std::nullopt)));
  std::cout << table;
}
