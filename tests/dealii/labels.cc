// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>

#include <boost/test/unit_test.hpp>
#include <deal.II/fe/fe_dgp.h>
#include <deal.II/fe/fe_nothing.h>
#include <deal.II/fe/fe_raviart_thomas.h>
#include <deal.II/fe/mapping_q.h>
#include <deal.II/grid/grid_tools.h>
#include <deal.II/hp/fe_collection.h>

#include "model.h"
#include <cmath>
#include <set>

namespace {

using namespace halfdof;
using namespace halfdof::test;

std::size_t position(GlobalIndex i) {
  return static_cast<std::size_t>(i);
}

struct Square {
  Square() { dealii::GridGenerator::hyper_cube(mesh); }

  template <class FE>
  DoFLabels labels(const FE& fe, std::vector<std::string> names = {}) {
    dofs.reinit(mesh);
    dofs.distribute_dofs(fe);
    return labels_from_dealii(dofs, dealii::MappingQ<2>(1), Partition(static_cast<Index>(dofs.n_dofs())),
                              std::move(names));
  }

  dealii::Triangulation<2> mesh;
  dealii::DoFHandler<2> dofs;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(labels)

BOOST_AUTO_TEST_CASE(dofs_are_named_by_vertex_component_and_point) {
  Square square;
  const DoFLabels labels = square.labels(dealii::FESystem<2>(dealii::FE_Q<2>(1), 2), {"x", "y"});
  BOOST_TEST_REQUIRE(square.dofs.n_dofs() == 8);
  BOOST_TEST(labels.describe(3, 3) == "DoF 3 (node 1, y, at (1, 0))");
  BOOST_TEST(labels.describe(6, 6) == "DoF 6 (node 3, x, at (1, 1))");
}

BOOST_AUTO_TEST_CASE(points_follow_the_mapping_and_dofs_inside_cells_have_no_node) {
  Square square;
  dealii::GridTools::scale(4., square.mesh);
  const DoFLabels labels = square.labels(dealii::FE_Q<2>(2), {"T"});
  BOOST_TEST(labels.describe(8, 8) == "DoF 8 (T, at (2, 2))");
  BOOST_TEST(labels.node[8] == -1);
}

BOOST_AUTO_TEST_CASE(missing_names_are_numbers) {
  Square square;
  const DoFLabels labels = square.labels(dealii::FESystem<2>(dealii::FE_Q<2>(1), 2), {"x"});
  BOOST_TEST(labels.component_name(1) == "component 1");
  BOOST_CHECK_THROW(square.labels(dealii::FE_Q<2>(1), {"x", "y"}), InvalidInput);
}

BOOST_AUTO_TEST_CASE(elements_without_support_points_are_labelled_without_points) {
  Square square;
  const DoFLabels labels =
      square.labels(dealii::FESystem<2>(dealii::FE_Q<2>(2), 1, dealii::FE_DGP<2>(1), 1), {"u", "p"});
  GlobalIndex n_without_point = 0;
  for (std::size_t i = 0; i < labels.point.size(); ++i)
    if (std::isnan(labels.point[i][0])) {
      ++n_without_point;
      BOOST_TEST(labels.component[i] == 1);
      BOOST_TEST(labels.describe(static_cast<Index>(i), 0) == "DoF 0 (p)");
    }
  BOOST_TEST(n_without_point == 3);
}

BOOST_AUTO_TEST_CASE(vector_valued_shape_functions_are_called_by_their_element) {
  Square square;
  const DoFLabels labels =
      square.labels(dealii::FESystem<2>(dealii::FE_RaviartThomas<2>(0), 1, dealii::FE_Q<2>(1), 1));
  std::set<std::string> names;
  for (Index i = 0; i < static_cast<Index>(labels.component.size()); ++i)
    names.insert(labels.component_name(i));
  BOOST_TEST(names == (std::set<std::string>{"FE_RaviartThomas<2>(0)", "component 2"}));
}

BOOST_AUTO_TEST_CASE(fields_that_live_on_a_part_of_the_mesh_are_labelled_there) {
  dealii::Triangulation<2> mesh;
  dealii::GridGenerator::subdivided_hyper_rectangle(mesh, {2, 1}, dealii::Point<2>(),
                                                    dealii::Point<2>(2., 1.));
  dealii::hp::FECollection<2> elements(
      dealii::FESystem<2>(dealii::FE_Q<2>(1), 1, dealii::FE_Q<2>(1), 1),
      dealii::FESystem<2>(dealii::FE_Q<2>(1), 1, dealii::FE_Nothing<2>(), 1));
  dealii::DoFHandler<2> dofs(mesh);
  for (const auto& cell : dofs.active_cell_iterators())
    cell->set_active_fe_index(cell->center()[0] > 1. ? 1 : 0);
  dofs.distribute_dofs(elements);
  const DoFLabels labels = labels_from_dealii(dofs, dealii::MappingQ<2>(1),
                                              Partition(static_cast<Index>(dofs.n_dofs())), {"u", "phi"});
  BOOST_TEST_REQUIRE(dofs.n_dofs() == 6 + 4);
  for (GlobalIndex i = 0; i < 10; ++i)
    if (labels.component[position(i)] == 1) BOOST_TEST(labels.point[position(i)][0] <= 1.);
}

BOOST_AUTO_TEST_CASE(rows_behind_the_dof_handler_are_called_added) {
  Square square;
  square.dofs.reinit(square.mesh);
  square.dofs.distribute_dofs(dealii::FE_Q<2>(1));
  const DoFLabels labels = labels_from_dealii(square.dofs, dealii::MappingQ<2>(1), Partition(5), {"u"});
  BOOST_TEST(labels.describe(4, 4) == "DoF 4 (added)");
  BOOST_CHECK_THROW(labels_from_dealii(square.dofs, dealii::MappingQ<2>(1), Partition(3), {"u"}),
                    InvalidInput);
}

BOOST_AUTO_TEST_CASE(beams_and_shells_in_space_have_three_coordinates) {
  dealii::Triangulation<1, 3> mesh;
  dealii::GridGenerator::hyper_cube(mesh);
  dealii::DoFHandler<1, 3> dofs(mesh);
  dofs.distribute_dofs(dealii::FE_Q<1, 3>(1));
  const DoFLabels labels = labels_from_dealii(dofs, dealii::MappingQ<1, 3>(1), Partition(2), {"w"});
  BOOST_TEST(labels.describe(1, 1) == "DoF 1 (node 1, w, at (1, 0, 0))");
}

BOOST_AUTO_TEST_SUITE_END()
