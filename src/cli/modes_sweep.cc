// SPDX-License-Identifier: LGPL-2.1-or-later
#include "modes_sweep.h"

#include <halfdof/base/atomic_file.h>
#include <halfdof/base/errors.h>
#include <halfdof/output/result_files.h>
#include <halfdof/plots/progress.h>
#include <halfdof/spectrum/structurally_damped_modes.h>

#include "json_file.h"
#include "sweep.h"
#include <algorithm>
#include <cmath>
#include <iostream>
#include <utility>

namespace halfdof::cli {

using namespace internal;

namespace {

/// Branches over the last parameter, for one value of the first one if there are two.
struct SweptBranches {
  Parameters fixed;
  EigenvalueBranches branches;
};

Json pair(Complex value) {
  return {value.real() + 0., value.imag() + 0.};
}

Json to_json(const Branch& branch, bool has_structural_damping) {
  Json points = Json::array();
  for (const BranchPoint& point : branch.points) {
    const Mode mode = mode_of(point.eigenvalue);
    points.push_back({{"parameter", point.parameter},
                      {"eigenvalue", pair(point.eigenvalue)},
                      {"frequency_hz", mode.frequency},
                      {"damping_ratio", mode.damping_ratio + 0.},
                      {"uncertainty", point.error},
                      {"assurance", point.assurance},
                      {"given", point.is_given},
                      {"asked", point.is_asked}});
    if (has_structural_damping) points.back()["loss_factor"] = loss_factor(point.eigenvalue);
  }
  return {{"branch", branch.number}, {"points", points}};
}

Json to_json(const StabilityChange& change) {
  Json shape = Json::array();
  for (const Complex entry : change.shape)
    shape.push_back(pair(entry));
  return {{"branch", change.branch},
          {"parameter", change.parameter},
          {"uncertainty", change.uncertainty},
          {"eigenvalue", pair(change.eigenvalue)},
          {"frequency_hz", mode_of(change.eigenvalue).frequency},
          {"begins_to_grow", change.begins_to_grow},
          {"shape", shape}};
}

Json to_json(const SweptBranches& swept, const std::string& parameter) {
  const EigenvalueBranches& found = swept.branches;
  Json json = {{"parameter", parameter},
               {"fixed", swept.fixed},
               {"values", found.values},
               {"growing_at_first", found.growing_at_first},
               {"n_evaluations", found.n_evaluations},
               {"max_backward_error", found.max_backward_error},
               {"has_left_vectors", found.reason_without_left.empty()}};
  for (const char* const list : {"branches", "undecided", "ends", "stability", "kinds"})
    json[list] = Json::array();
  for (const Branch& branch : found.branches)
    json["branches"].push_back(to_json(branch, found.has_structural_damping));
  for (const UndecidedStep& step : found.undecided)
    json["undecided"].push_back(
        {{"from", step.from}, {"to", step.to}, {"branches", step.branches}, {"assurance", step.assurance}});
  for (const BranchEnd& end : found.ends)
    json["ends"].push_back(
        {{"from", end.from}, {"to", end.to}, {"branch", end.branch}, {"begins", end.begins}});
  for (const StabilityChange& change : found.stability)
    json["stability"].push_back(to_json(change));
  for (const KindOfDoFChange& change : found.kinds)
    json["kinds"].push_back({{"from", change.from},
                             {"to", change.to},
                             {"dof", change.dof},
                             {"before", name_of(change.before)},
                             {"after", name_of(change.after)}});
  return json;
}

void write_csv(const std::filesystem::path& path, const std::vector<SweptBranches>& all,
               const std::vector<Sweep>& sweeps) {
  std::vector<std::string> columns;
  for (const Sweep& sweep : sweeps)
    columns.push_back(sweep.parameter);
  for (const char* const column : {"branch", "re", "im", "frequency_hz", "damping_ratio"})
    columns.emplace_back(column);
  const bool has_loss_factors = all.front().branches.has_structural_damping;
  if (has_loss_factors) columns.emplace_back("loss_factor");
  columns.insert(columns.end(), {"uncertainty", "assurance"});
  AtomicFile file(path);
  CsvTable table(file.temporary_path(), columns);
  for (const SweptBranches& swept : all)
    for (const double value : swept.branches.values)
      for (const Branch& branch : swept.branches.branches)
        for (const BranchPoint& point : branch.points) {
          if (!point.is_given || point.parameter != value) continue;
          const Mode mode = mode_of(point.eigenvalue);
          std::vector<TableCell> row;
          for (const auto& fixed : swept.fixed)
            row.emplace_back(fixed.second);
          row.insert(row.end(), {point.parameter, branch.number, point.eigenvalue.real(),
                                 point.eigenvalue.imag(), mode.frequency, mode.damping_ratio});
          if (has_loss_factors) row.emplace_back(loss_factor(point.eigenvalue));
          row.insert(row.end(), {point.error, point.assurance});
          table.add_row(row);
        }
  file.commit();
}

EigenvalueBranches follow(const SweptCase& swept, const Parameters& fixed, const BranchOptions& options) {
  const Sweep& sweep = swept.sweeps().back();
  const std::vector<double>& values = sweep.values;
  Progress progress("eigenvalues over " + sweep.parameter, std::abs(values.back() - values.front()));
  double farthest = 0;
  const auto reduced_at = [&](double value) {
    Parameters point = fixed;
    point[sweep.parameter] = value;
    farthest = std::max(farthest, std::abs(value - values.front()));
    progress.update(farthest);
    return swept.reduced_at(point);
  };
  const auto real = [&](double value) { return reduced_at(value).reduced; };
  const auto structural = [&](double value) {
    ReducedModel now = reduced_at(value);
    return ReducedStructuralSystem{std::move(*now.model.structural), std::move(now.reduced)};
  };
  EigenvalueBranches found = swept.has_structural_damping() ? eigenvalue_branches(structural, values, options)
                                                            : eigenvalue_branches(real, values, options);
  progress.finish();
  return found;
}

}  // namespace

ExitCode run_modes_sweep(const CaseArgument& argument, const ModelSource& source,
                         const ModesSweepOptions& options, const std::filesystem::path& json) {
  const SweptCase swept(argument, source, options.sweeps);
  if (swept.sweeps().size() > 1 && !options.plot.empty())
    throw InvalidInput(
        "--plot draws branches over one parameter, but --sweep is given twice. Leave out one.");
  std::vector<Parameters> all_fixed = {{}};
  if (swept.sweeps().size() > 1) {
    all_fixed.clear();
    for (const double value : swept.sweeps().front().values)
      all_fixed.push_back({{swept.sweeps().front().parameter, value}});
  }
  const std::string& name = swept.sweeps().back().parameter;
  std::vector<SweptBranches> all;
  double worst = 0;
  for (const Parameters& fixed : all_fixed) {
    all.push_back({fixed, follow(swept, fixed, options.branches)});
    if (!fixed.empty()) std::cout << "At " << text_of(fixed) << ":\n";
    all.back().branches.print(std::cout, name);
    worst = std::max(worst, all.back().branches.max_backward_error);
  }
  if (!options.csv.empty()) write_csv(options.csv, all, swept.sweeps());
  if (!json.empty()) {
    Json sweeps = Json::array();
    for (const SweptBranches& branches : all)
      sweeps.push_back(to_json(branches, name));
    write_json(json, {{"sweeps", sweeps}});
  }
  if (!options.plot.empty()) write_branch_plot(options.plot, all.front().branches, name, options.orders);
  if (worst <= options.tolerance) return agreed;
  std::cout.flush();
  std::cerr
      << "halfdof: some eigenpairs do not satisfy P x = 0 well enough: the largest residual or backward "
         "error is "
      << worst << " (limit " << options.tolerance
      << "). Look at them by `halfdof modes` with --set, value by value.\n";
  return falls_short;
}

}  // namespace halfdof::cli
