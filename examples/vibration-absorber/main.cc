// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/text_table.h>
#include <halfdof/integrators/event_driven/event_driven.h>
#include <halfdof/integrators/nonsmooth/implicit_methods.h>
#include <halfdof/integrators/verification/verification.h>
#include <halfdof/reduction/state_space.h>

#include <CLI/CLI.hpp>

#include "absorber.h"
#include "exact.h"
#include "integrators.h"
#include "motion.h"
#include "stick_intervals.h"
#include <algorithm>
#include <cmath>
#include <exception>
#include <filesystem>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

using namespace halfdof;

namespace {

/// Prints an error and its limit. @throws Error if the error exceeds the limit, because the example is also a
/// test
void check(const std::string& quantity, double error, double allowed) {
  std::cout << quantity << ": " << to_text(error, NumberStyle::scientific, 1) << ", allowed " << allowed
            << '\n';
  if (!(error <= allowed)) throw Error(quantity + ": more than allowed.");
}

/// Compares the matrix A of y' = A y, y = (q_3, q_2, q_3'), that the library computes with the matrix of a
/// manual elimination.
void check_state_matrix(const Absorber& absorber, const RubbingModel& model) {
  MultiVector A(3, 3);
  A << 0, 0, 1,               //
      0, 0, absorber.S()[1],  //
      -absorber.k() / absorber.m, 0, -absorber.c() / absorber.m;
  const MultiVector found = dense_state_matrix(model.inclusions.reduced());
  check("State matrix, relative error", (found - A).norm() / A.norm(), 1e-14);
}

/// Checks the reduced law of the friction and the statement on existence and uniqueness.
void check_outcome(const Absorber& absorber, const RubbingModel& model) {
  const DirectionOutcome& guide = model.outcome.directions.front();
  check("Response to a unit of friction, 1/m, relative error", std::abs(guide.W * absorber.m - 1), 1e-14);
  if (guide.reduced_law() != ReducedLaw::filippov_inclusion ||
      model.outcome.statement.result != WellPosedness::unique)
    throw Error("Friction on the machine should be a Filippov inclusion with one solution.");
}

void compare_stick_intervals(const std::vector<StickInterval>& found,
                             const std::vector<StickInterval>& reference) {
  if (found.size() != reference.size())
    throw Error("The number of stick intervals differs from the reference.");
  TextTable table({{"sticks from [s]", NumberStyle::fixed, 9},
                   {"to [s]", NumberStyle::fixed, 9},
                   {"reference: from [s]", NumberStyle::fixed, 9},
                   {"to [s]", NumberStyle::fixed, 9}});
  double largest = 0;
  for (std::size_t n = 0; n < found.size(); ++n) {
    table.add_row({found[n][0], found[n][1], reference[n][0], reference[n][1]});
    for (const std::size_t side : {0U, 1U})
      largest = std::max(largest, std::abs(found[n][side] - reference[n][side]));
  }
  std::cout << table;
  check("Stick intervals, largest difference [s]", largest, 1e-6);
}

void compare_with_closed_form(const Absorber& absorber, const Motion& motion) {
  const ExactMotion exact(absorber);
  double in_q = 0, in_v = 0;
  for (Index i = 0; i < motion.t.size(); ++i) {
    const auto [q, v] = exact.at(motion.t[i]);
    in_q = std::max(in_q, std::abs(motion.q(i, 2) - q));
    in_v = std::max(in_v, std::abs(motion.v[i] - v));
  }
  check("Displacement against the closed form, relative", in_q / motion.q.col(2).cwiseAbs().maxCoeff(), 1e-9);
  check("Velocity against the closed form, relative", in_v / motion.v.cwiseAbs().maxCoeff(), 1e-9);
}

/// Compares the elimination by null columns with q = S q_3 of the paper. Both give the same q_1 and q_3; q_2
/// differs by a constant, which the formula of the paper omits.
void compare_eliminations(const Absorber& absorber, const Motion& motion) {
  const Motion by_hand =
      motion_of(absorber, eliminated_by_hand(absorber), static_cast<int>(motion.t.size()) - 1);
  MultiVector q = by_hand.q.col(0) * absorber.S().transpose();
  const double constant = motion.q(0, 1) - q(0, 1);
  q.col(1).array() += constant;
  std::cout << "q_2(0) - S_2 q_3(0), which q = S q_3 drops: " << constant << " m\n";
  check("Both eliminations, the rest of all displacements, relative",
        (motion.q - q).cwiseAbs().maxCoeff() / motion.q.cwiseAbs().maxCoeff(), 1e-9);
}

template <class Method>
VerificationReport verified(const RubbingModel& model, Method method, double end) {
  Verification every_step(method);
  NonsmoothState state = model.start;
  method.run(state, end, std::ref(every_step));
  return every_step.report();
}

/// Verifies trajectories with the assembled matrices and the law of friction: the balances, whose integrals
/// are approximated with the steps, and the law.
void verify_trajectories(const Absorber& absorber, const RubbingModel& model) {
  const double step = absorber.end / 5000;
  EventDrivenOptions options;
  options.largest_step =
      step;  // with the longer steps that the integrator chooses, the integrals would be inaccurate
  const auto by_events = verified(model, EventDriven(model.inclusions, model.outcome, options), absorber.end);
  const auto by_steps = verified(model, MoreauJean(model.inclusions, model.outcome, step), absorber.end);

  TextTable table({"largest violation",
                   {"event-driven", NumberStyle::scientific, 1},
                   {"Moreau-Jean", NumberStyle::scientific, 1}});
  for (const Check kind :
       {Check::balance, Check::energy, Check::reaction, Check::kinematics, Check::law, Check::variational}) {
    table.add_row({name_of(kind), by_events[kind].value, by_steps[kind].value});
    const bool is_integral = kind == Check::balance || kind == Check::energy;
    if (!(by_events[kind].value <= (is_integral ? 1e-4 : 1e-11) && by_steps[kind].value <= 1e-10))
      throw Error(std::string("A trajectory fails the check of ") + name_of(kind) + ".");
  }
  std::cout << table;
}

/// Makes all checks for one machine, and returns its motion.
Motion run(const Absorber& absorber, const std::vector<StickInterval>& reference) {
  const RubbingModel model = eliminated_by_null_columns(absorber);
  check_state_matrix(absorber, model);
  check_outcome(absorber, model);
  compare_stick_intervals(stick_intervals(absorber, model), reference);
  const Motion motion = motion_of(absorber, model, 1000);
  compare_with_closed_form(absorber, motion);
  compare_eliminations(absorber, motion);
  verify_trajectories(absorber, model);
  return motion;
}

void run_all(const std::filesystem::path& output) {
  const std::vector<Absorber> absorbers = absorbers_of_the_paper();
  const RubbingModel model = eliminated_by_null_columns(absorbers[0]);
  model.inclusions.reduced().print_summary(std::cout);
  std::cout << '\n' << model.outcome;

  std::vector<Motion> motions;
  std::string written;
  for (std::size_t n = 0; n < absorbers.size(); ++n) {
    std::cout << "\nThe machine of " << absorbers[n].name << ":\n";
    motions.push_back(run(absorbers[n], reference_stick_intervals()[n]));
    const std::filesystem::path table = output / (absorbers[n].file + ".csv");
    write_table(motions[n], table);
    written += table.string() + ", ";
  }
  const std::filesystem::path picture = output / "vibration-absorber.png";
  draw(absorbers, motions, picture);
  std::cout << "\nWritten: " << written << picture.string() << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "The vibration absorber of Dumont et al.: a machine that rubs, above two joints without mass.");
  std::filesystem::path output = ".";
  app.add_option("--output", output, "Folder for tables and pictures")->check(CLI::ExistingDirectory);
  const CLI::Option* table =
      app.add_flag("--table", "Compare all integrators instead: a table here, a picture in the folder");
  try {
    app.parse(argc, argv);
    if (*table)
      compare_integrators(output / "integrators.png");
    else
      run_all(output);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const InvalidInput& error) {
    std::cerr << error.what() << '\n';
    return 2;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
