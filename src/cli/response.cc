// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/files/file_format.h>
#include <halfdof/assembled/files/model_files.h>
#include <halfdof/base/constants.h>
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/base/text_table.h>
#include <halfdof/parameters/kind_differences.h>
#include <halfdof/reduction/mixed_column_matrix.h>
#include <halfdof/spectrum/compare_spectra.h>
#include <halfdof/spectrum/forced_vibration.h>
#include <halfdof/spectrum/structurally_damped_modes.h>

#include "case_argument.h"
#include "checks.h"
#include "exit_code.h"
#include "input_densities.h"
#include "model.h"
#include "response_frequencies.h"
#include "response_output.h"
#include "sweep.h"
#include "verbs.h"
#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>
#include <utility>

namespace halfdof::cli {

using namespace internal;

namespace {

enum class Spacing { linear, logarithmic };

struct ResponseOptions {
  CaseArgument of_case;
  std::vector<std::string> sweeps;
  ModelOptions model;
  std::vector<std::string> inputs, outputs, base;        ///< DoFs, by index or by node and component
  std::vector<std::filesystem::path> loads, directions;  ///< files of vectors
  std::string quantity = name_of(OutputQuantity::displacement),
              base_quantity = name_of(OutputQuantity::acceleration);
  std::vector<std::string> units;  ///< of outputs and of inputs; empty: their quantities
  double from = 0, to = 0;         ///< first and last frequency [Hz]
  Index n_points = 200;
  Spacing spacing = Spacing::linear;
  bool resolves_peaks = false;
  double tolerance = 1e-6;
  std::filesystem::path csv, plot, psd, psd_csv;
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
    const bool is_begin = i == 0, is_end = i + 1 == options.n_points;
    all.push_back(is_begin ? from
                  : is_end ? to
                  : options.spacing == Spacing::logarithmic
                      ? std::exp((1 - s) * std::log(from) + s * std::log(to))
                      : from + s * (to - from));
  }
  return all;
}

OutputQuantity quantity_from_name(const std::string& name) {
  for (const OutputQuantity quantity : {OutputQuantity::displacement, OutputQuantity::rate,
                                        OutputQuantity::acceleration, OutputQuantity::reaction})
    if (name == name_of(quantity)) return quantity;
  throw InvalidInput("There is no output quantity \"" + name + "\".");
}

const char* primes(OutputQuantity quantity) {
  return quantity == OutputQuantity::rate ? "'" : quantity == OutputQuantity::acceleration ? "''" : "";
}

/// Vectors on all assembled DoFs with their names.
struct NamedVectors {
  std::vector<std::string> names;
  MultiVector columns;

  void add(const std::string& name, const Vector& column) {
    names.push_back(name);
    columns.conservativeResize(column.size(), columns.cols() + 1);
    columns.rightCols(1) = column;
  }
};

/// Adds the columns of files, named by the file.
void add_files(NamedVectors& vectors, const std::vector<std::filesystem::path>& files, GlobalIndex n_dofs,
               const std::string& option) {
  for (const std::filesystem::path& file : files) {
    const MultiVector columns = read_matrix(file);
    if (columns.rows() != n_dofs)
      throw InvalidInput(option + " " + file.string() + " has " + std::to_string(columns.rows()) +
                         " rows, but the model has " + std::to_string(n_dofs) +
                         " degrees of freedom. Give one row for each, and a column for each vector.");
    std::string name;
    const std::filesystem::path path = internal::without_matrix_name(file, name);
    if (name.empty()) name = path.stem().string();
    for (Index j = 0; j < columns.cols(); ++j)
      vectors.add(name + (columns.cols() == 1 ? "" : "[" + std::to_string(j) + "]"), columns.col(j));
  }
}

/// Adds unit vectors of DoFs, each once, named by their assembled indices.
void add_dofs(NamedVectors& vectors, const std::vector<std::string>& names, const std::string& symbol,
              const AssembledSystem<Engine>& assembled, const std::string& option) {
  const std::vector<GlobalIndex> dofs = dofs_named(names, assembled, option);
  for (std::size_t i = 0; i < dofs.size(); ++i) {
    if (dofs[i] < 0 || dofs[i] >= assembled.n_dofs())
      throw InvalidInput("DoF " + names[i] + " of " + option +
                         " does not exist: the assembled indices run from 0 to " +
                         std::to_string(assembled.n_dofs() - 1) + ". Indices are 0-based.");
    if (std::find(dofs.begin(), dofs.begin() + static_cast<std::ptrdiff_t>(i), dofs[i]) ==
        dofs.begin() + static_cast<std::ptrdiff_t>(i))
      vectors.add(symbol + std::to_string(dofs[i]),
                  Vector::Unit(static_cast<Index>(assembled.n_dofs()), static_cast<Index>(dofs[i])));
  }
}

Direction direction_of(const Vector& weights) {
  std::vector<WeightedDoF> entries;
  for (Index i = 0; i < weights.size(); ++i)
    if (weights[i] != 0) entries.push_back({i, weights[i]});
  return Direction(std::move(entries));
}

/// Refuses single forces on constrained DoFs, which would move nothing.
void check_forces(const std::vector<std::string>& names, const AssembledSystem<Engine>& assembled) {
  for (const GlobalIndex dof : dofs_named(names, assembled, "--input")) {
    const Index local = assembled.dofs().local_index(dof);
    const std::vector<Index>& constrained = assembled.constrained().local();
    if (local >= 0 && std::binary_search(constrained.begin(), constrained.end(), local))
      throw InvalidInput("A force was to act on " + assembled.describe(local) +
                         ", which is constrained: it moves nothing. Choose a free degree of freedom as "
                         "--input, or let it move by --base.");
  }
}

/// Reports root mean squares that are not right. @return falls_short if there are any
ExitCode report(const RandomResponse& random, std::string doubt) {
  constexpr double largest_error = 0.01;
  if (doubt.empty() && !(random.rms_error.array() <= largest_error * random.rms.array()).all())
    doubt = "An error is larger than a hundredth of the root mean square. Ask for more --points.";
  if (doubt.empty()) return agreed;
  std::cerr << "halfdof: the root mean squares are not reliable. " << doubt << '\n';
  return falls_short;
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

/// Computes the response with the names of inputs and outputs.
NamedResponse response_of(const Model& model, const ReducedSystem<Engine>& reduced,
                          const ResponseOptions& options, const std::vector<double>& at) {
  const AssembledSystem<Engine>& assembled = model.application();
  const OutputQuantity quantity = quantity_from_name(options.quantity);
  const bool is_reaction = quantity == OutputQuantity::reaction;
  NamedVectors along, forces;
  add_dofs(along, options.outputs, is_reaction ? "r_" : "q_", assembled, "--output");
  add_files(along, options.directions, assembled.n_dofs(), "--output-direction");
  NamedResponse named;
  std::vector<DirectedOutput> outputs;
  for (std::size_t o = 0; o < along.names.size(); ++o) {
    named.outputs.push_back(along.names[o] + primes(quantity));
    outputs.push_back({quantity, direction_of(along.columns.col(static_cast<Index>(o)))});
  }
  named.is_logarithmic = options.spacing == Spacing::logarithmic;
  named.output_unit = options.units.empty() ? options.quantity : options.units[0];
  const std::string load = options.base.empty() ? "load" : options.base_quantity;
  const std::string input_unit = options.units.empty() ? load : options.units[1];
  const bool is_quotient = input_unit.find('/') != std::string::npos;
  named.unit = named.output_unit + "/" + (is_quotient ? "(" + input_unit + ")" : input_unit);
  if (options.base.empty()) {
    check_forces(options.inputs, assembled);
    add_dofs(forces, options.inputs, "f_", assembled, "--input");
    add_files(forces, options.loads, assembled.n_dofs(), "--load");
    named.inputs = forces.names;
    if (MultiVector(forces.columns(assembled.constrained().local(), Eigen::all)).any())
      std::cerr
          << "halfdof: warning: Loads of --load have entries on constrained degrees of freedom. These move "
             "nothing and count in reactions only.\n";
    const HarmonicLoads loads{forces.columns};
    named.values = model.structural ? frequency_response(*model.structural, reduced, at, loads, outputs)
                                    : frequency_response(reduced, at, loads, outputs);
  } else {
    NamedVectors base;
    add_dofs(base, options.base, "", assembled, "--base");
    named.inputs = {"base"};
    const BaseMotion motion{{direction_of(base.columns.rowwise().sum())},
                            quantity_from_name(options.base_quantity)};
    named.values = model.structural ? base_response(*model.structural, reduced, at, motion, outputs)
                                    : base_response(reduced, at, motion, outputs);
  }
  return named;
}

/// Reports what is wrong with a response. @return falls_short if it does not agree with the one before the
/// elimination
ExitCode report(const ReducedSystem<Engine>& reduced, const NamedResponse& named, double tolerance) {
  const FrequencyResponse& response = named.values;
  report_missing(std::cerr, response);
  report_rounding(std::cerr, named, tolerance);
  if (report_overflow(std::cerr, response)) return falls_short;
  if (response.max_relative_difference <= tolerance) return response.missing.empty() ? agreed : falls_short;
  std::cerr << "halfdof: the responses before and after the elimination differ by "
            << response.max_relative_difference << ", more than --tolerance " << tolerance << ". "
            << likely_cause(reduced) << '\n';
  return falls_short;
}

/// Refuses a picture with more curves than a legend can tell apart.
void check_curves(const ResponseOptions& options, const NamedResponse& first, std::size_t n_points) {
  constexpr std::size_t most_curves = 4;
  const std::size_t n_curves = first.inputs.size() * first.outputs.size() * n_points;
  if (!options.sweeps.empty() && !options.plot.empty() && n_curves > most_curves)
    throw InvalidInput("--plot would draw " + std::to_string(n_curves) + " curves, but shows at most " +
                       std::to_string(most_curves) + ". Sweep over fewer values, or leave out --plot.");
}

/// Returns the files that are read, with their options.
std::vector<InputFile> files_read(const ResponseOptions& options, const ModelSource& source) {
  std::vector<InputFile> read = source.files();
  for (const auto& [option, files] :
       {std::pair("--load", options.loads), {"--output-direction", options.directions}})
    for (const std::filesystem::path& file : files)
      read.push_back({option, file});
  read.push_back({"--psd", options.psd});
  return read;
}

ExitCode run(const ResponseOptions& options) {
  const std::vector<double> grid = frequencies(options);
  if (options.inputs.empty() && options.loads.empty() && options.base.empty())
    throw InvalidInput(
        "There is no input. Name loaded DoFs by --input, load vectors by --load, or the constrained DoFs "
        "that "
        "move by --base.");
  if (options.outputs.empty() && options.directions.empty())
    throw InvalidInput(
        "There is no output. Name DoFs by --output, or vectors of weights by --output-direction.");
  const InputDensities given = densities_from(options.psd);
  const std::vector<double> at = with_corners(grid, given);
  const ModelSource source = source_of(options.of_case, options.model);
  check_outputs(files_read(options, source),
                {{"--csv", options.csv}, {"--plot", options.plot}, {"--psd-csv", options.psd_csv}});
  std::optional<SweptCase> swept;
  if (!options.sweeps.empty()) swept.emplace(options.of_case, source, options.sweeps);
  const std::vector<Parameters> points = swept ? swept->points() : std::vector<Parameters>{{}};
  std::cout << source.unused();
  std::vector<NamedResponse> all;
  std::vector<RandomResponse> densities;
  std::vector<DoFKind> kinds_before;
  ExitCode exit_code = agreed;
  for (const Parameters& point : points) {
    const ReducedModel now =
        swept ? swept->reduced_at(point) : reduced_model(source.read(), reduction_options(source.options));
    const auto& [model, reduced] = now;
    print_warnings(std::cerr, model, reduced);
    const Frequencies chosen =
        options.resolves_peaks || !options.psd.empty()
            ? with_resonances_of(model, reduced, grid, at, options.psd.empty() ? 1. / 6 : 1. / 12)
            : Frequencies{at, ""};
    all.push_back(response_of(model, reduced, options, chosen.at));
    NamedResponse& named = all.back();
    named.point = point;
    check_curves(options, named, points.size());
    if (swept) std::cout << "At " << text_of(point) << ":\n";
    const std::vector<DoFKind> kinds =
        model.structural
            ? classify_dofs(*model.structural, reduction_options(source.options).classification).kinds()
            : reduced.classification().kinds();
    if (all.size() > 1)
      for (const KindDifference& difference : kind_differences(kinds_before, kinds, model.application()))
        std::cout << describe_kinds(difference, text_of(all[all.size() - 2].point), text_of(point));
    kinds_before = kinds;
    print(std::cout, named);
    if (!options.psd.empty()) {
      densities.push_back(random_response(named.values, given.of(named.inputs.size())));
      if (chosen.doubt.empty()) print(std::cout, named, densities.back());
      if (report(densities.back(), chosen.doubt) != agreed) exit_code = falls_short;
    }
    if (report(reduced, named, options.tolerance) != agreed) exit_code = falls_short;
  }
  write_csv(options.csv, all);
  if (!options.psd_csv.empty()) write_csv(options.psd_csv, all, densities);
  if (!options.plot.empty()) write_plot(options.plot, all);
  return exit_code;
}

}  // namespace

void add_response(CLI::App& program, int& exit_code) {
  CLI::App* const verb = program.add_subcommand(
      "response", "Frequency response between chosen DoFs, before and after the elimination");
  const auto options = std::make_shared<ResponseOptions>();
  add_case(*verb, options->of_case, "a case of `halfdof simulate` instead of these options: its [system]");
  add_model_options(*verb, options->model);
  CLI::Option* const input =
      verb->add_option("--input", options->inputs, "DoFs on which unit forces act")->type_name("DOF");
  CLI::Option* const load =
      verb->add_option(
              "--load", options->loads,
              "load vectors: matrices of any format, a row for each DoF of the model and a column for "
              "each load")
          ->type_name("FILE");
  CLI::Option* const base = verb->add_option("--base", options->base,
                                             "constrained DoFs that move together with unit amplitude; "
                                             "displacements of the response are absolute")
                                ->type_name("DOF")
                                ->excludes(input)
                                ->excludes(load);
  verb->add_option("--base-quantity", options->base_quantity,
                   "what of the base has unit amplitude: displacement, rate or acceleration")
      ->check(CLI::IsMember({"displacement", "rate", "acceleration"}))
      ->type_name("NAME")
      ->capture_default_str()
      ->needs(base);
  verb->add_option("--output", options->outputs, "DoFs whose response is asked for")->type_name("DOF");
  verb->add_option(
          "--output-direction", options->directions,
          "directions whose response is asked for: matrices of weights h of h^T q, a row for each DoF "
          "of the model and a column for each direction")
      ->type_name("FILE");
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
  add_sweep(*verb, options->sweeps);
  verb->add_flag("--resolve-peaks", options->resolves_peaks,
                 "add frequencies that resolve the resonance of every eigenvalue in the range");
  verb->add_option("--units", options->units, "units of outputs and of inputs in labels, for example m N")
      ->expected(2)
      ->type_name("TEXT");
  CLI::Option* const psd =
      verb->add_option(
              "--psd", options->psd,
              "power spectral density of random inputs [unit^2/Hz]: a number, or a file of lines "
              "`frequency, density of the first input, ...`; prints root mean squares of the outputs, over "
              "frequencies as with --resolve-peaks")
          ->type_name("NUMBER|FILE");
  verb->add_option("--psd-csv", options->psd_csv, "table of the power spectral densities of the outputs")
      ->type_name("FILE")
      ->check(file_name())
      ->needs(psd);
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
      "H.csv --plot H.png\n"
      "  halfdof response --mass M.mtx --stiffness K.mtx --constrained clamped.txt --base 0 --output 2 "
      "--quantity "
      "acceleration --from 1 --to 100 --log --psd 0.01 --csv H.csv\n"
      "  halfdof response CASE.toml --sweep omega=1,2 --input 1 --output 2 --from 0.1 --to 1 --csv H.csv");
  verb->callback([options, verb, &exit_code] {
    check_case_or_model(*verb);
    exit_code = run(*options);
  });
}

}  // namespace halfdof::cli
