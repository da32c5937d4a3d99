// SPDX-License-Identifier: LGPL-2.1-or-later
#include "shapes_file.h"

#include <halfdof/assembled/files/matrix_market.h>
#include <halfdof/assembled/files/numpy_files.h>
#include <halfdof/base/constants.h>
#include <halfdof/base/errors.h>
#include <halfdof/base/letter_case.h>
#include <halfdof/base/number_text.h>
#include <halfdof/base/printable.h>
#include <halfdof/output/result_files.h>
#include <halfdof/output/vtu_file.h>
#include <halfdof/spectrum/mode_shapes.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace halfdof::cli {

using namespace internal;

namespace {

/// One array of a .vtu file: the displacements, or another component.
struct Group {
  struct Entry {
    Eigen::Index dof, row, node;  ///< row of the array, and place of the node in the mesh
  };
  std::string name;  ///< after that of the mode
  Eigen::Index n_rows = 1;
  std::vector<Entry> entries;
};

/// Returns the axis of a component of displacements (x, ux or u, ... in any case); -1 for others.
Eigen::Index axis_of(const std::string& component) {
  for (const Eigen::Index axis : {0, 1, 2}) {
    const std::string letter(1, "xyz"[axis]), of_analysts(1, "uvw"[axis]), name = lower_case(component);
    if (name == letter || name == "u" + letter || name == of_analysts) return axis;
  }
  return -1;
}

/// Joins the DoFs of a model with the nodes of a mesh.
std::vector<Group> groups_of(const DoFLabels& labels, const Mesh& mesh) {
  if (labels.node.empty())
    throw InvalidInput(
        "Shapes are joined with a mesh by nodes and components, but the degrees of freedom have no labels. "
        "Give labels by --dofs FILE, or take files of matrices with labels.");
  std::unordered_map<GlobalIndex, Eigen::Index> places;
  for (std::size_t k = 0; k < mesh.numbers.size(); ++k)
    places.emplace(mesh.numbers[k], static_cast<Eigen::Index>(k));
  std::map<std::string, Group> groups;
  std::set<GlobalIndex> unknown;
  std::set<std::tuple<std::string, Eigen::Index, GlobalIndex>> drawn;
  for (std::size_t i = 0; i < labels.node.size(); ++i) {
    if (labels.node[i] < 0) continue;  // of multipliers, or of nodes that a program added
    const auto place = places.find(labels.node[i]);
    if (place == places.end()) {
      unknown.insert(labels.node[i]);
      continue;
    }
    const std::string component = labels.component_name(static_cast<Index>(i));
    const Eigen::Index axis = axis_of(component);
    const std::string name = axis >= 0 ? "" : ", " + component;
    if (!drawn.emplace(name, axis, labels.node[i]).second)
      throw InvalidInput("Node " + std::to_string(labels.node[i]) +
                         " has two degrees of freedom for the component " +
                         (axis >= 0 ? std::string(1, "xyz"[axis]) : printable(component)) +
                         ", but a picture takes one. Correct the labels.");
    Group& group = groups[name];
    group.n_rows = axis >= 0 ? 3 : 1;
    group.entries.push_back({static_cast<Eigen::Index>(i), std::max<Eigen::Index>(0, axis), place->second});
  }
  if (groups.empty())
    throw InvalidInput("No node of the model is in the mesh: its nodes are " +
                       std::to_string(mesh.numbers.front()) + ", ..., " +
                       std::to_string(mesh.numbers.back()) + ". Give the mesh of this model by --mesh.");
  if (!unknown.empty())
    std::cerr << "halfdof: warning: The mesh of --mesh does not contain " << unknown.size()
              << (unknown.size() == 1 ? " node of the model, "
                                      : " nodes of the model, the first of which is ")
              << *unknown.begin() << ". The file of --shapes leaves out the degrees of freedom there.\n";
  std::vector<Group> all;
  for (auto& [name, group] : groups) {
    group.name = name;
    all.push_back(std::move(group));
  }
  return all;
}

void write_on_mesh(const ShapesOutput& output, const DoFLabels& labels,
                   const std::vector<Complex>& eigenvalues, const ComplexMultiVector& shapes) {
  constexpr double rounding = 1e-9;  // of imaginary parts relative to the largest entry
  const Mesh mesh = read_mesh(output.mesh);
  for (const std::string& type : mesh.skipped)
    std::cerr << "halfdof: warning: Elements of the type " << printable(type)
              << " of the mesh are not drawn.\n";
  const std::vector<Group> groups = groups_of(labels, mesh);
  std::vector<NodalField> fields;
  for (Eigen::Index j = 0; j < shapes.cols(); ++j) {
    const Complex value = eigenvalues[static_cast<std::size_t>(j)];
    const std::string name = "mode " + std::to_string(j + 1) + ", " +
                             (value.imag() != 0 ? number_text(value.imag() / (2 * pi)) + " Hz"
                                                : number_text(value.real()) + " 1/s");
    const double largest = shapes.col(j).cwiseAbs().maxCoeff();
    const bool is_complex = shapes.col(j).imag().cwiseAbs().maxCoeff() > rounding * largest;
    for (const Group& group : groups)
      for (const bool is_imaginary : {false, true}) {
        if (is_imaginary && !is_complex) continue;
        MultiVector values = MultiVector::Zero(group.n_rows, static_cast<Eigen::Index>(mesh.numbers.size()));
        for (const Group::Entry& entry : group.entries)
          values(entry.row, entry.node) =
              is_imaginary ? shapes(entry.dof, j).imag() : shapes(entry.dof, j).real();
        fields.push_back({name + group.name +
                              (is_imaginary ? ", imaginary part"
                               : is_complex ? ", real part"
                                            : ""),
                          std::move(values)});
      }
  }
  write_vtu(output.file, mesh, fields);
}

void write(const ShapesOutput& output, const DoFLabels& labels, const std::vector<Complex>& eigenvalues,
           const ComplexMultiVector& shapes) {
  const std::string extension = lower_case(output.file.extension().string());
  ComplexMultiVector values(shapes.cols(), 1);
  for (Eigen::Index j = 0; j < shapes.cols(); ++j)
    values(j, 0) = eigenvalues[static_cast<std::size_t>(j)];
  if (extension == ".vtu")
    write_on_mesh(output, labels, eigenvalues, shapes);
  else if (extension == ".mtx")
    write_matrix_market(output.file, ConstView<Complex>(shapes));
  else if (extension == ".npz")
    write_npz(output.file, {{"eigenvalues", values}, {"shapes", shapes}});
  else
    write_matlab_file(output.file, {{"eigenvalues", values}, {"shapes", shapes}});
}

void write(const ShapesOutput& output, const DoFLabels& labels, const std::vector<Complex>& eigenvalues,
           const ModeShapes& found) {
  constexpr double largest_residual = 1e-6;
  write(output, labels, eigenvalues, found.shapes);
  if (found.n_repeated > 0)
    std::cerr << "halfdof: warning: " << found.n_repeated << " of the " << eigenvalues.size()
              << " shapes are combinations of others, as their eigenvalues have fewer eigenvectors than "
                 "copies (a rigid motion counts twice).\n";
  for (std::size_t j = 0; j < eigenvalues.size(); ++j)
    if (!(found.residuals[j] <= largest_residual))
      std::cerr << "halfdof: warning: The shape of mode " << j + 1 << ", of the eigenvalue "
                << eigenvalues[j].real() << " + " << eigenvalues[j].imag()
                << " i, satisfies its equation only to " << found.residuals[j] << ".\n";
}

}  // namespace

void check_shapes_output(const ShapesOutput& output) {
  const std::string extension = lower_case(output.file.extension().string());
  const bool is_on_mesh = extension == ".vtu";
  if (!output.file.empty() && !is_on_mesh && extension != ".mtx" && extension != ".npz" &&
      extension != ".mat")
    throw InvalidInput("--shapes names " + printable(output.file.string()) +
                       ". Give it the extension .mtx, .npz, .mat or .vtu, which says the format.");
  if (is_on_mesh && output.mesh.empty())
    throw InvalidInput(
        "--shapes names " + printable(output.file.string()) +
        ", whose shapes are drawn on a mesh. Give the mesh by --mesh: an input file of Abaqus or CalculiX, a "
        ".frd file, or a .msh file of Gmsh.");
  if (!is_on_mesh && !output.mesh.empty())
    throw InvalidInput("--mesh is given, but only --shapes FILE.vtu needs a mesh. Leave out --mesh.");
}

void write_shapes(const ShapesOutput& output, const ReducedSystem<Engine>& reduced,
                  const std::vector<Complex>& eigenvalues) {
  write(output, reduced.assembled().labels(), eigenvalues, shapes_of(reduced, eigenvalues));
}

void write_shapes(const ShapesOutput& output, const StructurallyDampedSystem<Engine>& system,
                  const ReducedSystem<Engine>& of_embedding, const StructurallyDampedModes& modes) {
  std::vector<Complex> eigenvalues;
  for (const StructurallyDampedMode& one : modes.modes)
    eigenvalues.push_back(one.mode.eigenvalue);
  write(output, system.real_part().labels(), eigenvalues, shapes_of(system, of_embedding, modes));
}

}  // namespace halfdof::cli
