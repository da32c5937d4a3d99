// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/constants.h>
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/spectrum/winding.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <set>

namespace halfdof::internal {

namespace {

/// Returns the angle, changed by a multiple of 2 pi, between -pi and pi.
double wrapped(double angle) {
  return std::remainder(angle, 2 * pi);
}

/// Angles are counted in ticks, so that halves and mirror images of intervals are exact.
using Tick = std::int64_t;

constexpr Tick whole_turn = Tick(3) << 22;

/// Returns the distance of at least n nodes, an even part of the whole turn.
Tick first_step(double n) {
  Tick step = whole_turn / 12;
  while (static_cast<double>(whole_turn) < n * static_cast<double>(step) && step > 1)
    step /= 2;
  return step;
}

double angle_of(Tick tick) {
  return 2 * pi / static_cast<double>(whole_turn) * static_cast<double>(tick);
}

/// A point of the rim.
struct Node {
  Complex log_deflated_function;  ///< log g; its imaginary part is known up to multiples of 2 pi
  Complex slope;                  ///< derivative of log g with respect to the angle
  Tick step;                      ///< distance to the next nodes when the node was made
};

/// The interval between two neighbouring nodes.
struct Interval {
  Tick begin, end;
  Complex predicted;  ///< predicted change of log g
  Complex error;      ///< difference of the values of log g from the prediction
  double doubt;       ///< difference of the predictions of both orders
};

bool are_closed_under_conjugation(const std::vector<Complex>& values) {
  const auto less = [](Complex a, Complex b) {
    return a.real() != b.real() ? a.real() < b.real() : a.imag() < b.imag();
  };
  std::multiset<Complex, decltype(less)> all(values.begin(), values.end(), less);
  return std::all_of(values.begin(), values.end(), [&](Complex value) {
    return all.count(value) == all.count(Complex(value.real(), -value.imag()));
  });
}

/// Nodes around the rim, and predictions for the intervals between them.
class Circuit {
 public:
  Circuit(const LogOfAnalytic& f, const Contour& contour, const std::vector<Complex>& known,
          bool is_conjugate)
      : f_(f),
        contour_(contour),
        known_(known),
        is_symmetric_(is_conjugate && contour.is_symmetric && are_closed_under_conjugation(known)) {
    const Tick step = first_step(contour.n_nodes);
    for (Tick tick = step / 2; tick < whole_turn; tick += step)
      if (!nodes_.count(tick)) add(tick, step);
  }

  Complex point(double angle) const { return contour_.point(angle); }
  Complex middle(const Interval& interval) const {
    return point(angle_of(interval.begin + interval.end) / 2);
  }
  Index n_evaluations() const { return n_evaluations_; }

  /// Distance of the two values that give a derivative, relative to the distance of nodes. Its inverse is far
  /// from an integer, so that multiples of 2 pi that all derivatives have lost are detected between nodes.
  static constexpr double part_of_step = 1 / 618.034;

  /// Returns by how much rounding errors change log g in the middle of an interval: the difference of two
  /// values whose arguments differ by a few units in the last place.
  double noise(const Interval& interval) {
    constexpr double few_units = 4 * std::numeric_limits<double>::epsilon();
    const Complex z = middle(interval), change = log_deflated(z * (1 + few_units)) - log_deflated(z);
    return std::abs(Complex(change.real(), wrapped(change.imag())));
  }

  std::vector<Interval> intervals() const {
    std::vector<Interval> result;
    const Nodes nodes(nodes_.begin(), nodes_.end());
    for (std::size_t k = 0; k < nodes.size(); ++k)
      result.push_back(interval(nodes, k));
    return result;
  }

  /// Adds a node in the middle of an interval. Nodes at its ends are made anew if they belonged to a much
  /// longer interval: there the derivative may have been too large for the step, and lost multiples of 2 pi.
  void halve(const Interval& interval) {
    constexpr Tick much_longer = 4;
    const Tick length = interval.end - interval.begin,
               middle = (interval.begin + interval.end) / 2 % whole_turn;
    if (nodes_.count(middle)) return;  // it exists as the mirror image of another node
    for (const Tick end : {interval.begin, interval.end % whole_turn})
      if (nodes_.at(end).step > much_longer * length) add(end, length);
    add(middle, length / 2);
  }

 private:
  using Nodes = std::vector<std::pair<Tick, Node>>;

  void add(Tick tick, Tick step) {
    const double angle = angle_of(tick), between = part_of_step * angle_of(step);
    const Complex before = log_deflated(point(angle - between / 2)),
                  after = log_deflated(point(angle + between / 2));
    const Complex change(after.real() - before.real(), wrapped(after.imag() - before.imag()));
    const Node node{before + change / 2., change / between, step};
    if (is_symmetric_)
      nodes_[(whole_turn - tick) % whole_turn] = {std::conj(node.log_deflated_function),
                                                  -std::conj(node.slope), step};
    nodes_[tick] = node;
  }

  Complex log_deflated(Complex z) {
    LogDeterminant<Complex> value = f_(z), zeros;
    ++n_evaluations_;
    for (const Complex zero : known_)
      zeros *= (z - zero) / contour_.size;
    return {value.log_modulus - zeros.log_modulus, std::arg(value.phase) - std::arg(zeros.phase)};
  }

  /// Returns the integral of the polynomial through the slopes at some nodes on both sides, by Gauss
  /// quadrature.
  static Complex integral(const Nodes& nodes, std::size_t k, int n_each_side) {
    static constexpr std::array<double, 3> places{-0.7745966692414834, 0, 0.7745966692414834},
        weights{5. / 9, 8. / 9, 5. / 9};
    std::vector<double> angles;
    std::vector<Complex> slopes;
    const auto n = static_cast<std::ptrdiff_t>(nodes.size());
    for (std::ptrdiff_t j = static_cast<std::ptrdiff_t>(k) + 1 - n_each_side;
         j <= static_cast<std::ptrdiff_t>(k) + n_each_side; ++j) {
      const std::ptrdiff_t turns = j < 0 ? -1 : j >= n ? 1 : 0;
      const auto& [tick, node] = nodes[static_cast<std::size_t>(j - turns * n)];
      angles.push_back(angle_of(tick + turns * whole_turn));
      slopes.push_back(node.slope);
    }
    const auto own = static_cast<std::size_t>(n_each_side) - 1;
    const double middle = (angles[own] + angles[own + 1]) / 2, half = (angles[own + 1] - angles[own]) / 2;
    Complex sum = 0;
    for (std::size_t p = 0; p < places.size(); ++p)
      for (std::size_t i = 0; i < angles.size(); ++i) {
        double basis = weights[p] * half;
        for (std::size_t j = 0; j < angles.size(); ++j)
          if (j != i) basis *= (middle + half * places[p] - angles[j]) / (angles[i] - angles[j]);
        sum += basis * slopes[i];
      }
    return sum;
  }

  static Interval interval(const Nodes& nodes, std::size_t k) {
    const bool is_last = k + 1 == nodes.size();
    const auto& [begin, from] = nodes[k];
    const auto& [end, to] = nodes[is_last ? 0 : k + 1];
    const Complex predicted = integral(nodes, k, 3),
                  change = to.log_deflated_function - from.log_deflated_function;
    return {begin, is_last ? end + whole_turn : end, predicted,
            Complex(change.real() - predicted.real(), wrapped(change.imag() - predicted.imag())),
            std::abs(predicted - integral(nodes, k, 2))};
  }

  const LogOfAnalytic& f_;
  const Contour& contour_;
  const std::vector<Complex>& known_;
  bool is_symmetric_;
  Index n_evaluations_ = 0;
  std::map<Tick, Node> nodes_;  ///< nodes of one turn
};

/// Returns the intervals that must be halved: those with wrong predictions, and neighbours of much shorter
/// ones.
std::vector<Interval> too_long(const std::vector<Interval>& all, double largest_error) {
  constexpr double most_doubt = 0.5, most_ratio = 2.5;
  std::vector<Interval> result;
  const auto length = [&](std::size_t k) { return static_cast<double>(all[k].end - all[k].begin); };
  for (std::size_t k = 0; k < all.size(); ++k) {
    const double beside = std::min(length((k + 1) % all.size()), length((k + all.size() - 1) % all.size()));
    if (!(std::abs(all[k].error) <= largest_error && all[k].doubt <= most_doubt) ||
        length(k) > most_ratio * beside)
      result.push_back(all[k]);
  }
  return result;
}

void integrate(Circuit& circuit, EigenvalueCount& count) {
  constexpr double first_error = 0.2, largest_deviation = 0.1;
  constexpr Tick shortest = whole_turn / 12 >> 14;
  constexpr Index most_evaluations = 4000;
  double largest_error = first_error;
  while (true) {
    const std::vector<Interval> all = circuit.intervals(), halved = too_long(all, largest_error);
    if (halved.empty()) {
      double predicted = 0, errors = 0;
      for (const Interval& interval : all) {
        predicted += interval.predicted.imag() / (2 * pi);
        errors += interval.error.imag() / (2 * pi);
      }
      count.deviation = std::abs(errors);
      count.n = std::llround(predicted + errors);
      if (count.deviation <= largest_deviation) return;
      count.n.reset();
      largest_error /= 2;
      continue;
    }
    const Interval& shortest_of_all = *std::min_element(
        halved.begin(), halved.end(),
        [](const Interval& a, const Interval& b) { return a.end - a.begin < b.end - b.begin; });
    if (const double noise = circuit.noise(shortest_of_all); noise > first_error * Circuit::part_of_step) {
      count.reason =
          "at about " + number_text(circuit.middle(shortest_of_all)) +
          " 1/s, rounding errors change the logarithm of the determinant by " + number_text(noise) +
          ", so that its derivatives are not known and eigenvalues near this point cannot be counted";
      return;
    }
    for (const Interval& interval : halved) {
      if (interval.end - interval.begin < shortest || circuit.n_evaluations() > most_evaluations) {
        count.reason = "an eigenvalue seems to lie on the rim, or too near to it, at about " +
                       number_text(circuit.middle(interval)) + " 1/s";
        count.is_rim_near = true;
        return;
      }
      circuit.halve(interval);
    }
  }
}

}  // namespace

Contour circle(const Rim& rim) {
  if (!(rim.radius > 0) || !std::isfinite(rim.radius) || !std::isfinite(std::abs(rim.center)))
    throw InvalidInput(
        "Eigenvalues inside a circle of radius " + number_text(rim.radius) +
        " 1/s were to be counted. Its radius must be positive, and both it and its center finite.");
  return {[rim](double angle) { return rim.center + std::polar(rim.radius, angle); },
          [rim](Complex z) { return std::abs(z - rim.center) < rim.radius; }, rim.radius, 12,
          rim.center.imag() == 0};
}

Contour rectangle(Complex lower_left, Complex upper_right) {
  const Complex diagonal = upper_right - lower_left, along(diagonal.real(), 0), up(0, diagonal.imag());
  const std::array<Complex, 5> corners{lower_left, lower_left + along, upper_right, lower_left + up,
                                       lower_left};
  const double width = diagonal.real(), height = diagonal.imag(), perimeter = 2 * (width + height);
  const std::array<double, 5> begins{0, width / perimeter, 0.5, 0.5 + width / perimeter, 1};
  const auto point = [corners, begins](double angle) {
    const double turn = angle / (2 * pi), place = turn - std::floor(turn);
    const auto side = static_cast<std::size_t>(std::upper_bound(begins.begin() + 1, begins.end() - 1, place) -
                                               begins.begin() - 1);
    const double t = (place - begins[side]) / (begins[side + 1] - begins[side]), t2 = t * t,
                 part = t2 * t2 * (35 - 84 * t + 70 * t2 - 20 * t2 * t);
    return corners[side] + part * (corners[side + 1] - corners[side]);
  };
  constexpr double fastest = 35. / 16;  // largest derivative of the polynomial
  const auto encloses = [lower_left, upper_right](Complex z) {
    return z.real() > lower_left.real() && z.real() < upper_right.real() && z.imag() > lower_left.imag() &&
           z.imag() < upper_right.imag();
  };
  return {point, encloses, std::abs(diagonal) / 2, 4 * fastest * perimeter / std::min(width, height), false};
}

EigenvalueCount count_zeros(const LogOfAnalytic& f, const Contour& contour, const std::vector<Complex>& known,
                            bool is_conjugate) {
  const auto start = std::chrono::steady_clock::now();
  // Their number grows with the ratio of the sides without limit; these take seconds for a model of ten DoFs.
  constexpr double most_nodes = 2e4;
  EigenvalueCount count;
  if (contour.n_nodes > most_nodes) {
    count.reason =
        "the rim of the region is more than " + number_text(most_nodes / 10) +
        " times as long as the region is wide, so that too many determinants would be needed; its sides "
        "must differ less, for a band by a larger decay or a narrower band";
    return count;
  }
  try {
    Circuit circuit(f, contour, known, is_conjugate);
    integrate(circuit, count);
    count.n_factorizations = circuit.n_evaluations();
    if (count.n) *count.n += std::count_if(known.begin(), known.end(), contour.encloses);
  } catch (const SingularMatrix&) {
    count.reason = "an eigenvalue lies on the rim, up to rounding";
    count.is_rim_near = true;
  } catch (const NotAvailable& error) {
    count.reason = error.what();
  }
  count.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return count;
}

}  // namespace halfdof::internal
