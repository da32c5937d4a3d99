// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/errors.h>
#include <halfdof/integrators/condensed_inclusions.h>

#include <limits>
#include <vector>

namespace halfdof::internal {

/// The exception that is thrown if the iteration of a system with a StateForce does not converge, or
/// converges slowly, with the present tangents. The event-driven integrator then computes new tangents at
/// time(), y() and r().
class SlowTangents : public NoConvergence {
 public:
  SlowTangents(double time, Vector y, Vector r, double change);

  /// The time [s] at which new tangents have to be computed, with the state y() and the reactions r().
  double time() const { return time_; }
  const Vector& y() const { return y_; }
  const Vector& r() const { return r_; }

 private:
  double time_;
  Vector y_, r_;
};

/**
 * The iteration for a system with a StateForce, for which CondensedInclusions::load_terms depend on the
 * unknown states and reactions,
 * @f[ (y, r)^{k+1} = \text{motion under the load terms at}\ (t, y^k, r^k), @f]
 * at one instant or at several instants together. The iteration is a modified Newton's method with constant
 * tangents, and its limit obeys the nonlinear equations. A linear system needs one pass. The caller computes
 * the motion under load_terms(), and repeats this computation while must_repeat() returns true.
 */
class StateForceIteration {
 public:
  /// @param Y,R a guess of states and reactions, one column for each time
  StateForceIteration(const CondensedInclusions& condensed, Vector times, MultiVector Y, MultiVector R);

  /// The terms of the load with which the caller computes the next motion, one entry for each time.
  const std::vector<CondensedInclusions::LoadTerms>& load_terms() const { return load_terms_; }

  /**
   * Evaluates load_terms() at the states and reactions that the caller has computed with the former values.
   * @return true if the motion has to be computed once more, because load_terms() changed by more than a
   * hundredth of NewtonOptions::tolerance relative to the largest term of the same kind, or, if the changes
   * no longer become smaller, by more than the tolerance
   * @throws SlowTangents
   */
  bool must_repeat(const MultiVector& Y, const MultiVector& R);

  /// The largest ratio of a change to the change in the pass before.
  double contraction() const { return contraction_; }

 private:
  std::vector<CondensedInclusions::LoadTerms> terms_at(const MultiVector& Y, const MultiVector& R) const;
  double change_to(const std::vector<CondensedInclusions::LoadTerms>& next, const MultiVector& Y,
                   const MultiVector& R) const;

  const CondensedInclusions& condensed_;
  Vector times_;
  MultiVector first_Y_, first_R_;
  std::vector<CondensedInclusions::LoadTerms> load_terms_;
  double previous_change_ = std::numeric_limits<double>::infinity(), contraction_ = 0;
  int n_passes_ = 0;
};

}  // namespace halfdof::internal
