#include <halfdof/base/errors.h>
#include <halfdof/dealii/directions.h>
#include <halfdof/inclusions/outcome.h>
#include <halfdof/inclusions/unilateral_contact.h>

#include <boost/test/unit_test.hpp>
#include <deal.II/fe/fe_nothing.h>
#include <deal.II/fe/mapping_q.h>
#include <deal.II/grid/grid_tools.h>
#include <deal.II/numerics/matrix_creator.h>
#include <deal.II/numerics/vector_tools_interpolate.h>
#include <deal.II/numerics/vector_tools_point_value.h>

#include "distributed_model.h"
#include <cmath>
#include <set>

namespace {

using namespace halfdof;
using namespace halfdof::test;
using Point2 = dealii::Point<2>;
using Vector2 = dealii::Tensor<1, 2>;

Vector2 vector(double x, double y) {
  Vector2 d;
  d[0] = x;
  d[1] = y;
  return d;
}

/// A plane body with two displacements, and nothing held.
template <int dim>
struct Body {
  explicit Body(unsigned int degree = 1) : fe(dealii::FE_Q<dim>(degree), dim), dofs(mesh), mapping(degree) {}

  /// Of one component of element a, and more of b.
  Body(const dealii::FiniteElement<dim>& a, const dealii::FiniteElement<dim>& b, unsigned int n_b)
      : fe(a, 1, b, n_b), dofs(mesh), mapping(1) {}

  void distribute() {
    dofs.distribute_dofs(fe);
    constraints.reinit();
    dealii::DoFTools::make_hanging_node_constraints(dofs, constraints);
    constraints.close();
  }

  DealIIDirections<dim> directions(unsigned int first_component = 0) const {
    return {dofs, mapping, constraints, Partition(static_cast<Index>(dofs.n_dofs())), first_component};
  }

  dealii::Triangulation<dim> mesh;
  dealii::FESystem<dim> fe;
  dealii::DoFHandler<dim> dofs;
  dealii::MappingQ<dim> mapping;
  dealii::AffineConstraints<double> constraints;
};

/// u = (1 + 2 x - 3 y, 4 x + 5 y), behind components that are no displacement.
class LinearField : public dealii::Function<2> {
 public:
  explicit LinearField(unsigned int n_before = 0) : dealii::Function<2>(n_before + 2), n_before_(n_before) {}
  double value(const Point2& p, unsigned int component) const override {
    if (component < n_before_) return 1e3;
    return component == n_before_ ? 1 + 2 * p[0] - 3 * p[1] : 4 * p[0] + 5 * p[1];
  }

 private:
  unsigned int n_before_;
};

/// h^T q with the entries of constrained DoFs zero, as the assembled system has them.
double applied(const Direction& h, const dealii::Vector<double>& q,
               const dealii::AffineConstraints<double>& constraints) {
  double s = 0;
  for (const WeightedDoF& entry : h.entries()) {
    const auto dof = static_cast<dealii::types::global_dof_index>(entry.dof);
    if (!constraints.is_constrained(dof)) s += entry.weight * q[dof];
  }
  return s;
}

Body<2>& refined_square(Body<2>& body) {
  dealii::GridGenerator::subdivided_hyper_rectangle(body.mesh, {3, 2}, Point2(), Point2(3., 2.), true);
  Model::refine_corner(body.mesh);
  body.distribute();
  return body;
}

}  // namespace

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
  const State state = reduced.consistent_state(displacement, velocity);
  reduced.lift(state, displacement);
  const Vector g = inclusions.gaps(state, Vector::Zero(inclusions.n_directions()));
  for (std::size_t k = 0; k < places.size(); ++k) {
    dealii::Vector<double> u(3);
    dealii::VectorTools::point_value(mapping, model.dofs, displacement, places[k], u);
    BOOST_TEST(g[static_cast<Index>(k)] == u[0] - 0.5 * u[1], boost::test_tools::tolerance(1e-11));
  }
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
