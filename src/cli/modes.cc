#include <halfdof/base/errors.h>
#include <halfdof/spectrum/compare_spectra.h>
#include <halfdof/spectrum/dense_spectrum.h>
#include <halfdof/spectrum/eigenvalue_scale.h>
#include <halfdof/spectrum/mode.h>

#include "checks.h"
#include "exit_code.h"
#include "json_file.h"
#include "model.h"
#include "verbs.h"
#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>

namespace halfdof::cli {

namespace {

/// Free DoFs up to which all eigenvalues are computed where nothing else is asked for: a few seconds.
constexpr GlobalIndex all_up_to = 400;

/// Free DoFs up to which all eigenvalues are computed on request: minutes.
constexpr GlobalIndex all_limit = dense_spectrum_limit / 2;

enum class Range { automatic, all, nearest };

struct ModesOptions {
  ModelOptions model;
  Range range = Range::automatic;
  Index count = 12;
  ComparisonOptions comparison;
  std::filesystem::path json;
};

Complex shift_from(const std::string& text) {
  Complex shift;
  if (!CLI::detail::lexical_cast(text, shift) || !std::isfinite(std::abs(shift)))
    throw InvalidInput("--shift " + text +
                       " is no finite complex number. Write it like 0, -2.5, 20i or -1+20i, in 1/s.");
  return shift;
}

SpectrumComparison compare(const ReducedSystem<Engine>& reduced, const ModesOptions& options) {
  const GlobalIndex n = reduced.free().dofs().n_global();
  if (options.range == Range::all && n > all_limit)
    throw NotAvailable("--all was asked for with " + std::to_string(n) + " free DoFs, but the limit is " +
                       std::to_string(all_limit) +
                       ". Ask with --count and --shift for those nearest to a shift instead.");
  const bool is_small = n <= all_up_to;
  if (options.range == Range::all || (options.range == Range::automatic && is_small))
    return compare_all(reduced, options.comparison);
  if (options.count < 1)
    throw InvalidInput("--count is " + std::to_string(options.count) + ". Ask for at least one eigenvalue.");
  return compare_spectra(reduced, options.count, options.comparison);
}

Json modes(const std::vector<Complex>& eigenvalues) {
  const double zero = 1e-8 * zero_scale(eigenvalues);
  Json all = Json::array();
  for (const Complex value : eigenvalues) {
    if (value.imag() < 0) continue;
    const Mode mode = mode_of(value, zero);
    all.push_back({{"eigenvalue", {value.real() + 0., value.imag() + 0.}},
                   {"kind", name_of(mode.kind)},
                   {"frequency_hz", mode.frequency},
                   {"natural_frequency_hz", mode.natural_frequency},
                   {"damping_ratio", mode.damping_ratio + 0.}});
  }
  return all;
}

/// Both spectra in such an order that pairs have the same index; what has no counterpart comes last.
struct MatchedOrder {
  std::vector<Complex> before, after;
  std::vector<EigenpairResidual> residuals;  ///< of `after`
};

MatchedOrder matched_order(const SpectrumComparison& comparison) {
  MatchedOrder order;
  std::vector<MatchedEigenvalues> pairs = comparison.matching.pairs;
  std::vector<Complex> alone_before = comparison.before.finite;
  std::vector<std::size_t> alone_after;
  const auto add_after = [&](std::size_t i) {
    order.after.push_back(comparison.after.finite[i]);
    order.residuals.push_back(comparison.residuals[i]);
  };
  for (std::size_t i = 0; i < comparison.after.finite.size(); ++i) {
    const auto pair = std::find_if(pairs.begin(), pairs.end(), [&](const MatchedEigenvalues& p) {
      return p.after == comparison.after.finite[i];
    });
    if (pair == pairs.end()) {
      alone_after.push_back(i);
      continue;
    }
    add_after(i);
    order.before.push_back(pair->before);
    const auto used = std::find(alone_before.begin(), alone_before.end(), pair->before);
    if (used != alone_before.end()) alone_before.erase(used);
    pairs.erase(pair);
  }
  for (const std::size_t i : alone_after)
    add_after(i);
  order.before.insert(order.before.end(), alone_before.begin(), alone_before.end());
  return order;
}

Json to_json(const SpectrumComparison& comparison) {
  Json largest = Json::array(), assembled = Json::array(), reduced = Json::array();
  const MatchedOrder order = matched_order(comparison);
  for (const EigenpairResidual& residual : order.residuals) {
    largest.push_back(std::max(residual.assembled, residual.reduced));
    assembled.push_back(residual.assembled);
    reduced.push_back(residual.reduced);
  }
  return {{"agreed", comparison.passed},
          {"before",
           {{"finite", pairs(order.before)},
            {"n_infinite", comparison.before.n_infinite},
            {"reliable", comparison.before.reliable},
            {"reason", comparison.before.reason}}},
          {"after", {{"finite", pairs(order.after)}}},
          {"max_relative_difference", comparison.max_relative_difference},
          {"missing", pairs(comparison.matching.missing)},
          {"extra", pairs(comparison.matching.extra)},
          {"residuals", largest},
          {"residuals_assembled", assembled},
          {"residuals_reduced", reduced},
          {"modes", modes(order.after)}};
}

ExitCode run(const ModesOptions& options) {
  check_outputs(options.model, {{"--json", options.json}});
  const ReducedSystem<Engine> reduced = reduce(read_model(options.model), reduction_options(options.model));
  const SpectrumComparison comparison = compare(reduced, options);
  comparison.print(std::cout);
  if (!options.json.empty()) write_json(options.json, to_json(comparison));
  if (comparison.passed) return agreed;
  std::cout.flush();
  std::cerr
      << "halfdof: the spectra before and after the elimination do not agree: largest relative difference "
      << comparison.max_relative_difference << ", " << comparison.matching.missing.size() << " missing, "
      << comparison.matching.extra.size() << " extra, largest residual " << comparison.max_residual
      << ". Look at the condition that `halfdof inspect` prints.\n";
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
  CLI::Option* const count =
      verb->add_option("--count", options->count, "how many eigenvalues nearest to the shift")
          ->capture_default_str();
  CLI::Option* const shift =
      verb->add_option_function<std::string>(
              "--shift", [options](const std::string& text) { options->comparison.shift = shift_from(text); },
              "the shift [1/s], for example 0, -2.5 or -1+20i")
          ->type_name("COMPLEX")
          ->default_str("0");
  for (CLI::Option* const option : {count, shift})
    option->excludes(all);
  verb->add_option("--tolerance", options->comparison.matching.tolerance,
                   "relative difference of two eigenvalues that still agree")
      ->check(at_least_zero())
      ->capture_default_str();
  verb->add_option("--json", options->json, "write both spectra to this file")
      ->type_name("FILE")
      ->check(file_name());
  verb->footer(
      "Without --all, --count and --shift: all eigenvalues up to " + std::to_string(all_up_to) +
      " free DoFs, above them those nearest to zero.\n"
      "Exit code 0 only if both spectra agree: every eigenvalue has its counterpart, and all residuals are\n"
      "small.\n\n"
      "Example:\n"
      "  halfdof modes --mass M.mtx --damping C.mtx --stiffness K.mtx --count 20 --shift -1+100i");
  verb->callback([=, &exit_code] {
    if (all->count() > 0)
      options->range = Range::all;
    else if (count->count() > 0 || shift->count() > 0)
      options->range = Range::nearest;
    exit_code = run(*options);
  });
}

}  // namespace halfdof::cli
