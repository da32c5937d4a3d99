#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/spectrum/winding.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>

namespace halfdof {

namespace {

constexpr double pi = 3.14159265358979323846;

/// The branch of an angle within pi of zero.
double wrapped(double angle) {
  return std::remainder(angle, 2 * pi);
}

/// Angles are counted in ticks, so that halves and mirror images of intervals are exact.
using Tick = std::int64_t;

constexpr Tick n_first = 12;                ///< nodes to begin with, equally far from each other
constexpr Tick first_step = Tick(1) << 20;  ///< between them
constexpr Tick whole_turn = n_first * first_step;

double angle_of(Tick tick) {
  return 2 * pi / static_cast<double>(whole_turn) * static_cast<double>(tick);
}

/// A point of the rim.
struct Node {
  Complex log_g;  ///< its imaginary part up to multiples of 2 pi
  Complex slope;  ///< its derivative by the angle
  Tick step;      ///< to the next nodes when it was made
};

/// Between a node and the next one.
struct Interval {
  Tick begin, end;
  Complex predicted;  ///< the change of log g
  Complex error;      ///< of that
  double doubt;       ///< how far predictions of different orders differ
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

/// Nodes around the rim, and what they say of the intervals between them.
class Circuit {
 public:
  Circuit(const LogOfAnalytic& f, const Rim& rim, const std::vector<Complex>& known, bool is_conjugate)
      : f_(f),
        rim_(rim),
        known_(known),
        is_symmetric_(is_conjugate && rim.center.imag() == 0 && are_closed_under_conjugation(known)) {
    for (Tick k = 0; k < n_first; ++k)
      if (const Tick tick = first_step / 2 + k * first_step; !nodes_.count(tick)) add(tick, first_step);
  }

  Complex point(double angle) const { return rim_.center + std::polar(rim_.radius, angle); }
  Complex middle(const Interval& interval) const {
    return point(angle_of(interval.begin + interval.end) / 2);
  }
  Index n_evaluations() const { return n_evaluations_; }

  std::vector<Interval> intervals() const {
    std::vector<Interval> result;
    const Nodes nodes(nodes_.begin(), nodes_.end());
    for (std::size_t k = 0; k < nodes.size(); ++k)
      result.push_back(interval(nodes, k));
    return result;
  }

  /// A node in its middle. Those at its ends are made anew where they are of a much longer interval: a
  /// derivative that was too large for that has lost multiples of 2 pi.
  void halve(const Interval& interval) {
    constexpr Tick much_longer = 4;
    const Tick length = interval.end - interval.begin,
               middle = (interval.begin + interval.end) / 2 % whole_turn;
    if (nodes_.count(middle)) return;  // as the mirror image of another one
    for (const Tick end : {interval.begin, interval.end % whole_turn})
      if (nodes_.at(end).step > much_longer * length) add(end, length);
    add(middle, length / 2);
  }

 private:
  using Nodes = std::vector<std::pair<Tick, Node>>;

  /// Of the distance of nodes: that of the two values that give a derivative. Its inverse is far from an
  /// integer, so that multiples of 2 pi which all derivatives have lost are seen between nodes.
  static constexpr double part_of_step = 1 / 618.034;

  void add(Tick tick, Tick step) {
    const double angle = angle_of(tick), between = part_of_step * angle_of(step);
    const Complex before = log_g(angle - between / 2), after = log_g(angle + between / 2);
    const Complex change(after.real() - before.real(), wrapped(after.imag() - before.imag()));
    const Node node{before + change / 2., change / between, step};
    if (is_symmetric_)
      nodes_[(whole_turn - tick) % whole_turn] = {std::conj(node.log_g), -std::conj(node.slope), step};
    nodes_[tick] = node;
  }

  Complex log_g(double angle) {
    const Complex z = point(angle);
    LogDeterminant<Complex> value = f_(z), zeros;
    ++n_evaluations_;
    for (const Complex zero : known_)
      zeros *= (z - zero) / rim_.radius;
    return {value.log_modulus - zeros.log_modulus, std::arg(value.phase) - std::arg(zeros.phase)};
  }

  /// The integral of the polynomial through the slopes at some nodes on both sides, by Gauss' rule.
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
    const Complex predicted = integral(nodes, k, 3), change = to.log_g - from.log_g;
    return {begin, is_last ? end + whole_turn : end, predicted,
            Complex(change.real() - predicted.real(), wrapped(change.imag() - predicted.imag())),
            std::abs(predicted - integral(nodes, k, 2))};
  }

  const LogOfAnalytic& f_;
  Rim rim_;
  const std::vector<Complex>& known_;
  bool is_symmetric_;
  Index n_evaluations_ = 0;
  std::map<Tick, Node> nodes_;  ///< of one turn
};

/// Those that must be halved: where predictions are in error, and beside much shorter ones.
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

std::string text_of(Complex z) {
  return number_text(z.real()) + (z.imag() < 0 ? " - " : " + ") + number_text(std::abs(z.imag())) + "i";
}

void integrate(Circuit& circuit, EigenvalueCount& count) {
  constexpr double first_error = 0.2, largest_deviation = 0.1;
  constexpr Tick shortest = first_step >> 14;
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
    for (const Interval& interval : halved) {
      if (interval.end - interval.begin < shortest || circuit.n_evaluations() > most_evaluations) {
        count.reason = "an eigenvalue seems to lie on the rim, or too near to it, at about " +
                       text_of(circuit.middle(interval)) + " 1/s";
        return;
      }
      circuit.halve(interval);
    }
  }
}

}  // namespace

EigenvalueCount count_zeros(const LogOfAnalytic& f, const Rim& rim, const std::vector<Complex>& known,
                            bool is_conjugate) {
  const auto start = std::chrono::steady_clock::now();
  EigenvalueCount count;
  if (!(rim.radius > 0) || !std::isfinite(rim.radius) || !std::isfinite(std::abs(rim.center)))
    throw InvalidInput(
        "Eigenvalues inside a circle of radius " + number_text(rim.radius) +
        " 1/s were to be counted. Its radius must be positive, and both it and its center finite.");
  try {
    Circuit circuit(f, rim, known, is_conjugate);
    integrate(circuit, count);
    count.n_factorizations = circuit.n_evaluations();
    if (count.n)
      *count.n += std::count_if(known.begin(), known.end(),
                                [&](Complex zero) { return std::abs(zero - rim.center) < rim.radius; });
  } catch (const SingularMatrix&) {
    count.reason = "an eigenvalue lies on the rim as far as rounding tells";
  } catch (const NotAvailable& error) {
    count.reason = error.what();
  }
  count.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return count;
}

}  // namespace halfdof
