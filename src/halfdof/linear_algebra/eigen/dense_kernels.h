// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

/**
 * @file
 * The BLAS functions (Dongarra et al. 1990) that sparse factorizations use, overloaded by scalar type.
 * Matrices are column-major with a leading dimension; transposed matrices are never conjugated.
 */
namespace halfdof::internal {

extern "C" {
void dgemm_(const char*, const char*, const int*, const int*, const int*, const double*, const double*,
            const int*, const double*, const int*, const double*, double*, const int*);
void zgemm_(const char*, const char*, const int*, const int*, const int*, const Complex*, const Complex*,
            const int*, const Complex*, const int*, const Complex*, Complex*, const int*);
void dtrsm_(const char*, const char*, const char*, const char*, const int*, const int*, const double*,
            const double*, const int*, double*, const int*);
void ztrsm_(const char*, const char*, const char*, const char*, const int*, const int*, const Complex*,
            const Complex*, const int*, Complex*, const int*);
}

/// A dense matrix that is stored column by column: the address of its first entry, and the distance of
/// neighbouring columns.
template <class Scalar>
struct Panel {
  Scalar* first;
  Index stride;
};

/// Replaces C by alpha A B^T + beta C. Shapes: C m x n, A m x k, B n x k.
inline void multiply(Index m, Index n, Index k, double alpha, Panel<const double> A, Panel<const double> B,
                     double beta, Panel<double> C) {
  const char none = 'N', transposed = 'T';
  dgemm_(&none, &transposed, &m, &n, &k, &alpha, A.first, &A.stride, B.first, &B.stride, &beta, C.first,
         &C.stride);
}
inline void multiply(Index m, Index n, Index k, Complex alpha, Panel<const Complex> A, Panel<const Complex> B,
                     Complex beta, Panel<Complex> C) {
  const char none = 'N', transposed = 'T';
  zgemm_(&none, &transposed, &m, &n, &k, &alpha, A.first, &A.stride, B.first, &B.stride, &beta, C.first,
         &C.stride);
}

/// Replaces B by B L^{-T} with a lower triangular L. Shapes: B m x n, L n x n.
inline void divide_by_lower(Index m, Index n, Panel<const double> L, Panel<double> B) {
  const char right = 'R', lower = 'L', transposed = 'T', none = 'N';
  const double one = 1;
  dtrsm_(&right, &lower, &transposed, &none, &m, &n, &one, L.first, &L.stride, B.first, &B.stride);
}
inline void divide_by_lower(Index m, Index n, Panel<const Complex> L, Panel<Complex> B) {
  const char right = 'R', lower = 'L', transposed = 'T', none = 'N';
  const Complex one = 1;
  ztrsm_(&right, &lower, &transposed, &none, &m, &n, &one, L.first, &L.stride, B.first, &B.stride);
}

}  // namespace halfdof::internal
