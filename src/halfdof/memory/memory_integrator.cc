#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/base/profile.h>
#include <halfdof/memory/contact_regularity.h>
#include <halfdof/memory/memory_hypotheses.h>
#include <halfdof/memory/memory_integrator.h>

#include <limits>
#include <string>
#include <utility>

namespace halfdof {

namespace {

const std::string name = "the integrator with memory";

ContactModes checked(ContactModes modes, double time_step) {
  check_time_step(name, time_step);
  check_contact_modes(modes);
  require_bounded(modes);
  require_moved(modes);
  return modes;
}

}  // namespace

MemoryIntegrator::MemoryIntegrator(ContactModes modes, std::vector<NamedLaw> laws, double time_step,
                                   std::vector<ScalarFunction> loads)
    : modes_(checked(std::move(modes), time_step)),
      loads_(std::move(loads)),
      regular_(modes_, time_step),
      contacts_(std::move(laws), modes_.W_C(), modes_.W_K, time_step, regular_.response(), name),
      observed_rates_(modes_.rates_of(modes_.observed.C)) {
  if (static_cast<Index>(loads_.size()) != modes_.n_loads())
    throw InvalidInput("The modes take " + std::to_string(modes_.n_loads()) + " loads, but " +
                       std::to_string(loads_.size()) + " were given. Give a function of time for each.");
}

Vector MemoryIntegrator::loads_at(double time) const {
  Vector f(modes_.n_loads());
  for (Index k = 0; k < modes_.n_loads(); ++k)
    f[k] = loads_[static_cast<std::size_t>(k)](time);
  return f;
}

MemoryState MemoryIntegrator::start(double time, Vector x, const std::optional<Vector>& r) const {
  if (x.size() != modes_.n_coordinates() || !x.allFinite())
    throw InvalidInput("The start of " + name + " has " + std::to_string(x.size()) + " coordinates for " +
                       std::to_string(modes_.n_coordinates()) +
                       " of the modes, or they are not finite. Give a finite one for each.");
  if (r && (r->size() != modes_.n_contacts() || !r->allFinite()))
    throw InvalidInput("The start of " + name + " has " + std::to_string(r->size()) + " reactions for " +
                       std::to_string(modes_.n_contacts()) +
                       " contacts, or they are not finite. Give a finite one for each.");
  const Vector f = loads_at(time);
  Vector s = modes_.C * x + modes_.W_f * f, v = modes_.rates_of(modes_.C) * x + modes_.C * (modes_.B_f * f);
  if (r) {
    s += modes_.W_K * *r;
    v += modes_.W_C() * *r;
  }
  return {contacts_.start(time, s, v, r), std::move(x), {time, 0}};
}

MemoryState MemoryIntegrator::stepped(const MemoryState& from, double end, const ModalPropagator& propagator,
                                      bool regular) {
  MemoryState to = from;
  propagator.propagate(to.x);
  FreeContacts free;
  if (modes_.n_loads() > 0) {
    const Vector f_a = loads_at(from.time), f_b = loads_at(end);
    propagator.add_loads(f_a, f_b, to.x);
    free = propagator.read(to.x);
    free.s += modes_.W_f * f_b;
    free.v += modes_.C * (modes_.B_f * f_b) + modes_.W_f * ((f_b - f_a) / propagator.step());
  } else {
    free = propagator.read(to.x);
  }
  ContactStep::Solution solution =
      regular ? contacts_.solve(from, end, free)
              : contacts_.solve(from, end, free, propagator.step(), propagator.response());
  propagator.add_reactions(solution.u_a, solution.u_b, to.x);
  static_cast<ContactMotion&>(to) = std::move(solution.end);
  check(from, to);
  return to;
}

void MemoryIntegrator::check(const MemoryState& from, const MemoryState& to) const {
  if (to.x.allFinite() && to.r.allFinite()) return;
  throw BlowUp(
      "The step of " + name + " from " + seconds(from.time) +
          " led to a state that is infinite or not a number. Its modes do not grow by themselves, so "
          "that a load or a law does: look at these, and take a shorter step.",
      to.time, -1);
}

void MemoryIntegrator::advance(MemoryState& state, double limit) {
  const Stage stage("step");
  const TimeGrid grid = state.grid.at(state.time, time_step());
  const TimeGrid::Step next = grid.next(name, time_step(), state.time, limit);
  MemoryState to;
  if (next.length == time_step()) {
    to = stepped(state, next.end, regular_, true);
  } else {
    // No line leads on from steps of another length.
    MemoryState from = state;
    from.settled = false;
    to = stepped(from, next.end, ModalPropagator(modes_, next.length), false);
    to.settled = false;
  }
  to.grid = grid.after(next);
  state = std::move(to);
}

void MemoryIntegrator::step(MemoryState& state) {
  advance(state, std::numeric_limits<double>::infinity());
}

void MemoryIntegrator::run(MemoryState& state, double end_time, const MemoryObserver& observer) {
  check_end_time("memory", state.time, end_time);
  if (observer) observer(state);
  while (state.time < end_time) {
    advance(state, end_time);
    if (observer) observer(state);
  }
}

FreeContacts MemoryIntegrator::observed(const MemoryState& state) const {
  const Vector f = loads_at(state.time);
  return {modes_.observed.C * state.x + modes_.observed.W_K * state.r + modes_.observed.W_f * f,
          observed_rates_ * state.x};
}

}  // namespace halfdof
