#pragma once

#include <halfdof/reduction/weierstrass_form.h>

#include <string>
#include <vector>

namespace halfdof {

/**
 * @f$ M\ddot q + C\dot q + K q = f @f$ as @f$ E\dot x = A x + B f,\ q = Q x @f$. Names of the unknowns:
 * "q_3", "v_3" (the rate of q_3), "p_3" (the momentum of equation 3).
 */
struct FirstOrderForm {
  MultiVector E, A;                ///< n_x x n_x
  MultiVector B;                   ///< n_x x n
  MultiVector Q;                   ///< n x n_x
  std::vector<std::string> names;  ///< of the n_x unknowns
};

/**
 * The companion form with all rates (Dumont et al. 2001, Eq. (3.2)), x = (q, q'), n_x = 2 n:
 * @f[ E = \begin{bmatrix} I & \\ & M \end{bmatrix}, \qquad A = \begin{bmatrix} & I \\ -K & -C \end{bmatrix},
 *     \qquad B = \begin{bmatrix} 0 \\ I \end{bmatrix}. @f]
 * Laws on the rate of a DoF without mass need this one. Its index equals that of the others, or is one
 * higher.
 * @throws InvalidInput unless M, C, K are square matrices of one order
 */
FirstOrderForm companion_form(ConstView<double> M, ConstView<double> C, ConstView<double> K);

/**
 * The smallest form without decisions on ranks. With J the n_I columns of M that are not null, x = (q, v) and
 * n_x = n + n_I,
 * @f[ E = \begin{bmatrix} C & M J \\ J^T & \end{bmatrix}, \qquad A = \begin{bmatrix} -K & \\ & I
 *     \end{bmatrix}, \qquad B = \begin{bmatrix} I \\ 0 \end{bmatrix}; @f]
 * where M has fewer rows that are not null, J^T selects them, x = (q, p) with the momenta p = J^T M q', and
 * @f$ E = \begin{bmatrix} C & J \\ J^T M & \end{bmatrix} @f$. Null means exactly zero.
 * @throws InvalidInput as companion_form() does
 */
FirstOrderForm smallest_form(ConstView<double> M, ConstView<double> C, ConstView<double> K);

/// A second-order system in Weierstrass form: that of the pencil of its first-order form.
struct SecondOrderWeierstrass {
  FirstOrderForm first_order;
  WeierstrassForm weierstrass;
};

/// Of the smallest form. Throws as smallest_form() and WeierstrassForm do; options.names are not used.
SecondOrderWeierstrass weierstrass_of(ConstView<double> M, ConstView<double> C, ConstView<double> K,
                                      WeierstrassOptions options = {});

}  // namespace halfdof
