// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/free_system.h>
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/linear_algebra/search_progress.h>
#include <halfdof/plots/progress.h>
#include <halfdof/spectrum/compare_spectra.h>
#include <halfdof/spectrum/dense_spectrum.h>
#include <halfdof/spectrum/nearest_eigenvalues.h>

#include "checks.h"
#include "exit_code.h"
#include "json_file.h"
#include "model.h"
#include "verbs.h"
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <optional>
#include <regex>
#include <sstream>

namespace halfdof::cli {

using namespace internal;

namespace {

/// Largest number of free DoFs for which all eigenvalues are computed by default (a few seconds).
constexpr GlobalIndex all_up_to = 400;

/// Largest number of free DoFs for which all eigenvalues are computed on request (minutes).
constexpr GlobalIndex all_limit = dense_spectrum_limit / 2;

enum class Range { automatic, all, nearest, band, region };

struct ModesOptions {
  ModelOptions model;
  Range range = Range::automatic;
  Index count = 12;
  FrequencyBand band;
  Rectangle region;
  ComparisonOptions comparison;
  std::vector<std::string> components;
  std::filesystem::path json;
};

/// Reads a, bi or a+bi; a sign of an exponent does not separate the parts. @param what Names the number in
/// messages
Complex complex_from(const std::string& text, const std::string& what) {
  static const std::string number = R"([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)";
  static const std::regex real('(' + number + ')'),
      complex("(?:(" + number + ")(?=[+-]))?(" + number + ")[ij]");
  const auto value = [](const std::string& part) {
    return part.empty() ? 0. : std::strtod(part.c_str(), nullptr);
  };
  std::smatch parts;
  Complex shift(NAN);
  if (std::regex_match(text, parts, real))
    shift = value(parts[1]);
  else if (std::regex_match(text, parts, complex))
    shift = {value(parts[1]), value(parts[2])};
  if (std::isfinite(std::abs(shift)) && !std::isfinite(std::norm(shift)))
    throw InvalidInput(what + " " + text + " has a square beyond the range of numbers. Take a smaller one.");
  if (!std::isfinite(std::abs(shift)))
    throw InvalidInput(
        what + " " + text +
        " cannot be read as a finite complex number. Write it like 0, -2.5, 20i or -1+20i, in 1/s.");
  return shift;
}

/// Reads FROM:TO.
FrequencyBand band_from(const std::string& text) {
  FrequencyBand band;
  std::istringstream words(text);
  char colon = 0;
  if (words >> band.from >> colon >> band.to && colon == ':' && words.peek() == EOF && band.from >= 0 &&
      band.from < band.to)
    return band;
  throw InvalidInput("--band " + text +
                     " is no band of frequencies. Write FROM:TO in Hz with 0 <= FROM < TO, for example "
                     "20:4000.");
}

/// Reads two corners, CORNER:CORNER.
Rectangle region_from(const std::string& text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos)
    throw InvalidInput("--region " + text +
                       " is no rectangle. Write its lower left and its upper right corner, for example "
                       "-5+10i:0+300i, in 1/s.");
  return {complex_from(text.substr(0, colon), "The first corner of --region,"),
          complex_from(text.substr(colon + 1), "The second corner of --region,")};
}

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
  ObservedSearches observed_;
};

SpectrumComparison compare(const ReducedSystem<Engine>& reduced, const ModesOptions& options) {
  const SearchDisplay display;
  if (options.range == Range::region) return compare_region(reduced, options.region, options.comparison);
  if (options.range == Range::band) return compare_band(reduced, options.band, options.comparison);
  const GlobalIndex n = reduced.free().dofs().n_global();
  if (options.range == Range::all && n > all_limit)
    throw NotAvailable("--all was asked for with " + std::to_string(n) + " free DoFs, but the limit is " +
                       std::to_string(all_limit) +
                       ". Ask with --count and --shift for those nearest to a shift instead.");
  const bool is_small = n <= all_up_to;
  if (options.range == Range::all || (options.range == Range::automatic && is_small))
    return compare_all(reduced, options.comparison);
  return compare_spectra(reduced, options.count, options.comparison);
}

Json modes(const std::vector<Complex>& eigenvalues) {
  Json all = Json::array();
  for (const Complex value : eigenvalues) {
    if (value.imag() < 0) continue;
    const Mode mode = mode_of(value);
    all.push_back({{"eigenvalue", {value.real() + 0., value.imag() + 0.}},
                   {"kind", name_of(mode.kind)},
                   {"frequency_hz", mode.frequency},
                   {"natural_frequency_hz", mode.natural_frequency},
                   {"damping_ratio", mode.damping_ratio + 0.}});
  }
  return all;
}

/// Both spectra, with pairs at the same index, and eigenvalues without counterpart at the end.
struct MatchedOrder {
  std::vector<Complex> before, after;
  std::vector<EigenpairResidual> residuals;  ///< residuals of the eigenvalues `after`
};

MatchedOrder matched_order(const SpectrumComparison& comparison) {
  MatchedOrder order;
  const std::size_t n_before = comparison.before.finite.size(), n_after = comparison.after.finite.size();
  std::vector<std::size_t> partner(n_after, n_before);
  std::vector<bool> is_paired(n_before, false);
  for (const MatchedEigenvalues& pair : comparison.matching.pairs) {
    partner[pair.place_after] = pair.place_before;
    is_paired[pair.place_before] = true;
  }
  for (const bool paired : {true, false})
    for (std::size_t i = 0; i < n_after; ++i) {
      if ((partner[i] < n_before) != paired) continue;
      order.after.push_back(comparison.after.finite[i]);
      order.residuals.push_back(comparison.residuals[i]);
      if (paired) order.before.push_back(comparison.before.finite[partner[i]]);
    }
  for (std::size_t i = 0; i < n_before; ++i)
    if (!is_paired[i]) order.before.push_back(comparison.before.finite[i]);
  return order;
}

Json to_json(const Certificate& certificate) {
  return {{"counted", certificate.counted.n ? Json(*certificate.counted.n) : Json()},
          {"listed", certificate.n_listed},
          {"radius", certificate.radius},
          {"method", certificate.is_by_inertia ? "inertia" : "argument principle"},
          {"deviation", certificate.counted.deviation},
          {"n_factorizations", certificate.counted.n_factorizations},
          {"reason", certificate.counted.reason}};
}

Json to_json(const BandCount& band) {
  return {{"expected", band.count.n ? Json(*band.count.n) : Json()},
          {"found", band.n_found},
          {"from_hz", band.counted.from},
          {"to_hz", band.counted.to},
          {"n_factorizations", band.count.n_factorizations},
          {"reason", band.count.reason}};
}

Json to_json(const SpectrumComparison& comparison) {
  Json largest = Json::array(), assembled = Json::array(), reduced = Json::array(),
       uncertainties = Json::array();
  const MatchedOrder order = matched_order(comparison);
  for (const EigenpairResidual& residual : order.residuals) {
    largest.push_back(std::max(residual.assembled, residual.reduced));
    assembled.push_back(residual.assembled);
    reduced.push_back(residual.reduced);
    uncertainties.push_back(residual.error());
  }
  return {{"agreed", comparison.passed},
          {"complete", comparison.completeness == Completeness::counted    ? "counted"
                       : comparison.completeness == Completeness::searched ? "searched twice"
                                                                           : "unknown"},
          {"shift", {comparison.requested_shift.real(), comparison.requested_shift.imag()}},
          {"shift_used", {comparison.shift.real(), comparison.shift.imag()}},
          {"n_unchecked", comparison.n_unchecked},
          {"before",
           {{"finite", pairs(order.before)},
            {"n_infinite", comparison.before.n_infinite},
            {"n_rounded", comparison.before.n_rounded},
            {"exact", comparison.before.is_exact},
            {"reliable", comparison.before.reliable},
            {"reason", comparison.before.reason}}},
          {"after", {{"finite", pairs(order.after)}}},
          {"max_relative_difference", comparison.max_relative_difference},
          {"missing", pairs(comparison.matching.missing)},
          {"extra", pairs(comparison.matching.extra)},
          {"max_residual", std::max(comparison.max_residual, comparison.max_reduced_residual)},
          {"max_backward_error", comparison.max_backward_error},
          {"residual_tolerance", comparison.residual_tolerance},
          {"residuals", largest},
          {"residuals_assembled", assembled},
          {"residuals_reduced", reduced},
          {"uncertainties", uncertainties},
          {"n_uncertain", comparison.uncertain().size()},
          {"modes", modes(order.after)}};
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

Json to_json(const ModeTable& table) {
  Json modes = Json::array();
  for (std::size_t j = 0; j < table.modes.size(); ++j) {
    Json masses = Json::object();
    for (std::size_t d = 0; d < table.directions.size(); ++d)
      masses[table.directions[d]] = table.effective_mass(static_cast<Index>(j), static_cast<Index>(d));
    const Complex value = table.modes[j].eigenvalue;
    modes.push_back({{"eigenvalue", {value.real(), value.imag()}}, {"effective_mass", masses}});
  }
  Json totals = Json::object();
  for (std::size_t d = 0; d < table.directions.size(); ++d)
    totals[table.directions[d]] = table.total_mass[d];
  return {{"total_mass", totals}, {"modes", modes}};
}

/// Returns advice for spectra that do not agree.
std::string advice(const SpectrumComparison& comparison, bool has_dropped) {
  if (!comparison.uncertain().empty())
    return "Rounding of the matrices' entries alone may change some by more than that limit; "
           "--tolerance sets it.";
  if (comparison.is_cut_between_equally_far())
    return "Eigenvalues that are in one list only are as far from the shift as the last ones of both lists, "
           "and a search may find any of several equally distant eigenvalues. Ask for more or fewer with "
           "--count, or move the shift nearer to some.";
  if (has_dropped) return "Columns that are nearly null were dropped: lower --null-tolerance.";
  if (comparison.before.is_exact)
    return "Those before the elimination are exact, so rounding in the elimination has changed, or lost, "
           "those after it: parts of the model differ by more orders of magnitude than double precision can "
           "represent together, or multiple eigenvalues share an eigenvector. `halfdof inspect` prints the "
           "condition. Write the model in parts, or set entries to zero that should be zero.";
  double fastest = 0;
  for (const Complex value : comparison.after.finite)
    fastest = std::max(fastest, std::abs(value));
  constexpr double many = 1e4;
  if (const double differs = comparison.fastest_that_differs();
      comparison.is_whole && differs > 0 && fastest > many * differs)
    return "The computation of all eigenvalues has errors relative to the fastest one, of " +
           number_text(fastest) + " 1/s; those that differ are not faster than " + number_text(differs) +
           " 1/s, so that they have too few correct digits. Ask for these by --count and a --shift near "
           "them.";
  return "Look at the condition and at the nearly null columns that `halfdof inspect` prints.";
}

ExitCode run(const ModesOptions& options) {
  if (options.count < 1)
    throw InvalidInput("--count is " + std::to_string(options.count) + ". Ask for at least one eigenvalue.");
  check_outputs(options.model, {{"--json", options.json}});
  const AssembledSystem<Engine> assembled = read_model(options.model);
  const std::vector<MassDirection> asked = directions(options.components, assembled.n_dofs());
  const ReducedSystem<Engine> reduced = reduce(assembled, reduction_options(options.model));
  print_warnings(std::cerr, reduced);
  const SpectrumComparison comparison = compare(reduced, options);
  comparison.print(std::cout);
  if (comparison.after.finite.size() < static_cast<std::size_t>(options.count) &&
      options.range == Range::nearest)
    std::cout << "There are no more finite eigenvalues than these; --count asks for " << options.count
              << ".\n";
  Json json = to_json(comparison);
  if (comparison.certificate) json["certificate"] = to_json(*comparison.certificate);
  if (comparison.band) json["counted"] = to_json(*comparison.band);
  if (comparison.abandoned_shift)
    json["shift_abandoned"] = {comparison.abandoned_shift->real(), comparison.abandoned_shift->imag()};
  if (!asked.empty()) {
    const ModeTable table =
        mode_table(reduced, nearest_eigenvalues(reduced, options.count, options.comparison.shift), asked);
    std::cout << "\n";
    table.print(std::cout);
    json["effective_masses"] = to_json(table);
  }
  if (!options.json.empty()) write_json(options.json, json);
  if (comparison.passed) return agreed;
  std::cout.flush();
  if (!comparison.before.reliable) {
    std::cerr << "halfdof: it is not known whether the spectra agree, since the one before the elimination "
                 "is not reliable: "
              << comparison.before.reason << ". Ask for some with --count to compare them.\n";
    return falls_short;
  }
  if (comparison.abandoned_shift) {
    std::cerr << "halfdof: the eigenvalues nearest to the shift that was asked for lie so close together "
                 "that the search with this shift cannot separate them. Give a shift among them, as the one "
                 "of the list, or ask for fewer or for all.\n";
    return falls_short;
  }
  if (const auto& band = comparison.band; band && !band->count.n) {
    std::cerr << "halfdof: the eigenvalues of the band cannot be counted: " << band->count.reason
              << ". Take other limits of the band, in gaps between frequencies.\n";
    return falls_short;
  } else if (band && !band->is_complete()) {
    std::cerr << "halfdof: there are " << *band->count.n << " eigenvalues with frequencies from "
              << band->counted.from << " to " << band->counted.to << " Hz, but the searches found "
              << band->n_found
              << ". Those that are missing are strongly damped: look for them by --count and "
              << "a --shift with a real part.\n";
    return falls_short;
  }
  if (const auto& certificate = comparison.certificate; certificate && !certificate->counted.n) {
    std::cerr << "halfdof: --certify was asked for, but the eigenvalues cannot be counted: "
              << certificate->counted.reason
              << ". Ask for more or fewer with --count, so that a gap follows the last of them and no "
                 "multiple eigenvalue is listed in part, or take another --shift.\n";
    return falls_short;
  } else if (certificate && !certificate->is_complete()) {
    std::cerr << "halfdof: " << *certificate->counted.n << " eigenvalues lie within " << certificate->radius
              << " 1/s of the shift, but the search found there " << certificate->n_listed
              << ". Ask for more of them, or take another shift.\n";
    return falls_short;
  }
  if (comparison.completeness == Completeness::unknown && comparison.matching.passed) {
    std::cerr
        << "halfdof: whether the list holds all eigenvalues nearest to the shift is not known: a second "
           "search beside them did not end, or zeros are less certain than other eigenvalues of the list. "
           "Ask for another number, or have them counted by --certify.\n";
    return falls_short;
  }
  if (comparison.n_unchecked > 0) {
    std::cerr
        << "halfdof: nothing is known of " << comparison.n_unchecked
        << " eigenvalues, whose residuals leave the range of numbers. Write the model in other units.\n";
    return falls_short;
  }
  if (comparison.matching.passed) {
    std::cerr << "halfdof: both spectra agree, but some eigenpairs do not satisfy P x = 0 well enough: the "
                 "largest residual is "
              << comparison.max_residual << " and the largest backward error "
              << comparison.max_backward_error << " (limit " << comparison.residual_tolerance << "). "
              << (comparison.uncertain().empty()
                      ? "Look at the condition and at the nearly null columns that `halfdof inspect` prints."
                      : "These eigenvalues are ill conditioned: rounding of the entries of M, C and K alone "
                        "moves some of them by more than --tolerance.")
              << '\n';
    return falls_short;
  }
  std::cerr
      << "halfdof: the spectra before and after the elimination do not agree: largest relative difference "
      << comparison.max_relative_difference << " (limit " << comparison.difference_tolerance << "), "
      << comparison.matching.missing.size() << " missing, " << comparison.matching.extra.size()
      << " extra, largest backward error " << comparison.max_backward_error << " (limit "
      << comparison.residual_tolerance << "). "
      << advice(comparison, reduced.classification().n_dropped_columns() > 0) << '\n';
  return falls_short;
}

}  // namespace

void add_modes(CLI::App& program, int& exit_code) {
  CLI::App* const verb =
      program.add_subcommand("modes", "Eigenvalues before and after the elimination, side by side");
  const auto options = std::make_shared<ModesOptions>();
  add_model_options(*verb, options->model);
  const std::string all_text = "all eigenvalues, up to " + std::to_string(all_limit) + " free DoFs";
  CLI::Option* const all = verb->add_flag("--all", all_text);
  CLI::Option* const count = verb->add_option("--count", options->count,
                                              "number of eigenvalues nearest to the shift; for a complex "
                                              "shift, the conjugate of each is added")
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
              "--band", [options](const std::string& text) { options->band = band_from(text); },
              "all eigenvalues with frequencies |Im lambda| / 2 pi between these limits [Hz], and |Re "
              "lambda| below 4 pi "
              "times the upper one and 8 pi times their difference; they are counted, and exit code 0 means "
              "that "
              "the list is complete")
          ->type_name("FROM:TO");
  CLI::Option* const region =
      verb->add_option_function<std::string>(
              "--region", [options](const std::string& text) { options->region = region_from(text); },
              "all eigenvalues in a rectangle of the complex plane, given by its lower left and its upper "
              "right corner [1/s], for example -5+10i:0+300i; they are counted in a disc around it")
          ->type_name("CORNER:CORNER");
  for (CLI::Option* const option : {count, shift, certify, band, region})
    option->excludes(all);
  for (CLI::Option* const option : {count, shift, certify})
    option->excludes(band)->excludes(region);
  band->excludes(region);
  CLI::Option* const kind =
      verb->add_option_function<std::string>(
              "--kind",
              [options](const std::string& name) {
                options->comparison.listed = name == "oscillating" ? Listed::oscillating : Listed::all;
              },
              "which of the nearest eigenvalues are listed: all, or those that oscillate")
          ->check(CLI::IsMember({"all", "oscillating"}))
          ->type_name("NAME")
          ->default_str("all")
          ->excludes(all)
          ->excludes(band)
          ->excludes(region);
  verb->add_option_function<std::string>(
          "--order",
          [options](const std::string& name) {
            options->comparison.order = name == "frequency" ? PairOrder::frequency : PairOrder::modulus;
          },
          "order of the list: modulus, or frequency")
      ->check(CLI::IsMember({"modulus", "frequency"}))
      ->type_name("NAME")
      ->default_str("modulus");
  verb->add_option("--tolerance", options->comparison.matching.tolerance,
                   "relative difference of two eigenvalues that still agree")
      ->check(at_least_zero())
      ->capture_default_str();
  verb->add_option("--components", options->components,
                   "components of every node, DoF i being the (i mod their number)-th: show effective masses "
                   "of the modes nearest to the shift in the direction of each")
      ->type_name("NAME");
  verb->add_option("--json", options->json, "write both spectra to this file")
      ->type_name("FILE")
      ->check(file_name());
  verb->footer(
      "Without --all, --count and --shift: all eigenvalues up to " + std::to_string(all_up_to) +
      " free DoFs, above them those nearest to zero.\n"
      "Exit code 0 only if both spectra agree: every eigenvalue has its counterpart within --tolerance of\n"
      "itself or within its uncertainty, the residuals of P x = 0 and the backward errors are small, and no "
      "count contradicts the list.\n\n"
      "Example:\n"
      "  halfdof modes --mass M.mtx --damping C.mtx --stiffness K.mtx --count 20 --shift -1+100i\n"
      "  halfdof modes --mass M.mtx --stiffness K.mtx --count 20 --components x y z\n"
      "  halfdof modes --mass M.mtx --stiffness K.mtx --band 20:4000");
  verb->callback([=, &exit_code] {
    check_model_options(*verb);
    if (all->count() > 0)
      options->range = Range::all;
    else if (band->count() > 0)
      options->range = Range::band;
    else if (region->count() > 0)
      options->range = Range::region;
    else if (count->count() > 0 || kind->count() > 0 || shift->count() > 0 || certify->count() > 0)
      options->range = Range::nearest;
    exit_code = run(*options);
  });
}

}  // namespace halfdof::cli
