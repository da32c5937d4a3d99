// SPDX-License-Identifier: LGPL-2.1-or-later
#include "state_force.h"

#include <memory>

namespace halfdof::python {

namespace {

/// Calls the Python function. The library asks for the force and for its tangents at the same motion
/// separately, and the function returns both: the last result is kept.
class PythonForce {
 public:
  explicit PythonForce(py::object function) : function_(std::move(function)) {}

  Vector force(double time, const AssembledMotion& motion) { return at(time, motion)->force; }
  Tangents<Engine> tangents(double time, const AssembledMotion& motion) { return at(time, motion)->tangents; }

 private:
  struct Result {
    double time;
    Vector displacement, rate, force;
    Tangents<Engine> tangents;
  };

  std::shared_ptr<const Result> at(double time, const AssembledMotion& motion) {
    const py::gil_scoped_acquire gil;
    if (last_ && last_->time == time && last_->displacement == motion.displacement &&
        last_->rate == motion.rate)
      return last_;
    const auto parts = function_.get()(motion.displacement, motion.rate, time).cast<py::tuple>();
    Result result{time, motion.displacement, motion.rate, parts[0].cast<Vector>(), {}};
    if (!parts[1].is_none()) result.tangents.stiffness = matrix_from(parts[1]);
    if (!parts[2].is_none()) result.tangents.damping = matrix_from(parts[2]);
    last_ = std::make_shared<const Result>(std::move(result));
    return last_;
  }

  HeldObject function_;
  std::shared_ptr<const Result> last_;  ///< Guarded by the GIL.
};

}  // namespace

StateForce<Engine> state_force_from(const py::object& given) {
  const auto parts = given.cast<py::tuple>();
  StateForce<Engine> force;
  const auto of_python = std::make_shared<PythonForce>(parts[0]);
  force.force = [of_python](double time, const AssembledMotion& motion) {
    return of_python->force(time, motion);
  };
  force.tangents = [of_python](double time, const AssembledMotion& motion) {
    return of_python->tangents(time, motion);
  };
  if (!parts[1].is_none()) force.pattern.damping = matrix_from(parts[1]);
  if (!parts[2].cast<bool>()) force.time_derivative = StateForce<Engine>::independent_of_time;
  return force;
}

}  // namespace halfdof::python
