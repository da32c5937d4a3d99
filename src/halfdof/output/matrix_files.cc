// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/files/calculix.h>
#include <halfdof/assembled/files/harwell_boeing.h>
#include <halfdof/assembled/files/matlab_matrices.h>
#include <halfdof/assembled/files/matrix_market.h>
#include <halfdof/assembled/files/matrix_writers.h>
#include <halfdof/assembled/files/numpy_files.h>
#include <halfdof/assembled/files/petsc_binary.h>
#include <halfdof/base/atomic_file.h>
#include <halfdof/base/number_text.h>
#include <halfdof/base/printable.h>
#include <halfdof/output/matrix_files.h>
#include <halfdof/output/result_files.h>

#include <algorithm>

namespace halfdof::internal {

namespace {

bool has_labels(FileFormat format) {
  return format == FileFormat::nastran_dmig || format == FileFormat::abaqus_matrix_input ||
         format == FileFormat::calculix;
}

/// Returns why a format does not hold complex matrices; empty: it does.
std::string why_not_complex(FileFormat format) {
  switch (format) {
    case FileFormat::petsc:
      return "PETSc is configured for real or for complex numbers, and its files do not say for "
             "which";
    case FileFormat::calculix:
    case FileFormat::abaqus_coordinate:
    case FileFormat::abaqus_matrix_input:
      return std::string("matrices of ") + name_of(format) + " are real";
    default:
      return {};
  }
}

void check(const std::filesystem::path& file, FileFormat format, const std::vector<FileMatrix>& matrices) {
  for (const FileMatrix& matrix : matrices) {
    if (const std::string reason = why_not_complex(format); matrix.is_complex() && !reason.empty())
      throw InvalidInput(
          "Matrix " + printable(matrix.name) + " is complex, but " + reason +
          ". Take a format with complex numbers: matrix-market, harwell-boeing, npz, mat, mat-7.3, "
          "dmig or op4.");
    if (matrix.real.rows() == 0 || matrix.real.cols() == 0)
      throw InvalidInput("Matrix " + printable(matrix.name) + " has no entries: it is " +
                         std::to_string(matrix.real.rows()) + " x " + std::to_string(matrix.real.cols()) +
                         ".");
  }
  const bool holds_one = format == FileFormat::matrix_market || format == FileFormat::calculix ||
                         format == FileFormat::abaqus_coordinate || format == FileFormat::harwell_boeing;
  if (holds_one && matrices.size() != 1)
    throw InvalidInput(printable(file.string()) + " can contain one matrix in this format (" +
                       name_of(format) + "), but " + std::to_string(matrices.size()) +
                       " matrices were given. Write each matrix to a file of its own.");
  const bool is_calculix = has_calculix_extension(file);
  if (is_calculix != (format == FileFormat::calculix))
    throw InvalidInput(
        printable(file.string()) +
        (is_calculix ? " has an extension of CalculiX, so that the file would be read in that "
                       "format. Use another extension."
                     : " needs the extension .sti (K), .mas (M), .con, .sph or .str, because a file of "
                       "CalculiX is distinguished from a file of Abaqus by its extension."));
}

void write_matlab(const std::filesystem::path& file, const std::vector<FileMatrix>& matrices) {
  std::vector<MatlabVariable> variables;
  for (const FileMatrix& matrix : matrices)
    if (matrix.is_complex())
      variables.emplace_back(matrix.name, matrix.complex());
    else
      variables.emplace_back(matrix.name, matrix.real);
  write_matlab_file(file, variables);
}

void write_numpy(const std::filesystem::path& file, const std::vector<FileMatrix>& matrices) {
  std::vector<NpzArray> arrays;
  for (const FileMatrix& matrix : matrices) {
    const std::string name = matrices.size() == 1 ? "" : matrix.name;
    if (matrix.is_complex())
      arrays.push_back({name, matrix.complex()});
    else
      arrays.push_back({name, matrix.real});
  }
  write_npz(file, arrays);
}

}  // namespace

const std::vector<WrittenFormat>& written_formats() {
  static const std::vector<WrittenFormat> all = {
      {FileFormat::matrix_market, "matrix-market", {".mtx", ".mm"}},
      {FileFormat::numpy_npz, "npz", {".npz"}},
      {FileFormat::matlab, "mat", {".mat"}},
      {FileFormat::matlab_hdf5, "mat-7.3", {}},
      {FileFormat::harwell_boeing, "harwell-boeing", {".hb", ".rb", ".rua"}},
      {FileFormat::petsc, "petsc", {".petsc"}},
      {FileFormat::calculix, "calculix", {".sti", ".mas", ".con", ".sph", ".str"}},
      {FileFormat::abaqus_coordinate, "abaqus-coordinate", {}},
      {FileFormat::abaqus_matrix_input, "abaqus-matrix-input", {".inp"}},
      {FileFormat::nastran_dmig, "dmig", {".pch", ".dmig", ".bdf"}},
      {FileFormat::nastran_op4, "op4", {".op4"}},
  };
  return all;
}

std::optional<FileFormat> format_by_extension(const std::filesystem::path& file) {
  const std::string extension = lower_case_extension(file);
  for (const WrittenFormat& format : written_formats())
    for (const char* const known : format.extensions)
      if (extension == known) return format.format;
  return {};
}

std::vector<std::string> write_matrices(const std::filesystem::path& file, FileFormat format,
                                        const std::vector<FileMatrix>& matrices) {
  check(file, format, matrices);
  std::vector<std::string> remarks;
  const auto is_labelled = [](const FileMatrix& matrix) { return !matrix.rows.empty(); };
  if (!has_labels(format) && std::any_of(matrices.begin(), matrices.end(), is_labelled))
    remarks.push_back(std::string("The nodes and components of the rows were not written to ") +
                      printable(file.string()) + ", because the format (" + name_of(format) +
                      ") does not contain labels.");
  switch (format) {
    case FileFormat::matrix_market:
      if (matrices[0].is_complex())
        write_matrix_market(file, matrices[0].complex(), "", StoredPart::lower_if_symmetric);
      else
        write_matrix_market(file, matrices[0].real, "", StoredPart::lower_if_symmetric);
      break;
    case FileFormat::numpy_npz:
      write_numpy(file, matrices);
      break;
    case FileFormat::matlab:
      write_matlab(file, matrices);
      break;
    case FileFormat::matlab_hdf5:
      write_matlab_hdf5(file, matrices);
      break;
    case FileFormat::harwell_boeing:
      write_harwell_boeing(file, matrices[0]);
      if (matrices[0].name.size() > harwell_boeing_key_length)
        remarks.push_back("The name of a matrix in a Harwell-Boeing file has 8 characters: " +
                          printable(matrices[0].name) + " was cut off there.");
      break;
    case FileFormat::petsc:
      write_petsc(file, matrices);
      if (matrices.size() > 1)
        remarks.push_back(
            "Files of PETSc have no names of matrices: they are told by their order, FILE:1, "
            "FILE:2, ...");
      break;
    case FileFormat::calculix:
      write_calculix(file, matrices[0]);
      break;
    case FileFormat::abaqus_coordinate:
      write_abaqus_coordinate(file, matrices[0]);
      break;
    case FileFormat::abaqus_matrix_input:
      write_abaqus_matrix_input(file, matrices);
      break;
    case FileFormat::nastran_op4:
      write_op4_text(file, matrices);
      break;
    case FileFormat::nastran_dmig:
      if (const double error = write_nastran_dmig(file, matrices); error > 0)
        remarks.push_back(
            "The fields of DMIG cards have 16 characters: entries were rounded, "
            "with relative errors of up to " +
            number_text(error) + ".");
      break;
    default:
      throw InvalidInput(std::string("Files of the format ") + name_of(format) +
                         " can be read, but not written. Choose another format.");
  }
  return remarks;
}

void write_dof_labels(const std::filesystem::path& file, const std::vector<FileDoF>& dofs) {
  AtomicFile out(file);
  for (const FileDoF& dof : dofs)
    out.write(std::to_string(dof.node) + " " + std::to_string(dof.component) + "\n");
  out.commit();
}

}  // namespace halfdof::internal
