// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/text_table.h>
#include <halfdof/integrators/nonsmooth/explicit_methods.h>
#include <halfdof/integrators/nonsmooth/implicit_methods.h>
#include <halfdof/output/result_files.h>

#include <CLI/CLI.hpp>

#include "pictures.h"
#include <algorithm>
#include <cmath>
#include <exception>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

using namespace halfdof;

namespace {

/// Prints an error and its limit. @throws Error if the error exceeds the limit, because the example is also a
/// test
void check(const std::string& quantity, double error, double allowed) {
  std::cout << quantity << ": " << to_text(error, NumberStyle::scientific, 1) << ", allowed "
            << to_text(allowed, NumberStyle::scientific, 1) << '\n';
  if (!(error <= allowed)) throw Error(quantity + " is more than allowed.");
}

void compare_first_impacts(const Motion& motion, const Reference& reference) {
  const std::vector<ContactEvent> impacts = motion.impacts();
  if (impacts.size() < reference.first_impacts.size())
    throw Error("The run has fewer impacts than the reference.");
  TextTable table({"impact",
                   {"time [s]", NumberStyle::fixed, 12},
                   {"rate before [m/s]", NumberStyle::fixed, 6},
                   {"after [m/s]", NumberStyle::fixed, 6},
                   {"impulse [N s]", NumberStyle::fixed, 4},
                   {"error of the time [s]", NumberStyle::scientific, 1}});
  double time_error = 0, rate_error = 0;
  for (std::size_t i = 0; i < reference.first_impacts.size(); ++i) {
    const ContactEvent& impact = impacts[i];
    const double off = std::abs(impact.begin - reference.first_impacts[i]);
    time_error = std::max(time_error, off);
    rate_error = std::max(rate_error, std::abs(impact.w_before[0] - reference.first_rates[i]));
    table.add_row({static_cast<int>(i + 1), impact.begin, impact.w_before[0], impact.w_after[0],
                   impact.impulse[0], off});
  }
  std::cout << table;
  check("Times of the first impacts [s]", time_error, 1e-10);
  check("Rates before them [m/s]", rate_error, 1e-8);
}

void compare_flights(const Motion& motion, const Reference& reference) {
  // The wheel comes to rest on the road, and leaves it, at most a few times.
  for (const ContactEvent& event : motion.events)
    if (event.begin > 0 && event.before != event.after)
      std::cout << (event.after == ContactState::closed ? "the wheel stays on the road from "
                                                        : "it lifts off at ")
                << to_text(event.begin, NumberStyle::fixed, 9) << " s\n";
  const Flight flight = motion.longest_flight();
  std::cout << motion.impacts().size() << " impacts until 1 s (reference: " << reference.n_impacts
            << "); the longest flight, from " << to_text(flight.begin, NumberStyle::fixed, 6) << " s to "
            << to_text(flight.landing, NumberStyle::fixed, 9) << " s\n";
  check("Time of the landing after it [s]", std::abs(flight.landing - reference.landing), 1e-6);
}

/// Integrates the motion of one second, compares it with the reference, and returns it at the times of a
/// picture.
Motion drive_one_second(const VehicleOnRoad& vehicle, const Reference& reference) {
  const Motion compared =
      drive_by_events(vehicle, reference.shortest_flight, times_of(reference.samples, 1.));
  compare_first_impacts(compared, reference);
  compare_flights(compared, reference);
  check("Largest error of wheel, vehicle and B [m]", error_of(compared, vehicle.vehicle, reference.samples),
        1e-6);
  return drive_by_events(vehicle, reference.shortest_flight, evenly_spaced(1e-3, 0., 1.));
}

std::vector<Motion> motions_by_each_method(const VehicleOnRoad& vehicle, const std::vector<double>& times) {
  const double lambda = 1e-7, step = 1e-5, begin = times.front();
  MoreauJean moreau_jean(vehicle.inclusions, vehicle.outcome, step);
  YosidaPenalty yosida(vehicle.inclusions, vehicle.outcome, step, lambda);
  std::vector<Motion> motions = {drive_by_events(vehicle, 0., times),
                                 drive(moreau_jean, vehicle.start(begin), times),
                                 drive(yosida, vehicle.start_behind_road(lambda, begin), times)};
  motions[1].method += ", h = 10 µs";
  motions[2].method += ", λ = 1e-7 s²";
  return motions;
}

/// Prints a table of the errors and computing times of three methods for the same problem.
void print(double error_by_events, double seconds_by_events, const std::vector<Trial>& penalties,
           const std::vector<Trial>& steps) {
  TextTable table({"method",
                   "lambda [s^2]",
                   "step [s]",
                   {"largest error until 0.3 s [m]", NumberStyle::scientific, 1},
                   {"s", NumberStyle::fixed, 2}});
  const auto number = [](double value) { return to_text(value, NumberStyle::scientific, 1); };
  table.add_row({"event-driven", "", "", error_by_events, seconds_by_events});
  for (const Trial& trial : steps)
    table.add_row({"Moreau-Jean", "", number(trial.step), trial.error, trial.seconds});
  for (const Trial& trial : penalties)
    table.add_row({"Yosida", number(trial.parameter), number(trial.step), trial.error, trial.seconds});
  std::cout << table;
}

/// Checks the orders of convergence. The error of the penalty method decreases like the square root of lambda
/// if contacts are short, and the error of the Moreau-Jean method decreases like the step size.
void compare_methods(const VehicleOnRoad& vehicle, const Reference& reference,
                     const std::filesystem::path& picture) {
  const Motion by_events =
      drive_by_events(vehicle, reference.shortest_flight, times_of(reference.samples, 0.3));
  const std::vector<Trial> penalties = compare_penalties(vehicle, reference),
                           steps = compare_steps(vehicle, reference);
  print(error_of(by_events, vehicle.vehicle, reference.samples), by_events.seconds, penalties, steps);

  const std::vector<Trial> stiff = trials_below(2e-7, penalties);
  double factor = 0;
  for (const Trial& trial : stiff)
    factor = std::max(factor, trial.error / std::sqrt(trial.parameter));
  std::cout << "Moreau-Jean: error ~ h^" << to_text(order_of(steps), NumberStyle::fixed, 2)
            << "; Yosida from lambda = 1e-7 s^2 on: error ~ lambda^"
            << to_text(order_of(stiff), NumberStyle::fixed, 2) << '\n';
  check("Error of Yosida there, over sqrt(lambda) [m/s]", factor, 5);
  check("Distance of its exponent from 1/2", std::abs(order_of(stiff) - 0.5), 0.15);
  check("Error of the shortest step of Moreau-Jean [m]", steps.back().error, 2e-5);
  draw_errors(penalties, steps, picture);
}

/// Compares the motion of the penalized problem, which differs from the motion with impacts, with references
/// for the same lambda. For small lambda the runs end earlier, because their steps are short.
void compare_penalized_motions(const VehicleOnRoad& vehicle) {
  for (const PenaltyReference& reference : penalty_references()) {
    const double last = reference.lambda > 5e-8 ? 1. : 0.3;
    check("Yosida with lambda = " + to_text(reference.lambda) + " s^2, against a reference of the same [m]",
          penalty_error(vehicle, reference, last), 1e-8);
  }
}

void write_table(const Motion& motion, const Vehicle& vehicle, const std::filesystem::path& file) {
  CsvTable csv(file, {"t [s]", "road [m]", "wheel [m]", "vehicle [m]", "B [m]", "mean contact force [N]"});
  for (std::size_t i = 0; i < motion.time.size(); ++i) {
    const Vector& q = motion.displacement[i];
    csv.add_row({motion.time[i], road(motion.time[i]), q[0], q[1], q[vehicle.head()], motion.force[i]});
  }
}

void run(Index n_vertebrae, const std::filesystem::path& output) {
  const VehicleOnRoad first(first_table(n_vertebrae)), second(second_table(n_vertebrae));
  first.inclusions.reduced().print_summary(std::cout);
  std::cout << '\n' << first.outcome << '\n';
  print_reduced_contact_laws(first.vehicle);

  MotionPictures pictures;
  std::cout << "\nFirst table, by events:\n";
  pictures.first = drive_one_second(first, first_reference());
  std::cout << "\nSecond table, by events; rebounds shorter than 10 µs end:\n";
  pictures.second = drive_one_second(second, second_reference());

  std::cout << "\nFirst table, by each method:\n";
  compare_methods(first, first_reference(), output / "errors.png");
  compare_penalized_motions(first);

  pictures.gaps = motions_by_each_method(first, evenly_spaced(2e-5, 0.1995, 0.206));
  pictures.forces = motions_by_each_method(first, evenly_spaced(1e-3, 0.1895, 0.2405));
  draw_motions(pictures, first.vehicle, output / "vehicle.png");
  write_table(pictures.first, first.vehicle, output / "vehicle.csv");
  std::cout << "\nWritten: " << (output / "vehicle.csv").string() << ", " << (output / "vehicle.png").string()
            << ", " << (output / "errors.png").string() << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("The vehicle of Dumont et al. over a bump: lift-off, impacts, landings.");
  Index n_vertebrae = 3;
  std::filesystem::path output = ".";
  app.add_option("--vertebrae", n_vertebrae, "Springs and dampers in the driver's spine")
      ->check(CLI::Range(1, 200))
      ->capture_default_str();
  app.add_option("--output", output, "Folder for table and pictures")->check(CLI::ExistingDirectory);
  try {
    app.parse(argc, argv);
    run(n_vertebrae, output);
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
