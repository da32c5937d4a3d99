#pragma once

#include <halfdof/assembled/free_system.h>
#include <halfdof/linear_algebra/factorization.h>

#include <functional>
#include <memory>

namespace halfdof {

/**
 * The determinant of @f$ P(\lambda) = \lambda^2 M + \lambda C + K @f$ with the entries of M, C and K taken
 * for what they are.
 *
 * A factorization is that of a matrix nearby, LU = P + R with R of the size of rounding, and where P hardly
 * resists some motions, beside zeros of free bodies, say, rounding decides about its determinant. It is
 * made good:
 * @f[ \det P = \det(LU)\, \det(I + E), \qquad E = (LU)^{-1} P - I, @f]
 * where products with P are computed as if in twice the precision, so that E is known to its digits. Most
 * often E is negligible, which its action on some random vectors tells. Where it is not, E is large on few
 * motions, which subspace iteration finds, and the determinant of I + E is that of its compression to them.
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

  /// log det P(lambda). Collective. @throws SingularMatrix; NotAvailable where rounding of the
  /// factorization cannot be made good
  LogDeterminant<Complex> operator()(Complex lambda) const;

  /// Of the symmetric a M + c K; nothing where its factorization does not tell, or rounding leaves it open.
  /// Collective.
  std::optional<MatrixInertia> inertia(double a, double c) const;

 private:
  struct Implementation;
  std::shared_ptr<const Implementation> implementation_;
};

}  // namespace halfdof
