// SPDX-License-Identifier: LGPL-2.1-or-later
#include "response_frequencies.h"

#include <halfdof/base/constants.h>
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/spectrum/compare_spectra.h>
#include <halfdof/spectrum/forced_vibration.h>
#include <halfdof/spectrum/structurally_damped_modes.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>

namespace halfdof::cli {

using namespace internal;

Frequencies with_resonances_of(const Model& model, const ReducedSystem<Engine>& reduced,
                               const std::vector<double>& grid, const std::vector<double>& at, double step) {
  constexpr double n_steps_beyond = 6;
  if (grid.size() < 2) return {at, "A root mean square needs a range of frequencies."};
  const double first = grid.front(), last = grid.back();
  const SpectrumComparison band =
      compare_band(reduced, {std::max(0., first - n_steps_beyond * (grid[1] - first)),
                             last + n_steps_beyond * (last - grid[grid.size() - 2])});
  Frequencies all{at, ""};
  std::vector<Complex> values;
  std::vector<double> errors;
  if (model.structural) {
    try {
      // The eigenvalues of D alone: those of its conjugate grow.
      for (const StructurallyDampedMode& one :
           structurally_damped_modes(*model.structural, reduced, band).modes) {
        values.push_back(one.mode.eigenvalue);
        errors.push_back(one.uncertainty);
      }
    } catch (const NotAvailable& error) {
      values = band.after.finite;
      errors.assign(values.size(), std::numeric_limits<double>::quiet_NaN());
      all.doubt = error.what();
    }
  } else {
    values = band.after.finite;
    for (const EigenpairResidual& residual : band.residuals)
      errors.push_back(residual.error());
  }
  all.at = with_resonances(at, values, step);
  for (std::size_t j = 0; j < values.size(); ++j)
    if (const Complex value = values[j]; value.real() > -errors[j] &&
                                         std::abs(value.imag()) >= 2 * pi * first &&
                                         std::abs(value.imag()) <= 2 * pi * last)
      all.doubt =
          "The vibration with " + number_text(std::abs(value.imag()) / (2 * pi)) +
          " Hz does not decay, up to rounding, so that its mean square is not bounded. Give it damping.";
  if (!band.counted->is_complete()) {
    const std::string incomplete =
        "Not all resonances of the range are known, since " +
        (band.counted->count.n ? std::string("searches found fewer eigenvalues than were counted")
                               : "eigenvalues cannot be counted: " + band.counted->count.reason) +
        ". Peaks of the others may lie between frequencies.";
    std::cerr << "halfdof: warning: " << incomplete << '\n';
    if (all.doubt.empty()) all.doubt = incomplete;
  }
  return all;
}

}  // namespace halfdof::cli
