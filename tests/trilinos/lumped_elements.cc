// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/builders/model_builders.h>
#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/eigen/engine.h>
#include <halfdof/reduction/reduced_system.h>

#include <boost/test/unit_test.hpp>

#include "eigen_systems.h"
#include "random_systems.h"
#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace halfdof;

namespace {

/// Springs, dampers and masses between the DoFs of a model and some new ones.
LumpedElements random_elements(Index n, unsigned seed) {
  std::mt19937 random(seed);
  LumpedElements elements;
  const int n_new = 1 + static_cast<int>(random() % 4);
  const char* const names[] = {"joint", "charge"};
  for (int i = 0; i < n_new; ++i)
    elements.new_dofs.emplace_back(names[random() % 2]);
  const auto any = [&] { return static_cast<GlobalIndex>(random() % static_cast<unsigned>(n + n_new)); };
  for (int i = 0; i < n_new; ++i) {
    const GlobalIndex node = n + i;
    add_between(elements.stiffness, node, ground, 1. + i);
    add_between(elements.stiffness, node, any(), 2.);
    add_between(elements.damping, node, any(), 3.);
  }
  add_between(elements.mass, any(), ground, 0.5);
  return elements;
}

/// Numbers that every process makes alike.
struct Model {
  Index n;
  MultiVector M, C, K;
};

Model random_model(unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto n = static_cast<Index>(2 + random() % 7);
  const auto matrix = [&] {
    return MultiVector(MultiVector::NullaryExpr(n, n, [&] { return random() % 2 ? uniform(random) : 0.; }));
  };
  return {n, matrix(), matrix(), MultiVector(matrix() + 10 * MultiVector::Identity(n, n))};
}

/// @param dofs Of one process or several @param has_labels Whether the model has components already
template <class Engine, class MatrixOf>
SystemDescription<Engine> described(const Model& model, const Partition& dofs, bool has_labels,
                                    const MatrixOf& matrix_of) {
  SystemDescription<Engine> description;
  description.mass = matrix_of(model.M);
  description.damping = matrix_of(model.C);
  description.stiffness = matrix_of(model.K);
  if (!has_labels) return description;
  description.labels.component_names = {"x", "phi"};
  for (Index i = 0; i < dofs.n_local(); ++i)
    description.labels.component.push_back(static_cast<Index>(dofs.global_index(i) % 2));
  return description;
}

/// "DoF 3 (joint)" of all DoFs, by ascending number, on every process.
template <class Engine>
std::string names_of(const AssembledSystem<Engine>& system) {
  std::string here;
  for (Index i = 0; i < system.dofs().n_local(); ++i) {
    std::string number = std::to_string(system.dofs().global_index(i));
    here += std::string(4 - number.size(), '0') + number + system.labels().component_name(i) + '\n';
  }
  std::vector<std::string> lines;
  for (const std::string& there : system.dofs().communicator().gather(here))
    for (std::size_t begin = 0, end; (end = there.find('\n', begin)) != std::string::npos; begin = end + 1)
      lines.push_back(there.substr(begin, end - begin));
  std::sort(lines.begin(), lines.end());
  std::string all;
  for (const std::string& line : lines)
    all += line + '\n';
  return all;
}

void check_model(unsigned seed, test::Layout layout, bool has_labels) {
  const Model model = random_model(seed);
  const LumpedElements elements = random_elements(model.n, seed + 1000);
  const Partition dofs = test::partition(model.n, layout);
  const AssembledSystem<EigenEngine> alone(with_lumped_elements(
      described<EigenEngine>(model, Partition(model.n), has_labels,
                             [](const MultiVector& A) { return test::matrix_of<EigenEngine>(A); }),
      elements));
  const AssembledSystem<TrilinosEngine> shared(with_lumped_elements(
      described<TrilinosEngine>(model, dofs, has_labels,
                                [&](const MultiVector& A) { return test::with_stored_zeros(A, dofs); }),
      elements));
  BOOST_TEST(shared.labels().component_names == alone.labels().component_names,
             boost::test_tools::per_element());
  BOOST_TEST(names_of(shared) == names_of(alone));
  const auto difference = [](const TrilinosMatrix& A, const EigenMatrix& B) {
    return (TrilinosEngine::to_dense(A) - EigenEngine::to_dense(B)).norm();
  };
  BOOST_TEST(difference(shared.M(), alone.M()) == 0.);
  BOOST_TEST(difference(shared.C(), alone.C()) == 0.);
  BOOST_TEST(difference(shared.K(), alone.K()) == 0.);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(distributed_lumped_elements)

BOOST_AUTO_TEST_CASE(new_dofs_are_those_of_one_process_whatever_is_spread_how) {
  for (const test::Layout layout : test::all_layouts)
    for (unsigned seed = 1; seed <= 6; ++seed)
      for (const bool has_labels : {true, false})
        check_model(seed, layout, has_labels);
}

BOOST_AUTO_TEST_CASE(a_joint_without_mass_is_eliminated_as_on_one_process) {
  // Two masses on springs; a spring and a damper in series between them, with a joint that has no mass.
  for (const test::Layout layout : test::all_layouts) {
    const Partition dofs = test::partition(2, layout);
    Model model{2, MultiVector::Identity(2, 2), MultiVector::Zero(2, 2), 4 * MultiVector::Identity(2, 2)};
    LumpedElements elements;
    elements.new_dofs = {"joint"};
    add_between(elements.stiffness, 0, 2, 3.);
    add_between(elements.damping, 2, 1, 0.5);
    const auto reduced = reduce(AssembledSystem<TrilinosEngine>(with_lumped_elements(
        described<TrilinosEngine>(model, dofs, true,
                                  [&](const MultiVector& A) { return test::with_stored_zeros(A, dofs); }),
        elements)));
    BOOST_TEST(reduced.classification().n_viscous() == 1);
    // q = (1, 0), joint 0, at rest: the spring pulls the joint at 3 / 0.5, and mass 0 back with 3 + 4.
    const Partition& all = reduced.assembled().dofs();
    const State state{0.,
                      reduced.restrict(test::local(Vector::Unit(3, 0), all), Vector::Zero(all.n_local()))};
    const AssembledMotion lifted = reduced.lift(state);
    Vector rate(3), acceleration(3);
    rate << 0, 0, 6;
    acceleration << -7, 3, 0;
    BOOST_TEST(test::error_of(MultiVector(lifted.rate), MultiVector(rate), all) < 1e-15);
    BOOST_TEST(test::error_of(MultiVector(lifted.acceleration), MultiVector(acceleration), all) < 1e-15);
  }
}

BOOST_AUTO_TEST_CASE(elements_that_processes_give_differently_are_refused) {
  const Partition dofs = test::partition(4, test::Layout::consecutive);
  const Communicator& world = dofs.communicator();
  if (world.size() == 1) return;
  const Model model{4, MultiVector::Identity(4, 4), MultiVector::Zero(4, 4), MultiVector::Identity(4, 4)};
  LumpedElements elements;
  if (world.rank() == 0) {
    elements.new_dofs = {"joint"};
    add_between(elements.stiffness, 0, 4, 3.);
  }
  BOOST_CHECK_EXCEPTION(
      with_lumped_elements(
          described<TrilinosEngine>(model, dofs, true,
                                    [&](const MultiVector& A) { return test::with_stored_zeros(A, dofs); }),
          elements),
      InvalidInput, [](const InvalidInput& error) {
        return std::string(error.what()).find("1 and 4 on process 0, 0 and 0 on process 1") !=
               std::string::npos;
      });
}

BOOST_AUTO_TEST_SUITE_END()
