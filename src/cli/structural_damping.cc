// SPDX-License-Identifier: LGPL-2.1-or-later
#include "structural_damping.h"

#include <halfdof/assembled/files/dof_labels.h>
#include <halfdof/assembled/files/file_format.h>
#include <halfdof/assembled/files/fortran_fields.h>
#include <halfdof/assembled/files/model_files.h>
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/base/printable.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <map>
#include <set>
#include <utility>

namespace halfdof::cli {

using namespace internal;
namespace fs = std::filesystem;

const char* const no_motion_of_a_case =
    "The model of the case has structural damping: its stiffness or its damping is complex. Structural "
    "damping "
    "describes harmonic motion only, and has no causal motion in time. `halfdof modes`, `response`, "
    "`inspect`, "
    "`reduce` and `report` take the case as it is. For motions in time, replace a loss factor by Prony "
    "branches over the band of interest, which are viscous half DoFs (`halfdof prony`, then prony in "
    "[system]), or leave the structural damping out.";

namespace {

/// Whether a text is a number that is not finite, as strtod reads it: "nan", "-inf", "1e999".
bool is_number_beyond_range(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  return !text.empty() && *end == '\0' && !std::isfinite(value);
}

using NodeAndComponent = std::pair<GlobalIndex, std::string>;

NodeAndComponent label_of(const DoFLabels& labels, std::size_t i) {
  return {i < labels.node.size() ? labels.node[i] : -1, labels.component_name(static_cast<Index>(i))};
}

/// Returns for each DoF of a file its index in a model.
std::vector<Eigen::Index> places(const std::vector<FileDoF>& dofs, const DoFLabels& of_model,
                                 const fs::path& file) {
  std::map<NodeAndComponent, Eigen::Index> known;
  for (std::size_t i = 0; i < of_model.component.size(); ++i)
    known.emplace(label_of(of_model, i), static_cast<Eigen::Index>(i));
  const DoFLabels of_file = labels_of(dofs);
  std::vector<Eigen::Index> all;
  for (std::size_t i = 0; i < dofs.size(); ++i) {
    const auto found = known.find(label_of(of_file, i));
    if (found == known.end())
      throw InvalidInput("The matrix " + printable(file.string()) + " has the degree of freedom " +
                         described(dofs[i]) + ", but the model does not" +
                         (known.empty() ? ": it has no labels. Give them by --dofs, or dofs in [system]."
                                        : ". Write both for the same nodes and components."));
    all.push_back(found->second);
  }
  return all;
}

/// Reads a real matrix with the labels of its rows and columns. @throws FileError as read_matrix()
FileMatrix read_labelled(const fs::path& file) {
  FileMatrix matrix = read_only_matrix(file);
  check_is_real(matrix.imaginary, file);
  return matrix;
}

/// Returns whether columns have the numbers 1, 2, ... instead of nodes, as a DMIG matrix with NCOL.
bool are_numbers(const std::vector<FileDoF>& columns) {
  for (std::size_t j = 0; j < columns.size(); ++j)
    if (columns[j] != FileDoF{static_cast<std::int64_t>(j) + 1, 0}) return false;
  return true;
}

/// Returns whether a model has the labels of all DoFs of a file.
bool has_all(const DoFLabels& of_model, const std::vector<FileDoF>& dofs) {
  std::set<NodeAndComponent> known;
  for (std::size_t i = 0; i < of_model.component.size(); ++i)
    known.insert(label_of(of_model, i));
  const DoFLabels of_file = labels_of(dofs);
  for (std::size_t i = 0; i < dofs.size(); ++i)
    if (known.count(label_of(of_file, i)) == 0) return false;
  return true;
}

}  // namespace

StructuralDampingTerm structural_damping_from(const std::string& text, const std::string& place) {
  const auto factor_of = [&](const std::string& number) {
    const std::optional<double> factor = real_number(number);
    if (is_number_beyond_range(number) || (factor && *factor == 0))
      throw InvalidInput(place + " has the factor " + number +
                         ". A loss factor is finite and not zero; leave it out for no damping.");
    return factor;
  };
  if (text.empty()) throw InvalidInput(place + " is empty. Give a loss factor, FILE or FACTOR*FILE.");
  if (const auto factor = factor_of(text)) {
    if (*factor < 0)
      throw InvalidInput(place + " is " + text + ". A loss factor of the whole stiffness is positive.");
    return {*factor, {}};
  }
  const std::size_t star = text.find('*');
  if (star == std::string::npos) return {1, text};
  const auto factor = factor_of(text.substr(0, star));
  if (!factor || star + 1 == text.size())
    throw InvalidInput(place + " is " + printable(text) +
                       ". Give a loss factor such as 0.02, a file, or FACTOR*FILE such as 0.05*rubber.mtx.");
  return {*factor, text.substr(star + 1)};
}

namespace {

/// Reads the losses of a stiffness: a real matrix, or the imaginary part of a complex one.
FileMatrix read_losses_labelled(const fs::path& file) {
  FileMatrix matrix = read_only_matrix(file);
  if (matrix.imaginary.size() > 0) matrix.real.swap(matrix.imaginary);
  return matrix;
}

/// Returns the real part of a matrix in the order of the DoFs of a model.
Eigen::SparseMatrix<double> in_order_of(const DoFLabels& labels, Eigen::Index n_dofs, FileMatrix read,
                                        const fs::path& file, const std::string& noun) {
  Eigen::SparseMatrix<double>& matrix = read.real;
  if (!read.rows.empty() && (!read.columns.empty() || matrix.rows() == matrix.cols())) {
    const std::vector<Eigen::Index> row = places(read.rows, labels, file),
                                    column = read.columns.empty() ? row : places(read.columns, labels, file);
    std::vector<Eigen::Triplet<double>> entries;
    for (Eigen::Index j = 0; j < matrix.outerSize(); ++j)
      for (Eigen::SparseMatrix<double>::InnerIterator entry(matrix, j); entry; ++entry)
        entries.emplace_back(row[static_cast<std::size_t>(entry.row())], column[static_cast<std::size_t>(j)],
                             entry.value());
    matrix.resize(n_dofs, n_dofs);
    matrix.setFromTriplets(entries.begin(), entries.end());
  }
  if (matrix.rows() != n_dofs || matrix.cols() != n_dofs)
    throw InvalidInput("The " + noun + " " + printable(file.string()) + " is " +
                       std::to_string(matrix.rows()) + " x " + std::to_string(matrix.cols()) +
                       ", but the stiffness is " + std::to_string(n_dofs) + " x " + std::to_string(n_dofs) +
                       ". Write it for the same degrees of freedom in the same order.");
  return std::move(matrix);
}

}  // namespace

Eigen::SparseMatrix<double> read_in_order_of(const DoFLabels& labels, Eigen::Index n_dofs,
                                             const fs::path& file, const std::string& noun) {
  return in_order_of(labels, n_dofs, read_labelled(file), file, noun);
}

Eigen::SparseMatrix<double> read_losses_in_order_of(const DoFLabels& labels, Eigen::Index n_dofs,
                                                    const fs::path& file) {
  return in_order_of(labels, n_dofs, read_losses_labelled(file), file, "structural damping");
}

Eigen::SparseMatrix<double> read_constraint_rows(const DoFLabels& labels, Eigen::Index n_dofs,
                                                 const fs::path& file) {
  FileMatrix read = read_labelled(file);
  const std::vector<FileDoF>& columns = read.columns.empty() ? read.rows : read.columns;
  if (static_cast<Eigen::Index>(columns.size()) != read.real.cols() ||
      (are_numbers(columns) && !has_all(labels, columns)))
    return read.real;
  const std::vector<Eigen::Index> place = places(columns, labels, file);
  std::vector<Eigen::Triplet<double>> entries;
  for (Eigen::Index j = 0; j < read.real.outerSize(); ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator entry(read.real, j); entry; ++entry)
      entries.emplace_back(entry.row(), place[static_cast<std::size_t>(j)], entry.value());
  Eigen::SparseMatrix<double> matrix(read.real.rows(), n_dofs);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

void add_structural_damping(const std::vector<StructuralDampingTerm>& terms,
                            const Eigen::SparseMatrix<double>& stiffness, const DoFLabels& labels,
                            std::optional<Eigen::SparseMatrix<double>>& imaginary) {
  for (const StructuralDampingTerm& term : terms) {
    const Eigen::SparseMatrix<double> matrix =
        term.file.empty() ? stiffness : read_losses_in_order_of(labels, stiffness.rows(), term.file);
    imaginary = imaginary ? Eigen::SparseMatrix<double>(*imaginary + term.factor * matrix)
                          : Eigen::SparseMatrix<double>(term.factor * matrix);
  }
}

bool check_counted_once(const std::vector<StructuralDampingTerm>& terms, bool is_complex,
                        const std::vector<PronyPart>& prony) {
  if (prony.empty() || (terms.empty() && !is_complex)) return false;
  const char* const advice =
      " Damp and relax parts of the stiffness that have nothing in common (SERIES*STIFFNESS and "
      "FACTOR*FILE), or leave out one of the two.";
  for (const PronyPart& part : prony) {
    if (part.stiffness.empty())
      throw InvalidInput(
          "The whole stiffness relaxes with the Prony series " + printable(part.series.string()) +
          ", and the model has structural damping, too, so that losses would be counted twice." + advice);
    for (const StructuralDampingTerm& term : terms) {
      if (term.file.empty())
        throw InvalidInput("The stiffness " + printable(part.stiffness.string()) +
                           " relaxes with a Prony series and is also damped by the loss factor " +
                           number_text(term.factor) +
                           " of the whole stiffness, so that its loss would be counted twice." + advice);
      std::error_code ignored;
      if (term.file == part.stiffness || fs::equivalent(term.file, part.stiffness, ignored))
        throw InvalidInput("The stiffness " + printable(term.file.string()) +
                           " has structural damping and relaxes with a Prony series, so that its loss would "
                           "be counted twice." +
                           advice);
    }
  }
  return true;
}

void warn_of_added_losses() {
  std::cerr << "halfdof: warning: The model has structural damping and Prony series. The losses add up where "
               "both act on the same elements: make sure that they act on different ones.\n";
}

}  // namespace halfdof::cli
