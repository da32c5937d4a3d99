#include <halfdof/integrators/step_error.h>
#include <halfdof/linear_algebra/diagonal_of.h>
#include <halfdof/linear_algebra/instantiate.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace halfdof {

namespace {

/// Rounding of the terms of a balance.
constexpr double rounding = 64 * std::numeric_limits<double>::epsilon();

}  // namespace

template <class Engine>
StepError<Engine>::StepError(const ReducedSystem<Engine>& reduced)
    : reduced_(reduced),
      m_(diagonal_of<Engine>(reduced.free().M()).cwiseAbs()),
      c_(diagonal_of<Engine>(reduced.free().C()).cwiseAbs()),
      k_(diagonal_of<Engine>(reduced.free().K()).cwiseAbs()) {}

template <class Engine>
void StepError<Engine>::operator()(const SeenStep& step) {
  const FreeSystem<Engine>& system = reduced_.free();
  const double h = step.end - step.begin;
  const Vector mean = step.mean_q != nullptr
                          ? *step.mean_q
                          : Vector(0.5 * (step.q0 + step.q1) + h / 12 * (step.v0 - step.v1));
  Vector d = -step.load_impulse - step.impulse, size = step.load_impulse.cwiseAbs() + step.impulse_size;
  const auto add = [&](double factor, const auto& A, const Vector& x, const Vector& x_size) {
    A.add_product(factor, x, d);
    Vector of_A = Vector::Zero(d.size());
    A.add_product(factor, x_size, of_A);
    size += of_A.cwiseAbs();
  };
  add(1., system.M(), step.v1 - step.v0, step.v1.cwiseAbs() + step.v0.cwiseAbs());
  add(1., system.C(), step.q1 - step.q0, step.q1.cwiseAbs() + step.q0.cwiseAbs());
  add(h, system.K(), mean, mean.cwiseAbs());

  // The length of a step is the difference of two times.
  size *= rounding +
          std::numeric_limits<double>::epsilon() * std::max(std::abs(step.begin), std::abs(step.end)) / h;

  double of_error = 0, of_motion = 0;
  for (Index i = 0; i < d.size(); ++i) {
    const double weight = m_[i] + h * c_[i];
    if (weight == 0) continue;
    const double error =
        std::max(std::abs(d[i]) - size[i], 0.) / (m_[i] + 0.5 * h * c_[i] + 0.25 * h * h * k_[i]);
    of_error += weight * error * error;
    of_motion += weight * std::max(step.v0[i] * step.v0[i], step.v1[i] * step.v1[i]);
  }
  of_error = reduced_.communicator().sum(of_error);
  size_ = std::max({size_, reduced_.communicator().sum(of_motion), of_error});
  keep_larger({of_error, step.end, ""}, error_);
}

template <class Engine>
Violation StepError<Engine>::largest() const {
  Violation largest = error_;
  if (size_ > 0) largest.value = std::sqrt(largest.value / size_);
  return largest;
}

template class StepError<InstantiatedEngine>;

}  // namespace halfdof
