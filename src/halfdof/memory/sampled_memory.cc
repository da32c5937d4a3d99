// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/integrators/run_checks.h>
#include <halfdof/linear_algebra/dense/stack.h>
#include <halfdof/linear_algebra/ranks/dense_parts.h>
#include <halfdof/memory/block_exponential.h>
#include <halfdof/memory/contact_step.h>
#include <halfdof/memory/online_convolution.h>
#include <halfdof/memory/sampled_memory.h>
#include <halfdof/memory/state_checks.h>

#include <string>
#include <utility>

namespace halfdof {

using namespace internal;

namespace {

const std::string name_of_sampled_memory = "the integrator with a sampled memory";

SampledKernel checked(SampledKernel kernel) {
  check_sampled_kernel(kernel);
  return kernel;
}

/// Returns the weights of (u_a; u_b) in the convolution Q, where u_a and u_b are the inputs at the beginning
/// and the end of the step k steps ago. The weights follow from integration by parts of linear functions.
MultiVector weights_of_lag(const SampledKernel& kernel, std::size_t k) {
  const MultiVector mean = (kernel.L_2[k + 1] - kernel.L_2[k]) / kernel.step;
  const MultiVector of_start = kernel.L_1[k + 1] - mean,
                    of_end = k == 0 ? mean : MultiVector(mean - kernel.L_1[k]);
  return side_by_side({of_start, of_end});
}

std::vector<MultiVector> weights(const SampledKernel& kernel) {
  std::vector<MultiVector> all;
  all.reserve(kernel.L_1.size());
  for (std::size_t k = 0; k + 1 < kernel.L_1.size(); ++k)
    all.push_back(weights_of_lag(kernel, k));
  return all;
}

}  // namespace

struct SampledMemory::Implementation {
  Implementation(SampledKernel given, Forcing g, std::vector<ScalarFunction> f)
      : kernel(checked(std::move(given))),
        forcing(std::move(g)),
        loads(std::move(f)),
        convolution(weights(kernel)) {}

  Vector forcing_at(double time) const;
  /// Returns (r; f(t)) with r = 0.
  Vector loads_at(double time) const;

  SampledKernel kernel;
  Forcing forcing;
  std::vector<ScalarFunction> loads;
  /// Propagation of y~ over a step: e^{A h}, and the weights of inputs at its two ends.
  MultiVector E, start, end;
  MultiVector K_0a,
      K_0b;  ///< factors of the inputs u_a and u_b of a step in Q at the end of the step; u = (r; f)
  std::optional<ContactStep> contacts;
  OnlineConvolution convolution;
};

SampledMemory::SampledMemory(SampledKernel kernel, std::vector<NamedLaw> laws, Forcing forcing,
                             std::vector<ScalarFunction> loads)
    : implementation_(
          std::make_unique<Implementation>(std::move(kernel), std::move(forcing), std::move(loads))) {
  Implementation& own = *implementation_;
  const SampledKernel& given = own.kernel;
  const Index m = given.n_contacts();
  if (static_cast<Index>(own.loads.size()) != given.n_loads())
    throw InvalidInput("The sampled kernel has " + std::to_string(given.n_loads()) + " loads, but " +
                       std::to_string(own.loads.size()) +
                       " functions of time were given. Give one function of time for each load.");
  const MultiVector I = MultiVector::Identity(m, m), O = 0 * I;
  const MultiVector A = stacked({side_by_side({O, I}), side_by_side({-given.K_r, -given.C_r})});
  const BlockExponential exponential = block_exponential(A, given.step);
  own.E = exponential.E;
  own.end = exponential.F_2 / given.step;
  own.start = exponential.F_1 - own.end;

  const Index n = m + given.n_loads();
  const MultiVector first = weights_of_lag(given, 0), of_u = stacked({MultiVector::Zero(m, n), given.L_inf}),
                    of_Q = stacked({I, -given.C_r});
  own.K_0a = first.leftCols(n);
  own.K_0b = first.rightCols(n);
  const MultiVector by_start = (own.start * (of_u + of_Q * given.L_1.front()) + own.end * of_Q * own.K_0a)
                                   .leftCols(m),
                    by_end = (own.end * (of_u + of_Q * own.K_0b)).leftCols(m);
  const StepResponse response{by_start.topRows(m), by_start.bottomRows(m) + own.K_0a.leftCols(m),
                              by_end.topRows(m), by_end.bottomRows(m) + own.K_0b.leftCols(m)};
  own.contacts.emplace(std::move(laws), given.L_1.front().leftCols(m), 0 * given.K_r, given.step, response,
                       name_of_sampled_memory);
}

SampledMemory::~SampledMemory() = default;
SampledMemory::SampledMemory(SampledMemory&&) noexcept = default;
SampledMemory& SampledMemory::operator=(SampledMemory&&) noexcept = default;

double SampledMemory::time_step() const {
  return implementation_->kernel.step;
}

std::vector<ContactEvent> SampledMemory::events(const ContactMotion& from, const ContactMotion& to) const {
  return implementation_->contacts->events(from, to);
}

MemoryState SampledMemory::start(double time, Vector x) const {
  const Implementation& own = *implementation_;
  const Index m = own.kernel.n_contacts();
  if (x.size() != 2 * m || !x.allFinite())
    throw InvalidInput("The initial state of " + name_of_sampled_memory + " has " + std::to_string(x.size()) +
                       " entries, but must have " + std::to_string(2 * m) +
                       " finite entries: the displacements, then the rates of " + std::to_string(m) +
                       " contacts.");
  return {own.contacts->start(time, x.head(m), x.tail(m) + own.kernel.L_1.front() * own.loads_at(time)),
          stacked({x, Vector::Zero(m)}),
          {time, 0},
          own.convolution.start()};
}

Vector SampledMemory::Implementation::forcing_at(double time) const {
  if (!forcing) return Vector::Zero(kernel.n_contacts());
  Vector g = forcing(time);
  if (g.size() == kernel.n_contacts() && g.allFinite()) return g;
  throw InvalidInput("The forcing g(t) of " + name_of_sampled_memory + " has " + std::to_string(g.size()) +
                     " entries at " + seconds(time) + ", but must have one finite entry for each of the " +
                     std::to_string(kernel.n_contacts()) + " contacts.");
}

Vector SampledMemory::Implementation::loads_at(double time) const {
  Vector u = Vector::Zero(kernel.L_inf.cols());
  for (std::size_t k = 0; k < loads.size(); ++k)
    u[kernel.n_contacts() + static_cast<Eigen::Index>(k)] = loads[k](time);
  return u;
}

void SampledMemory::step(MemoryState& state, double limit) {
  Implementation& own = *implementation_;
  const SampledKernel& kernel = own.kernel;
  const Index m = kernel.n_contacts();
  check_sizes(name_of_sampled_memory, state, 3 * m, m, own.contacts->n_laws());
  const double end_time = next_time(state, limit);
  const MultiVector& jump = kernel.L_1.front();
  const auto acting = [&](const Vector& u, const Vector& Q, const Vector& g) -> Vector {
    Vector both(2 * m);
    stack_rows(both, Q, kernel.L_inf * u - kernel.C_r * Q + g);
    return both;
  };
  const Vector g_a = own.forcing_at(state.time), g_b = own.forcing_at(end_time);
  const Vector Q_a = state.x.tail(m), Q_b = own.convolution.next(state.history);
  const auto advanced = [&](const Vector& u_a, const Vector& u_b, const Vector& Q_end) -> Vector {
    return own.E * state.x.head(2 * m) + own.start * acting(u_a, Q_a + jump * u_a, g_a) +
           own.end * acting(u_b, Q_end, g_b);
  };
  Vector u_a = own.loads_at(state.time), u_b = own.loads_at(end_time);
  const Vector Q_free = Q_b + own.K_0a * u_a + own.K_0b * u_b, y = advanced(u_a, u_b, Q_free);
  const FreeContacts free{y.head(m), y.tail(m) + Q_free};
  ContactMotion to = own.contacts->solve(state, end_time, free);

  u_a.head(m) = to.u_a;
  u_b.head(m) = to.u_b;
  const Vector Q_end = Q_b + own.K_0a * u_a + own.K_0b * u_b;
  const Vector next = advanced(u_a, u_b, Q_end);
  if (!next.allFinite() || !to.r.allFinite())
    throw BlowUp(
        "The step of " + name_of_sampled_memory + " from " + seconds(state.time) +
            " led to a state that is infinite or not a number. Check the samples of the memory kernel and "
            "the laws, and take a shorter step.",
        end_time, -1);
  own.convolution.push(stacked({u_a, u_b}), state.history);
  state.x = stacked({next, Q_end - jump * u_b});
  static_cast<ContactMotion&>(state) = std::move(to);
  ++state.grid.n_steps;
}

}  // namespace halfdof
