// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/integrators/step_iteration.h>
#include <halfdof/linear_algebra/entries.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace halfdof::internal {

namespace {

/// Changes up to this multiple of the measured rounding errors count as rounding.
constexpr double rounding_multiple = 32;

}  // namespace

StepIteration::StepIteration(const NewtonOptions& options, const Communicator& communicator,
                             std::function<std::string()> what, std::vector<Vector> begin)
    : options_(options),
      communicator_(communicator),
      subject_(std::move(what)),
      last_trial_(std::move(begin)),
      changes_(last_trial_.size(), 0.),
      rounding_(last_trial_.size(), 0.) {
  for (const Vector& part : last_trial_)
    largest_.push_back(largest_entry(part));
  communicator_.max(largest_.data(), static_cast<int>(largest_.size()));
}

/// Returns the largest difference between the entries of this trial and of the last trial, for each part.
std::vector<double> StepIteration::changes(const std::vector<Vector>& trial) const {
  std::vector<double> largest;
  for (std::size_t k = 0; k < trial.size(); ++k)
    largest.push_back(largest_entry(trial[k] - last_trial_[k]));
  communicator_.max(largest.data(), static_cast<int>(largest.size()));
  return largest;
}

/// Returns the largest of the last changes of all parts, each relative to the largest entry of its part so
/// far. Changes that count as rounding are left out.
double StepIteration::change() const {
  double relative = 0;
  for (std::size_t k = 0; k < changes_.size(); ++k) {
    if (!std::isfinite(changes_[k])) return changes_[k];
    if (changes_[k] > rounding_[k]) relative = std::max(relative, changes_[k] / largest_[k]);
  }
  return relative;
}

StepIteration::Decision StepIteration::decide_after_trial(std::vector<Vector> trial) {
  changes_ = changes(trial);
  std::vector<double> sizes;
  for (const Vector& part : trial)
    sizes.push_back(largest_entry(part));
  communicator_.max(sizes.data(), static_cast<int>(sizes.size()));
  for (std::size_t k = 0; k < sizes.size(); ++k)
    largest_[k] = std::max(largest_[k], sizes[k]);
  last_trial_ = std::move(trial);

  const double now = change();
  if (now <= options_.tolerance) return Decision::converged;
  if (++n_trials_ >= options_.max_iterations || !std::isfinite(now))
    throw NoConvergence(
        subject_() + " was not solved in " + std::to_string(n_trials_) + " iterations: the last change was " +
            number_text(now) +
            " times the largest displacement, velocity or reaction. Check the tangents of the state force, "
            "or give a shorter time step.",
        now);
  const bool is_slow = now > options_.slow * previous_change_;
  previous_change_ = is_slow ? std::numeric_limits<double>::infinity() : now;
  if (!is_slow) return Decision::repeat;
  return has_rounding_ ? Decision::update_tangents : Decision::measure_rounding;
}

StepIteration::Decision StepIteration::decide_after_rounding_trial(const std::vector<Vector>& trial) {
  rounding_ = changes(trial);
  for (double& rounding : rounding_)
    rounding *= rounding_multiple;
  has_rounding_ = true;
  return change() <= options_.tolerance ? Decision::repeat : Decision::update_tangents;
}

Vector perturbed_by_rounding(Vector values) {
  for (Index i = 0; i < values.size(); ++i)
    values[i] *= 1 + (i % 2 == 0 ? 1 : -1) * std::numeric_limits<double>::epsilon();
  return values;
}

}  // namespace halfdof::internal
