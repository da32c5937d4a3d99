#pragma once

#include <halfdof/assembled/term_scales.h>
#include <halfdof/reduction/reduced_system.h>

#include <limits>
#include <vector>

namespace halfdof {

/// How well one eigenvalue and its vector satisfy the assembled and the reduced equations.
struct EigenpairResidual {
  /// @f$ \|(\lambda^2 M + \lambda C + K) x\| / ((|\lambda|^2 \|M\| + |\lambda| \|C\| + \|K\|) \|x\|) @f$ with
  /// Euclidean norms of vectors and 1-norms of matrices: the backward error of the pair (Tisseur, 2000).
  /// P is of the assembled system: with the columns that a null tolerance dropped. In the denominator,
  /// eigenvalues that rounding does not tell from zero count as max(|lambda|, s).
  double assembled = 0;
  /// @f$ \|A y - \lambda y\| / (\max(|\lambda|, s)\, \|y\|) @f$ with A applied through D and s = zero_scale()
  /// of all eigenvalues listed. Eigenvectors come from the assembled matrices, so that this one tests the
  /// elimination.
  double reduced = 0;
  /// What rounding y alone does to `reduced`: A multiplies the unavoidable errors of smooth modes by the
  /// stiffness of rough ones. It may be 0, not looked for, where `reduced` is below
  /// 1e-10.
  double rounding = 0;
  /// The same test before A divides by D, where slow modes of slender parts lose no digits: with
  /// z = (a_I; q_C'; q_K) from the elimination and w of TermScales, its |lambda| as in `assembled`, the
  /// largest of @f$ |P(\lambda) x|_i / w_i @f$,
  /// @f$ |M J_I (a_I - \lambda v_I) + C J_C (\dot q_C - \lambda q_C)|_i / w_i @f$ and, with the largest
  /// moduli of z in place of those of x, of the residual of the system of D.
  double backward = 0;
  /// uncertainties() of the eigenvalue [1/s]: both spectra may agree to more digits than this leaves. NaN
  /// where left vectors are not known.
  double uncertainty = std::numeric_limits<double>::quiet_NaN();
  double correction = 0;   ///< corrections() of the eigenvalue [1/s]; 0 where left vectors are not known
  double set_to_zero = 0;  ///< the modulus that was set to zero [1/s]
  /// How far the eigenvalue may be from that of the given entries, by rounding and by what is left of its
  /// equation [1/s].
  double error() const { return uncertainty + correction; }
  /// The terms of P x, or the squares of their rounding, leave the range of numbers: all of these say
  /// nothing.
  bool is_empty = false;
};

/**
 * Eigenvalues of the reduced system with what belongs to them. Of a conjugate pair both are listed, side by
 * side.
 *
 * Shapes: states n_local_states() x k, shapes n_local assembled DoFs x k. Normalized: the largest entry of
 * each shape is one.
 */
struct Eigenmodes {
  std::vector<Complex> eigenvalues;  ///< [1/s], or one over the application's unit of time
  std::vector<Complex> found;        ///< the same as they were found: zeros not set to zero [1/s]
  ComplexMultiVector states;         ///< y = (q_I, q_C, v_I)
  /// x: displacements of all assembled DoFs; algebraic ones as the elimination gives them without load,
  /// constrained ones zero.
  ComplexMultiVector shapes;
  std::vector<EigenpairResidual> residuals;  ///< one for each eigenvalue, on every process
};

/// The largest `uncertainty` or `set_to_zero` of zeros [1/s]: how fast what counts as zero may be.
/// @param residuals One for each of the values
double zero_radius(const std::vector<Complex>& values, const std::vector<EigenpairResidual>& residuals);

/// Eigenvalues with those that rounding does not tell from zero (round_zeros()) set to zero. Shapes: states
/// n_local_states() x k. @param scales Of reduced.free(). Collective.
template <class Engine>
std::vector<Complex> rounded_eigenvalues(const ReducedSystem<Engine>& reduced,
                                         const TermScales<Engine>& scales,
                                         const std::vector<Complex>& eigenvalues, ConstView<Complex> states);

/// Which eigenvalues are zero.
enum class Zeros {
  as_given,    ///< those that are given as zero
  by_rounding  ///< those that rounding does not tell from zero (round_zeros()), too
};

/// Completes eigenpairs (lambda, y) of A. Shapes: states n_local_states() x k. @param scales Of
/// reduced.free(). Collective.
template <class Engine>
Eigenmodes eigenmodes(const ReducedSystem<Engine>& reduced, const TermScales<Engine>& scales,
                      const std::vector<Complex>& eigenvalues, ComplexMultiVector states,
                      Zeros zeros = Zeros::by_rounding);

/// How well pairs (lambda, y) satisfy both equations, one entry for each pair, on every process. Shapes:
/// states n_local_states() x k. @param scales Of reduced.free(). @param found Eigenvalues as they were found
/// [1/s].
/// @param listed The same with those that count as zero set to zero: these count as that fast in what
/// the others are relative to, since rows without stiffness would measure rounding by itself. @param
/// zero_scale [1/s] Modulus below which `reduced` is absolute. Collective.
template <class Engine>
std::vector<EigenpairResidual> eigenpair_residuals(const ReducedSystem<Engine>& reduced,
                                                   const TermScales<Engine>& scales,
                                                   const std::vector<Complex>& found,
                                                   const std::vector<Complex>& listed,
                                                   ConstView<Complex> states, double zero_scale);

/// Displacements of all free DoFs without load. Shapes: states n_local_states() x k, result local free DoFs x
/// k. Collective.
template <class Engine>
ComplexMultiVector free_displacements(const ReducedSystem<Engine>& reduced, ConstView<Complex> states);

}  // namespace halfdof
