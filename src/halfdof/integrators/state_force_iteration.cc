// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/number_text.h>
#include <halfdof/integrators/run_checks.h>
#include <halfdof/integrators/state_force_iteration.h>
#include <halfdof/linear_algebra/entries.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace halfdof::internal {

namespace {

/// Ratio of the tolerance of the iteration to NewtonOptions::tolerance. Errors of steps are estimated from
/// differences of states, so that the iteration has to be more exact than the states.
constexpr double tolerance_factor = 1e-2;

using LoadTerms = CondensedInclusions::LoadTerms;

MultiVector side_by_side(const std::vector<LoadTerms>& load_terms, Vector LoadTerms::*part) {
  MultiVector columns((load_terms.front().*part).size(), static_cast<Index>(load_terms.size()));
  for (std::size_t i = 0; i < load_terms.size(); ++i)
    columns.col(static_cast<Index>(i)) = load_terms[i].*part;
  return columns;
}

}  // namespace

SlowTangents::SlowTangents(double time, Vector y, Vector r, double change)
    : NoConvergence(
          "The event-driven step at " + seconds(time) +
              " was not solved with its state force: the last change of the terms of this force was " +
              number_text(change) +
              " times the largest term. Check the tangents of the state force, or use "
              "the Moreau-Jean integrator.",
          change),
      time_(time),
      y_(std::move(y)),
      r_(std::move(r)) {}

StateForceIteration::StateForceIteration(const CondensedInclusions& condensed, Vector times, MultiVector Y,
                                         MultiVector R)
    : condensed_(condensed),
      times_(std::move(times)),
      first_Y_(std::move(Y)),
      first_R_(std::move(R)),
      load_terms_(terms_at(first_Y_, first_R_)) {}

std::vector<LoadTerms> StateForceIteration::terms_at(const MultiVector& Y, const MultiVector& R) const {
  std::vector<LoadTerms> load_terms;
  for (Index i = 0; i < static_cast<Index>(times_.size()); ++i)
    load_terms.push_back(condensed_.load_terms(times_[i], Y.col(i), R.col(i)));
  return load_terms;
}

/// Returns the largest relative change of the terms of the load. Changes are relative to the largest term of
/// the same kind; the kinds are rates of viscous DoFs, accelerations of inertial DoFs, and displacements,
/// rates and accelerations of the directions.
double StateForceIteration::change_to(const std::vector<LoadTerms>& next, const MultiVector& Y,
                                      const MultiVector& R) const {
  const Index n = condensed_.n_states(), n_I = condensed_.n_velocities, n_C = n - 2 * n_I;
  const MultiVector size_Y = Y.cwiseAbs(), size_R = R.cwiseAbs();
  double largest = 0;
  const auto compare = [&](Vector LoadTerms::*part, const MultiVector& A, const MultiVector& B, Index first,
                           Index n_rows) {
    const MultiVector to = side_by_side(next, part).middleRows(first, n_rows),
                      from = side_by_side(load_terms_, part).middleRows(first, n_rows),
                      terms = A.middleRows(first, n_rows).cwiseAbs() * size_Y +
                              B.middleRows(first, n_rows).cwiseAbs() * size_R + to.cwiseAbs();
    if (const double change = largest_entry(to - from); change != 0)
      largest = std::max(largest, change / largest_entry(terms));
    if (!to.allFinite()) largest = std::numeric_limits<double>::infinity();
  };
  compare(&LoadTerms::y_rate, condensed_.A, condensed_.B_H, n_I, n_C);
  compare(&LoadTerms::y_rate, condensed_.A, condensed_.B_H, n_I + n_C, n_I);
  const Index m = condensed_.n_directions();
  compare(&LoadTerms::s, condensed_.S_K, condensed_.W.K, 0, m);
  compare(&LoadTerms::w, condensed_.S_C, condensed_.W.C, 0, m);
  compare(&LoadTerms::a, condensed_.S_I, condensed_.W.I, 0, m);
  return largest;
}

bool StateForceIteration::must_repeat(const MultiVector& Y, const MultiVector& R) {
  if (!condensed_.newton) return false;
  const NewtonOptions& newton = *condensed_.newton;
  // A slow iteration requires new tangents. If the iteration converges, these are computed at the present
  // iterate at the middle instant, otherwise at the first guess at the first instant.
  const auto slow = [&](bool converges, double change) {
    const Index i = converges ? static_cast<Index>(times_.size()) / 2 : 0;
    return SlowTangents(times_[i], (converges ? Y : first_Y_).col(i), (converges ? R : first_R_).col(i),
                        change);
  };
  if (!Y.allFinite() || !R.allFinite()) throw slow(false, std::numeric_limits<double>::infinity());
  std::vector<LoadTerms> next = terms_at(Y, R);
  const double now = change_to(next, Y, R), ratio = now / previous_change_;
  load_terms_ = std::move(next);
  previous_change_ = now;
  if (!std::isfinite(now)) throw slow(false, now);
  const bool is_slow = ratio > newton.slow;
  if (now <= tolerance_factor * newton.tolerance || (now <= newton.tolerance && is_slow)) return false;
  contraction_ = std::max(contraction_, ratio);
  if (is_slow || ++n_passes_ >= newton.max_iterations) throw slow(ratio < 1 || times_.size() == 1, now);
  return true;
}

}  // namespace halfdof::internal
