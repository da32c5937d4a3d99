// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "chain/reference.h"
#include "nonsmooth_models.h"

namespace halfdof::test {

/**
 * The chain of examples/chain/reference.h, given as assembled matrices and directions alone: nodes 1 to n on
 * dry friction between node 0, which is held, and node n + 1, which is held, pulled by a force (that is
 * positive to the left), or moved.
 */
struct Chain {
  enum class Inertia { dynamical, semi_dynamical, quasistatic };
  enum class End { clamped, force_known, displacement_known };

  Vector k, alpha, mass, amplitude, frequency;
  double end_amplitude, end_frequency;

  Index n() const { return static_cast<Index>(alpha.size()); }

  NonsmoothModel<> model(Inertia inertia, End end) const {
    DenseSystem system = empty_system(n() + 2);
    for (Index i = 0; i <= n(); ++i)
      connect(system.K, i, i + 1, k[i]);
    for (Index i = 0; i < n(); ++i)
      if (inertia == Inertia::dynamical || (inertia == Inertia::semi_dynamical && i == n() - 1))
        system.M(i + 1, i + 1) = mass[i];
    std::vector<Inclusion> pads;
    for (Index i = 0; i < n(); ++i)
      pads.push_back(inclusion("pad " + std::to_string(i + 1), friction(-alpha[i], alpha[i]), on(i + 1)));
    std::vector<Index> held = {0};
    if (end != End::force_known) held.push_back(n() + 1);
    TimeFunction motion;
    if (end == End::displacement_known)
      motion = [*this](double t) {
        Vector q = Vector::Zero(2);
        q[1] = end_amplitude * std::sin(end_frequency * t);
        return q;
      };
    return NonsmoothModel<>(
        system, pads,
        [*this, end](double t) {
          Vector f = Vector::Zero(n() + 2);
          for (Index i = 0; i < n(); ++i)
            f[i + 1] = amplitude[i] * std::sin(frequency[i] * t);
          if (end == End::force_known) f[n() + 1] = -end_amplitude * std::sin(end_frequency * t);
          return f;
        },
        held, motion);
  }
};

inline Chain reference_chain() {
  return {vector_of({1., 2., 1.5, 2.5, 1.2, 0.8}),
          vector_of({0.3, 0.5, 0.2, 0.4, 0.6}),
          vector_of({1., 0.8, 1.2, 0.5, 1.5}),
          vector_of({1., -0.7, 1.3, 0.5, 1.6}),
          vector_of({1., 1.3, 0.7, 1.7, 1.1}),
          0.9,
          0.8};
}

struct ChainCase {
  const char* name;
  Chain::Inertia inertia;
  Chain::End end;
  std::size_t at;  ///< in reference_of_five()
  Index n_states;  ///< p of Table 1

  const std::vector<ChainSample>& reference() const { return reference_of_five()[at].samples; }
};

inline std::vector<ChainCase> chain_cases() {
  using Inertia = Chain::Inertia;
  using End = Chain::End;
  return {{"dynamical, clamped", Inertia::dynamical, End::clamped, 0, 10},
          {"dynamical, force known", Inertia::dynamical, End::force_known, 1, 10},
          {"semi-dynamical, clamped", Inertia::semi_dynamical, End::clamped, 2, 6},
          {"semi-dynamical, force known", Inertia::semi_dynamical, End::force_known, 3, 6},
          {"quasistatic, clamped", Inertia::quasistatic, End::clamped, 4, 5},
          {"quasistatic, displacement known", Inertia::quasistatic, End::displacement_known, 5, 5},
          {"quasistatic, force known", Inertia::quasistatic, End::force_known, 6, 5}};
}

inline Chain chain_of(const ChainCase& chosen) {
  Chain chain = reference_chain();
  if (chosen.end == Chain::End::displacement_known) chain.end_amplitude = 1.2;
  return chain;
}

/// Largest errors over the snapshots.
struct ChainErrors {
  double displacement = 0, reaction = 0, dissipated = 0;
};

template <class Integrator>
ChainErrors chain_errors(const ChainCase& chosen, double step) {
  const NonsmoothModel<> model = chain_of(chosen).model(chosen.inertia, chosen.end);
  NonsmoothState state = model.at_rest();
  ChainErrors errors;
  std::vector<double> times;
  for (const ChainSample& sample : chosen.reference())
    times.push_back(sample.time);
  std::size_t i = 0;
  verified_run(with_step<Integrator>(model, step), state, times, [&](const auto& now) {
    const ChainSample& expected = chosen.reference()[i++];
    const Vector q = now.lift().displacement;
    const std::vector<Vector> r = now.reactions();
    for (Index k = 0; k < 5; ++k) {
      const auto at = static_cast<std::size_t>(k);
      errors.displacement = std::max(errors.displacement, std::abs(q[k + 1] - expected.v[at]));
      const bool massless = chosen.inertia == Chain::Inertia::quasistatic ||
                            (chosen.inertia == Chain::Inertia::semi_dynamical && k < 4);
      if (massless) errors.reaction = std::max(errors.reaction, std::abs(r[at][0] - expected.friction[at]));
    }
    errors.dissipated = std::max(errors.dissipated, std::abs(now.dissipated() - expected.dissipated));
  });
  return errors;
}

}  // namespace halfdof::test
