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

constexpr double pressure = 20e3;  ///< from above [Pa]
constexpr double friction_coefficient = 0.7;

/// One instant of a run. Reactions of all contact points, from the clamp to the free end [N/m].
struct Instant {
  double time;                       ///< [s]
  double slide;                      ///< of the support [m]
  halfdof::Vector normal, friction;  ///< on the beam, upwards and along x
  std::vector<halfdof::ContactState> states;
  double dissipated;  ///< since the start [J/m]
};

/// A run, as it is drawn and checked.
struct Run {
  std::vector<double> x,
      area;  ///< where the contact points are, and what a pressure there is multiplied by [m]
  std::vector<Instant> instants;
  halfdof::VerificationReport verified;
};

/**
 * The beam on a support that slides under it by a given function of time: one inclusion for each point of the
 * rubbing side, with unilateral contact along its inward normal and Coulomb friction along x.
 */
template <class LinearAlgebra>
class Rubbing {
 public:
  using Reduced = halfdof::ReducedFromDealII<typename LinearAlgebra::Matrix>;
  using Engine = typename Reduced::Engine;
  using Observation = halfdof::NonsmoothObservation<Engine>;

  /// @param slide [m], of the time in seconds
  Rubbing(const RubbingBeam<LinearAlgebra>& beam, const Reduced& reduced, halfdof::ScalarFunction slide);

  const halfdof::Inclusions<Engine>& inclusions() const { return inclusions_; }
  const halfdof::InclusionOutcome& outcome() const { return outcome_; }

  /// How many contacts, what they have become, how many states, and which theorem does not hold.
  std::string summary() const;

  /// At rest under the pressure, not having rubbed yet.
  halfdof::NonsmoothState at_rest() const;

  /// From rest. Every step is recorded and verified; then the observer sees it.
  Run run(halfdof::NonsmoothIntegrator<Engine>& integrator, double end_time,
          const std::function<void(const Observation&)>& observer) const;

  Instant instant(const Observation& now) const;

  /// For RubbingBeam::write_vtu(). Codes: 1 open, 2 stick, 3 slip forward, 4 slip back.
  typename LinearAlgebra::Vector contact_field(const Instant& now) const;

 private:
  halfdof::Inclusions<Engine> make_inclusions() const;

  const RubbingBeam<LinearAlgebra>& beam_;
  Reduced reduced_;
  halfdof::ScalarFunction slide_;
  std::vector<halfdof::BoundaryPoint<2>> points_;
  halfdof::Inclusions<Engine> inclusions_;
  halfdof::InclusionOutcome outcome_;
};
