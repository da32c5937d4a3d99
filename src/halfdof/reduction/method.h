#pragma once

namespace halfdof {

/// How a system becomes a regular state space, the weakest first.
enum class ReductionMethod {
  automatic,     ///< the first of the others that suffices
  null_columns,  ///< half DoFs by their columns
  kernel,        ///< half DoFs by kernels: KernelCoordinates
  constraints,   ///< null space of the constraints that multipliers carry: ConstraintCoordinates
  weierstrass,   ///< a dense pencil of any index: WeierstrassCoordinates
  none           ///< none of these
};

/// "auto", "null-columns", "kernel", "constraints", "weierstrass", "none"
const char* name_of(ReductionMethod method);

}  // namespace halfdof
