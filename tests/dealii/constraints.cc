// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/free_system.h>
#include <halfdof/base/errors.h>
#include <halfdof/spectrum/compare_spectra.h>

#include <Eigen/Dense>
#include <boost/test/unit_test.hpp>

#include "model.h"
#include <algorithm>
#include <cmath>

namespace {

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

using Matrix = dealii::SparseMatrix<double>;
using Field = dealii::Vector<double>;

struct Fixture {
  explicit Fixture(double boundary_factor = 1.) : model(mesh, boundary_factor) {}

  AssembledFromDealII<Matrix> assembled(Assembly how, const DealIIOptions<Matrix>& options = {}) const {
    const SerialMatrices matrices(model, how);
    return assembled_from_dealii(matrices.M, matrices.C, matrices.K, model.constraints, matrices.f,
                                 model.dofs, options);
  }

  dealii::Triangulation<2> mesh;
  Model model;
};

MultiVector free_part(const MultiVector& A, const DenseConstraints& constraints) {
  return (constraints.T.transpose() * A * constraints.T)(constraints.free, constraints.free);
}

double relative_difference(const MultiVector& a, const MultiVector& b) {
  return (a - b).norm() / b.norm();
}

/// Sums of some ten products of numbers near one: rounding alone.
constexpr double rounding = 1e-14;

void check_against_dense_condensation(const Fixture& fixture, const AssembledFromDealII<Matrix>& assembled) {
  const SerialMatrices raw(fixture.model, Assembly::without_constraints);
  const DenseConstraints dense_constraints(fixture.model.constraints, static_cast<Index>(raw.M.m()));
  const FreeSystem<EigenEngine> free(assembled);
  BOOST_TEST(relative_difference(EigenEngine::to_dense(free.M()),
                                 free_part(dense(raw.M), dense_constraints)) <= rounding);
  BOOST_TEST(relative_difference(EigenEngine::to_dense(free.C()),
                                 free_part(dense(raw.C), dense_constraints)) <= rounding);
  BOOST_TEST(relative_difference(EigenEngine::to_dense(free.K()),
                                 free_part(dense(raw.K), dense_constraints)) <= rounding);
  const Vector F = (dense_constraints.T.transpose() *
                    (dense(raw.f) - dense(raw.K) * dense_constraints.g))(dense_constraints.free);
  BOOST_TEST(relative_difference(free.load(0.7), F) <= rounding);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(constraints)

BOOST_AUTO_TEST_CASE(the_model_has_hanging_nodes_and_inhomogeneous_values) {
  const Fixture fixture;
  const auto assembled = fixture.assembled(Assembly::without_constraints);
  BOOST_TEST(assembled.origin().relations.n_following() > 0);
  BOOST_TEST(assembled.origin().relations.n_constrained() > assembled.origin().relations.n_following());
  BOOST_TEST(assembled.origin().relations.inhomogeneous());
}

BOOST_AUTO_TEST_CASE(matrices_assembled_with_constraints_are_taken_as_they_are) {
  const Fixture fixture;
  const auto assembled = fixture.assembled(Assembly::matrix_and_load);
  BOOST_TEST((assembled.origin().form == MatrixForm::condensed));
  check_against_dense_condensation(fixture, assembled);
}

BOOST_AUTO_TEST_CASE(the_overload_for_the_matrix_alone_gives_the_same_where_values_are_homogeneous) {
  const Fixture fixture(0.);
  check_against_dense_condensation(fixture, fixture.assembled(Assembly::matrix_alone));
  check_against_dense_condensation(fixture, fixture.assembled(Assembly::matrix_and_load));
}

BOOST_AUTO_TEST_CASE(raw_matrices_are_condensed_and_give_the_same_system) {
  const Fixture fixture;
  const auto assembled = fixture.assembled(Assembly::without_constraints);
  BOOST_TEST((assembled.origin().form == MatrixForm::raw));
  check_against_dense_condensation(fixture, assembled);
}

BOOST_AUTO_TEST_CASE(invented_diagonals_do_not_make_kinds) {
  const Fixture fixture;
  const SerialMatrices condensed(fixture.model, Assembly::matrix_and_load);
  // The trap is set: constrained rows of all components have an invented diagonal in M and in C.
  for (const Matrix* matrix : {&condensed.M, &condensed.C})
    for (unsigned int component = 0; component < 3; ++component) {
      const dealii::IndexSet of_component = dealii::DoFTools::extract_dofs(
          fixture.model.dofs, dealii::ComponentMask({component == 0, component == 1, component == 2}));
      BOOST_TEST(std::any_of(of_component.begin(), of_component.end(), [&](const auto i) {
        return fixture.model.constraints.is_constrained(i) && matrix->diag_element(i) != 0.;
      }));
    }

  const auto n_free_of_a_component =
      (fixture.model.dofs.n_dofs() - fixture.model.constraints.n_constraints()) / 3;
  for (const Assembly how :
       {Assembly::matrix_and_load, Assembly::matrix_alone, Assembly::without_constraints}) {
    const auto reduced = reduce(fixture.assembled(how));
    const Classification& kinds = reduced.classification();
    BOOST_TEST(kinds.n_constrained() == fixture.model.constraints.n_constraints());
    BOOST_TEST(kinds.n_inertial() == n_free_of_a_component);
    BOOST_TEST(kinds.n_viscous() == n_free_of_a_component);
    BOOST_TEST(kinds.n_algebraic() == n_free_of_a_component);
    BOOST_TEST(kinds.nearly_null().empty());
  }
}

BOOST_AUTO_TEST_CASE(lifted_fields_satisfy_the_constraints_and_the_equations) {
  const Fixture fixture;
  const Index n = static_cast<Index>(fixture.model.dofs.n_dofs());
  for (const Assembly how : {Assembly::matrix_and_load, Assembly::without_constraints}) {
    const auto reduced = reduce(fixture.assembled(how));
    Field displacement(fixture.model.dofs.n_dofs()), velocity(fixture.model.dofs.n_dofs());
    for (unsigned int i = 0; i < displacement.size(); ++i)
      displacement(i) = std::sin(1. + i), velocity(i) = std::cos(2. + 3 * i);
    const auto state = consistent_state(reduced, displacement, velocity);
    reduced.lift(state, displacement, velocity);

    Field distributed = displacement;
    fixture.model.constraints.distribute(distributed);
    distributed -= displacement;
    BOOST_TEST(distributed.linfty_norm() <= 1e-14 * displacement.linfty_norm());

    // Virtual work of all forces on the free DoFs vanishes.
    const SerialMatrices raw(fixture.model, Assembly::without_constraints);
    const DenseConstraints dense_constraints(fixture.model.constraints, n);
    const Vector acceleration = dense_constraints.T * reduced.lift(state).acceleration;
    const Vector work = (dense_constraints.T.transpose() *
                         (dense(raw.f) - dense(raw.M) * acceleration - dense(raw.C) * dense(velocity) -
                          dense(raw.K) * dense(displacement)))(dense_constraints.free);
    // D has a condition number of about 1e3.
    BOOST_TEST(work.norm() <= 1e-11 * dense(raw.K).norm() * displacement.l2_norm());
  }
}

BOOST_AUTO_TEST_CASE(a_consistent_start_is_left_alone_and_changes_are_reported) {
  const Fixture fixture;
  const auto reduced = reduce(fixture.assembled(Assembly::without_constraints));
  Field displacement(fixture.model.dofs.n_dofs()), velocity(fixture.model.dofs.n_dofs());
  auto state = consistent_state(reduced, displacement, velocity);
  BOOST_TEST(state.report.n_changed > 0);  // Dirichlet values and phi were not zero

  reduced.lift(state, displacement, velocity);
  const auto again = consistent_state(reduced, displacement, velocity);
  BOOST_TEST(again.report.n_changed == 0);
  BOOST_TEST((again.y - state.y).norm() <= 1e-13 * state.y.norm());
}

BOOST_AUTO_TEST_CASE(moving_values_load_the_free_dofs_through_the_raw_couplings) {
  const Fixture fixture(0.);
  const auto constraints_with = [&](double factor) {
    dealii::AffineConstraints<double> constraints;
    fixture.model.make_constraints(constraints, factor);
    return constraints;
  };
  DealIIOptions<Matrix> options;
  options.motion.value = [&](double t) { return constraints_with(std::sin(t)); };
  options.motion.rate = [&](double t) { return constraints_with(std::cos(t)); };
  options.motion.acceleration = [&](double t) { return constraints_with(-std::sin(t)); };
  const auto assembled = fixture.assembled(Assembly::without_constraints, options);

  const SerialMatrices raw(fixture.model, Assembly::without_constraints);
  const Index n = static_cast<Index>(raw.M.m());
  const auto inhomogeneity = [&](double factor) { return DenseConstraints(constraints_with(factor), n).g; };
  const DenseConstraints dense_constraints(fixture.model.constraints, n);
  const double t = 0.4;
  const Vector F =
      (dense_constraints.T.transpose() * (dense(raw.f) - dense(raw.M) * inhomogeneity(-std::sin(t)) -
                                          dense(raw.C) * inhomogeneity(std::cos(t)) -
                                          dense(raw.K) * inhomogeneity(std::sin(t))))(dense_constraints.free);
  BOOST_TEST(relative_difference(FreeSystem<EigenEngine>(assembled).load(t), F) <= rounding);

  const auto reduced = reduce(assembled);
  Field displacement(raw.M.m()), velocity(raw.M.m());
  const auto state = consistent_state(reduced, displacement, velocity, t);
  reduced.lift(state, displacement, velocity);
  Field expected = displacement;
  constraints_with(std::sin(t)).distribute(expected);
  expected -= displacement;
  BOOST_TEST(expected.linfty_norm() <= 1e-14);
  expected = velocity;
  constraints_with(std::cos(t)).distribute(expected);
  expected -= velocity;
  BOOST_TEST(expected.linfty_norm() <= 1e-14);
}

BOOST_AUTO_TEST_CASE(motion_that_cannot_act_is_refused) {
  const Fixture fixture(0.);
  DealIIOptions<Matrix> options;
  options.motion.value = [&](double t) {
    dealii::AffineConstraints<double> constraints;
    fixture.model.make_constraints(constraints, t);
    return constraints;
  };
  // The couplings are gone.
  BOOST_CHECK_THROW(fixture.assembled(Assembly::matrix_and_load, options), InvalidInput);
  // The mass matrix couples too, but no acceleration is given.
  BOOST_CHECK_THROW(FreeSystem<EigenEngine>(fixture.assembled(Assembly::without_constraints, options)),
                    InvalidInput);

  options.motion.rate = options.motion.acceleration = [](double) {
    dealii::AffineConstraints<double> other_lines;
    other_lines.close();
    return other_lines;
  };
  const FreeSystem<EigenEngine> system(fixture.assembled(Assembly::without_constraints, options));
  BOOST_CHECK_THROW(system.load(1.), InvalidInput);
}

BOOST_AUTO_TEST_CASE(matrices_that_contradict_each_other_are_refused) {
  const Fixture fixture;
  const SerialMatrices raw(fixture.model, Assembly::without_constraints);
  const SerialMatrices condensed(fixture.model, Assembly::matrix_and_load);
  const auto assembled = [&](const Matrix& M, const Matrix& K, MatrixForm form) {
    DealIIOptions<Matrix> options;
    options.form = form;
    return assembled_from_dealii(M, Matrix(), K, fixture.model.constraints, raw.f, options);
  };
  BOOST_CHECK_THROW(assembled(raw.M, condensed.K, MatrixForm::detect), InvalidInput);
  BOOST_CHECK_THROW(assembled(condensed.M, raw.K, MatrixForm::detect), InvalidInput);
  BOOST_CHECK_THROW(assembled(raw.M, raw.K, MatrixForm::condensed), InvalidInput);
  BOOST_CHECK_THROW(assembled(raw.M, condensed.K, MatrixForm::condensed), InvalidInput);
  BOOST_CHECK_THROW(assembled(condensed.M, condensed.K, MatrixForm::raw), InvalidInput);
  BOOST_CHECK_NO_THROW(assembled(raw.M, raw.K, MatrixForm::raw));
  BOOST_CHECK_NO_THROW(assembled(condensed.M, condensed.K, MatrixForm::condensed));
}

BOOST_AUTO_TEST_CASE(a_lumped_mass_contradicts_neither_form) {
  const Fixture fixture(0.);
  for (const Assembly how : {Assembly::without_constraints, Assembly::matrix_and_load}) {
    SerialMatrices matrices(fixture.model, how);
    for (unsigned int i = 0; i < matrices.M.m(); ++i)
      for (auto entry = matrices.M.begin(i); entry != matrices.M.end(i); ++entry)
        entry->value() = entry->column() == entry->row() ? 1. + i : 0.;
    const auto assembled = assembled_from_dealii(matrices.M, matrices.C, matrices.K,
                                                 fixture.model.constraints, matrices.f, fixture.model.dofs);
    BOOST_TEST((assembled.origin().form ==
                (how == Assembly::without_constraints ? MatrixForm::raw : MatrixForm::condensed)));
  }
}

BOOST_AUTO_TEST_CASE(absent_matrices_and_loads_are_zero) {
  const Fixture fixture;
  const SerialMatrices raw(fixture.model, Assembly::without_constraints);
  const auto statics = assembled_from_dealii(Matrix(), Matrix(), raw.K, fixture.model.constraints, {});
  BOOST_TEST(reduce(statics).n_states() == 0);
}

BOOST_AUTO_TEST_CASE(a_load_may_depend_on_time) {
  const Fixture fixture(0.);
  const SerialMatrices raw(fixture.model, Assembly::without_constraints);
  const auto load = [&](double t) {
    Field f = raw.f;
    f *= t;
    return f;
  };
  const FreeSystem<EigenEngine> moving(
      assembled_from_dealii(raw.M, raw.C, raw.K, fixture.model.constraints, load, fixture.model.dofs));
  const FreeSystem<EigenEngine> constant(
      assembled_from_dealii(raw.M, raw.C, raw.K, fixture.model.constraints, raw.f, fixture.model.dofs));
  BOOST_TEST(relative_difference(moving.load(3.), 3. * constant.load(0.)) <= 1e-15);
  BOOST_TEST(constant.load_rate(0.).isZero(0));
}

BOOST_AUTO_TEST_CASE(unfinished_input_is_refused) {
  const Fixture fixture;
  const SerialMatrices raw(fixture.model, Assembly::without_constraints);
  const Field wrong_size(3);
  dealii::AffineConstraints<double> open;
  open.add_line(0);
  BOOST_CHECK_THROW(assembled_from_dealii(raw.M, raw.C, raw.K, open, raw.f), InvalidInput);

  dealii::SparsityPattern small(2, 2, 2);
  small.compress();
  const Matrix small_matrix(small);
  BOOST_CHECK_THROW(assembled_from_dealii(small_matrix, raw.C, raw.K, fixture.model.constraints, raw.f),
                    InvalidInput);

  const auto reduced = reduce(assembled_from_dealii(raw.M, raw.C, raw.K, fixture.model.constraints, raw.f));
  BOOST_CHECK_THROW(consistent_state(reduced, wrong_size, raw.f), InvalidInput);
}

BOOST_AUTO_TEST_CASE(attachments_hang_on_dofs_that_follow_nobody) {
  const Fixture fixture(0.);
  const SerialMatrices condensed(fixture.model, Assembly::matrix_and_load);
  const auto assembled = [&](GlobalIndex dof) {
    DealIIOptions<Matrix> options;
    const auto joint = static_cast<GlobalIndex>(condensed.K.m());
    options.attachments.new_dofs = {"joint"};
    add_between(options.attachments.stiffness, dof, joint, 2.);
    add_between(options.attachments.damping, joint, ground, 3.);
    return assembled_from_dealii(condensed.M, condensed.C, condensed.K, fixture.model.constraints,
                                 condensed.f, fixture.model.dofs, options);
  };
  const DenseConstraints dense_constraints(fixture.model.constraints, static_cast<Index>(condensed.K.m()));
  const auto with_joint = assembled(dense_constraints.free.back());
  BOOST_TEST(reduce(with_joint).n_states() ==
             reduce(fixture.assembled(Assembly::matrix_and_load)).n_states() + 1);
  BOOST_TEST(with_joint.describe(static_cast<Index>(condensed.K.m())) ==
             "DoF " + std::to_string(condensed.K.m()) + " (joint)");

  const auto& following = with_joint.origin().relations.following();
  BOOST_CHECK_THROW(assembled(following.front()), InvalidInput);
}

BOOST_AUTO_TEST_CASE(changes_of_hanging_nodes_are_reported_with_the_values_that_were_given) {
  const Fixture fixture;
  const auto reduced = reduce(fixture.assembled(Assembly::without_constraints));
  Field displacement(fixture.model.dofs.n_dofs()), velocity(fixture.model.dofs.n_dofs());
  State state{0, Vector::LinSpaced(reduced.n_local_states(), 1., 2.)};
  reduced.lift(state, displacement, velocity);
  const auto& relations = reduced.assembled_from_dealii().origin().relations;
  const Field consistent = displacement, consistent_rate = velocity;
  const auto follows = [&](Index i) {
    const auto* entries = fixture.model.constraints.get_constraint_entries(static_cast<unsigned int>(i));
    return entries && !entries->empty() && std::abs(consistent(static_cast<unsigned int>(i))) > 0.1;
  };
  const auto& constrained = relations.constrained();
  const auto hanging =
      static_cast<unsigned int>(*std::find_if(constrained.begin(), constrained.end(), follows));
  displacement(hanging) += 0.5;
  velocity(hanging) -= 0.25;

  const auto report = consistent_state(reduced, displacement, velocity).report;
  BOOST_TEST(report.n_changed == 2);
  for (const InitialChange& change : report.largest) {
    const bool is_rate = change.quantity == "rate";
    BOOST_TEST(change.dof == hanging);
    BOOST_TEST(change.given == (is_rate ? velocity : displacement)(hanging),
               boost::test_tools::tolerance(1e-12));
    BOOST_TEST(change.consistent == (is_rate ? consistent_rate : consistent)(hanging),
               boost::test_tools::tolerance(1e-12));
  }
  ConsistencyOptions strict;
  strict.mode = ConsistencyOptions::Mode::strict;
  BOOST_CHECK_THROW(consistent_state(reduced, displacement, velocity, 0, strict), InvalidInput);
}

// Two masses on springs, the first of which relaxes, on a rigid link: q_0 - q_1 = 0.
BOOST_AUTO_TEST_CASE(dummy_derivatives_stand_behind_all_other_dofs) {
  dealii::DynamicSparsityPattern dynamic(3);
  for (const unsigned int i : {0U, 1U, 2U})
    for (const unsigned int j : {0U, 1U, 2U})
      dynamic.add(i, j);
  dealii::SparsityPattern pattern;
  pattern.copy_from(dynamic);
  Matrix M(pattern), C, K(pattern), part(pattern);
  M.set(0, 0, 2);
  M.set(1, 1, 3);
  K.set(0, 0, 30);
  K.set(1, 1, 50);
  part.set(0, 0, 30);
  const double along[] = {1, -1};
  for (const unsigned int i : {0U, 1U}) {
    K.set(2, i, along[i]);
    K.set(i, 2, along[i]);
  }
  dealii::AffineConstraints<double> none;
  none.close();
  const auto reduced_with = [&](Index max_group) {
    DealIIOptions<Matrix> options;
    options.viscoelastic = {viscoelastic_branches(part, {{0.5, 0.1}})};
    options.dummy_derivatives.max_group = max_group;
    return reduce(assembled_from_dealii(M, C, K, none, {}, options));
  };
  const auto expected = reduced_with(1000), found = reduced_with(1);
  BOOST_TEST((expected.method() == ReductionMethod::constraints));
  BOOST_TEST((found.method() == ReductionMethod::null_columns));
  BOOST_TEST(found.assembled().n_dofs() == expected.assembled().n_dofs() + 1);
  BOOST_TEST(found.n_states() == 3);
  Field q(3), v(3), q_expected, q_found;
  q[0] = q[1] = 0.2;
  v[0] = v[1] = -1;
  expected.lift(consistent_state(expected, q, v), q_expected);
  found.lift(consistent_state(found, q, v), q_found);
  for (const unsigned int i : {0U, 1U, 2U})
    BOOST_TEST(std::abs(q_found[i] - q_expected[i]) < 1e-12 * q_expected.l2_norm());
  BOOST_TEST(q_found[0] == 0.2, boost::test_tools::tolerance(1e-14));
  BOOST_TEST(compare_all(found).max_relative_difference < 1e-10);
}

BOOST_AUTO_TEST_SUITE_END()
