// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "mount.h"
#include <memory>
#include <string>

using namespace halfdof;

namespace {

constexpr Index n = 5;  // x = (y, y_1, y_2, y_3, y')

/// Throws an Error if a function of SUNDIALS returned an error flag. @param what The name of the function
void require(int flag, const std::string& what) {
  if (flag < 0) throw Error(what + " of SUNDIALS returned " + std::to_string(flag) + ".");
}

Eigen::Map<Vector> values(N_Vector x) {
  return {N_VGetArrayPointer(x), n};
}

/// Computes the residuals of the DAE: y' - v, m v' + forces on y - f, and the forces on y_1, y_2 and y_3.
int residual(realtype time, N_Vector x, N_Vector x_rate, N_Vector result, void* data) {
  const auto& mount = *static_cast<const HardeningMount*>(data);
  const Vector forces = mount.forces(values(x).head(4), values(x_rate).head(4));
  auto r = values(result);
  r[0] = values(x_rate)[0] - values(x)[4];
  r[4] = mount.m * values(x_rate)[4] + forces[0] - mount.load(time);
  r.segment(1, 3) = forces.tail(3);
  return 0;
}

/// Deleter of the objects of SUNDIALS.
struct Free {
  void operator()(N_Vector x) const { N_VDestroy(x); }
  void operator()(SUNMatrix A) const { SUNMatDestroy(A); }
  void operator()(SUNLinearSolver solver) const { SUNLinSolFree(solver); }
  void operator()(void* ida) const { IDAFree(&ida); }
  void operator()(SUNContext context) const { SUNContext_Free(&context); }
};
template <class Handle>
using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, Free>;

}  // namespace

MultiVector unreduced_motion(const HardeningMount& mount, const Vector& q_0, const Vector& times) {
  constexpr double tolerance = 1e-12;
  SUNContext made = nullptr;
  require(SUNContext_Create(nullptr, &made), "SUNContext_Create");
  const Owned<SUNContext> context(made);
  const Owned<N_Vector> x(N_VNew_Serial(n, made)), x_rate(N_VNew_Serial(n, made)),
      kinds(N_VNew_Serial(n, made));
  const Owned<SUNMatrix> A(SUNDenseMatrix(n, n, made));
  const Owned<SUNLinearSolver> solver(SUNLinSol_Dense(x.get(), A.get(), made));
  const Owned<void*> ida(IDACreate(made));

  values(x.get()) << q_0, 0;
  values(x_rate.get()).setZero();
  values(kinds.get()) << 1, 1, 1, 0, 1;  // 1: differential variable, 0: algebraic variable
  HardeningMount data = mount;
  require(IDAInit(ida.get(), residual, times[0], x.get(), x_rate.get()), "IDAInit");
  require(IDASStolerances(ida.get(), tolerance, tolerance), "IDASStolerances");
  require(IDASetUserData(ida.get(), &data), "IDASetUserData");
  require(IDASetLinearSolver(ida.get(), solver.get(), A.get()), "IDASetLinearSolver");
  require(IDASetId(ida.get(), kinds.get()), "IDASetId");
  require(IDASetMaxNumSteps(ida.get(), 1000000), "IDASetMaxNumSteps");
  require(IDACalcIC(ida.get(), IDA_YA_YDP_INIT, times[1]), "IDACalcIC");
  require(IDAGetConsistentIC(ida.get(), x.get(), x_rate.get()), "IDAGetConsistentIC");

  MultiVector motion(times.size(), 4);
  motion.row(0) = values(x.get()).head(4);
  for (Index i = 1; i < static_cast<Index>(times.size()); ++i) {
    realtype reached = 0;
    require(IDASolve(ida.get(), times[i], &reached, x.get(), x_rate.get(), IDA_NORMAL), "IDASolve");
    motion.row(i) = values(x.get()).head(4);
  }
  return motion;
}
