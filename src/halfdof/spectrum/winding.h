#pragma once

#include <halfdof/linear_algebra/log_determinant.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace halfdof {

/// How many eigenvalues lie in some region, and what that cost.
struct EigenvalueCount {
  std::optional<GlobalIndex> n = {};  ///< nothing where it cannot be told
  std::string reason = {};            ///< why it cannot
  double deviation = 0;               ///< of what was integrated from the integer n
  Index n_factorizations = 0;
  double seconds = 0;  ///< wall time
};

/// z -> f(z), not zero, as its logarithm. @throws SingularMatrix where f vanishes, NotAvailable where it
/// cannot be told
using LogOfAnalytic = std::function<LogDeterminant<Complex>(Complex z)>;

/// |z - center| = radius
struct Rim {
  Complex center;
  double radius;
};

/**
 * How many zeros of an analytic function f lie inside a circle, with multiplicity, by the argument principle:
 * @f[ n = \frac{1}{2\pi} \oint \mathrm{d} \arg f . @f]
 * Zeros that are known are divided out, @f$ g(z) = f(z) / \prod_k (z - \lambda_k) @f$, and those inside are
 * added to the winding of g: nothing moves fast along the rim then, however near to it they are. A wrong
 * one makes a winding of -1.
 *
 * At each node two values of f give log g and its derivative along the rim. Between neighbouring nodes the
 * change of log g is predicted by interpolation of the derivatives at six nodes, and at four; its real
 * part, which has no branches, and its imaginary part, up to multiples of 2 pi, are compared with the
 * values of log g. Intervals are halved until the predictions and the values agree to a part of pi.
 *
 * @param is_conjugate Whether @f$ f(\bar z) = \overline{f(z)} @f$. Where the center is real and the known
 * zeros are closed under conjugation, half of the rim suffices.
 * @return Without n where a zero lies too near to the rim, or f cannot be told there.
 */
EigenvalueCount count_zeros(const LogOfAnalytic& f, const Rim& rim, const std::vector<Complex>& known,
                            bool is_conjugate);

}  // namespace halfdof
