// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/inclusions/inclusions.h>
#include <halfdof/inclusions/laws.h>
#include <halfdof/memory/contact_modes.h>

#include "eigen_systems.h"

/// Structures with contacts, and how these respond.
namespace halfdof::test {

inline Inclusion pad(const std::string& name, double threshold, Direction direction) {
  return inclusion(name, std::make_shared<DryFriction>(-threshold, threshold), std::move(direction));
}

inline Direction on(Index dof) {
  return Direction({{dof, 1.}});
}

inline Inclusions<EigenEngine> contacts_at(const DenseSystem& system, const std::vector<Index>& dofs) {
  std::vector<Inclusion> all;
  for (const Index dof : dofs)
    all.push_back(pad("pad " + std::to_string(dof), 1, on(dof)));
  return {reduce(assemble<EigenEngine>(system)), all};
}

/// H^T (s^2 M + s C + K)^{-1} H, densely.
inline ComplexMultiVector response(const DenseSystem& system, const std::vector<Index>& dofs, Complex s) {
  const ComplexMultiVector P =
      s * s * system.M.cast<Complex>() + s * system.C.cast<Complex>() + system.K.cast<Complex>();
  const ComplexMultiVector inverse = P.inverse();
  return inverse(dofs, dofs);
}

inline ComplexMultiVector response(const ContactModes& modes, Complex s) {
  ComplexMultiVector sum = modes.W_K.cast<Complex>();
  Index first = 0;
  for (const MultiVector& J : modes.J) {
    const ComplexMultiVector shifted =
        s * ComplexMultiVector::Identity(J.rows(), J.cols()) - J.cast<Complex>();
    sum += modes.C.middleCols(first, J.rows()).cast<Complex>() *
           shifted.fullPivLu().solve(modes.B.middleRows(first, J.rows()).cast<Complex>());
    first += static_cast<Index>(J.rows());
  }
  return sum;
}

/// Masses on springs and dampers in a row; the first one hangs on the ground, unless it floats.
inline DenseSystem chain(Index n, bool floats, double damping = 0.02) {
  DenseSystem system{MultiVector::Identity(n, n), MultiVector::Zero(n, n), MultiVector::Zero(n, n)};
  for (Index i = floats ? 1 : 0; i < n; ++i) {
    const double k = 1. + 0.1 * (i % 3);
    for (MultiVector* A : {&system.C, &system.K}) {
      const double value = A == &system.K ? k : damping * (1 + 0.5 * (i % 2));
      (*A)(i, i) += value;
      if (i == 0) continue;
      (*A)(i - 1, i - 1) += value;
      (*A)(i, i - 1) -= value;
      (*A)(i - 1, i) -= value;
    }
  }
  return system;
}

}  // namespace halfdof::test
