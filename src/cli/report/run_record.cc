// SPDX-License-Identifier: LGPL-2.1-or-later
#include "run_record.h"

#include "../step_columns.h"
#include <algorithm>
#include <array>
#include <utility>

namespace halfdof::cli {

using namespace internal;

namespace {

constexpr std::size_t most_curves = 4;  ///< curves of one panel
constexpr std::size_t most_points = 3000;

constexpr std::array<ContactState, 6> contact_states = {ContactState::open,         ContactState::closed,
                                                        ContactState::stick,        ContactState::slip,
                                                        ContactState::slip_forward, ContactState::slip_back};

double number_of(ContactState state) {
  return static_cast<double>(std::find(contact_states.begin(), contact_states.end(), state) -
                             contact_states.begin());
}

/// Returns the meaning of the numbers that occur: "0 open, 2 stick".
std::string legend_of(const std::vector<std::vector<double>>& values) {
  std::string legend;
  for (std::size_t k = 0; k < contact_states.size(); ++k) {
    const bool occurs = std::any_of(values.begin(), values.end(), [k](const std::vector<double>& of_one) {
      return std::find(of_one.begin(), of_one.end(), static_cast<double>(k)) != of_one.end();
    });
    if (occurs)
      legend += (legend.empty() ? "" : ", ") + std::to_string(k) + " " + halfdof::name_of(contact_states[k]);
  }
  return legend;
}

}  // namespace

RunRecord::RunRecord(const Inclusions<Engine>& inclusions, const std::vector<GlobalIndex>& displacements)
    : groups_(n_groups) {
  groups_[displacement].label = "displacement [length]";
  groups_[gap].label = "gap [length]";
  groups_[slip].label = "relative displacement [length]";
  groups_[reaction].label = "reaction [force]";
  groups_[contact].label = "state";
  groups_[stored] = {
      "energy [force length]", {"kinetic", "potential", "lost to damping", "dissipated by laws"}, {}};
  groups_[exchanged] = {"work [force length]", {"of loads", "of reactions"}, {}};
  for (const GlobalIndex dof : displacements) {
    if (displacements_.size() == most_curves) break;
    displacements_.push_back(dof);
    groups_[displacement].names.push_back("q_" + std::to_string(dof));
  }
  for (std::size_t i = 0; i < inclusions.acting().size(); ++i) {
    const Inclusion& acting = inclusions.acting()[i];
    if (contacts_.size() == most_curves) {
      is_selection_ = true;
      break;
    }
    contacts_.push_back(i);
    groups_[contact].names.push_back(acting.name);
    for (Index d = 0; d < acting.law->dimension(); ++d) {
      const Index direction = inclusions.first_direction(i) + d;
      const bool is_gap = acting.law->level(d) == LawLevel::gap;
      for (const GroupNumber group : {is_gap ? gap : slip, reaction}) {
        if (groups_[group].names.size() == most_curves) {
          is_selection_ = true;
          continue;
        }
        places_.push_back({group, direction});
        groups_[group].names.push_back(is_gap && group == gap ? acting.name : direction_name(acting, d));
      }
    }
  }
  if (EnergyBalance<Engine>::applies_to(inclusions.reduced())) energy_.emplace(inclusions.reduced());
  for (Group& group : groups_)
    group.values.resize(group.names.size());
}

void RunRecord::operator()(const NonsmoothObservation<Engine>& now) {
  if (energy_) (*energy_)(now);
  dissipated_ = now.dissipated();
  n_events_ += now.events().size();
  if (last_time_ == now.time()) return;
  last_time_ = now.time();
  if (n_points_++ % stride_ == 0) add(now);
  if (times_.size() >= most_points) thin_out();
}

void RunRecord::add(const NonsmoothObservation<Engine>& now) {
  times_.push_back(now.time());
  for (std::size_t i = 0; i < displacements_.size(); ++i)
    groups_[displacement].values[i].push_back(
        now.lift().displacement[static_cast<Eigen::Index>(displacements_[i])]);
  std::array<std::size_t, n_groups> next = {};
  for (const Place& place : places_)
    groups_[place.group].values[next[place.group]++].push_back(
        (place.group == reaction ? now.state().r : now.state().g)[place.direction]);
  for (std::size_t i = 0; i < contacts_.size(); ++i)
    groups_[contact].values[i].push_back(number_of(now.state().contacts[contacts_[i]]));
  if (!energy_) return;
  const Energies& energies = energy_->energies();
  const std::array<double, 4> stored_now = {energies.kinetic, energies.potential, energies.dissipated,
                                            now.dissipated()};
  for (std::size_t k = 0; k < stored_now.size(); ++k)
    groups_[stored].values[k].push_back(stored_now[k]);
  groups_[exchanged].values[0].push_back(energies.work);
  groups_[exchanged].values[1].push_back(energies.reactions);
}

void RunRecord::thin_out() {
  const auto halve = [](std::vector<double>& values) {
    for (std::size_t i = 0; 2 * i < values.size(); ++i)
      values[i] = values[2 * i];
    values.resize((values.size() + 1) / 2);
  };
  halve(times_);
  for (Group& group : groups_)
    for (std::vector<double>& values : group.values)
      halve(values);
  stride_ *= 2;
}

std::optional<Energies> RunRecord::energies() const {
  return energy_ ? std::optional(energy_->energies()) : std::nullopt;
}

std::vector<CurvePanel> RunRecord::panels() const {
  std::vector<CurvePanel> panels;
  const auto vector_of = [](const std::vector<double>& values) {
    return Vector(Vector::Map(values.data(), static_cast<Eigen::Index>(values.size())));
  };
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const Group& group = groups_[g];
    if (group.values.empty() || group.values[0].empty()) continue;
    CurvePanel panel{"", {"time [s]"}, {group.label}};
    if (g == contact) panel.title = "States: " + legend_of(group.values);
    for (std::size_t k = 0; k < group.values.size(); ++k)
      panel.curves.push_back({group.names[k], vector_of(times_), vector_of(group.values[k]),
                              k % 2 == 0 ? CurveStyle::line : CurveStyle::dashed_line});
    panel.height = 170;
    panels.push_back(std::move(panel));
  }
  return panels;
}

}  // namespace halfdof::cli
