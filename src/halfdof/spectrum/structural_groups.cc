// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/text_table.h>
#include <halfdof/spectrum/structural_groups.h>
#include <halfdof/spectrum/structurally_damped_modes.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <ostream>
#include <string>
#include <utility>

namespace halfdof {

namespace internal {

double neighbour_distance(Complex value, const EigenpairResidual& residual) {
  constexpr double relative = 1e-5;
  const double error = residual.error();
  return relative * std::abs(value) + (std::isnan(error) ? 0 : 3 * error);
}

namespace {

using Places = std::vector<std::size_t>;

/// Appends neighbours, by ascending value, in pairs. Of an odd number one is left alone.
void add_pairs(const Places& neighbours, const std::vector<Complex>& values, std::vector<Places>& pairs) {
  const auto gap = [&](std::size_t k) {
    return values[neighbours[k + 1]].real() - values[neighbours[k]].real();
  };
  const std::size_t n = neighbours.size();
  std::size_t alone = n;
  if (n % 2 == 1) {
    alone = 0;
    // From the one with all pairs above it upwards: a pair changes over to the other side.
    double change = 0, least = 0;
    for (std::size_t k = 0; k + 2 < n; k += 2) {
      change += gap(k) - gap(k + 1);
      if (change >= least) continue;
      least = change;
      alone = k + 2;
    }
  }
  for (std::size_t k = 0; k < n; k += k == alone ? 1 : 2)
    pairs.push_back(k == alone ? Places{neighbours[k]} : Places{neighbours[k], neighbours[k + 1]});
}

}  // namespace

StructuralGroups structural_groups(const std::vector<Complex>& values,
                                   const std::vector<EigenpairResidual>& residuals) {
  StructuralGroups groups;
  Places upper, real;
  for (std::size_t j = 0; j < values.size(); ++j) {
    const bool is_real = std::abs(values[j].imag()) <= residuals[j].error() || values[j].imag() == 0;
    if (is_real)
      real.push_back(j);
    else if (values[j].imag() > 0)
      upper.push_back(j);
  }
  const auto by_real_part = [&](std::size_t a, std::size_t b) { return values[a].real() < values[b].real(); };
  std::stable_sort(real.begin(), real.end(), by_real_part);
  const auto are_neighbours = [&](std::size_t a, std::size_t b) {
    return std::abs(values[a] - values[b]) <=
           std::max(neighbour_distance(values[a], residuals[a]), neighbour_distance(values[b], residuals[b]));
  };
  for (auto first = real.begin(); first != real.end();) {
    const auto last = std::adjacent_find(first, real.end(),
                                         [&](std::size_t a, std::size_t b) { return !are_neighbours(a, b); });
    const auto end = last == real.end() ? last : last + 1;
    add_pairs({first, end}, values, groups.real);
    first = end;
  }

  std::vector<bool> is_taken(upper.size(), false);
  for (std::size_t first = 0; first < upper.size(); ++first) {
    if (is_taken[first]) continue;
    is_taken[first] = true;
    Places group = {upper[first]};
    for (std::size_t k = 0; k < group.size(); ++k)
      for (std::size_t other = 0; other < upper.size(); ++other)
        if (!is_taken[other] && are_neighbours(upper[other], group[k])) {
          is_taken[other] = true;
          group.push_back(upper[other]);
        }
    groups.oscillating.push_back(std::move(group));
  }
  return groups;
}

}  // namespace internal

double loss_factor(Complex eigenvalue) {
  const double a = eigenvalue.real(), b = std::abs(eigenvalue.imag());
  return b > std::abs(a) ? -2 * (a / b) / ((1 - a / b) * (1 + a / b))
                         : std::numeric_limits<double>::quiet_NaN();
}

namespace {

/// Returns how much two distances from a shift that are equal, such as those of a mode and its growing
/// partner, may differ by the uncertainties of both eigenvalues and by the rounding of the distances.
double rounding_of_distance(const StructurallyDampedMode& mode, Complex shift) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  return 2 * (std::isnan(mode.uncertainty) ? 0 : mode.uncertainty) +
         4 * epsilon * (std::abs(mode.mode.eigenvalue) + std::abs(shift));
}

}  // namespace

void StructurallyDampedModes::keep_nearest(Index k, Complex shift) {
  if (static_cast<std::size_t>(k) >= modes.size()) return;
  std::vector<std::size_t> order(modes.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  const auto distance = [&](std::size_t j) { return distance_of_pair(modes[j].mode.eigenvalue, shift); };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return distance(a) < distance(b); });
  order.resize(static_cast<std::size_t>(k));
  const double reach =
      order.empty() ? 0 : distance(order.back()) + rounding_of_distance(modes[order.back()], shift);
  std::sort(order.begin(), order.end());
  std::vector<StructurallyDampedMode> kept;
  std::vector<Eigen::Index> columns;
  for (const std::size_t j : order) {
    kept.push_back(modes[j]);
    columns.push_back(static_cast<Eigen::Index>(j));
  }
  modes = std::move(kept);
  shapes = ComplexMultiVector(shapes(Eigen::all, columns));
  unphysical.erase(std::remove_if(unphysical.begin(), unphysical.end(),
                                  [&](Complex value) { return distance_of_pair(value, shift) > reach; }),
                   unphysical.end());
}

void StructurallyDampedModes::print(std::ostream& out, std::size_t n_rows) const {
  TextTable table({"eigenvalue [1/s]",
                   {"frequency [Hz]", NumberStyle::general, 6},
                   {"damping ratio", NumberStyle::general, 4},
                   {"loss factor", NumberStyle::general, 4},
                   "kind",
                   {"difference", NumberStyle::scientific, 1},
                   {"uncertainty", NumberStyle::scientific, 1},
                   {"residual", NumberStyle::scientific, 1}});
  for (std::size_t j = 0; j < std::min(n_rows, modes.size()); ++j) {
    const StructurallyDampedMode& one = modes[j];
    const Complex value = one.mode.eigenvalue;
    const double modulus = std::abs(value);
    table.add_row({value.imag() == 0 ? to_text(value.real(), NumberStyle::general, 10)
                                     : to_text(value, NumberStyle::general, 10),
                   one.mode.frequency, one.mode.damping_ratio,
                   std::isnan(one.loss_factor) ? TableCell("-") : TableCell(one.loss_factor),
                   name_of(one.mode.kind), one.difference,
                   modulus > 0 ? one.uncertainty / modulus : one.uncertainty, one.residual});
  }
  out << table;
  if (modes.size() > n_rows) out << "... and " << modes.size() - n_rows << " rows more\n";
  out << modes.size() << (modes.size() == 1 ? " mode of D" : " modes of D")
      << "; the conjugate of each oscillation belongs to negative frequencies. " << unphysical.size()
      << (unphysical.size() == 1 ? " other eigenvalue of D has a negative imaginary part"
                                 : " other eigenvalues of D have negative imaginary parts")
      << ", and no physical meaning.\n";
}

}  // namespace halfdof
