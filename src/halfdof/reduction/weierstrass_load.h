#pragma once

#include <halfdof/reduction/weierstrass_form.h>

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

namespace halfdof {

/// @f$ H(t) = L u(t) @f$ with the derivatives of u that are known. Nothing is ever differentiated
/// numerically.
struct DifferentiableLoad {
  MultiVector directions;                                       ///< L, order() x p
  std::vector<std::function<Vector(double time)>> derivatives;  ///< u, u', u'', ..., p entries each
};

/**
 * How many derivatives of u the solution needs for H = L u: the largest i with @f$ N^i Z_2 L \ne 0 @f$, and
 * zero if there is none. Loads on the finite part need none, whatever the index is.
 *
 * Entries below 1e-10 of what rounding can make of them count as zero. Shape: L is order() x p.
 * @throws InvalidInput unless it has order() rows
 */
Index n_derivatives_needed(const WeierstrassForm& form, ConstView<double> directions);

/**
 * The algebraic solution, equation (3) of WeierstrassForm,
 * @f[ v_2(t) = -\sum_{i=0}^{k-1} N^i Z_2 L\, u^{(i)}(t), @f]
 * with the products N^i Z_2 L made once.
 */
class AlgebraicSolution {
 public:
  /// @throws NotAvailable if derivatives that are needed were not given: how many
  /// @throws InvalidInput unless L has order() rows
  AlgebraicSolution(const WeierstrassForm& form, DifferentiableLoad load);

  /// v_2, n_infinite() entries. @throws InvalidInput if a derivative has the wrong length or is not finite
  Vector at(double time) const;

 private:
  DifferentiableLoad load_;
  std::vector<MultiVector> images_;
  Index n_infinite_;
};

/// An unknown whose given initial value the equations do not allow.
struct ValueChange {
  Index unknown;
  double given;
  double consistent;
  std::string name;
};

/**
 * An initial value made to obey the consistency condition (2.8) of Dumont et al., with our signs
 * @f[ (T^{-1} c)_2 = -\sum_i N^i Z_2 L\, u^{(i)}(t_0). @f]
 */
struct ConsistentValue {
  Vector x;                          ///< order() entries
  WeierstrassParts parts;            ///< T^{-1} x
  Vector residual;                   ///< left minus right side for the value given, n_infinite() entries
  std::vector<ValueChange> changes;  ///< those that count, largest first

  bool was_consistent() const { return changes.empty(); }
};

struct ConsistentValueOptions {
  /// A change counts above this times the largest entry or change, both in balanced coordinates.
  double tolerance = 1e-10;
  std::vector<std::string> names = {};  ///< of the unknowns; none: "unknown 3"
};

/**
 * Projects an initial value along the range of T_2: v_1 stays as given, v_2 becomes what the data demand. The
 * motion that follows is the one that the finite part of the given value belongs to.
 *
 * @param c x(t_0), order() entries
 * @throws InvalidInput, NotAvailable as AlgebraicSolution does
 */
ConsistentValue consistent_value(const WeierstrassForm& form, const Vector& c, const DifferentiableLoad& load,
                                 double time = 0, const ConsistentValueOptions& options = {});

/// One line for each of the largest changes, at most ten.
std::ostream& operator<<(std::ostream& out, const ConsistentValue& value);

}  // namespace halfdof
