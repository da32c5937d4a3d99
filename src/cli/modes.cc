// SPDX-License-Identifier: LGPL-2.1-or-later
#include "modes.h"

#include <halfdof/assembled/free_system.h>
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/linear_algebra/search_progress.h>
#include <halfdof/plots/progress.h>
#include <halfdof/spectrum/compare_spectra.h>
#include <halfdof/spectrum/dense_spectrum.h>
#include <halfdof/spectrum/nearest_eigenvalues.h>
#include <halfdof/spectrum/structural_groups.h>
#include <halfdof/spectrum/structurally_damped_modes.h>

#include "case_argument.h"
#include "checks.h"
#include "complex_regions.h"
#include "exit_code.h"
#include "json_file.h"
#include "model.h"
#include "modes_json.h"
#include "modes_sweep.h"
#include "shapes_file.h"
#include "spectrum_plot.h"
#include "spectrum_verdict.h"
#include "verbs.h"
#include <algorithm>
#include <chrono>
#include <iostream>
#include <map>
#include <memory>
#include <optional>

namespace halfdof::cli {

using namespace internal;

namespace {

/// Largest number of free DoFs for which all eigenvalues are computed by default (a few seconds).
constexpr GlobalIndex all_up_to = 400;

/// Largest number of free DoFs for which all eigenvalues are computed on request (minutes).
constexpr GlobalIndex all_limit = dense_spectrum_limit / 2;

const std::map<std::string, Listed> kinds{{"all", Listed::all},
                                          {"oscillating", Listed::oscillating},
                                          {"relaxing", Listed::relaxing},
                                          {"unstable", Listed::unstable}};

enum class EigenvalueRange { automatic, all, nearest, band, region };

struct ModesOptions {
  CaseArgument of_case;
  ModelOptions model;
  EigenvalueRange range = EigenvalueRange::automatic;
  Index count = 12;
  FrequencyBand band;
  Rectangle region;
  ComparisonOptions comparison;
  std::vector<std::string> components;
  std::filesystem::path json;
  ShapesOutput shapes;
  ModesSweepOptions sweep;
};

/// Shows the progress of long searches on a terminal.
class SearchDisplay {
 public:
  SearchDisplay() : observed_([this](const SearchProgress& now) { show(now); }) {}

 private:
  void show(const SearchProgress& now) {
    constexpr std::chrono::seconds long_search(2);
    if (!progress_ && std::chrono::steady_clock::now() - start_ > long_search)
      progress_.emplace("search for " + std::to_string(now.n_wanted) + " eigenvalues", 1.);
    done_ = std::max(done_, now.done);
    if (progress_) progress_->update(done_);
  }

  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double done_ = 0;
  std::optional<Progress> progress_;
  ScopedSearchObserver observed_;
};

/// @param n_copies Model::n_copies() @param count Number of eigenvalues of the system that is reduced
SpectrumComparison compare(const ReducedSystem<Engine>& reduced, const ModesOptions& options, Index n_copies,
                           Index count) {
  if (options.range == EigenvalueRange::automatic)
    return compare_all_or_nearest(reduced, count, options.comparison);
  const SearchDisplay display;
  if (options.range == EigenvalueRange::region)
    return compare_region(reduced, options.region, options.comparison);
  if (options.range == EigenvalueRange::band) return compare_band(reduced, options.band, options.comparison);
  const GlobalIndex n = reduced.free().dofs().n_global() / n_copies;
  if (options.range == EigenvalueRange::all && n * n_copies > all_limit)
    throw NotAvailable("--all was asked for with " + std::to_string(n) + " free DoFs, but the limit is " +
                       std::to_string(all_limit / n_copies) +
                       ". Ask with --count and --shift for those nearest to a shift instead.");
  if (options.range == EigenvalueRange::all) return compare_all(reduced, options.comparison);
  return compare_spectra(reduced, count, options.comparison);
}

/// Both spectra and, with structural damping, the modes.
struct ComparedModes {
  SpectrumComparison comparison;
  std::optional<StructurallyDampedModes> structural;
};

/// Whether a list that is shorter than asked for has all eigenvalues, or all of its kind.
bool is_exhausted(const SpectrumComparison& comparison) {
  return comparison.listed == Listed::all ? comparison.is_whole : !comparison.n_searched;
}

/// Compares the spectra of a model. With structural damping the lists of the embedding grow until they hold
/// as many modes as are asked for.
ComparedModes compare(const Model& model, const ReducedSystem<Engine>& reduced, const ModesOptions& options) {
  if (!model.structural) return {compare(reduced, options, 1, options.count), {}};
  const bool is_counted =
      options.range == EigenvalueRange::nearest || options.range == EigenvalueRange::automatic;
  const auto has_enough = [&](const ComparedModes& found) {
    return static_cast<Index>(found.structural->modes.size()) >= options.count;
  };
  ComparedModes found = list_with_modes(
      options.count, options.comparison.shift, reduced.n_states(),
      [&](Index k) {
        ComparedModes list{compare(reduced, options, model.n_copies(), k), {}};
        list.structural.emplace(structurally_damped_modes(*model.structural, reduced, list.comparison));
        return list;
      },
      [&](const ComparedModes& list, Index k) {
        const bool is_shorter = static_cast<Index>(list.comparison.after.finite.size()) < k;
        return !is_counted || has_enough(list) || list.comparison.is_whole || is_shorter;
      });
  // Of a kind, fewer eigenvalues than were asked for may be enough modes: a real one has two copies only.
  if (has_enough(found)) found.comparison.n_searched.reset();
  if (options.range == EigenvalueRange::nearest || (is_counted && !found.comparison.is_whole))
    found.structural->keep_nearest(options.count, options.comparison.shift);
  return found;
}

/// Says that fewer eigenvalues, or modes, are listed than were asked for, and why.
void print_shortage(const SpectrumComparison& comparison, bool are_modes, Index count) {
  if (!is_exhausted(comparison))
    std::cout << "The search ended before it found more of them";
  else if (comparison.listed != Listed::all)
    std::cout << "There are no more eigenvalues of this --kind";
  else
    std::cout << (are_modes ? "There are no more modes than these"
                            : "There are no more finite eigenvalues than these");
  std::cout << "; --count asks for " << count << ".\n";
}

/// Prints both spectra, and returns them. @param structural The modes, if there is structural damping
Json report(const SpectrumComparison& comparison, const std::optional<StructurallyDampedModes>& structural) {
  if (!structural) {
    comparison.print(std::cout);
    return to_json(comparison);
  }
  structural->print(std::cout);
  std::cout << "Before and after the elimination, of D and of its conjugate together:\n";
  comparison.print(std::cout, 0);
  Json json = to_json(comparison);
  json["modes"] = to_json(*structural);
  json["unphysical"] = pairs(structural->unphysical);
  return json;
}

/// Returns one translation for each component; DoFs are numbered node by node.
std::vector<MassDirection> directions(const std::vector<std::string>& components, GlobalIndex n_dofs) {
  if (components.empty()) return {};
  const auto n_components = static_cast<Index>(components.size());
  if (n_dofs % n_components != 0)
    throw InvalidInput(std::to_string(n_components) + " components were named, but " +
                       std::to_string(n_dofs) +
                       " degrees of freedom are no multiple of it. Name all components of a node.");
  std::vector<MassDirection> all;
  for (Index c = 0; c < n_components; ++c) {
    Vector motion = Vector::Zero(static_cast<Index>(n_dofs));
    for (Index i = c; i < motion.size(); i += n_components)
      motion[i] = 1;
    all.push_back({components[static_cast<std::size_t>(c)], std::move(motion)});
  }
  return all;
}

/// Draws both spectra, with structural damping those of its modes, if there are any eigenvalues.
void draw(const SpectrumComparison& comparison, const std::optional<StructurallyDampedModes>& structural,
          const std::filesystem::path& file) {
  if (structural ? structural->modes.empty()
                 : comparison.before.finite.empty() && comparison.after.finite.empty())
    std::cerr << "halfdof: No eigenvalue is listed, so that no picture was drawn.\n";
  else
    write_picture(structural ? spectrum_plot(comparison, *structural) : spectrum_plot(comparison), file);
}

ExitCode run(const ModesOptions& options) {
  if (options.count < 1)
    throw InvalidInput("--count is " + std::to_string(options.count) + ". Ask for at least one eigenvalue.");
  const ModelSource source = source_of(options.of_case, options.model);
  check_shapes_output(options.shapes);
  std::vector<InputFile> read = source.files();
  read.push_back({"--mesh", options.shapes.mesh});
  check_outputs(read, {{"--json", options.json},
                       {"--shapes", options.shapes.file},
                       {"--csv", options.sweep.csv},
                       {"--plot", options.sweep.plot}});
  if (!options.sweep.sweeps.empty()) {
    ModesSweepOptions sweep = options.sweep;
    sweep.branches.count = options.count;
    sweep.branches.shift = options.comparison.shift;
    return run_modes_sweep(options.of_case, source, sweep, options.json);
  }
  const Model model = source.read();
  if (model.structural && !options.components.empty())
    throw NotAvailable(
        "--components was given, but effective masses are not defined for structural damping: they belong "
        "to motions of the foundation in time. Leave it out.");
  const std::vector<MassDirection> asked = directions(options.components, model.application().n_dofs());
  const ReducedSystem<Engine> reduced = reduce(model, reduction_options(source.options));
  std::cout << source.unused();
  print_warnings(std::cerr, model, reduced);
  const ComparedModes compared = compare(model, reduced, options);
  const SpectrumComparison& comparison = compared.comparison;
  const std::optional<StructurallyDampedModes>& structural = compared.structural;
  Json json = report(comparison, structural);
  const std::size_t n_listed = structural ? structural->modes.size() : comparison.after.finite.size();
  if (n_listed < static_cast<std::size_t>(options.count) && options.range == EigenvalueRange::nearest)
    print_shortage(comparison, structural.has_value(), options.count);
  if (!asked.empty()) {
    const ModeTable table =
        mode_table(reduced, nearest_eigenvalues(reduced, options.count, options.comparison.shift), asked);
    std::cout << "\n";
    table.print(std::cout);
    json["effective_masses"] = to_json(table);
  }
  if (!options.json.empty()) write_json(options.json, json);
  if (!options.shapes.file.empty() && structural)
    write_shapes(options.shapes, *model.structural, reduced, *structural);
  else if (!options.shapes.file.empty())
    write_shapes(options.shapes, reduced, listed_after(comparison));
  if (!options.sweep.plot.empty()) draw(comparison, structural, options.sweep.plot);
  return verdict(comparison, reduced.classification().n_dropped_columns() > 0);
}

}  // namespace

SpectrumComparison compare_all_or_nearest(const ReducedSystem<Engine>& reduced, Index count,
                                          const ComparisonOptions& options) {
  const SearchDisplay display;
  return reduced.free().dofs().n_global() <= all_up_to ? compare_all(reduced, options)
                                                       : compare_spectra(reduced, count, options);
}

void add_modes(CLI::App& program, int& exit_code) {
  CLI::App* const verb =
      program.add_subcommand("modes", "Eigenvalues before and after the elimination, side by side");
  const auto options = std::make_shared<ModesOptions>();
  add_case(*verb, options->of_case, "a case of `halfdof simulate` instead of these options: its [system]");
  add_model_options(*verb, options->model);
  const std::string all_text = "all eigenvalues, up to " + std::to_string(all_limit) + " free DoFs";
  CLI::Option* const all = verb->add_flag("--all", all_text);
  CLI::Option* const count = verb->add_option("--count", options->count,
                                              "number of eigenvalues nearest to the shift; for a complex "
                                              "shift, the conjugate of each is added; with structural "
                                              "damping, number of modes")
                                 ->capture_default_str();
  CLI::Option* const shift = verb->add_option_function<std::string>(
                                     "--shift",
                                     [options](const std::string& text) {
                                       options->comparison.shift = complex_from(text, "--shift");
                                     },
                                     "the shift [1/s], for example 0, -2.5 or -1+20i")
                                 ->type_name("COMPLEX")
                                 ->default_str("0");
  CLI::Option* const certify = verb->add_flag_callback(
      "--certify", [options] { options->comparison.counting = Counting::always; },
      "count the eigenvalues as near to the shift as the last of the list by the argument principle, at the "
      "price of tens of complex factorizations; exit code 1 if the list is not complete");
  CLI::Option* const band =
      verb->add_option_function<std::string>(
              "--band",
              [options](const std::string& text) {
                const FrequencyBand band = band_from(text);
                options->band.from = band.from;
                options->band.to = band.to;
              },
              "all eigenvalues with frequencies |Im lambda| / 2 pi between these limits [Hz], and |Re "
              "lambda| below 4 pi times the upper one and 8 pi times their difference; they are counted, and "
              "exit code 0 means that the list is complete")
          ->type_name("FROM:TO");
  verb->add_option("--max-decay", options->band.decay_limit,
                   "of the band, only eigenvalues with |Re lambda| below this limit [1/s]")
      ->check(above_zero())
      ->type_name("RATE")
      ->needs(band);
  CLI::Option* const region =
      verb->add_option_function<std::string>(
              "--region", [options](const std::string& text) { options->region = region_from(text); },
              "all eigenvalues in a rectangle of the complex plane, given by its lower left and its upper "
              "right corner [1/s], for example -5+10i:0+300i, and their conjugates; they are counted, and "
              "exit code 0 means that the list is complete")
          ->type_name("CORNER:CORNER");
  for (CLI::Option* const option : {count, shift, certify, band, region})
    option->excludes(all);
  for (CLI::Option* const option : {count, shift, certify})
    option->excludes(band)->excludes(region);
  band->excludes(region);
  CLI::Option* const kind =
      verb->add_option_function<std::string>(
              "--kind", [options](const std::string& name) { options->comparison.listed = kinds.at(name); },
              "which of the nearest eigenvalues are listed: all, vibrations, motions that decay without "
              "vibration, or motions that grow")
          ->check(CLI::IsMember(kinds))
          ->type_name("NAME")
          ->default_str("all")
          ->excludes(all)
          ->excludes(band)
          ->excludes(region);
  CLI::Option* const order = verb->add_option_function<std::string>(
                                     "--order",
                                     [options](const std::string& name) {
                                       options->comparison.order =
                                           name == "frequency" ? PairOrder::frequency : PairOrder::modulus;
                                     },
                                     "order of the list: modulus, or frequency")
                                 ->check(CLI::IsMember({"modulus", "frequency"}))
                                 ->type_name("NAME")
                                 ->default_str("modulus");
  CLI::Option* const tolerance = verb->add_option("--tolerance", options->comparison.matching.tolerance,
                                                  "relative difference of two eigenvalues that still agree")
                                     ->check(at_least_zero())
                                     ->capture_default_str();
  CLI::Option* const sweep = add_sweep(*verb, options->sweep.sweeps);
  verb->add_option(
          "--csv", options->sweep.csv,
          "table of the eigenvalues of --sweep: parameter, branch, re, im, ...; with structural damping "
          "the loss factors, too")
      ->type_name("FILE")
      ->check(file_name())
      ->needs(sweep);
  CLI::Option* const plot = verb->add_option("--plot", options->sweep.plot,
                                             "picture of both spectra in the complex plane or, with --sweep, "
                                             "of frequencies, damping ratios (loss "
                                             "factors, with structural damping) and "
                                             "root locus over the parameter (.png or .svg, by gnuplot)")
                                ->type_name("FILE")
                                ->check(picture_name());
  verb->add_option("--orders", options->sweep.orders,
                   "lines n p / 2 pi in the picture, for a parameter p that is a speed in rad/s; at most two")
      ->type_name("N")
      ->expected(1, 2)
      ->check(above_zero())
      ->needs(plot)
      ->needs(sweep);
  CLI::Option* const components =
      verb->add_option(
              "--components", options->components,
              "components of every node, DoF i being the (i mod their number)-th: show effective masses "
              "of the modes nearest to the shift in the direction of each")
          ->type_name("NAME");
  verb->add_option("--json", options->json, "write both spectra to this file")
      ->type_name("FILE")
      ->check(file_name());
  CLI::Option* const shapes =
      verb->add_option(
              "--shapes", options->shapes.file,
              "write eigenvectors of the eigenvalues after to this file (.mtx, .npz or .mat): one column "
              "for each of modes in the file of --json, one row for each assembled DoF; or on a mesh (.vtu, "
              "for "
              "ParaView)")
          ->type_name("FILE")
          ->check(file_name());
  verb->add_option(
          "--mesh", options->shapes.mesh,
          "nodes and elements for --shapes FILE.vtu: input file of Abaqus or CalculiX, .frd, or .msh of "
          "Gmsh; nodes and components of the DoFs join shapes and mesh")
      ->type_name("FILE")
      ->check(file_name())
      ->needs(shapes);
  for (CLI::Option* const option : {all, certify, band, region, kind, order, tolerance, components, shapes})
    sweep->excludes(option);
  verb->footer(
      "Without --all, --count and --shift: all eigenvalues up to " + std::to_string(all_up_to) +
      " free DoFs, above them those nearest to zero.\n"
      "Exit code 0 only if both spectra agree: every eigenvalue has its counterpart within --tolerance of\n"
      "itself or within its uncertainty, the residuals of P x = 0 and the backward errors are small, and no "
      "count contradicts the list.\n\n"
      "Example:\n"
      "  halfdof modes --mass M.mtx --damping C.mtx --stiffness K.mtx --count 20 --shift -1+100i\n"
      "  halfdof modes --mass M.mtx --stiffness K.mtx --count 20 --components x y z\n"
      "  halfdof modes --mass M.mtx --stiffness K.mtx --band 20:4000 --plot spectra.svg\n"
      "  halfdof modes CASE.toml --sweep omega=0:4:1 --count 8 --csv branches.csv --plot campbell.png "
      "--orders 1 2");
  verb->callback([=, &exit_code] {
    check_case_or_model(*verb);
    if (all->count() > 0)
      options->range = EigenvalueRange::all;
    else if (band->count() > 0)
      options->range = EigenvalueRange::band;
    else if (region->count() > 0)
      options->range = EigenvalueRange::region;
    else if (count->count() > 0 || kind->count() > 0 || shift->count() > 0 || certify->count() > 0)
      options->range = EigenvalueRange::nearest;
    exit_code = run(*options);
  });
}

}  // namespace halfdof::cli
