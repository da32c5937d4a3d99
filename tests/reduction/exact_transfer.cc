// SPDX-License-Identifier: LGPL-2.1-or-later
// Both explicit forms and the response beside the inverse of the assembled s^2 M + s C + K.
#include <halfdof/assembled/constraint_rows.h>
#include <halfdof/base/errors.h>
#include <halfdof/reduction/consistent_state.h>
#include <halfdof/reduction/excluded_loads.h>
#include <halfdof/reduction/state_space.h>
#include <halfdof/spectrum/frequency_response.h>

#include <boost/test/unit_test.hpp>

#include "constrained_models.h"

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

namespace {

ComplexMultiVector pencil_at(const AssembledSystem<EigenEngine>& system, Complex s) {
  return EigenEngine::to_dense(system.K()) + s * EigenEngine::to_dense(system.C()).cast<Complex>() +
         s * s * EigenEngine::to_dense(system.M()).cast<Complex>();
}

/// A random load with L^T f = 0 that leaves constrained DoFs alone.
Vector represented_load(const ReducedSystem<EigenEngine>& reduced, unsigned seed) {
  const AssembledSystem<EigenEngine>& assembled = reduced.assembled();
  RandomNumbers random(seed);
  Vector f = Vector::Zero(static_cast<Index>(assembled.n_dofs()));
  f(assembled.free().local()) = random.matrix(assembled.free().n_local(), 1);
  const MultiVector L = excluded_loads(reduced);
  if (L.cols() > 0) f -= L * (L.transpose() * L).fullPivLu().solve(L.transpose() * f);
  return f;
}

/// The largest difference of C_o (s E - A)^{-1} B f + D_o f from P(s)^{-1} f, relative to that, of
/// displacements but multipliers. @param n DoFs that P has; the reduced system may have more
double error_of_transfer(const ReducedSystem<EigenEngine>& reduced, const MultiVector& E,
                         const MultiVector& A, const MultiVector& B,
                         const AssembledSystem<EigenEngine>& exact, unsigned seed) {
  const auto n = static_cast<Index>(exact.n_dofs());
  std::vector<Output> outputs;
  for (const Index i : exact.free().local())
    if (!reduced.is_multiplier(i)) outputs.push_back({OutputQuantity::displacement, i});
  const OutputMap<EigenEngine> map(reduced, outputs);
  const Vector f = represented_load(reduced, seed);
  double largest = 0;
  for (const Complex s : {Complex(0.3, 1.1), Complex(-0.7, 0.4), Complex(0, 2.3)}) {
    Vector on_exact = f.head(n);
    const std::vector<Index>& free = exact.free().local();
    const ComplexMultiVector P = pencil_at(exact, s)(free, free);
    const ComplexMultiVector of_free =
        P.fullPivLu().solve(ComplexMultiVector(on_exact(free).cast<Complex>()));
    ComplexMultiVector q = ComplexMultiVector::Zero(n, 1);
    q(free, Eigen::all) = of_free;
    const ComplexMultiVector y =
        (s * E - A.cast<Complex>()).fullPivLu().solve(ComplexMultiVector((B * f).cast<Complex>()));
    const ComplexMultiVector z = map.state_matrix() * y + (map.feed_through() * f).cast<Complex>();
    double error = 0;
    for (std::size_t o = 0; o < outputs.size(); ++o)
      error =
          std::max(error, std::abs(z(static_cast<Index>(o), 0) - q(static_cast<Index>(outputs[o].dof), 0)));
    largest = std::max(largest, error / q.norm());
  }
  return largest;
}

double error_of_dense_form(const ReducedSystem<EigenEngine>& reduced,
                           const AssembledSystem<EigenEngine>& exact, unsigned seed) {
  const MultiVector A = dense_state_matrix(reduced);
  return error_of_transfer(reduced, MultiVector::Identity(A.rows(), A.cols()), A, dense_input_matrix(reduced),
                           exact, seed);
}

double error_of_pencil(const ReducedSystem<EigenEngine>& reduced, const AssembledSystem<EigenEngine>& exact,
                       unsigned seed) {
  const SparsePencil pencil = sparse_pencil(reduced, {1e9});
  return error_of_transfer(reduced, pencil.E.entries(), pencil.A.entries(), pencil.B.entries(), exact, seed);
}

/// Of a system that is its own exact one.
void check(const ReducedSystem<EigenEngine>& reduced, unsigned seed, double allowed = 1e-8) {
  BOOST_TEST(error_of_dense_form(reduced, reduced.assembled(), seed) < allowed);
  BOOST_TEST(error_of_pencil(reduced, reduced.assembled(), seed) < allowed);
}

ReducedSystem<EigenEngine> reduced_by(ReductionMethod method, const DenseSystem& system) {
  ReductionOptions options;
  options.method = method;
  return reduce(assemble<EigenEngine>(system), options);
}

/// Bordered by multipliers that push along rows of random integers and constrain along others, or the same.
DenseSystem bordered(const DenseSystem& system, Index m, bool is_symmetric, RandomNumbers& random) {
  const Index n = system.size();
  const auto extended = [&](const MultiVector& A) {
    MultiVector all = MultiVector::Zero(n + m, n + m);
    all.topLeftCorner(n, n) = A;
    return all;
  };
  DenseSystem all{extended(system.M), extended(system.C), extended(system.K)};
  const MultiVector rows = random.matrix(m, n), along = random.matrix(m, n);
  all.K.bottomLeftCorner(m, n) = rows;
  all.K.topRightCorner(n, m) = (is_symmetric ? rows : along).transpose();
  return all;
}

/// Algebraic DoFs and their equations mixed among themselves: multipliers are combinations of them.
DenseSystem with_mixed_algebraic_dofs(const DenseSystem& system, bool is_symmetric, RandomNumbers& random) {
  const std::vector<Index> algebraic = dense_elimination(system).K;
  const auto mixing = [&] {
    MultiVector T = MultiVector::Identity(system.size(), system.size());
    for (std::size_t i = 0; i < algebraic.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        T(algebraic[i], algebraic[j]) = static_cast<double>(random.below(3)) - 1;
    return T;
  };
  const MultiVector T = mixing();
  return turned(system, is_symmetric ? MultiVector(T.transpose()) : MultiVector(mixing().transpose()), T);
}

/// The displacement of a DoF under a force of one on it alone, at once.
double own_compliance(const DenseSystem& system, GlobalIndex dof) {
  const ReducedSystem<EigenEngine> reduced = reduce(assemble<EigenEngine>(system));
  BOOST_TEST(name_of(reduced.method()) == "weierstrass");
  const OutputMap<EigenEngine> map(reduced, {{OutputQuantity::displacement, dof}});
  Vector f = Vector::Zero(system.size());
  f[static_cast<Index>(dof)] = 1;
  return (map.feed_through() * f)[0];
}

}  // namespace

BOOST_AUTO_TEST_SUITE(exact_transfer)

BOOST_AUTO_TEST_CASE(null_columns_and_kernels_leave_out_no_load) {
  for (unsigned seed = 1; seed <= 5; ++seed)
    for (const bool is_symmetric : {true, false})
      for (const ReductionMethod method :
           {ReductionMethod::null_columns, ReductionMethod::kernel, ReductionMethod::weierstrass})
        BOOST_TEST_CONTEXT(seed << ' ' << is_symmetric << ' ' << name_of(method)) {
          const auto reduced = reduced_by(
              method, is_symmetric ? random_symmetric(4, 2, 3, seed) : random_unsymmetric(4, 2, 3, seed));
          BOOST_TEST(excluded_loads(reduced).cols() == 0);
          BOOST_TEST(describe_excluded_loads(reduced) == "");
          check(reduced, seed);
        }
}

BOOST_AUTO_TEST_CASE(constraints_on_displacements_and_rates_with_clamped_dofs) {
  for (unsigned seed = 1; seed <= 5; ++seed)
    for (const bool is_symmetric : {true, false})
      for (const bool is_clamped : {true, false})
        for (const auto& [n_position, n_velocity] : {std::pair<Index, Index>{2, 0}, {0, 2}, {1, 1}})
          for (const ReductionMethod method : {ReductionMethod::constraints, ReductionMethod::weierstrass})
            BOOST_TEST_CONTEXT(seed << ' ' << is_symmetric << ' ' << is_clamped << ' ' << n_position << ' '
                                    << n_velocity << ' ' << name_of(method)) {
              ConstrainedModel model = random_constrained(is_symmetric, n_position, n_velocity, seed);
              if (is_clamped) model.constrained = {dense_elimination(model.system).I.front()};
              const auto reduced = model.reduced(method);
              BOOST_TEST(excluded_loads(reduced).cols() == n_position + n_velocity);
              check(reduced, seed);
            }
}

BOOST_AUTO_TEST_CASE(multipliers_in_K_alone_and_as_combinations_of_algebraic_dofs) {
  for (unsigned seed = 1; seed <= 8; ++seed)
    for (const bool is_symmetric : {true, false})
      for (const bool are_mixed : {true, false})
        for (const Index m : {1, 2})
          BOOST_TEST_CONTEXT(seed << ' ' << is_symmetric << ' ' << are_mixed << ' ' << m) {
            RandomNumbers random(seed);
            DenseSystem system =
                is_symmetric ? random_symmetric(4, 1, 2, seed) : random_unsymmetric(4, 1, 2, seed);
            // Constraints meet no massless DoF, otherwise these would decide what is a constraint.
            const DenseElimination kinds = dense_elimination(system);
            DenseSystem all = bordered(system, m, is_symmetric, random);
            for (const auto* others : {&kinds.C, &kinds.K})
              for (const Index j : *others) {
                all.K.col(j).tail(m).setZero();
                all.K.row(j).tail(m).setZero();
              }
            if (are_mixed) all = with_mixed_algebraic_dofs(all, is_symmetric, random);
            const auto reduced = reduced_by(ReductionMethod::constraints, all);
            BOOST_TEST(excluded_loads(reduced).cols() == m);
            check(reduced, seed);
            check(reduced_by(ReductionMethod::weierstrass, all), seed);
          }
}

BOOST_AUTO_TEST_CASE(multipliers_of_rates_in_C) {
  for (unsigned seed = 1; seed <= 5; ++seed)
    for (const Index m : {1, 2})
      BOOST_TEST_CONTEXT(seed << ' ' << m) {
        RandomNumbers random(seed);
        const DenseSystem system = random_symmetric(4, 1, 2, seed);
        DenseSystem all = bordered(system, m, true, random);
        std::swap(all.C, all.K);
        all.C.topLeftCorner(7, 7) = system.C;
        all.K.topLeftCorner(7, 7) = system.K;
        all.K.bottomRows(m).setZero();
        all.K.rightCols(m).setZero();
        check(reduce(assemble<EigenEngine>(all)), seed);
      }
}

BOOST_AUTO_TEST_CASE(dummy_derivatives_represent_the_loads_of_the_model_before) {
  for (unsigned seed = 1; seed <= 5; ++seed)
    for (const bool is_listed : {true, false})
      for (const auto& [n_position, n_velocity] : {std::pair<Index, Index>{2, 0}, {0, 2}, {1, 1}})
        BOOST_TEST_CONTEXT(seed << ' ' << is_listed << ' ' << n_position << ' ' << n_velocity) {
          const ConstrainedModel model = random_constrained(true, n_position, n_velocity, seed);
          SystemDescription<EigenEngine> description = model.description();
          if (!is_listed) description.multipliers.clear();
          const auto reduced =
              reduce(AssembledSystem<EigenEngine>(with_dummy_derivatives(description).description));
          BOOST_TEST((reduced.method() == ReductionMethod::null_columns));
          // The multipliers, the rates and the accelerations.
          const auto n_new = static_cast<Index>(reduced.assembled().n_dofs()) - 8 - 2;
          BOOST_TEST(excluded_loads(reduced).cols() == 2 + n_new);
          const AssembledSystem<EigenEngine> exact = model.assembled();
          BOOST_TEST(error_of_dense_form(reduced, exact, seed) < 1e-8);
          BOOST_TEST(error_of_pencil(reduced, exact, seed) < 1e-8);
        }
}

// K_KK of DoFs 1, 2 and 3 has the null combination (1, 0, -1): equal loads on 1 and 3 are ordinary ones.
BOOST_AUTO_TEST_CASE(loads_on_a_combination_of_equations_that_is_a_constraint_are_refused) {
  DenseSystem system = zero_system(5);
  system.M.row(0) << 11, 0, 0, 0, 2;
  system.M.row(4) << 2, 0, 0, 0, 5;
  system.K << 4, 2, 6, -1, -2, 2, 0, 1, 0, 2, 6, 1, 19, 1, 3, -1, 0, 1, 0, -2, -2, 2, 3, -2, 23;
  const auto reduced = reduce(assemble<EigenEngine>(system));
  BOOST_TEST((reduced.method() == ReductionMethod::constraints));
  const MultiVector L = excluded_loads(reduced);
  BOOST_REQUIRE(L.cols() == 1);
  BOOST_TEST((L.col(0) / L(1, 0) - numbers({0, 1, 0, -1, 0})).norm() < 1e-15);
  BOOST_TEST(describe_excluded_loads(reduced).find("1 combination of the equations of DoF 1, DoF 3.") !=
                 std::string::npos,
             describe_excluded_loads(reduced));
  check(reduced, 1, 1e-12);

  for (const GlobalIndex input : {1, 3})
    BOOST_CHECK_EXCEPTION(frequency_response(reduced, {0.3}, {input}, displacements({0})), NotAvailable,
                          [&](const NotAvailable& error) {
                            return std::string(error.what()).find("DoF " + std::to_string(input)) !=
                                   std::string::npos;
                          });
  const FrequencyResponse H = frequency_response(reduced, {0.01, 0.3}, {0, 2, 4}, displacements({0, 2, 4}));
  BOOST_TEST(H.max_relative_difference < 1e-12);
}

// The multiplier pulls at the clamped DoF 1, too, by a force that no state tells.
BOOST_AUTO_TEST_CASE(displacements_that_are_no_states_are_not_ranked_by_rounding) {
  // Loads on equations 1 and 3 fix displacements 0 and 2, whose rates enter the only equation of motion, that
  // of displacement 1.
  DenseSystem system{MultiVector::Zero(4, 4), MultiVector::Zero(4, 4), MultiVector::Zero(4, 4)};
  system.M(2, 1) = -2;
  system.C(0, 0) = 3;
  system.C(2, 2) = -3;
  system.K << -1, -1, 0, -4, 3, 0, 0, 0, -3, 0, -3, -4, 0, 0, -4, 0;
  const auto by_weierstrass = reduced_by(ReductionMethod::weierstrass, system);
  BOOST_TEST(by_weierstrass.n_states() == 2);
  check(by_weierstrass, 1, 1e-12);
}

BOOST_AUTO_TEST_CASE(rates_that_rounding_makes_are_no_states) {
  // q_2' = f_1 and q_1 = f_3, beside q_0' = f_0 - f_1' and q_3' = (f_2 - q_0'' - q_1') / 3: Jordan blocks of
  // zeros. And the same with another state among them, by which no entry is zero any longer.
  DenseSystem small{MultiVector::Zero(4, 4), MultiVector::Zero(4, 4), MultiVector::Zero(4, 4)};
  small.M(0, 2) = small.M(2, 0) = 1;
  small.C(0, 0) = small.C(1, 2) = small.C(2, 1) = 1;
  small.C(2, 3) = 3;
  small.K(3, 1) = 1;
  check(reduced_by(ReductionMethod::weierstrass, small), 1, 1e-12);
  DenseSystem system{MultiVector::Zero(5, 5), MultiVector::Zero(5, 5), MultiVector::Zero(5, 5)};
  system.M(0, 2) = -3;
  system.M(2, 0) = 1;
  system.M(4, 2) = -1;
  system.C.row(0) << 1, 0, 0, 0, 0;
  system.C.row(1) << 0, -2, -2, -1, 0;
  system.C.row(2) << 0, 1, 0, 0, 3;
  system.C.row(3) << 0, 0, -1, 0, 0;
  system.C.row(4) << 0, 2, 1, 0, 0;
  system.K(0, 2) = -2;
  system.K(2, 0) = system.K(4, 0) = -4;
  system.K(4, 1) = -3;
  check(reduced_by(ReductionMethod::weierstrass, system), 1, 1e-11);
}

BOOST_AUTO_TEST_CASE(multipliers_are_outputs_and_add_to_reactions) {
  ConstrainedModel model{two_masses(), {}, rows({{1, -1}}), {}, {}, {}, {}, {1}, {}};
  model.system = zero_system(3);
  model.system.M.diagonal() << 2, 3, 1;
  model.system.K.diagonal() << 5, 7, 4;
  model.system.K(0, 2) = model.system.K(2, 0) = -1;
  model.A_2 = rows({{1, -1, 0}});
  const std::vector<Output> outputs{{OutputQuantity::reaction, 1}, {OutputQuantity::displacement, 3}};
  for (const ReductionMethod method : {ReductionMethod::constraints, ReductionMethod::weierstrass}) {
    const FrequencyResponse H = frequency_response(model.reduced(method), {0.1, 0.2}, {0, 2}, outputs);
    BOOST_TEST(H.max_relative_difference < 1e-12);
    // The link holds DoF 0, and passes a force on it to DoF 1.
    BOOST_TEST(std::abs(H.after[0](0, 0) + 1.) < 1e-12);
    BOOST_TEST(std::abs(H.after[0](1, 0) - 1.) < 1e-12);
  }
  const ReducedSystem<EigenEngine> reduced = model.reduced();
  const Output rate{OutputQuantity::rate, 3};
  BOOST_CHECK_EXCEPTION(OutputMap<EigenEngine>(reduced, {rate}), NotAvailable, [](const NotAvailable& error) {
    return std::string(error.what()).find("rate of DoF 3") != std::string::npos;
  });
}

BOOST_AUTO_TEST_CASE(multipliers_of_redundant_constraints_share_by_their_forces) {
  // The same rod three times, in other units: the motion is that of one.
  ConstrainedModel model{two_masses(), {}, rows({{1, -1}, {3, -3}, {1e-4, -1e-4}}), {}, {}, {}, {}, {}, {}};
  std::vector<Output> outputs;
  for (const Index dof : {0, 1, 2, 3, 4})
    outputs.push_back({OutputQuantity::displacement, dof});
  const FrequencyResponse H = frequency_response(model.reduced(), {0.1, 0.2}, {0, 1}, outputs);
  BOOST_TEST(H.max_relative_difference < 1e-11);
  BOOST_TEST(std::abs(H.after[0](2, 0)) > 1e-3);
}

BOOST_AUTO_TEST_CASE(constraints_on_algebraic_dofs_may_be_given_twice) {
  // The combination 2 mu_0 - mu_1 of their multipliers has no force, and its row has no coefficients.
  ConstrainedModel model{zero_system(3), {}, rows({{0, 1, 1}, {0, 2, 2}}), {}, {}, {}, {}, {}, {}};
  model.system.M(2, 2) = 1;
  model.system.K << 9, 0, 1, 0, 5, 2, 1, 2, 6;
  ConstrainedModel once = model;
  once.A_2 = rows({{0, 1, 1}});
  const std::vector<Output> outputs{{OutputQuantity::displacement, 0},
                                    {OutputQuantity::displacement, 1},
                                    {OutputQuantity::displacement, 2}};
  const ReducedSystem<EigenEngine> reduced = model.reduced();
  BOOST_TEST(reduced.n_states() == 2);
  const FrequencyResponse H = frequency_response(reduced, {0.1, 0.2}, {0, 1, 2}, outputs),
                          H_once = frequency_response(once.reduced(), {0.1, 0.2}, {0, 1, 2}, outputs);
  BOOST_TEST(H.max_relative_difference < 1e-12);
  for (std::size_t k = 0; k < 2; ++k)
    BOOST_TEST((H.after[k] - H_once.after[k]).norm() < 1e-14 * H_once.after[k].norm());
}

BOOST_AUTO_TEST_CASE(hidden_constraints_have_multipliers_of_their_own_unit) {
  // q_0' - q_1' + 3 q_0 = b and q_1 = q_0, hence 3 q_0 = b: the force of the first row is along (3, 0).
  ConstrainedModel model{
      two_masses(), rows({{0, 0}, {1, -1}}), rows({{1, -1}, {3, 0}}), {}, {}, {}, {}, {}, {}};
  const FrequencyResponse H = frequency_response(
      model.reduced(), {0.1}, {0, 1}, {{OutputQuantity::displacement, 2}, {OutputQuantity::displacement, 3}});
  BOOST_TEST(H.max_relative_difference < 1e-12);
  // At rest: mu_1 (1, -1) + mu_0 (3, 0) = f, in some order.
  const MultiVector K = EigenEngine::to_dense(model.assembled().K());
  BOOST_TEST((K.topRightCorner(2, 2) - (MultiVector(2, 2) << 1, 3, -1, 0).finished()).norm() < 1e-14);
  for (Index load = 0; load < 2; ++load) {
    const Vector mu = H.after[0].col(load).real();
    BOOST_TEST((K.topRightCorner(2, 2) * mu - Vector::Unit(2, load)).norm() < 1e-12);
  }
}

BOOST_AUTO_TEST_CASE(rates_on_clamped_dofs_alone_leave_a_constraint_on_displacements) {
  // q_2' + q_0 - q_1 = 0, and DoF 2 is clamped.
  ConstrainedModel model{zero_system(3), rows({{0, 0, 1}}), rows({{1, -1, 0}}), {}, {}, {}, {}, {2}, {}};
  model.system.M.diagonal() << 1, 2, 1;
  model.system.K.diagonal() << 3, 9, 1;
  const auto reduced = model.reduced();
  BOOST_TEST(reduced.n_states() == 2);
  BOOST_TEST(frequency_response(reduced, {0.1}, {0, 1},
                                {{OutputQuantity::displacement, 0}, {OutputQuantity::displacement, 3}})
                 .max_relative_difference < 1e-12);
}

BOOST_AUTO_TEST_CASE(rates_of_multipliers_in_reactions_are_refused) {
  // The damping matrix takes part of the multiplier's rate to a clamped DoF.
  ConstrainedModel model{zero_system(3), {}, rows({{1, -1, 0}}), {}, {}, {}, {}, {2}, {}};
  model.system.M.diagonal() << 1, 2, 1;
  model.system.K.diagonal() << 3, 9, 1;
  SystemDescription<EigenEngine> description = model.description();
  MultiVector C = MultiVector::Zero(4, 4);
  C(2, 3) = 0.5;
  description.damping = matrix_of<EigenEngine>(C);
  const ReducedSystem<EigenEngine> reduced = reduce(AssembledSystem<EigenEngine>(description));
  BOOST_CHECK_EXCEPTION(
      OutputMap<EigenEngine>(reduced, {{OutputQuantity::reaction, 2}}), NotAvailable,
      [](const NotAvailable& error) {
        return std::string(error.what()).find("reaction of DoF 2 needs the rate of a multiplier") !=
               std::string::npos;
      });
}

BOOST_AUTO_TEST_CASE(multipliers_follow_loads_and_moving_supports) {
  // A chain of three masses with a joint without mass, whose last mass moves with a support by a rod, and two
  // of whose masses are tied twice. Outputs beside what lift() says.
  ConstrainedModel model{zero_system(5),
                         {},
                         rows({{1, 0, -1, 0, 0}, {-2, 0, 2, 0, 0}, {0, 0, 0, 1, -1}}),
                         numbers({0.1, -0.2, 0}),
                         {},
                         {},
                         {},
                         {4},
                         {}};
  model.system.M.diagonal() << 1, 0, 2, 3, 1;
  model.system.C.diagonal() << 0.1, 0.3, 0, 0.2, 0;
  model.system.K << 4, -1, 0, 0, 0, -1, 2, -1, 0, 0, 0, -1, 3, -1, 0, 0, 0, -1, 3, -2, 0, 0, 0, -2, 2;
  model.load = [](double t) -> Vector { return (Vector(5) << std::sin(t), 0.3, t, -1, 0.2).finished(); };
  model.prescribed = {[](double t) -> Vector { return Vector::Constant(1, t * t * t); },
                      [](double t) -> Vector { return Vector::Constant(1, 3 * t * t); },
                      [](double t) -> Vector { return Vector::Constant(1, 6 * t); },
                      [](double) -> Vector { return Vector::Constant(1, 6); }};
  const ReducedSystem<EigenEngine> reduced = model.reduced();
  std::vector<Output> outputs;
  for (const Index dof : {0, 1, 2, 3, 5, 6, 7})
    outputs.push_back({OutputQuantity::displacement, dof});
  const OutputMap<EigenEngine> map(reduced, outputs);
  State state = consistent_state(reduced, Vector::LinSpaced(8, -1, 1), Vector::LinSpaced(8, 2, 1));
  state.time = 0.7;
  const Vector z = map.evaluate(state);
  const AssembledMotion lifted = reduced.lift(state);
  for (std::size_t o = 0; o < outputs.size(); ++o)
    BOOST_TEST(z[static_cast<Index>(o)] - lifted.displacement[static_cast<Index>(outputs[o].dof)] == 0.,
               boost::test_tools::tolerance(1e-12));
  BOOST_TEST(std::abs(lifted.displacement[7]) > 0.1);
  // Both of the rods that are one carry the same force.
  BOOST_TEST(lifted.displacement[5] + 2 * lifted.displacement[6] == 0., boost::test_tools::tolerance(1e-12));
}

// A spring of 3 N/m beside a pair of springs of 1024 N/m that is singular but for 2^-33, and a part of index
// three.
BOOST_AUTO_TEST_CASE(an_ordinary_compliance_is_kept_beside_a_large_one) {
  DenseSystem system = zero_system(6);
  system.M(0, 0) = system.M(4, 4) = 1;
  system.C(0, 0) = system.C(4, 5) = system.C(5, 4) = 1;
  system.K.diagonal() << 12, 3, 1024, 1024 + std::ldexp(1, -23), 1, 1;
  system.K(0, 5) = -1;
  system.K(5, 0) = 1;
  system.K(2, 3) = system.K(3, 2) = 1024;
  BOOST_TEST(own_compliance(system, 1) == 1. / 3, boost::test_tools::tolerance(1e-12));
}

// A spring of 2^34 N/m beside a part of high index with rates of 2^17 1/s and an oscillator of 1 1/s: the
// response of rates to forces is large where that of the spring is small.
BOOST_AUTO_TEST_CASE(a_small_compliance_is_kept_beside_a_slow_oscillator) {
  DenseSystem system = zero_system(5);
  system.M.diagonal() << 1, 3, 0, 0, 0;
  system.C.block(1, 1, 2, 2) << 3, -1, 2, 0;
  system.K.block(1, 1, 3, 3) << 0, 1, 0, 0, -3, -4, 4, -4, 3;
  system.C *= std::ldexp(1, 17);
  system.K *= std::ldexp(1, 34);
  system.K(0, 0) = 1;
  system.K(4, 4) = std::ldexp(1, 34);
  BOOST_TEST(own_compliance(system, 4) == std::ldexp(1, -34), boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_SUITE_END()
