// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/inclusions/laws.h>
#include <halfdof/inclusions/outcome.h>

#include <boost/test/unit_test.hpp>
#include <deal.II/grid/grid_tools.h>
#include <deal.II/numerics/vector_tools_interpolate.h>
#include <deal.II/numerics/vector_tools_point_value.h>

#include "bodies.h"
#include "distributed_model.h"

using namespace halfdof;
using namespace halfdof::test;

BOOST_AUTO_TEST_SUITE(directions)

BOOST_AUTO_TEST_CASE(a_support_point_has_its_own_dofs_exactly) {
  Body<2> body;
  dealii::GridGenerator::subdivided_hyper_cube(body.mesh, 3, -1. / 3., 1.1);
  body.distribute();
  for (const auto& cell : body.dofs.active_cell_iterators())
    for (const unsigned int v : cell->vertex_indices()) {
      const Direction h = body.directions().at_point(cell->vertex(v), vector(0.5, -2.));
      std::vector<WeightedDoF> expected = {{static_cast<GlobalIndex>(cell->vertex_dof_index(v, 0)), 0.5},
                                           {static_cast<GlobalIndex>(cell->vertex_dof_index(v, 1)), -2.}};
      BOOST_REQUIRE(h.entries().size() == 2u);
      for (std::size_t k = 0; k < 2; ++k) {
        BOOST_TEST(h.entries()[k].dof == expected[k].dof);
        BOOST_TEST(h.entries()[k].weight == expected[k].weight);
      }
    }
}

BOOST_AUTO_TEST_CASE(any_point_moves_as_the_shape_functions_say) {
  // Isoparametric elements reproduce linear fields on a distorted mesh; hanging nodes lie on it, too.
  Body<2> body;
  refined_square(body);
  dealii::GridTools::transform(
      [](const Point2& p) { return Point2(p[0] + 0.1 * p[1] * p[1], p[1] + 0.05 * p[0] * p[1]); }, body.mesh);
  dealii::Vector<double> q(body.dofs.n_dofs());
  dealii::VectorTools::interpolate(body.mapping, body.dofs, LinearField(), q);
  const auto directions = body.directions();
  for (const Point2& unit : {Point2(0.4, 0.3), Point2(2.9, 1.7), Point2(1.3, 1.9), Point2(2., 0.6)}) {
    const Point2 x(unit[0] + 0.1 * unit[1] * unit[1], unit[1] + 0.05 * unit[0] * unit[1]);
    const LinearField u;
    // Linear in q, too: the mesh edges are straight, so that hanging nodes are exact.
    BOOST_TEST(applied(directions.at_point(x, vector(1., -2.)), q, body.constraints) ==
                   u.value(x, 0) - 2 * u.value(x, 1),
               boost::test_tools::tolerance(1e-11));
  }
}

BOOST_AUTO_TEST_CASE(a_hanging_node_is_resolved_into_those_it_follows) {
  Body<2> body;
  refined_square(body);
  // Refined are the cells with x, y > 1: (1, 1.5) hangs between (1, 1) and (1, 2).
  const auto weights_at = [&](const Point2& x) {
    std::map<GlobalIndex, double> weights;
    const Direction h = body.directions().at_point(x, vector(1., 0.));
    for (const WeightedDoF& entry : h.entries())
      weights[entry.dof] = entry.weight;
    return weights;
  };
  const auto dof_at = [&](const Point2& x) { return weights_at(x).begin()->first; };
  const auto tolerance = boost::test_tools::tolerance(1e-13);
  std::map<GlobalIndex, double> weights = weights_at(Point2(1.1, 1.5));
  BOOST_TEST(weights.size() == 4u);
  BOOST_TEST(weights[dof_at(Point2(1., 1.))] == 0.4, tolerance);
  BOOST_TEST(weights[dof_at(Point2(1., 2.))] == 0.4, tolerance);
  BOOST_TEST(weights[dof_at(Point2(1.5, 1.5))] == 0.2, tolerance);
}

BOOST_AUTO_TEST_CASE(dofs_that_hang_may_be_named_themselves) {
  Body<2> body;
  refined_square(body);
  GlobalIndex hanging = -1;
  for (const auto& cell : body.dofs.active_cell_iterators())
    for (const unsigned int v : cell->vertex_indices())
      if (cell->vertex(v).distance(Point2(1., 1.5)) < 1e-12)
        hanging = static_cast<GlobalIndex>(cell->vertex_dof_index(v, 1));
  BOOST_REQUIRE(body.constraints.is_constrained(static_cast<dealii::types::global_dof_index>(hanging)));
  dealii::Vector<double> q(body.dofs.n_dofs());
  dealii::VectorTools::interpolate(body.dofs, LinearField(), q);
  const Direction h = body.directions().of_dofs({{hanging, 2.}});
  BOOST_TEST(applied(h, q, body.constraints) == 2 * LinearField().value(Point2(1., 1.5), 1),
             boost::test_tools::tolerance(1e-13));
  BOOST_CHECK_THROW(body.directions().of_dofs({}), InvalidInput);
}

BOOST_AUTO_TEST_CASE(two_points_move_relative_to_each_other) {
  Body<2> body;
  refined_square(body);
  dealii::Vector<double> q(body.dofs.n_dofs());
  dealii::VectorTools::interpolate(body.dofs, LinearField(), q);
  const Point2 a(0.3, 0.2), b(2.4, 1.8);
  const LinearField u;
  BOOST_TEST(applied(body.directions().relative(a, b, vector(0., 1.)), q, body.constraints) ==
                 u.value(a, 1) - u.value(b, 1),
             boost::test_tools::tolerance(1e-12));
  BOOST_CHECK_THROW(body.directions().relative(a, a, vector(0., 1.)), InvalidInput);
}

BOOST_AUTO_TEST_CASE(mistakes_are_refused) {
  Body<2> body;
  refined_square(body);
  BOOST_CHECK_THROW(body.directions().at_point(Point2(3.1, 1.), vector(1., 0.)), InvalidInput);
  BOOST_CHECK_THROW(body.directions().at_point(Point2(1., 1.), vector(0., 0.)), InvalidInput);
  BOOST_CHECK_THROW(body.directions().on_boundary(17), InvalidInput);
  const Partition dofs(static_cast<Index>(body.dofs.n_dofs()));
  BOOST_CHECK_THROW(DealIIDirections<2>(body.dofs, body.mapping, body.constraints, dofs, 1), InvalidInput);
  dealii::AffineConstraints<double> open;
  open.add_line(0);
  BOOST_CHECK_THROW(DealIIDirections<2>(body.dofs, body.mapping, open, dofs), InvalidInput);
}

BOOST_AUTO_TEST_CASE(gaps_of_a_reduced_model_are_the_displacements_of_its_points) {
  // All kinds, hanging nodes, Dirichlet values that are not zero: u and theta of the model count as
  // displacement.
  dealii::Triangulation<2> mesh;
  const Model model(mesh);
  const SerialMatrices matrices(model, Assembly::without_constraints);
  const auto assembled =
      assembled_from_dealii(matrices.M, matrices.C, matrices.K, model.constraints, matrices.f, model.dofs);
  const auto reduced = reduce(assembled);
  const dealii::MappingQ<2> mapping(1);
  const DealIIDirections<2> directions(model.dofs, mapping, model.constraints, assembled.dofs());

  const std::vector<Point2> places = {Point2(1., 1.5), Point2(0.25, 1.25), Point2(2.75, 0.5),
                                      Point2(1.5, 1.1)};
  std::vector<Inclusion> contacts;
  for (std::size_t k = 0; k < places.size(); ++k)
    contacts.push_back(inclusion("at " + std::to_string(k), std::make_shared<const UnilateralContact>(),
                                 directions.at_point(places[k], vector(1., -0.5))));
  const Inclusions<EigenEngine> inclusions(reduced, contacts);

  dealii::Vector<double> displacement(model.dofs.n_dofs()), velocity(model.dofs.n_dofs());
  dealii::VectorTools::interpolate(model.dofs, Field(0.3), displacement);
  const State state = consistent_state(reduced, displacement, velocity);
  reduced.lift(state, displacement);
  const Vector g = inclusions.gaps(state, Vector::Zero(inclusions.n_directions()));
  for (std::size_t k = 0; k < places.size(); ++k) {
    dealii::Vector<double> u(3);
    dealii::VectorTools::point_value(mapping, model.dofs, displacement, places[k], u);
    BOOST_TEST(g[static_cast<Index>(k)] == u[0] - 0.5 * u[1], boost::test_tools::tolerance(1e-11));
  }
}

BOOST_AUTO_TEST_CASE(all_processes_find_the_same_directions) {
  dealii::parallel::distributed::Triangulation<2> mesh(world());
  const Model model(mesh);
  const DistributedMatrices matrices(model, Assembly::matrix_and_load);
  const auto assembled =
      assembled_from_dealii(matrices.M, matrices.C, matrices.K, model.constraints, matrices.f, model.dofs);
  const dealii::MappingQ<2> mapping(1);
  const DealIIDirections<2> directions(model.dofs, mapping, model.constraints, assembled.dofs());
  tw::MPI::Vector field(model.owned, world());
  dealii::VectorTools::interpolate(model.dofs, Field(0.7), field);
  model.constraints.distribute(field);

  // In the middle of a cell, on an edge, in a vertex, on a hanging node.
  for (const Point2& x : {Point2(0.5, 0.5), Point2(1., 0.5), Point2(2., 1.), Point2(1., 1.5)}) {
    const Direction h = directions.at_point(x, vector(2., 1.));
    double here = 0;
    std::string text;
    for (const WeightedDoF& entry : h.entries()) {
      text += std::to_string(entry.dof) + ":" + std::to_string(entry.weight) + " ";
      const auto dof = static_cast<dealii::types::global_dof_index>(entry.dof);
      if (!model.owned.is_element(dof)) continue;
      // A constrained DoF adds its prescribed part only.
      here += entry.weight *
              (model.constraints.is_constrained(dof) ? model.constraints.get_inhomogeneity(dof) : field[dof]);
    }
    const auto texts = assembled.dofs().communicator().gather(text);
    for (const std::string& other : texts)
      BOOST_TEST(other == text);

    double expected = 0, n_owners = 1;
    dealii::Vector<double> u(3);
    tw::MPI::Vector ghosted(model.owned, model.relevant, world());
    ghosted = field;
    try {
      dealii::VectorTools::point_value(mapping, model.dofs, ghosted, x, u);
      expected = 2 * u[0] + u[1];
    } catch (const dealii::ExceptionBase&) {
      expected = 0;
      n_owners = 0;
    }
    const Communicator& communicator = assembled.dofs().communicator();
    const double sum = communicator.sum(here), value = communicator.sum(n_owners * expected);
    BOOST_TEST(sum * communicator.sum(n_owners) == value, boost::test_tools::tolerance(1e-12));
  }
  const auto points = directions.on_boundary(1);  // x = 3, refined above y = 1
  BOOST_TEST(points.size() == 4u);
  for (const auto& point : points)
    BOOST_TEST((point.normal - vector(1., 0.)).norm() < 1e-14);
  double length = 0;
  for (const auto& point : points)
    length += point.area;
  BOOST_TEST(length == 2., boost::test_tools::tolerance(1e-13));
}

BOOST_AUTO_TEST_SUITE_END()
