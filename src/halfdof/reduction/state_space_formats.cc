// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/files/matrix_market.h>
#include <halfdof/assembled/files/numpy_files.h>
#include <halfdof/base/atomic_file.h>
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/linear_algebra/dense/dense_eigenvalues.h>
#include <halfdof/reduction/state_space_formats.h>

#include <algorithm>
#include <array>
#include <utility>

namespace halfdof::internal {

namespace {

namespace fs = std::filesystem;

/// Largest number of states for which the Octave script compares eigenvalues.
constexpr Index max_compared_states = 500;

const NamedMatrix* find_matrix(const std::vector<NamedMatrix>& matrices, const std::string& name) {
  const auto found = std::find_if(matrices.begin(), matrices.end(),
                                  [&](const NamedMatrix& matrix) { return matrix.name == name; });
  return found == matrices.end() ? nullptr : &*found;
}

MultiVector dense_value(const NamedMatrix& matrix) {
  return std::visit([](const auto& value) { return MultiVector(value); }, matrix.value);
}

/// Writes the files that LTIModel.from_abcde_files() of pyMOR reads. Returns a sentence about the files.
std::string write_abcde(const fs::path& folder, const std::vector<NamedMatrix>& matrices) {
  constexpr std::array<std::pair<const char*, const char*>, 5> names = {
      {{"A", "A"}, {"B", "B"}, {"C", "C_o"}, {"D", "D_o"}, {"E", "E"}}};
  for (const auto& [extension, name] : names)
    if (const NamedMatrix* const matrix = find_matrix(matrices, name))
      std::visit([&, file = folder / (std::string("state_space.") + extension)](
                     const auto& value) { write_matrix_market(file, value, matrix->meaning); },
                 matrix->value);
  return "state_space.A, state_space.B, state_space.C, state_space.D and, of a pencil, state_space.E are for "
         "LTIModel.from_abcde_files('state_space') of pyMOR: C is C_o and D is D_o.";
}

/// Writes all matrices to a file for numpy.load(). Returns a sentence about the file.
std::string write_npz_file(const fs::path& folder, const std::vector<NamedMatrix>& matrices) {
  std::vector<NpzArray> arrays;
  for (const NamedMatrix& matrix : matrices)
    std::visit([&](const auto& value) { arrays.push_back({matrix.name, value}); }, matrix.value);
  write_npz(folder / "state_space.npz", arrays);
  return "state_space.npz holds all matrices for numpy.load: dense ones under their names, a sparse one A as "
         "scipy.sparse.csc_matrix((z['A_data'], z['A_indices'], z['A_indptr']), z['A_shape']).";
}

std::vector<Complex> eigenvalues_of(const std::vector<NamedMatrix>& matrices) {
  const MultiVector A = dense_value(*find_matrix(matrices, "A"));
  const NamedMatrix* const E = find_matrix(matrices, "E");
  if (E == nullptr) return eigenvalues(A);
  std::vector<Complex> values;
  for (const HomogeneousEigenvalue& value : eigenvalues(A, dense_value(*E)))
    values.push_back(value.alpha / value.beta);
  return values;
}

/// Returns a command in the language of Octave that checks the size of a matrix.
std::string octave_size_check(const NamedMatrix& matrix) {
  const auto [n_rows, n_columns] = std::visit(
      [](const auto& value) { return std::pair<Eigen::Index, Eigen::Index>(value.rows(), value.cols()); },
      matrix.value);
  return "assert (isequal (size (" + matrix.name + "), [" + std::to_string(n_rows) + ", " +
         std::to_string(n_columns) + "]), 'state_space: " + matrix.name + " has another size');\n";
}

/// Writes a script for Octave that loads state_space.mat and checks the matrices. Returns a sentence about
/// the script.
std::string write_octave(const fs::path& folder, const std::vector<NamedMatrix>& matrices) {
  const NamedMatrix* const E = find_matrix(matrices, "E");
  std::string text = "% Loads state_space.mat and checks it. ";
  text += E != nullptr ? "The system is E y' = A y + B f; with the package control, dss (full (A), full (B), "
                         "C_o, D_o, full (E)).\n"
                       : "The system is y' = A y + B f; with the package control, ss (A, B, C_o, D_o).\n";
  text += "load (fullfile (fileparts (mfilename ('fullpath')), 'state_space.mat'));\n";
  for (const NamedMatrix& matrix : matrices)
    text += octave_size_check(matrix);
  const Eigen::Index n = std::visit([](const auto& value) { return value.rows(); }, matrices[0].value);
  if (n > 0 && n <= max_compared_states) {
    text += "expected = [\n";
    for (const Complex value : eigenvalues_of(matrices))
      text += "complex(" + number_text(value.real()) + ", " + number_text(value.imag()) + ")\n";
    text += "];\nfound = eig (full (A)" + std::string(E != nullptr ? ", full (E)" : "") + ");\n" +
            "distances = abs (expected - found.');\n"
            "worst = max ([min(distances, [], 1)(:); min(distances, [], 2)(:)]) / max (abs (expected));\n"
            "assert (worst <= 1e-6 || max (abs (expected)) == 0, "
            "'state_space: eigenvalues differ by %g of the largest', worst);\n";
  }
  text += "printf ('state_space: " + std::to_string(n) + " states, checked\\n');\n";
  AtomicFile file(folder / "state_space.m");
  file.write(text);
  file.commit();
  return "state_space.m loads state_space.mat in Octave and checks the sizes and, up to " +
         std::to_string(max_compared_states) + " states, the eigenvalues.";
}

}  // namespace

void check_formats(const std::vector<StateSpaceFormat>& formats, const std::vector<NamedMatrix>& matrices) {
  if (std::find(formats.begin(), formats.end(), StateSpaceFormat::abcde) == formats.end()) return;
  if (find_matrix(matrices, "C_o") == nullptr)
    throw NotAvailable(
        "The files of pyMOR (abcde) need an output matrix C, but no outputs were requested. "
        "Request at least one output.");
  if (find_matrix(matrices, "D_o_rate") != nullptr)
    throw NotAvailable(
        "Some outputs depend on the rate f' of the load, which the files of pyMOR (abcde) cannot contain. "
        "Leave out rates of algebraic and accelerations of viscous degrees of freedom.");
}

std::vector<std::string> write_formats(const fs::path& folder, const std::vector<StateSpaceFormat>& formats,
                                       const std::vector<NamedMatrix>& matrices) {
  std::vector<std::string> sentences;
  for (const StateSpaceFormat format : formats)
    sentences.push_back(format == StateSpaceFormat::abcde ? write_abcde(folder, matrices)
                        : format == StateSpaceFormat::npz ? write_npz_file(folder, matrices)
                                                          : write_octave(folder, matrices));
  return sentences;
}

}  // namespace halfdof::internal
