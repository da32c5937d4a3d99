// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/errors.h>
#include <halfdof/integrators/condensed_inclusions.h>

#include <limits>
#include <vector>

namespace halfdof::internal {

/// Thrown if the iteration of a system with a StateForce does not converge, or converges slowly, with the
/// present tangents. The event-driven integrator then takes the tangents at time(), y() and r().
class SlowTangents : public NoConvergence {
 public:
  SlowTangents(double time, Vector y, Vector r, double change);

  /// The time [s], the state and the reactions at which other tangents are to be taken.
  double time() const { return time_; }
  const Vector& y() const { return y_; }
  const Vector& r() const { return r_; }

 private:
  double time_;
  Vector y_, r_;
};

/**
 * The iteration for a system with a StateForce, whose terms CondensedInclusions::forced depend on the states
 * and reactions that are sought,
 * @f[ (y, r)^{k+1} = \text{motion under}\ \text{forced}(t, y^k, r^k), @f]
 * at one instant or at several together. It is Newton's method with constant tangents, and its limit obeys
 * the nonlinear equations. A linear system needs one pass. The caller computes the motion under forced() and
 * repeats that while again() returns true.
 */
class ForcedIteration {
 public:
  /// @param Y,R a guess of states and reactions, one column for each time
  ForcedIteration(const CondensedInclusions& condensed, Vector times, MultiVector Y, MultiVector R);

  /// The terms of the load with which the caller computes the next motion, one entry for each time.
  const std::vector<CondensedInclusions::Forced>& forced() const { return forced_; }

  /**
   * Evaluates forced() anew at the states and reactions that the caller has computed with it.
   * @return true if the motion has to be computed again, because forced() changed by more than a hundredth of
   * NewtonOptions::tolerance relative to the largest term of the same kind; or by more than the tolerance, if
   * the changes no longer become smaller
   * @throws SlowTangents
   */
  bool again(const MultiVector& Y, const MultiVector& R);

  /// The largest ratio of a change to the previous one.
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

}  // namespace halfdof::internal
