#pragma once

#include <halfdof/reduction/reduced_system.h>
#include <halfdof/spectrum/winding.h>

namespace halfdof {

/**
 * How many eigenvalues of @f$ P(\lambda) = \lambda^2 M + \lambda C + K @f$ lie inside a circle, with
 * multiplicity: by the argument principle on log det P along the rim (winding.h), by complex factorizations
 * of the assembled pencil, reduced.before(), so that nothing that was eliminated is used. Infinite
 * eigenvalues do not matter. What rounding of a factorization does to a determinant is made good
 * (pencil_determinant.h). Collective.
 *
 * @param known Eigenvalues that are divided out: right or wrong, they do not change the count, but if they
 * are right it costs few factorizations. They may lie outside, too.
 * @return Without n where an eigenvalue lies too near to the rim, or a solver does not tell determinants.
 * [1/s]
 */
template <class Engine>
EigenvalueCount count_inside(const ReducedSystem<Engine>& reduced, const Rim& rim,
                             const std::vector<Complex>& known = {});

/**
 * The same of an undamped symmetric pencil with a semidefinite mass, by one or some real factorizations:
 * nothing where it is no such pencil, the center is not real and inside, or a factorization does not tell
 * its inertia.
 *
 * By Sylvester's law of inertia, @f$ \nu(s) @f$ negative eigenvalues of @f$ K - s M @f$ are those of K on
 * the kernel of M, of an electric potential, say, and one for each @f$ \omega^2 < s @f$. With a center c
 * and a radius r > |c|, the eigenvalues @f$ \pm \mathrm{i} \omega @f$ of @f$ \omega^2 \ge 0 @f$ lie inside
 * if @f$ \omega^2 < r^2 - c^2 @f$, and the real ones of @f$ \omega^2 < 0 @f$ if @f$ |\omega| < r \pm c @f$ on
 * either side, so that
 * @f[ n = 2 \nu(r^2 - c^2) - \nu(-(r + c)^2) - \nu(-(r - c)^2) . @f]
 */
template <class Engine>
std::optional<EigenvalueCount> count_undamped(const ReducedSystem<Engine>& reduced, const Rim& rim);

/// A list of eigenvalues nearest to a center, and how many there are.
struct Certificate {
  EigenvalueCount counted;     ///< inside the rim
  Index n_listed = 0;          ///< inside the rim
  double radius = 0;           ///< of the rim [1/s]
  bool is_by_inertia = false;  ///< count_undamped(), or count_inside()
  bool is_complete() const { return counted.n && *counted.n == n_listed; }
};

/**
 * Counts the eigenvalues nearer to the center than the last ones of a list: inside a rim in a wide gap
 * between those distances that are at least eight tenths of the largest one. What lies beyond the rim is not
 * counted: ask for some more than are wanted, and all of these are. By count_undamped() where the pencil
 * allows it, otherwise by count_inside().
 *
 * @param list Those nearest to the center, with multiplicities, and the conjugates of each. Not empty
 * @param at_least The rim is no nearer to the center than that, where the list goes farther [1/s]
 * @param is_whole The list holds all eigenvalues: the rim encloses them, and the count is that of all
 * @throws InvalidInput if the list is empty
 */
template <class Engine>
Certificate certify(const ReducedSystem<Engine>& reduced, const std::vector<Complex>& list, Complex center,
                    double at_least = 0, bool is_whole = false);

/// The same where count_undamped() does it, at the price of a factorization or some; nothing where it does
/// not.
template <class Engine>
std::optional<Certificate> certify_by_inertia(const ReducedSystem<Engine>& reduced,
                                              const std::vector<Complex>& list, Complex center,
                                              double at_least = 0, bool is_whole = false);

}  // namespace halfdof
