// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>

#include <boost/test/unit_test.hpp>
#include <deal.II/fe/fe_nothing.h>
#include <deal.II/grid/grid_tools.h>
#include <deal.II/numerics/matrix_creator.h>
#include <deal.II/numerics/vector_tools_boundary.h>
#include <deal.II/numerics/vector_tools_interpolate.h>

#include "bodies.h"
#include <cmath>

using namespace halfdof;
using namespace halfdof::test;

BOOST_AUTO_TEST_SUITE(directions_on_boundary)

BOOST_AUTO_TEST_CASE(a_boundary_gives_its_points_with_normals_tangents_and_areas) {
  Body<2> body(2);
  dealii::GridGenerator::subdivided_hyper_rectangle(body.mesh, {3, 2}, Point2(), Point2(3., 2.), true);
  body.distribute();
  const auto points = body.directions().on_boundary(2);  // y = 0
  BOOST_REQUIRE(points.size() == 7u);
  double area = 0;
  for (std::size_t k = 0; k < points.size(); ++k) {
    BOOST_TEST((points[k].point - Point2(0.5 * static_cast<double>(k), 0.)).norm() < 1e-14);
    BOOST_TEST((points[k].normal - vector(0., -1.)).norm() < 1e-14);
    BOOST_TEST(std::abs(points[k].tangents[0] * points[k].normal) < 1e-14);
    BOOST_TEST(points[k].tangents[0].norm() == 1., boost::test_tools::tolerance(1e-14));
    BOOST_TEST(points[k].inward.entries().size() == 1u);
    BOOST_TEST(points[k].inward.entries()[0].weight == 1., boost::test_tools::tolerance(1e-14));
    area += points[k].area;
  }
  // Simpson's weights, and the length of the side.
  BOOST_TEST(points[1].area == 4. / 6, boost::test_tools::tolerance(1e-13));
  BOOST_TEST(area == 3., boost::test_tools::tolerance(1e-13));
}

BOOST_AUTO_TEST_CASE(tangents_along_which_a_point_is_held_are_left_out) {
  Body<2> body(1);
  dealii::GridGenerator::subdivided_hyper_rectangle(body.mesh, {3, 2}, Point2(), Point2(3., 2.), true);
  body.distribute();
  // A plane of symmetry, x = 0.
  dealii::ComponentMask x(2, false);
  x.set(0, true);
  body.constraints.reinit();
  dealii::DoFTools::make_zero_boundary_constraints(body.dofs, 0, body.constraints, x);
  body.constraints.close();
  const auto points = body.directions().on_boundary(2);  // y = 0
  BOOST_REQUIRE(points.size() == 4u);
  for (const auto& point : points) {
    BOOST_TEST(point.along.size() == (point.point[0] > 0 ? 1u : 0u));
    BOOST_TEST(point.tangents.size() == point.along.size());
    BOOST_TEST(point.inward.entries().size() == 1u);
  }
}

BOOST_AUTO_TEST_CASE(components_may_be_elements_of_their_own_behind_other_unknowns) {
  const dealii::FE_Q<2> linear(1);
  for (const unsigned int n_before : {0u, 1u}) {
    Body<2> body(linear, linear, n_before + 1);
    dealii::GridGenerator::subdivided_hyper_rectangle(body.mesh, {3, 2}, Point2(), Point2(3., 2.), true);
    body.distribute();
    dealii::Vector<double> q(body.dofs.n_dofs());
    dealii::VectorTools::interpolate(body.dofs, LinearField(n_before), q);
    const auto points = body.directions(n_before).on_boundary(3);  // y = 2
    BOOST_REQUIRE(points.size() == 4u);
    double area = 0;
    const LinearField u;
    const auto tolerance = boost::test_tools::tolerance(1e-13);
    for (const auto& point : points) {
      area += point.area;
      BOOST_TEST((point.normal - vector(0., 1.)).norm() < 1e-14);
      BOOST_TEST(applied(point.inward, q, body.constraints) == -u.value(point.point, 1), tolerance);
      BOOST_TEST(
          applied(point.along[0], q, body.constraints) == point.tangents[0][0] * u.value(point.point, 0),
          tolerance);
    }
    BOOST_TEST(area == 3., tolerance);
  }
}

BOOST_AUTO_TEST_CASE(points_without_all_components_are_refused) {
  const auto refused = [](const dealii::FiniteElement<2>& a, const dealii::FiniteElement<2>& b) {
    Body<2> body(a, b, 1);
    dealii::GridGenerator::hyper_cube(body.mesh);
    body.distribute();
    BOOST_CHECK_EXCEPTION(body.directions().on_boundary(0), InvalidInput, [&](const InvalidInput& error) {
      return std::string(error.what()).find(body.fe.get_name()) != std::string::npos;
    });
  };
  const dealii::FE_Q<2> linear(1), quadratic(2);
  const dealii::FE_Nothing<2> nothing;
  refused(linear, nothing);
  refused(nothing, linear);
  refused(linear, quadratic);
}

BOOST_AUTO_TEST_CASE(rounded_normals_meet_no_dofs_of_other_axes) {
  Body<2> body;
  dealii::GridGenerator::subdivided_hyper_rectangle(body.mesh, {3, 2}, Point2(), Point2(3., 2.), true);
  dealii::GridTools::rotate(std::acos(-1.) / 2, body.mesh);
  body.distribute();
  for (const auto& point : body.directions().on_boundary(2)) {
    BOOST_TEST(point.normal[1] == 0.);
    BOOST_TEST(point.inward.entries().size() == 1u);
    BOOST_TEST(point.along[0].entries().size() == 1u);
  }
}

BOOST_AUTO_TEST_CASE(a_point_where_opposite_sides_touch_has_no_normal) {
  // Two squares that share the vertex (0, 0).
  Body<2> body;
  const std::vector<Point2> vertices = {Point2(-1, -1), Point2(0, -1), Point2(-1, 0), Point2(0, 0),
                                        Point2(1, 0),   Point2(0, 1),  Point2(1, 1)};
  std::vector<dealii::CellData<2>> cells(2);
  cells[0].vertices = {0, 1, 2, 3};
  cells[1].vertices = {3, 4, 5, 6};
  body.mesh.create_triangulation(vertices, cells, dealii::SubCellData());
  body.distribute();
  BOOST_CHECK_EXCEPTION(body.directions().on_boundary(0), InvalidInput, [](const InvalidInput& error) {
    return std::string(error.what()).find("(0, 0)") != std::string::npos;
  });
}

BOOST_AUTO_TEST_CASE(normals_of_a_circle_are_radial) {
  Body<2> body(2);
  dealii::GridGenerator::hyper_ball(body.mesh, Point2(1., 2.), 3.);
  body.mesh.refine_global(2);
  body.distribute();
  const auto points = body.directions().on_boundary(0);
  BOOST_TEST(points.size() == 32u);
  for (const auto& point : points)
    // Symmetric about each point, but for the error of the quadratic mapping.
    BOOST_TEST((point.normal - (point.point - Point2(1., 2.)) / 3.).norm() < 1e-3);
}

BOOST_AUTO_TEST_CASE(in_space_hanging_nodes_of_the_boundary_are_left_out) {
  Body<3> body;
  dealii::GridGenerator::subdivided_hyper_cube(body.mesh, 2);
  body.mesh.begin_active()->set_refine_flag();
  body.mesh.execute_coarsening_and_refinement();
  body.distribute();
  const auto points = body.directions().on_boundary(0);
  // 26 points on the surface of the coarse mesh; the refined corner adds, on each of its three faces, the
  // middle of the face and two edges on the mesh's own edges (shared by two faces), and two that hang.
  const std::size_t n_edges = 3, n_middles = 3;
  BOOST_TEST(points.size() == 26u + n_edges + n_middles);
  double area = 0;
  for (const auto& point : points)
    area += point.area;
  BOOST_TEST(area == 6., boost::test_tools::tolerance(1e-13));
  for (const auto& point : points) {
    BOOST_TEST(point.tangents[0] * point.tangents[0] == 1., boost::test_tools::tolerance(1e-13));
    BOOST_TEST(std::abs(point.tangents[0] * point.tangents[1]) < 1e-13);
    BOOST_TEST(std::abs(point.tangents[1] * point.normal) < 1e-13);
  }
}

BOOST_AUTO_TEST_CASE(points_that_cannot_move_are_left_out) {
  Body<2> body;
  dealii::GridGenerator::subdivided_hyper_rectangle(body.mesh, {3, 2}, Point2(), Point2(3., 2.), true);
  body.dofs.distribute_dofs(body.fe);
  dealii::VectorTools::interpolate_boundary_values(body.dofs, 0, dealii::Functions::ZeroFunction<2>(2),
                                                   body.constraints);
  body.constraints.close();
  const auto points = body.directions().on_boundary(2);
  BOOST_REQUIRE(points.size() == 3u);
  BOOST_TEST(points[0].point[0] == 1.);
  BOOST_CHECK_THROW(body.directions().on_boundary(0), InvalidInput);
  BOOST_CHECK_THROW(body.directions().contact_dofs(0), InvalidInput);
}

BOOST_AUTO_TEST_CASE(the_points_of_a_boundary_become_massless) {
  // A refined square with hanging nodes, whose left side is held: contact along its bottom.
  Body<2> body;
  refined_square(body);
  body.constraints.reinit();
  dealii::DoFTools::make_hanging_node_constraints(body.dofs, body.constraints);
  dealii::VectorTools::interpolate_boundary_values(body.dofs, 0, dealii::Functions::ZeroFunction<2>(2),
                                                   body.constraints);
  body.constraints.close();
  dealii::DynamicSparsityPattern dynamic(body.dofs.n_dofs());
  dealii::DoFTools::make_sparsity_pattern(body.dofs, dynamic);
  dealii::SparsityPattern pattern;
  pattern.copy_from(dynamic);
  dealii::SparseMatrix<double> M(pattern), K(pattern);
  const dealii::QGauss<2> quadrature(2);
  dealii::MatrixCreator::create_mass_matrix(body.mapping, body.dofs, quadrature, M);
  dealii::MatrixCreator::create_laplace_matrix(body.mapping, body.dofs, quadrature, K);

  DealIIOptions<dealii::SparseMatrix<double>> options;
  options.component_names = {"x", "y"};
  options.massless_contact = body.directions().contact_dofs(2);
  BOOST_TEST(options.massless_contact.size() == 6u);
  const auto before = assembled_from_dealii(M, {}, K, body.constraints, {}, body.dofs);
  const auto after = assembled_from_dealii(M, {}, K, body.constraints, {}, body.dofs, options);

  MultiVector P = MultiVector::Zero(after.dofs().n_local(), 6);
  for (const Index i : after.free().local()) {
    const auto position = static_cast<std::size_t>(i);
    const auto& x = after.labels().point[position];
    P.row(i).segment<3>(3 * after.labels().component[position]) << 1., x[0], x[1];
  }
  const MultiVector moments = P.transpose() * EigenEngine::to_dense(before.M()) * P;
  const MultiVector kept = P.transpose() * EigenEngine::to_dense(after.M()) * P;
  BOOST_TEST((kept - moments).cwiseAbs().maxCoeff() < 1e-12 * moments.cwiseAbs().maxCoeff());
  const auto reduced = reduce(after);
  BOOST_TEST(reduced.classification().n_algebraic() == 6);
  for (const GlobalIndex dof : options.massless_contact)
    BOOST_TEST((reduced.classification().kind(static_cast<Index>(dof)) == DoFKind::algebraic));
}

BOOST_AUTO_TEST_SUITE_END()
