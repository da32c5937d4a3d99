// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "convergence.h"
#include "recovered.h"

/// Chains of more nodes are integrated by implicit Euler with small steps.
constexpr halfdof::Index most_nodes_by_events = 30;

/// One of the seven cases, from rest to t = 10.
struct ChainRun {
  /// By the event-driven integrator.
  ChainRun(const ChainCase& chosen, halfdof::Index n);

  ChainCase chosen;
  ChainModel model;
  std::vector<double> times;
  std::vector<Recovered> found;    ///< at these times
  std::vector<double> dissipated;  ///< energy
  std::vector<double> event_times;
  Convergence euler = {};

  Motion motion() const;
  /// From a time to the event that is nearest to it.
  double distance_to_event(double time) const;
  /// The point of this time.
  std::size_t at(double time) const;

  template <class Read>
  halfdof::Vector over_time(const Read& read) const {
    halfdof::Vector values(found.size());
    for (std::size_t i = 0; i < found.size(); ++i)
      values[static_cast<halfdof::Index>(i)] = read(found[i]);
    return values;
  }
};
