// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "fibre.h"
#include <vector>

/// Results of exact arithmetic for the fibre with two sarcomeres and the data of the paper.
struct FibreReference {
  /// Coefficients of det(s^2 M + s C + K), beginning with the highest power. The degree is the number of
  /// finite eigenvalues.
  std::vector<double> P;
  halfdof::Index index = 2;
  /// Ranks of the powers 1, 2 and 3 of E^ = (E - A)^{-1} E for x = (q, q').
  std::vector<halfdof::Index> ranks = {8, 7, 7};
  halfdof::MultiVector Ehat;  ///< 14 x 14
};

FibreReference reference_of(Fibre::Stiffness stiffness);
