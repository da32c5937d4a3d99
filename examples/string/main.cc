// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/text_table.h>
#include <halfdof/dealii/reduced.h>
#include <halfdof/integrators/smooth/implicit_methods.h>
#include <halfdof/output/result_files.h>
#include <halfdof/plots/plot.h>
#include <halfdof/spectrum/compare_spectra.h>

#include <CLI/CLI.hpp>

#include "assembled_string.h"
#include <algorithm>
#include <exception>
#include <filesystem>
#include <iostream>
#include <map>
#include <string>
#include <vector>

using namespace halfdof;

namespace {

using Matrix = dealii::SparseMatrix<double>;

/// Returns the attachment in the middle of the string: one DoF, one spring and one damper.
DealIIOptions<Matrix> attachment(const StringModel& model, GlobalIndex middle, GlobalIndex joint) {
  DealIIOptions<Matrix> options;
  options.component_names = {"u"};
  options.attachments.new_dofs = {"joint"};
  add_between(options.attachments.stiffness, middle, joint, model.spring);
  add_between(options.attachments.damping, joint, ground, model.damper);
  return options;
}

/// Compares the lowest eigenvalues before and after the elimination, and compares the eigenvalues after the
/// elimination with those of the continuous string. The latter differ by the discretization error of the
/// finite elements, (wave number times element size)^4.
void compare_eigenvalues(const ReducedFromDealII<Matrix>& reduced, const StringModel& model) {
  const int n_pairs = 3;
  const SpectrumComparison spectra = compare_spectra(reduced, 4 * n_pairs + 1);
  spectra.print(std::cout);
  if (!spectra.passed) throw Error("The elimination changed the spectrum of the string.");

  std::vector<Complex> upper_half;
  for (const Complex& lambda : spectra.after.finite)
    if (lambda.imag() >= 0) upper_half.push_back(lambda);
  MatchingOptions options;
  options.tolerance = 1e-4;
  const auto matching = match_eigenvalues(exact_eigenvalues(model, n_pairs), upper_half, {}, options);

  TextTable table({{"continuous: Re [1/s]", NumberStyle::fixed, 4},
                   {"Im [1/s]", NumberStyle::fixed, 3},
                   {"reduced: Re [1/s]", NumberStyle::fixed, 4},
                   {"Im [1/s]", NumberStyle::fixed, 3},
                   {"relative difference", NumberStyle::scientific, 1}});
  for (const MatchedEigenvalues& pair : matching.pairs)
    table.add_row({pair.before.real(), pair.before.imag(), pair.after.real(), pair.after.imag(),
                   pair.relative_difference()});
  std::cout << "\nThe continuous string and the reduced finite elements:\n"
            << table << "Allowed: " << options.tolerance << '\n';
  if (!matching.passed)
    throw Error("The eigenvalues of the finite elements differ from those of the continuous string.");
}

/// The displacements of all DoFs [mm] over time [s].
struct Motion {
  std::vector<double> time;
  std::vector<Vector> displacement;

  Vector milliseconds() const {
    return 1e3 * Eigen::Map<const Vector>(time.data(), static_cast<Index>(time.size()));
  }
  Vector of(GlobalIndex dof) const {
    Vector entries(time.size());
    for (std::size_t i = 0; i < time.size(); ++i)
      entries[static_cast<Index>(i)] = displacement[i][static_cast<Index>(dof)];
    return entries;
  }
};

/// Computes the motion after the string was displaced by 5 mm at a quarter of its length and released.
Motion pluck(const ReducedFromDealII<Matrix>& reduced, const AssembledString& string, double length) {
  dealii::Vector<double> displacement(string.mass.m()), velocity(string.mass.m());
  for (const auto& [dof, point] : string.support_points())
    displacement[dof] = 5 * std::min(4 * point[0] / length, 4. / 3 * (1 - point[0] / length));

  ConsistentState state = consistent_state(reduced, displacement, velocity);
  std::cout << '\n' << state.report;
  Motion motion;
  GeneralizedAlpha(reduced, 1e-4).run(state, 0.1, [&](const auto& now) {
    motion.time.push_back(now.time());
    motion.displacement.push_back(now.lift().displacement);
  });
  return motion;
}

/// Returns the displacement over x at one of the recorded times.
Curve shape(const AssembledString& string, const Motion& motion, std::size_t instant) {
  std::map<double, double> by_place;
  for (const auto& [dof, point] : string.support_points())
    by_place[point[0]] = motion.displacement[instant][static_cast<Index>(dof)];
  const auto n = static_cast<Index>(by_place.size());
  Curve curve{to_text(1e3 * motion.time[instant]) + " ms", Vector(n), Vector(n)};
  Index i = 0;
  for (const auto& [x, u] : by_place) {
    curve.x[i] = x;
    curve.y[i++] = u;
  }
  return curve;
}

/// The DoFs whose displacements are recorded.
struct Places {
  GlobalIndex quarter, middle, joint;
};

void write_table(const Motion& motion, const Places& places, const std::filesystem::path& file) {
  CsvTable csv(file, {"t [s]", "quarter [mm]", "middle [mm]", "joint [mm]"});
  for (std::size_t i = 0; i < motion.time.size(); ++i) {
    const auto at = [&](GlobalIndex dof) { return motion.displacement[i][static_cast<Index>(dof)]; };
    csv.add_row({motion.time[i], at(places.quarter), at(places.middle), at(places.joint)});
  }
}

void draw(const AssembledString& string, const Motion& motion, const Places& places,
          const std::filesystem::path& file) {
  const Axis displacement{"displacement [mm]"};
  CurvePanel shapes{"Shape at some instants", {"x [m]"}, displacement};
  for (const std::size_t instant : {0U, 10U, 20U, 950U})
    shapes.curves.push_back(shape(string, motion, instant));

  const Vector t = motion.milliseconds();
  const CurvePanel ring_down{"Ring-down",
                             {"time [ms]"},
                             displacement,
                             {{"quarter", t, motion.of(places.quarter)},
                              {"middle", t, motion.of(places.middle)},
                              {"joint", t, motion.of(places.joint)}}};
  Plot plot;
  plot.title = "Plucked string on a spring and a damper in series";
  plot.panels = {shapes, ring_down};
  plot.width = 800;
  write_png(plot, file);
}

void run(const std::string& mesh, const std::filesystem::path& output) {
  const StringModel model;
  const AssembledString string(model, mesh);
  const Places places{string.dof_at(model.length / 4), string.dof_at(model.length / 2),
                      static_cast<GlobalIndex>(string.dof_handler.n_dofs())};

  const auto assembled =
      assembled_from_dealii(string.mass, string.damping, string.stiffness, string.constraints, {},
                            string.dof_handler, attachment(model, places.middle, places.joint));
  const auto reduced = reduce(assembled);
  reduced.print_summary(std::cout);
  std::cout << "\nEigenvalues before and after:\n";
  compare_eigenvalues(reduced, model);

  const Motion motion = pluck(reduced, string, model.length);
  const std::filesystem::path table = output / "string.csv", picture = output / "string.png";
  write_table(motion, places, table);
  draw(string, motion, places, picture);
  std::cout << "\nWritten: " << table.string() << ", " << picture.string() << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("A plucked string with a spring, a joint without mass and a damper in its middle.");
  std::string mesh = MESHES "/string.msh";
  std::filesystem::path output = ".";
  app.add_option("--mesh", mesh, "Gmsh file, in metres")->check(CLI::ExistingFile);
  app.add_option("--output", output, "Folder for table and picture")->check(CLI::ExistingDirectory);
  try {
    app.parse(argc, argv);
    run(mesh, output);
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
