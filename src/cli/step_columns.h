// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/inclusions/inclusions.h>
#include <halfdof/integrators/verification/energy.h>
#include <halfdof/output/result_files.h>

#include "case_section.h"
#include "model.h"
#include <optional>
#include <string>
#include <vector>

namespace halfdof::cli {

using namespace internal;

/// Sums of columns since the start of a run, which are stored in a checkpoint.
struct StepTotals {
  Energies energies;
  std::vector<double> gaps_at_start;  ///< gaps at the start, of all directions with friction
  std::vector<double> slipped;        ///< slip path of each inclusion with friction [length]
};

/**
 * Columns of gaps, slips, energies and dissipation, for each inclusion in the given order. Some of them are
 * sums over all steps: see() must be called with every step, also with those that are not written as rows.
 */
class StepColumns {
 public:
  /// @param so_far sums of a resumed run
  /// @throws FileError with the line of `energies` if energies are not available; InvalidInput if so_far
  ///     belongs to other inclusions
  StepColumns(const CaseSection& output, const Inclusions<Engine>& inclusions,
              std::optional<StepTotals> so_far);

  /// Returns the names of the columns: "g[stop]", "slip[pad]", ....
  std::vector<std::string> names() const;
  /// Whether a column is a sum over all steps.
  bool has_sums() const { return energy_.has_value() || (has_slips_ && !rubbing_.empty()); }
  void see(const NonsmoothObservation<Engine>& now);
  /// Adds the cells of the last point passed to see().
  void add_cells(const NonsmoothObservation<Engine>& now, std::vector<TableCell>& row) const;
  StepTotals totals() const;

 private:
  /// One direction of a given inclusion: its displacement is `factor` times that of the acting direction.
  struct Place {
    std::string name;
    Index acting;
    double factor;
  };
  /// The directions of an inclusion along which friction acts.
  struct Rubbing {
    std::string name;
    std::size_t acting;  ///< index of the acting inclusion
    std::vector<Place> places;
  };
  void check_size(const StepTotals& totals) const;
  void add_slip(const NonsmoothObservation<Engine>& now);

  bool has_gaps_, has_slips_, has_shares_;
  std::vector<Place> gaps_;
  std::vector<Rubbing> rubbing_;
  std::vector<std::string> acting_;  ///< names of acting inclusions
  std::optional<EnergyBalance<Engine>> energy_;
  std::optional<StepTotals> totals_;         ///< sums so far; absent before the first point
  std::vector<ContactState> last_contacts_;  ///< states of contacts at the last point
  std::optional<Vector> last_;               ///< gaps of acting directions at the last point
};

/// Returns the name of a direction: "brake", or "wheel.n", "wheel.t1", "wheel.t2".
std::string direction_name(const Inclusion& inclusion, Index direction);

}  // namespace halfdof::cli
