#pragma once

namespace halfdof {

/// How a system becomes a regular state space, the weakest first.
enum class ReductionMethod {
  automatic,     ///< the first of the next two that suffices
  null_columns,  ///< half DoFs by their columns
  kernel,        ///< half DoFs by kernels: KernelCoordinates
  weierstrass,   ///< a dense pencil of any index: WeierstrassForm of smallest_form()
  none           ///< none of these
};

/// "auto", "null-columns", "kernel", "weierstrass", "none"
const char* name_of(ReductionMethod method);

}  // namespace halfdof
