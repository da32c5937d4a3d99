#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/memory/memory_euler.h>

#include <cmath>
#include <string>
#include <utility>

namespace halfdof {

namespace {

LocalVector one(double value) {
  return LocalVector::Constant(1, value);
}

}  // namespace

std::vector<MultiVector> MemoryEuler::increments(const SampledKernel& kernel) {
  check_sampled_kernel(kernel);
  std::vector<MultiVector> all = {kernel.L_1[1]};
  for (std::size_t p = 1; p + 1 < kernel.L_1.size(); ++p)
    all.push_back(kernel.L_1[p + 1] - kernel.L_1[p]);
  return all;
}

MemoryEuler::MemoryEuler(SampledKernel kernel, NamedLaw law, double start_time, double s, double w)
    : kernel_(std::move(kernel)),
      law_(std::move(law)),
      history_(increments(kernel_)),
      start_time_(start_time),
      point_{start_time, s, w - law_.law->support(0).derivative(start_time), 0, law_.law->initial_state()} {
  if (kernel_.n_contacts() != 1 || kernel_.n_loads() > 0 || law_.law->dimension() != 1 ||
      law_.law->level(0) != LawLevel::rate)
    throw InvalidInput(
        "The explicit Euler method with memory was given " + std::to_string(kernel_.n_contacts()) +
        " contacts, " + std::to_string(kernel_.n_loads()) + " loads and the law \"" + law_.name + "\" of " +
        std::to_string(law_.law->dimension()) +
        " directions. It serves one contact with friction and no load; take another integrator for others.");
  if (!std::isfinite(start_time) || !std::isfinite(s) || !std::isfinite(w))
    throw InvalidInput("The start of the explicit Euler method with memory is not finite: " + number_text(s) +
                       " with the rate " + number_text(w) + " at " + number_text(start_time) +
                       " s. Give finite numbers.");
  check_weakening({law_}, kernel_.L_1.front());
  point_.contact = point_.w > 0   ? ContactState::slip_forward
                   : point_.w < 0 ? ContactState::slip_back
                                  : ContactState::stick;
}

double MemoryEuler::reaction_at(double time, double w, double wish) const {
  return law_.law->reaction_at(law_.law->parameters(time, point_.contact), one(w), one(wish))[0];
}

bool MemoryEuler::admits_rest(double time, double r) const {
  return law_.law->distance(law_.law->parameters(time, ContactState::stick), one(r)) == 0;
}

void MemoryEuler::step() {
  const double h = kernel_.step, K_r = kernel_.K_r(0, 0), C_r = kernel_.C_r(0, 0),
               L_inf = kernel_.L_inf(0, 0), first = kernel_.L_1[1](0, 0);
  const ScalarFunction& support = law_.law->support(0);
  const double end = start_time_ + static_cast<double>(n_steps_ + 1) * h;
  const double rate = point_.w + support.derivative(point_.time), support_rate = support.derivative(end);
  // (1) without r_q.
  const double free = rate + h * (-K_r * point_.s - C_r * rate) + history_.next()[0] - first * r_before_;
  const double at_once = h * L_inf + first, holding = (support_rate - free) / at_once;

  EulerPoint next{end, point_.s + h * rate, 0, 0, ContactState::stick};
  double r = holding;
  const bool stuck = point_.contact == ContactState::stick && point_.w == 0;
  if (!stuck || !admits_rest(end, holding)) {
    const double sign = holding > 0 ? -1 : 1;  // what it does once it breaks loose
    r = stuck ? reaction_at(point_.time, sign * 1e-300, holding)
              : reaction_at(point_.time, point_.w, holding);
    next.w = free + at_once * r - support_rate;
    if (!stuck && next.w * point_.w <= 0 && admits_rest(end, holding)) {
      r = holding;
      next.w = 0;
    } else {
      next.contact = next.w > 0 ? ContactState::slip_forward : ContactState::slip_back;
    }
  }
  point_.r = r;
  next.r = r;
  history_.push(Vector::Constant(1, r - r_before_));
  r_before_ = r;
  point_ = next;
  ++n_steps_;
}

}  // namespace halfdof
