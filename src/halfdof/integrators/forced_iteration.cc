// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/number_text.h>
#include <halfdof/integrators/forced_iteration.h>
#include <halfdof/integrators/run_checks.h>
#include <halfdof/linear_algebra/entries.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace halfdof::internal {

namespace {

/// Factor of the tolerance for the iteration. Errors of steps are estimated from differences, so that the
/// iteration has to be more exact than the states.
constexpr double sharper = 1e-2;

using Forced = CondensedInclusions::Forced;

MultiVector side_by_side(const std::vector<Forced>& forced, Vector Forced::*part) {
  MultiVector columns((forced.front().*part).size(), static_cast<Index>(forced.size()));
  for (std::size_t i = 0; i < forced.size(); ++i)
    columns.col(static_cast<Index>(i)) = forced[i].*part;
  return columns;
}

}  // namespace

SlowTangents::SlowTangents(double time, Vector y, Vector r, double change)
    : NoConvergence(
          "The event-driven step at " + seconds(time) +
              " was not solved with its state force: the last change of the terms of this force was " +
              number_text(change) +
              " of the largest term. Check the tangents of the state force, or take Moreau-Jean.",
          change),
      time_(time),
      y_(std::move(y)),
      r_(std::move(r)) {}

ForcedIteration::ForcedIteration(const CondensedInclusions& condensed, Vector times, MultiVector Y,
                                 MultiVector R)
    : condensed_(condensed),
      times_(std::move(times)),
      first_Y_(std::move(Y)),
      first_R_(std::move(R)),
      forced_(acting(first_Y_, first_R_)) {}

std::vector<Forced> ForcedIteration::acting(const MultiVector& Y, const MultiVector& R) const {
  std::vector<Forced> forced;
  for (Index i = 0; i < static_cast<Index>(times_.size()); ++i)
    forced.push_back(condensed_.forced(times_[i], Y.col(i), R.col(i)));
  return forced;
}

/// Returns the largest relative change of the terms of the load, each relative to the largest term of its
/// kind: rates of viscous DoFs, accelerations of inertial ones, and s, w and a of the directions.
double ForcedIteration::change_to(const std::vector<Forced>& next, const MultiVector& Y,
                                  const MultiVector& R) const {
  const Index n = condensed_.n_states(), n_I = condensed_.n_velocities, n_C = n - 2 * n_I;
  const MultiVector size_Y = Y.cwiseAbs(), size_R = R.cwiseAbs();
  double largest = 0;
  const auto compare = [&](Vector Forced::*part, const MultiVector& A, const MultiVector& B, Index first,
                           Index n_rows) {
    const MultiVector to = side_by_side(next, part).middleRows(first, n_rows),
                      from = side_by_side(forced_, part).middleRows(first, n_rows),
                      terms = A.middleRows(first, n_rows).cwiseAbs() * size_Y +
                              B.middleRows(first, n_rows).cwiseAbs() * size_R + to.cwiseAbs();
    if (const double change = largest_entry(to - from); change != 0)
      largest = std::max(largest, change / largest_entry(terms));
    if (!to.allFinite()) largest = std::numeric_limits<double>::infinity();
  };
  compare(&Forced::y_rate, condensed_.A, condensed_.B_H, n_I, n_C);
  compare(&Forced::y_rate, condensed_.A, condensed_.B_H, n_I + n_C, n_I);
  const Index m = condensed_.n_directions();
  compare(&Forced::s, condensed_.S_K, condensed_.W.K, 0, m);
  compare(&Forced::w, condensed_.S_C, condensed_.W.C, 0, m);
  compare(&Forced::a, condensed_.S_I, condensed_.W.I, 0, m);
  return largest;
}

bool ForcedIteration::again(const MultiVector& Y, const MultiVector& R) {
  if (!condensed_.newton) return false;
  const NewtonOptions& newton = *condensed_.newton;
  // A slow iteration requests new tangents: if it converges, at its present iterate at the middle instant;
  // otherwise at the first guess at the first instant.
  const auto slow = [&](bool converges, double change) {
    const Index i = converges ? static_cast<Index>(times_.size()) / 2 : 0;
    return SlowTangents(times_[i], (converges ? Y : first_Y_).col(i), (converges ? R : first_R_).col(i),
                        change);
  };
  if (!Y.allFinite() || !R.allFinite()) throw slow(false, std::numeric_limits<double>::infinity());
  std::vector<Forced> next = acting(Y, R);
  const double now = change_to(next, Y, R), ratio = now / before_;
  forced_ = std::move(next);
  before_ = now;
  if (!std::isfinite(now)) throw slow(false, now);
  const bool is_slow = ratio > newton.slow;
  if (now <= sharper * newton.tolerance || (now <= newton.tolerance && is_slow)) return false;
  contraction_ = std::max(contraction_, ratio);
  if (is_slow || ++n_turns_ >= newton.max_iterations) throw slow(ratio < 1 || times_.size() == 1, now);
  return true;
}

}  // namespace halfdof::internal
