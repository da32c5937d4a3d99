// SPDX-License-Identifier: LGPL-2.1-or-later
#include "chain.h"

#include <halfdof/inclusions/laws.h>
#include <halfdof/integrators/nonsmooth/nonsmooth_integrator.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

using namespace halfdof;

namespace {

/// Returns n values: the given values, and if more are needed, quasi-random values in the same range, which
/// are computed with the golden ratio.
Vector extended_values(const std::vector<double>& values, Index n) {
  const auto [smallest, largest] = std::minmax_element(values.begin(), values.end());
  Vector result(n);
  for (Index i = 0; i < n; ++i) {
    const double share = std::fmod(i * 0.5 * (std::sqrt(5.) - 1), 1.);
    const bool is_given = i < static_cast<Index>(values.size());
    result[i] = is_given ? values[static_cast<std::size_t>(i)] : *smallest + share * (*largest - *smallest);
  }
  return result;
}

/// Assembles the stiffness matrix of springs k_0 ... k_n between the nodes 0 ... n + 1.
EigenMatrix stiffness(const Vector& k) {
  const auto n_springs = static_cast<Index>(k.size());
  std::vector<Eigen::Triplet<double>> entries;
  for (Index i = 0; i < n_springs; ++i)
    for (const auto& [row, column, sign] : {std::tuple(0, 0, 1), {1, 1, 1}, {0, 1, -1}, {1, 0, -1}})
      entries.emplace_back(i + row, i + column, sign * k[i]);
  EigenMatrix::Storage K(n_springs + 1, n_springs + 1);
  K.setFromTriplets(entries.begin(), entries.end());
  return EigenMatrix(std::move(K));
}

EigenMatrix diagonal(const Vector& masses) {
  const auto n = static_cast<Index>(masses.size());
  EigenMatrix::Storage M(n + 2, n + 2);
  for (Index i = 0; i < n; ++i)
    if (masses[i] > 0) M.insert(i + 1, i + 1) = masses[i];
  return EigenMatrix(std::move(M));
}

AssembledSystem<EigenEngine> assemble(const Chain& chain) {
  const Index n = chain.n();
  SystemDescription<EigenEngine> description;
  description.mass = diagonal(chain.masses());
  description.stiffness = stiffness(chain.k);
  description.constrained = {0};
  if (chain.end != End::force_known) description.constrained.push_back(n + 1);
  description.load = [chain, n](double t) {
    Vector f = Vector::Zero(n + 2);
    f.segment(1, n) = chain.force(t);
    if (chain.end == End::force_known) f[n + 1] = -chain.end_value(t);
    return f;
  };
  if (chain.end == End::displacement_known) {
    description.prescribed.value = [chain](double t) {
      return Vector(chain.end_value(t) * Vector::Unit(2, 1));
    };
    description.prescribed.rate = [chain](double t) {
      return Vector(chain.end_rate(t) * Vector::Unit(2, 1));
    };
  }
  return AssembledSystem<EigenEngine>(std::move(description));
}

std::vector<Inclusion> st_venant_elements(const Chain& chain) {
  std::vector<Inclusion> elements;
  for (Index i = 0; i < chain.n(); ++i)
    elements.push_back(inclusion("element " + std::to_string(i + 1),
                                 std::make_shared<const StVenantElement>(chain.alpha[i]),
                                 Direction({{i + 1, 1.}})));
  return elements;
}

}  // namespace

Vector Chain::masses() const {
  Vector result = mass;
  if (inertia == Inertia::semi_dynamical) result.head(n() - 1).setZero();
  if (inertia == Inertia::quasistatic) result.setZero();
  return result;
}

Vector Chain::force(double t) const {
  return amplitude.array() * (frequency.array() * t).sin();
}

Vector Chain::force_rate(double t) const {
  return amplitude.array() * frequency.array() * (frequency.array() * t).cos();
}

double Chain::end_value(double t) const {
  return end == End::clamped ? 0. : end_amplitude * std::sin(end_frequency * t);
}

double Chain::end_rate(double t) const {
  return end == End::clamped ? 0. : end_amplitude * end_frequency * std::cos(end_frequency * t);
}

ChainModel::ChainModel(const Chain& given)
    : chain(given),
      inclusions(reduce(assemble(given)), st_venant_elements(given)),
      outcome(classify_inclusions(inclusions)) {}

NonsmoothState ChainModel::at_rest() const {
  const Vector zero = Vector::Zero(chain.n() + 2);
  return nonsmooth_start(inclusions, outcome, zero, zero);
}

Index ChainCase::p(Index n) const {
  return inertia == Inertia::dynamical ? 2 * n : inertia == Inertia::semi_dynamical ? n + 1 : n;
}

std::vector<ChainCase> seven_cases() {
  return {{"dynamical, clamped", Inertia::dynamical, End::clamped, "(3.6)"},
          {"dynamical, force known", Inertia::dynamical, End::force_known, "(3.12)"},
          {"semi-dynamical, clamped", Inertia::semi_dynamical, End::clamped, "(3.29)-(3.32)"},
          {"semi-dynamical, force known", Inertia::semi_dynamical, End::force_known, "(3.29)-(3.39)"},
          {"quasistatic, clamped", Inertia::quasistatic, End::clamped, "(3.48)"},
          {"quasistatic, displacement known", Inertia::quasistatic, End::displacement_known, "(3.53)"},
          {"quasistatic, force known", Inertia::quasistatic, End::force_known, "(3.62)"}};
}

Chain chain_of(Index n, Inertia inertia, End end) {
  Chain chain;
  chain.inertia = inertia;
  chain.end = end;
  chain.k = extended_values({1., 2., 1.5, 2.5, 1.2, 0.8}, n + 1);
  chain.alpha = extended_values({0.3, 0.5, 0.2, 0.4, 0.6}, n);
  chain.mass = extended_values({1., 0.8, 1.2, 0.5, 1.5}, n);
  chain.amplitude = extended_values({1., -0.7, 1.3, 0.5, 1.6}, n);
  chain.frequency = extended_values({1., 1.3, 0.7, 1.7, 1.1}, n);
  chain.end_amplitude = end == End::displacement_known ? 1.2 : 0.9;
  chain.end_frequency = 0.8;
  return chain;
}
