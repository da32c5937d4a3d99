#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/integrators/energy.h>
#include <halfdof/linear_algebra/instantiate.h>

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
EnergyBalance<Engine>::EnergyBalance(const ReducedSystem<Engine>& reduced) : reduced_(reduced) {
  require_symmetric<Engine>("M", reduced.free().M());
  require_symmetric<Engine>("C", reduced.free().C());
  require_symmetric<Engine>("K", reduced.free().K());
}

template <class Engine>
void EnergyBalance<Engine>::operator()(const Observation<Engine>& now) {
  add(now.state(), now.lift().displacement);
}

template <class Engine>
void EnergyBalance<Engine>::operator()(const NonsmoothObservation<Engine>& now) {
  const NonsmoothState& state = now.state();
  const DirectionMatrix& H = now.inclusions().H();
  const Vector s = H.components(reduced_.assembled().free().restrict(now.lift().displacement));
  const Vector w = H.components(reduced_.velocity_states(state.y));
  if (has_begun_) add_impulses(now, s, w);
  impulse_ = state.impulse;
  s_ = s;
  w_ = w;
  add(state, now.lift().displacement);
}

template <class Engine>
void EnergyBalance<Engine>::add_impulses(const NonsmoothObservation<Engine>& now, const Vector& s,
                                         const Vector& w) {
  const NonsmoothState& state = now.state();
  Vector impulse = state.impulse - impulse_;
  for (const ContactEvent& event : now.events()) {
    if (event.begin < time_) continue;  // spread over several steps
    const Index first = now.inclusions().first_direction(event.inclusion);
    for (Index k = 0; k < event.impulse.size(); ++k) {
      // Jumps of relative rates are those of the structure.
      const Index j = first + k;
      const double half_jump = 0.5 * (event.w_after[k] - event.w_before[k]);
      double rate = 0.5 * (w_[j] + w[j]);
      if (event.begin == event.end) rate = event.end > time_ ? w[j] - half_jump : w_[j] + half_jump;
      energies_.reactions += event.impulse[k] * rate;
      impulse[j] -= event.impulse[k];
    }
  }
  // Several points at one time: an impact between them.
  const Vector rates = state.time > time_ ? Vector((s - s_) / (state.time - time_)) : Vector(0.5 * (w_ + w));
  energies_.reactions += impulse.dot(rates);
}

template <class Engine>
void EnergyBalance<Engine>::add(const State& state, const Vector& lifted_displacement) {
  const auto& system = reduced_.free();
  Vector q = system.assembled().free().restrict(lifted_displacement);
  Vector load = reduced_.load(state.time);
  if (has_begun_ && state.time > time_) {
    const Vector change = q - displacement_;
    energies_.dissipated += quadratic_form(system.C(), change) / (state.time - time_);
    energies_.work += reduced_.communicator().sum((0.5 * (load_ + load)).dot(change));
  }
  energies_.kinetic = 0.5 * quadratic_form(system.M(), reduced_.velocity_states(state.y));
  energies_.potential = 0.5 * quadratic_form(system.K(), q);
  if (!has_begun_) initial_total_ = total();
  has_begun_ = true;
  time_ = state.time;
  displacement_ = std::move(q);
  load_ = std::move(load);
}

template class EnergyBalance<InstantiatedEngine>;

}  // namespace halfdof
