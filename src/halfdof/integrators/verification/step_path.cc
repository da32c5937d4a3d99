// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/free_system.h>
#include <halfdof/integrators/nonsmooth/nonsmooth_integrator.h>
#include <halfdof/integrators/verification/step_path.h>
#include <halfdof/linear_algebra/instantiate.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

namespace halfdof::internal {

namespace {

/// Returns the value at the end of a step of a function that depends on the time and on the state at the end.
/// The value is extrapolated from two times just before the end, so that a jump at the end is not included.
/// Without this extrapolation, displacements that follow the loads immediately would have the values of an
/// earlier time than the reactions, which matters in a short step.
Vector at_end_from_within(const std::function<Vector(double time)>& value, double begin, double last,
                          double end) {
  const double before = last - (end - last);
  if (before < begin) return value(last);
  return 2 * value(last) - value(before);
}

/// Allowed deviations of smooth functions from the polynomial through the nodes. The tolerance `smooth` is
/// relative to the largest value of the same entry, and `rounding_of_path` is relative to the largest value
/// of all entries.
constexpr double smooth = 1e-9, rounding_of_path = 64 * std::numeric_limits<double>::epsilon();

/// Returns whether a function of time differs from the polynomial through its values at the nodes of a step.
/// Functions may be collective: all processes evaluate them at the same times.
bool contains_kink(const std::function<Vector(double time)>& value, double begin, double last) {
  const Vector& nodes = RadauNodes::get().nodes();
  const auto at = [&](double theta) { return value(begin + theta * (last - begin)); };
  MultiVector values, missed;
  for (Index i = 0; i < RadauNodes::n_nodes; ++i) {
    const Vector here = at(nodes[i]);
    if (i == 0) values.resize(here.size(), RadauNodes::n_nodes);
    values.col(i) = here;
  }
  missed.resize(values.rows(), RadauNodes::n_nodes - 1);
  for (Index i = 0; i + 1 < RadauNodes::n_nodes; ++i) {
    const double theta = 0.5 * (nodes[i] + nodes[i + 1]);
    missed.col(i) = values * RadauNodes::get().basis(theta) - at(theta);
  }
  if (values.size() == 0) return false;
  const Vector sizes = values.cwiseAbs().rowwise().maxCoeff();
  const Vector allowed = (smooth * sizes).array() + rounding_of_path * sizes.maxCoeff();
  return (missed.cwiseAbs().rowwise().maxCoeff().array() > allowed.array()).any();
}

}  // namespace

template <class Engine>
std::optional<StepPath> path_from(double begin, const NonsmoothObservation<Engine>& now,
                                  const ReducedSystem<Engine>& reduced) {
  const auto* step = now.step();
  if (step == nullptr || step->begin.time != begin || step->end.time != now.time() || now.time() == begin)
    return std::nullopt;
  const int degree = step->integrator.dense_output_degree();
  if (degree != 0 && degree < RadauNodes::n_stages) return std::nullopt;
  const Inclusions<Engine>& inclusions = now.inclusions();
  const Index n = RadauNodes::n_nodes, m = inclusions.n_directions();
  // A step that ends at a kink or a jump may end just after the kink, so that the last time is just before
  // the end.
  const double last = now.time() - 512 * std::numeric_limits<double>::epsilon() * std::abs(now.time());
  StepPath path;
  if (degree == NonsmoothIntegrator<Engine>::no_polynomial) {
    const bool in_load = contains_kink([&](double t) { return reduced.linear_load(t); }, begin, last),
               in_motion = contains_kink([&](double t) { return inclusions.prescribed(t); }, begin, last);
    path.contains_kink = reduced.communicator().any(in_load || in_motion);
    path.obeys_laws = false;
  }
  path.length = now.time() - begin;
  path.contains_jump = degree == 0;
  for (MultiVector* of_directions : {&path.prescribed, &path.r, &path.w})
    of_directions->resize(m, n);
  for (Index i = 0; i < n; ++i) {
    const double theta = degree == 0 ? 0. : RadauNodes::get().nodes()[i];
    NonsmoothState state = step->integrator.interpolate(step->begin, step->end, theta);
    const double time = std::max(begin, std::min(state.time, last));
    const auto evaluate = [&](const auto& value) -> Vector {
      const auto at = [&](double t) -> Vector {
        NonsmoothState then = state;
        then.time = t;
        return value(then);
      };
      return degree != 0 && i + 1 == n ? at_end_from_within(at, begin, time, now.time()) : at(time);
    };
    const Vector q = evaluate([&](const NonsmoothState& at) {
      return reduced.free().restrict(inclusions.lift(at, at.r).displacement);
    });
    const Vector load =
        evaluate([&](const NonsmoothState& at) { return reduced.load(at, inclusions.H().force(at.r)); });
    if (i == 0) {
      path.q.resize(q.size(), n);
      path.load.resize(load.size(), n);
    }
    path.q.col(i) = q;
    path.load.col(i) = load;
    path.prescribed.col(i) =
        evaluate([&](const NonsmoothState& at) { return inclusions.prescribed(at.time); });
    state.time = time;
    path.r.col(i) = state.r;
    path.w.col(i) = degree == 0 ? Vector::Zero(m) : state.w;
    path.states.push_back(std::move(state));
  }
  path.s = inclusions.H().components(path.q);
  return path;
}

template std::optional<StepPath> path_from(double begin, const NonsmoothObservation<InstantiatedEngine>&,
                                           const ReducedSystem<InstantiatedEngine>&);

}  // namespace halfdof::internal
