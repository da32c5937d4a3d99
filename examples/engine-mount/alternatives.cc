// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/text_table.h>
#include <halfdof/integrators/smooth/explicit_methods.h>
#include <halfdof/reduction/state_space.h>
#include <halfdof/spectrum/compare_spectra.h>
#include <halfdof/spectrum/dense_spectrum.h>

#include <Eigen/LU>

#include "mount.h"
#include <algorithm>
#include <cmath>
#include <iostream>

using namespace halfdof;

namespace {

using Reduced = ReducedSystem<EigenEngine>;

/// Reduces the mount with a small mass added to each half DoF.
Reduced with_added_mass(const Mount& mount, double added) {
  MultiVector M = mount.M();
  M(1, 1) = M(2, 2) = added;
  return reduce(assemble(M, mount.C(), mount.K()));
}

/// Condenses the half DoFs statically, q = T y (Guyan 1965).
Reduced guyan(const Mount& mount) {
  const MultiVector M = mount.M(), C = mount.C(), K = mount.K();
  MultiVector T(3, 1);
  T << 1, -K.bottomRightCorner(2, 2).inverse() * K.bottomLeftCorner(2, 1);
  const auto condense = [&](const MultiVector& A) {
    return EigenMatrix(MultiVector(T.transpose() * A * T).sparseView());
  };
  return reduce(assembled_system<EigenEngine>(condense(M), condense(C), condense(K)));
}

}  // namespace

void compare_alternatives(const Mount& mount) {
  MatchingOptions any_distance;
  any_distance.unmatched_above = 1e6;
  TextTable table({"half DoFs",
                   "states",
                   {"eigenvalue error", NumberStyle::scientific, 1},
                   "lost",
                   "invented",
                   {"largest stable step [s]", NumberStyle::scientific, 1}});
  const auto add = [&](const std::string& treatment, const Reduced& reduced) {
    const auto found = eigenvalues(dense_state_matrix(reduced));
    const auto matching = match_eigenvalues(eigenvalues_of_the_mount(), found, {}, any_distance);
    double error = 0;
    for (const MatchedEigenvalues& pair : matching.pairs)
      error = std::max(error, std::abs(pair.after - pair.before) / std::abs(pair.before));
    table.add_row({treatment, reduced.n_states(), error, matching.missing.size(), matching.extra.size(),
                   largest_stable_step(reduced)});
  };

  add("eliminated exactly", reduce(assemble(mount.M(), mount.C(), mount.K())));
  for (int exponent = -2; exponent >= -12; exponent -= 2)
    add("mass 1e" + std::to_string(exponent) + " kg added", with_added_mass(mount, std::pow(10., exponent)));
  add("Guyan reduction", guyan(mount));
  std::cout << table;
}
