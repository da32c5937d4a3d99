// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/functions/formula.h>
#include <halfdof/functions/formula_text.h>
#include <halfdof/functions/numerical_derivative.h>
#include <halfdof/functions/scalar_function.h>

#include <muParser.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <utility>
#include <vector>

namespace halfdof {

using namespace internal;

namespace {

/// Returns whether two numbers are equal up to the rounding of a few products.
bool is_equal_up_to_rounding(double a, double b) {
  return std::abs(a - b) <= 1e-12 * std::abs(b);
}

}  // namespace

/// Base class of the evaluation of constants, tables, formulas and C++ functions.
class ScalarFunction::Implementation {
 public:
  virtual ~Implementation() = default;
  virtual double value(double time) const = 0;
  virtual double size(double time) const { return std::abs(value(time)); }
  virtual double derivative(double time) const;
  virtual bool is_constant() const { return false; }
  /// Implements ScalarFunction::is_multiple_of().
  virtual bool is_multiple_of(const Implementation& other, double factor) const {
    return this == &other && is_equal_up_to_rounding(factor, 1.);
  }
  virtual double second_derivative(double /*time*/) const { return std::numeric_limits<double>::quiet_NaN(); }
  virtual bool is_differentiated_exactly() const { return false; }
  virtual SmoothInterval smooth_interval(double /*begin*/, double end, double /*shortest*/) const {
    return {end, end};
  }

  std::string description;
};

double ScalarFunction::Implementation::derivative(double time) const {
  return numerical_derivative([this](double at) { return value(at); }, time);
}

namespace {

/// The exception for a time outside of a table with BeyondTable::refuse.
class TimeOutsideTable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Constant final : public ScalarFunction::Implementation {
 public:
  explicit Constant(double value) : value_(value) {
    std::ostringstream text;
    text << value;
    description = text.str();
  }
  double value(double /*time*/) const override { return value_; }
  double derivative(double /*time*/) const override { return 0.; }
  double second_derivative(double /*time*/) const override { return 0.; }
  bool is_differentiated_exactly() const override { return true; }
  bool is_constant() const override { return true; }
  bool is_multiple_of(const Implementation& other, double factor) const override {
    const auto* constant = dynamic_cast<const Constant*>(&other);
    return constant && is_equal_up_to_rounding(factor * constant->value_, value_);
  }

 private:
  double value_;
};

class Function final : public ScalarFunction::Implementation {
 public:
  Function(std::function<double(double)> value, std::function<double(double)> derivative)
      : value_(std::move(value)), derivative_(std::move(derivative)) {
    if (!value_)
      throw InvalidInput("A function of time is an empty std::function. Give a function that can be called.");
    description = "a function";
  }
  double value(double time) const override { return value_(time); }
  double derivative(double time) const override {
    return derivative_ ? derivative_(time) : Implementation::derivative(time);
  }

 private:
  std::function<double(double)> value_, derivative_;
};

class Table final : public ScalarFunction::Implementation {
 public:
  Table(std::vector<double> times, std::vector<double> values, BeyondTable beyond)
      : times_(std::move(times)), values_(std::move(values)), beyond_(beyond) {
    description = "a table of " + std::to_string(times_.size()) + " values";
  }

  double value(double time) const override {
    const double local = time_within_table(time);
    const std::size_t k = index_after(local);
    if (k == 0) return values_.front();
    if (k == times_.size()) return values_.back();
    const double part = (local - times_[k - 1]) / (times_[k] - times_[k - 1]);
    return (1 - part) * values_[k - 1] + part * values_[k];
  }

  double size(double time) const override {
    const std::size_t k = index_after(time_within_table(time));
    return std::max(std::abs(values_[k > 0 ? k - 1 : 0]), std::abs(values_[std::min(k, values_.size() - 1)]));
  }

  double derivative(double time) const override {
    std::size_t k = index_after(time_within_table(time));
    if (k == times_.size() && beyond_ == BeyondTable::refuse && k > 1)
      --k;  // The end belongs to the last piece.
    if (k == 0 || k == times_.size()) return 0.;
    return (values_[k] - values_[k - 1]) / (times_[k] - times_[k - 1]);
  }

  double second_derivative(double time) const override {
    time_within_table(time);
    return 0.;
  }
  bool is_differentiated_exactly() const override { return true; }

  SmoothInterval smooth_interval(double begin, double end, double /*shortest*/) const override {
    const double kink = next_kink(begin);
    // The end of a table with BeyondTable::refuse is not a kink.
    const bool is_end = beyond_ == BeyondTable::refuse && kink == times_.back();
    return kink < end ? SmoothInterval{kink, kink, true} : SmoothInterval{end, end, kink == end && !is_end};
  }

  bool is_multiple_of(const Implementation& other, double factor) const override {
    const auto* table = dynamic_cast<const Table*>(&other);
    return table && table->beyond_ == beyond_ && table->times_ == times_ &&
           std::equal(values_.begin(), values_.end(), table->values_.begin(), [&](double own, double theirs) {
             return is_equal_up_to_rounding(factor * theirs, own);
           });
  }

 private:
  /// Returns the first time after `time` at which the next linear piece of the table begins, exact up to
  /// rounding, or infinity if no piece follows.
  double next_kink(double time) const {
    const double local = time_within_table(time);
    const std::size_t k = index_after(local);
    if (k == times_.size()) return std::numeric_limits<double>::infinity();
    if (beyond_ != BeyondTable::repeat) return times_[k];
    // Returns whether a time that should be that of entry k lies before this entry because of rounding.
    const auto is_before = [&](double later) {
      const double at = time_within_table(later);
      return at < times_[k] && at > 0.5 * (times_[k - 1] + times_[k]);
    };
    double kink = time + (times_[k] - local);
    while (kink <= time || is_before(kink))
      kink = std::nextafter(kink, std::numeric_limits<double>::infinity());
    return kink;
  }

  /// Returns the index of the first entry after the time. The index is zero before the table, and the number
  /// of entries after the table.
  std::size_t index_after(double time) const {
    return static_cast<std::size_t>(std::upper_bound(times_.begin(), times_.end(), time) - times_.begin());
  }

  double time_within_table(double time) const {
    const double first = times_.front(), last = times_.back();
    if (time >= first && time <= last) return beyond_ == BeyondTable::repeat && time == last ? first : time;
    if (beyond_ == BeyondTable::refuse) {
      std::ostringstream message;
      message << "The table of " << times_.size() << " values is not defined at t = " << time
              << " s: its times reach from " << first << " to " << last
              << " s. Extend the table, or allow it to hold its last value or to repeat.";
      throw TimeOutsideTable(message.str());
    }
    if (beyond_ == BeyondTable::hold) return time;
    const double period = last - first;
    const double local = first + (time - first) - period * std::floor((time - first) / period);
    return local < last ? std::max(local, first) : first;
  }

  std::vector<double> times_, values_;
  BeyondTable beyond_;
};

class Expression final : public ScalarFunction::Implementation {
 public:
  explicit Expression(const std::string& formula) {
    description = formula;
    read_formula(parser_, formula, time_);
    formula_.emplace(formula);
  }
  Expression(const Expression&) = delete;
  Expression& operator=(const Expression&) = delete;

  double value(double time) const override {
    time_ = time;
    return parser_.Eval();
  }
  double size(double time) const override {
    return std::max(std::abs(value(time)), formula_->rounding(time) / std::numeric_limits<double>::epsilon());
  }
  double derivative(double time) const override { return formula_->derivatives(time).rate; }
  double second_derivative(double time) const override { return formula_->derivatives(time).second; }
  bool is_differentiated_exactly() const override { return true; }
  SmoothInterval smooth_interval(double begin, double end, double shortest) const override;
  bool is_multiple_of(const Implementation& other, double factor) const override {
    return dynamic_cast<const Expression*>(&other) && other.description == description &&
           is_equal_up_to_rounding(factor, 1.);
  }

 private:
  mutable double time_ = 0;
  mu::Parser parser_;
  std::optional<Formula> formula_;
};

/// Bisects the interval if the polynomial of Formula::is_resolved() does not approximate the formula on the
/// interval. The bisection continues in the first half without such a polynomial, until both halves have one,
/// or no floating-point number lies between the ends (a kink or a jump).
SmoothInterval Expression::smooth_interval(double begin, double end, double shortest) const {
  if (formula_->is_resolved(begin, end)) return {end, end};
  double before = begin, after = end;
  for (bool is_divided = true; is_divided;) {
    const double middle = before + 0.5 * (after - before);
    if (middle <= before || middle >= after) {
      if (before == begin)
        return {begin, formula_->is_resolved(after, after + shortest) ? after : begin + shortest, true};
      if (formula_->is_resolved(begin, before)) return {before, after, true};
      break;
    }
    if (!formula_->is_resolved(before, middle))
      after = middle;
    else if (!formula_->is_resolved(middle, after))
      before = middle;
    else if (formula_->is_resolved(std::nextafter(middle, begin), std::nextafter(middle, end)))
      is_divided = false;
    else if (formula_->is_resolved(begin, middle))
      return {middle, middle, true};
    else
      break;
  }
  for (double length = 0.5 * (end - begin); length > shortest; length *= 0.5)
    if (formula_->is_resolved(begin, begin + length)) return {begin + length, begin + length};
  return {begin, begin + shortest, true};
}

void check_table(const std::vector<double>& times, const std::vector<double>& values, BeyondTable beyond) {
  std::ostringstream message;
  if (times.size() != values.size() || times.empty()) {
    message << "A table of a function of time needs as many values as times, and at least one of each; this "
               "table has "
            << times.size() << " times and " << values.size() << " values.";
    throw InvalidInput(message.str());
  }
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (!std::isfinite(times[i]) || !std::isfinite(values[i])) {
      message << "Entry " << i << " of a table of a function of time is (" << times[i] << ", " << values[i]
              << "): the time and the value must be finite numbers.";
      throw InvalidInput(message.str());
    }
    if (i > 0 && times[i] <= times[i - 1]) {
      message << "The times of a table must increase: entry " << i << " is at " << times[i]
              << " s, the entry before it at " << times[i - 1]
              << " s. Sort the entries, and replace a jump by a short ramp.";
      throw InvalidInput(message.str());
    }
  }
  if (beyond == BeyondTable::repeat && (times.size() < 2 || values.front() != values.back())) {
    message << "A table that repeats must have at least two entries, and its first value must equal its last "
               "value; the table has "
            << times.size() << " entries with the values from " << values.front() << " to " << values.back()
            << '.';
    throw InvalidInput(message.str());
  }
}

}  // namespace

ScalarFunction::ScalarFunction(std::shared_ptr<const Implementation> implementation)
    : implementation_(std::move(implementation)) {}

ScalarFunction::ScalarFunction(double constant) : implementation_(std::make_shared<Constant>(constant)) {
  if (!std::isfinite(constant)) {
    throw InvalidInput("A constant function of time must be a finite number; the given number is " +
                       implementation_->description + ".");
  }
}

ScalarFunction::ScalarFunction(std::function<double(double)> value, std::function<double(double)> derivative)
    : implementation_(std::make_shared<Function>(std::move(value), std::move(derivative))) {}

ScalarFunction ScalarFunction::table(std::vector<double> times, std::vector<double> values,
                                     BeyondTable beyond) {
  check_table(times, values, beyond);
  return ScalarFunction(std::make_shared<Table>(std::move(times), std::move(values), beyond));
}

ScalarFunction ScalarFunction::expression(const std::string& formula) {
  return ScalarFunction(std::make_shared<Expression>(formula));
}

template <class Evaluation>
auto ScalarFunction::evaluate_with_place(const Evaluation& evaluation) const {
  try {
    return evaluation();
  } catch (const TimeOutsideTable& error) {
    throw_undefined(error.what());
  }
}

double ScalarFunction::operator()(double time) const {
  return evaluate_with_place([&] { return require_finite(implementation_->value(time), "The ", time); });
}

double ScalarFunction::derivative(double time) const {
  return evaluate_with_place(
      [&] { return require_finite(implementation_->derivative(time), "The derivative of the ", time); });
}

ScalarFunction ScalarFunction::placed_at(std::string place) const {
  ScalarFunction placed = *this;
  placed.place_ = std::move(place);
  return placed;
}

void ScalarFunction::throw_undefined(const std::string& reason) const {
  throw UndefinedFunction(place_, reason);
}

double ScalarFunction::require_finite(double number, const char* what, double time) const {
  if (!std::isfinite(number)) {
    std::ostringstream message;
    message << what << "function of time \"" << implementation_->description << "\" is ";
    if (std::isnan(number))
      message << "not a number";
    else
      message << number;
    message << " at t = " << time << " s. Give a function that is finite at all times of the run.";
    throw_undefined(message.str());
  }
  return number;
}

bool ScalarFunction::is_constant() const {
  return implementation_->is_constant();
}

bool ScalarFunction::is_multiple_of(const ScalarFunction& other, double factor) const {
  return implementation_->is_multiple_of(*other.implementation_, factor);
}

double ScalarFunction::second_derivative(double time) const {
  return evaluate_with_place([&] {
    return require_finite(implementation_->second_derivative(time), "The second derivative of the ", time);
  });
}

double ScalarFunction::size(double time) const {
  return evaluate_with_place(
      [&] { return require_finite(implementation_->size(time), "The size of the terms of the ", time); });
}

bool ScalarFunction::is_differentiated_exactly() const {
  return implementation_->is_differentiated_exactly();
}

SmoothInterval SmoothInterval::shorter(const SmoothInterval& a, const SmoothInterval& b) {
  if (a.end == b.end) return {a.end, std::max(a.next, b.next), a.ends_abruptly || b.ends_abruptly};
  return a.end < b.end ? a : b;
}

SmoothInterval ScalarFunction::smooth_interval(double begin, double end, double shortest) const {
  return evaluate_with_place([&] { return implementation_->smooth_interval(begin, end, shortest); });
}

const std::string& ScalarFunction::description() const {
  return implementation_->description;
}

}  // namespace halfdof
