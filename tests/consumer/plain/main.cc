// SPDX-License-Identifier: LGPL-2.1-or-later
// A mass on a Maxwell element: the node between its spring and its dashpot has no inertia.
#include <halfdof/halfdof.h>

#include <cmath>
#include <iostream>
#include <vector>

namespace {

halfdof::EigenMatrix matrix_of_two_dofs(const std::vector<Eigen::Triplet<double>>& entries) {
  Eigen::SparseMatrix<double> matrix(2, 2);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return halfdof::EigenMatrix(matrix);
}

}  // namespace

int main() {
  const double m = 2, c = 4, k = 8;
  const auto assembled = halfdof::assembled_system<halfdof::EigenEngine>(
      matrix_of_two_dofs({{0, 0, m}}), matrix_of_two_dofs({{1, 1, c}}),
      matrix_of_two_dofs({{0, 0, k}, {0, 1, -k}, {1, 0, -k}, {1, 1, k}}));
  const auto reduced = halfdof::reduce(assembled);
  reduced.print_summary(std::cout);

  // (q_0, q_1, q_0') = (1, 0, 0): the dashpot yields at k/c, the mass is pulled back at k/m.
  const halfdof::Vector rate = reduced.apply({0., (halfdof::Vector(3) << 1., 0., 0.).finished()});
  const halfdof::Vector expected = (halfdof::Vector(3) << 0., k / c, -k / m).finished();
  return (rate - expected).norm() <= 1e-14 * expected.norm() ? 0 : 1;
}
