// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/files/dof_labels.h>
#include <halfdof/assembled/files/fortran_fields.h>
#include <halfdof/assembled/files/matrix_market.h>
#include <halfdof/assembled/files/model_files.h>
#include <halfdof/base/letter_case.h>
#include <halfdof/base/number_text.h>
#include <halfdof/base/text_scanner.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <unordered_map>

namespace halfdof {

using namespace internal;

namespace {

/// Numbers the names of components in the order of their first appearance.
class ComponentNames {
 public:
  explicit ComponentNames(DoFLabels& labels) : labels_(labels) {}

  Index index_of(const std::string& name) {
    const auto [place, is_new] =
        indices_.try_emplace(name, static_cast<Index>(labels_.component_names.size()));
    if (is_new) labels_.component_names.push_back(name);
    return place->second;
  }

 private:
  DoFLabels& labels_;
  std::unordered_map<std::string, Index> indices_;
};

std::string name_of_component(GlobalIndex component) {
  constexpr std::array<const char*, 7> names = {"scalar", "x", "y", "z", "rx", "ry", "rz"};
  return component >= 0 && component <= 6 ? names[static_cast<std::size_t>(component)]
                                          : "component " + std::to_string(component);
}

void add_label(DoFLabels& labels, ComponentNames& names, GlobalIndex node, const std::string& component) {
  const bool is_internal = node < 0;
  const std::string name = is_internal ? in_internal_node(node, component) : component;
  labels.node.push_back(is_internal ? -1 : node);
  labels.component.push_back(names.index_of(name));
}

/// Reads a Matrix Market vector of node numbers. Each node has the same number of DoFs.
DoFLabels read_nodes(const std::filesystem::path& file, GlobalIndex n_dofs) {
  const Vector nodes = read_matrix_market_vector(file);
  const auto n_nodes = static_cast<GlobalIndex>(nodes.size());
  const GlobalIndex per_node = n_nodes > 0 ? n_dofs / n_nodes : 0;
  if (per_node * n_nodes != n_dofs || (per_node != 1 && per_node != 2 && per_node != 3 && per_node != 6))
    throw FileError(file, "the file lists " + std::to_string(n_nodes) + " nodes for " +
                              std::to_string(n_dofs) +
                              " DoFs. One node for every 1, 2, 3 or 6 DoFs is expected.");
  DoFLabels labels;
  ComponentNames names(labels);
  for (Eigen::Index k = 0; k < nodes.size(); ++k) {
    if (nodes[k] != std::floor(nodes[k]) || std::abs(nodes[k]) > 1e15)
      throw FileError(file, "entry " + std::to_string(k + 1) + " is " + number_text(nodes[k]) +
                                "; the number of a node is expected, which must be a whole number.");
    for (GlobalIndex component = 1; component <= per_node; ++component)
      add_label(labels, names, static_cast<GlobalIndex>(nodes[k]), name_of_component(component));
  }
  return labels;
}

/// Names of components in labels and in finite element programs, in small letters.
constexpr std::array<std::string_view, 33> component_words = {
    "x",    "y",  "z",  "rx",   "ry",   "rz",  "ux",   "uy",   "uz",   "rotx", "roty",
    "rotz", "u",  "v",  "w",    "temp", "t",   "volt", "phi",  "pres", "p",    "mag",
    "ax",   "ay", "az", "conc", "curr", "emf", "enke", "ends", "warp", "hdsp", "scalar"};

bool is_component_word(std::string_view word) {
  return std::find(component_words.begin(), component_words.end(), lower_case(word)) != component_words.end();
}

}  // namespace

DoFLabels read_dof_labels(const std::filesystem::path& file, GlobalIndex n_dofs) {
  TextScanner scanner(file, '#');
  DoFLabels labels;
  ComponentNames names(labels);
  for (std::string_view line; scanner.next_whole_line(line);) {
    if (line.substr(0, 2) == "%%") return read_nodes(file, n_dofs);
    line = trimmed(line.substr(0, line.find('#')));
    if (line.empty()) continue;
    const std::size_t end = line.find_first_of(" \t,.:");
    const std::string_view component =
        end == std::string_view::npos ? std::string_view() : trimmed(line.substr(end + 1));
    const std::optional<GlobalIndex> node = whole_number(line.substr(0, end)),
                                     number = whole_number(component);
    if (!node || component.empty() || (!number && !is_component_word(component)))
      scanner.fail(
          "the line is '" + shown(line) +
          "'; the number of a node and a component are expected, the component as a number 0 ... 6 or as a "
          "word: x, y, z, rx, ry, rz, ux, rotx, u, v, w, temp, volt, phi, pres, p, mag, conc, scalar, ...");
    if (static_cast<GlobalIndex>(labels.node.size()) == n_dofs)
      scanner.fail("the file lists more labels than the model has DoFs, " + std::to_string(n_dofs) + ".");
    add_label(labels, names, *node, component_of(component));
  }
  if (static_cast<GlobalIndex>(labels.node.size()) != n_dofs)
    throw FileError(file, "the file lists " + std::to_string(labels.node.size()) +
                              " labels, but the model has " + std::to_string(n_dofs) +
                              " DoFs. One label for each DoF is expected, in the order of the DoFs.");
  return labels;
}

namespace internal {

DoFLabels labels_of(const std::vector<FileDoF>& dofs) {
  DoFLabels labels;
  ComponentNames names(labels);
  for (const FileDoF& dof : dofs)
    add_label(labels, names, dof.node, name_of_component(dof.component));
  return labels;
}

std::vector<FileDoF> file_dofs_of(const DoFLabels& labels) {
  constexpr std::string_view internal_node = "internal node ", other = "component ";
  std::vector<FileDoF> dofs;
  for (std::size_t i = 0; i < labels.node.size(); ++i) {
    const std::string full_name = labels.component_name(static_cast<Index>(i));
    std::string_view name = full_name;
    std::optional<GlobalIndex> node = labels.node[i], component;
    if (name.substr(0, internal_node.size()) == internal_node) {
      name.remove_prefix(internal_node.size());
      const std::size_t comma = std::min(name.find(','), name.size());
      node = whole_number(name.substr(0, comma));
      name = trimmed(name.substr(std::min(comma + 1, name.size())));
    }
    for (int k = 0; k <= 6; ++k)
      if (name == name_of_component(k)) component = k;
    if (name.substr(0, other.size()) == other) component = whole_number(name.substr(other.size()));
    if (!node || !component || (labels.node[i] < 0 && *node >= 0))
      throw InvalidInput(
          "DoF " + std::to_string(i) + " (node " + std::to_string(labels.node[i]) + ") has the component '" +
          full_name +
          "', for which no number is known. Give the component as a number, or as scalar, x, y, z, rx, ry or "
          "rz (the numbers 0 to 6).");
    dofs.push_back({*node, static_cast<int>(*component)});
  }
  return dofs;
}

std::string component_of(std::string_view text) {
  const std::optional<GlobalIndex> number = whole_number(text);
  return number ? name_of_component(*number) : std::string(text);
}

std::string in_internal_node(GlobalIndex node, const std::string& component) {
  return "internal node " + std::to_string(node) + ", " + component;
}

std::string described(const FileDoF& dof) {
  return (dof.node < 0 ? "internal node " : "node ") + std::to_string(dof.node) + ", " +
         name_of_component(dof.component);
}

}  // namespace internal

}  // namespace halfdof
