#include <halfdof/base/errors.h>
#include <halfdof/integrators/run_times.h>
#include <halfdof/linear_algebra/dense_parts.h>
#include <halfdof/memory/block_exponential.h>
#include <halfdof/memory/sampled_memory.h>

#include <string>
#include <utility>

namespace halfdof {

namespace {

const std::string name = "the integrator with a sampled memory";

SampledKernel checked(SampledKernel kernel) {
  check_sampled_kernel(kernel);
  return kernel;
}

}  // namespace

/// Of (u_a; u_b) k steps ago in Q: integration by parts of lines.
std::vector<MultiVector> SampledMemory::weights(const SampledKernel& kernel) {
  std::vector<MultiVector> all;
  for (std::size_t k = 0; k + 1 < kernel.L_1.size(); ++k) {
    const MultiVector mean = (kernel.L_2[k + 1] - kernel.L_2[k]) / kernel.step;
    const MultiVector of_start = kernel.L_1[k + 1] - mean,
                      of_end = k == 0 ? mean : MultiVector(mean - kernel.L_1[k]);
    all.push_back(beside({of_start, of_end}));
  }
  return all;
}

SampledMemory::SampledMemory(SampledKernel kernel, std::vector<NamedLaw> laws, double start_time, Vector s,
                             Vector w, Forcing forcing, std::vector<ScalarFunction> loads)
    : kernel_(checked(std::move(kernel))),
      forcing_(std::move(forcing)),
      loads_(std::move(loads)),
      history_(weights(kernel_)),
      start_time_(start_time) {
  const Index m = kernel_.n_contacts();
  if (s.size() != m || w.size() != m || !s.allFinite() || !w.allFinite())
    throw InvalidInput("The start of " + name + " has " + std::to_string(s.size()) + " displacements and " +
                       std::to_string(w.size()) + " rates for " + std::to_string(m) +
                       " contacts, or they are not finite. Give a finite one of both for each.");
  if (static_cast<Index>(loads_.size()) != kernel_.n_loads())
    throw InvalidInput("The sampled kernel takes " + std::to_string(kernel_.n_loads()) + " loads, but " +
                       std::to_string(loads_.size()) + " were given. Give a function of time for each.");
  const MultiVector I = MultiVector::Identity(m, m), O = 0 * I;
  const MultiVector A = stacked({beside({O, I}), beside({-kernel_.K_r, -kernel_.C_r})});
  const BlockExponential exponential = block_exponential(A, kernel_.step);
  E_ = exponential.E;
  end_ = exponential.F_2 / kernel_.step;
  start_ = exponential.F_1 - end_;

  const Index n = m + kernel_.n_loads();
  const MultiVector first = weights(kernel_).front(),
                    of_u = stacked({MultiVector::Zero(m, n), kernel_.L_inf}),
                    of_Q = stacked({I, -kernel_.C_r});
  K_0a_ = first.leftCols(n);
  K_0b_ = first.rightCols(n);
  const MultiVector by_start =
                        (start_ * (of_u + of_Q * kernel_.L_1.front()) + end_ * of_Q * K_0a_).leftCols(m),
                    by_end = (end_ * (of_u + of_Q * K_0b_)).leftCols(m);
  const StepResponse response{by_start.topRows(m), by_start.bottomRows(m) + K_0a_.leftCols(m),
                              by_end.topRows(m), by_end.bottomRows(m) + K_0b_.leftCols(m)};
  contacts_.emplace(std::move(laws), kernel_.L_1.front().leftCols(m), 0 * kernel_.K_r, kernel_.step, response,
                    name);
  y_ = stacked({s, w});
  Q_ = Vector::Zero(m);
  u_b_ = Vector::Zero(n);
  motion_ = contacts_->start(start_time, s, w + kernel_.L_1.front() * loads_at(start_time));
}

Vector SampledMemory::forcing_at(double time) const {
  if (!forcing_) return Vector::Zero(kernel_.n_contacts());
  Vector g = forcing_(time);
  if (g.size() == kernel_.n_contacts() && g.allFinite()) return g;
  throw InvalidInput("The forcing of " + name + " has " + std::to_string(g.size()) + " entries at " +
                     seconds(time) + ", or one that is not finite. Give a finite one for each contact.");
}

Vector SampledMemory::loads_at(double time) const {
  Vector u = Vector::Zero(kernel_.L_inf.cols());
  for (std::size_t k = 0; k < loads_.size(); ++k)
    u[kernel_.n_contacts() + static_cast<Eigen::Index>(k)] = loads_[k](time);
  return u;
}

void SampledMemory::step() {
  const Index m = kernel_.n_contacts();
  const double end_time = start_time_ + static_cast<double>(n_steps_ + 1) * kernel_.step;
  const MultiVector& jump = kernel_.L_1.front();
  const auto acting = [&](const Vector& u, const Vector& Q, const Vector& g) -> Vector {
    Vector both(2 * m);
    both << Q, kernel_.L_inf * u - kernel_.C_r * Q + g;
    return both;
  };
  const Vector g_a = forcing_at(motion_.time), g_b = forcing_at(end_time);
  const Vector Q_a = Q_ - jump * u_b_, Q_b = history_.next();
  const auto advanced = [&](const Vector& u_a, const Vector& u_b, const Vector& Q_end) -> Vector {
    return E_ * y_ + start_ * acting(u_a, Q_a + jump * u_a, g_a) + end_ * acting(u_b, Q_end, g_b);
  };
  Vector u_a = loads_at(motion_.time), u_b = loads_at(end_time);
  const Vector Q_free = Q_b + K_0a_ * u_a + K_0b_ * u_b, y = advanced(u_a, u_b, Q_free);
  const FreeContacts free{y.head(m), y.tail(m) + Q_free};
  ContactMotion to = contacts_->solve(motion_, end_time, free);

  u_a.head(m) = to.u_a;
  u_b.head(m) = to.u_b;
  const Vector Q_end = Q_b + K_0a_ * u_a + K_0b_ * u_b;
  Vector next = advanced(u_a, u_b, Q_end);
  if (!next.allFinite() || !to.r.allFinite())
    throw BlowUp("The step of " + name + " from " + seconds(motion_.time) +
                     " led to a state that is infinite or not a number. Look at the samples of its "
                     "kernel and at the laws, and take a shorter step.",
                 end_time, -1);
  y_ = std::move(next);
  Q_ = Q_end;
  u_b_ = u_b;
  history_.push(stacked({u_a, u_b}));
  motion_ = std::move(to);
  ++n_steps_;
}

void SampledMemory::run(double end_time, const std::function<void(const ContactMotion&)>& observer) {
  check_end_time("memory", motion_.time, end_time);
  if (observer) observer(motion_);
  while (motion_.time < end_time - 1e-9 * kernel_.step) {
    step();
    if (observer) observer(motion_);
  }
}

}  // namespace halfdof
