// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/reduction/reduced_system.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace halfdof::internal {

template <class Engine, class Scalar>
class ImplicitStep;

}  // namespace halfdof::internal

namespace halfdof {

template <class Engine>
class Integrator;

/**
 * One point of the trajectory, which an integrator passes to an observer. Lifted displacements and states
 * inside the last step are computed on request, and cost nothing otherwise. The object is valid only during
 * the call of the observer.
 *
 * Under MPI lift() and interpolate() are collective: all processes call them, or none.
 */
template <class Engine>
class Observation {
 public:
  /// @param integrator The integrator that interpolates within its last step, or null
  Observation(const ReducedSystem<Engine>& reduced, const State& state,
              const Integrator<Engine>* integrator = nullptr)
      : reduced_(reduced), state_(state), integrator_(integrator) {}

  double time() const { return state_.time; }
  /// The state in reduced numbering, (q_I, q_C, v_I).
  const State& state() const { return state_; }

  /// Returns all displacements (including algebraic and prescribed ones) and the rates and accelerations that
  /// the state determines, in assembled numbering. The motion is computed at the first call and stored.
  const AssembledMotion& lift() const;

  /// Returns the state at a time inside the last step, from the integrator's dense output.
  /// @throws InvalidInput outside of the step; NotAvailable if there is no integrator.
  State interpolate(double time) const;

 private:
  const ReducedSystem<Engine>& reduced_;
  const State& state_;
  const Integrator<Engine>* integrator_;
  mutable std::optional<AssembledMotion> lifted_;
};

/// A function that the integrator calls at the initial point and after every step (or at every output time).
/// A lambda with one parameter `const auto&` can be used.
template <class Engine>
using Observer = std::function<void(const Observation<Engine>&)>;

/**
 * Base class of the integrators of a reduced system
 * @f[ \dot y = A y + B F(t), \qquad y = (q_I, q_C, v_I). @f]
 * Half degrees of freedom need no special treatment: viscous DoFs have first-order states, and algebraic DoFs
 * are not integrated. The displacements of algebraic DoFs follow from the state and the load at the same
 * instant, by Observation::lift(), and converge with the order of the state.
 *
 * An integrator advances a State that belongs to the caller. The integrator stores the data that its method
 * needs from the previous step, and discards these data if the given state differs from the state that the
 * integrator returned last (after an impact, a reset, or in a second run). A step either succeeds, or throws
 * and leaves the state unchanged: neither NaN nor infinity reaches the caller or an observer.
 *
 * For a system with a StateForce the nonlinear equations are integrated: F(t) is ReducedSystem::load() at the
 * states at which the method evaluates the load, implicit steps are solved by Newton's method with constant
 * tangents, and the tangents in reduced() are updated if the iteration is slow.
 *
 * Shapes: states as in ReducedSystem. Units: time [s], others those of the application. All functions are
 * collective.
 */
template <class Engine>
class Integrator {
 public:
  virtual ~Integrator() = default;

  /// Returns the name of the method in messages, such as "generalized-alpha".
  virtual std::string name() const = 0;
  const ReducedSystem<Engine>& reduced() const { return reduced_; }

  /// Advances the state by one step of the integrator's own length.
  /// @throws InvalidInput if the state has another size or is not finite; BlowUp; SingularMatrix; with a
  /// StateForce NoConvergence and KindChange
  void step(State& state);

  /**
   * Advances the state to end_time, which is hit exactly. The observer is called at the initial point and at
   * the end of every step.
   * @param end_time finite, not before state.time @throws as step()
   */
  void run(State& state, double end_time, const Observer<Engine>& observer = {});

  /**
   * Advances the state to the last output time, with the steps that run() to this time would take. The
   * observer is called only at the output times, with the dense output.
   * @param output_times ascending, none before state.time @throws as step()
   */
  void run(State& state, const std::vector<double>& output_times, const Observer<Engine>& observer);

  /// Returns the dense output, which is the state at any time within the last step.
  /// @throws InvalidInput at times outside of the last step
  State interpolate(double time) const;

 protected:
  explicit Integrator(const ReducedSystem<Engine>& reduced) : reduced_(reduced) {}
  Integrator(Integrator&&) = default;
  Integrator& operator=(Integrator&&) = default;

  /// Computes the data for a step from a state that this integrator has not returned itself.
  virtual void start(const State& state) = 0;
  /// Returns the state after one step from the last state, which ends at or before the time `limit`. The
  /// limit is infinite if the step length is not limited. The caller checks whether the result is finite.
  virtual State advance(const State& from, double limit) = 0;
  /// Returns a vector with arbitrary values whose storage can be reused for the end of a step.
  Vector recycled() { return std::move(recycled_); }
  /// Returns the dense output of the step from `begin` to `end` at begin + theta (end - begin),
  /// 0 < theta < 1. The dense output is linear unless the method overrides this function.
  virtual Vector interpolate_step(const State& begin, const State& end, double theta) const;
  /// Returns the last sentence of the error message for a state that grows beyond all bounds. The sentence
  /// says what the user can do.
  virtual std::string advice() const = 0;
  /// Replaces the tangents of the system by the tangents at a state.
  /// @param from the state at the beginning of the step
  void update_tangents(const State& state, const State& from);
  /// Checks whether the tangents at the end of a step agree with the declared kinds of DoFs, and updates the
  /// tangents if necessary.
  virtual void monitor(const State& end);
  /// Discards all data that were computed from the former tangents of reduced(), including the data for the
  /// beginning of the step.
  virtual void forget_tangents(const State& /*from*/) {}

 private:
  void begin(const State& state);
  void step_to(State& state, double limit);

  ReducedSystem<Engine> reduced_;
  ColumnHistory columns_;          ///< Columns of the tangents at the ends of steps.
  std::optional<State> previous_;  ///< State at the beginning of the last step.
  std::optional<State> reached_;   ///< State that this integrator returned last.
  Vector recycled_;                ///< A former state vector, whose storage recycled() returns.
};

/**
 * Base class of integrators with steps of one length h, which end at the times t_0 + h, t_0 + 2 h, ... of a
 * TimeGrid. The last step of a run is shortened if necessary, so that it ends exactly at the end time. A
 * shortened step needs a second factorization, and the factorization for h is kept. If the end time differs
 * from a point of the grid only by rounding, the last step keeps the length h.
 */
template <class Engine>
class FixedStepIntegrator : public Integrator<Engine> {
 public:
  ~FixedStepIntegrator() override;

  /// The step length h [s].
  double time_step() const { return time_step_; }

 protected:
  /// @throws InvalidInput unless time_step is positive and finite.
  FixedStepIntegrator(const ReducedSystem<Engine>& reduced, const char* name, double time_step);
  FixedStepIntegrator(FixedStepIntegrator&&) noexcept;
  FixedStepIntegrator& operator=(FixedStepIntegrator&&) noexcept;

  void start(const State& state) override;
  State advance(const State& from, double limit) final;
  void forget_tangents(const State& from) override;
  std::string advice() const override;

  /// Returns the state y at the time from.time + step, which is also given as `end`. If the system has a
  /// StateForce, this function is called several times for one step. Data that the method carries from step
  /// to step therefore change only in accept().
  virtual Vector take_step(const State& from, double step, double end) = 0;
  /// Accepts the result of the last call of take_step() as the end of the step.
  virtual void accept() {}
  /// Returns whether take_step() uses load().
  virtual bool is_implicit() const { return true; }
  /// Returns the load F at a time of the step. In implicit steps of systems with a StateForce, F is evaluated
  /// at the state of the last trial.
  Vector load(double time);
  /// Returns the linear system (sigma E - A) x = b of a step. The shift sigma [1/s] depends only on the step
  /// length [s]. The factorizations for the regular length and for one shortened step are stored.
  const internal::ImplicitStep<Engine, double>& implicit_step(double step, double sigma);

 private:
  struct Implementation;

  double time_step_;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace halfdof
