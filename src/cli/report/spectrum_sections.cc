// SPDX-License-Identifier: LGPL-2.1-or-later
#include "spectrum_sections.h"

#include <halfdof/assembled/free_system.h>
#include <halfdof/base/constants.h>

#include "../case_model.h"
#include "../modes_json.h"
#include "../response_plot.h"
#include "../spectrum_plot.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace halfdof::cli {

using namespace internal;

namespace {

constexpr std::size_t most_modes = 60;       ///< rows of the table of modes
constexpr double response_tolerance = 1e-6;  ///< that of the verb response

std::string completeness_text(const SpectrumComparison& comparison) {
  switch (comparison.completeness) {
    case Completeness::counted:
      return "The eigenvalues were counted: the list is complete.";
    case Completeness::searched:
      return comparison.is_whole ? "All eigenvalues were computed."
                                 : "The eigenvalues nearest to the shift were searched twice.";
    case Completeness::unknown:
      break;
  }
  return "It is not known whether the list is complete.";
}

void add_modes_table(HtmlPage& page, const Json& modes, const SpectrumComparison& comparison) {
  // modes and uncertainties of to_json() have the order of after.finite there; modes skips conjugates.
  std::vector<HtmlPage::Row> rows;
  std::size_t m = 0;
  for (std::size_t i = 0; i < modes["after"]["finite"].size(); ++i) {
    if (modes["after"]["finite"][i][1].get<double>() < 0) continue;
    const Json& mode = modes["modes"][m++];
    if (rows.size() == most_modes) continue;
    const Json& uncertainty = modes["uncertainties"][i];
    rows.push_back({GlobalIndex(m), mode["eigenvalue"][0].get<double>(), mode["eigenvalue"][1].get<double>(),
                    mode["frequency_hz"].get<double>(), mode["damping_ratio"].get<double>(),
                    mode["kind"].get<std::string>(),
                    std::isfinite(uncertainty.get<double>()) ? TableCell(uncertainty.get<double>())
                                                             : TableCell("not known")});
  }
  page.table(
      "Modes after the elimination, one of each conjugate pair" +
          (m > rows.size() ? ": the first " + std::to_string(rows.size()) + " of " + std::to_string(m)
                           : std::string()),
      {"", "Re λ [1/s]", "Im λ [1/s]", "frequency [Hz]", "damping ratio", "kind", "uncertainty of λ [1/s]"},
      rows);
  if (!comparison.is_whole)
    page.paragraph("These are the eigenvalues nearest to the shift " + to_text(comparison.requested_shift) +
                   " 1/s.");
}

/// Returns the name of a load on one DoF, or of a vector.
std::string name_of_load(const MultiVector& amplitudes, Eigen::Index k) {
  Eigen::Index dof = -1, n = 0;
  for (Eigen::Index i = 0; i < amplitudes.rows(); ++i)
    if (amplitudes(i, k) != 0) {
      dof = i;
      ++n;
    }
  return n == 1 && amplitudes(dof, k) == 1 ? "f_" + std::to_string(dof) : "load " + std::to_string(k);
}

/// Returns frequencies on a logarithmic scale from below the lowest mode to above the twelfth one [Hz]; none
/// if every eigenvalue is zero.
std::vector<double> frequencies_of(const SpectrumComparison& comparison, GlobalIndex n_dofs) {
  constexpr std::size_t n_modes = 12;
  std::vector<double> oscillating, all;
  for (const Complex value : comparison.after.finite) {
    if (value.imag() < 0 || value == 0.) continue;
    all.push_back(std::abs(value) / (2 * pi));
    if (value.imag() > 1e-6 * std::abs(value)) oscillating.push_back(value.imag() / (2 * pi));
  }
  std::vector<double>& modes = oscillating.empty() ? all : oscillating;
  if (modes.empty()) return {};
  std::sort(modes.begin(), modes.end());
  modes.resize(std::min(modes.size(), n_modes));
  const double from = 0.3 * modes.front(), to = 2 * modes.back();
  const int n = n_dofs <= 5000 ? 400 : 80;
  std::vector<double> frequencies;
  for (int i = 0; i < n; ++i)
    frequencies.push_back(from * std::pow(to / from, i / (n - 1.)));
  return frequencies;
}

struct Peak {
  double magnitude, frequency;
};

/// Returns the largest magnitude of an entry and its frequency [Hz].
Peak peak_of(const FrequencyResponse& response, const Transfer& H) {
  Peak peak = {0, response.frequencies.front()};
  for (std::size_t k = 0; k < response.frequencies.size(); ++k)
    if (const double size = std::abs(response.after[k](H.output, H.input)); size > peak.magnitude)
      peak = {size, response.frequencies[k]};
  return peak;
}

/// Says whether both spectra agree.
void add_verdict(Findings& report, const SpectrumComparison& comparison) {
  report.page.paragraph(
      completeness_text(comparison) + " " +
      (comparison.passed ? "Both spectra agree." : "The spectra do not agree, or this is not known.") +
      (comparison.before.reason.empty() ? "" : " " + comparison.before.reason + "."));
  report.verify("eigenvalues before and after: relative difference", comparison.max_relative_difference,
                comparison.difference_tolerance, comparison.matching.passed && comparison.before.reliable);
  report.verify("eigenpairs: residual of P(λ) x = 0", comparison.max_residual, comparison.residual_tolerance,
                comparison.max_residual <= comparison.residual_tolerance);
  report.verify("eigenpairs: backward error", comparison.max_backward_error, comparison.residual_tolerance,
                comparison.max_backward_error <= comparison.residual_tolerance);
  report.agrees = report.agrees && comparison.passed;
  if (!comparison.passed)
    report.warnings.emplace_back("The spectra before and after do not agree: see Spectra.");
}

}  // namespace

void add_spectra(Findings& report, const SpectrumComparison& comparison) {
  HtmlPage& page = report.page;
  const Json modes = to_json(comparison);
  if (!comparison.after.finite.empty() || !comparison.before.finite.empty())
    report.draw(
        {spectrum_plot(comparison)},
        "Eigenvalues λ of λ² M + λ C + K before the elimination (circles) and after it (crosses) in the "
        "complex plane; of a conjugate pair, the upper one. Crosses in circles agree. Where the range is "
        "wide, an axis is logarithmic on both sides of zero, as its label says. Real parts below 1e-10 of "
        "the modulus are drawn as zero.");
  add_modes_table(page, modes, comparison);
  add_verdict(report, comparison);
}

void add_spectra(Findings& report, const SpectrumComparison& of_embedding,
                 const StructurallyDampedModes& modes) {
  HtmlPage& page = report.page;
  if (!modes.modes.empty())
    report.draw({spectrum_plot(of_embedding, modes)},
                "Eigenvalues λ of the modes before the elimination (circles) and after it (crosses) in the "
                "complex plane. Crosses in circles agree. Where the range is wide, an axis is logarithmic on "
                "both sides of zero, as its label says.");
  std::vector<HtmlPage::Row> rows;
  for (std::size_t j = 0; j < std::min(most_modes, modes.modes.size()); ++j) {
    const StructurallyDampedMode& one = modes.modes[j];
    rows.push_back({static_cast<GlobalIndex>(j + 1), one.mode.eigenvalue.real(), one.mode.eigenvalue.imag(),
                    one.mode.frequency, one.mode.damping_ratio + 0.,
                    std::isnan(one.loss_factor) ? TableCell("-") : TableCell(one.loss_factor),
                    name_of(one.mode.kind), one.uncertainty});
  }
  page.table("Modes with structural damping after the elimination" +
                 (modes.modes.size() > rows.size() ? ": the first " + std::to_string(rows.size()) + " of " +
                                                         std::to_string(modes.modes.size())
                                                   : std::string()),
             {"", "Re λ [1/s]", "Im λ [1/s]", "frequency [Hz]", "damping ratio", "loss factor", "kind",
              "uncertainty of λ [1/s]"},
             rows);
  page.paragraph("The complex pencil has " + std::to_string(modes.unphysical.size()) +
                 " other eigenvalues in this list, with negative imaginary parts; they have no physical "
                 "meaning.");
  add_verdict(report, of_embedding);
}

ResponseRequest collocated(const AssembledSystem<Engine>& assembled) {
  const std::array<std::pair<const char*, const EigenMatrix*>, 3> matrices = {
      {{"mass", &assembled.M()}, {"damping", &assembled.C()}, {"stiffness", &assembled.K()}}};
  std::string quantity;
  Index best = assembled.free().local().front();
  for (const auto& [name, matrix] : matrices) {
    const auto diagonal = [&matrix = matrix->entries()](Index i) { return matrix.coeff(i, i); };
    for (const Index i : assembled.free().local())
      if (diagonal(i) > diagonal(best)) best = i;
    quantity = name;
    if (diagonal(best) > 0) break;
  }
  ResponseRequest request;
  request.loads.amplitudes = MultiVector::Zero(static_cast<Eigen::Index>(assembled.n_dofs()), 1);
  request.loads.amplitudes(best, 0) = 1;
  request.load_names = {"f_" + std::to_string(best)};
  request.outputs = {best};
  request.explanation = "Collocated receptance of " + assembled.labels().describe(best, best) +
                        ", which has the largest diagonal entry of the " + quantity + " matrix.";
  return request;
}

ResponseRequest response_of_case(const CaseModel& given, const std::vector<GlobalIndex>& displacements,
                                 const AssembledSystem<Engine>& assembled) {
  constexpr Eigen::Index most = 2;
  const auto n = static_cast<Eigen::Index>(assembled.n_dofs());
  const CaseLoads loads = read_loads(given, assembled);
  const Eigen::Index n_loads = std::min(most, loads.places.cols());
  ResponseRequest request;
  request.loads.amplitudes = MultiVector::Zero(n, n_loads);
  request.loads.amplitudes.topRows(loads.places.rows()) = loads.places.leftCols(n_loads);
  for (Eigen::Index k = 0; k < n_loads; ++k) {
    request.load_names.push_back(name_of_load(request.loads.amplitudes, k));
    Eigen::Index largest = 0;
    request.loads.amplitudes.col(k).cwiseAbs().maxCoeff(&largest);
    if (displacements.empty() &&
        std::find(request.outputs.begin(), request.outputs.end(), largest) == request.outputs.end())
      request.outputs.push_back(largest);
  }
  for (std::size_t i = 0; i < std::min<std::size_t>(most, displacements.size()); ++i)
    request.outputs.push_back(displacements[i]);
  request.explanation =
      "Response to the " + std::string(loads.places.cols() > most ? "first two loads" : "loads") +
      " of the case, each with harmonic amplitude one, without the reactions of its inclusions, at " +
      (displacements.empty() ? "the DoFs on which the loads are largest." : "displacements of its [output].");
  return request;
}

void add_response(Findings& report, const Model& model, const ReducedSystem<Engine>& reduced,
                  const SpectrumComparison& comparison, const ResponseRequest& request) {
  HtmlPage& page = report.page;
  const std::vector<double> at = frequencies_of(comparison, model.application().n_dofs());
  if (at.empty()) {
    page.paragraph("No eigenvalue gives a range of frequencies.");
    return;
  }
  std::vector<DirectedOutput> outputs;
  for (const GlobalIndex dof : request.outputs)
    outputs.push_back({OutputQuantity::displacement, Direction({{dof, 1.}})});
  const FrequencyResponse response =
      model.structural ? frequency_response(*model.structural, reduced, at, request.loads, outputs)
                       : frequency_response(reduced, at, request.loads, outputs);
  std::vector<HtmlPage::Row> rows;
  for (std::size_t i = 0; i < request.load_names.size(); ++i) {
    std::vector<Transfer> transfers;
    for (std::size_t o = 0; o < request.outputs.size(); ++o) {
      const std::string q = "q_" + std::to_string(request.outputs[o]);
      const Transfer H = {q + "/" + request.load_names[i], q + " per unit " + request.load_names[i],
                          static_cast<Index>(o), static_cast<Index>(i)};
      const Peak peak = peak_of(response, H);
      rows.push_back({H.name, peak.magnitude, peak.frequency});
      if (peak.magnitude > 0) transfers.push_back(H);
    }
    if (transfers.empty()) {
      page.paragraph("No output responds to " + request.load_names[i] + ".");
      continue;
    }
    const Plot both = response_plot({{response, transfers}}, "displacement per unit load",
                                    AxisScale::logarithmic, DrawnResponse::before_and_after);
    std::vector<Plot> plots;
    for (const auto& panel : both.panels)
      plots.push_back({"", {panel}, 1, picture_width});
    report.draw(plots,
                request.explanation + " Lines: after the elimination; symbols: before it, at some of the " +
                    std::to_string(at.size()) + " frequencies. Both axes of the magnitude are logarithmic.");
  }
  page.table("Largest magnitudes at these frequencies", {"response", "largest magnitude", "at [Hz]"}, rows);
  for (const MissingResponse& missing : response.missing)
    page.paragraph(missing.reason);
  report.verify("frequency responses before and after: relative difference", response.max_relative_difference,
                response_tolerance, response.max_relative_difference <= response_tolerance);
}

}  // namespace halfdof::cli
