// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "convergence.h"
#include "recovered.h"

/// Chains with more nodes than this number are integrated by implicit Euler with small steps.
constexpr halfdof::Index max_nodes_of_event_driven_runs = 30;

/// The results of one of the seven cases, integrated from rest to t = 10.
struct ChainRun {
  /// Integrates the motion of n nodes.
  ChainRun(const ChainCase& chosen, halfdof::Index n);

  ChainCase chosen;
  ChainModel model;
  std::vector<double> times;
  std::vector<RecoveredQuantities> found;  ///< results at these times
  std::vector<double> dissipated;          ///< dissipated energy at these times
  std::vector<double> event_times;
  Convergence euler = {};

  Motion motion() const;
  /// Returns the distance of a time to the nearest event.
  double distance_to_event(double time) const;
  /// Returns the index of a time in `times`.
  std::size_t at(double time) const;

  template <class Read>
  halfdof::Vector over_time(const Read& read) const {
    halfdof::Vector values(found.size());
    for (std::size_t i = 0; i < found.size(); ++i)
      values[static_cast<halfdof::Index>(i)] = read(found[i]);
    return values;
  }
};
