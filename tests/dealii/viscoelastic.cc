// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/free_system.h>
#include <halfdof/assembled/rigid_modes.h>
#include <halfdof/base/errors.h>

#include <Eigen/Dense>
#include <boost/test/unit_test.hpp>

#include "distributed_model.h"
#include <complex>
#include <utility>

namespace {

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

using Matrix = dealii::SparseMatrix<double>;

const PronySeries two_branches{{0.5, 0.2}, {3., 0.7}};

constexpr std::pair<Assembly, BranchForm> all_cases[] = {
    {Assembly::matrix_and_load, BranchForm::local},
    {Assembly::matrix_and_load, BranchForm::symmetric},
    {Assembly::without_constraints, BranchForm::local},
    {Assembly::without_constraints, BranchForm::symmetric}};

/// Assembles the stiffness of component u on the right part of the mesh, which touches no support.
template <class MatrixType>
void assemble_part(const Model& model, MatrixType& K_part,
                   const dealii::AffineConstraints<double>& constraints) {
  const dealii::QGauss<2> quadrature(2);
  dealii::FEValues<2> values(model.fe, quadrature, dealii::update_gradients | dealii::update_JxW_values);
  const unsigned int n = model.fe.n_dofs_per_cell();
  dealii::FullMatrix<double> cell(n, n);
  std::vector<dealii::types::global_dof_index> indices(n);
  for (const auto& c : model.dofs.active_cell_iterators()) {
    if (!c->is_locally_owned() || c->center()[0] < 1.) continue;
    values.reinit(c);
    cell = 0;
    for (unsigned int q = 0; q < quadrature.size(); ++q)
      for (unsigned int i = 0; i < n; ++i)
        for (unsigned int j = 0; j < n; ++j)
          if (model.fe.system_to_component_index(i).first == 0 &&
              model.fe.system_to_component_index(j).first == 0)
            cell(i, j) += values.shape_grad(i, q) * values.shape_grad(j, q) * values.JxW(q);
    c->get_dof_indices(indices);
    constraints.distribute_local_to_global(cell, indices, K_part);
  }
  K_part.compress(dealii::VectorOperation::add);
}

dealii::AffineConstraints<double> used_constraints(const Model& model, Assembly how) {
  dealii::AffineConstraints<double> constraints(model.relevant);
  if (how != Assembly::without_constraints) constraints.copy_from(model.constraints);
  constraints.close();
  return constraints;
}

template <class Matrices, class MatrixType>
AssembledFromDealII<MatrixType> with_branches(const Model& model, const Matrices& matrices,
                                              MatrixType& K_part, Assembly how, BranchForm form) {
  assemble_part(model, K_part, used_constraints(model, how));
  DealIIOptions<MatrixType> options;
  options.component_names = {"u", "theta", "phi"};
  options.viscoelastic = {viscoelastic_branches(K_part, two_branches, form)};
  return assembled_from_dealii(matrices.M, matrices.C, matrices.K, model.constraints, matrices.f, model.dofs,
                               options);
}

/// Fields after some steps away from a relaxed start: the branches carry forces there.
template <class MatrixType>
Table after_some_steps(const Model& model, const AssembledFromDealII<MatrixType>& assembled) {
  const auto reduced = reduce(assembled);
  auto displacement = assembled.origin().zero, velocity = displacement;
  dealii::VectorTools::interpolate(model.dofs, Field(0.3), displacement);
  dealii::VectorTools::interpolate(model.dofs, Field(1.), velocity);
  State state = consistent_state(reduced, displacement, velocity);
  for (int step = 0; step < 3; ++step)
    state.y += 0.1 * reduced.apply(state);
  const Index n_local = assembled.origin().dofs.n_local();
  return table_of(assembled.labels(), reduced.lift(state).acceleration.head(n_local),
                  assembled.dofs().communicator());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(viscoelastic_branches_of_a_part)

BOOST_AUTO_TEST_CASE(a_floating_part_relaxes_by_its_prony_series_raw_or_condensed) {
  dealii::Triangulation<2> mesh;
  const Model model(mesh);
  const SerialMatrices raw(model, Assembly::without_constraints);
  Matrix raw_part(raw.sparsity);
  assemble_part(model, raw_part, used_constraints(model, Assembly::without_constraints));
  const DenseConstraints constraints(model.constraints, static_cast<Index>(raw.K.m()));
  const Complex s(0.3, 2.);
  Complex relaxation = 0;
  for (const auto [g, tau] : two_branches)
    relaxation += g * s * tau / (1. + s * tau);
  const ComplexMultiVector expected =
      (constraints.T.transpose() *
       (s * s * dense(raw.M) + s * dense(raw.C) + dense(raw.K) + relaxation * dense(raw_part)) *
       constraints.T)(constraints.free, constraints.free);

  for (const auto& [how, form] : all_cases) {
    const SerialMatrices matrices(model, how);
    Matrix K_part(matrices.sparsity);
    const auto assembled = with_branches(model, matrices, K_part, how, form);
    BOOST_TEST(assembled.origin().internal[0].rigid->fixed.size() == (form == BranchForm::local ? 0u : 1u));

    const FreeSystem<EigenEngine> system(assembled);
    const ComplexMultiVector P = s * s * EigenEngine::to_dense(system.M()) +
                                 s * EigenEngine::to_dense(system.C()) + EigenEngine::to_dense(system.K());
    const Index n = static_cast<Index>(expected.rows()), n_internal = static_cast<Index>(P.rows()) - n;
    const ComplexMultiVector Z =
        P.topLeftCorner(n, n) - P.topRightCorner(n, n_internal) *
                                    P.bottomRightCorner(n_internal, n_internal).inverse() *
                                    P.bottomLeftCorner(n_internal, n);
    // The condition number of the internal block is about 1e3.
    BOOST_TEST((Z - expected).norm() <= 1e-12 * expected.norm());
  }
}

BOOST_AUTO_TEST_CASE(internal_dofs_are_viscous_and_named) {
  dealii::Triangulation<2> mesh;
  const Model model(mesh);
  const SerialMatrices matrices(model, Assembly::matrix_and_load);
  const SerialMatrices without(model, Assembly::matrix_and_load);
  Matrix K_part(matrices.sparsity);
  const auto reduced =
      reduce(with_branches(model, matrices, K_part, Assembly::matrix_and_load, BranchForm::local));
  const auto plain = reduce(
      assembled_from_dealii(without.M, without.C, without.K, model.constraints, without.f, model.dofs));
  const auto n_internal = reduced.assembled().n_dofs() - plain.assembled().n_dofs();
  BOOST_TEST(n_internal > 0);
  BOOST_TEST(reduced.classification().n_viscous() == plain.classification().n_viscous() + n_internal);
  const auto last = static_cast<Index>(reduced.assembled().n_dofs() - 1);
  BOOST_TEST(reduced.assembled().labels().component_name(last) == "u, branch 2");
}

BOOST_AUTO_TEST_CASE(any_number_of_processes_relaxes_alike) {
  dealii::Triangulation<2> serial_mesh;
  const Model serial_model(serial_mesh);
  const SerialMatrices serial_matrices(serial_model, Assembly::matrix_and_load);
  Matrix serial_part(serial_matrices.sparsity);
  const Table serial =
      after_some_steps(serial_model, with_branches(serial_model, serial_matrices, serial_part,
                                                   Assembly::matrix_and_load, BranchForm::local));

  for (const auto& [how, form] : all_cases) {
    dealii::parallel::distributed::Triangulation<2> mesh(world());
    const Model model(mesh);
    const DistributedMatrices matrices(model, how);
    tw::SparseMatrix K_part;
    K_part.reinit(matrices.K);
    K_part = 0.;
    const Table found = after_some_steps(model, with_branches(model, matrices, K_part, how, form));
    BOOST_TEST(difference(found, serial) <= 1e-10);
  }
}

BOOST_AUTO_TEST_CASE(series_are_checked_where_they_are_given) {
  const Matrix K_part;
  BOOST_CHECK_THROW(viscoelastic_branches(K_part, {}), InvalidInput);
  BOOST_CHECK_THROW(viscoelastic_branches(K_part, {{1., -1.}}), InvalidInput);
}

BOOST_AUTO_TEST_SUITE_END()
