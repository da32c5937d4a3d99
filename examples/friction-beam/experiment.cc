// SPDX-License-Identifier: LGPL-2.1-or-later
#include "experiment.h"

#include <halfdof/integrators/nonsmooth/implicit_methods.h>
#include <halfdof/spectrum/nearest_eigenvalues.h>

#include <cmath>

using namespace halfdof;

namespace {

constexpr double loop_step = 20, wave_step = 50e-6;  // [s]
constexpr double pi = 3.14159265358979323846;

}  // namespace

template <class LinearAlgebra>
Experiment<LinearAlgebra>::Experiment(const std::string& mesh, unsigned int n_refinements,
                                      const std::optional<std::string>& folder)
    : folder_(folder),
      beam_(mesh, n_refinements),
      reduced_(reduce_beam(beam_.stiffness, beam_.constraints)) {}

template <class LinearAlgebra>
auto Experiment<LinearAlgebra>::reduce_beam(const typename LinearAlgebra::Matrix& stiffness,
                                            const dealii::AffineConstraints<double>& constraints) const
    -> Reduced {
  Vector load = beam_.unit_pressure;
  load *= pressure;
  DealIIOptions<typename LinearAlgebra::Matrix> details;
  details.component_names = {"x", "y"};
  return reduce(assembled_from_dealii(beam_.mass, beam_.damping, stiffness, constraints, {load},
                                      beam_.dof_handler, beam_.mapping, details));
}

template <class LinearAlgebra>
auto Experiment<LinearAlgebra>::displacement(const Observation& now) const -> Vector {
  Vector field = reduced_.assembled_from_dealii().origin().zero;
  reduced_.assembled_from_dealii().lift_into(field, now.lift().displacement);
  return field;
}

template <class LinearAlgebra>
Progress Experiment<LinearAlgebra>::progress(const std::string& title, double end) const {
  ProgressOptions options;
  const bool shows = folder_ && reduced_.communicator().rank() == 0;
  options.display = shows ? ProgressDisplay::terminal : ProgressDisplay::never;
  return Progress(title, end, options);
}

template <class LinearAlgebra>
Loop Experiment<LinearAlgebra>::loop(std::ostream& out) {
  const double far = quarter_time, near = far + period / 2, end = far + period;
  const Rubs rubs(beam_, reduced_,
                  ScalarFunction::table({0., first_time, far, near, end},
                                        {0., first_displacement, amplitude, -amplitude, amplitude}));
  out << rubs.summary();
  NonsmoothEuler<typename Rubs::Engine> integrator(rubs.inclusions(), rubs.outcome(), loop_step);
  Progress shown = progress("to and fro", end);
  Loop result;
  result.run = rubs.run(integrator, end, [&](const Observation& now) {
    shown.update(now.time());
    if (now.time() == far) result.clamp_at_far_end = beam_.clamping_force(displacement(now), pressure);
    if (now.time() == near) result.clamp_at_near_end = beam_.clamping_force(displacement(now), pressure);
  });
  shown.finish();
  return result;
}

template <class LinearAlgebra>
Run Experiment<LinearAlgebra>::waves(double end_time) {
  const Rubs rubs(beam_, reduced_, {[](double t) { return -speed * t; }, [](double) { return -speed; }});
  MoreauJean<typename Rubs::Engine> integrator(rubs.inclusions(), rubs.outcome(), wave_step);
  Progress shown = progress("steadily", end_time);
  unsigned int n_steps = 0, n_files = 0;
  const Run run = rubs.run(integrator, end_time, [&](const Observation& now) {
    shown.update(now.time());
    // Files are written for the last burst of waves, two per millisecond.
    if (folder_ && now.time() > 0.7 * end_time && n_steps % 10 == 0)
      beam_.write_vtu(displacement(now), rubs.contact_field(rubs.instant(now)), *folder_, n_files++,
                      now.time());
    ++n_steps;
  });
  shown.finish();
  return run;
}

template <class LinearAlgebra>
std::vector<Complex> Experiment<LinearAlgebra>::sliding_eigenvalues() const {
  typename LinearAlgebra::Matrix sliding;
  beam_.assemble_sliding_stiffness(friction_coefficient, sliding);
  const auto constraints = beam_.touching();
  return nearest_eigenvalues(reduce_beam(sliding, constraints), 12, Complex(0., 2 * pi * 1000)).eigenvalues;
}

template class Experiment<SerialLinearAlgebra>;
template class Experiment<DistributedLinearAlgebra>;
