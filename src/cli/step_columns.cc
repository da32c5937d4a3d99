// SPDX-License-Identifier: LGPL-2.1-or-later
#include "step_columns.h"

#include <algorithm>
#include <cmath>

namespace halfdof::cli {

using namespace internal;

namespace {

std::string column(const std::string& quantity, const std::string& of) {
  return quantity + "[" + of + "]";
}

/// Returns the acting inclusion that contains a given one.
std::size_t holder_of(const Inclusions<Engine>& inclusions, std::size_t given) {
  for (std::size_t i = 0; i < inclusions.members().size(); ++i)
    for (const std::size_t member : inclusions.members()[i])
      if (member == given) return i;
  throw InvalidInput("Inclusion \"" + inclusions.given()[given].name + "\" acts nowhere.");
}

}  // namespace

std::string direction_name(const Inclusion& inclusion, Index direction) {
  const Index n = inclusion.law->dimension();
  if (n == 1) return inclusion.name;
  if (direction == 0) return inclusion.name + ".n";
  return inclusion.name + (n == 2 ? ".t" : ".t" + std::to_string(direction));
}

StepColumns::StepColumns(const CaseSection& output, const Inclusions<Engine>& inclusions,
                         std::optional<StepTotals> so_far)
    : has_gaps_(output.flag("gaps")),
      has_slips_(output.flag("slips")),
      has_shares_(output.flag("dissipated_each")),
      totals_(std::move(so_far)) {
  for (std::size_t k = 0; k < inclusions.given().size(); ++k) {
    const Inclusion& given = inclusions.given()[k];
    const std::size_t i = holder_of(inclusions, k);
    const Inclusion& acting = inclusions.acting()[i];
    Rubbing rubbing{given.name, i, {}};
    for (Index d = 0; d < given.law->dimension(); ++d) {
      const auto at = static_cast<std::size_t>(d);
      const bool is_gap = given.law->level(d) == LawLevel::gap;
      const double factor = parallel_factor(acting.directions[at], given.directions[at]).value_or(1.);
      // A contact has one gap, with or without friction.
      const Place place{is_gap ? given.name : direction_name(given, d), inclusions.first_direction(i) + d,
                        factor};
      (is_gap ? gaps_ : rubbing.places).push_back(place);
    }
    if (!rubbing.places.empty()) rubbing_.push_back(std::move(rubbing));
  }
  if (has_slips_ && totals_) check_size(*totals_);
  for (const Inclusion& inclusion : inclusions.acting())
    acting_.push_back(inclusion.name);
  if (output.flag("energies"))
    output.with_line("energies", [&] {
      energy_.emplace(inclusions.reduced(), totals_ ? totals_->energies : Energies());
      return 0;
    });
}

void StepColumns::check_size(const StepTotals& totals) const {
  std::size_t n_places = 0;
  for (const Rubbing& rubbing : rubbing_)
    n_places += rubbing.places.size();
  if (totals.slipped.size() != rubbing_.size() || totals.gaps_at_start.size() != n_places)
    throw InvalidInput("The checkpoint has " + std::to_string(totals.slipped.size()) + " slips of " +
                       std::to_string(totals.gaps_at_start.size()) + " directions, but the case has " +
                       std::to_string(rubbing_.size()) + " of " + std::to_string(n_places) +
                       ". Restore the checkpoint, or remove it to begin anew.");
}

std::vector<std::string> StepColumns::names() const {
  std::vector<std::string> names;
  if (has_gaps_)
    for (const Place& place : gaps_)
      names.push_back(column("g", place.name));
  if (has_slips_)
    for (const Rubbing& rubbing : rubbing_) {
      for (const char* const quantity : {"slip", "slip_rate"})
        for (const Place& place : rubbing.places)
          names.push_back(column(quantity, place.name));
      names.push_back(column("slip_total", rubbing.name));
    }
  if (energy_) names.insert(names.end(), {"kinetic", "potential", "work", "damped", "reaction_work"});
  if (has_shares_)
    for (const std::string& name : acting_)
      names.push_back(column("dissipated", name));
  return names;
}

/// Stores the start of slip, and adds the slip path of each inclusion since the last point while it was in
/// contact. The state of an inclusion in a step is that at the end of the step, unless an event has changed
/// it at this instant.
void StepColumns::add_slip(const NonsmoothObservation<Engine>& now) {
  const NonsmoothState& state = now.state();
  if (!totals_) {
    totals_.emplace();
    for (const Rubbing& rubbing : rubbing_) {
      totals_->slipped.push_back(0.);
      for (const Place& place : rubbing.places)
        totals_->gaps_at_start.push_back(place.factor * state.g[place.acting]);
    }
  }
  for (std::size_t i = 0; last_ && i < rubbing_.size(); ++i) {
    const std::size_t acting = rubbing_[i].acting;
    const bool has_changed =
        std::any_of(now.events().begin(), now.events().end(), [&](const ContactEvent& event) {
          return event.inclusion == acting && event.begin == event.end && event.end == state.time;
        });
    if ((has_changed ? last_contacts_ : state.contacts)[acting] == ContactState::open) continue;
    double square = 0;
    for (const Place& place : rubbing_[i].places)
      square += std::pow(place.factor * (state.g[place.acting] - (*last_)[place.acting]), 2);
    totals_->slipped[i] += std::sqrt(square);
  }
  last_ = state.g;
  last_contacts_ = state.contacts;
}

void StepColumns::see(const NonsmoothObservation<Engine>& now) {
  if (energy_) (*energy_)(now);
  if (has_slips_) add_slip(now);
}

void StepColumns::add_cells(const NonsmoothObservation<Engine>& now, std::vector<TableCell>& row) const {
  const NonsmoothState& state = now.state();
  if (has_gaps_)
    for (const Place& place : gaps_)
      row.emplace_back(place.factor * state.g[place.acting]);
  std::size_t n_slips = 0;
  for (std::size_t i = 0; has_slips_ && i < rubbing_.size(); ++i) {
    for (const Place& place : rubbing_[i].places)
      row.emplace_back(place.factor * state.g[place.acting] - totals_->gaps_at_start[n_slips++]);
    for (const Place& place : rubbing_[i].places)
      row.emplace_back(place.factor * state.w[place.acting]);
    row.emplace_back(totals_->slipped[i]);
  }
  if (energy_) {
    const Energies& energies = energy_->energies();
    for (const double energy :
         {energies.kinetic, energies.potential, energies.work, energies.dissipated, energies.reactions})
      row.emplace_back(energy);
  }
  for (std::size_t i = 0; has_shares_ && i < acting_.size(); ++i)
    row.emplace_back(state.dissipated_by.size() > 0 ? state.dissipated_by[static_cast<Index>(i)] : 0.);
}

StepTotals StepColumns::totals() const {
  StepTotals totals = totals_.value_or(StepTotals());
  if (energy_) totals.energies = energy_->energies();
  return totals;
}

}  // namespace halfdof::cli
