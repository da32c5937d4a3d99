// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/builders/prony_fit.h>
#include <halfdof/base/atomic_file.h>
#include <halfdof/base/constants.h>
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
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

namespace halfdof::cli {

using namespace internal;

namespace {

struct PronyOptions {
  double loss_factor = 0;
  FrequencyBand band;
  Index n_branches = 6;
  double tolerance = 0.05;
  std::filesystem::path output, plot;
};

void write_toml(const std::filesystem::path& path, const PronyOptions& options, const PronyFit& fit) {
  AtomicFile file(path);
  const auto write = [&file](const char* before, double value, const char* after = "") {
    file.write(before);
    file.write(value);
    file.write(after);
  };
  file.write(
      "# Prony series with a nearly constant loss factor, by `halfdof prony`:\n"
      "# K(s) = K long_term (1 + sum g s / (s + 1 / tau)) in place of K (1 + i loss_factor)\n");
  write("loss_factor = ", options.loss_factor);
  write("\nband = [", options.band.from);
  write(", ", options.band.to, "]  # Hz\n");
  write("largest_loss_factor_error = ", fit.largest_loss_factor_error, "  # relative, in the band\n");
  write("largest_storage_error = ", fit.largest_storage_error, "  # of Re K(i omega), relative to K\n");
  write("long_term = ", fit.long_term, "  # K(0) / K\n");
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

ExitCode run(const PronyOptions& options) {
  check_outputs(std::vector<InputFile>{}, {{"--output", options.output}, {"--plot", options.plot}});
  const PronyFit fit =
      fit_loss_factor({options.loss_factor, options.band.from, options.band.to}, options.n_branches);
  TextTable table({{"g", NumberStyle::general, 6},
                   {"tau [s]", NumberStyle::general, 6},
                   {"1 / (2 pi tau) [Hz]", NumberStyle::general, 6}});
  for (const PronyTerm& term : fit.series)
    table.add_row({term.g, term.tau, 1 / (2 * pi * term.tau)});
  std::cout << table << "Long-term stiffness: " << number_text(fit.long_term) << " K. From "
            << number_text(options.band.from) << " to " << number_text(options.band.to)
            << " Hz, the loss factor differs from " << number_text(options.loss_factor) << " by at most "
            << to_text(fit.largest_loss_factor_error, NumberStyle::scientific, 1)
            << " of itself, and the storage stiffness from K by at most "
            << to_text(fit.largest_storage_error, NumberStyle::scientific, 1) << " of K.\n";
  write_toml(options.output, options, fit);
  if (!options.plot.empty()) write_plot(options.plot, options, fit);
  if (fit.largest_loss_factor_error <= options.tolerance) return agreed;
  std::cout.flush();
  std::cerr << "halfdof: the error of the loss factor is larger than --tolerance "
            << number_text(options.tolerance) << ". Ask for more --branches, or for a narrower --band.\n";
  return falls_short;
}

}  // namespace

void add_prony(CLI::App& program, int& exit_code) {
  CLI::App* const verb = program.add_subcommand(
      "prony",
      "Prony series of a constant loss factor over a band: structural damping that has a motion in time");
  const auto options = std::make_shared<PronyOptions>();
  verb->add_option("--loss-factor", options->loss_factor, "eta of K (1 + i eta)")
      ->required()
      ->check(above_zero())
      ->type_name("ETA");
  verb->add_option_function<std::string>(
          "--band",
          [options](const std::string& text) {
            options->band = band_from(text);
            if (options->band.from == 0)
              throw InvalidInput("--band " + text +
                                 " begins at zero, but the logarithm of its limits is divided among the "
                                 "branches. Write FROM:TO in Hz with FROM above zero, for example 10:1000.");
          },
          "frequencies between which the loss factor is constant [Hz]")
      ->required()
      ->type_name("FROM:TO");
  verb->add_option("--branches", options->n_branches, "largest number of terms: 1 to 40")
      ->capture_default_str();
  verb->add_option("--tolerance", options->tolerance,
                   "largest relative error of the loss factor in the band, above which the exit code is 1")
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
      "dashpot, which brings viscous half DoFs. By causality, the storage stiffness rises over the band.\n\n"
      "Example:\n"
      "  halfdof prony --loss-factor 0.02 --band 10:1000 --branches 6 --output rubber.toml --plot "
      "rubber.png");
  verb->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace halfdof::cli
