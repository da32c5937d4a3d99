// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/files/matrix_market.h>
#include <halfdof/assembled/files/model_files.h>
#include <halfdof/assembled/free_system.h>
#include <halfdof/base/atomic_file.h>
#include <halfdof/base/errors.h>
#include <halfdof/base/text_file.h>
#include <halfdof/output/result_files.h>
#include <halfdof/reduction/excluded_loads.h>
#include <halfdof/reduction/state_space.h>
#include <halfdof/reduction/state_space_formats.h>
#include <halfdof/reduction/transfer_errors.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <string>
#include <variant>

namespace halfdof {

using namespace internal;

namespace {

using Reduced = ReducedSystem<EigenEngine>;
using Sparse = EigenMatrix::Storage;
namespace fs = std::filesystem;

/// The DoFs of one kind, as they are written to files.
struct NamedSelection {
  std::string kind;    ///< name of the kind and of the file
  std::string matrix;  ///< name of the selection matrix J_I, J_C or J_K; empty for constrained DoFs
  std::vector<Index> dofs;
};

/// All data of a state-space form that are written to files.
struct StateSpaceExport {
  StateSpaceForm form;
  std::vector<NamedMatrix> matrices;
  std::vector<NamedSelection> selections;  ///< selections of inertial, viscous, algebraic and constrained
                                           ///< DoFs, in this order
  std::vector<Output> outputs;
  TransferErrors errors;
  std::string output_equation;        ///< the output equation as text; empty without outputs
  std::optional<Sparse> coordinates;  ///< S, if the states are not displacements of single DoFs
};

constexpr const char* readme_title = "# Reduced state-space system";

/// Total size [bytes] up to which matrices are written in dense form even if the pencil is smaller.
constexpr double preferred_dense_bytes = 1e7;

/// Returns the size of A, B and, for `n_outputs` outputs, C_o and D_o [bytes].
double dense_bytes(const Reduced& reduced, std::size_t n_outputs) {
  const auto n_states = static_cast<double>(reduced.n_states());
  const auto n_dofs = static_cast<double>(reduced.assembled().n_dofs());
  return 8 * (n_states + static_cast<double>(n_outputs)) * (n_states + n_dofs);
}

double bytes_of(const NamedMatrix& matrix) {
  const auto* const sparse = std::get_if<Sparse>(&matrix.value);
  return sparse != nullptr ? 16. * static_cast<double>(sparse->nonZeros())
                           : 8. * static_cast<double>(std::get<MultiVector>(matrix.value).size());
}

/// @throws BeyondLimit with the size of the matrices and the limit
[[noreturn]] void refuse_size(const std::string& matrices, double bytes, double limit) {
  std::ostringstream message;
  message << matrices << " need " << bytes / 1e6 << " MB together, more than the limit of " << limit / 1e6
          << " MB. Request fewer outputs or the sparse pencil, or raise the limit.";
  throw BeyondLimit(message.str());
}

void add_dense_form(StateSpaceExport& result, const Reduced& reduced, const StateSpaceFileOptions& options) {
  const double bytes = dense_bytes(reduced, options.outputs.size());
  if (bytes > options.dense.max_bytes) {
    const std::string n_states = std::to_string(reduced.n_states());
    const std::size_t n_outputs = options.outputs.size();
    refuse_size("The dense A (" + n_states + " x " + n_states + ") and B (" + n_states + " x " +
                    std::to_string(reduced.assembled().n_dofs()) + ")" +
                    (n_outputs > 0 ? " with " + std::to_string(n_outputs) + " outputs" : ""),
                bytes, options.dense.max_bytes);
  }
  result.matrices.push_back(
      {"A", "state matrix of y' = A y + B f", dense_state_matrix(reduced, options.dense)});
  result.matrices.push_back(
      {"B", "input matrix of y' = A y + B f", dense_input_matrix(reduced, options.dense)});
  result.form = StateSpaceForm::dense;
}

void add_pencil(StateSpaceExport& result, const Reduced& reduced, const StateSpaceFileOptions& options) {
  const SparsePencil pencil = sparse_pencil(reduced, options.pencil);
  result.matrices.push_back({"E", "left matrix of E y' = A y + B f", Sparse(pencil.E.entries())});
  result.matrices.push_back({"A", "state matrix of E y' = A y + B f", Sparse(pencil.A.entries())});
  result.matrices.push_back({"B", "input matrix of E y' = A y + B f", Sparse(pencil.B.entries())});
  result.form = StateSpaceForm::pencil;
}

/// Adds the dense form if it is small, and otherwise the smaller form of those within their limits. If
/// neither form is possible, the exception contains both reasons.
void add_smaller_form(StateSpaceExport& result, const Reduced& reduced,
                      const StateSpaceFileOptions& options) {
  const double dense = dense_bytes(reduced, 0);
  const bool fits = dense_bytes(reduced, options.outputs.size()) <= options.dense.max_bytes;
  std::string no_pencil;
  if (!fits || dense > preferred_dense_bytes) {
    try {
      add_pencil(result, reduced, options);
      double pencil = 0;
      for (const NamedMatrix& matrix : result.matrices)
        pencil += bytes_of(matrix);
      if (!fits || pencil < dense) return;
    } catch (const NotAvailable& reason) {
      no_pencil = std::string(" ") + reason.what();
    }
  }
  result.matrices.clear();
  try {
    add_dense_form(result, reduced, options);
  } catch (const BeyondLimit& reason) {
    throw BeyondLimit(reason.what() + no_pencil);
  }
}

void add_outputs(StateSpaceExport& result, const Reduced& reduced, const StateSpaceFileOptions& options) {
  result.outputs = options.outputs;
  const GlobalIndex n_dofs = reduced.assembled().n_dofs();
  if (result.outputs.empty()) {
    if (result.form == StateSpaceForm::pencil ||
        dense_bytes(reduced, static_cast<std::size_t>(n_dofs)) > options.dense.max_bytes)
      return;
    for (GlobalIndex i = 0; i < n_dofs; ++i)
      if (!reduced.is_multiplier(static_cast<Index>(i)))
        result.outputs.push_back({OutputQuantity::displacement, i});
  }
  const double bytes = dense_bytes(reduced, result.outputs.size()) - dense_bytes(reduced, 0);
  if (bytes > options.dense.max_bytes)
    refuse_size("C_o and D_o of " + std::to_string(result.outputs.size()) + " outputs", bytes,
                options.dense.max_bytes);
  const OutputMap<EigenEngine> map(reduced, result.outputs, options.dense);
  result.output_equation = map.needs_load_rate() ? "z = C_o y + D_o f + D_o_rate f'" : "z = C_o y + D_o f";
  result.matrices.push_back({"C_o", "output matrix of " + result.output_equation, map.state_matrix()});
  result.matrices.push_back({"D_o", "feed-through matrix of " + result.output_equation, map.feed_through()});
  if (map.needs_load_rate())
    result.matrices.push_back(
        {"D_o_rate", "feed-through of f' in " + result.output_equation, map.rate_feed_through()});
}

void add_selections(StateSpaceExport& result, const Reduced& reduced) {
  const Classification& kinds = reduced.classification();
  const auto assembled = [&](const Selection& selection) {
    std::vector<Index> dofs;
    for (const Index i : selection.local())
      dofs.push_back(static_cast<Index>(reduced.free().assembled_index(i)));
    return dofs;
  };
  result.selections.push_back({"inertial", "J_I", assembled(kinds.inertial())});
  result.selections.push_back({"viscous", "J_C", assembled(kinds.viscous())});
  result.selections.push_back({"algebraic", "J_K", assembled(kinds.algebraic())});
  result.selections.push_back({"constrained", "", reduced.assembled().constrained().local()});
}

/// Returns the value of the matrix with this name, or a null pointer if there is no such matrix of this
/// type.
template <class Value>
const Value* find_matrix(const StateSpaceExport& result, const std::string& name) {
  for (const NamedMatrix& matrix : result.matrices)
    if (matrix.name == name) return std::get_if<Value>(&matrix.value);
  return nullptr;
}

/// Computes the transfer function of the matrices to be written. The function has no rows if there are no
/// outputs.
TransferFunction written_transfer(const StateSpaceExport& result, double s) {
  const auto of = [&](const std::string& name, Index n_columns) -> MultiVector {
    const auto* const found = find_matrix<MultiVector>(result, name);
    return found != nullptr ? *found : MultiVector(0, n_columns);
  };
  const auto transfer = [&](const auto& B, const auto&... states) {
    const auto n_states = static_cast<Index>(B.rows()), n_loads = static_cast<Index>(B.cols());
    return transfer_function(states..., B, of("C_o", n_states), {of("D_o", n_loads), of("D_o_rate", n_loads)},
                             s);
  };
  if (const auto* const E = find_matrix<Sparse>(result, "E"))
    return transfer(*find_matrix<Sparse>(result, "B"), *E, *find_matrix<Sparse>(result, "A"));
  return transfer(*find_matrix<MultiVector>(result, "B"), *find_matrix<MultiVector>(result, "A"));
}

/// Returns the selection matrix J with one column for each DoF of a list, or in coordinates S J.
Sparse selection_matrix(const StateSpaceExport& result, const std::vector<Index>& dofs, Index n_dofs) {
  Sparse J(n_dofs, static_cast<Index>(dofs.size()));
  for (std::size_t j = 0; j < dofs.size(); ++j)
    J.insert(dofs[j], static_cast<Index>(j)) = 1;
  J.makeCompressed();
  return result.coordinates ? Sparse(*result.coordinates * J) : J;
}

/// Returns the matrix S or X of a change of coordinates with rows and columns in assembled numbering.
Sparse at_assembled_dofs(const EigenMatrix::Entries& S, const Reduced& reduced) {
  const std::vector<Index>&free = reduced.assembled().free().local(),
        &places = reduced.free().places().local();
  const auto at = [](const std::vector<Index>& dofs, Index i) { return dofs[static_cast<std::size_t>(i)]; };
  std::vector<Eigen::Triplet<double>> entries;
  for (Index j = 0; j < S.outerSize(); ++j)
    for (EigenMatrix::Entries::InnerIterator entry(S, j); entry; ++entry)
      entries.emplace_back(at(free, static_cast<Index>(entry.row())),
                           at(places, static_cast<Index>(entry.col())), entry.value());
  const auto n_dofs = static_cast<Index>(reduced.assembled().n_dofs());
  Sparse all(n_dofs, n_dofs);
  all.setFromTriplets(entries.begin(), entries.end());
  return all;
}

void add_coordinates(StateSpaceExport& result, const Reduced& reduced) {
  const FreeSystem<EigenEngine>& free = reduced.free();
  if (!free.coordinates()) return;
  result.coordinates = at_assembled_dofs(free.coordinates()->entries(), reduced);
  result.matrices.push_back(
      {"S", "matrix S of q = S p: the states are coordinates p and their rates", *result.coordinates});
  result.matrices.push_back(
      {"X", "matrix X of p = X^T q", at_assembled_dofs(free.restriction()->entries(), reduced)});
}

/// Adds the matrix L of excluded_loads(), if it has columns: B and D_o are valid only for loads f with
/// L^T f = 0.
void add_excluded_loads(StateSpaceExport& result, const Reduced& reduced) {
  const Sparse L = excluded_loads(reduced);
  if (L.cols() > 0) result.matrices.push_back({"L", "B and D_o are valid for loads f with L^T f = 0", L});
}

void write_matlab(const fs::path& file, const StateSpaceExport& result, Index n_dofs) {
  std::vector<MatlabVariable> variables;
  for (const NamedMatrix& matrix : result.matrices)
    std::visit([&](const auto& value) { variables.emplace_back(matrix.name, value); }, matrix.value);
  for (const NamedSelection& selection : result.selections)
    if (!selection.matrix.empty())
      variables.emplace_back(selection.matrix, selection_matrix(result, selection.dofs, n_dofs));
  variables.emplace_back(
      "state_order",
      std::string(result.coordinates ? "y = (p_I; p_C; p_I'), p = X^T q, q = J_I p_I + J_C p_C + J_K p_K"
                                     : "y = (J_I^T q; J_C^T q; J_I^T q')"));
  write_matlab_file(file, variables);
}

void write_states(const fs::path& path, const StateSpaceExport& result) {
  AtomicFile file(path);
  CsvTable states(file.temporary_path(), {"state", "quantity", "DoF", "kind"});
  GlobalIndex row = 0;
  const auto add = [&](const NamedSelection& selection, const char* quantity) {
    for (const Index dof : selection.dofs)
      states.add_row({row++, quantity, dof, selection.kind});
  };
  const bool is_coordinate = result.coordinates.has_value();
  add(result.selections[0], is_coordinate ? "coordinate at" : "displacement");
  add(result.selections[1], is_coordinate ? "coordinate at" : "displacement");
  add(result.selections[0], is_coordinate ? "rate of coordinate at" : "rate");
  file.commit();
}

void write_outputs(const fs::path& path, const StateSpaceExport& result) {
  AtomicFile file(path);
  CsvTable outputs(file.temporary_path(), {"output", "quantity", "DoF", "largest", "error", "s"});
  for (std::size_t i = 0; i < result.outputs.size(); ++i) {
    const auto o = static_cast<Index>(i);
    outputs.add_row({i, name_of(result.outputs[i].quantity), result.outputs[i].dof, result.errors.largest[o],
                     result.errors.error[o], result.errors.s[o]});
  }
  file.commit();
}

void write_transfer_errors(const fs::path& path, const TransferErrors& errors) {
  AtomicFile file(path);
  CsvTable table(file.temporary_path(), {"output", "s", "largest", "error"});
  for (Index o = 0; o < errors.error.size(); ++o)
    for (const TransferErrors::Place& place : errors.places)
      table.add_row({o, place.s, place.largest[o], place.error[o]});
  file.commit();
}

/// Returns the text of README.md. @param about_formats Sentences about the files of other formats
std::string readme(const StateSpaceExport& result, const Reduced& reduced,
                   const std::vector<std::string>& about_formats) {
  const Classification& kinds = reduced.classification();
  const bool is_pencil = result.form == StateSpaceForm::pencil;
  const std::string excluded = describe_excluded_loads(reduced),
                    lost = describe_lost(result.errors, result.outputs);
  std::ostringstream text;
  text.exceptions(std::ios::badbit);  // by default, streams hide a failed allocation and omit the text
  text << readme_title << "\n\n"
       << "    " << (is_pencil ? "E y' = A y + B f" : "y' = A y + B f") << "\n";
  if (!result.outputs.empty()) text << "    " << result.output_equation << "\n";
  text << "\nwith f the load on all " << reduced.assembled().n_dofs()
       << " assembled degrees of freedom (DoFs). DoFs are counted from 0, rows and "
          "columns of .mtx files from 1.\n"
       << (excluded.empty()
               ? ""
               : "\n" + excluded + " These matrices are valid for loads f with L^T f = 0, with L in L.mtx.\n")
       << (lost.empty() ? ""
                        : "\n**The transfer functions of these matrices differ from those of the model.** " +
                              lost + "\n")
       << "\n## The order of the states\n\n"
       << "y = (q_I, q_C, v_I): " << reduced.n_states() << " states.\n\n"
       << "| states (from 0) | quantity | DoFs |\n|---|---|---|\n";
  GlobalIndex first = 0;
  const auto row = [&](GlobalIndex n, const char* what, const char* file) {
    text << "| ";
    if (n > 0)
      text << first << " ... " << first + n - 1;
    else
      text << "none";
    text << " | " << what << " | " << file << " |\n";
    first += n;
  };
  row(kinds.n_inertial(), "q_I, displacements of inertial DoFs", "inertial.txt");
  row(kinds.n_viscous(), "q_C, displacements of viscous DoFs", "viscous.txt");
  row(kinds.n_inertial(), "v_I, rates of inertial DoFs", "inertial.txt");
  text << "\nEach part is in the order of its file; states.csv lists the states one by one.";
  if (result.coordinates)
    text
        << " A state belongs to a coordinate p_j, not to a DoF: q = S p with S of S.mtx and p = X^T q with X "
           "of X.mtx, whose columns have the numbers of DoFs on which they act. Read q_I and so on as p_I.";
  text << "\n\n## The matrices\n\n"
       << "| file | shape | meaning |\n|---|---|---|\n";
  for (const NamedMatrix& matrix : result.matrices)
    text << "| " << matrix.name << ".mtx | " << matrix.shape() << " | " << matrix.meaning << " |\n";
  text << "\nColumns of B belong to the assembled DoFs; those of the "
       << reduced.assembled().constrained().n_global() << " constrained ones (constrained.txt) are zero. The "
       << kinds.n_algebraic() << " algebraic DoFs (algebraic.txt) are no states.";
  if (!result.outputs.empty())
    text
        << " The rows of C_o and D_o are listed in outputs.csv, with the difference between the transfer "
           "functions of the written matrices and those of the model, at the value of s [1/s], among those "
           "compared, where it is largest: `largest` is the largest transfer function of the model over "
           "loads on single DoFs, whatever their units, `error` the largest difference; both are nan if they "
           "were not compared. transfer_errors.csv lists them at all these values of s. Loads on DoFs with "
           "entries in L are compared in combinations that satisfy L^T f = 0, if at "
           "most 1000 DoFs have entries.";
  else
    text << " No outputs were requested, so that there are no matrices C_o and D_o.";
  text << " state_space.mat holds all matrices for MATLAB, and the selections as J_I, J_C, J_K.\n";
  for (const std::string& sentence : about_formats)
    text << "\n" << sentence << "\n";
  return text.str();
}

/// Returns the README.md of an earlier run of this program, or an empty text if there is no such file.
std::string readme_of_earlier_run(const fs::path& folder) {
  std::ifstream file(folder / "README.md", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::string first_line = std::string(readme_title) + "\n";
  return text.compare(0, first_line.size(), first_line) == 0 ? text : "";
}

void prepare_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!fs::is_directory(folder))
    throw FileError(folder, "this is not a folder, and no folder can be created here (" + error.message() +
                                "). Give another name, or remove the file of this name.");
  for (const std::string& name : state_space_file_names()) {
    fs::remove(folder / name, error);
    if (error)
      throw FileError(folder / name,
                      "the file of an earlier run cannot be removed: " + error.message() + ".");
  }
}

}  // namespace

const std::vector<std::string>& state_space_file_names() {
  static const std::vector<std::string> names = {
      "A.mtx",           "B.mtx",           "E.mtx",         "C_o.mtx",
      "D_o.mtx",         "D_o_rate.mtx",    "S.mtx",         "X.mtx",
      "L.mtx",           "inertial.txt",    "viscous.txt",   "algebraic.txt",
      "constrained.txt", "states.csv",      "outputs.csv",   "transfer_errors.csv",
      "state_space.mat", "state_space.npz", "state_space.m", "state_space.A",
      "state_space.B",   "state_space.C",   "state_space.D", "state_space.E",
      "README.md"};
  return names;
}

void check_state_space_folder(const fs::path& folder) {
  const std::string readme = readme_of_earlier_run(folder);
  std::string unknown_files;
  for (const std::string& name : state_space_file_names()) {
    const bool is_ours = name == "README.md" ? !readme.empty() : readme.find(name) != std::string::npos;
    std::error_code ignored;
    if (!is_ours && fs::exists(fs::symlink_status(folder / name, ignored)))
      unknown_files += (unknown_files.empty() ? "" : ", ") + name;
  }
  if (!unknown_files.empty())
    throw FileError(folder,
                    "this folder holds files that would be replaced or removed, although no README.md of an "
                    "earlier run lists them: " +
                        unknown_files +
                        ". Give another folder, or remove these files if an interrupted run left them.");
}

WrittenStateSpace write_state_space(const fs::path& folder, const Reduced& reduced,
                                    const StateSpaceFileOptions& options) {
  check_state_space_folder(folder);
  StateSpaceExport result{};
  switch (options.form) {
    case StateSpaceForm::automatic:
      add_smaller_form(result, reduced, options);
      break;
    case StateSpaceForm::dense:
      add_dense_form(result, reduced, options);
      break;
    case StateSpaceForm::pencil:
      add_pencil(result, reduced, options);
      break;
  }
  add_outputs(result, reduced, options);
  add_coordinates(result, reduced);
  add_excluded_loads(result, reduced);
  add_selections(result, reduced);
  check_formats(options.formats, result.matrices);
  result.errors =
      transfer_errors(reduced, result.outputs, [&](double s) { return written_transfer(result, s); });

  prepare_folder(folder);
  for (const NamedMatrix& matrix : result.matrices)
    std::visit(
        [&](const auto& value) {
          write_matrix_market(folder / (matrix.name + ".mtx"), value, matrix.meaning);
        },
        matrix.value);
  for (const NamedSelection& selection : result.selections)
    write_dof_list(folder / (selection.kind + ".txt"), selection.dofs,
                   selection.kind + " degrees of freedom, 0-based assembled indices");
  write_states(folder / "states.csv", result);
  if (!result.outputs.empty()) {
    write_outputs(folder / "outputs.csv", result);
    write_transfer_errors(folder / "transfer_errors.csv", result.errors);
  }
  write_matlab(folder / "state_space.mat", result, static_cast<Index>(reduced.assembled().n_dofs()));
  write_text(folder / "README.md",
             readme(result, reduced, write_formats(folder, options.formats, result.matrices)));
  return {result.form, result.outputs, result.errors};
}

}  // namespace halfdof
