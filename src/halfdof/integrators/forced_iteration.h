#pragma once

#include <halfdof/base/errors.h>
#include <halfdof/integrators/condensed_inclusions.h>

#include <limits>
#include <vector>

namespace halfdof {

/// The tangents of a system with a StateForce do not serve: the event-driven integrator takes those at a
/// state near the one that is looked for. Once it has, nothing but the iteration itself is to blame.
class SlowTangents : public NoConvergence {
 public:
  SlowTangents(double time, Vector y, Vector r, double change);

  /// Where to take others: [s], a state, and the reactions there.
  double time() const { return time_; }
  const Vector& y() const { return y_; }
  const Vector& r() const { return r_; }

 private:
  double time_;
  Vector y_, r_;
};

/**
 * What a state force does, CondensedInclusions::forced, depends on the states and reactions that it leads to.
 * Both are met in turns,
 * @f[ (y, r)^{k+1} = \text{motion under}\ \text{forced}(t, y^k, r^k), @f]
 * at one instant or at several together: Newton's method with tangents that are kept, whose limit obeys the
 * equations themselves. Linear systems are met once.
 */
class ForcedIteration {
 public:
  /// @param Y,R A guess: states and reactions, one column for each time
  ForcedIteration(const CondensedInclusions& condensed, Vector times, MultiVector Y, MultiVector R);

  /// What to meet them with.
  const std::vector<CondensedInclusions::Forced>& forced() const { return forced_; }

  /**
   * Looks at what was met with forced(), and replaces that by what acts there.
   * @return whether it is to be met again: it changes by more than a hundredth of NewtonOptions::tolerance,
   * relative to the largest term of the same kind; or, where rounding lets it become no smaller, by more than
   * that
   * @throws SlowTangents
   */
  bool again(const MultiVector& Y, const MultiVector& R);

  /// The largest ratio of one change to that before.
  double contraction() const { return contraction_; }

 private:
  std::vector<CondensedInclusions::Forced> acting(const MultiVector& Y, const MultiVector& R) const;
  double change_to(const std::vector<CondensedInclusions::Forced>& next, const MultiVector& Y,
                   const MultiVector& R) const;

  const CondensedInclusions& condensed_;
  Vector times_;
  MultiVector first_Y_, first_R_;
  std::vector<CondensedInclusions::Forced> forced_;
  double before_ = std::numeric_limits<double>::infinity(), contraction_ = 0;
  int n_turns_ = 0;
};

}  // namespace halfdof
