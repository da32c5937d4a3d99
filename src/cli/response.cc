// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/atomic_file.h>
#include <halfdof/base/constants.h>
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/base/text_table.h>
#include <halfdof/output/result_files.h>
#include <halfdof/reduction/mixed_column_matrix.h>
#include <halfdof/spectrum/frequency_response.h>

#include "checks.h"
#include "exit_code.h"
#include "model.h"
#include "response_plot.h"
#include "verbs.h"
#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <memory>
#include <utility>

namespace halfdof::cli {

using namespace internal;

namespace {

enum class Spacing { linear, logarithmic };

struct ResponseOptions {
  ModelOptions model;
  std::vector<std::string> inputs, outputs;  ///< DoFs, by index or by node and component
  std::string quantity = name_of(OutputQuantity::displacement);
  double from = 0, to = 0;  ///< first and last frequency [Hz]
  Index n_points = 200;
  Spacing spacing = Spacing::linear;
  double tolerance = 1e-6;
  std::filesystem::path csv, plot;
};

std::vector<double> frequencies(const ResponseOptions& options) {
  const double from = options.from, to = options.to;
  for (const auto& [name, end] : {std::pair("--from", from), {"--to", to}})
    if (!std::isfinite(end))
      throw InvalidInput(std::string(name) + " is " + to_text(end) +
                         " Hz, but frequencies are finite. Give a number.");
  if (from < 0 || to < from)
    throw InvalidInput("The frequencies run from " + to_text(from) + " to " + to_text(to) +
                       " Hz. Give --from at least zero, and --to at least --from.");
  if (const double omega = 2 * pi * to; !std::isfinite(omega * omega))
    throw InvalidInput("--to " + to_text(to) +
                       " Hz is too high: the square of the angular frequency overflows.");
  if (options.spacing == Spacing::logarithmic && from == 0)
    throw InvalidInput("--log needs --from above zero, because the logarithm of zero is not finite.");
  if (options.n_points < 1 || (options.n_points == 1 && from != to))
    throw InvalidInput(
        "--points is " + std::to_string(options.n_points) +
        (from == to ? ". Give at least one." : ". Give at least two, for both ends of the range."));
  if (from == to) return {from};
  std::vector<double> all;
  for (Index i = 0; i < options.n_points; ++i) {
    const double s = static_cast<double>(i) / (options.n_points - 1);
    const bool is_end = i + 1 == options.n_points;
    all.push_back(is_end ? to
                  : options.spacing == Spacing::logarithmic
                      ? std::exp((1 - s) * std::log(from) + s * std::log(to))
                      : from + s * (to - from));
  }
  return all;
}

/// Returns the DoFs in the order of their first occurrence.
std::vector<GlobalIndex> without_repeats(const std::vector<GlobalIndex>& dofs) {
  std::vector<GlobalIndex> all;
  for (const GlobalIndex dof : dofs)
    if (std::find(all.begin(), all.end(), dof) == all.end()) all.push_back(dof);
  return all;
}

OutputQuantity quantity_from_name(const std::string& name) {
  for (const OutputQuantity quantity : {OutputQuantity::displacement, OutputQuantity::rate,
                                        OutputQuantity::acceleration, OutputQuantity::reaction})
    if (name == name_of(quantity)) return quantity;
  throw InvalidInput("There is no output quantity \"" + name + "\".");
}

std::string symbol(const Output& output) {
  const std::string dof = std::to_string(output.dof);
  switch (output.quantity) {
    case OutputQuantity::displacement:
      return "q_" + dof;
    case OutputQuantity::rate:
      return "q_" + dof + "'";
    case OutputQuantity::acceleration:
      return "q_" + dof + "''";
    case OutputQuantity::reaction:
      break;
  }
  return "r_" + dof;
}

std::vector<Transfer> transfers(const FrequencyResponse& response) {
  std::vector<Transfer> all;
  for (std::size_t o = 0; o < response.outputs.size(); ++o)
    for (std::size_t i = 0; i < response.inputs.size(); ++i) {
      const std::string z = symbol(response.outputs[o]), f = "f_" + std::to_string(response.inputs[i]);
      all.push_back({z + "/" + f, z + " per unit " + f, static_cast<Index>(o), static_cast<Index>(i)});
    }
  return all;
}

/// Returns the rounding error of a value: its bound, or the difference of before and after if that is larger.
/// NaN if it is unknown, and for reactions.
double error_of(const FrequencyResponse& response, std::size_t k, const Transfer& H) {
  const MultiVector& rounding = response.rounding[k];
  if (rounding.size() == 0) return std::numeric_limits<double>::quiet_NaN();
  const double bound = rounding(H.output, H.input);
  const double difference =
      std::abs(response.after[k](H.output, H.input) - response.before[k](H.output, H.input));
  return std::isnan(bound) ? bound : std::max(bound, difference);
}

void write_csv(const std::filesystem::path& path, const FrequencyResponse& response,
               const std::string& quantity) {
  const std::string unit = " [" + quantity + "/load]";
  const std::vector<Transfer> entries = transfers(response);
  std::vector<std::string> columns = {"frequency [Hz]"};
  for (const Transfer& H : entries)
    columns.insert(columns.end(), {"Re " + H.name + unit, "Im " + H.name + unit, "|" + H.name + "|" + unit,
                                   "phase " + H.name + " [deg]", "Re " + H.name + " before" + unit,
                                   "Im " + H.name + " before" + unit, "error of " + H.name + unit});
  AtomicFile file(path);
  CsvTable table(file.temporary_path(), columns);
  for (std::size_t k = 0; k < response.frequencies.size(); ++k) {
    std::vector<TableCell> row = {response.frequencies[k]};
    for (const Transfer& H : entries) {
      const Complex after = response.after[k](H.output, H.input);
      const Complex before = response.before[k](H.output, H.input);
      row.insert(row.end(), {after.real(), after.imag(), std::abs(after), degrees(after), before.real(),
                             before.imag(), error_of(response, k, H)});
    }
    table.add_row(row);
  }
  file.commit();
}

void write_plot(const std::filesystem::path& file, const FrequencyResponse& response,
                const ResponseOptions& options) {
  Plot plot =
      response_plot(response, transfers(response), options.quantity,
                    options.spacing == Spacing::logarithmic ? AxisScale::logarithmic : AxisScale::linear);
  plot.title = "Frequency response";
  write_picture(plot, file);
}

void print(std::ostream& out, const FrequencyResponse& response) {
  TextTable table({"response", "largest |H|", "at [Hz]"});
  for (const Transfer& H : transfers(response)) {
    std::size_t peak = 0;
    const auto magnitude = [&](std::size_t k) { return std::abs(response.after[k](H.output, H.input)); };
    for (std::size_t k = 1; k < response.frequencies.size(); ++k)
      if (magnitude(k) > magnitude(peak) || std::isnan(magnitude(peak))) peak = k;
    table.add_row({H.name, magnitude(peak), response.frequencies[peak]});
  }
  out << table << "Largest relative difference of before and after: ";
  if (std::isnan(response.max_relative_difference))
    out << "not known\n";
  else
    out << response.max_relative_difference << '\n';
}

/// Prints the frequencies at which numbers have overflowed. @return whether there are any
bool report_overflow(std::ostream& out, const FrequencyResponse& response) {
  std::vector<double> at;
  for (std::size_t k = 0; k < response.frequencies.size(); ++k) {
    const bool is_missing = response.rounding[k].size() == 0;
    if (!is_missing && !(response.before[k].allFinite() && response.after[k].allFinite()))
      at.push_back(response.frequencies[k]);
  }
  if (at.empty()) return false;
  out << "halfdof: the response overflows at " << at.size() << " of " << response.frequencies.size()
      << " frequencies, first at " << number_text(at.front())
      << " Hz, although no motion is undamped there: the entries of the matrices differ by so many orders of "
         "magnitude that products of them are not finite. Set entries to zero that should be zero, or "
         "write the model in other units.\n";
  return true;
}

/// Returns the likely cause of a difference of both responses, with a remedy.
std::string likely_cause(const ReducedSystem<Engine>& reduced) {
  if (reduced.classification().n_dropped_columns() > 0)
    return "Columns that are nearly null were dropped after the elimination only: lower --null-tolerance.";
  if (reduced.elimination().is_badly_conditioned())
    return "The elimination is badly conditioned: look for half degrees of freedom that are nearly free.";
  return "Near resonances with little damping the effect of rounding is larger: leave such frequencies out, "
         "or raise --tolerance.";
}

/// Prints the frequencies without a response, with the reason; only the first ones if there are many.
void report_missing(std::ostream& out, const FrequencyResponse& response) {
  constexpr std::size_t max_listed = 5;
  const std::vector<MissingResponse>& missing = response.missing;
  if (missing.empty()) return;
  out << "halfdof: there is no response at " << missing.size() << " of " << response.frequencies.size()
      << " frequencies, which are nan in the table and gaps in a picture.\n";
  for (std::size_t i = 0; i < std::min(max_listed, missing.size()); ++i)
    out << "halfdof: " << missing[i].reason << '\n';
  if (missing.size() > max_listed)
    out << "halfdof: There is also none at " << missing.size() - max_listed << " more frequencies.\n";
}

/// Prints the values that have fewer digits than the tolerance requires, because of rounding. Values that are
/// exactly zero before and after are omitted.
void report_rounding(std::ostream& out, const FrequencyResponse& response, double tolerance) {
  std::size_t n_values = 0;
  std::string first;
  for (const Transfer& H : transfers(response))
    for (std::size_t k = 0; k < response.frequencies.size(); ++k) {
      const double magnitude = std::abs(response.after[k](H.output, H.input)),
                   error = error_of(response, k, H);
      if (std::isnan(error) || error <= tolerance * magnitude) continue;
      if (magnitude == 0 && response.before[k](H.output, H.input) == 0.) continue;
      if (++n_values > 1) continue;
      first = H.name + " at " + number_text(response.frequencies[k]) + " Hz is " + number_text(magnitude) +
              " up to " + number_text(error);
    }
  if (n_values == 0) return;
  out << "halfdof: warning: Rounding leaves fewer digits than --tolerance asks for in " << n_values
      << (n_values == 1 ? " value: " : " values; the first of them: ") << first
      << ". A value that is not larger than its rounding may be zero.\n";
}

ExitCode run(const ResponseOptions& options) {
  const std::vector<double> at = frequencies(options);
  check_outputs(options.model, {{"--csv", options.csv}, {"--plot", options.plot}});
  const AssembledSystem<Engine> assembled = read_model(options.model);
  const std::vector<GlobalIndex> inputs = dofs_named(options.inputs, assembled, "--input");
  std::vector<Output> outputs;
  for (const GlobalIndex dof : without_repeats(dofs_named(options.outputs, assembled, "--output")))
    outputs.push_back({quantity_from_name(options.quantity), dof});
  const ReducedSystem<Engine> reduced = reduce(assembled, reduction_options(options.model));
  print_warnings(std::cerr, reduced);
  const FrequencyResponse response = frequency_response(reduced, at, without_repeats(inputs), outputs);

  print(std::cout, response);
  write_csv(options.csv, response, options.quantity);
  if (!options.plot.empty()) write_plot(options.plot, response, options);
  report_missing(std::cerr, response);
  report_rounding(std::cerr, response, options.tolerance);
  if (report_overflow(std::cerr, response)) return falls_short;
  if (response.max_relative_difference <= options.tolerance)
    return response.missing.empty() ? agreed : falls_short;
  std::cerr << "halfdof: the responses before and after the elimination differ by "
            << response.max_relative_difference << ", more than --tolerance " << options.tolerance << ". "
            << likely_cause(reduced) << '\n';
  return falls_short;
}

}  // namespace

void add_response(CLI::App& program, int& exit_code) {
  CLI::App* const verb = program.add_subcommand(
      "response", "Frequency response between chosen DoFs, before and after the elimination");
  const auto options = std::make_shared<ResponseOptions>();
  add_model_options(*verb, options->model);
  verb->add_option("--input", options->inputs, "loaded DoFs")->required()->type_name("DOF");
  verb->add_option("--output", options->outputs, "DoFs whose response is asked for")
      ->required()
      ->type_name("DOF");
  verb->add_option("--quantity", options->quantity,
                   "displacement, rate, acceleration or reaction of the outputs")
      ->check(CLI::IsMember({"displacement", "rate", "acceleration", "reaction"}))
      ->type_name("NAME")
      ->capture_default_str();
  verb->add_option("--from", options->from, "lowest frequency")->required()->type_name("HZ");
  verb->add_option("--to", options->to, "highest frequency; equal to --from: only this one")
      ->required()
      ->type_name("HZ");
  verb->add_option("--points", options->n_points, "how many frequencies")->capture_default_str();
  verb->add_flag_callback(
      "--log", [options] { options->spacing = Spacing::logarithmic; },
      "space them evenly on a logarithmic scale");
  verb->add_option("--tolerance", options->tolerance,
                   "relative difference of before and after that still agrees")
      ->check(at_least_zero())
      ->capture_default_str();
  verb->add_option("--csv", options->csv, "table of the response")
      ->required()
      ->type_name("FILE")
      ->check(file_name());
  verb->add_option("--plot", options->plot, "picture of magnitude and phase (.png or .svg, by gnuplot)")
      ->type_name("FILE")
      ->check(picture_name());
  verb->footer(
      "The table holds Re, Im, magnitude and phase after the elimination, Re, Im before it, and how far\n"
      "rounding may have moved the values (nan for reactions). At frequencies of undamped resonances\n"
      "there is no response, and all are nan (exit code 1).\n\n"
      "Example:\n"
      "  halfdof response --mass M.mtx --stiffness K.mtx --input 0 --output 0 2 --from 0.1 --to 100 --csv "
      "H.csv\n"
      "  halfdof response --mass M.mtx --stiffness K.mtx --input 0 --output 2 --from 1 --to 100 --log --csv "
      "H.csv --plot H.png");
  verb->callback([options, verb, &exit_code] {
    check_model_options(*verb);
    exit_code = run(*options);
  });
}

}  // namespace halfdof::cli
