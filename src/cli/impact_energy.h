#pragma once

#include <halfdof/integrators/nonsmooth_observation.h>

#include "model.h"
#include <optional>
#include <string>

namespace halfdof::cli {

/**
 * Impacts that add energy to the structure, which Newton's law may do with friction or where coefficients of
 * restitution differ (Kane 1984). All impulses p of one instant do the work sum p.(w- + w+) / 2 [energy]. Of
 * a resumed run those since it was resumed are seen; methods that report no impacts have none.
 */
class ImpactEnergy {
 public:
  /// Looks at the events of a step.
  void see(const NonsmoothObservation<Engine>& now);

  /// A sentence of a warning; empty where no impact has added energy.
  std::string warning() const;

 private:
  struct Impact {
    double time, energy;
    std::string name;  ///< of the contact with the largest part
  };

  std::size_t n_ = 0;
  std::optional<Impact> worst_;
};

}  // namespace halfdof::cli
