// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/builders/model_builders.h>

#include <Eigen/LU>
#include <boost/test/unit_test.hpp>

#include "benchmarks/piezoelectric_body.h"
#include <cmath>

using namespace halfdof;

BOOST_AUTO_TEST_SUITE(assembled_rigid_motions)

namespace {

/// Of a PiezoelectricBody, whose potentials come after the displacements of a node.
template <int dim>
DoFLabels labels_of_body(int n_cells, int n_dofs) {
  DoFLabels labels;
  labels.dimension = dim;
  labels.component_names = {"x", "y", "z", "phi", "strain"};
  if (dim == 2) labels.component_names.erase(labels.component_names.begin() + 2);
  const int n = n_cells + 1, n_nodes = dim == 2 ? n * n : n * n * n;
  for (int dof = 0; dof < n_dofs; ++dof) {
    const int node = dof / (dim + 1);
    const bool at_node = node < n_nodes;
    labels.component.push_back(at_node ? dof % (dim + 1) : dim + 1);
    labels.point.push_back({1. * (node % n) / n_cells, 1. * (node / n % n) / n_cells,
                            dim == 2 ? 0. : 1. * (node / n / n) / n_cells});
    if (!at_node) labels.point.back().fill(NAN);
  }
  return labels;
}

template <int dim>
void check_kernel(Index n_motions) {
  const int n_cells = 3;
  const benchmark::PiezoelectricBody<dim> body(n_cells);
  const MultiVector R = rigid_motions(labels_of_body<dim>(n_cells, body.n_dofs()), body.n_dofs());
  BOOST_TEST(R.cols() == n_motions);
  BOOST_TEST((R.transpose() * R).fullPivLu().rank() == n_motions);
  const auto K = body.stiffness();
  BOOST_TEST((K * R).cwiseAbs().maxCoeff() < 1e-14 * (K.cwiseAbs() * R.cwiseAbs()).maxCoeff());
}

}  // namespace

BOOST_AUTO_TEST_CASE(rigid_motions_are_the_kernel_of_a_free_body) {
  check_kernel<2>(3);
  check_kernel<3>(6);
}

BOOST_AUTO_TEST_CASE(without_displacements_there_are_none) {
  DoFLabels labels;
  BOOST_TEST(rigid_motions(labels, 7).cols() == 0);
  labels.dimension = 2;
  labels.component_names = {"temperature"};
  labels.component = {0, 0};
  BOOST_TEST(rigid_motions(labels, 2).cols() == 0);
  BOOST_TEST(rigid_motions(labels, 2).rows() == 2);
}

BOOST_AUTO_TEST_CASE(points_that_are_not_known_leave_translations) {
  DoFLabels labels;
  labels.dimension = 2;
  labels.component_names = {"p", "x", "y"};
  labels.component = {1, 2, 0};
  const MultiVector expected = (MultiVector(3, 3) << 1, 0, 0, 0, 1, 0, 0, 0, 0).finished();
  BOOST_TEST((rigid_motions(labels, 3, 1) == expected));
}

BOOST_AUTO_TEST_SUITE_END()
