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

/// A response and those of its entries that are drawn.
struct DrawnEntries {
  const FrequencyResponse& response;
  std::vector<Transfer> transfers;
  std::string point = {};  ///< values of swept parameters for legends; empty: none
};

/// Returns a picture of magnitudes and phases over frequency, with the curves of all responses.
/// @param magnitude Label of the axis, with the unit if known
Plot response_plot(const std::vector<DrawnEntries>& all, const std::string& magnitude,
                   AxisScale frequency_scale, DrawnResponse drawn = DrawnResponse::after);

}  // namespace halfdof::cli
