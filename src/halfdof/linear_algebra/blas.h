#pragma once

#include <string>

namespace halfdof {

/// The BLAS that this process calls. The one that a bare installation brings makes the supernodal Cholesky
/// factorization about six times slower than OpenBLAS.
struct BlasInUse {
  std::string library;        ///< path of the shared library; empty where it is linked statically
  std::string configuration;  ///< what OpenBLAS says of itself: version and kernel; empty for others
  bool is_reference = false;  ///< the unoptimized reference implementation (Netlib)
};

/// Asks the dynamic linker where dgemm comes from.
BlasInUse blas_in_use();

}  // namespace halfdof
