// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/reduction/weierstrass/weierstrass_form.h>

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

namespace halfdof {

/// A load @f$ H(t) = L u(t) @f$ with the known time derivatives of u. No derivative is computed
/// numerically.
struct DifferentiableLoad {
  MultiVector directions;                                       ///< L, order() x p
  std::vector<std::function<Vector(double time)>> derivatives;  ///< u, u', u'', ..., p entries each
};

/**
 * Returns how many derivatives of u the solution for H = L u needs: the largest i with
 * @f$ N^i Z_2 L \ne 0 @f$, or zero if there is none. Loads on the finite part need no derivatives, whatever
 * the index is.
 *
 * An entry of a product counts as zero if it is smaller than WeierstrassForm::rounding() times the
 * norms of the factors. Shape: L is order() x p.
 * @throws InvalidInput unless L has order() rows
 */
Index n_derivatives_needed(const WeierstrassForm& form, ConstView<double> directions);

/**
 * The algebraic solution, equation (3) of WeierstrassForm,
 * @f[ v_2(t) = -\sum_{i=0}^{k-1} N^i Z_2 L\, u^{(i)}(t), @f]
 * with precomputed products N^i Z_2 L.
 */
class AlgebraicSolution {
 public:
  /// @throws NotAvailable if derivatives that the solution needs were not given; the message says how
  /// many it needs
  /// @throws InvalidInput unless L has order() rows
  AlgebraicSolution(const WeierstrassForm& form, DifferentiableLoad load);

  /// Computes v_2, n_infinite() entries. @throws InvalidInput if a derivative has the wrong length or is not
  /// finite
  Vector at(double time) const;

 private:
  DifferentiableLoad load_;
  std::vector<MultiVector> images_;
  Index n_infinite_;
};

/// An unknown whose given initial value contradicts the equations.
struct ValueChange {
  Index unknown;
  double given;
  double consistent;
  std::string name;
};

/**
 * An initial value that satisfies the consistency condition (2.8) of Dumont et al., with the signs of
 * WeierstrassForm,
 * @f[ (T^{-1} c)_2 = -\sum_i N^i Z_2 L\, u^{(i)}(t_0). @f]
 */
struct ConsistentValue {
  Vector x;                          ///< order() entries
  WeierstrassParts parts;            ///< T^{-1} x
  Vector residual;                   ///< left minus right side of the condition for the given value,
                                     ///< n_infinite() entries
  std::vector<ValueChange> changes;  ///< changes above the tolerance, largest first

  bool was_consistent() const { return changes.empty(); }
};

struct ConsistentValueOptions {
  /// Smallest change that is reported, relative to the largest entry or change, both in balanced
  /// coordinates.
  double tolerance = 1e-10;
  std::vector<std::string> names = {};  ///< names of the unknowns; if empty: "unknown 3"
};

/**
 * Projects an initial value along the range of T_2: v_1 remains as given, v_2 is determined by the load. The
 * motion that follows has the finite part of the given value.
 *
 * @param c x(t_0), order() entries
 * @throws InvalidInput, NotAvailable as AlgebraicSolution does
 */
ConsistentValue consistent_value(const WeierstrassForm& form, const Vector& c, const DifferentiableLoad& load,
                                 double time = 0, const ConsistentValueOptions& options = {});

/// Prints one line for each of the largest changes, at most ten.
std::ostream& operator<<(std::ostream& out, const ConsistentValue& value);

/**
 * Computes @f$ Z_2 L,\ N Z_2 L,\ N^2 Z_2 L,\ \dots @f$ up to the last nonzero matrix: the effect of forces
 * along L on the nilpotent part. An entry counts as zero if it is below WeierstrassForm::rounding() times the
 * norms of the factors of its product, in balanced coordinates.
 *
 * @param directions L, order() x p @throws InvalidInput unless L has order() rows
 */
std::vector<MultiVector> nilpotent_images(const WeierstrassForm& form, ConstView<double> directions);

/// The set-valued term @f$ G = G_H r @f$ of @f$ E \dot x \in A x + H + G @f$ (see WeierstrassForm), and the
/// quantities w on which the laws of r depend.
struct ReactionDirections {
  MultiVector reactions;           ///< G_H, order() x m: one column for each reaction
  MultiVector outputs;             ///< O, order() x m: w = O^T x - dh/dt, a rate or a gap
  std::vector<std::string> names;  ///< names of the m inclusions for messages, or empty
};

/// The part of the Weierstrass form on which a reaction acts.
enum class ReactionPart {
  finite,     ///< only v_1: a differential inclusion
  algebraic,  ///< also v_2, with N Z_2 g = 0: w depends on r without delay
};

/// "finite", "algebraic"
const char* name_of(ReactionPart part);

/**
 * An inclusion in Weierstrass form. If @f$ N Z_2 G_H = 0 @f$, the nilpotent part responds instantaneously,
 * and
 * @f[ \dot v_1 = A_1 v_1 + Z_1 H + B_1 r, \qquad
 *     w = C_1 v_1 + O^T T_2 v_2^H + W_{alg}\, r, \qquad
 *     B_1 = Z_1 G_H, \quad C_1 = O^T T_1, \quad W_{alg} = -O^T T_2 Z_2 G_H, @f]
 * where @f$ v_2^H @f$ is the AlgebraicSolution for the load without reactions: the finite part is a dynamical
 * system with an algebraic inclusion (w, r) at each instant, which has a unique solution if W_alg is positive
 * definite and the law monotone. A step of implicit Euler with step h satisfies the laws with
 * @f$ W_h = W_{alg} + h\,C_1 (1 - h A_1)^{-1} B_1 @f$.
 */
struct WeierstrassInclusion {
  MultiVector B_1;    ///< n_finite() x m
  MultiVector C_1;    ///< m x n_finite()
  MultiVector W_alg;  ///< m x m
  MultiVector v_2;    ///< the matrix -Z_2 G_H, n_infinite() x m, that adds v_2 r to v_2^H; zero columns
                      ///< for finite reactions
  std::vector<ReactionPart> parts;  ///< the part on which each reaction acts
};

/**
 * Transforms reactions to Weierstrass form.
 * @throws NotAvailable if the motion would depend on the derivative of a reaction (N Z_2 g != 0), which does
 *     not exist for a set-valued law; the message names these reactions
 * @throws InvalidInput if shapes do not fit
 */
WeierstrassInclusion inclusion_in(const WeierstrassForm& form, const ReactionDirections& directions);

}  // namespace halfdof
