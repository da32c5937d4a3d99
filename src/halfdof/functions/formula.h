// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <memory>
#include <string>

namespace halfdof::internal {

/// The value of a function of time and its first two derivatives from the right, at one instant.
struct TimeDerivatives {
  double value, rate, second;
};

/**
 * A formula in t, parsed into a tree, so that it can be differentiated exactly and bounded over an interval
 * (TaylorSeries). muParser must have read the formula without an error before. The grammar is that of
 * muParser: the operator c ? a : b binds weakest, then follow ||, &&, comparisons, + and -, * and / with
 * signs, and ^, which associates from right to left.
 */
class Formula {
 public:
  /// Parses the formula. @throws InvalidInput if it contains a function that this class does not implement
  explicit Formula(const std::string& text);

  /// Returns the value and the derivatives from the right. At a kink or a jump (abs, min, max, sign, rint,
  /// comparisons), the branch just after `time` is taken, without a tolerance. A derivative that is infinite
  /// or undefined is NaN.
  TimeDerivatives derivatives(double time) const;

  /**
   * Returns whether the polynomial of degree seven through eight nodes of an interval is certain to
   * approximate the formula there to 1e-6 of its values, or to their rounding errors if these are larger. The
   * eighth Taylor coefficient is bounded over the interval, so that no pulse is missed, however short it is.
   * The result is false if the interval contains a kink or a jump.
   */
  bool is_resolved(double begin, double end) const;

  /// Returns a bound of the rounding error of the value, if each operation has a relative error of one
  /// machine epsilon, and the time and the numbers are exact. Returns zero if the bound would not be finite,
  /// near a jump or a pole.
  double rounding(double time) const;

  /// A node of the tree: a number, the time, or a function of other nodes.
  class Node;

 private:
  std::shared_ptr<const Node> root_;
};

}  // namespace halfdof::internal
