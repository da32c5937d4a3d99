#pragma once

#include <halfdof/inclusions/scalar_function.h>
#include <halfdof/memory/contact_step.h>
#include <halfdof/memory/online_convolution.h>
#include <halfdof/memory/sampled_kernel.h>

#include <functional>
#include <optional>

namespace halfdof {

/**
 * Integrates contacts by samples of their memory (SampledKernel): for kernels that no sum of exponentials
 * gives, as that of a string with all its modes, or a measured one. With the convolution
 * @f$ Q = \int_{0^-} d[L^1(\tau)]\,r(t - \tau) @f$,
 * @f[ y = \tilde y + (0; Q), \qquad \dot{\tilde y} = A \tilde y + (0; L^\infty r) + A\,(0; Q) + (0; g), @f]
 * in which nothing is differentiated. Reactions are lines within each step, with which Q at its ends is
 * exact; between them Q and g are taken for lines. The laws are met as by ContactStep. Second order; O(log^2)
 * of the steps taken for each (OnlineConvolution), never more than the memory.
 *
 * The history is part of this object: one for each run.
 */
class SampledMemory {
 public:
  /// g(t): what a start outside of range W adds to the accelerations, and loads that the kernel does not
  /// know. Shape: m
  using Forcing = std::function<Vector(double time)>;

  /// @param s,w displacements and rates at the start, before any reaction or load acts
  /// @param loads one for each of the kernel's, which change linearly within each step
  /// @throws InvalidInput as check_sampled_kernel(), or if shapes do not fit; as ContactStep
  SampledMemory(SampledKernel kernel, std::vector<NamedLaw> laws, double start_time, Vector s, Vector w,
                Forcing forcing = {}, std::vector<ScalarFunction> loads = {});

  double time_step() const { return kernel_.step; }
  const ContactMotion& motion() const { return motion_; }

  /// One step of the kernel's own length. @throws NoReactions, BlowUp: then nothing has changed
  void step();
  /// Steps while the time is before end_time, up to rounding. The observer sees the initial point and every
  /// step.
  void run(double end_time, const std::function<void(const ContactMotion&)>& observer = {});

 private:
  static std::vector<MultiVector> weights(const SampledKernel& kernel);
  Vector forcing_at(double time) const;
  /// (r; f(t)) with r = 0.
  Vector loads_at(double time) const;

  SampledKernel kernel_;
  Forcing forcing_;
  std::vector<ScalarFunction> loads_;
  MultiVector E_, start_, end_;  ///< of y~ over a step: e^{A h}, and weights of what acts at its two ends
  MultiVector K_0a_, K_0b_;      ///< parts of u_a and u_b in Q at the end of their own step; u = (r; f)
  std::optional<ContactStep> contacts_;
  OnlineConvolution history_;
  double start_time_;
  std::int64_t n_steps_ = 0;
  Vector y_;    ///< y~
  Vector Q_;    ///< before the reactions jump to the next u_a
  Vector u_b_;  ///< of the last step
  ContactMotion motion_;
};

}  // namespace halfdof
