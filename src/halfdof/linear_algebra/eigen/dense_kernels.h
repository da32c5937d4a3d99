#pragma once

#include <halfdof/base/types.h>

/**
 * @file
 * What sparse factorizations need of the BLAS (Dongarra et al. 1990), overloaded by scalar. Matrices are column-major with
 * a leading dimension; transposed is never conjugated.
 */
namespace halfdof {

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

enum class Transpose : char { no = 'N', yes = 'T' };

/// A matrix in memory: its first entry and the distance of its columns.
template <class Scalar>
struct Panel {
  Scalar* first;
  Index stride;
};

/// C <- alpha A op(B) + beta C. Shapes: C m x n, A m x k, op(B) k x n.
inline void multiply(Index m, Index n, Index k, double alpha, Panel<const double> A, Panel<const double> B,
                     Transpose of_B, double beta, Panel<double> C) {
  const char none = 'N', op = static_cast<char>(of_B);
  dgemm_(&none, &op, &m, &n, &k, &alpha, A.first, &A.stride, B.first, &B.stride, &beta, C.first, &C.stride);
}
inline void multiply(Index m, Index n, Index k, Complex alpha, Panel<const Complex> A, Panel<const Complex> B,
                     Transpose of_B, Complex beta, Panel<Complex> C) {
  const char none = 'N', op = static_cast<char>(of_B);
  zgemm_(&none, &op, &m, &n, &k, &alpha, A.first, &A.stride, B.first, &B.stride, &beta, C.first, &C.stride);
}

/// B <- B op(L)^{-1} with a lower triangle L. Shapes: B m x n.
inline void divide_by_lower(Index m, Index n, Panel<const double> L, Transpose of_L, Panel<double> B) {
  const char right = 'R', lower = 'L', op = static_cast<char>(of_L), none = 'N';
  const double one = 1;
  dtrsm_(&right, &lower, &op, &none, &m, &n, &one, L.first, &L.stride, B.first, &B.stride);
}
inline void divide_by_lower(Index m, Index n, Panel<const Complex> L, Transpose of_L, Panel<Complex> B) {
  const char right = 'R', lower = 'L', op = static_cast<char>(of_L), none = 'N';
  const Complex one = 1;
  ztrsm_(&right, &lower, &op, &none, &m, &n, &one, L.first, &L.stride, B.first, &B.stride);
}

}  // namespace halfdof
