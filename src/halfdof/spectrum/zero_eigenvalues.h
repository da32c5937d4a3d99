#pragma once

#include <halfdof/assembled/free_system.h>

#include <vector>

namespace halfdof {

/**
 * Sets eigenvalues that rounding does not tell from zero to zero. Of the double zero of a rigid body it makes
 * a pair of modulus sqrt(epsilon) times the largest eigenvalue, and so it is for each body. An eigenvalue is
 * such where all its terms are as small as rounding or as its residual: in every row i,
 * @f[ |\lambda|^2 |M x|_i + |\lambda| |C x|_i + |K x|_i \le \max\bigl(
 *     100\,\epsilon\, (s^2 \|M_i\|_1 + s \|C_i\|_1 + \|K_i\|_1) \|x\|_\infty,\ 10\, \|P(\lambda) x\|_\infty
 *     \bigr) @f]
 * with s = 1e-4 characteristic_rate(). Shapes: x local free DoFs x k. Collective.
 */
template <class Engine>
std::vector<Complex> round_zeros(const FreeSystem<Engine>& system, std::vector<Complex> eigenvalues,
                                 ConstView<Complex> x);

}  // namespace halfdof
