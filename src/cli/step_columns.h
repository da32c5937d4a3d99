#pragma once

#include <halfdof/integrators/energy.h>
#include <halfdof/output/csv_table.h>

#include "case_section.h"
#include "model.h"
#include <optional>
#include <string>
#include <vector>

namespace halfdof::cli {

/// What columns have summed up since the start of a run; a checkpoint keeps it.
struct StepTotals {
  Energies energies;
  std::vector<double> slip_starts;  ///< of all directions that rub
  std::vector<double> slipped;      ///< path of each inclusion that rubs [length]
};

/**
 * Columns of gaps, slips, energies and dissipation, inclusion by inclusion as they were given. Some of them
 * are sums over all steps: see() wants every step, whether it becomes a row or not.
 */
class StepColumns {
 public:
  /// @param so_far Of a run that goes on @throws FileError with the line of `energies` where there are none;
  /// InvalidInput if so_far is of other inclusions
  StepColumns(const CaseSection& output, const Inclusions<Engine>& inclusions,
              std::optional<StepTotals> so_far);

  /// "g[stop]", "slip[pad]", ...
  std::vector<std::string> names() const;
  /// Whether something is summed up.
  bool has_sums() const { return energy_.has_value() || (has_slips_ && !rubbing_.empty()); }
  void see(const NonsmoothObservation<Engine>& now);
  /// Of the point that was seen last.
  void add_cells(const NonsmoothObservation<Engine>& now, std::vector<TableCell>& row) const;
  StepTotals totals() const;

 private:
  /// One direction of an inclusion: what it sees is `factor` times what the acting direction sees.
  struct Place {
    std::string name;
    Index acting;
    double factor;
  };
  /// The directions of an inclusion along which it rubs.
  struct Rubbing {
    std::string name;
    std::size_t acting;  ///< inclusion
    std::vector<Place> places;
  };
  void check_size(const StepTotals& totals) const;
  void add_slip(const NonsmoothObservation<Engine>& now);

  bool has_gaps_, has_slips_, has_shares_;
  std::vector<Place> gaps_;
  std::vector<Rubbing> rubbing_;
  std::vector<std::string> acting_;  ///< names of acting inclusions
  std::optional<EnergyBalance<Engine>> energy_;
  std::optional<StepTotals> totals_;         ///< absent: no point was seen
  std::vector<ContactState> last_contacts_;  ///< at the last point
  std::optional<Vector> last_;               ///< gaps of acting directions at the last point
};

/// "brake"; "wheel.n", "wheel.t1", "wheel.t2"
std::string direction_name(const Inclusion& inclusion, Index direction);

}  // namespace halfdof::cli
