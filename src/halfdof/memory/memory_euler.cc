// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/memory/contact_step.h>
#include <halfdof/memory/memory_euler.h>
#include <halfdof/memory/state_checks.h>

#include <cmath>
#include <string>
#include <utility>

namespace halfdof::internal {

namespace {

const std::string name_of_euler = "the explicit Euler method with memory";

LocalVector scalar(double value) {
  return LocalVector::Constant(1, value);
}

std::vector<MultiVector> kernel_increments(const SampledKernel& kernel) {
  check_sampled_kernel(kernel);
  std::vector<MultiVector> all = {kernel.L_1[1]};
  for (std::size_t p = 1; p + 1 < kernel.L_1.size(); ++p)
    all.push_back(kernel.L_1[p + 1] - kernel.L_1[p]);
  return all;
}

ContactState slip_state(double w) {
  return w > 0 ? ContactState::slip_forward : ContactState::slip_back;
}

}  // namespace

MemoryEuler::MemoryEuler(SampledKernel kernel, NamedLaw law)
    : kernel_(std::move(kernel)), law_(std::move(law)), convolution_(kernel_increments(kernel_)) {
  if (kernel_.n_contacts() != 1 || kernel_.n_loads() > 0 || law_.law->dimension() != 1 ||
      law_.law->level(0) != LawLevel::rate)
    throw InvalidInput(
        "The explicit Euler method with memory integrates only one contact with friction and without "
        "load, but the kernel has " +
        std::to_string(kernel_.n_contacts()) + " contacts and " + std::to_string(kernel_.n_loads()) +
        " loads, and the law of \"" + law_.name + "\" has " + std::to_string(law_.law->dimension()) +
        " directions. Take another integrator.");
  check_weakening({law_}, kernel_.L_1.front());
}

MemoryState MemoryEuler::start(double time, Vector x) const {
  if (x.size() != 2 || !std::isfinite(time) || !x.allFinite())
    throw InvalidInput(
        "The initial state of " + name_of_euler + " at " + number_text(time) + " s has " +
        std::to_string(x.size()) +
        " entries, but must consist of a finite displacement and a finite rate at a finite time.");
  const ScalarFunction& support = law_.law->support(0);
  MemoryState state;
  state.time = time;
  state.g = Vector::Constant(1, x[0] - support(time));
  state.w = Vector::Constant(1, x[1] - support.derivative(time));
  state.mean_w = state.w;
  state.r = state.u_a = state.u_b = state.impulse = Vector::Zero(1);
  state.contacts = {state.w[0] == 0 ? ContactState::stick : slip_state(state.w[0])};
  state.x = std::move(x);
  state.grid = {time, 0};
  state.history = convolution_.start();
  return state;
}

std::vector<ContactEvent> MemoryEuler::events(const ContactMotion& from, const ContactMotion& to) const {
  if (from.contacts == to.contacts) return {};
  return {{from.time, to.time, 0, scalar(from.w[0]), scalar(to.w[0]), scalar(0), from.contacts[0],
           to.contacts[0]}};
}

double MemoryEuler::reaction_at(double time, ContactState contact, double w, double preferred) const {
  return law_.law->reaction_at(law_.law->parameters(time, contact), scalar(w), scalar(preferred))[0];
}

bool MemoryEuler::admits_rest(double time, double r) const {
  return law_.law->distance(law_.law->parameters(time, ContactState::stick), scalar(r)) == 0;
}

void MemoryEuler::step(MemoryState& state, double limit) {
  const double h = kernel_.step, K_r = kernel_.K_r(0, 0), C_r = kernel_.C_r(0, 0),
               L_inf = kernel_.L_inf(0, 0), first = kernel_.L_1[1](0, 0);
  const ScalarFunction& support = law_.law->support(0);
  check_sizes(name_of_euler, state, 2, 1, 1);
  const double begin = state.time, end = next_time(state, limit);
  const double s = state.x[0], w = state.w[0], r_before = state.r[0];
  const double rate = w + support.derivative(begin), support_rate = support.derivative(end);
  // The rate y_{q+1} of equation (1) without the effect of r_q.
  const double free =
      rate + h * (-K_r * s - C_r * rate) + convolution_.next(state.history)[0] - first * r_before;
  const double response = h * L_inf + first, sticking_reaction = (support_rate - free) / response;

  double r = sticking_reaction, w_next = 0;
  ContactState contact = ContactState::stick;
  const bool has_stuck = state.contacts[0] == ContactState::stick && w == 0;
  if (!has_stuck || !admits_rest(end, sticking_reaction)) {
    const double sign =
        sticking_reaction > 0 ? -1 : 1;  // opposite to the slip after the contact breaks loose
    r = reaction_at(begin, state.contacts[0], has_stuck ? sign * 1e-300 : w, sticking_reaction);
    w_next = free + response * r - support_rate;
    if (!has_stuck && w_next * w <= 0 && admits_rest(end, sticking_reaction)) {
      r = sticking_reaction;
      w_next = 0;
    } else {
      contact = slip_state(w_next);
    }
  }
  convolution_.push(Vector::Constant(1, r - r_before), state.history);
  const double s_next = s + h * rate, g_next = s_next - support(end);
  state.has_same_contacts = contact == state.contacts[0];
  state.contacts[0] = contact;
  state.mean_w[0] = (g_next - state.g[0]) / h;
  state.time = end;
  state.g[0] = g_next;
  state.w[0] = w_next;
  state.r[0] = state.u_a[0] = state.u_b[0] = r;
  state.impulse[0] += h * r;
  state.dissipated -= h * r * state.mean_w[0];
  state.dissipated_by = Vector::Constant(1, state.dissipated);
  state.x << s_next, w_next + support_rate;
  ++state.grid.n_steps;
}

}  // namespace halfdof::internal
