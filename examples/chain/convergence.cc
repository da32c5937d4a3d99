// SPDX-License-Identifier: LGPL-2.1-or-later
#include "convergence.h"

#include <halfdof/integrators/nonsmooth/implicit_methods.h>
#include <halfdof/integrators/verification/verification.h>

#include "by_hand.h"
#include "recovered.h"
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>

using namespace halfdof;

double Motion::distance(const Motion& other) const {
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    difference = std::max(difference, (v[i] - other.v[i]).cwiseAbs().maxCoeff());
    size = std::max(size, v[i].cwiseAbs().maxCoeff());
  }
  return difference / size;
}

std::vector<double> evenly_spaced(double interval, double end) {
  std::vector<double> times;
  for (int i = 0; i <= std::lround(end / interval); ++i)
    times.push_back(i * interval);
  return times;
}

Motion by_implicit_euler(const ChainModel& model, const std::vector<double>& times, int n_substeps) {
  Motion motion{times, {}};
  NonsmoothState state = model.at_rest();
  NonsmoothEuler(model.inclusions, model.outcome, (times[1] - times[0]) / n_substeps)
      .run(state, times,
           [&](const auto& now) { motion.v.push_back(now.lift().displacement.segment(1, model.chain.n())); });
  return motion;
}

Motion by_printed_scheme(const Chain& chain, const std::vector<double>& times, int n_substeps) {
  ManualReduction by_hand(chain);
  Vector X = Vector::Zero(by_hand.p());
  Motion motion{times, {by_hand.displacements(0., X)}};
  const double h = (times[1] - times[0]) / n_substeps;
  for (std::size_t i = 1; i < times.size(); ++i) {
    for (int j = 0; j < n_substeps; ++j)
      X = by_hand.step(times[i - 1] + j * h, h, X);
    motion.v.push_back(by_hand.displacements(times[i], X));
  }
  return motion;
}

double Convergence::order(const Vector& step, const Vector& error) {
  const Eigen::ArrayXd x = step.array().log() - step.array().log().mean();
  return (x * error.array().log()).sum() / x.square().sum();
}

Convergence convergence(const ChainModel& model, const Motion& exact) {
  const int n_steps = 7;
  Convergence result{Vector(n_steps), Vector(n_steps), Vector(n_steps)};
  for (int i = 0; i < n_steps; ++i) {
    // The errors of plays arise in steps in which a load reverses. The numbers of substeps are chosen so that
    // the grids have different positions relative to the reversals.
    const int n_substeps = (2 << i) + 1;
    result.step[i] = (exact.times[1] - exact.times[0]) / n_substeps;
    result.error[i] = exact.distance(by_implicit_euler(model, exact.times, n_substeps));
    result.printed_error[i] = exact.distance(by_printed_scheme(model.chain, exact.times, n_substeps));
  }
  return result;
}

double smallest_quotient(const ChainModel& model) {
  const double h = 0.05;
  const int n_trials = 50;
  ManualReduction by_hand(model.chain);
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> exponent(-3., 0.);

  double smallest = std::numeric_limits<double>::infinity();
  Vector before;
  NonsmoothState state = model.at_rest();
  NonsmoothEuler(model.inclusions, model.outcome, h).run(state, 100 * h, [&](const auto& now) {
    const RecoveredQuantities found = recover(model.chain, now);
    const Vector X = by_hand.state_of(found.v, now.lift().rate.segment(1, model.chain.n()), found.g);
    if (before.size() > 0) {
      const Vector Z = before + by_hand.drift_by_increments(now.time() - h, h, X);
      for (int i = 0; i < n_trials; ++i) {
        const double distance = std::pow(10., exponent(random));
        const Vector x =
            by_hand.clipped(X + distance * Vector::NullaryExpr(X.size(), [&] { return normal(random); }));
        const double growth = by_hand.functional(h, x, Z) - by_hand.functional(h, X, Z);
        smallest = std::min(smallest, growth / (by_hand.norm_squared(x - X) / (2 * h)));
      }
    }
    before = X;
  });
  return smallest;
}

double largest_violation(const ChainModel& model) {
  NonsmoothState state = model.at_rest();
  NonsmoothEuler integrator(model.inclusions, model.outcome, 0.05);
  Verification verification(integrator);
  integrator.run(state, 10., std::ref(verification));
  const VerificationReport report = verification.report();
  double largest = 0;
  for (const Check check :
       {Check::balance, Check::reaction, Check::kinematics, Check::law, Check::variational})
    largest = std::max(largest, report[check].value);
  return largest;
}
