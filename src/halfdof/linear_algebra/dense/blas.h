// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <string>

namespace halfdof::internal {

/// The BLAS library that this process uses. With the reference BLAS of a minimal installation, the supernodal
/// Cholesky factorization is about six times slower than with OpenBLAS.
struct BlasInUse {
  std::string library;        ///< path of the shared library; empty if it is linked statically
  std::string configuration;  ///< version and kernel as reported by OpenBLAS; empty for other libraries
  bool is_reference = false;  ///< whether it is the unoptimized reference implementation (Netlib)
};

/// Finds the shared library from which the dynamic linker loaded the BLAS function dgemm.
BlasInUse blas_in_use();

}  // namespace halfdof::internal
