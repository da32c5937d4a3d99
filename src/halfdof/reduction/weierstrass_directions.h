#pragma once

#include <halfdof/reduction/weierstrass_form.h>

#include <string>
#include <vector>

namespace halfdof {

/**
 * @f$ Z_2 L,\ N Z_2 L,\ N^2 Z_2 L,\ \dots @f$ up to the last one that is not zero: what directions L do to
 * the nilpotent part. An entry counts as zero below WeierstrassForm::rounding() of the norms that it is the
 * product of, in balanced coordinates.
 *
 * @param directions L, order() x p @throws InvalidInput unless it has order() rows
 */
std::vector<MultiVector> nilpotent_images(const WeierstrassForm& form, ConstView<double> directions);

/// The set-valued part @f$ G = G_H r @f$ with the quantities w that the laws of r are written on.
struct ReactionDirections {
  MultiVector reactions;           ///< G_H, order() x m: one column each
  MultiVector outputs;             ///< O, order() x m: w = O^T x - dh/dt, a rate or a gap
  std::vector<std::string> names;  ///< of the inclusions, for messages; m, or none
};

/// Which part of the pencil a reaction acts on.
enum class ReactionPart {
  finite,     ///< v_1 alone: a differential inclusion
  algebraic,  ///< v_2 as well, with N = 0 there: w depends on r without delay
};

/// "finite", "algebraic"
const char* name_of(ReactionPart part);

/**
 * An inclusion in Weierstrass form. With @f$ N Z_2 G_H = 0 @f$ the nilpotent part answers at once, and
 * @f[ \dot v_1 = A_1 v_1 + Z_1 H + B_1 r, \qquad
 *     w = C_1 v_1 + O^T T_2 v_2^H + W_{alg}\, r, \qquad
 *     B_1 = Z_1 G_H, \quad C_1 = O^T T_1, \quad W_{alg} = -O^T T_2 Z_2 G_H, @f]
 * where @f$ v_2^H @f$ is the AlgebraicSolution of the load alone: dynamics in the finite part with an
 * algebraic inclusion (w, r) at each instant, single valued where W_alg is positive definite and the law
 * monotone. A step of implicit Euler with step h meets the laws with
 * @f$ W_h = W_{alg} + h\,C_1 (1 - h A_1)^{-1} B_1 @f$.
 */
struct WeierstrassInclusion {
  MultiVector B_1;    ///< n_finite() x m
  MultiVector C_1;    ///< m x n_finite()
  MultiVector W_alg;  ///< m x m
  MultiVector v_2;    ///< -Z_2 G_H, n_infinite() x m: v_2 = v_2^H + v_2 r; zero columns where finite
  std::vector<ReactionPart> parts;  ///< of each reaction
};

/**
 * @throws NotAvailable if the motion would depend on the derivative of a reaction (N Z_2 g != 0), which a
 *     set-valued law does not have: with the names of these reactions
 * @throws InvalidInput if shapes do not fit
 */
WeierstrassInclusion inclusion_in(const WeierstrassForm& form, const ReactionDirections& directions);

}  // namespace halfdof
