// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/inclusions/outcome.h>

#include "bar.h"
#include <string>
#include <vector>

/// The reduced model of a bar on its floor, and the classification of the contact.
struct Model {
  halfdof::Inclusions<halfdof::EigenEngine> inclusions;
  halfdof::InclusionOutcome outcome;

  /// @param restitution The coefficient of restitution of the contact node, which is needed if the node has
  ///     mass
  Model(const Bar& bar, const halfdof::SystemDescription<halfdof::EigenEngine>& description,
        std::optional<double> restitution = std::nullopt);
};

/// The results of one integrator on one model, with errors relative to the exact solution of the elastic bar.
struct Run {
  std::string mass;        ///< "standard" or "massless"
  std::string method;      ///< name of the integrator with its options
  double step = 0;         ///< step size [s]; 0 if the integrator chooses its steps
  halfdof::Vector time;    ///< 0 and the ends of time windows of equal length [s]
  halfdof::Vector force;   ///< mean contact force over the window before each time [N]
  halfdof::Vector tip;     ///< displacement of the lower end [m]
  halfdof::Vector energy;  ///< kinetic and elastic energy [J]
  double rebound = 0;      ///< velocity of the centre of mass at the end [m/s]
  double seconds = 0;      ///< processor time [s]

  /// Returns the relative root mean square error of the force over all windows.
  double force_error(const Bar& bar) const;
  /// Returns the largest error of the displacement of the lower end [m].
  double tip_error(const Bar& bar) const;
  /// Returns the largest modulus of the relative change of the energy.
  double energy_drift(const Bar& bar) const;
  /// Returns the relative change of the energy at the end.
  double energy_change(const Bar& bar) const;
};

/// Runs all integrators that apply to a contact node with mass, and all that apply to a massless contact
/// node.
std::vector<Run> run_all(const Bar& bar, halfdof::Index n_elements, ElementMass mass);
