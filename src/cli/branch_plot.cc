// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/constants.h>
#include <halfdof/base/number_text.h>
#include <halfdof/plots/plot.h>
#include <halfdof/spectrum/structurally_damped_modes.h>

#include "checks.h"
#include "modes_sweep.h"
#include "vector_of.h"
#include <algorithm>
#include <limits>
#include <utility>

namespace halfdof::cli {

using namespace internal;

namespace {

constexpr std::size_t most_in_legend = 4;

/// The coordinates of a point of a branch in a panel.
using Coordinates = std::pair<double, double> (*)(const BranchPoint& point);

/// Appends branches as one curve, with gaps between them.
Curve curve_of(const std::string& name, const std::vector<const Branch*>& branches, Coordinates coordinates,
               bool growing_only = false) {
  constexpr double gap = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> x, y;
  for (const Branch* const branch : branches) {
    for (const BranchPoint& point : branch->points) {
      if (growing_only && !(mode_of(point.eigenvalue).damping_ratio < -1e-8)) continue;
      const auto [a, b] = coordinates(point);
      x.push_back(a);
      y.push_back(b);
    }
    x.push_back(gap);
    y.push_back(gap);
  }
  const bool are_lines = std::any_of(branches.begin(), branches.end(),
                                     [](const Branch* branch) { return branch->points.size() > 1; });
  return {name, vector_of(x), vector_of(y),
          growing_only || !are_lines ? CurveStyle::points : CurveStyle::line};
}

/// Returns one curve for each branch, or one for all of them if a legend would not hold them.
std::vector<Curve> curves_of(const EigenvalueBranches& found, Coordinates coordinates, std::size_t n_others) {
  std::vector<Curve> curves;
  std::vector<const Branch*> all;
  for (const Branch& branch : found.branches)
    all.push_back(&branch);
  if (all.size() + n_others <= most_in_legend) {
    for (const Branch* const branch : all)
      curves.push_back(curve_of("branch " + std::to_string(branch->number), {branch}, coordinates));
    return curves;
  }
  curves.push_back(curve_of("branches 1 to " + std::to_string(all.size()), all, coordinates));
  const Curve growing = curve_of("growing", all, coordinates, true);
  if (growing.x.array().isFinite().any()) curves.push_back(growing);
  return curves;
}

}  // namespace

void write_branch_plot(const std::filesystem::path& file, const EigenvalueBranches& branches,
                       const std::string& name, const std::vector<double>& orders) {
  const Axis parameter{orders.empty() ? name : name + " [rad/s]"};
  CurvePanel frequency{"", parameter, {"frequency [Hz]"}},
      damping{"", parameter, {branches.has_structural_damping ? "loss factor [%]" : "damping ratio [%]"}},
      locus{"root locus, upper half plane", {"Re λ [1/s]"}, {"Im λ [1/s]"}};
  frequency.curves = curves_of(
      branches, [](const BranchPoint& p) { return std::pair(p.parameter, mode_of(p.eigenvalue).frequency); },
      orders.size());
  const Coordinates damping_ratio = [](const BranchPoint& p) {
    return std::pair(p.parameter, 100 * mode_of(p.eigenvalue).damping_ratio);
  };
  const Coordinates loss = [](const BranchPoint& p) {
    return std::pair(p.parameter, 100 * loss_factor(p.eigenvalue));
  };
  damping.curves = curves_of(branches, branches.has_structural_damping ? loss : damping_ratio, 0);
  locus.curves = curves_of(
      branches, [](const BranchPoint& p) { return std::pair(p.eigenvalue.real(), p.eigenvalue.imag()); }, 0);
  if (!orders.empty()) {
    double highest = 0;
    for (const Branch& branch : branches.branches)
      for (const BranchPoint& point : branch.points)
        highest = std::max(highest, mode_of(point.eigenvalue).frequency);
    if (highest > 0) frequency.y.range = {0, 1.05 * highest};
    const Vector speeds = vector_of(branches.values);
    for (const double order : orders)
      frequency.curves.push_back(
          {number_text(order) + "x", speeds, order / (2 * pi) * speeds.cwiseAbs(), CurveStyle::dashed_line});
  }
  Plot plot;
  plot.title = orders.empty() ? "Eigenvalues over " + name : "Campbell diagram";
  plot.panels = {std::move(frequency), std::move(damping), std::move(locus)};
  write_picture(plot, file);
}

}  // namespace halfdof::cli
