#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/integrators/energy.h>
#include <halfdof/linear_algebra/instantiate.h>

#include <optional>
#include <utility>

namespace halfdof {

namespace {

/// x^T A x over all processes.
template <class Matrix>
double quadratic_form(const Matrix& A, const Vector& x) {
  Vector Ax = Vector::Zero(x.size());
  A.add_product(1., x, Ax);
  return A.rows().communicator().sum(x.dot(Ax));
}

constexpr double symmetry_tolerance = 1e-10;  ///< relative to the column norms

template <class Engine>
void require_symmetric(const char* name, const typename Engine::Matrix& A) {
  const double asymmetry = Engine::asymmetry(A);
  if (asymmetry <= symmetry_tolerance) return;
  throw InvalidInput("An energy balance was asked for, but the matrix " + std::string(name) +
                     " is not symmetric (entries differ from their transposed ones by " +
                     number_text(asymmetry) +
                     " of the column norms): its forces have no energy. Leave the balance out.");
}

}  // namespace

template <class Engine>
bool EnergyBalance<Engine>::applies_to(const ReducedSystem<Engine>& reduced) {
  const double M = Engine::asymmetry(reduced.free().M()), C = Engine::asymmetry(reduced.free().C()),
               K = Engine::asymmetry(reduced.free().K());
  return M <= symmetry_tolerance && C <= symmetry_tolerance && K <= symmetry_tolerance;
}

template <class Engine>
EnergyBalance<Engine>::EnergyBalance(const ReducedSystem<Engine>& reduced, const Energies& so_far)
    : reduced_(reduced), energies_(so_far) {
  require_symmetric<Engine>("M", reduced.free().M());
  require_symmetric<Engine>("C", reduced.free().C());
  require_symmetric<Engine>("K", reduced.free().K());
}

template <class Engine>
void EnergyBalance<Engine>::operator()(const Observation<Engine>& now) {
  Point to;
  to.time = now.time();
  to.q = reduced_.free().restrict(now.lift().displacement);
  to.load = reduced_.load(now.state());
  if (has_begun_) add_means(to);
  conclude(now.state(), std::move(to));
}

template <class Engine>
void EnergyBalance<Engine>::operator()(const NonsmoothObservation<Engine>& now) {
  const NonsmoothState& state = now.state();
  const DirectionMatrix& H = now.inclusions().H();
  Point to;
  to.time = now.time();
  to.q = reduced_.free().restrict(now.lift().displacement);
  to.load = reduced_.load(state, H.force(state.r));
  to.impulse = state.impulse;
  to.s = H.components(to.q);
  to.w = H.components(reduced_.velocity_states(state.y));
  to.r = state.r;
  if (has_begun_) {
    const Vector impulse = add_impacts(now, to);
    if (const std::optional<StepPath> path = path_from(last_.time, now, reduced_)) {
      add_path(*path, to);
    } else {
      add_means(to);
      // Several points at one time: an impact between them.
      const Vector rates = to.time > last_.time ? Vector((to.s - last_.s) / (to.time - last_.time))
                                                : Vector(0.5 * (last_.w + to.w));
      energies_.reactions += impulse.dot(rates);
    }
  }
  conclude(state, std::move(to));
}

/// @return the impulses of the step but for those of impacts
template <class Engine>
Vector EnergyBalance<Engine>::add_impacts(const NonsmoothObservation<Engine>& now, const Point& to) {
  Vector impulse = to.impulse - last_.impulse;
  for (const ContactEvent& event : now.events()) {
    if (event.begin < last_.time) continue;  // spread over several steps
    const Index first = now.inclusions().first_direction(event.inclusion);
    for (Index k = 0; k < event.impulse.size(); ++k) {
      // Jumps of relative rates are those of the structure.
      const Index j = first + k;
      const double half_jump = 0.5 * (event.w_after[k] - event.w_before[k]);
      double rate = 0.5 * (last_.w[j] + to.w[j]);
      if (event.begin == event.end)
        rate = event.end > last_.time ? to.w[j] - half_jump : last_.w[j] + half_jump;
      energies_.reactions += event.impulse[k] * rate;
      impulse[j] -= event.impulse[k];
    }
  }
  return impulse;
}

/// Damping and loads over a step, from its ends.
template <class Engine>
void EnergyBalance<Engine>::add_means(const Point& to) {
  if (to.time <= last_.time) return;
  const Vector change = to.q - last_.q;
  energies_.dissipated += quadratic_form(reduced_.free().C(), change) / (to.time - last_.time);
  energies_.work += reduced_.communicator().sum((0.5 * (last_.load + to.load)).dot(change));
}

/// Displacements without mass or damping that jump with a load: K q = F + H r before and after.
template <class Engine>
void EnergyBalance<Engine>::add_jump(const Point& from, const Point& to) {
  energies_.work += reduced_.communicator().sum((0.5 * (from.load + to.load)).dot(to.q - from.q));
  energies_.reactions += 0.5 * (from.r + to.r).dot(to.s - from.s);
}

template <class Engine>
void EnergyBalance<Engine>::add_path(const StepPath& path, const Point& to) {
  const auto end_of_path = [&](Index i) {
    Point end;
    end.q = path.q.col(i);
    end.load = path.load.col(i);
    end.s = path.s.col(i);
    end.r = path.r.col(i);
    return end;
  };
  add_jump(last_, end_of_path(0));
  const MultiVector q_rate = StepPath::rate_of(path.q, path.length),
                    s_rate = StepPath::rate_of(path.s, path.length);
  Vector damping(RadauNodes::n_nodes), load(RadauNodes::n_nodes), reactions(RadauNodes::n_nodes);
  for (Index i = 0; i < RadauNodes::n_nodes; ++i) {
    damping[i] = quadratic_form(reduced_.free().C(), Vector(q_rate.col(i)));
    load[i] = reduced_.communicator().sum(path.load.col(i).dot(q_rate.col(i)));
    reactions[i] = path.r.col(i).dot(s_rate.col(i));
  }
  energies_.dissipated += path.integral_of(damping);
  energies_.work += path.integral_of(load);
  energies_.reactions += path.integral_of(reactions);
  add_jump(end_of_path(RadauNodes::n_nodes - 1), to);
}

template <class Engine>
void EnergyBalance<Engine>::conclude(const State& state, Point to) {
  energies_.kinetic = 0.5 * quadratic_form(reduced_.free().M(), reduced_.velocity_states(state.y));
  energies_.potential = 0.5 * quadratic_form(reduced_.free().K(), to.q);
  if (!has_begun_) initial_total_ = total();
  has_begun_ = true;
  last_ = std::move(to);
}

template class EnergyBalance<InstantiatedEngine>;

}  // namespace halfdof
