// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/inclusions/laws.h>
#include <halfdof/inclusions/outcome.h>
#include <halfdof/integrators/nonsmooth/nonsmooth_integrator.h>
#include <halfdof/integrators/verification/verification.h>

#include <boost/test/unit_test.hpp>

#include "eigen_systems.h"
#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/// Small models with inclusions, and what every test of their integrators does.
namespace halfdof::test {

inline std::shared_ptr<const Law> friction(ScalarFunction lower, ScalarFunction upper,
                                           ScalarFunction support = 0.) {
  return std::make_shared<const DryFriction>(std::move(lower), std::move(upper), std::move(support));
}
inline std::shared_ptr<const Law> contact(ScalarFunction obstacle = 0.,
                                          std::optional<double> e = std::nullopt) {
  return std::make_shared<const UnilateralContact>(std::move(obstacle), e);
}
inline Direction on(GlobalIndex dof, double weight = 1.) {
  return Direction({{dof, weight}});
}

inline Vector vector_of(const std::vector<double>& values) {
  return Eigen::Map<const Vector>(values.data(), static_cast<Eigen::Index>(values.size()));
}

/// Springs and dampers between DoFs, or a DoF and the ground.
inline void connect(MultiVector& A, Index i, Index j, double value) {
  A(i, i) += value;
  A(j, j) += value;
  A(i, j) -= value;
  A(j, i) -= value;
}
inline DenseSystem empty_system(Index n) {
  return {MultiVector::Zero(n, n), MultiVector::Zero(n, n), MultiVector::Zero(n, n)};
}

/// Assembled, reduced, with inclusions, and what has become of them.
template <class Engine = EigenEngine>
struct NonsmoothModel {
  DenseSystem system;
  Inclusions<Engine> inclusions;
  InclusionOutcome outcome;

  NonsmoothModel(const DenseSystem& dense, std::vector<Inclusion> given, TimeFunction load = {},
                 std::vector<Index> constrained = {}, TimeFunction motion = {}, TimeFunction motion_rate = {},
                 ReductionMethod method = ReductionMethod::automatic)
      : system(dense),
        inclusions(reduced(dense, std::move(load), std::move(constrained), std::move(motion),
                           std::move(motion_rate), method),
                   std::move(given)),
        outcome(classify_inclusions(inclusions)) {}

  static ReducedSystem<Engine> reduced(const DenseSystem& system, TimeFunction load,
                                       std::vector<Index> constrained, TimeFunction motion,
                                       TimeFunction motion_rate, ReductionMethod method) {
    SystemDescription<Engine> description;
    description.mass = matrix_of<Engine>(system.M);
    description.damping = matrix_of<Engine>(system.C);
    description.stiffness = matrix_of<Engine>(system.K);
    description.load = std::move(load);
    description.constrained = std::move(constrained);
    description.prescribed.value = std::move(motion);
    description.prescribed.rate = std::move(motion_rate);
    ReductionOptions options;
    options.method = method;
    return reduce(AssembledSystem<Engine>(std::move(description)), options);
  }

  NonsmoothState start(const Vector& displacement, const Vector& rate, double time = 0) const {
    return nonsmooth_start(inclusions, outcome, displacement, rate, time);
  }
  NonsmoothState at_rest() const {
    const auto n = static_cast<Index>(inclusions.reduced().assembled().n_dofs());
    return start(Vector::Zero(n), Vector::Zero(n));
  }
  Vector displacement(const NonsmoothState& state) const {
    return inclusions.lift(state, state.r).displacement;
  }
};

/// One DoF: mass m, damping c, stiffness k (each may be zero) under a constant load.
inline NonsmoothModel<> one_dof(double m, double c, double k, std::shared_ptr<const Law> law,
                                double load = 0) {
  DenseSystem system = empty_system(1);
  system.M(0, 0) = m;
  system.C(0, 0) = c;
  system.K(0, 0) = k;
  return NonsmoothModel<>(system, {inclusion("it", std::move(law), on(0))},
                          [load](double) { return Vector::Constant(1, load); });
}
inline Vector one(double value) {
  return Vector::Constant(1, value);
}

/// Half DoFs of every kind: Dumont, Goeleven, Rochdi (2001), example 5.1. Springs k_1, k_2 in series with a
/// massless joint q_1 (algebraic), dampers c_1, c_2 in series with q_2 (viscous), a mass q_3 that slides on
/// dry friction.
struct StickSlipAbsorber {
  double m, k_1, k_2, c_1, c_2, E_0, omega_0, a, b;

  NonsmoothModel<> model() const {
    DenseSystem system = empty_system(3);
    system.M(2, 2) = m;
    system.K(0, 0) = k_1;
    system.C(1, 1) = c_1;
    connect(system.K, 0, 2, k_2);
    connect(system.C, 1, 2, c_2);
    return NonsmoothModel<>(system, {inclusion("slide", friction(-a, b), on(2))}, [*this](double t) {
      Vector f = Vector::Zero(3);
      f[2] = E_0 * std::sin(omega_0 * t) - 9.81 * m;
      return f;
    });
  }
};

/// (t, q_3, q_3') of an exact piecewise solution (30 digits).
struct StickSlipSample {
  double time, displacement, velocity;
};
inline std::vector<StickSlipSample> free_stick_slip() {
  return {{0.25, 0.8598180826331793, -7.390744690561277},
          {0.5, -0.8667766802008431, -5.189864814913672},
          {0.75, -1.4538902746317133, 0.37126971644683954},
          {1.0, -0.9709445426449985, 2.828980899898824},
          {2.0, -0.5126061049280457, -0.4949922492512546},
          {3.0, -0.533124355972298, 0.0},
          {5.0, -0.533124355972298, 0.0}};
}
inline std::vector<StickSlipSample> driven_stick_slip() {
  return {{0.01, -0.00036888741618978016, -0.06606141598070561},
          {0.05, -0.0030832703551054177, -0.022311132154879468},
          {0.1, -0.003177213627236489, 0.0},
          {0.2, -0.003897339170725304, 0.00016921389841100367},
          {0.4, -0.0039214662222731445, 0.00035940990096456667},
          {0.6, -0.003922247419574927, 0.0003667193753160485},
          {1.0, -0.003922273092686342, 0.0003669608107531388}};
}

/// The method with that step; without, where it chooses its own.
template <class Method>
Method with_step(const NonsmoothModel<>& model, double step) {
  if constexpr (std::is_constructible_v<Method, Inclusions<EigenEngine>, InclusionOutcome, double>)
    return Method(model.inclusions, model.outcome, step);
  else
    return Method(model.inclusions, model.outcome);
}

/// Violations of what a method keeps to rounding. The small problems of the laws are solved to less than
/// that, and motions of supports are followed to 1e-8.
constexpr double kept_tolerance = 2e-8;

/// Steps of a run that are verified, from its start on: more would tell the same.
constexpr std::size_t most_verified = 1000;

/// Demands what the method keeps.
template <class Method>
void check_kept(const Method& integrator, const VerificationReport& report) {
  for (const Check check : integrator.kept_exactly())
    BOOST_TEST(report[check].value < kept_tolerance,
               integrator.name() << ", " << name_of(check) << ": " << report[check].value << " at "
                                 << report[check].time << " s, " << report[check].where);
}

/// Runs to end_time, and demands what the method keeps.
template <class Method>
void verified_run(Method&& integrator, NonsmoothState& state, double end_time,
                  const NonsmoothObserver<EigenEngine>& observer = {}) {
  Verification<EigenEngine> verification(integrator);
  std::size_t n = 0;
  integrator.run(state, end_time, [&](const NonsmoothObservation<EigenEngine>& now) {
    if (n++ <= most_verified) verification(now);
    if (observer) observer(now);
  });
  check_kept(integrator, verification.report());
}

/// The same with dense output at ascending times, which the observer alone sees.
template <class Method>
void verified_run(Method&& integrator, NonsmoothState& state, const std::vector<double>& output_times,
                  const NonsmoothObserver<EigenEngine>& observer) {
  struct Enough {};
  Verification<EigenEngine> verification(integrator);
  NonsmoothState same = state;
  std::size_t n = 0;
  try {
    integrator.run(same, output_times.back(), [&](const NonsmoothObservation<EigenEngine>& now) {
      verification(now);
      if (n++ == most_verified) throw Enough();
    });
  } catch (const Enough&) {
  }
  check_kept(integrator, verification.report());
  integrator.run(state, output_times, observer);
}

/// Largest error of q_3 at the samples, relative to the largest displacement.
template <class Integrator>
double stick_slip_error(const StickSlipAbsorber& absorber, const std::vector<StickSlipSample>& samples,
                        double q_3, double step) {
  const NonsmoothModel<> model = absorber.model();
  Vector q = Vector::Zero(3);
  q[0] = absorber.k_2 / (absorber.k_1 + absorber.k_2) * q_3;
  q[2] = q_3;
  NonsmoothState state = model.start(q, Vector::Zero(3));
  std::vector<double> times;
  double scale = 0, error = 0;
  for (const StickSlipSample& sample : samples) {
    times.push_back(sample.time);
    scale = std::max(scale, std::abs(sample.displacement));
  }
  std::size_t i = 0;
  verified_run(with_step<Integrator>(model, step), state, times, [&](const auto& now) {
    error = std::max(error, std::abs(now.lift().displacement[2] - samples[i++].displacement));
  });
  return error / scale;
}

/**
 * An elastic bar (length 10, E = 900, density 1, section 1: waves at speed 30) that meets a rigid floor with
 * its lower end: thrown with velocity -10 from height 5. Contact from t = 0.5 for 2/3, with the force 300;
 * then it leaves with +10.
 */
struct BouncingBar {
  Index n_elements = 60;
  bool massless_end = false;  ///< the mass of the lower end moved to its neighbour

  NonsmoothModel<> model(std::optional<double> e) const {
    const double length = 10. / n_elements;
    DenseSystem system = empty_system(n_elements + 1);
    for (Index i = 0; i < n_elements; ++i) {
      connect(system.K, i, i + 1, 900 / length);
      system.M(i, i) += 0.5 * length;
      system.M(i + 1, i + 1) += 0.5 * length;
    }
    if (massless_end) {
      system.M(1, 1) += system.M(0, 0);
      system.M(0, 0) = 0;
    }
    return NonsmoothModel<>(system, {inclusion("floor", contact(-5., e), on(0))});
  }
  NonsmoothState start(const NonsmoothModel<>& model) const {
    return model.start(Vector::Zero(n_elements + 1), Vector::Constant(n_elements + 1, -10.));
  }
};

/// Kinetic and elastic energy.
inline double energy_of(const DenseSystem& system, const AssembledMotion& lifted) {
  return 0.5 * lifted.rate.dot(system.M * lifted.rate) +
         0.5 * lifted.displacement.dot(system.K * lifted.displacement);
}

/// A mass on a spring and dry friction, released at q_0: swings about +-alpha/k of half a period each, until
/// it sticks.
inline double swinging(double q_0, double m, double k, double alpha, double time) {
  const double half_period = std::acos(-1.) * std::sqrt(m / k), d = alpha / k;
  double q = q_0;
  while (std::abs(q) > d) {
    const double centre = q > 0 ? d : -d;
    if (time <= half_period) return centre + (q - centre) * std::cos(time * std::sqrt(k / m));
    q = 2 * centre - q;
    time -= half_period;
  }
  return q;
}

/// Events with an impulse.
inline std::vector<ContactEvent> impacts_of(const std::vector<ContactEvent>& events) {
  std::vector<ContactEvent> impacts;
  std::copy_if(events.begin(), events.end(), std::back_inserter(impacts),
               [](const ContactEvent& event) { return !event.impulse.isZero(0.); });
  return impacts;
}

/// log2 of the ratio of the errors of a step and of half of it.
template <class ErrorOf>
double observed_order(const ErrorOf& error_of, double step) {
  return std::log2(error_of(step) / error_of(step / 2));
}

}  // namespace halfdof::test
