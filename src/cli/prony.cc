// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/builders/prony_fit.h>
#include <halfdof/base/atomic_file.h>
#include <halfdof/base/constants.h>
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/base/text_scanner.h>
#include <halfdof/base/text_table.h>
#include <halfdof/plots/plot.h>

#include "checks.h"
#include "complex_regions.h"
#include "exit_code.h"
#include "verbs.h"
#include <cmath>
#include <filesystem>
#include <iostream>
#include <memory>
#include <vector>

namespace halfdof::cli {

using namespace internal;

namespace {

struct PronyOptions {
  double loss_factor = 0;
  FrequencyBand band;
  std::filesystem::path moduli;  ///< file of a table of moduli; empty: loss_factor and band are given
  Index n_branches = 6;
  double tolerance = 0.05;
  std::filesystem::path output, plot;
};

/// Reads lines `frequency, storage modulus, loss modulus`.
ModulusTable read_moduli(const std::filesystem::path& path) {
  std::vector<double> frequencies;
  std::vector<Complex> moduli;
  TextScanner scanner(path, '#', ',');
  while (scanner.next_line()) {
    frequencies.push_back(scanner.real_number("a frequency"));
    scanner.expect_separator("a frequency or a storage modulus");
    const double storage = scanner.real_number("a storage modulus");
    scanner.expect_separator("a storage modulus or a loss modulus");
    moduli.emplace_back(storage, scanner.real_number("a loss modulus"));
    scanner.end_line();
  }
  const auto n = static_cast<Eigen::Index>(moduli.size());
  return {Eigen::Map<const Vector>(frequencies.data(), n), Eigen::Map<const ComplexVector>(moduli.data(), n)};
}

void write_toml(const std::filesystem::path& path, const PronyOptions& options, const PronyFit& fit) {
  AtomicFile file(path);
  const auto write = [&file](const char* before, double value, const char* after = "") {
    file.write(before);
    file.write(value);
    file.write(after);
  };
  if (options.moduli.empty()) {
    file.write(
        "# Prony series with a nearly constant loss factor, by `halfdof prony`:\n"
        "# K(s) = K long_term (1 + sum g s / (s + 1 / tau)) in place of K (1 + i loss_factor)\n");
    write("loss_factor = ", options.loss_factor);
    write("\nband = [", options.band.from);
    write(", ", options.band.to, "]  # Hz\n");
  } else {
    file.write(
        "# Prony series of a table of moduli, by `halfdof prony`:\n"
        "# G(s) = long_term (1 + sum g s / (s + 1 / tau)), by which a stiffness for G = 1 is multiplied\n");
  }
  write("largest_loss_factor_error = ", fit.largest_loss_factor_error,
        options.moduli.empty() ? "  # relative, in the band\n"
                               : "  # absolute, at the frequencies of the table\n");
  write("largest_storage_error = ", fit.largest_storage_error,
        options.moduli.empty() ? "  # of Re K(i omega), relative to K\n"
                               : "  # of Re G(i omega), relative to the storage moduli of the table\n");
  write("largest_relative_error = ", fit.largest_relative_error,
        options.moduli.empty() ? "  # of K(i omega), relative to K (1 + i loss_factor)\n"
                               : "  # of G(i omega), relative to the complex moduli of the table\n");
  write("long_term = ", fit.long_term,
        options.moduli.empty() ? "  # K(0) / K\n" : "  # G(0), in the unit of the table\n");
  for (const PronyTerm& term : fit.series) {
    write("\n[[branch]]\ng = ", term.g, "  # stiffness relative to the long-term one\n");
    write("tau = ", term.tau, "  # s\n");
  }
  file.commit();
}

void write_plot(const std::filesystem::path& path, const PronyOptions& options, const PronyFit& fit) {
  constexpr Eigen::Index n_points = 500;
  const Vector f = Vector::LinSpaced(n_points, std::log(options.band.from / 3), std::log(options.band.to * 3))
                       .array()
                       .exp();
  Vector loss(n_points), storage(n_points);
  for (Eigen::Index k = 0; k < n_points; ++k) {
    const Complex K = relative_stiffness(fit.long_term, fit.series, Complex(0, 2 * pi * f[k]));
    loss[k] = K.imag() / K.real();
    storage[k] = K.real();
  }
  const Vector band = (Vector(2) << options.band.from, options.band.to).finished();
  const Axis x{"frequency [Hz]", AxisScale::logarithmic};
  Plot plot;
  plot.title = "Prony series for a constant loss factor";
  plot.panels = {CurvePanel{"",
                            x,
                            {"loss factor"},
                            {{"Prony series", f, loss},
                             {"asked for, over the band", band, Vector::Constant(2, options.loss_factor),
                              CurveStyle::dashed_line}}},
                 CurvePanel{"",
                            x,
                            {"storage stiffness / K"},
                            {{"Prony series", f, storage},
                             {"asked for, over the band", band, Vector::Ones(2), CurveStyle::dashed_line}}}};
  write_picture(plot, path);
}

void write_plot(const std::filesystem::path& path, const ModulusTable& table, const PronyFit& fit) {
  constexpr Eigen::Index n_points = 500;
  const Vector f = Vector::LinSpaced(n_points, std::log(table.frequencies[0] / 3),
                                     std::log(table.frequencies[table.frequencies.size() - 1] * 3))
                       .array()
                       .exp();
  ComplexVector K(n_points);
  for (Eigen::Index k = 0; k < n_points; ++k)
    K[k] = relative_stiffness(fit.long_term, fit.series, Complex(0, 2 * pi * f[k]));
  const auto loss_factors = [](const ComplexVector& moduli) -> Vector {
    return moduli.imag().cwiseQuotient(moduli.real());
  };
  const Axis x{"frequency [Hz]", AxisScale::logarithmic};
  Plot plot;
  plot.title = "Prony series of a table of moduli";
  plot.panels = {
      CurvePanel{"",
                 x,
                 {"loss factor"},
                 {{"Prony series", f, loss_factors(K)},
                  {"table", table.frequencies, loss_factors(table.moduli), CurveStyle::dashed_line}}},
      CurvePanel{"",
                 x,
                 {"storage modulus [unit of the table]", AxisScale::logarithmic},
                 {{"Prony series", f, K.real()},
                  {"table", table.frequencies, table.moduli.real(), CurveStyle::dashed_line}}}};
  write_picture(plot, path);
}

void print_series(const PronyFit& fit) {
  TextTable table({{"g", NumberStyle::general, 6},
                   {"tau [s]", NumberStyle::general, 6},
                   {"1 / (2 pi tau) [Hz]", NumberStyle::general, 6}});
  for (const PronyTerm& term : fit.series)
    table.add_row({term.g, term.tau, 1 / (2 * pi * term.tau)});
  std::cout << table;
}

/// Returns the exit code for the error of the loss factor, or of the moduli of a table, and says on standard
/// error if it is too large.
ExitCode concluded(const PronyFit& fit, const PronyOptions& options) {
  const bool has_table = !options.moduli.empty();
  if ((has_table ? fit.largest_relative_error : fit.largest_loss_factor_error) <= options.tolerance)
    return agreed;
  std::cout.flush();
  std::cerr << "halfdof: the relative error of the " << (has_table ? "complex moduli" : "loss factor")
            << " is larger than --tolerance " << number_text(options.tolerance);
  if (has_table && static_cast<Index>(fit.series.size()) < options.n_branches)
    std::cerr
        << ". More branches than these " << fit.series.size()
        << " do not help: make sure that the lines of the table are frequency [Hz], storage modulus, and "
           "loss modulus (not loss factor).\n";
  else
    std::cerr << ". Ask for more --branches, or for "
              << (has_table ? "a table with fewer decades of frequencies" : "a narrower --band") << ".\n";
  return falls_short;
}

ExitCode fit_table(const PronyOptions& options) {
  check_outputs({InputFile{"--moduli", options.moduli}},
                {{"--output", options.output}, {"--plot", options.plot}});
  const ModulusTable moduli = read_moduli(options.moduli);
  const PronyFit fit = fit_moduli(moduli, options.n_branches);
  print_series(fit);
  std::cout << "Long-term modulus: " << number_text(fit.long_term) << ". At the " << moduli.frequencies.size()
            << " frequencies of the table, the complex modulus differs by at most "
            << to_text(fit.largest_relative_error, NumberStyle::scientific, 1)
            << " of itself, the loss factor by at most "
            << to_text(fit.largest_loss_factor_error, NumberStyle::scientific, 1)
            << ", and the storage modulus by at most "
            << to_text(fit.largest_storage_error, NumberStyle::scientific, 1) << " of itself.\n";
  write_toml(options.output, options, fit);
  if (!options.plot.empty()) write_plot(options.plot, moduli, fit);
  return concluded(fit, options);
}

ExitCode fit_constant(const PronyOptions& options) {
  check_outputs(std::vector<InputFile>{}, {{"--output", options.output}, {"--plot", options.plot}});
  const PronyFit fit =
      fit_loss_factor({options.loss_factor, options.band.from, options.band.to}, options.n_branches);
  print_series(fit);
  std::cout << "Long-term stiffness: " << number_text(fit.long_term) << " K. From "
            << number_text(options.band.from) << " to " << number_text(options.band.to)
            << " Hz, the loss factor differs from " << number_text(options.loss_factor) << " by at most "
            << to_text(fit.largest_loss_factor_error, NumberStyle::scientific, 1)
            << " of itself, and the storage stiffness from K by at most "
            << to_text(fit.largest_storage_error, NumberStyle::scientific, 1) << " of K.\n";
  write_toml(options.output, options, fit);
  if (!options.plot.empty()) write_plot(options.plot, options, fit);
  return concluded(fit, options);
}

ExitCode run(const PronyOptions& options) {
  if (!options.moduli.empty()) return fit_table(options);
  if (options.loss_factor > 0 && options.band.to > 0) return fit_constant(options);
  throw InvalidInput(
      "Nothing to fit is given. Give --loss-factor and --band, or a table of measured moduli by --moduli.");
}

}  // namespace

void add_prony(CLI::App& program, int& exit_code) {
  CLI::App* const verb = program.add_subcommand(
      "prony",
      "Prony series of a constant loss factor over a band, or of measured moduli: damping that has a motion "
      "in time");
  const auto options = std::make_shared<PronyOptions>();
  CLI::Option* const loss_factor =
      verb->add_option("--loss-factor", options->loss_factor, "eta of K (1 + i eta)")
          ->check(above_zero())
          ->type_name("ETA");
  CLI::Option* const band =
      verb->add_option_function<std::string>(
              "--band",
              [options](const std::string& text) {
                options->band = band_from(text);
                if (options->band.from == 0)
                  throw InvalidInput(
                      "--band " + text +
                      " begins at zero, but the logarithm of its limits is divided among the "
                      "branches. Write FROM:TO in Hz with FROM above zero, for example 10:1000.");
              },
              "frequencies between which the loss factor is constant [Hz]")
          ->needs(loss_factor)
          ->type_name("FROM:TO");
  loss_factor->needs(band);
  verb->add_option("--moduli", options->moduli,
                   "table with the lines frequency [Hz], storage modulus, loss modulus; # begins a comment")
      ->type_name("FILE")
      ->check(file_name())
      ->excludes(loss_factor)
      ->excludes(band);
  verb->add_option("--branches", options->n_branches, "largest number of terms: 1 to 40")
      ->capture_default_str();
  verb->add_option("--tolerance", options->tolerance,
                   "largest relative error, above which the exit code is 1: of the loss factor in a band, or "
                   "of the complex moduli for --moduli")
      ->check(above_zero())
      ->capture_default_str();
  verb->add_option("--output", options->output, "the series, in TOML")
      ->required()
      ->type_name("FILE")
      ->check(file_name());
  verb->add_option(
          "--plot", options->plot,
          "picture of loss factor and storage stiffness over the frequency (.png or .svg, by gnuplot)")
      ->type_name("FILE")
      ->check(picture_name());
  verb->footer(
      "K (1 + i eta) becomes K_0 (1 + sum g s / (s + 1 / tau)): each branch is a spring g K_0 in series with "
      "a\n"
      "dashpot, which brings viscous half DoFs. By causality, the storage stiffness rises over the band. A "
      "series\n"
      "of --moduli is in the unit of the table, for a stiffness that was assembled with the modulus one.\n\n"
      "Examples:\n"
      "  halfdof prony --loss-factor 0.02 --band 10:1000 --branches 6 --output rubber.toml --plot "
      "rubber.png\n"
      "  halfdof prony --moduli measured.csv --branches 12 --output rubber.toml");
  verb->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace halfdof::cli
