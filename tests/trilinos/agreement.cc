// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/free_system.h>
#include <halfdof/base/errors.h>
#include <halfdof/integrators/smooth/implicit_methods.h>

#include <boost/test/unit_test.hpp>

#include "random_systems.h"
#include <cmath>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

using namespace halfdof;
using namespace halfdof::internal;

namespace {

constexpr Index n = 6;

/// A chain of masses and springs from a support, DoF 0, to a free end.
struct Chain {
  MultiVector M = MultiVector::Identity(n, n), K = MultiVector::Zero(n, n);

  Chain() {
    for (Index i = 0; i + 1 < n; ++i) {
      K(i, i) += 2;
      K(i + 1, i + 1) += 2;
      K(i, i + 1) = K(i + 1, i) = -2;
    }
  }
};

/// The chain on all processes; DoF 0 is constrained on the one that owns it.
SystemDescription<TrilinosEngine> shared_chain(const Partition& dofs) {
  const Chain chain;
  SystemDescription<TrilinosEngine> description;
  description.mass = test::with_stored_zeros(chain.M, dofs);
  description.stiffness = test::with_stored_zeros(chain.K, dofs);
  if (const Index support = dofs.local_index(0); support >= 0) description.constrained = {support};
  return description;
}

PrescribedMotion shaken() {
  const auto function = [](double (*of)(double)) {
    return [of](double time) -> Vector { return Vector::Constant(1, of(time)); };
  };
  return {function(+[](double t) { return std::sin(t); }), function(+[](double t) { return std::cos(t); }),
          function(+[](double t) { return -std::sin(t); })};
}

/// What all processes see of an error, "" where nothing is thrown.
template <class Expected, class F>
std::string thrown_by_all(const F& call) {
  std::string message;
  try {
    call();
  } catch (const Expected& error) {
    message = error.what();
  }
  return is_same_everywhere(*test::communicator(), message) ? message : "different messages";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

bool is_last() {
  const auto world = test::communicator();
  return world->rank() == world->size() - 1;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(agreement)

BOOST_AUTO_TEST_CASE(a_motion_may_be_prescribed_only_where_its_dofs_are) {
  for (const test::Layout layout : test::all_layouts) {
    const Partition dofs = test::partition(n, layout);
    SystemDescription<TrilinosEngine> description = shared_chain(dofs);
    if (!description.constrained.empty()) description.prescribed = shaken();
    const FreeSystem<TrilinosEngine> system{AssembledSystem<TrilinosEngine>(description)};
    // DoF 1 is pulled by the spring to the support, all others by nothing.
    Vector found = Vector::Zero(dofs.n_local());
    system.assembled().free().add_to(system.load(0.5), found);
    Vector expected = Vector::Zero(n);
    expected[1] = 2 * std::sin(0.5);
    BOOST_TEST(test::error_of(found, expected, dofs) < 1e-15);
  }
}

BOOST_AUTO_TEST_CASE(a_load_may_be_given_only_where_it_is_not_zero) {
  for (const test::Layout layout : test::all_layouts) {
    const Partition dofs = test::partition(n, layout);
    SystemDescription<TrilinosEngine> description = shared_chain(dofs);
    const Index end = dofs.local_index(n - 1);
    if (end >= 0) {
      description.load = [&](double t) -> Vector { return t * Vector::Unit(dofs.n_local(), end); };
      description.load_rate = [&](double) -> Vector { return Vector::Unit(dofs.n_local(), end); };
    }
    const AssembledSystem<TrilinosEngine> system(description);
    const MultiVector unit = Vector::Unit(n, n - 1);
    BOOST_TEST(test::error_of(MultiVector(system.load(3.)), 3 * unit, dofs) == 0.);
    BOOST_TEST(test::error_of(MultiVector(system.load_rate(3.)), unit, dofs) == 0.);
  }
}

BOOST_AUTO_TEST_CASE(a_rate_that_a_process_keeps_back_is_available_to_none) {
  const Partition dofs = test::partition(n, test::Layout::consecutive);
  SystemDescription<TrilinosEngine> description = shared_chain(dofs);
  description.load = [&](double) -> Vector { return Vector::Ones(dofs.n_local()); };
  if (!is_last()) description.load_rate = [&](double) -> Vector { return Vector::Zero(dofs.n_local()); };
  const AssembledSystem<TrilinosEngine> system(description);
  BOOST_TEST(!system.has_load_rate());
  BOOST_TEST(contains(thrown_by_all<NotAvailable>([&] { system.load_rate(0.); }), "was not given"));
}

BOOST_AUTO_TEST_CASE(what_a_function_throws_on_one_process_all_of_them_throw) {
  const Partition dofs = test::partition(n, test::Layout::consecutive);
  SystemDescription<TrilinosEngine> description = shared_chain(dofs);
  description.load = [&](double time) -> Vector {
    if (is_last() && time == 1.) throw std::runtime_error("no table");
    if (is_last() && time == 2.) throw NotAvailable("beyond the table");
    if (is_last() && time == 3.) throw std::bad_alloc();
    Vector load = Vector::Zero(dofs.n_local());
    if (is_last() && time == 4.) load[0] = std::nan("");
    return load;
  };
  description.prescribed = shaken();
  if (!description.constrained.empty())
    description.prescribed.value = [](double) -> Vector { throw std::out_of_range("no motion"); };
  else
    description.prescribed = {};
  const AssembledSystem<TrilinosEngine> system(description);
  BOOST_CHECK_NO_THROW(system.load(0.));
  BOOST_CHECK_THROW(system.load(1.), std::runtime_error);
  BOOST_TEST(contains(thrown_by_all<NotAvailable>([&] { system.load(2.); }), "beyond the table"));
  BOOST_CHECK_THROW(system.load(3.), std::bad_alloc);
  BOOST_TEST(contains(thrown_by_all<NotFinite>([&] { system.load(4.); }), "must be finite"));
  BOOST_CHECK_THROW(FreeSystem<TrilinosEngine>(system).load(0.), std::exception);
}

BOOST_AUTO_TEST_CASE(errors_arrive_with_their_data) {
  const auto world = test::communicator();
  const auto fails = [&](const auto& error) {
    return [&world, error] {
      call_together(*world, [&] {
        if (is_last()) throw error;
      });
    };
  };
  BOOST_CHECK_EXCEPTION(fails(BlowUp("x", 0.5, 7))(), BlowUp, [](const BlowUp& error) {
    return error.time() == 0.5 && error.dof() == 7 && std::string(error.what()) == "x";
  });
  BOOST_CHECK_EXCEPTION(fails(KindChange("x", 0.5, 7))(), KindChange,
                        [](const KindChange& error) { return error.time() == 0.5 && error.dof() == 7; });
  BOOST_CHECK_EXCEPTION(fails(NoConvergence("x", 0.25))(), NoConvergence,
                        [](const NoConvergence& error) { return error.residual() == 0.25; });
  BOOST_CHECK_THROW(fails(SingularMatrix("x"))(), SingularMatrix);
  BOOST_CHECK_EXCEPTION(fails(UndefinedFunction("case.toml:3", "why"))(), UndefinedFunction,
                        [](const UndefinedFunction& error) {
                          return error.place() == "case.toml:3" && error.reason() == "why" &&
                                 std::string(error.what()) == "case.toml:3: why";
                        });
  const SingularElimination singular("x", {{"K_KK", {3, 5}, "cause", "remedy", {"DoF 3", "DoF 5"}}});
  const auto is_whole = [](const SingularElimination& error) {
    const SingularPart& part = error.parts().front();
    return error.block() == "K_KK" && part.dofs.size() == 2 && part.dofs[1] == 5 && part.cause == "cause" &&
           part.remedy == "remedy" && part.names[1] == "DoF 5";
  };
  BOOST_CHECK_EXCEPTION(fails(singular)(), SingularElimination, is_whole);
}

BOOST_AUTO_TEST_CASE(matrices_and_state_forces_are_given_by_all_or_none) {
  if (test::communicator()->size() == 1) return;
  const Partition dofs = test::partition(n, test::Layout::consecutive);
  const auto refused = [&](const SystemDescription<TrilinosEngine>& description) {
    return thrown_by_all<InvalidInput>([&] { AssembledSystem<TrilinosEngine>{description}; });
  };
  SystemDescription<TrilinosEngine> without_mass = shared_chain(dofs), with_force = without_mass;
  if (is_last()) without_mass.mass = std::nullopt;
  BOOST_TEST(contains(refused(without_mass), "mass matrix"));
  if (is_last())
    with_force.state_force.force = [](double, const AssembledMotion& now) { return now.displacement; };
  BOOST_TEST(contains(refused(with_force), "state force"));
}

BOOST_AUTO_TEST_CASE(a_derivative_beside_another_is_no_motion) {
  const Partition dofs = test::partition(n, test::Layout::consecutive);
  if (dofs.communicator().size() == 1) return;
  SystemDescription<TrilinosEngine> description = shared_chain(dofs);
  if (is_last()) description.constrained.push_back(dofs.n_local() - 1);
  if (dofs.communicator().rank() == 0) description.prescribed.value = shaken().value;
  if (is_last()) description.prescribed.rate = shaken().rate;
  BOOST_TEST(contains(thrown_by_all<InvalidInput>([&] { AssembledSystem<TrilinosEngine>{description}; }),
                      "different parts of the prescribed motion"));
}

BOOST_AUTO_TEST_CASE(what_one_observer_throws_ends_the_run_on_all_processes) {
  const Partition dofs = test::partition(n, test::Layout::consecutive);
  const auto reduced = reduce(AssembledSystem<TrilinosEngine>(shared_chain(dofs)));
  State state{0., Vector::Zero(reduced.n_local_states())};
  int seen = 0;
  const auto run = [&] {
    Trapezoidal(reduced, 0.1).run(state, 1., [&](const auto& now) {
      ++seen;
      if (is_last() && now.time() > 0.25) throw NotAvailable("enough");
    });
  };
  BOOST_TEST(contains(thrown_by_all<NotAvailable>(run), "enough"));
  BOOST_TEST(seen == 4);
}

BOOST_AUTO_TEST_SUITE_END()
