// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/inclusions/outcome.h>

#include "bar.h"
#include <string>
#include <vector>

/// A bar on its floor: reduced, and what has become of the contact.
struct Model {
  halfdof::Inclusions<halfdof::EigenEngine> inclusions;
  halfdof::InclusionOutcome outcome;

  /// @param restitution Of the lower node, where it has a mass.
  Model(const Bar& bar, const halfdof::SystemDescription<halfdof::EigenEngine>& description,
        std::optional<double> restitution = std::nullopt);
};

/// One integrator on one model, and how far it is from the elastic bar.
struct Run {
  std::string mass;        ///< "standard" or "massless"
  std::string method;      ///< with its options
  double step = 0;         ///< [s]; 0: chosen by the method
  halfdof::Vector time;    ///< ends of windows of equal length, from 0 [s]
  halfdof::Vector force;   ///< means over the window before each time [N]
  halfdof::Vector tip;     ///< displacement of the lower end [m]
  halfdof::Vector energy;  ///< kinetic and elastic [J]
  double rebound = 0;      ///< velocity of the centre of mass in the end [m/s]
  double seconds = 0;      ///< of the processor

  /// Relative error of the force in the mean square over all windows.
  double force_error(const Bar& bar) const;
  /// Largest error of the displacement of the lower end [m].
  double tip_error(const Bar& bar) const;
  /// Largest change of the energy, and what is left of the change in the end, relative to the energy.
  double energy_drift(const Bar& bar) const;
  double energy_change(const Bar& bar) const;
};

/// All integrators that apply to a contact with mass, and to one without.
std::vector<Run> run_all(const Bar& bar, halfdof::Index n_elements, ElementMass mass);
