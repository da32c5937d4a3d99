// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/integrators/nonsmooth/trajectory.h>
#include <halfdof/integrators/verification/energy.h>
#include <halfdof/plots/plot.h>

#include "../model.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace halfdof::cli {

/**
 * An observer of a run that keeps some of its points for pictures. It must be called at every step. If there
 * are too many points, every second one is dropped.
 */
class RunRecord {
 public:
  /// @param displacements DoFs whose displacements are kept, assembled indices; at most four are
  RunRecord(const Inclusions<Engine>& inclusions, const std::vector<GlobalIndex>& displacements);

  void operator()(const NonsmoothObservation<Engine>& now);

  /// Number of points so far, with the first one.
  std::int64_t n_points() const { return n_points_; }
  /// Each stride-th point was kept.
  std::int64_t stride() const { return stride_; }
  std::size_t n_events() const { return n_events_; }
  /// Energies at the last point; none if M, C or K is not symmetric.
  std::optional<internal::Energies> energies() const;
  double dissipated() const { return dissipated_; }
  /// The panels that have something to show: displacements, gaps, slips, reactions, contact states, energies;
  /// at most four curves each.
  std::vector<CurvePanel> panels() const;
  /// Whether more inclusions exist than are drawn.
  bool is_selection() const { return is_selection_; }

 private:
  struct Group {
    std::string label;               ///< of the axis, with the unit
    std::vector<std::string> names;  ///< of the curves
    std::vector<std::vector<double>> values;
  };
  enum GroupNumber { displacement, gap, slip, reaction, contact, stored, exchanged, n_groups };
  /// The direction of an acting inclusion that one curve shows.
  struct Place {
    GroupNumber group;
    Index direction;
  };
  void add(const NonsmoothObservation<Engine>& now);
  void thin_out();

  std::vector<GlobalIndex> displacements_;
  std::vector<Place> places_;
  std::vector<std::size_t> contacts_;  ///< acting inclusions whose states are drawn
  std::vector<Group> groups_;
  std::vector<double> times_;
  std::optional<internal::EnergyBalance<Engine>> energy_;
  std::optional<double> last_time_;  ///< a run in several parts begins each with the last point
  std::int64_t n_points_ = 0, stride_ = 1;
  std::size_t n_events_ = 0;
  double dissipated_ = 0;
  bool is_selection_ = false;
};

}  // namespace halfdof::cli
