// SPDX-License-Identifier: LGPL-2.1-or-later
// A linear body from rest over some periods of its slowest mode at equal accuracy: generalized-alpha or Radau
// IIA on the reduced system, whichever is faster, beside IDA of SUNDIALS (adaptive BDF, sparse Jacobian
// factorized by KLU) on the free system, nothing eliminated, whose index is one. Both from assembled matrices
// to displacements at the output times, in turn, the best of three. Usage: benchmark_adaptive [cells along an
// edge] [periods]
//
// The error is that of all displacements of masses at the output times, relative to their Euclidean norm; the
// reference is the Radau IIA method with small steps. All get the loosest of their settings, tried one after
// another, that is accurate enough: the length of steps, and the tolerance of IDA with the better of two
// highest orders.

#include <halfdof/assembled/free_system.h>
#include <halfdof/base/constants.h>
#include <halfdof/integrators/smooth/implicit_methods.h>
#include <halfdof/spectrum/nearest_eigenvalues.h>

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include "piezoelectric_body.h"
#include "report.h"
#include "timing.h"
#include <iomanip>
#include <limits>
#include <memory>
#include <optional>
#include <sstream>
#include <string>

using namespace halfdof;
using namespace halfdof::internal;
using benchmark::seconds;

namespace {

using System = AssembledSystem<EigenEngine>;
using Sparse = Eigen::SparseMatrix<double>;

/// When displacements are asked for.
struct OutputTimes {
  double interval;  ///< [s]
  int n;

  std::vector<double> all() const {
    std::vector<double> times;
    for (int k = 1; k <= n; ++k)
      times.push_back(k * interval);
    return times;
  }
};

/// Displacements of the masses, one column for each output time, and how long they took.
struct Motion {
  MultiVector displacements;
  double seconds;
};

template <class Method>
Motion reduced_motion(const System& system, const OutputTimes& times, int n_steps_between) {
  Motion motion{{}, 0};
  motion.seconds = seconds([&] {
    const auto reduced = reduce(system);
    State state{0., Vector::Zero(reduced.n_local_states())};
    motion.displacements.resize(reduced.classification().inertial().n_local(), times.n);
    Index column = 0;
    Method(reduced, times.interval / n_steps_between)
        .run(state, times.all(), [&](const Observation<EigenEngine>& now) {
          motion.displacements.col(column++) = reduced.q_I(now.state().y);
        });
  });
  return motion;
}

/// The free system in first order, E x' + A x = (F; 0) with x = (q, v_I):
/// M J_I v_I' + C q' + K q = F, then q_I' - v_I = 0, so that the diagonal is not zero.
class FirstOrderSystem {
 public:
  explicit FirstOrderSystem(const System& system)
      : free_(system), inertial_(classify_dofs(free_).inertial()) {
    const Index n = n_dofs(), n_I = inertial_.n_local();
    std::vector<Index> rate_of(static_cast<std::size_t>(n), 0);
    Triplets of_E, of_A;
    for (Index i = 0; i < n_I; ++i) {
      const Index dof = inertial_.local()[static_cast<std::size_t>(i)];
      rate_of[static_cast<std::size_t>(dof)] = n + i;
      of_E.emplace_back(n + i, dof, 1.);
      of_A.emplace_back(n + i, n + i, -1.);
    }
    add(
        free_.M().entries(), [&](Index dof) { return rate_of[static_cast<std::size_t>(dof)]; }, of_E);
    add(
        free_.C().entries(), [](Index dof) { return dof; }, of_E);
    add(
        free_.K().entries(), [](Index dof) { return dof; }, of_A);
    E_ = matrix(of_E, of_A);
    A_ = matrix(of_A, of_E);
  }

  Index n_masses() const { return inertial_.n_local(); }
  Index size() const { return n_dofs() + n_masses(); }
  /// Both with the pattern of E + A.
  const Sparse& E() const { return E_; }
  const Sparse& A() const { return A_; }
  /// F at the places of its equations.
  void subtract_load(double time, Eigen::Ref<Vector> residual) const {
    residual.head(n_dofs()) -= free_.load(time);
  }
  Vector displacements_of_masses(ConstView<double> x) const {
    return inertial_.selected_rows(x.topRows(n_dofs()));
  }
  /// One at unknowns that have a derivative, zero at algebraic ones.
  Vector differential() const {
    Vector all = Vector::Zero(size());
    const Classification kinds = classify_dofs(free_);
    for (const Selection* kind : {&kinds.inertial(), &kinds.viscous()})
      for (const Index dof : kind->local())
        all[dof] = 1;
    all.tail(inertial_.n_local()).setOnes();
    return all;
  }

 private:
  using Triplets = std::vector<Eigen::Triplet<double>>;

  Index n_dofs() const { return free_.dofs().n_local(); }

  template <class Place>
  void add(const Sparse& of_dofs, const Place& place, Triplets& entries) const {
    for (Index column = 0; column < of_dofs.cols(); ++column)
      for (Sparse::InnerIterator entry(of_dofs, column); entry; ++entry)
        entries.emplace_back(entry.row(), place(column), entry.value());
  }

  Sparse matrix(Triplets entries, const Triplets& zeros) const {
    for (const auto& entry : zeros)
      entries.emplace_back(entry.row(), entry.col(), 0.);
    Sparse A(size(), size());
    A.setFromTriplets(entries.begin(), entries.end());
    return A;
  }

  FreeSystem<EigenEngine> free_;
  Selection inertial_;
  Sparse E_, A_;
};

/// @param what "IDASolve"
void require(int flag, const std::string& what) {
  if (flag < 0) throw Error(what + " of SUNDIALS returned " + std::to_string(flag) + ".");
}

Eigen::Map<Vector> values(N_Vector x) {
  return {N_VGetArrayPointer(x), static_cast<Index>(N_VGetLength(x))};
}

int residual(realtype time, N_Vector x, N_Vector x_rate, N_Vector result, void* data) {
  const auto& system = *static_cast<const FirstOrderSystem*>(data);
  auto r = values(result);
  r.noalias() = system.E() * values(x_rate);
  r.noalias() += system.A() * values(x);
  system.subtract_load(time, r);
  return 0;
}

int jacobian(realtype /*time*/, realtype factor, N_Vector /*x*/, N_Vector /*x_rate*/, N_Vector /*residual*/,
             SUNMatrix matrix, void* data, N_Vector, N_Vector, N_Vector) {
  const auto& system = *static_cast<const FirstOrderSystem*>(data);
  const Sparse &E = system.E(), &A = system.A();
  std::copy(E.outerIndexPtr(), E.outerIndexPtr() + E.cols() + 1, SUNSparseMatrix_IndexPointers(matrix));
  std::copy(E.innerIndexPtr(), E.innerIndexPtr() + E.nonZeros(), SUNSparseMatrix_IndexValues(matrix));
  Eigen::Map<Vector>(SUNSparseMatrix_Data(matrix), E.nonZeros()) = factor * E.coeffs() + A.coeffs();
  return 0;
}

struct Free {
  void operator()(N_Vector x) const { N_VDestroy(x); }
  void operator()(SUNMatrix A) const { SUNMatDestroy(A); }
  void operator()(SUNLinearSolver solver) const { SUNLinSolFree(solver); }
  void operator()(void* ida) const { IDAFree(&ida); }
  void operator()(SUNContext context) const { SUNContext_Free(&context); }
};
template <class Handle>
using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, Free>;

/// @param order Highest one of the BDF: those above 2 are not stable for modes with little damping
/// @param size Of displacements, relative to which the tolerance is absolute
Motion ida_motion(const System& assembled, const OutputTimes& times, int order, double tolerance,
                  double size) {
  Motion motion{{}, 0};
  motion.seconds = seconds([&] {
    FirstOrderSystem system(assembled);
    SUNContext made = nullptr;
    require(SUNContext_Create(nullptr, &made), "SUNContext_Create");
    const Owned<SUNContext> context(made);
    const Owned<N_Vector> x(N_VNew_Serial(system.size(), made)), x_rate(N_VNew_Serial(system.size(), made)),
        differential(N_VNew_Serial(system.size(), made));
    const Owned<SUNMatrix> matrix(
        SUNSparseMatrix(system.size(), system.size(), system.E().nonZeros(), CSC_MAT, made));
    const Owned<SUNLinearSolver> solver(SUNLinSol_KLU(x.get(), matrix.get(), made));
    const Owned<void*> ida(IDACreate(made));
    values(x.get()).setZero();
    values(x_rate.get()).setZero();
    values(differential.get()) = system.differential();
    require(IDAInit(ida.get(), residual, 0., x.get(), x_rate.get()), "IDAInit");
    require(IDASStolerances(ida.get(), tolerance, tolerance * size), "IDASStolerances");
    require(IDASetUserData(ida.get(), &system), "IDASetUserData");
    require(IDASetLinearSolver(ida.get(), solver.get(), matrix.get()), "IDASetLinearSolver");
    constexpr int minimum_degree = 0;  // half the entries in the factors of the default
    require(SUNLinSol_KLUSetOrdering(solver.get(), minimum_degree), "SUNLinSol_KLUSetOrdering");
    require(IDASetJacFn(ida.get(), jacobian), "IDASetJacFn");
    require(IDASetId(ida.get(), differential.get()), "IDASetId");
    require(IDASetSuppressAlg(ida.get(), SUNTRUE), "IDASetSuppressAlg");
    require(IDASetMaxOrd(ida.get(), order), "IDASetMaxOrd");
    require(IDASetMaxNumSteps(ida.get(), 1000000), "IDASetMaxNumSteps");
    motion.displacements.resize(system.n_masses(), times.n);
    Index column = 0;
    for (const double time : times.all()) {
      realtype reached = 0;
      require(IDASolve(ida.get(), time, &reached, x.get(), x_rate.get(), IDA_NORMAL), "IDASolve");
      motion.displacements.col(column++) = system.displacements_of_masses(values(x.get()));
    }
  });
  return motion;
}

/// What both methods are asked for.
struct Problem {
  System system;
  OutputTimes times;
  MultiVector reference;
};

double difference(const Problem& problem, const MultiVector& motion, const MultiVector& other) {
  return (motion - other).norm() / problem.reference.norm();
}

/// A way to get the motion, more accurate the higher its number.
struct Attempt {
  std::string setting;
  std::function<Motion()> run;
};

/// The first attempt that is accurate enough.
struct Found : Attempt {
  Motion motion;
  double error;
};

/// Nothing once an attempt takes longer than the limit. @param limit [s]
std::optional<Found> loosest(const Problem& problem, double allowed,
                             const std::function<Attempt(int)>& attempt,
                             double limit = std::numeric_limits<double>::infinity()) {
  for (int i = 0;; ++i) {
    const Attempt next = attempt(i);
    const Motion motion = next.run();
    const double error = difference(problem, motion.displacements, problem.reference);
    if (motion.seconds > limit) return std::nullopt;
    if (error <= allowed) return Found{next, motion, error};
  }
}

/// The faster of both methods.
Found reduced(const Problem& problem, double allowed) {
  const auto attempts = [&problem](const std::string& name, auto run) {
    return [&problem, name, run](int i) -> Attempt {
      const int n_steps = static_cast<int>(std::ceil(std::pow(1.2, i)));
      return {name + ", " + std::to_string(n_steps) + " steps between output times",
              [&problem, run, n_steps] { return run(problem.system, problem.times, n_steps); }};
    };
  };
  const Found second = *loosest(problem, allowed,
                                attempts("generalized-alpha", reduced_motion<GeneralizedAlpha<EigenEngine>>)),
              fifth =
                  *loosest(problem, allowed, attempts("Radau IIA", reduced_motion<RadauIIA5<EigenEngine>>));
  return second.motion.seconds < fifth.motion.seconds ? second : fifth;
}

std::string short_text(double number) {
  std::ostringstream text;
  text << std::setprecision(2) << number;
  return text.str();
}

Found ida(const Problem& problem, double allowed) {
  const auto attempts = [&](int order) {
    return [&problem, allowed, order](int i) -> Attempt {
      const double tolerance = allowed * std::pow(10, -0.25 * i);
      return {"order " + std::to_string(order) + ", tolerance " + short_text(tolerance),
              [&problem, order, tolerance] {
                return ida_motion(problem.system, problem.times, order, tolerance,
                                  problem.reference.cwiseAbs().maxCoeff());
              }};
    };
  };
  const Found of_order_5 = *loosest(problem, allowed, attempts(5));
  return loosest(problem, allowed, attempts(2), of_order_5.motion.seconds).value_or(of_order_5);
}

void compare(const Problem& problem, double allowed, benchmark::Report& report) {
  Found ours = reduced(problem, allowed), theirs = ida(problem, allowed);
  for (int repetition = 1; repetition < 3; ++repetition)
    for (Found* const found : {&ours, &theirs})
      found->motion.seconds = std::min(found->motion.seconds, found->run().seconds);
  std::cout << "an error of " << allowed << ": " << ours.setting << " (" << ours.error << "), "
            << theirs.setting << " (" << theirs.error << ")" << std::endl;
  report.add({"motion with an error of " + short_text(allowed),
              "2D, " + std::to_string(problem.system.free().n_global()) + " free DoFs",
              "SUNDIALS IDA with KLU", ours.motion.seconds, theirs.motion.seconds, 10.,
              difference(problem, theirs.motion.displacements, ours.motion.displacements), 2 * allowed});
}

}  // namespace

int main(int n_arguments, char** arguments) {
  const int n_cells = n_arguments > 1 ? std::atoi(arguments[1]) : 20;
  const int n_periods = n_arguments > 2 ? std::atoi(arguments[2]) : 3;
  constexpr int outputs_a_period = 8;
  const System system = benchmark::PiezoelectricBody<2>(n_cells).assemble();
  const double slowest = std::abs(nearest_eigenvalues(reduce(system), 2).eigenvalues.front().imag());
  const OutputTimes times{2 * pi / slowest / outputs_a_period, n_periods * outputs_a_period};
  const Problem problem{system, times,
                        reduced_motion<RadauIIA5<EigenEngine>>(system, times, 20).displacements};
  benchmark::Report report;
  for (const double allowed : {1e-2, 1e-3, 1e-4})
    compare(problem, allowed, report);
}
