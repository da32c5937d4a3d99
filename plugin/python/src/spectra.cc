// SPDX-License-Identifier: LGPL-2.1-or-later
#include "python.h"
#include <limits>
#include <map>

namespace halfdof::python {

namespace {

using Complexes = std::vector<Complex>;

py::array array_of(const Complexes& values) {
  return py::array_t<Complex>(static_cast<py::ssize_t>(values.size()), values.data());
}

Listed listed_from(const std::string& kind) {
  static const std::map<std::string, Listed> kinds = {{"all", Listed::all},
                                                      {"oscillating", Listed::oscillating},
                                                      {"relaxing", Listed::relaxing},
                                                      {"unstable", Listed::unstable}};
  return kinds.at(kind);
}

const char* text_of_completeness(Completeness completeness) {
  switch (completeness) {
    case Completeness::counted:
      return "counted";
    case Completeness::searched:
      return "searched";
    case Completeness::unknown:
      break;
  }
  return "unknown";
}

ComparisonOptions options_from(double tolerance, Complex shift, bool count_always, const std::string& kind,
                               bool by_frequency) {
  ComparisonOptions options;
  options.matching.tolerance = tolerance;
  options.shift = shift;
  options.counting = count_always ? Counting::always : Counting::where_cheap;
  options.listed = listed_from(kind);
  options.order = by_frequency ? PairOrder::frequency : PairOrder::modulus;
  return options;
}

py::dict comparison_to(const SpectrumComparison& comparison) {
  Complexes before, after;
  std::vector<double> differences, errors;
  for (const MatchedEigenvalues& pair : comparison.matching.pairs) {
    before.push_back(pair.before);
    after.push_back(pair.after);
    differences.push_back(pair.relative_difference());
    errors.push_back(pair.place_after < comparison.residuals.size()
                         ? comparison.residuals[pair.place_after].error()
                         : std::numeric_limits<double>::quiet_NaN());
  }
  py::dict all;
  all["before"] = array_of(before);
  all["after"] = array_of(after);
  all["differences"] = py::array(py::cast(differences));
  all["errors"] = py::array(py::cast(errors));
  all["missing"] = array_of(comparison.matching.missing);
  all["extra"] = array_of(comparison.matching.extra);
  all["n_infinite"] = comparison.before.n_infinite;
  all["passed"] = comparison.passed && !comparison.n_searched;
  all["n_searched"] = comparison.n_searched;
  all["is_whole"] = comparison.is_whole;
  all["completeness"] = text_of_completeness(comparison.completeness);
  all["max_difference"] = comparison.max_relative_difference;
  all["max_backward_error"] = comparison.max_backward_error;
  all["expected"] = comparison.counted ? py::cast(comparison.counted->count.n) : py::object(py::none());
  all["found"] = comparison.counted ? py::cast(comparison.counted->n_found) : py::object(py::none());
  all["text"] = text_of([&](std::ostream& out) { comparison.print(out); });
  return all;
}

template <class Compute>
py::dict compared(const Reduced& reduced, const Compute& compute) {
  return comparison_to(reduced.compute(compute));
}

py::dict modes_to(const Reduced& reduced, Index count, Complex shift) {
  std::optional<NearestEigenvalues> found;
  std::optional<ModeTable> table;
  reduced.compute([&] {
    found = nearest_eigenvalues(reduced, count, shift);
    table = mode_table(reduced, *found);
  });
  std::vector<double> errors;
  for (const EigenpairResidual& residual : found->residuals)
    errors.push_back(residual.error());
  py::dict all;
  all["eigenvalues"] = array_of(found->eigenvalues);
  all["errors"] = py::array(py::cast(errors));
  all["shapes"] = owned_array(std::move(found->shapes));
  all["states"] = owned_array(std::move(found->states));
  all["completeness"] = text_of_completeness(found->completeness);
  Complexes of_table;
  for (const Mode& mode : table->modes)
    of_table.push_back(mode.eigenvalue);
  all["table_eigenvalues"] = array_of(of_table);
  all["directions"] = table->directions;
  all["total_mass"] = py::array(py::cast(table->total_mass));
  all["effective_mass"] = owned_array(std::move(table->effective_mass));
  return all;
}

/// Follows eigenvalues over a parameter. The Python function returns the reduced system at a value.
py::dict branches_to(const py::object& system, const std::vector<double>& values, Index count, Complex shift,
                     const std::string& name) {
  BranchOptions options;
  options.count = count;
  options.shift = shift;
  const HeldObject function(system);
  const auto system_at = [&function](double value) {
    const py::gil_scoped_acquire gil;
    return static_cast<ReducedSystem<Engine>>(function.get()(value).cast<Reduced>());
  };
  std::optional<EigenvalueBranches> found;
  {
    const py::gil_scoped_release release;
    found = eigenvalue_branches(std::function<ReducedSystem<Engine>(double)>(system_at), values, options);
  }
  py::list branches;
  for (const Branch& branch : found->branches) {
    std::vector<double> parameters;
    Complexes eigenvalues;
    for (const BranchPoint& point : branch.points) {
      parameters.push_back(point.parameter);
      eigenvalues.push_back(point.eigenvalue);
    }
    branches.append(py::make_tuple(branch.number, py::array(py::cast(parameters)), array_of(eigenvalues)));
  }
  py::list changes;
  for (StabilityChange& change : found->stability)
    changes.append(py::make_tuple(change.branch, change.parameter, change.uncertainty, change.eigenvalue,
                                  change.begins_to_grow, owned_array(std::move(change.shape))));
  py::list undecided;
  for (const UndecidedStep& step : found->undecided)
    undecided.append(py::make_tuple(step.from, step.to, py::tuple(py::cast(step.branches))));
  py::dict all;
  all["branches"] = branches;
  all["stability"] = changes;
  all["undecided"] = undecided;
  all["growing_at_first"] = py::tuple(py::cast(found->growing_at_first));
  all["text"] = text_of([&](std::ostream& out) { found->print(out, name); });
  return all;
}

}  // namespace

void bind_spectra(py::module_& core) {
  core.def("compare_spectra", [](const Reduced& reduced, Index count, Complex shift, double tolerance,
                                 bool count_always, const std::string& kind, bool by_frequency) {
    const ComparisonOptions options = options_from(tolerance, shift, count_always, kind, by_frequency);
    return compared(reduced, [&] { return compare_spectra(reduced, count, options); });
  });
  core.def("compare_all", [](const Reduced& reduced, double tolerance, bool by_frequency) {
    const ComparisonOptions options = options_from(tolerance, 0, false, "all", by_frequency);
    return compared(reduced, [&] { return compare_all(reduced, options); });
  });
  core.def("compare_band", [](const Reduced& reduced, double from, double to, double largest_decay,
                              double tolerance) {
    const ComparisonOptions options = options_from(tolerance, 0, false, "all", true);
    return compared(reduced, [&] { return compare_band(reduced, {from, to, largest_decay}, options); });
  });
  core.def("compare_region", [](const Reduced& reduced, Complex lower_left, Complex upper_right,
                                double tolerance) {
    const ComparisonOptions options = options_from(tolerance, 0, false, "all", false);
    return compared(reduced, [&] { return compare_region(reduced, {lower_left, upper_right}, options); });
  });
  core.def("modes", &modes_to);
  core.def("eigenvalue_branches", &branches_to);
}

}  // namespace halfdof::python
