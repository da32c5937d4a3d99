// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/plots/plot.h>
#include <halfdof/spectrum/frequency_response.h>

#include <string>
#include <vector>

namespace halfdof::cli {

/// One entry of the transfer function H, at all frequencies.
struct Transfer {
  std::string name;    ///< for example "q_2/f_0"
  std::string legend;  ///< for example "q_2 per unit f_0"
  Index output, input;
};

/// Returns the phase in (-180, 180] [degree]; the imaginary part of a real value may be -0.
double degrees(Complex value);

/// Which of the two responses response_plot() draws.
enum class DrawnResponse {
  after,             ///< the response after the elimination, as lines
  before_and_after,  ///< also the one before it, as points at some frequencies
};

/// Returns a picture of magnitudes and phases over frequency.
/// @param quantity of the outputs, with its unit if known
Plot response_plot(const FrequencyResponse& response, const std::vector<Transfer>& transfers,
                   const std::string& quantity, AxisScale frequency_scale,
                   DrawnResponse drawn = DrawnResponse::after);

}  // namespace halfdof::cli
