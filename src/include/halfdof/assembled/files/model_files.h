// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/assembled_system.h>
#include <halfdof/base/errors.h>
#include <halfdof/base/types.h>

#include <Eigen/SparseCore>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

/**
 * @file
 * Matrices M, C and K in files of other programs. The format of a file is recognized by its content. The
 * extension decides only between CalculiX (.sti, .mas, .con, .sph, .str) and Abaqus, whose lists of entries
 * have the same form. Text files may be compressed with gzip.
 *
 * The role of a matrix follows from its name in the file, or, if the matrix has no name there, from the name
 * of the file. Upper and lower case are not distinguished:
 *
 * | role | name of a matrix, or last part of the name of a file |
 * |---|---|
 * | mass M | M, MASS, MAA, MAAX, MGG, MXX; file *.mas |
 * | damping C | C, D, B, DAMP, DAMPING, DMPV, BAA, BAAX, BGG, BXX; E beside M and K; file *.sph |
 * | stiffness K | K, STIF, STIFF, STIFFNESS, KAA, KAAX, KGG, KXX; file *.sti or *.con |
 * | structural damping K_i | K4, DMPS, K4AA, K4AAX, K4GG, K4XX; the imaginary part of a complex K |
 * | constraints G q = 0 | G, A, CONSTRAINTS |
 *
 * A name of a file may also contain one of the words mass, stif, stiff, stiffness, damp, damping, structural,
 * constraint and constraints, if the word is separated by characters other than letters or begins with a
 * capital (`rotorMassMatrix.txt`). Digits at the end of a word are ignored (`beam_STIF1.mtx` is K). An error
 * is thrown if two words of the name of a file mean different roles (`damping_stiffness.mtx`), or if the name
 * of a file and the name of the only matrix in it mean different roles (`damping.mat` with the variable `A`).
 * `FILE:NAME` selects one matrix of a file with several matrices. If NAME is a known name, it determines the
 * role without the name of the file.
 *
 * In a file of several matrices, matrices that are not n x n are not used as mass, damping, stiffness or
 * structural damping, and matrices without n columns are not used as constraints, where n is the number of
 * DoFs. Remarks name the matrices that are not used.
 */
namespace halfdof {

/// The supported formats of files with matrices.
enum class FileFormat {
  matrix_market,
  calculix,
  abaqus_coordinate,
  abaqus_matrix_input,
  nastran_dmig,
  nastran_op4,
  harwell_boeing,
  matlab,
  matlab_hdf5,  ///< version 7.3
  numpy_npz,
  numpy_npy,
  petsc,
};

/// Returns a name for messages, such as "CalculiX matrix storage".
const char* name_of(FileFormat format);

/// Recognizes the format of a file by its content. @throws FileError if the format is unknown; the message
/// lists the known formats
FileFormat format_of(const std::filesystem::path& file);

/// The matrices and labels of a model that were read from files. All square matrices have the same size and
/// the same order of DoFs.
struct ModelMatrices {
  std::optional<Eigen::SparseMatrix<double>> mass;                ///< M
  std::optional<Eigen::SparseMatrix<double>> damping;             ///< C
  std::optional<Eigen::SparseMatrix<double>> stiffness;           ///< K
  std::optional<Eigen::SparseMatrix<double>> structural_damping;  ///< K_i of K + i K_i
  std::optional<Eigen::SparseMatrix<double>> imaginary_damping;   ///< C_i of C + i C_i
  std::optional<Eigen::SparseMatrix<double>> constraints;         ///< G of G q = 0: k x n_dofs
  DoFLabels labels;                  ///< node and component of every DoF; empty if no file has labels
  std::vector<std::string> formats;  ///< the name of the format of each file, in the order of the files
  std::vector<std::string> remarks;  ///< remarks for the user, such as matrices that were not used
};

/// The files of matrices with given roles. An empty path means that the matrix is not given. A path may be
/// `FILE:NAME`.
struct MatrixFiles {
  std::filesystem::path mass, damping, stiffness;
  std::filesystem::path dofs = {};  ///< a list of the DoFs, see read_model()
};

/**
 * Reads the matrices of a model from files. The role of each matrix follows from its name or from the name of
 * its file.
 *
 * If the files label the DoFs of their rows by node and component, and the labels of two files differ, the
 * DoFs of all matrices are merged in ascending order of node and component. Rows that a matrix does not have
 * are added without entries, and remarks give their number. Abaqus coordinate lists do not state the size of
 * the matrix; smaller matrices are enlarged by empty rows and columns at the end. Files in which the order of
 * the DoFs follows from labels alone (DMIG, Abaqus matrix input) can be combined with files without labels
 * only if a list of the DoFs is given.
 *
 * @param dofs A list of the DoFs, see read_dof_labels(), or an empty path. The list has the order of the rows
 *     of matrices without labels. Matrices with labels are rearranged in the order of the list if the list
 *     contains their labels. If all matrices have labels and the list contains none of them, the list
 *     replaces the labels row by row, and a remark says so.
 *
 * @throws FileError if a file violates its format
 * @throws InvalidInput if the role of the only matrix of a file is unknown or ambiguous, if two matrices have
 *     the same role, if sizes differ, or if labels repeat within a file whose DoFs have to be merged with
 *     others. Matrices without a role in a file of several matrices are named in a remark.
 */
ModelMatrices read_model(const std::vector<std::filesystem::path>& files,
                         const std::filesystem::path& dofs = {});

/// Reads files of matrices with given roles. The imaginary part of a complex K is its structural damping. A
/// complex matrix whose imaginary part is zero counts as real. A complex mass is rejected with InvalidInput.
ModelMatrices read_matrices(const MatrixFiles& files);

/// Reads one matrix of any format. @param file The file, or `FILE:NAME` for one matrix of a file with several
/// matrices
/// @throws FileError if the file holds several matrices and no name is given, or if the matrix is complex
Eigen::SparseMatrix<double> read_matrix(const std::filesystem::path& file);

/// Reads a matrix of one column of any format. @throws FileError as read_matrix(), and if the matrix does not
/// have one column
Vector read_vector(const std::filesystem::path& file);

/**
 * Reads the labels of DoFs from a file in one of three forms:
 *
 * * lines `node component`, where the component is a number 0 ... 6 or a word such as x, y, z, rx, ry, rz;
 * * lines `node.component` (the .dof files of CalculiX);
 * * a vector of n_dofs / k node numbers in Matrix Market format, each for k = 1, 2, 3 or 6 DoFs (the vector
 *   of DoFs of ANSYS).
 *
 * The character `#` begins a comment in the first two forms.
 * @throws FileError with the line if the file has another form, or if the number of labels is not n_dofs
 */
DoFLabels read_dof_labels(const std::filesystem::path& file, GlobalIndex n_dofs);

/**
 * Reads a list of DoFs from a text file. Each line is a 0-based assembled index, `#` begins a comment, and
 * blank lines are ignored:
 *
 * @code{.unparsed}
 * # clamped end
 * 0
 * 1    # y
 * @endcode
 *
 * The result has the order of the file. A DoF that is listed twice, such as the corner of two clamped edges,
 * is returned once.
 * @throws FileError with the line if an index is not a whole number, negative, or not below n_dofs (if given)
 */
std::vector<Index> read_dof_list(const std::filesystem::path& file,
                                 std::optional<GlobalIndex> n_dofs = std::nullopt);

/// Reads a list of DoFs in which a line may be an index or the node and component of a DoF in `labels`:
/// `12:x` or `12:1`. @throws FileError with the line if an index is wrong, or if not exactly one DoF has the
/// label
std::vector<Index> read_dof_list(const std::filesystem::path& file, GlobalIndex n_dofs,
                                 const DoFLabels& labels);

/// Writes a list of DoFs that read_dof_list() can read. The comment may have several lines.
void write_dof_list(const std::filesystem::path& file, const std::vector<Index>& dofs,
                    const std::string& comment = "");

}  // namespace halfdof
