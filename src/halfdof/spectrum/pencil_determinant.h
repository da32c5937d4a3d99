// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/free_system.h>
#include <halfdof/linear_algebra/engine.h>

#include <functional>
#include <memory>

namespace halfdof::internal {

/**
 * The determinant of @f$ P(\lambda) = \lambda^2 M + \lambda C + K @f$, with the entries of M, C and K
 * considered exact.
 *
 * The factors are those of a nearby matrix, LU = P + R with R of the size of rounding. If P is nearly
 * singular, for example close to the zero eigenvalues of free bodies, R may change the determinant by more
 * than its size. This error is corrected,
 * @f[ \det P = \det(LU)\, \det(I + E), \qquad E = (LU)^{-1} P - I, @f]
 * where products with P are computed as if in twice the precision, so that E is accurate. Usually E is
 * negligible, which is checked by its action on some random vectors. Otherwise E is large on few motions
 * only: subspace iteration finds them, and det(I + E) is that of the compression of I + E to these motions.
 *
 * For a real symmetric P(lambda), no matrix between LU and P is singular where |E| < 1: then both have the
 * same inertia.
 */
template <class Engine>
class PencilDeterminant {
 public:
  using Factorize = std::function<FactorizationPtr<Complex>(Complex a, Complex b, Complex c)>;
  using FactorizeReal = std::function<FactorizationPtr<double>(double a, double b, double c)>;

  /// @param factorize a M + b C + c K of this system
  PencilDeterminant(const FreeSystem<Engine>& system, Factorize factorize, FactorizeReal factorize_real);

  /// Returns log det P(lambda). Collective. @throws SingularMatrix; NotAvailable if the effect of rounding of
  /// the factorization cannot be corrected
  LogDeterminant<Complex> operator()(Complex lambda) const;

  /// Returns the inertia of the symmetric matrix a M + c K; nothing if its factorization does not provide it,
  /// or rounding leaves it undecided. Collective.
  std::optional<MatrixInertia> inertia(double a, double c) const;

 private:
  struct Implementation;
  std::shared_ptr<const Implementation> implementation_;
};

}  // namespace halfdof::internal
