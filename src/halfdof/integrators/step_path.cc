#include <halfdof/integrators/nonsmooth_integrator.h>
#include <halfdof/integrators/step_path.h>
#include <halfdof/linear_algebra/instantiate.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace halfdof {

namespace {

/// What is prescribed at the end of a step, seen from within: there the last node lies a little ahead of it,
/// and over a short step the difference counts.
void extrapolate_to_end(const std::vector<NonsmoothState>& states, double end, MultiVector& prescribed) {
  const auto last = static_cast<Index>(prescribed.cols()) - 1;
  const double t_before = states[static_cast<std::size_t>(last - 1)].time,
               t_last = states[static_cast<std::size_t>(last)].time;
  if (!(t_before < t_last)) return;
  prescribed.col(last) +=
      (end - t_last) / (t_last - t_before) * (prescribed.col(last) - prescribed.col(last - 1));
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
  // A step that ends with a kink or a jump ends behind it.
  const double last = now.time() - 512 * std::numeric_limits<double>::epsilon() * std::abs(now.time());
  StepPath path;
  path.length = now.time() - begin;
  path.holds_jump = degree == 0;
  for (MultiVector* of_directions : {&path.prescribed, &path.r, &path.w})
    of_directions->resize(m, n);
  for (Index i = 0; i < n; ++i) {
    const double theta = degree == 0 ? 0. : RadauNodes::get().nodes()[i];
    NonsmoothState state = step->integrator.interpolate(step->begin, step->end, theta);
    state.time = std::max(begin, std::min(state.time, last));
    const Vector q = reduced.free().restrict(inclusions.lift(state, state.r).displacement),
                 load = reduced.load(state, inclusions.H().force(state.r));
    if (i == 0) {
      path.q.resize(q.size(), n);
      path.load.resize(load.size(), n);
    }
    path.q.col(i) = q;
    path.load.col(i) = load;
    path.prescribed.col(i) = inclusions.prescribed(state.time);
    path.r.col(i) = state.r;
    path.w.col(i) = degree == 0 ? Vector::Zero(m) : state.w;
    path.states.push_back(std::move(state));
  }
  if (degree != 0) extrapolate_to_end(path.states, now.time(), path.prescribed);
  path.s = inclusions.H().components(path.q);
  return path;
}

template std::optional<StepPath> path_from(double begin, const NonsmoothObservation<InstantiatedEngine>&,
                                           const ReducedSystem<InstantiatedEngine>&);

}  // namespace halfdof
