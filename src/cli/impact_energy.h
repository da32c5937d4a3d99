// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/inclusions/inclusions.h>
#include <halfdof/integrators/nonsmooth/trajectory.h>

#include "model.h"
#include <optional>
#include <string>

namespace halfdof::cli {

/**
 * Finds impacts that add energy to the structure, which is possible for Newton's law of impact with
 * friction, or with different coefficients of restitution (Kane 1984). All impulses p of one instant do the
 * work sum p.(w- + w+) / 2 [energy]. In a resumed run only impacts after the checkpoint are included;
 * methods that report no impacts have none.
 */
class ImpactEnergy {
 public:
  /// Processes the events of a step.
  void see(const NonsmoothObservation<Engine>& now);

  /// Returns a warning; empty if no impact has added energy.
  std::string warning() const;

 private:
  struct Impact {
    double time, energy;
    std::string name;  ///< name of the contact with the largest part
  };

  std::size_t n_ = 0;
  std::optional<Impact> worst_;
};

}  // namespace halfdof::cli
