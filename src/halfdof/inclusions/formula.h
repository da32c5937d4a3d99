#pragma once

#include <memory>
#include <string>

namespace halfdof {

/// Value and derivatives of a function of time at an instant, from the right.
struct TimeDerivatives {
  double value, rate, second;
};

/**
 * A formula in t that muParser has read without an error, once more as a tree, so that it can be
 * differentiated exactly and be bounded over an interval (TaylorSeries). The grammar is that of muParser: c ?
 * a : b binds least, then ||, &&, comparisons, + -, * / with signs, and ^ from right to left.
 */
class Formula {
 public:
  /// @throws InvalidInput if it holds a function that this class does not know
  explicit Formula(const std::string& text);

  /// Without tolerance: kinks of abs, min, max, sign, rint and comparisons are decided for the time just
  /// behind.
  /// NaN where a derivative is infinite or undefined.
  TimeDerivatives derivatives(double time) const;

  /**
   * Whether the polynomial of degree seven through eight nodes of an interval is certain to meet the formula
   * there to 1e-6 of its values, or to what rounding leaves of them: the eighth Taylor coefficient is bounded
   * over the interval. No pulse, however short, is passed over. False where a kink or a jump lies inside.
   */
  bool is_resolved(double begin, double end) const;

  /// A bound of the rounding error of the value: each operation errs by one epsilon; t and numbers are exact.
  /// Zero where the bound meets a jump or a pole.
  double rounding(double time) const;

  /// A part of a formula.
  class Node;

 private:
  std::shared_ptr<const Node> root_;
};

}  // namespace halfdof
