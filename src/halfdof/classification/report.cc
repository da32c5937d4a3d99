// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/text_table.h>
#include <halfdof/classification/classification.h>
#include <halfdof/linear_algebra/instantiate.h>

#include <algorithm>
#include <array>
#include <iomanip>
#include <ostream>
#include <sstream>

namespace halfdof {

using namespace internal;

namespace {

constexpr std::array<DoFKind, 4> all_kinds = {DoFKind::inertial, DoFKind::viscous, DoFKind::algebraic,
                                              DoFKind::constrained};
constexpr std::size_t n_dofs_shown = 3;
constexpr std::size_t n_warnings_shown = 10;

/// Returns the number of DoFs of one kind for each component, over all processes: "x 12, y 12". The
/// text is empty if the components have no names.
template <class Engine>
std::string counts_by_component(const Classification& classification, const AssembledSystem<Engine>& system,
                                DoFKind kind) {
  const DoFLabels& labels = system.labels();
  std::vector<double> counts(labels.component_names.size(), 0.);
  for (std::size_t i = 0; i < labels.component.size(); ++i)
    if (classification.kinds()[i] == kind) ++counts[static_cast<std::size_t>(labels.component[i])];
  system.dofs().communicator().sum(counts.data(), static_cast<int>(counts.size()));

  std::ostringstream text;
  for (std::size_t c = 0; c < counts.size(); ++c)
    if (counts[c] > 0)
      text << (text.tellp() > 0 ? ", " : "") << labels.component_names[c] << ' '
           << static_cast<GlobalIndex>(counts[c]);
  return text.str();
}

/// Describes the n_dofs_shown DoFs of one kind with the lowest numbers over all processes.
template <class Engine>
std::string first_dofs(const Classification& classification, const AssembledSystem<Engine>& system,
                       DoFKind kind) {
  std::vector<std::pair<GlobalIndex, Index>> here;
  for (Index i = 0; i < system.dofs().n_local(); ++i)
    if (classification.kind(i) == kind) here.emplace_back(system.dofs().global_index(i), i);
  std::sort(here.begin(), here.end());
  here.resize(std::min(here.size(), n_dofs_shown));

  std::ostringstream lines;
  for (const auto& [global, local] : here)
    lines << global << ' ' << system.describe(local) << '\n';
  std::vector<std::pair<GlobalIndex, std::string>> all;
  for (const std::string& part : system.dofs().communicator().gather(lines.str())) {
    std::istringstream stream(part);
    std::pair<GlobalIndex, std::string> dof;
    while (stream >> dof.first && std::getline(stream >> std::ws, dof.second))
      all.push_back(dof);
  }
  std::sort(all.begin(), all.end());

  std::ostringstream text;
  for (std::size_t i = 0; i < std::min(all.size(), n_dofs_shown); ++i)
    text << (i > 0 ? "; " : "") << all[i].second;
  return text.str();
}

void print_warnings(std::ostream& out, const Classification& classification) {
  const auto& tiny = classification.nearly_null();
  if (!tiny.empty())
    out << "Warning: nearly null columns were kept, " << classification.n_nearly_null()
        << " of them. A null tolerance just above the number given for a column would drop it:\n";
  const std::size_t n_here = std::min(tiny.size(), n_warnings_shown);
  for (std::size_t i = 0; i < n_here; ++i)
    out << "  " << tiny[i].matrix << ", " << tiny[i].description << ": " << std::scientific
        << std::setprecision(6) << tiny[i].relative_norm << std::defaultfloat << " of the largest column\n";
  if (const GlobalIndex rest = classification.n_nearly_null() - static_cast<GlobalIndex>(n_here); rest > 0)
    out << "  and " << rest << " more\n";
  if (classification.n_dropped_columns() > 0)
    out << "Note: columns that are not exactly zero count as null by the null tolerance: "
        << classification.n_dropped_columns() << ".\n";
}

}  // namespace

template <class Engine>
void print(std::ostream& out, const Classification& classification, const AssembledSystem<Engine>& system) {
  const std::array<GlobalIndex, 4> counts = {classification.n_inertial(), classification.n_viscous(),
                                             classification.n_algebraic(), classification.n_constrained()};
  TextTable table({"kind", "count", "by component", "first DoFs"});
  for (std::size_t k = 0; k < all_kinds.size(); ++k)
    table.add_row({name_of(all_kinds[k]), counts[k],
                   counts_by_component(classification, system, all_kinds[k]),
                   first_dofs(classification, system, all_kinds[k])});
  if (system.dofs().communicator().rank() != 0) return;

  out << table << "N_I = " << classification.n_inertial() << ", N_C = " << classification.n_viscous()
      << ", N_K = " << classification.n_algebraic() << ", N_s = " << classification.n_states()
      << " (2 N_I + N_C)\n";
  print_warnings(out, classification);
}

template void print(std::ostream&, const Classification&, const AssembledSystem<InstantiatedEngine>&);

}  // namespace halfdof
