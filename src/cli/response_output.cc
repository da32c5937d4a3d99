// SPDX-License-Identifier: LGPL-2.1-or-later
#include "response_output.h"

#include <halfdof/base/atomic_file.h>
#include <halfdof/base/number_text.h>
#include <halfdof/base/text_table.h>
#include <halfdof/output/result_files.h>

#include "checks.h"
#include "response_plot.h"
#include "sweep.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <ostream>

namespace halfdof::cli {

using namespace internal;

namespace {

std::vector<Transfer> transfers(const NamedResponse& response) {
  std::vector<Transfer> all;
  for (std::size_t o = 0; o < response.outputs.size(); ++o)
    for (std::size_t i = 0; i < response.inputs.size(); ++i) {
      const std::string &z = response.outputs[o], &f = response.inputs[i];
      all.push_back({z + "/" + f, z + " per unit " + f, static_cast<Index>(o), static_cast<Index>(i)});
    }
  return all;
}

/// Returns the rounding error of an entry of the frequency response: its bound, or the difference between the
/// responses before and after the elimination if that is larger. NaN if the bound is not known, as for
/// reactions.
double error_of(const FrequencyResponse& response, std::size_t k, const Transfer& H) {
  const MultiVector& rounding = response.rounding[k];
  if (rounding.size() == 0) return std::numeric_limits<double>::quiet_NaN();
  const double bound = rounding(H.output, H.input);
  const double difference =
      std::abs(response.after[k](H.output, H.input) - response.before[k](H.output, H.input));
  return std::isnan(bound) ? bound : std::max(bound, difference);
}

/// Returns whether an entry is not larger than the bound of its rounding at any frequency, before and after
/// the elimination.
bool is_zero(const FrequencyResponse& response, const Transfer& H) {
  for (std::size_t k = 0; k < response.frequencies.size(); ++k) {
    if (response.rounding[k].size() == 0) continue;  // there is no response
    const double rounding = response.rounding[k](H.output, H.input);
    if (!(std::abs(response.after[k](H.output, H.input)) <= rounding &&
          std::abs(response.before[k](H.output, H.input)) <= rounding))
      return false;
  }
  return true;
}

std::vector<std::string> first_columns(const NamedResponse& named) {
  std::vector<std::string> columns;
  for (const auto& parameter : named.point)
    columns.push_back(parameter.first);
  columns.emplace_back("frequency [Hz]");
  return columns;
}

std::vector<TableCell> first_cells(const NamedResponse& named, double frequency) {
  std::vector<TableCell> cells;
  for (const auto& parameter : named.point)
    cells.emplace_back(parameter.second);
  cells.emplace_back(frequency);
  return cells;
}

/// Returns the entries of a response that are not zero at all frequencies.
std::vector<Transfer> nonzero_transfers(const NamedResponse& named) {
  std::vector<Transfer> all = transfers(named);
  all.erase(
      std::remove_if(all.begin(), all.end(), [&](const Transfer& H) { return is_zero(named.values, H); }),
      all.end());
  return all;
}

}  // namespace

void write_csv(const std::filesystem::path& path, const std::vector<NamedResponse>& all) {
  const std::string unit = " [" + all.front().unit + "]";
  const std::vector<Transfer> entries = transfers(all.front());
  std::vector<std::string> columns = first_columns(all.front());
  for (const Transfer& H : entries)
    columns.insert(columns.end(), {"Re " + H.name + unit, "Im " + H.name + unit, "|" + H.name + "|" + unit,
                                   "phase " + H.name + " [deg]", "Re " + H.name + " before" + unit,
                                   "Im " + H.name + " before" + unit, "error of " + H.name + unit});
  AtomicFile file(path);
  CsvTable table(file.temporary_path(), columns);
  for (const NamedResponse& named : all) {
    const FrequencyResponse& response = named.values;
    for (std::size_t k = 0; k < response.frequencies.size(); ++k) {
      std::vector<TableCell> row = first_cells(named, response.frequencies[k]);
      for (const Transfer& H : entries) {
        const Complex after = response.after[k](H.output, H.input);
        const Complex before = response.before[k](H.output, H.input);
        row.insert(row.end(), {after.real(), after.imag(), std::abs(after), degrees(after), before.real(),
                               before.imag(), error_of(response, k, H)});
      }
      table.add_row(row);
    }
  }
  file.commit();
}

void write_csv(const std::filesystem::path& path, const std::vector<NamedResponse>& all,
               const std::vector<RandomResponse>& random) {
  std::vector<std::string> columns = first_columns(all.front());
  for (const std::string& output : all.front().outputs)
    columns.push_back("power spectral density of " + output + " [(" + all.front().output_unit + ")^2/Hz]");
  AtomicFile file(path);
  CsvTable table(file.temporary_path(), columns);
  for (std::size_t p = 0; p < all.size(); ++p)
    for (std::size_t k = 0; k < random[p].frequencies.size(); ++k) {
      std::vector<TableCell> row = first_cells(all[p], random[p].frequencies[k]);
      for (const double density : random[p].densities.row(static_cast<Eigen::Index>(k)))
        row.emplace_back(density);
      table.add_row(row);
    }
  file.commit();
}

void print(std::ostream& out, const NamedResponse& named, const RandomResponse& random) {
  TextTable table({"output", "root mean square [" + named.output_unit + "]", "error about"});
  for (std::size_t o = 0; o < named.outputs.size(); ++o) {
    const auto place = static_cast<Eigen::Index>(o);
    table.add_row({named.outputs[o], random.rms[place], random.rms_error[place]});
  }
  out << table;
}

void write_plot(const std::filesystem::path& file, const std::vector<NamedResponse>& all) {
  std::vector<DrawnEntries> entries;
  for (const NamedResponse& named : all)
    entries.push_back({named.values, nonzero_transfers(named), text_of(named.point)});
  Plot plot = response_plot(entries, "magnitude [" + all.front().unit + "]",
                            all.front().is_logarithmic ? AxisScale::logarithmic : AxisScale::linear);
  plot.title = "Frequency response";
  write_picture(plot, file);
}

void print(std::ostream& out, const NamedResponse& named) {
  const FrequencyResponse& response = named.values;
  TextTable table({"response", "largest |H|", "at [Hz]"});
  std::string zeros;
  for (const Transfer& H : transfers(named)) {
    if (is_zero(response, H)) {
      zeros += (zeros.empty() ? "" : ", ") + H.name;
      continue;
    }
    std::size_t peak = 0;
    const auto magnitude = [&](std::size_t k) { return std::abs(response.after[k](H.output, H.input)); };
    for (std::size_t k = 1; k < response.frequencies.size(); ++k)
      if (magnitude(k) > magnitude(peak) || std::isnan(magnitude(peak))) peak = k;
    table.add_row({H.name, magnitude(peak), response.frequencies[peak]});
  }
  out << table;
  if (!zeros.empty()) out << "Zero at all frequencies, up to rounding: " << zeros << '\n';
  out << "Largest relative difference of before and after: ";
  if (std::isnan(response.max_relative_difference))
    out << "not known\n";
  else
    out << response.max_relative_difference << '\n';
}

bool report_overflow(std::ostream& out, const FrequencyResponse& response) {
  std::vector<double> at;
  for (std::size_t k = 0; k < response.frequencies.size(); ++k) {
    const bool is_missing = response.rounding[k].size() == 0;
    if (!is_missing && !(response.before[k].allFinite() && response.after[k].allFinite()))
      at.push_back(response.frequencies[k]);
  }
  if (at.empty()) return false;
  out << "halfdof: the response overflows at " << at.size() << " of " << response.frequencies.size()
      << " frequencies, first at " << number_text(at.front())
      << " Hz, although no motion is undamped there: the entries of the matrices differ by so many orders of "
         "magnitude that products of them are not finite. Set entries to zero that should be zero, or "
         "write the model in other units.\n";
  return true;
}

void report_missing(std::ostream& out, const FrequencyResponse& response) {
  constexpr std::size_t max_listed = 5;
  const std::vector<MissingResponse>& missing = response.missing;
  if (missing.empty()) return;
  out << "halfdof: there is no response at " << missing.size() << " of " << response.frequencies.size()
      << " frequencies, which are nan in the table and gaps in a picture.\n";
  for (std::size_t i = 0; i < std::min(max_listed, missing.size()); ++i)
    out << "halfdof: " << missing[i].reason << '\n';
  if (missing.size() > max_listed)
    out << "halfdof: There is also none at " << missing.size() - max_listed << " more frequencies.\n";
}

void report_rounding(std::ostream& out, const NamedResponse& named, double tolerance) {
  const FrequencyResponse& response = named.values;
  std::size_t n_values = 0;
  std::string first;
  for (const Transfer& H : nonzero_transfers(named)) {
    for (std::size_t k = 0; k < response.frequencies.size(); ++k) {
      const double magnitude = std::abs(response.after[k](H.output, H.input)),
                   error = error_of(response, k, H);
      if (std::isnan(error) || error <= tolerance * magnitude) continue;
      if (magnitude == 0 && response.before[k](H.output, H.input) == 0.) continue;
      if (++n_values > 1) continue;
      first = H.name + " at " + number_text(response.frequencies[k]) + " Hz is " + number_text(magnitude) +
              ", with a rounding error of up to " + number_text(error);
    }
  }
  if (n_values == 0) return;
  out << "halfdof: warning: Rounding leaves fewer digits than --tolerance asks for in " << n_values
      << (n_values == 1 ? " value: " : " values; the first of them: ") << first
      << ". A value that is not larger than its rounding may be zero.\n";
}

}  // namespace halfdof::cli
