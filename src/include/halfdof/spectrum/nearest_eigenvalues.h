// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/reduction/reduced_system.h>

#include <iosfwd>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace halfdof {

/// The number of eigenvalues in a region, and the cost of counting them.
struct EigenvalueCount {
  std::optional<GlobalIndex> n = {};  ///< number of eigenvalues; empty if it cannot be determined
  std::string reason = {};            ///< why n cannot be determined
  bool is_rim_near = false;           ///< whether the reason is an eigenvalue on the rim, or too near to it
  double deviation = 0;               ///< deviation of the computed integral from the integer n
  Index n_factorizations = 0;
  double seconds = 0;  ///< wall time
};

/// The circle |z - center| = radius.
struct Rim {
  Complex center;
  double radius;
};

/**
 * Counts the eigenvalues of @f$ P(\lambda) = \lambda^2 M + \lambda C + K @f$ inside a circle, with
 * multiplicity, by the argument principle on log det P along the rim. It uses complex
 * factorizations of the assembled pencil, reduced.unreduced().system(), so that no result of the elimination
 * enters. Infinite eigenvalues do not matter. The effect of rounding errors of a factorization on the
 * determinant is corrected. Collective.
 *
 * @param known Eigenvalues that are divided out [1/s]. They do not change the count, whether right or wrong,
 * but right ones reduce the number of factorizations. They may also lie outside the circle.
 * @return The count; without n if an eigenvalue lies too near to the rim, or a solver provides no
 * determinants.
 */
template <class Engine>
EigenvalueCount count_inside(const ReducedSystem<Engine>& reduced, const Rim& rim,
                             const std::vector<Complex>& known = {});

/**
 * Counts the eigenvalues of an undamped symmetric pencil with a semidefinite mass inside a circle, by a few
 * real factorizations. Returns nothing if the pencil is not of this type, the center c is not real, the
 * circle does not contain zero, or a factorization does not provide its inertia.
 *
 * By Sylvester's law of inertia, the number @f$ \nu(s) @f$ of negative eigenvalues of @f$ K - s M @f$ is the
 * number of negative eigenvalues of K on the kernel of M (of an electric potential for example), plus one for
 * each @f$ \omega^2 < s @f$. With a center c and a radius r > |c|, the eigenvalues
 * @f$ \pm \mathrm{i} \omega @f$ of @f$ \omega^2 \ge 0 @f$ lie inside if @f$ \omega^2 < r^2 - c^2 @f$, and the
 * real ones of @f$ \omega^2 < 0 @f$ if @f$ |\omega| < r \pm c @f$ on either side, so that
 * @f[ n = 2 \nu(r^2 - c^2) - \nu(-(r + c)^2) - \nu(-(r - c)^2) . @f]
 */
template <class Engine>
std::optional<EigenvalueCount> count_undamped(const ReducedSystem<Engine>& reduced, const Rim& rim);

/// The frequencies between two limits.
struct FrequencyBand {
  double from = 0;  ///< at least 0 [Hz], or cycles in the application's unit of time
  double to = 0;    ///< above `from` [Hz]
  /// Eigenvalues that decay or grow faster are not in the band [1/s]. Models with friction inside their
  /// material have many strongly damped eigenvalues that no count can tell apart in double precision.
  double decay_limit = std::numeric_limits<double>::infinity();

  /// Returns @f$ \min(4 \pi f_2, 8 \pi (f_2 - f_1)) @f$, or decay_limit if that is smaller [1/s].
  double largest_decay() const;
  /// Returns whether an eigenvalue lies in the band: @f$ 2 \pi f_1 < \Im \lambda < 2 \pi f_2 @f$ and
  /// @f$ |\Re \lambda| @f$ below largest_decay(). A wide band thus contains damping ratios of 0.89 at its
  /// upper limit, and larger ones at lower frequencies.
  bool contains(Complex eigenvalue) const;
};

/// Compares the number of listed eigenvalues near a center with the number that exists.
struct Certificate {
  EigenvalueCount counted;     ///< eigenvalues that exist inside the rim
  Index n_listed = 0;          ///< number of listed eigenvalues inside the rim
  double radius = 0;           ///< radius of the rim [1/s]
  bool is_by_inertia = false;  ///< counted by count_undamped(), otherwise by count_inside()
  bool is_complete() const { return counted.n && *counted.n == n_listed; }
};

/**
 * Counts the eigenvalues that are nearer to the center than the last ones of a list. The rim lies in a wide
 * gap between the listed distances, at a distance of at least eight tenths of the largest one. Listed
 * eigenvalues beyond the rim are not checked: to check all wanted eigenvalues, list some more. Uses
 * count_undamped() if the pencil allows it, otherwise count_inside().
 *
 * @param list The eigenvalues nearest to the center, with multiplicities, and the conjugate of each. Not
 * empty
 * @param at_least Smallest radius of the rim, if the list goes farther [1/s]
 * @param is_whole Whether the list contains all eigenvalues: then the rim encloses all of them
 * @throws InvalidInput if the list is empty
 */
template <class Engine>
Certificate certify(const ReducedSystem<Engine>& reduced, const std::vector<Complex>& list, Complex center,
                    double at_least = 0, bool is_whole = false);

/// As certify(), but only by count_undamped(), which takes a few factorizations; returns nothing if
/// count_undamped() returns nothing.
template <class Engine>
std::optional<Certificate> certify_by_inertia(const ReducedSystem<Engine>& reduced,
                                              const std::vector<Complex>& list, Complex center,
                                              double at_least = 0, bool is_whole = false);

/// Checks the arguments of a search. @throws InvalidInput unless k is at least 1 and the shift and its square
/// are finite
void check_nearest(Index k, Complex sigma);

/// How the completeness of a list of eigenvalues was checked.
enum class Completeness {
  counted,   ///< by the degree of det P, or by a Certificate
  searched,  ///< by a second search from other start vectors
  unknown    ///< not checked: the second search did not end, or zeros are too uncertain
};

/// How well one eigenvalue and its vector satisfy the assembled and the reduced equations.
struct EigenpairResidual {
  /// @f$ \|(\lambda^2 M + \lambda C + K) x\| / ((|\lambda|^2 \|M\| + |\lambda| \|C\| + \|K\|) \|x\|) @f$ with
  /// Euclidean norms of vectors and 1-norms of matrices: the backward error of the pair (Tisseur, 2000). P is
  /// that of the assembled system, including the columns that a null tolerance dropped. In the denominator,
  /// eigenvalues that cannot be distinguished from zero because of rounding count as max(|lambda|, s).
  double assembled = 0;
  /// @f$ \|A y - \lambda y\| / (\max(|\lambda|, s)\, \|y\|) @f$ with A applied through D, and s =
  /// zero_scale() of all listed eigenvalues. The eigenvectors are computed from the assembled matrices, so
  /// that this residual tests the elimination.
  double reduced = 0;
  /// The part of `reduced` that is caused by rounding of y: A multiplies the unavoidable errors of smooth
  /// modes by the stiffness of rough ones. It may be 0, without being computed, if `reduced` is below 1e-10.
  double rounding = 0;
  /// The residual of the equations before the division by D, in which slow modes of slender parts lose no
  /// digits. With z = (a_I; q_C'; q_K) from the elimination and w of TermScales, whose |lambda| is that of
  /// `assembled`, it is the largest of @f$ |P(\lambda) x|_i / w_i @f$,
  /// @f$ |M J_I (a_I - \lambda v_I) + C J_C (\dot q_C - \lambda q_C)|_i / w_i @f$ and, with the largest
  /// moduli of z in place of those of x, the residual of the linear system with D.
  double backward = 0;
  /// uncertainties() of the eigenvalue [1/s], by rounding of the entries; the two spectra may nevertheless
  /// agree to more digits. NaN if left vectors are not known.
  double uncertainty = std::numeric_limits<double>::quiet_NaN();
  /// Distance to the nearest root z of y^T P(z) x = 0, with y and x the left and right vectors: corrections()
  /// [1/s]; 0 if left vectors are not known.
  double distance_to_root = 0;
  double set_to_zero = 0;  ///< modulus of an eigenvalue that was set to zero; otherwise 0 [1/s]
  /// Bound of the distance from the eigenvalue to that of the given entries, caused by rounding and by the
  /// remaining residual of its equation [1/s].
  double error() const { return uncertainty + distance_to_root; }
  /// Whether the terms of P x, or the squares of their rounding errors, overflow or underflow, so that none
  /// of these residuals is meaningful.
  bool is_empty = false;
};

/**
 * Eigenvalues of the reduced system with their eigenvectors and residuals. Both eigenvalues of a conjugate
 * pair are listed, next to each other.
 *
 * Shapes: states n_local_states() x k, shapes n_local assembled DoFs x k. Normalized: the largest entry of
 * each shape is one.
 */
struct Eigenmodes {
  std::vector<Complex> eigenvalues;  ///< eigenvalues [1/s], or one over the application's unit of time
  std::vector<Complex> found;        ///< eigenvalues before zeros were set to zero [1/s]
  ComplexMultiVector states;         ///< eigenvectors y = (q_I, q_C, v_I)
  /// x: displacements of all assembled DoFs; those of algebraic DoFs follow from the elimination without
  /// load, those of constrained DoFs are zero.
  ComplexMultiVector shapes;
  std::vector<EigenpairResidual> residuals;  ///< residual of each eigenvalue, on every process
};

/// Eigenvalues nearest to a shift, nearest first.
struct NearestEigenvalues : Eigenmodes {
  Complex requested_shift;  ///< the shift to which the eigenvalues are nearest [1/s]
  Complex shift;            ///< the shift that was used; differs if the requested one is an eigenvalue
  Completeness completeness = Completeness::searched;
  /// Basis of the invariant subspace, in reduced numbering, if the whole spectrum was computed: the
  /// eigenvectors, and generalized eigenvectors (Jordan chains) of defective eigenvalues. Empty after a
  /// search, where the eigenvectors `states` are the basis.
  ComplexMultiVector basis_with_chains = {};
  bool shift_moved() const { return shift != requested_shift; }
  const ComplexMultiVector& basis() const {
    return basis_with_chains.size() > 0 ? basis_with_chains : states;
  }
};

/**
 * Computes the k eigenvalues of the reduced system nearest to the shift sigma, with multiplicity, and the
 * conjugate of each (after the nearer value of the pair); all eigenvalues if there are fewer.
 *
 * For small systems all eigenvalues are computed and counted, and the nearest are
 * selected. For other systems a Krylov-Schur iteration with @f$(\sigma I - A)^{-1}@f$ uses the sparsity of
 * the assembled matrices: it needs one factorization of @f$\sigma^2 M + \sigma C + K@f$, without any other
 * fill-in (nearest_eigenpairs.h describes how all copies of a repeated eigenvalue are found).
 *
 * Exact zero eigenvalues are common (rigid bodies, viscous DoFs without stiffness). Then sigma = 0 is an
 * eigenvalue, even if rounding makes K regular. A shift that is an eigenvalue, or that is 1e5 times nearer to
 * one than to the k-th, is moved along the positive real axis by 1e-5 of its modulus, and farther if needed.
 * A shift about zero is moved by 0.3 of the rate of the next motions or relaxations if it is an eigenvalue,
 * or if some motions are slower than 1e-4 of a typical rate and a thousand times slower than the next motions
 * or relaxations among the k eigenvalues. After a move, more eigenvalues are computed about the shift used
 * until the k nearest to sigma itself are known. Eigenvalues that cannot be distinguished from zero because
 * of rounding are returned as zero.
 *
 * @param k At least 1 @param sigma The shift [1/s]; its square must be finite, too. Collective.
 * @throws InvalidInput if k or sigma is out of range; SingularMatrix if no shift nearby is regular;
 * NoConvergence.
 */
template <class Engine>
NearestEigenvalues nearest_eigenvalues(const ReducedSystem<Engine>& reduced, Index k, Complex sigma = 0);

/// Eigenvalues of the assembled matrices nearest to a shift, computed without the elimination and without
/// vectors.
struct NearestAssembledEigenvalues {
  std::vector<Complex> eigenvalues;
  Complex requested_shift;
  Complex shift;
  /// Eigenvalues below this modulus may be zeros that form a Jordan block, which rounding has split [1/s].
  double resolution;
  Completeness completeness = Completeness::searched;
};

/**
 * Computes the k eigenvalues of the assembled companion pencil in (q, q') nearest to sigma, by the same
 * iteration on @f$(\sigma E - A)^{-1} E@f$. Infinite eigenvalues become eigenvalues zero of this operator,
 * and the start vector of the iteration has no component along their eigenvectors. Parameters and errors as
 * of nearest_eigenvalues(), except that slow eigenvalues with few digits cause no error.
 */
template <class Engine>
NearestAssembledEigenvalues nearest_assembled_eigenvalues(const ReducedSystem<Engine>& reduced, Index k,
                                                          Complex sigma = 0);

/// The kind of motion of a mode. `growing`: a real positive eigenvalue. `zero`: rigid bodies, viscous DoFs
/// without stiffness.
enum class ModeKind : unsigned char { oscillating, relaxing, growing, zero };

const char* name_of(ModeKind kind);

/// Frequency and damping of an eigenvalue, one Mode for each conjugate pair. Units: those of the
/// application's time, here seconds. All numbers except the eigenvalue are zero if the kind is `zero`.
struct Mode {
  Complex eigenvalue;  ///< eigenvalue with nonnegative imaginary part [1/s]
  ModeKind kind;
  double frequency;          ///< frequency of the damped motion, @f$|\Im\lambda| / 2\pi@f$ [Hz]
  double natural_frequency;  ///< @f$|\lambda| / 2\pi@f$ [Hz]
  double damping_ratio;      ///< @f$-\Re\lambda / |\lambda|@f$; 1 if relaxing; 0 up to rounding
};

/// Returns the mode of an eigenvalue. Only the eigenvalue 0 has the kind `zero`: round_zeros() sets those
/// eigenvalues to 0 that cannot be distinguished from it because of rounding.
Mode mode_of(Complex eigenvalue);

/// A rigid translation of the whole structure, or another motion for which effective masses are computed.
struct MassDirection {
  std::string name;
  Vector motion;  ///< r: displacement of each local assembled DoF
};

/// Returns one direction for each component that the labels name, with entries 1 on the DoFs of the component
/// and 0 on all others. Components without mass are omitted. Collective.
template <class Engine>
std::vector<MassDirection> component_directions(const AssembledSystem<Engine>& system);

/// Modes, one for each conjugate pair, with their effective masses. Every process has the whole table.
struct ModeTable {
  std::vector<std::string> directions;
  std::vector<double> total_mass;  ///< @f$r^T M r@f$ over the free DoFs, for each direction
  std::vector<Mode> modes;
  MultiVector effective_mass;  ///< effective masses; one row for each mode, one column for each direction

  /// Prints frequency, damping ratio, kind, and effective mass in percent of the total mass; a dash for
  /// directions without mass.
  /// @param n_rows Maximum number of modes.
  void print(std::ostream& out, std::size_t n_rows = 40) const;
};

/**
 * Computes effective (modal participating) masses of modes, which may be damped and belong to an unsymmetric
 * system. A motion of the foundation in direction r loads the structure by @f$-M r \ddot u@f$; the part of
 * @f$ r^T M P(s)^{-1} M r = \sum_j R_j / (s - \lambda_j) @f$ that belongs to @f$\lambda_j@f$ is
 * @f[ m_j = \Re(\lambda_j R_j), \qquad
 *     R_j = \frac{(r^T M x_j)(z_j^T b)}{z_j^T y_j}, \quad b = (0; 0; r_I), @f]
 * with y_j and z_j the right and left eigenvectors of A (@f$z_j^T A = \lambda_j z_j^T@f$); the two values of
 * a conjugate pair are added. Without damping this is the textbook formula
 * @f$ (\phi^T M r)^2 / (\phi^T M \phi) @f$. Since @f$ s^2 P(s)^{-1} M r \to r @f$ for @f$ s \to \infty @f$ on
 * the inertial DoFs, the sum over all modes is always the total mass @f$ r^T M r @f$. Single values may be
 * negative if damping couples modes.
 *
 * Left eigenvectors are @f$ (\lambda M^T x + C^T x;\ C^T x;\ M^T x) @f$ if M, C and K are symmetric;
 * otherwise they are computed by iteration with the transposed matrices. The copies of a multiple eigenvalue
 * share the effective mass of their invariant subspace equally; only the sum has a meaning.
 *
 * Units: those of the mass matrix times those of r squared. Collective.
 */
template <class Engine>
ModeTable mode_table(const ReducedSystem<Engine>& reduced, const NearestEigenvalues& nearest,
                     const std::vector<MassDirection>& directions);

/// As above, in the directions of component_directions().
template <class Engine>
ModeTable mode_table(const ReducedSystem<Engine>& reduced, const NearestEigenvalues& nearest);

}  // namespace halfdof
