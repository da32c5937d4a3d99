// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/inclusions/inclusions.h>
#include <halfdof/inclusions/laws.h>
#include <halfdof/spectrum/compare_spectra.h>
#include <halfdof/spectrum/frequency_response.h>

#include <boost/test/unit_test.hpp>
#include <deal.II/lac/trilinos_sparsity_pattern.h>

#include "bodies.h"
#include <cmath>
#include <memory>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>

using namespace halfdof;
using namespace halfdof::test;

namespace {

using Matrix = dealii::SparseMatrix<double>;
using Field = dealii::Vector<double>;

/// A square of two by two cells in plane strain, lambda = mu = 1 and density 1, raw or condensed.
struct Plate {
  explicit Plate(bool is_clamped, bool is_condensed = true) {
    dealii::GridGenerator::subdivided_hyper_rectangle(body.mesh, {2, 2}, Point2(), Point2(1., 1.), true);
    body.distribute();
    if (is_clamped) {
      body.constraints.reinit();
      dealii::VectorTools::interpolate_boundary_values(
          body.mapping, body.dofs, 0, dealii::Functions::ZeroFunction<2>(2), body.constraints);
      body.constraints.close();
    }
    dealii::DynamicSparsityPattern dynamic(body.dofs.n_dofs());
    dealii::DoFTools::make_sparsity_pattern(body.dofs, dynamic);
    pattern.copy_from(dynamic);
    M.reinit(pattern), K.reinit(pattern);
    zero.reinit(body.dofs.n_dofs());
    assemble(is_condensed);
  }

  void assemble(bool is_condensed) {
    dealii::AffineConstraints<double> none;
    none.close();
    const dealii::AffineConstraints<double>& used = is_condensed ? body.constraints : none;
    const dealii::QGauss<2> quadrature(2);
    dealii::FEValues<2> values(body.fe, quadrature,
                               dealii::update_values | dealii::update_gradients | dealii::update_JxW_values);
    const dealii::FEValuesExtractors::Vector u(0);
    const unsigned int n = body.fe.n_dofs_per_cell();
    dealii::FullMatrix<double> cell_M(n, n), cell_K(n, n);
    std::vector<dealii::types::global_dof_index> indices(n);
    for (const auto& cell : body.dofs.active_cell_iterators()) {
      values.reinit(cell);
      cell_M = 0, cell_K = 0;
      for (unsigned int q = 0; q < quadrature.size(); ++q)
        for (unsigned int i = 0; i < n; ++i)
          for (unsigned int j = 0; j < n; ++j) {
            cell_M(i, j) += values[u].value(i, q) * values[u].value(j, q) * values.JxW(q);
            cell_K(i, j) += (values[u].divergence(i, q) * values[u].divergence(j, q) +
                             2 * values[u].symmetric_gradient(i, q) * values[u].symmetric_gradient(j, q)) *
                            values.JxW(q);
          }
      cell->get_dof_indices(indices);
      used.distribute_local_to_global(cell_M, indices, M);
      used.distribute_local_to_global(cell_K, indices, K);
    }
  }

  AssembledFromDealII<Matrix> assembled(const DealIIOptions<Matrix>& options = {}) const {
    return assembled_from_dealii(M, no_damping, K, body.constraints, {}, body.dofs, options);
  }
  /// A unit force at the upper right corner.
  Field force(unsigned int component) const {
    Field f = zero;
    f(static_cast<unsigned int>(body.directions().dof_at(corner, component))) = 1;
    return f;
  }
  GlobalIndex n() const { return static_cast<GlobalIndex>(body.dofs.n_dofs()); }

  inline static const Point2 corner{1., 1.};
  Body<2> body;
  dealii::SparsityPattern pattern;
  Matrix M, K, no_damping;
  Field zero;
};

template <class F>
std::string message_of(const F& call) {
  try {
    call();
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "nothing was thrown";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

template <class T, class = void>
struct GivesEntries : std::false_type {};
template <class T>
struct GivesEntries<T, std::void_t<decltype(std::declval<T>().entries())>> : std::true_type {};

// at_point(...).entries() would dangle.
static_assert(GivesEntries<const Direction&>::value && !GivesEntries<Direction>::value &&
              !GivesEntries<const Direction>::value);

}  // namespace

BOOST_AUTO_TEST_SUITE(application)

BOOST_AUTO_TEST_CASE(a_mesh_that_nothing_holds_has_no_rest) {
  const Plate plate(false);
  const auto reduced = reduce(plate.assembled());
  BOOST_CHECK_EXCEPTION(equilibrium(reduced, plate.force(0)), SingularElimination,
                        [](const SingularElimination& error) {
                          BOOST_TEST(error.block() == "K");
                          BOOST_TEST(error.dofs().size() == 10u);
                          BOOST_TEST(contains(error.what(), "in an equilibrium is not determined"));
                          BOOST_TEST(contains(error.what(), "at ("));
                          return true;
                        });
}

BOOST_AUTO_TEST_CASE(a_clamped_mesh_rests_where_its_stiffness_says) {
  for (const bool is_condensed : {true, false}) {
    const Plate plate(true, is_condensed), condensed(true);
    const auto reduced = reduce(plate.assembled());
    Field q;
    reduced.lift(equilibrium(reduced, plate.force(1)), q);
    Field residual(q.size());
    condensed.K.vmult(residual, q);
    residual -= plate.force(1);
    BOOST_TEST(residual.linfty_norm() < 1e-13);
    BOOST_TEST(q(static_cast<unsigned int>(plate.body.directions().dof_at(Plate::corner, 1))) > 0.5);
  }
}

BOOST_AUTO_TEST_CASE(matrices_that_were_never_initialized_are_refused) {
  const Plate plate(true);
  const Matrix none;
  const auto refused = [&](const auto& M, const auto& C, const auto& K) {
    return message_of([&] { assembled_from_dealii(M, C, K, plate.body.constraints, {}); });
  };
  BOOST_TEST(contains(refused(plate.M, none, none), "The stiffness matrix was never initialized"));
  BOOST_TEST(contains(message_of([&] {
                        assembled_from_dealii(plate.M, none, none, plate.body.constraints, {},
                                              plate.body.dofs);
                      }),
                      "never initialized"));
  const dealii::BlockSparseMatrix<double> no_blocks;
  BOOST_TEST(contains(refused(no_blocks, no_blocks, no_blocks), "never initialized"));
  const dealii::TrilinosWrappers::SparseMatrix no_rows;
  BOOST_TEST(contains(refused(no_rows, no_rows, no_rows), "never initialized"));
  const dealii::TrilinosWrappers::BlockSparseMatrix no_trilinos_blocks;
  BOOST_TEST(
      contains(refused(no_trilinos_blocks, no_trilinos_blocks, no_trilinos_blocks), "never initialized"));
  DealIIOptions<Matrix> with_empty_part;
  with_empty_part.viscoelastic = {viscoelastic_branches(none, {{1., 1.}})};
  BOOST_TEST(contains(message_of([&] { plate.assembled(with_empty_part); }), "viscoelastic part 1"));
}

BOOST_AUTO_TEST_CASE(entries_that_wait_for_compress_are_refused) {
  // Each process owns two rows, and adds to one of the next process.
  using dealii::types::global_dof_index;
  const global_dof_index size = dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD),
                         rank = dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD);
  dealii::IndexSet owned(2 * size), all = dealii::complete_index_set(2 * size);
  owned.add_range(2 * rank, 2 * rank + 2);
  dealii::TrilinosWrappers::SparsityPattern sparsity(owned, owned, all, MPI_COMM_WORLD);
  const global_dof_index own = 2 * rank, next = (own + 2) % (2 * size);
  for (const auto row : {own, own + 1, next})
    sparsity.add(row, row);
  sparsity.compress();
  dealii::TrilinosWrappers::SparseMatrix K(sparsity), none;
  for (const auto row : {own, own + 1})
    K.add(row, row, 1.);
  K.add(next, next, 2.);
  dealii::AffineConstraints<double> free(all);
  free.close();
  const auto hand_over = [&] { assembled_from_dealii(none, none, K, free, {}); };
  BOOST_TEST(contains(message_of(hand_over), "Call compress(") == (size > 1));
  K.compress(dealii::VectorOperation::add);
  BOOST_CHECK_NO_THROW(hand_over());
}

BOOST_AUTO_TEST_CASE(matrices_condensed_with_constraints_that_are_not_handed_over_are_noticed) {
  const Plate plate(true);
  dealii::AffineConstraints<double> none;
  none.close();
  const auto suspicious =
      assembled_from_dealii(plate.M, plate.no_damping, plate.K, none, {}, plate.body.dofs);
  BOOST_REQUIRE(suspicious.warnings().size() == 1u);
  BOOST_TEST(
      contains(suspicious.warnings()[0], "6 degrees of freedom are not coupled to other degrees of freedom"));
  std::ostringstream summary;
  reduce(suspicious).print_summary(summary);
  BOOST_TEST(contains(summary.str(), "Warning: 6 degrees of freedom"));

  BOOST_TEST(plate.assembled().warnings().empty());
  BOOST_TEST(Plate(false).assembled().warnings().empty());
}

BOOST_AUTO_TEST_CASE(the_dof_at_a_point_is_that_with_its_support_there) {
  const Plate plate(true);
  const auto directions = plate.body.directions();
  for (const auto& cell : plate.body.dofs.active_cell_iterators())
    for (const unsigned int v : cell->vertex_indices())
      for (const unsigned int c : {0u, 1u})
        BOOST_TEST(directions.dof_at(cell->vertex(v), c) ==
                   static_cast<GlobalIndex>(cell->vertex_dof_index(v, c)));
  BOOST_TEST(contains(message_of([&] { directions.dof_at(Point2(0.25, 0.25), 0); }), "No degree of freedom"));
  BOOST_TEST(contains(message_of([&] { directions.dof_at(Point2(0.5, 0.5), 2); }), "component 2"));
  BOOST_TEST(contains(message_of([&] { directions.dof_at(Point2(2., 0.5), 0); }), "lies in no cell"));
}

BOOST_AUTO_TEST_CASE(a_mass_on_a_rigid_link_is_a_mass_where_the_link_ends) {
  // With DoFs of its own and two links, or added to the corner at once.
  const Plate plate(true);
  const auto directions = plate.body.directions();
  DealIIOptions<Matrix> linked, added;
  const auto mass = point_mass(linked.attachments, plate.n(), 2.5, {"mass x", "mass y"});
  BOOST_TEST(mass[1] == plate.n() + 1);
  for (const unsigned int c : {0u, 1u}) {
    const GlobalIndex dof = directions.dof_at(Plate::corner, c);
    linked.with_constraints.push_back(rigid_link(mass[c], dof));
    add_between(added.attachments.mass, dof, ground, 2.5);
  }
  const auto of_links = compare_all(reduce(plate.assembled(linked))),
             of_added = compare_all(reduce(plate.assembled(added)));
  BOOST_TEST(of_links.passed);
  BOOST_TEST(match_eigenvalues(of_added.after.finite, of_links.after.finite).max_relative_difference < 1e-8);
}

BOOST_AUTO_TEST_CASE(a_mass_on_rods_moves_as_their_ends_say) {
  // Two rods to corners: the mass at their common end, beside rods with multipliers.
  const Plate plate(true);
  const auto directions = plate.body.directions();
  const Point2 ends[] = {{1., 0.}, {1., 1.}}, place(1.5, 0.25);
  DealIIOptions<Matrix> on_rods, with_multipliers;
  const auto mass = point_mass(with_multipliers.attachments, plate.n(), 0.75, {"mass x", "mass y"});
  MultiVector axes(2, 2);
  std::vector<Direction> of_ends;
  for (int i = 0; i < 2; ++i) {
    const Vector2 d = (place - ends[i]) / place.distance(ends[i]);
    axes.row(i) << d[0], d[1];
    of_ends.push_back(directions.at_point(ends[i], d));
    with_multipliers.with_constraints.push_back(
        rigid_link(of_ends.back(), Direction({{mass[0], d[0]}, {mass[1], d[1]}})));
  }
  const auto u = mass_on_rods(on_rods.attachments, 0.75, axes, of_ends);
  const auto reduced = reduce(plate.assembled(on_rods)), beside = reduce(plate.assembled(with_multipliers));
  BOOST_TEST(match_eigenvalues(compare_all(reduced).after.finite, compare_all(beside).after.finite)
                 .max_relative_difference < 1e-8);

  // Pulled at the mass, and seen there.
  const auto f =
      frequency_response(reduced, {0.1}, unit_forces(reduced.assembled(), {u[0], u[1]}),
                         {{OutputQuantity::displacement, u[0]}, {OutputQuantity::displacement, u[1]}});
  const auto g = frequency_response(beside, {0.1}, mass, displacements(mass));
  BOOST_TEST((f.after[0] - g.after[0]).norm() < 1e-9 * g.after[0].norm());
  BOOST_TEST(f.max_relative_difference < 1e-9);

  axes.row(1) = axes.row(0);
  BOOST_TEST(contains(message_of([&] { mass_on_rods(on_rods.attachments, 0.75, axes, of_ends); }),
                      "axes of the rods are linearly dependent"));
}

BOOST_AUTO_TEST_CASE(loads_and_directions_are_inputs_and_outputs_of_responses) {
  const Plate plate(true);
  const auto reduced = reduce(plate.assembled());
  const auto directions = plate.body.directions();
  const GlobalIndex x = directions.dof_at(Plate::corner, 0), y = directions.dof_at(Plate::corner, 1);
  const auto single = frequency_response(reduced, {0.05, 0.2}, {x, y}, displacements({x, y}));
  Field load = plate.force(0);
  load *= 3;
  load -= plate.force(1);
  const Direction h = directions.at_point(Plate::corner, vector(0.5, 2.));
  const auto directed = frequency_response(
      reduced, {0.05, 0.2}, HarmonicLoads{reduced.assembled_from_dealii().load_entries(load)},
      {{OutputQuantity::displacement, h}, {OutputQuantity::acceleration, h}});
  for (std::size_t k = 0; k < 2; ++k) {
    const Complex expected =
        (Eigen::RowVector2cd(0.5, 2.) * single.after[k] * Eigen::Vector2cd(3., -1.)).value();
    const double omega = 2 * std::acos(-1.) * (k == 0 ? 0.05 : 0.2);
    BOOST_TEST(std::abs(directed.after[k](0, 0) - expected) < 1e-12 * std::abs(expected));
    BOOST_TEST(std::abs(directed.after[k](1, 0) + omega * omega * expected) <
               1e-12 * omega * omega * std::abs(expected));
  }
  BOOST_TEST(directed.max_relative_difference < 1e-9);
  BOOST_TEST(contains(message_of([&] {
                        frequency_response(reduced, {0.1}, HarmonicLoads{MultiVector::Zero(3, 1)},
                                           std::vector<DirectedOutput>{{OutputQuantity::displacement, h}});
                      }),
                      "3 rows"));
}

BOOST_AUTO_TEST_CASE(a_run_with_contact_starts_from_fields) {
  const Plate plate(true);
  const auto directions = plate.body.directions();
  const auto reduced = reduce(plate.assembled());
  std::vector<Inclusion> contacts;
  for (const auto& point : directions.on_boundary(1))
    contacts.push_back(inclusion("stop " + std::to_string(contacts.size()),
                                 std::make_shared<const UnilateralContact>(-2., 0.), point.inward));
  const Inclusions<EigenEngine> inclusions(reduced, contacts);
  const auto outcome = classify_inclusions(inclusions);
  Field pulled;
  reduced.lift(equilibrium(reduced, plate.force(1)), pulled);
  const NonsmoothStart from_fields = nonsmooth_start(reduced, inclusions, outcome, pulled, plate.zero);
  const auto& assembled = reduced.assembled_from_dealii();
  const NonsmoothStart from_entries = nonsmooth_start(
      inclusions, outcome, assembled.displacement_entries(pulled), assembled.rate_entries(plate.zero));
  BOOST_TEST((from_fields.y - from_entries.y).norm() == 0.);
  BOOST_TEST((from_fields.r - from_entries.r).norm() == 0.);
}

BOOST_AUTO_TEST_CASE(vibrations_are_listed_without_relaxations_by_frequency) {
  const Plate plate(true);
  DealIIOptions<Matrix> options;
  options.viscoelastic = {viscoelastic_branches(plate.K, {{0.5, 100.}, {0.25, 10.}})};
  const auto reduced = reduce(plate.assembled(options));
  const auto all = compare_spectra(reduced, 8);
  const auto is_real = [](const MatchedEigenvalues& pair) { return pair.after.imag() == 0; };
  BOOST_TEST(std::all_of(all.matching.pairs.begin(), all.matching.pairs.end(), is_real));

  ComparisonOptions wanted;
  wanted.listed = Listed::oscillating;
  wanted.order = PairOrder::frequency;
  const auto vibrations = compare_spectra(reduced, 8, wanted);
  BOOST_TEST(vibrations.passed);
  BOOST_TEST(vibrations.matching.pairs.size() == 8u);
  BOOST_TEST(std::none_of(vibrations.matching.pairs.begin(), vibrations.matching.pairs.end(), is_real));
  double before = 0;
  for (const MatchedEigenvalues& pair : vibrations.matching.pairs) {
    BOOST_TEST(std::abs(pair.after.imag()) >= before);
    before = std::abs(pair.after.imag());
  }
  std::ostringstream text;
  vibrations.print(text);
  BOOST_TEST(contains(text.str(), "the 8 eigenvalues that oscillate nearest to the shift"));
}

BOOST_AUTO_TEST_CASE(changes_of_displacements_and_of_rates_are_told_apart) {
  // More than ten viscous rates follow from the equations; the one displacement stands beside them.
  const Plate plate(true);
  DealIIOptions<Matrix> options;
  options.viscoelastic = {viscoelastic_branches(plate.K, {{0.5, 100.}})};
  const auto reduced = reduce(plate.assembled(options));
  const Index n = reduced.assembled().dofs().n_local();
  Vector q = Vector::Zero(n), v = Vector::Zero(n);
  for (Index i = static_cast<Index>(plate.n()); i < n; ++i)
    q[i] = 1e3;
  q[reduced.assembled().constrained().local().front()] = 1e-3;
  const ConsistencyReport report = consistent_state(reduced, q, v, 0., ConsistencyOptions{{}, 1e-12}).report;
  BOOST_TEST(report.n_displacements == 1);
  BOOST_TEST(report.n_rates == n - plate.n());
  BOOST_TEST(report.n_changed == report.n_displacements + report.n_rates);
  BOOST_TEST(report.largest.size() == 11u);
  BOOST_TEST(report.largest[0].quantity == "displacement");
  std::ostringstream text;
  text << report;
  BOOST_TEST(contains(text.str(), "1 initial displacement did not agree"));
  BOOST_TEST(contains(text.str(), "12 initial rates did not agree"));
}

BOOST_AUTO_TEST_SUITE_END()
