#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/integrators/run_times.h>
#include <halfdof/integrators/step_iteration.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace halfdof {

namespace {

double largest_entry(const Vector& values) {
  return values.size() > 0 ? values.cwiseAbs().maxCoeff<Eigen::PropagateNaN>() : 0.;
}

}  // namespace

StepIteration::StepIteration(const NewtonOptions& options, const Communicator& communicator, std::string name,
                             double from, double to, std::vector<Vector> begin)
    : options_(options),
      communicator_(communicator),
      name_(std::move(name)),
      from_(from),
      to_(to),
      last_(std::move(begin)) {
  for (const Vector& part : last_)
    largest_.push_back(largest_entry(part));
  communicator_.max(largest_.data(), static_cast<int>(largest_.size()));
}

/// The largest of the changes since the last trial, each relative to the largest entry of its part so far.
double StepIteration::change(const std::vector<Vector>& trial) {
  std::vector<double> sizes, changes;
  for (std::size_t k = 0; k < trial.size(); ++k) {
    sizes.push_back(largest_entry(trial[k]));
    changes.push_back(largest_entry(trial[k] - last_[k]));
  }
  communicator_.max(sizes.data(), static_cast<int>(sizes.size()));
  communicator_.max(changes.data(), static_cast<int>(changes.size()));
  double relative = 0;
  for (std::size_t k = 0; k < trial.size(); ++k) {
    if (!std::isfinite(sizes[k])) return sizes[k];
    largest_[k] = std::max(largest_[k], sizes[k]);
    if (changes[k] > 0) relative = std::max(relative, changes[k] / largest_[k]);
  }
  return relative;
}

StepIteration::Verdict StepIteration::judge(std::vector<Vector> trial) {
  const double now = change(trial);
  if (++n_trials_ == options_.max_iterations || !std::isfinite(now))
    throw NoConvergence(
        "The " + name_ + " step from " + seconds(from_) + " to " + seconds(to_) + " was not solved in " +
            std::to_string(n_trials_) + " iterations: the last change was " + number_text(now) +
            " of the largest displacement, velocity or reaction. Check the tangents of the state "
            "force, or take shorter steps.",
        now);
  last_ = std::move(trial);
  if (now <= options_.tolerance) return Verdict::converged;
  const bool is_slow = now > options_.slow * before_;
  before_ = is_slow ? std::numeric_limits<double>::infinity() : now;
  return is_slow ? Verdict::renew_tangents : Verdict::repeat;
}

}  // namespace halfdof
