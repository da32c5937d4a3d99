// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "systems.h"

namespace halfdof::test {

/// A fixed chain of masses with small damping: all modes apart.
inline DenseSystem chain(Index n) {
  DenseSystem system{MultiVector::Identity(n, n), MultiVector::Zero(n, n), 2 * MultiVector::Identity(n, n)};
  for (Index i = 0; i + 1 < n; ++i)
    system.K(i, i + 1) = system.K(i + 1, i) = -1;
  system.C = 0.01 * system.K;
  return system;
}

}  // namespace halfdof::test
