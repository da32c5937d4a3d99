// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/dealii/directions.h>
#include <halfdof/dealii/reduced.h>
#include <halfdof/inclusions/laws.h>
#include <halfdof/integrators/nonsmooth/nonsmooth_integrator.h>
#include <halfdof/integrators/verification/verification.h>

#include "beam.h"
#include <functional>
#include <string>
#include <vector>

constexpr double pressure = 20e3;  ///< pressure on the upper side of the beam [Pa]
constexpr double friction_coefficient = 0.7;

/// The results at one time. Vectors have one entry for each contact point, from the clamp to the free end.
struct Instant {
  double time;                       ///< [s]
  double support_displacement;       ///< displacement of the support [m]
  halfdof::Vector normal, friction;  ///< reactions on the beam, upwards and along x [N/m]
  std::vector<halfdof::ContactState> states;
  double dissipated;  ///< energy dissipated since the start [J/m]
};

/// The results of a run.
struct Run {
  std::vector<double> x;     ///< positions of the contact points [m]
  std::vector<double> area;  ///< areas that belong to the contact points, per metre of width [m]
  std::vector<Instant> instants;
  halfdof::VerificationReport verified;
};

/**
 * The beam on a support whose displacement is a given function of time. Each point of the rubbing side has an
 * inclusion with unilateral contact along the inward normal and Coulomb friction along x.
 */
template <class LinearAlgebra>
class Rubbing {
 public:
  using Reduced = halfdof::ReducedFromDealII<typename LinearAlgebra::Matrix>;
  using Engine = typename Reduced::Engine;
  using Observation = halfdof::NonsmoothObservation<Engine>;

  /// @param support_displacement The displacement of the support [m] as a function of time [s]
  Rubbing(const RubbingBeam<LinearAlgebra>& beam, const Reduced& reduced,
          halfdof::ScalarFunction support_displacement);

  const halfdof::Inclusions<Engine>& inclusions() const { return inclusions_; }
  const halfdof::InclusionOutcome& outcome() const { return outcome_; }

  /// Returns a text with the number of contacts, their reduced laws, the number of states, and the hypotheses
  /// of theorems that fail.
  std::string summary() const;

  /// Returns the state at rest under the pressure, without friction forces.
  halfdof::NonsmoothState at_rest() const;

  /// Integrates the motion from rest. Every step is recorded and verified, and then passed to the observer.
  Run run(halfdof::NonsmoothIntegrator<Engine>& integrator, double end_time,
          const std::function<void(const Observation&)>& observer) const;

  Instant instant(const Observation& now) const;

  /// Returns the contact states and pressures in the form that RubbingBeam::write_vtu() needs. The codes are
  /// 1 open, 2 stick, 3 slip forward, 4 slip back.
  typename LinearAlgebra::Vector contact_field(const Instant& now) const;

 private:
  halfdof::Inclusions<Engine> make_inclusions() const;

  const RubbingBeam<LinearAlgebra>& beam_;
  Reduced reduced_;
  halfdof::ScalarFunction support_displacement_;
  std::vector<halfdof::BoundaryPoint<2>> points_;
  halfdof::Inclusions<Engine> inclusions_;
  halfdof::InclusionOutcome outcome_;
};
