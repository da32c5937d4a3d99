// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/integrators/smooth/implicit_methods.h>
#include <halfdof/reduction/linearized_state_force.h>

#include <boost/test/unit_test.hpp>

#include "model.h"
#include <cmath>

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

namespace {

using Matrix = dealii::SparseMatrix<double>;
using Field = dealii::Vector<double>;

/// p_i = a q_i^3 + b q_i'|q_i'| on all DoFs of an application, the latter on those that are damped.
struct Cubes {
  /// @param raw assembled without constraints
  Cubes(const Model& model_of, const SerialMatrices& raw, bool is_condensed)
      : model(model_of), condenses(is_condensed) {
    for (Matrix* matrix : {&K, &C, &pattern})
      matrix->reinit(raw.sparsity);
    for (dealii::types::global_dof_index i = 0; i < model.dofs.n_dofs(); ++i) {
      is_damped.push_back(raw.C.el(i, i) != 0);
      pattern.set(i, i, is_damped.back() ? 1 : 0);
    }
    if (condenses) model.constraints.condense(pattern);
  }

  double a = 0.8, b = 0.3;
  const Model& model;
  bool condenses;
  std::vector<bool> is_damped;
  Matrix K, C, pattern;

  Field force(const Field& q, const Field& v) const {
    Field p(q.size());
    for (unsigned int i = 0; i < q.size(); ++i)
      p(i) = a * q(i) * q(i) * q(i) + (is_damped[i] ? b * v(i) * std::abs(v(i)) : 0.);
    return p;
  }
  void set_tangents(const Field& q, const Field& v) {
    K = 0;
    C = 0;
    for (unsigned int i = 0; i < q.size(); ++i) {
      K.set(i, i, 3 * a * q(i) * q(i));
      C.set(i, i, is_damped[i] ? 2 * b * std::abs(v(i)) : 0.);
    }
  }

  DealIIStateForce<Matrix> state_force() {
    DealIIStateForce<Matrix> p;
    p.force = [this](const auto& now) {
      Field whole = force(now.displacement, now.rate);
      if (condenses) model.constraints.condense(whole);
      return whole;
    };
    p.tangents = [this](const auto& now) {
      set_tangents(now.displacement, now.rate);
      if (condenses)
        for (Matrix* matrix : {&K, &C})
          model.constraints.condense(*matrix);
      return DealIITangents<Matrix>{nullptr, &C, &K};
    };
    p.pattern.damping = &pattern;
    return p;
  }
};

/// Largest entry of T^T (M u'' + C u' + K u + p - f), the equations of the application with its constraints.
double residual(const Model& model, const SerialMatrices& raw, const Cubes& cubes,
                const AssembledFromDealII<Matrix>& assembled, const AssembledMotion& now) {
  Field u, v, a;
  assembled.lift_into(u, now.displacement);
  assembled.lift_into(v, now.rate);
  assembled.lift_into(a, now.acceleration);
  Field left = cubes.force(u, v), part(left.size());
  raw.M.vmult(part, a);
  left += part;
  raw.C.vmult(part, v);
  left += part;
  raw.K.vmult(part, u);
  left += part;
  left -= raw.f;
  model.constraints.condense(left);
  double largest = 0;
  for (unsigned int i = 0; i < left.size(); ++i)
    if (!model.constraints.is_constrained(i)) largest = std::max(largest, std::abs(left(i)));
  return largest;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(state_force)

BOOST_AUTO_TEST_CASE(a_field_of_forces_meets_hanging_nodes_and_moving_boundaries) {
  dealii::Triangulation<2> mesh;
  const Model model(mesh, 0.2);
  const SerialMatrices raw(model, Assembly::without_constraints);
  Cubes cubes(model, raw, false);
  DealIIOptions<Matrix> options;
  options.state_force = cubes.state_force();
  const auto assembled =
      assembled_from_dealii(raw.M, raw.C, raw.K, model.constraints, {raw.f}, model.dofs, options);
  const auto reduced = halfdof::reduce(assembled);
  BOOST_CHECK(reduced.depends_on_state());
  State state = consistent_state(reduced, Field(model.dofs.n_dofs()), Field(model.dofs.n_dofs()));
  state.y.setLinSpaced(-0.6, 0.8);
  BOOST_TEST(residual(model, raw, cubes, assembled, reduced.lift(state)) < 1e-8);
  RadauIIA5<EigenEngine>(reduced, 0.02).run(state, 0.1);
  BOOST_TEST(residual(model, raw, cubes, assembled, reduced.lift(state)) < 1e-8);
}

BOOST_AUTO_TEST_CASE(condensed_forces_do_what_raw_ones_do) {
  dealii::Triangulation<2> mesh;
  const Model model(mesh, 0.);
  const SerialMatrices raw(model, Assembly::without_constraints), condensed(model, Assembly::matrix_and_load);
  Cubes by_halfdof(model, raw, false), by_application(model, raw, true);
  const auto lifted = [&](const SerialMatrices& application, Cubes& cubes) {
    DealIIOptions<Matrix> options;
    options.state_force = cubes.state_force();
    const auto reduced =
        halfdof::reduce(assembled_from_dealii(application.M, application.C, application.K, model.constraints,
                                              {application.f}, model.dofs, options));
    State state{0, Vector::LinSpaced(reduced.n_local_states(), -0.6, 0.8)};
    return reduced.lift(state);
  };
  const AssembledMotion a = lifted(raw, by_halfdof), b = lifted(condensed, by_application);
  BOOST_TEST((a.displacement - b.displacement).cwiseAbs().maxCoeff() < 1e-9);
  BOOST_TEST((a.rate - b.rate).cwiseAbs().maxCoeff() < 1e-8);
}

BOOST_AUTO_TEST_CASE(nonlinear_attachments_may_not_sit_on_hanging_nodes) {
  dealii::Triangulation<2> mesh;
  const Model model(mesh, 0.);
  const SerialMatrices raw(model, Assembly::without_constraints);
  GlobalIndex hanging = -1;
  for (dealii::types::global_dof_index i = 0; i < model.dofs.n_dofs(); ++i)
    if (model.constraints.is_constrained(i) && !model.constraints.get_constraint_entries(i)->empty())
      hanging = static_cast<GlobalIndex>(i);
  DealIIOptions<Matrix> options;
  options.attachments.nonlinear = {{hanging, ground, [](double x, double) { return x * x * x; }}};
  BOOST_CHECK_THROW(
      assembled_from_dealii(raw.M, raw.C, raw.K, model.constraints, {raw.f}, model.dofs, options),
      InvalidInput);
}

BOOST_AUTO_TEST_CASE(raw_forces_beside_condensed_matrices_are_refused) {
  dealii::Triangulation<2> mesh;
  const Model model(mesh, 0.);
  const SerialMatrices raw(model, Assembly::without_constraints), condensed(model, Assembly::matrix_and_load);
  const auto says = [](const std::string& words) {
    return [words](const Error& error) { return std::string(error.what()).find(words) != std::string::npos; };
  };
  const auto reduced = [&](const DealIIStateForce<Matrix>& p) {
    DealIIOptions<Matrix> options;
    options.state_force = p;
    return halfdof::reduce(assembled_from_dealii(condensed.M, condensed.C, condensed.K, model.constraints,
                                                 {condensed.f}, model.dofs, options));
  };
  // Seen by the forces themselves where they are not zero,
  Cubes cubes(model, raw, false);
  const auto cubic = reduced(cubes.state_force());
  const State state{0, Vector::LinSpaced(cubic.n_local_states(), -0.6, 0.8)};
  BOOST_CHECK_EXCEPTION(cubic.lift(state), InvalidInput, says("hanging node"));
  // and by a pattern that couples constrained DoFs to others.
  DealIIStateForce<Matrix> p = cubes.state_force();
  p.pattern.damping = &raw.C;
  BOOST_CHECK_EXCEPTION(reduced(p), InvalidInput, says("pattern of the tangent damping"));
}

BOOST_AUTO_TEST_CASE(rates_of_algebraic_dofs_need_the_time_derivative_of_the_forces) {
  dealii::Triangulation<2> mesh;
  const Model model(mesh, 0.);
  const SerialMatrices raw(model, Assembly::without_constraints);
  Cubes cubes(model, raw, false);
  const auto reduced = [&](const DealIIStateForce<Matrix>& p) {
    DealIIOptions<Matrix> options;
    options.state_force = p;
    return halfdof::reduce(
        assembled_from_dealii(raw.M, raw.C, raw.K, model.constraints, {raw.f}, model.dofs, options));
  };
  DealIIStateForce<Matrix> p = cubes.state_force();
  State state{0, Vector()};
  const auto without = reduced(p);
  BOOST_REQUIRE(without.classification().n_algebraic() > 0);
  state.y = Vector::LinSpaced(without.n_local_states(), -0.6, 0.8);
  BOOST_CHECK_THROW(without.algebraic_rates(state), NotAvailable);
  // Differences of displacements along the motion.
  const auto rates_by_differences = [](const auto& system, const State& at) {
    const double h = 1e-5;
    const Vector y_rate = system.apply(at);
    const Vector after = system.lift({at.time + h, at.y + h * y_rate}).displacement,
                 before = system.lift({at.time - h, at.y - h * y_rate}).displacement;
    const Vector rates = (after - before) / (2 * h);
    return Vector(system.classification().algebraic().selected_rows(system.free().restrict(rates)));
  };
  p.time_derivative = p.independent_of_time;
  const auto held = reduced(p);
  BOOST_TEST((held.algebraic_rates(state) - rates_by_differences(held, state)).cwiseAbs().maxCoeff() < 1e-6);

  // Forces that grow with time: (1 + t) p.
  DealIIStateForce<Matrix> growing = p;
  growing.force = [p](const auto& now) {
    Field force = p.force(now);
    force *= 1 + now.time;
    return force;
  };
  growing.time_derivative = p.force;
  const auto grown = reduced(growing);
  BOOST_TEST((grown.algebraic_rates(state) - rates_by_differences(grown, state)).cwiseAbs().maxCoeff() <
             1e-6);
  BOOST_TEST((grown.algebraic_rates(state) - held.algebraic_rates(state)).cwiseAbs().maxCoeff() > 1e-3);
}

BOOST_AUTO_TEST_SUITE_END()
