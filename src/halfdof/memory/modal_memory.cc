// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/base/profile.h>
#include <halfdof/integrators/run_checks.h>
#include <halfdof/memory/contact_modes.h>
#include <halfdof/memory/contact_step.h>
#include <halfdof/memory/memory_hypotheses.h>
#include <halfdof/memory/modal_memory.h>
#include <halfdof/memory/modal_propagator.h>
#include <halfdof/memory/state_checks.h>

#include <string>
#include <utility>

namespace halfdof {

using namespace internal;

namespace {

const std::string name_of_modal_memory = "the integrator with memory";

ContactModes checked(ContactModes modes, double time_step) {
  check_time_step(name_of_modal_memory, time_step);
  check_contact_modes(modes);
  require_bounded(modes);
  require_moved(modes);
  return modes;
}

}  // namespace

ModalMemory::ModalMemory(ContactModes modes, std::vector<NamedLaw> laws, double time_step,
                         std::vector<ScalarFunction> loads)
    : modes_(checked(std::move(modes), time_step)),
      loads_(std::move(loads)),
      time_step_(time_step),
      regular_(std::make_unique<ModalPropagator>(modes_, time_step)),
      contacts_(std::make_unique<ContactStep>(std::move(laws), modes_.W_C(), modes_.W_K, time_step,
                                              regular_->response(), name_of_modal_memory)),
      observed_rates_(modes_.rates_of(modes_.observed.C)) {
  if (static_cast<Index>(loads_.size()) != modes_.n_loads())
    throw InvalidInput("The modes have " + std::to_string(modes_.n_loads()) + " loads, but " +
                       std::to_string(loads_.size()) +
                       " functions of time were given. Give one function of time for each load.");
}

ModalMemory::~ModalMemory() = default;
ModalMemory::ModalMemory(ModalMemory&&) noexcept = default;
ModalMemory& ModalMemory::operator=(ModalMemory&&) noexcept = default;

std::vector<ContactEvent> ModalMemory::events(const ContactMotion& from, const ContactMotion& to) const {
  return contacts_->events(from, to);
}

Vector ModalMemory::loads_at(double time) const {
  Vector f(modes_.n_loads());
  for (Index k = 0; k < modes_.n_loads(); ++k)
    f[k] = loads_[static_cast<std::size_t>(k)](time);
  return f;
}

MemoryState ModalMemory::start(double time, Vector x, const std::optional<Vector>& r) const {
  if (x.size() != modes_.n_coordinates() || !x.allFinite())
    throw InvalidInput("The initial state of " + name_of_modal_memory + " has " + std::to_string(x.size()) +
                       " coordinates, but must have " + std::to_string(modes_.n_coordinates()) +
                       " finite coordinates, one for each coordinate of the modes.");
  if (r && (r->size() != modes_.n_contacts() || !r->allFinite()))
    throw InvalidInput("The initial state of " + name_of_modal_memory + " has " + std::to_string(r->size()) +
                       " reactions, but must have " + std::to_string(modes_.n_contacts()) +
                       " finite reactions, one for each contact.");
  const Vector f = loads_at(time);
  Vector s = modes_.C * x + modes_.W_f * f, v = modes_.rates_of(modes_.C) * x + modes_.C * (modes_.B_f * f);
  if (r) {
    s += modes_.W_K * *r;
    v += modes_.W_C() * *r;
  }
  return {contacts_->start(time, s, v, r), std::move(x), {time, 0}, {}};
}

MultiVector ModalMemory::loads_within(double begin, double end) const {
  return LoadNodes::values_of([this](double time) { return loads_at(time); }, begin, end);
}

MemoryState ModalMemory::advanced_state(const MemoryState& from, double end,
                                        const ModalPropagator& propagator, bool regular) {
  MemoryState to;
  to.x = from.x;
  propagator.propagate(to.x);
  FreeContacts free;
  if (modes_.n_loads() > 0) {
    const MultiVector f = loads_within(from.time, end);
    propagator.add_loads(f, to.x);
    free = propagator.displacements_and_rates(to.x);
    free.s += modes_.W_f * f.rightCols(1);
    free.v +=
        modes_.C * (modes_.B_f * f.rightCols(1)) + modes_.W_f * LoadNodes::rates(f, propagator.step(), 1.);
  } else {
    free = propagator.displacements_and_rates(to.x);
  }
  static_cast<ContactMotion&>(to) =
      regular ? contacts_->solve(from, end, free)
              : contacts_->solve(from, end, free, propagator.step(), propagator.response());
  propagator.add_reactions(to.u_a, to.u_b, to.x);
  check(from, to);
  return to;
}

void ModalMemory::check(const MemoryState& from, const MemoryState& to) const {
  if (to.x.allFinite() && to.r.allFinite()) {
    contacts_->require_obstacles_without_jumps(from, to);
    return;
  }
  throw BlowUp(
      "The step of " + name_of_modal_memory + " from " + seconds(from.time) +
          " led to a state that is infinite or not a number. The modes do not grow by themselves, so that a "
          "load or a law is the cause: check the loads and the laws, and take a shorter step.",
      to.time, -1);
}

void ModalMemory::step(MemoryState& state, double limit) {
  const StageTimer stage("step");
  check_sizes(name_of_modal_memory, state, modes_.n_coordinates(), modes_.n_contacts(), contacts_->n_laws());
  const TimeGrid grid = state.grid.at(state.time, time_step());
  const TimeGrid::Step next = grid.next(name_of_modal_memory, time_step(), state.time, limit);
  MemoryState to;
  if (next.length == time_step()) {
    to = advanced_state(state, next.end, *regular_, true);
  } else {
    // The linear reactions of the last step are not continued in a step of another length.
    MemoryState from = state;
    from.has_same_contacts = false;
    to = advanced_state(from, next.end, ModalPropagator(modes_, next.length), false);
    to.has_same_contacts = false;
  }
  to.grid = grid.after(next);
  state = std::move(to);
}

MemoryState ModalMemory::motion_inside_step(const MemoryState& begin, const MemoryState& end, double part,
                                            Vector x, const Vector& r) const {
  const double step = end.time - begin.time;
  MemoryState at = end;
  at.time = part < 1 ? begin.time + part * step : end.time;
  at.x = std::move(x);
  at.r = r;
  const MultiVector f = loads_within(begin.time, end.time),
                    h = LoadNodes::values_of([this](double time) { return contacts_->supports(time); },
                                             begin.time, end.time);
  at.w = modes_.rates_of(modes_.C) * at.x + modes_.W_C() * r + modes_.C * (modes_.B_f * loads_at(at.time)) +
         modes_.W_K * ((end.u_b - end.u_a) / step) + modes_.W_f * LoadNodes::rates(f, step, part) -
         LoadNodes::rates(h, step, part);
  return at;
}

MemoryState ModalMemory::motion_at_begin(const MemoryState& begin, const MemoryState& end) const {
  return motion_inside_step(begin, end, 0., begin.x, end.u_a);
}

MemoryState ModalMemory::motion_within_step(const MemoryState& begin, const MemoryState& end, double part,
                                            const ModalPropagator& propagator) const {
  const Vector r = end.u_a + part * (end.u_b - end.u_a);
  Vector x = begin.x;
  propagator.propagate(x);
  if (modes_.n_loads() > 0)
    propagator.add_loads(
        loads_within(begin.time, part < 1 ? begin.time + part * (end.time - begin.time) : end.time), x);
  propagator.add_reactions(end.u_a, r, x);
  return motion_inside_step(begin, end, part, std::move(x), r);
}

ObservedMotion ModalMemory::observed(const MemoryState& state) const {
  const Vector f = loads_at(state.time);
  return {modes_.observed.C * state.x + modes_.observed.W_K * state.r + modes_.observed.W_f * f,
          observed_rates_ * state.x};
}

}  // namespace halfdof
