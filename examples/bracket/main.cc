// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/dealii/directions.h>
#include <halfdof/dealii/reduced.h>
#include <halfdof/inclusions/inclusions.h>
#include <halfdof/inclusions/laws.h>
#include <halfdof/integrators/nonsmooth/implicit_methods.h>
#include <halfdof/plots/plot.h>
#include <halfdof/spectrum/compare_spectra.h>
#include <halfdof/spectrum/frequency_response.h>

#include <CLI/CLI.hpp>
#include <deal.II/base/mpi.h>

#include "model.h"
#include <algorithm>
#include <cmath>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace halfdof;

namespace {

/// The relaxation modulus of the bushing: E(t) = E_inf (1 + 0.8 exp(-t / 5 ms) + 0.4 exp(-t / 50 ms)).
const PronySeries prony{{0.8, 5e-3}, {0.4, 50e-3}};
constexpr double point_mass_on_rods = 0.6;      // [kg]
constexpr double slip_force = 0.5;              // [N] of the friction damper
constexpr double clearance = 2e-4;              // [m] between the patch and its stop
constexpr double amplitude = 4, frequency = 9;  // [N], [Hz] of the load on the point mass
constexpr double weight = 9.81 * point_mass_on_rods;
constexpr double agreement = 1e-6;  // largest relative difference of results between numbers of processes

using Matrix = Bracket::Matrix;
using Engine = TrilinosEngine;

dealii::Tensor<1, 3> upwards() {
  dealii::Tensor<1, 3> e;
  e[2] = 1;
  return e;
}

/// Names and values of results. Every process has all results.
using Results = std::vector<std::pair<std::string, double>>;

struct Options {
  unsigned int n_refinements = 1;
  double end_time = 0.4, time_step = 1e-3;  ///< [s]
  std::filesystem::path output = ".", reference;
};

/// The model of the application: matrices, attachments and directions.
struct Application {
  explicit Application(const Options& options)
      : bracket(options.n_refinements),
        directions(bracket.dof_handler, bracket.mapping, bracket.constraints, rows_of(bracket.stiffness)) {
    hang_mass();
  }

  /// Attaches the point mass by three rigid rods, so that its displacement follows from the displacements at
  /// the ends of the rods.
  void hang_mass() {
    MultiVector axes(3, 3);
    std::vector<Direction> ends;
    for (int i = 0; i < 3; ++i) {
      const auto rod = Bracket::mass_point - Bracket::rod_ends[i];
      const dealii::Tensor<1, 3> axis = rod / rod.norm();
      for (unsigned c = 0; c < 3; ++c)
        axes(i, static_cast<int>(c)) = axis[c];
      ends.push_back(directions.at_point(Bracket::rod_ends[i], axis));
    }
    of_mass = mass_on_rods(attachments, point_mass_on_rods, axes, ends);
  }

  /// Returns the nodal forces of a unit reaction along a direction, as a vector of the application.
  Bracket::Vector unit_load(const Direction& along) const {
    Bracket::Vector load = bracket.zero();
    for (const WeightedDoF& entry : along.entries())
      if (const auto dof = static_cast<dealii::types::global_dof_index>(entry.dof);
          bracket.dof_handler.locally_owned_dofs().is_element(dof))
        load(dof) = entry.weight;
    load.compress(dealii::VectorOperation::insert);
    return load;
  }

  AssembledFromDealII<Matrix> assembled() const {
    DealIIOptions<Matrix> details;
    details.component_names = {"x", "y", "z"};
    details.viscoelastic = {viscoelastic_branches(bracket.bushing_stiffness, prony)};
    details.attachments = attachments;
    details.massless_contact = directions.contact_dofs(Bracket::patch);
    const auto shake = [unit = unit_load(of_mass[2])](double time) {
      Bracket::Vector load = unit;
      load *= amplitude * std::sin(2 * dealii::numbers::PI * frequency * time);
      return load;
    };
    const Matrix no_damping;
    return assembled_from_dealii(bracket.mass, no_damping, bracket.stiffness, bracket.constraints,
                                 DealIILoad<Bracket::Vector>(shake), bracket.dof_handler, bracket.mapping,
                                 details);
  }

  Bracket bracket;
  DealIIDirections<3> directions;
  LumpedElements attachments;
  std::vector<Direction> of_mass;  ///< displacements of the point mass
};

using Reduced = ReducedFromDealII<Matrix>;

/// Compares the vibrations of lowest frequency before and after the elimination. Real eigenvalues, which
/// belong to relaxations of the bushing, are omitted.
void compare_vibrations(const Reduced& reduced, Results& results, std::ostream& out) {
  ComparisonOptions options;
  options.listed = Listed::oscillating;
  options.order = PairOrder::frequency;
  options.shift = Complex(0, 2 * dealii::numbers::PI * frequency);
  const SpectrumComparison spectra = compare_spectra(reduced, 3, options);
  spectra.print(out);
  if (!spectra.passed) throw Error("The spectra before and after the elimination do not agree.");
  int number = 0;
  for (const MatchedEigenvalues& pair : spectra.matching.pairs) {
    if (pair.after.imag() <= 0) continue;
    const std::string name = "vibration " + std::to_string(++number);
    results.emplace_back(name + ", frequency [Hz]", pair.after.imag() / (2 * dealii::numbers::PI));
    results.emplace_back(name + ", decay [1/s]", -pair.after.real());
  }
}

/// Computes the equilibrium under the weight of the mass, and the responses to harmonic forces on the mass.
/// The stop is not part of these linear computations.
void respond(const Application& application, const Reduced& reduced, Results& results) {
  const Direction& down = application.of_mass[2];
  Bracket::Vector load = application.unit_load(down), displacement = application.bracket.zero();
  load *= -weight;
  const State rest = equilibrium(reduced, load);
  reduced.lift(rest, displacement);
  results.emplace_back("rest under the weight [mm]", 1e3 * (application.unit_load(down) * displacement));

  const std::vector<double> frequencies = {2, 6, 9, 14, 30};
  const FrequencyResponse response = frequency_response(
      reduced, frequencies, unit_forces(reduced.assembled(), {down}),
      {{OutputQuantity::displacement, down},
       {OutputQuantity::acceleration, application.directions.at_point(Bracket::damper, upwards())}});
  if (!(response.max_relative_difference <= agreement))
    throw Error("The responses before and after the elimination do not agree.");
  for (std::size_t k = 0; k < frequencies.size(); ++k) {
    const std::string at = " at " + std::to_string(static_cast<int>(frequencies[k])) + " Hz";
    results.emplace_back("compliance of the mass" + at + " [mm/N]", 1e3 * std::abs(response.after[k](0, 0)));
    results.emplace_back("acceleration of the damper" + at + " [1/kg]", std::abs(response.after[k](1, 0)));
  }
}

/// Returns the inclusions: a stop at each vertex of the patch, and the friction damper.
Inclusions<Engine> inclusions_of(const Application& application, const Reduced& reduced) {
  std::vector<Inclusion> inclusions;
  const auto stop = std::make_shared<const UnilateralContact>(-clearance);
  for (const BoundaryPoint<3>& point : application.directions.on_boundary(Bracket::patch))
    inclusions.push_back(inclusion("stop " + std::to_string(inclusions.size()), stop, point.inward));
  inclusions.push_back(inclusion("damper", std::make_shared<const DryFriction>(-slip_force, slip_force),
                                 Direction({{application.directions.dof_at(Bracket::damper, 2), 1.}})));
  return Inclusions<Engine>(reduced, std::move(inclusions));
}

/// The motion of the mass and the force of the stop over time.
struct Record {
  std::vector<double> time, mass, contact;
};

/// Integrates the motion from rest under the harmonic load on the mass, with impacts of the arm on the stop.
Record shake(const Application& application, const Reduced& reduced, const Options& options, Results& results,
             std::ostream& out) {
  const Inclusions<Engine> inclusions = inclusions_of(application, reduced);
  const InclusionOutcome outcome = classify_inclusions(inclusions);
  out << outcome.n_states << " states, " << inclusions.n_directions() << " directions of reactions\n";
  const Bracket::Vector zero = application.bracket.zero(),
                        of_mass = application.unit_load(application.of_mass[2]);
  NonsmoothState state = nonsmooth_start(reduced, inclusions, outcome, zero, zero);
  Record record;
  Bracket::Vector displacement = zero;
  double impulse = 0;
  NonsmoothEuler(inclusions, outcome, options.time_step).run(state, options.end_time, [&](const auto& now) {
    reduced.assembled_from_dealii().lift_into(displacement, now.lift().displacement);
    double contact = 0;
    const std::vector<Vector> reactions = now.reactions();
    for (std::size_t i = 0; i + 1 < reactions.size(); ++i)
      contact += reactions[i][0];
    record.time.push_back(now.time());
    record.mass.push_back(1e3 * (of_mass * displacement));
    record.contact.push_back(contact);
    impulse += contact * options.time_step;
  });
  results.emplace_back("mass at the end [mm]", record.mass.back());
  results.emplace_back("highest place of the mass [mm]",
                       *std::max_element(record.mass.begin(), record.mass.end()));
  results.emplace_back("lowest place of the mass [mm]",
                       *std::min_element(record.mass.begin(), record.mass.end()));
  results.emplace_back("largest force of the stop [N]",
                       *std::max_element(record.contact.begin(), record.contact.end()));
  results.emplace_back("impulse of the stop [N s]", impulse);
  return record;
}

Eigen::Map<const Vector> vector_of(const std::vector<double>& values) {
  return {values.data(), static_cast<Index>(values.size())};
}

void draw(const Record& record, const std::filesystem::path& file) {
  Plot plot;
  plot.title = "A bracket on a rubber bushing, shaken onto a stop";
  plot.width = 800;
  plot.panels.push_back(CurvePanel{"Point mass on rigid rods",
                                   {"time [s]"},
                                   {"z [mm]"},
                                   {{"", vector_of(record.time), vector_of(record.mass)}}});
  plot.panels.push_back(CurvePanel{
      "Stop", {"time [s]"}, {"force [N]"}, {{"", vector_of(record.time), vector_of(record.contact)}}});
  write_png(plot, file);
}

void write(const Results& results, const std::filesystem::path& file) {
  std::ofstream out(file);
  out.precision(12);
  for (const auto& [name, value] : results)
    out << value << ' ' << name << '\n';
}

/// Compares the results with a file that a run with another number of processes has written. @throws Error if
/// a result differs
void compare(const Results& results, const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) throw InvalidInput("The reference " + file.string() + " cannot be opened.");
  for (const auto& [name, value] : results) {
    double expected = 0;
    std::string its_name;
    in >> expected;
    std::getline(in >> std::ws, its_name);
    if (its_name != name || !(std::abs(value - expected) <= agreement * std::abs(expected))) {
      std::ostringstream message;
      message.precision(12);
      message << "The result \"" << name << "\" is " << value << ", but the reference has " << expected
              << " for \"" << its_name << "\".";
      throw Error(message.str());
    }
  }
}

void run(const Options& options) {
  const bool is_first = dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) == 0;
  std::ostringstream silent;
  std::ostream& out = is_first ? std::cout : silent;
  const Application application(options);
  const Reduced reduced = reduce(application.assembled());
  reduced.print_summary(out);
  Results results;
  compare_vibrations(reduced, results, out);
  respond(application, reduced, results);
  const Record record = shake(application, reduced, options, results, out);
  out.precision(8);
  for (const auto& [name, value] : results)
    out << name << ": " << value << '\n';
  if (is_first) {
    write(results, options.output / "bracket.txt");
    draw(record, options.output / "bracket.png");
  }
  if (!options.reference.empty()) compare(results, options.reference);
}

}  // namespace

int main(int argc, char** argv) {
  const dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
  CLI::App app("A bracket on a rubber bushing, with a mass on rods, a friction damper and a stop.");
  Options options;
  app.add_option("--refine", options.n_refinements, "Number of refinements of the cells at the inner edge");
  app.add_option("--end", options.end_time, "End time [s]");
  app.add_option("--output", options.output, "Folder for results")->check(CLI::ExistingDirectory);
  app.add_option("--reference", options.reference,
                 "File bracket.txt of another run, with which results are compared");
  try {
    app.parse(argc, argv);
    run(options);
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
