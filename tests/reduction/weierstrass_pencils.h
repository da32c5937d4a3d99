// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/reduction/weierstrass/weierstrass_form.h>
#include <halfdof/spectrum/dense_spectrum.h>

#include "systems.h"
#include <vector>

/// Pencils whose Weierstrass form is known because they were made from it.
namespace halfdof::test {

/// E = P diag(1, N) Q, A = P diag(A_1, 1) Q.
struct KnownPencil {
  MultiVector E, A;
  MultiVector P, Q;
  MultiVector A_1, N;
  std::vector<Index> sizes;  ///< of the Jordan blocks at infinity, largest first

  Index order() const { return static_cast<Index>(E.rows()); }
  Index n_finite() const { return static_cast<Index>(A_1.rows()); }
  Index index() const { return sizes.empty() ? 0 : sizes.front(); }
};

/// Jordan blocks to the eigenvalue zero.
MultiVector nilpotent(const std::vector<Index>& sizes);

KnownPencil make_pencil(const MultiVector& A_1, std::vector<Index> sizes, const MultiVector& P,
                        const MultiVector& Q);

/// What P and Q look like; `ill_conditioned`: singular values from 1 down to 1e-4.
enum class Coordinates { full, sparse, jordan, ill_conditioned };

MultiVector coordinates(RandomNumbers& random, Index n, Coordinates kind);

/// Unsymmetric, of an index from 1 to 4, with one to max_finite finite eigenvalues and several blocks at
/// infinity.
KnownPencil random_pencil(RandomNumbers& random, Coordinates kind, Index max_finite = 10);

/// Rows and columns in any order.
void permute(RandomNumbers& random, KnownPencil& pencil);

/// Each row and each column by a factor of its own between 1e-6 and 1e6.
void scale(RandomNumbers& random, KnownPencil& pencil);

/// Largest relative distance of an eigenvalue from its partner, the nearest that is left.
double spectral_distance(std::vector<Complex> found, const std::vector<Complex>& expected);

/// (lambda - A_1)^{-1} and (lambda N - 1)^{-1} in their places: (lambda E - A)^{-1} = T ... Z.
MultiVector resolvent_by_parts(const WeierstrassForm& form, double lambda);

}  // namespace halfdof::test
