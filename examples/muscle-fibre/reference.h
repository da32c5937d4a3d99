// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "fibre.h"
#include <vector>

/// The fibre with two sarcomeres and the paper's data, in exact arithmetic.
struct FibreReference {
  /// Coefficients of det(s^2 M + s C + K), highest power first: the degree is the number of finite
  /// eigenvalues.
  std::vector<double> P;
  halfdof::Index index = 2;
  /// Ranks of E^, E^^2, E^^3 for E^ = (E - A)^{-1} E, of x = (q, q').
  std::vector<halfdof::Index> ranks = {8, 7, 7};
  halfdof::MultiVector Ehat;  ///< 14 x 14
};

FibreReference reference_of(Fibre::Stiffness stiffness);
