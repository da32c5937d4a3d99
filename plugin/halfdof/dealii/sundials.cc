// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/dealii/sundials.h>
#include <halfdof/linear_algebra/trilinos/engine.h>
#include <halfdof/reduction/reduced_system.h>

#include <deal.II/base/index_set.h>
#include <deal.II/lac/solver_control.h>
#include <deal.II/lac/solver_gmres.h>
#include <deal.II/lac/trilinos_vector.h>
#include <deal.II/lac/vector.h>
#include <deal.II/sundials/arkode.h>
#include <deal.II/sundials/ida.h>

#include <arkode/arkode_arkstep.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <memory>
#include <optional>
#include <sstream>

namespace halfdof {

using namespace internal;

namespace {

/// The vector type of deal.II for the states of a reduced system in SUNDIALS.
template <class Engine>
struct States;

template <>
struct States<EigenEngine> {
  using VectorType = dealii::Vector<double>;
  static MPI_Comm communicator(const Partition&) { return MPI_COMM_SELF; }
  static void reinit(VectorType& v, const Partition& states) {
    v.reinit(static_cast<VectorType::size_type>(states.n_local()));
  }
};

template <>
struct States<TrilinosEngine> {
  using VectorType = dealii::TrilinosWrappers::MPI::Vector;
  static MPI_Comm communicator(const Partition& states) { return mpi_handle(states.communicator()); }
  static void reinit(VectorType& v, const Partition& states) {
    // States are numbered process by process.
    dealii::IndexSet owned(static_cast<dealii::types::global_dof_index>(states.n_global()));
    if (states.n_local() > 0) {
      const auto first = static_cast<dealii::types::global_dof_index>(states.global_index(0));
      owned.add_range(first, first + static_cast<dealii::types::global_dof_index>(states.n_local()));
    }
    v.reinit(owned, communicator(states));
  }
};

template <class VectorType>
Vector to_vector(const VectorType& v, Index n_local) {
  Vector y(n_local);
  std::copy(v.begin(), v.end(), y.data());
  return y;
}

template <class VectorType>
void copy_entries(VectorType& v, const Vector& y) {
  std::copy(y.data(), y.data() + y.size(), v.begin());
}

/// Stores exceptions until the next output, where they are thrown. SUNDIALS is a C library, through which
/// exceptions of callbacks must not propagate, and deal.II ignores error codes of SUNDIALS in release builds.
class StoredFailure {
 public:
  explicit StoredFailure(const char* name) : name_(name) {}

  /// Calls work(). @return the return code of a SUNDIALS callback: 0 for success; 1 (recoverable error) if a
  /// system of equations cannot be solved, so that SUNDIALS tries a shorter step; -1 for any other exception
  template <class Work>
  int guard(const Work& work) {
    try {
      work();
      return 0;
    } catch (const SingularMatrix&) {
      return 1;
    } catch (const NoConvergence&) {
      return 1;
    } catch (const dealii::SolverControl::NoConvergence&) {
      return 1;
    } catch (...) {
      if (!exception_) exception_ = std::current_exception();
      return -1;
    }
  }

  /// Stores an error message of SUNDIALS. The arguments are those of an error handler of SUNDIALS.
  static void handler(int code, const char*, const char* function, char* message, void* failure) {
    if (code < 0) static_cast<StoredFailure*>(failure)->message_ = std::string(function) + ": " + message;
  }

  /// Throws the stored exception or error. @param has_advanced whether the time has grown since the last
  /// output
  void check(double time, bool has_advanced) const {
    if (exception_) std::rethrow_exception(exception_);
    if (message_.empty() && has_advanced) return;
    std::ostringstream text;
    text << "The integrator " << name_ << " of SUNDIALS failed at " << time << " s"
         << (message_.empty() ? std::string(".") : " (" + message_ + ").")
         << " Increase the tolerances, or take an integrator with fixed steps such as RadauIIA5.";
    throw NoConvergence(text.str(), 0.);
  }

 private:
  const char* name_;
  std::exception_ptr exception_;
  std::string message_;
};

/// Data of one run and functions for the callbacks of SUNDIALS, for both integrators.
template <class Engine>
class RunData {
 public:
  using VectorType = typename States<Engine>::VectorType;

  RunData(const char* name, const ReducedSystem<Engine>& reduced, const SundialsOptions& options,
          const State& state, double end_time, const Observer<Engine>& observer)
      : failure(name),
        period(options.output_period > 0 ? options.output_period : end_time - state.time),
        reduced_(reduced),
        tangents_(reduced),
        observer_(observer),
        begin_(state.time),
        end_(end_time),
        reached_(state) {}

  /// Returns f(t, y) = A y + B F(t).
  Vector rate(double time, const VectorType& y) const { return reduced_.apply({time, vector(y)}); }
  Vector vector(const VectorType& y) const { return to_vector(y, reduced_.n_local_states()); }

  void reinit(VectorType& y) const { States<Engine>::reinit(y, reduced_.states()); }

  /// Returns A v, with the tangents of the last call of update_tangents().
  Vector jacobian_times(const VectorType& v) const { return tangents_.apply_homogeneous(vector(v)); }
  /// Computes the tangents at a state, if the system has a StateForce.
  void update_tangents(double time, const VectorType& y) {
    if (!reduced_.depends_on_state()) return;
    tangents_ = reduced_.about({time, vector(y)});
    shifted_.reset();
  }
  /// Factorizes sigma E - A, unless sigma and the tangents are unchanged.
  void factorize(double sigma) {
    if (shifted_ && shifted_->sigma() == sigma) return;
    shifted_.emplace(tangents_.shifted(sigma));
    ++work.n_factorizations;
  }
  /// Returns (sigma E - A)^{-1} b.
  Vector solve(const Vector& b) const { return shifted_->solve(b); }
  double sigma() const { return shifted_->sigma(); }

  /// Throws errors that were stored since the last output, and calls the observer if an output time is
  /// reached.
  void output(double time, const VectorType& y) {
    failure.check(time, time > reached_.time);
    reached_ = {time, vector(y)};
    const double rounding = 1e-10 * period + 8 * std::numeric_limits<double>::epsilon() * std::abs(time);
    if (time < begin_ + n_outputs_ * period - rounding && time < end_ - rounding) return;
    if (time >= end_ - rounding) reached_.time = end_;
    ++n_outputs_;
    if (observer_) observer_(Observation<Engine>(reduced_, reached_));
  }

  const State& reached() const { return reached_; }

  StoredFailure failure;
  SundialsWork work;
  const double period;

 private:
  const ReducedSystem<Engine>& reduced_;
  ReducedSystem<Engine> tangents_;
  const Observer<Engine>& observer_;
  double begin_, end_;
  State reached_;
  double n_outputs_ = 1;
  std::optional<ShiftedSystem<Engine, double>> shifted_;
};

void check_options(const char* name, const SundialsOptions& options, unsigned int smallest_order) {
  const auto refuse = [&](const std::string& what) {
    throw InvalidInput("An option of the integrator " + std::string(name) + " is invalid: " + what);
  };
  for (const double value : {options.relative_tolerance, options.absolute_tolerance, options.output_period})
    if (!(value >= 0) || !std::isfinite(value))
      refuse("a tolerance or the output period is " + number_text(value) +
             ". Give finite numbers that are not negative.");
  if (options.relative_tolerance + options.absolute_tolerance == 0)
    refuse("both tolerances are zero. Give at least one tolerance above 1e-14.");
  if (options.maximum_order < smallest_order || options.maximum_order > 5)
    refuse("the maximum order is " + std::to_string(options.maximum_order) + ". Give an order from " +
           std::to_string(smallest_order) + " to 5.");
}

/// Checks the arguments of a run. @return whether the end time is after the time of the state, so that the
/// run has at least one step @throws InvalidInput if an argument is invalid
template <class Engine>
bool check_run(const char* name, const ReducedSystem<Engine>& reduced, const State& state, double end_time) {
  if (!std::isfinite(end_time) || !(end_time >= state.time))
    throw InvalidInput("The end time " + number_text(end_time) + " s of the " + name +
                       " run is not finite or before the time of the state, " + number_text(state.time) +
                       " s. Give a finite end time that is not before the time of the state.");
  if (reduced.n_states() == 0)
    throw InvalidInput(
        "The system has no states that " + std::string(name) +
        " could integrate, because the load determines all DoFs at once. Use lift() at the times of "
        "interest.");
  if (reduced.communicator().any(state.y.size() != reduced.n_local_states() || !state.y.allFinite()))
    throw InvalidInput(
        "The state that " + std::string(name) +
        " shall integrate has the wrong size or is not finite. Give a state of consistent_state() or "
        "restrict() of the same system.");
  return end_time > state.time;
}

}  // namespace

template <class Engine>
SundialsARKode<Engine>::SundialsARKode(const ReducedSystem<Engine>& reduced, const SundialsOptions& options)
    : reduced_(reduced), options_(options) {
  check_options("ARKode", options, 3);
}

template <class Engine>
SundialsWork SundialsARKode<Engine>::run(State& state, double end_time,
                                         const Observer<Engine>& observer) const {
  using VectorType = typename States<Engine>::VectorType;
  const bool has_nothing_to_do = !check_run("ARKode", reduced_, state, end_time);
  if (observer) observer(Observation<Engine>(reduced_, state));
  if (has_nothing_to_do) return {};

  RunData<Engine> run("ARKode", reduced_, options_, state, end_time, observer);
  const bool is_linear = !reduced_.depends_on_state();
  using Solver = dealii::SUNDIALS::ARKode<VectorType>;
  Solver solver(typename Solver::AdditionalData(state.time, end_time, run.period, run.period, 0.,
                                                options_.maximum_order, 10, is_linear, is_linear, true, 3,
                                                options_.absolute_tolerance, options_.relative_tolerance),
                States<Engine>::communicator(reduced_.states()));

  solver.implicit_function = [&](double t, const VectorType& y, VectorType& f) {
    return run.failure.guard([&]() { copy_entries(f, run.rate(t, y)); });
  };
  solver.jacobian_times_vector = [&](const VectorType& v, VectorType& Av, double, const VectorType&,
                                     const VectorType&) {
    return run.failure.guard([&]() { copy_entries(Av, run.jacobian_times(v)); });
  };
  // The preconditioner is exact for the factor gamma and the tangents of its setup. ARKode reuses the
  // preconditioner until gamma has changed too much or the iterations converge slowly.
  solver.jacobian_preconditioner_setup = [&](double t, const VectorType& y, const VectorType&,
                                             int tangents_are_current, int& is_current, double gamma) {
    is_current = is_linear || !tangents_are_current ? 1 : 0;
    return run.failure.guard([&]() {
      if (!tangents_are_current) run.update_tangents(t, y);
      run.factorize(1 / gamma);
    });
  };
  solver.jacobian_preconditioner_solve = [&](double, const VectorType&, const VectorType&,
                                             const VectorType& r, VectorType& z, double, double, int) {
    return run.failure.guard([&]() { copy_entries(z, run.sigma() * run.solve(run.vector(r))); });
  };
  solver.solve_linearized_system = [&](dealii::SUNDIALS::SundialsOperator<VectorType>& matrix,
                                       dealii::SUNDIALS::SundialsPreconditioner<VectorType>& preconditioner,
                                       VectorType& x, const VectorType& b, double) {
    return run.failure.guard([&]() {
      dealii::ReductionControl control(100, 1e-300, 1e-10);
      x = 0.;
      dealii::SolverGMRES<VectorType>(control).solve(matrix, x, b, preconditioner);
      ++run.work.n_linear_solves;
      run.work.n_linear_iterations += static_cast<Index>(control.last_step());
    });
  };
  solver.custom_setup = [&](void* memory) {
    ARKStepSetErrHandlerFn(memory, &StoredFailure::handler, &run.failure);
    ARKStepSetInitStep(memory, 0.);     // 0: ARKode estimates the initial step
    ARKStepSetMaxNumSteps(memory, -1);  // -1: no limit
  };
  solver.output_step = [&](double t, const VectorType& y, unsigned int step) {
    if (step > 0) run.output(t, y);
  };

  VectorType y;
  run.reinit(y);
  copy_entries(y, state.y);
  solver.solve_ode(y);
  state = run.reached();
  return run.work;
}

template <class Engine>
SundialsIDA<Engine>::SundialsIDA(const ReducedSystem<Engine>& reduced, const SundialsOptions& options)
    : reduced_(reduced), options_(options) {
  check_options("IDA", options, 1);
}

template <class Engine>
SundialsWork SundialsIDA<Engine>::run(State& state, double end_time, const Observer<Engine>& observer) const {
  using VectorType = typename States<Engine>::VectorType;
  const bool has_nothing_to_do = !check_run("IDA", reduced_, state, end_time);
  if (observer) observer(Observation<Engine>(reduced_, state));
  if (has_nothing_to_do) return {};

  RunData<Engine> run("IDA", reduced_, options_, state, end_time, observer);
  using Solver = dealii::SUNDIALS::IDA<VectorType>;
  using Data = typename Solver::AdditionalData;
  // With the initial step zero, IDA estimates the initial step.
  Solver solver(Data(state.time, end_time, 0., run.period, 0., options_.maximum_order, 10, 0.,
                     options_.absolute_tolerance, options_.relative_tolerance, false, Data::none, Data::none),
                States<Engine>::communicator(reduced_.states()));

  solver.reinit_vector = [&](VectorType& v) { run.reinit(v); };
  solver.residual = [&](double t, const VectorType& y, const VectorType& rate, VectorType& residual) {
    return run.failure.guard([&]() { copy_entries(residual, run.vector(rate) - run.rate(t, y)); });
  };
  solver.setup_jacobian = [&](double t, const VectorType& y, const VectorType&, double alpha) {
    return run.failure.guard([&]() {
      run.update_tangents(t, y);
      run.factorize(alpha);
    });
  };
  solver.solve_with_jacobian = [&](const VectorType& b, VectorType& x, double) {
    ++run.work.n_linear_solves;
    return run.failure.guard([&]() { copy_entries(x, run.solve(run.vector(b))); });
  };
  solver.output_step = [&](double t, const VectorType& y, const VectorType&, unsigned int step) {
    if (step > 0) run.output(t, y);
  };

  VectorType y, rate;
  run.reinit(y);
  run.reinit(rate);
  copy_entries(y, state.y);
  copy_entries(rate, reduced_.apply(state));
  solver.solve_dae(y, rate);
  state = run.reached();
  return run.work;
}

template class SundialsARKode<EigenEngine>;
template class SundialsARKode<TrilinosEngine>;
template class SundialsIDA<EigenEngine>;
template class SundialsIDA<TrilinosEngine>;

}  // namespace halfdof
