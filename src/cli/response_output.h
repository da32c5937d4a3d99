// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/functions/parameters.h>
#include <halfdof/spectrum/forced_vibration.h>

#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

/**
 * @file
 * Tables, pictures and messages of the verb response.
 */
namespace halfdof::cli {

/// A frequency response with the names of its inputs and outputs, at values of swept parameters.
struct NamedResponse {
  FrequencyResponse values;
  std::vector<std::string> inputs, outputs;  ///< for example "f_0" and "q_2"
  std::string unit, output_unit;             ///< of an entry, for example "m/N", and of an output
  Parameters point;                          ///< empty if nothing is swept
  bool is_logarithmic = false;               ///< scale of the frequencies in pictures
};

/// Write tables and a picture of responses at one point or several. @param random Random responses of each
/// point
void write_csv(const std::filesystem::path& path, const std::vector<NamedResponse>& all);
void write_csv(const std::filesystem::path& path, const std::vector<NamedResponse>& all,
               const std::vector<RandomResponse>& random);
void write_plot(const std::filesystem::path& file, const std::vector<NamedResponse>& all);

/// Prints the peak of each entry of the response, and names entries that are zero at all frequencies.
void print(std::ostream& out, const NamedResponse& named);
void print(std::ostream& out, const NamedResponse& named, const RandomResponse& random);

/// Prints the frequencies at which numbers have overflowed. @return whether there are any
bool report_overflow(std::ostream& out, const FrequencyResponse& response);

/// Prints the frequencies without a response, with the reason; only the first ones if there are many.
void report_missing(std::ostream& out, const FrequencyResponse& response);

/// Prints the values that have fewer digits than the tolerance requires, because of rounding. Entries that
/// are zero at all frequencies are omitted.
void report_rounding(std::ostream& out, const NamedResponse& named, double tolerance);

}  // namespace halfdof::cli
