// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/free_system.h>

#include <boost/test/unit_test.hpp>
#include <deal.II/distributed/tria.h>
#include <deal.II/fe/fe_raviart_thomas.h>
#include <deal.II/fe/mapping_q.h>

#include "distributed_model.h"
#include <cmath>

namespace {

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

/// The model in distributed blocks: u, then theta and phi together.
struct BlockMatrices {
  BlockMatrices(const Model& model, Assembly how) {
    const auto n = dealii::DoFTools::count_dofs_per_fe_component(model.dofs);
    const std::vector<dealii::types::global_dof_index> sizes{n[0], n[1] + n[2]};
    const auto owned = model.owned.split_by_block(sizes);
    const auto relevant = model.relevant.split_by_block(sizes);
    tw::BlockSparsityPattern sparsity(owned, owned, relevant, world());
    model.make_sparsity(sparsity);
    sparsity.compress();
    for (auto* matrix : {&M, &C, &K})
      matrix->reinit(sparsity);
    f.reinit(owned, world());
    model.assemble(M, C, K, f, how);
  }

  tw::BlockSparseMatrix M, C, K;
  tw::MPI::BlockVector f;
};

/// What a reduced system makes of a start that is given as functions.
struct Results {
  Table displacement, rate, acceleration;
  GlobalIndex n_states;
};

template <class MatrixType>
Results results(const Model& model, const AssembledFromDealII<MatrixType>& assembled) {
  const auto reduced = reduce(assembled);
  auto displacement = assembled.origin().zero, velocity = assembled.origin().zero;
  dealii::VectorTools::interpolate(model.dofs, Field(0.3), displacement);
  dealii::VectorTools::interpolate(model.dofs, Field(1.), velocity);
  const auto state = consistent_state(reduced, displacement, velocity);
  reduced.lift(state, displacement, velocity);
  const auto table = [&](const auto& field) {
    return table_of(assembled.labels(), owned_entries(field, assembled.origin().dofs, "field"),
                    assembled.dofs().communicator());
  };
  return {table(displacement), table(velocity),
          table_of(assembled.labels(), reduced.lift(state).acceleration, assembled.dofs().communicator()),
          reduced.n_states()};
}

const std::vector<std::string> names{"u", "theta", "phi"};

Results serial_results() {
  dealii::Triangulation<2> mesh;
  const Model model(mesh);
  const SerialMatrices matrices(model, Assembly::matrix_and_load);
  DealIIOptions<dealii::SparseMatrix<double>> options;
  options.component_names = names;
  return results(model, assembled_from_dealii(matrices.M, matrices.C, matrices.K, model.constraints,
                                              matrices.f, model.dofs, options));
}

template <class Matrices, class MatrixType>
Results distributed_results(const Model& model, Assembly how) {
  const Matrices matrices(model, how);
  DealIIOptions<MatrixType> options;
  options.component_names = names;
  return results(model, assembled_from_dealii(matrices.M, matrices.C, matrices.K, model.constraints,
                                              matrices.f, model.dofs, options));
}

void check_equal(const Results& a, const Results& b) {
  BOOST_TEST(a.n_states == b.n_states);
  BOOST_TEST(difference(a.displacement, b.displacement) <= 1e-10);
  BOOST_TEST(difference(a.rate, b.rate) <= 1e-10);
  BOOST_TEST(difference(a.acceleration, b.acceleration) <= 1e-10);
}

constexpr Assembly both_forms[] = {Assembly::matrix_and_load, Assembly::without_constraints};

}  // namespace

BOOST_AUTO_TEST_SUITE(distributed)

BOOST_AUTO_TEST_CASE(any_number_of_processes_gives_the_numbers_of_one) {
  const Results serial = serial_results();
  for (const Assembly how : both_forms) {
    dealii::parallel::distributed::Triangulation<2> mesh(world());
    const Model model(mesh);
    check_equal(distributed_results<DistributedMatrices, tw::SparseMatrix>(model, how), serial);
  }
}

BOOST_AUTO_TEST_CASE(blocks_make_one_system_in_the_numbering_of_the_dof_handler) {
  const Results serial = serial_results();
  for (const Assembly how : both_forms) {
    dealii::parallel::distributed::Triangulation<2> mesh(world());
    Model model(mesh);
    model.renumber_by_component();
    check_equal(distributed_results<BlockMatrices, tw::BlockSparseMatrix>(model, how), serial);
  }
}

BOOST_AUTO_TEST_CASE(ghosted_vectors_are_read_and_written) {
  dealii::parallel::distributed::Triangulation<2> mesh(world());
  const Model model(mesh);
  const DistributedMatrices matrices(model, Assembly::matrix_and_load);
  const auto reduced = reduce(
      assembled_from_dealii(matrices.M, matrices.C, matrices.K, model.constraints, matrices.f, model.dofs));
  tw::MPI::Vector owned(model.owned, world()), ghosted(model.owned, model.relevant, world());
  dealii::VectorTools::interpolate(model.dofs, Field(0.3), owned);
  ghosted = owned;
  const auto state = consistent_state(reduced, ghosted, ghosted);
  reduced.lift(state, owned);
  reduced.lift(state, ghosted);
  for (const auto i : model.owned)
    BOOST_TEST(owned(i) == ghosted(i));
  if (mesh.n_locally_owned_active_cells() < mesh.n_global_active_cells())
    BOOST_TEST(ghosted.has_ghost_elements());
}

BOOST_AUTO_TEST_CASE(moving_values_act_across_processes) {
  const auto load_of = [](const Model& model, const auto& matrices, auto& options) {
    const auto constraints = [&model](double factor) {
      dealii::AffineConstraints<double> result;
      model.make_constraints(result, factor);
      return result;
    };
    options.component_names = names;
    options.motion.value = [=](double t) { return constraints(std::sin(t)); };
    options.motion.rate = [=](double t) { return constraints(std::cos(t)); };
    options.motion.acceleration = [=](double t) { return constraints(-std::sin(t)); };
    const auto assembled = assembled_from_dealii(matrices.M, matrices.C, matrices.K, model.constraints,
                                                 matrices.f, model.dofs, options);
    const FreeSystem system(assembled);
    Vector F = Vector::Zero(assembled.dofs().n_local());
    F(assembled.free().local()) = system.load(0.4);
    return table_of(assembled.labels(), F, assembled.dofs().communicator());
  };
  dealii::Triangulation<2> serial_mesh;
  const Model serial(serial_mesh, 0.);
  DealIIOptions<dealii::SparseMatrix<double>> serial_options;
  dealii::parallel::distributed::Triangulation<2> mesh(world());
  const Model model(mesh, 0.);
  DealIIOptions<tw::SparseMatrix> options;
  BOOST_TEST(difference(load_of(model, DistributedMatrices(model, Assembly::without_constraints), options),
                        load_of(serial, SerialMatrices(serial, Assembly::without_constraints),
                                serial_options)) <= 1e-13);
}

BOOST_AUTO_TEST_CASE(every_process_lists_the_same_components) {
  // One cell, which one process owns, and a row behind those of the DoFHandler on the last process.
  dealii::parallel::distributed::Triangulation<2> mesh(world());
  dealii::GridGenerator::hyper_cube(mesh);
  const dealii::FESystem<2> element(dealii::FE_Q<2>(1), 1, dealii::FE_RaviartThomas<2>(0), 1);
  dealii::DoFHandler<2> dofs(mesh);
  dofs.distribute_dofs(element);
  const auto communicator = std::make_shared<const MpiCommunicator>(world());
  std::vector<GlobalIndex> owned;
  for (const auto i : dofs.locally_owned_dofs())
    owned.push_back(static_cast<GlobalIndex>(i));
  if (communicator->rank() == communicator->size() - 1)
    owned.push_back(static_cast<GlobalIndex>(dofs.n_dofs()));
  const DoFLabels labels =
      labels_from_dealii(dofs, dealii::MappingQ<2>(1), Partition(owned, communicator), {"p", "x", "y"});
  const std::vector<std::string> expected{"p", "x", "y", element.base_element(1).get_name(), "added"};
  BOOST_TEST(labels.component_names == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
