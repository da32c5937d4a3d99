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
 * Matrices M, C and K as other programs write them. The content of a file says which format it has. Its
 * extension decides only between CalculiX (.sti, .mas, .con, .sph, .str) and Abaqus, whose lists look alike.
 * Text files may be compressed with gzip.
 *
 * What a matrix is follows from its name in the file, and where it has none there from the name of the file
 * (upper and lower case alike):
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
 * constraint and constraints, between other characters than letters or with a capital at its beginning
 * (`rotorMassMatrix.txt`). Digits at the end of a word are ignored (`beam_STIF1.mtx` is K). Names that say
 * two different roles are refused: words of the name of a file (`damping_stiffness.mtx`), and the name of a
 * file beside that of the only matrix in it (`damping.mat` with the variable `A`). `FILE:NAME` names one
 * matrix of a file that holds several; then NAME alone decides if it has a role.
 *
 * In a file of several matrices, those that are not n x n are no M, C, K or H, and those without n columns no
 * constraints; remarks name them.
 */
namespace halfdof {

/// Formats of files of matrices.
enum class FileFormat {
  matrix_market,
  calculix,
  abaqus_coordinate,
  abaqus_matrix_input,
  nastran_dmig,
  nastran_op4,
  harwell_boeing,
  matlab,
  numpy_npz,
  numpy_npy,
  petsc,
};

/// Returns a name for messages, such as "CalculiX matrix storage".
const char* name_of(FileFormat format);

/// Recognizes the format of a file. @throws FileError if it is none of them; the message names all
FileFormat format_of(const std::filesystem::path& file);

/// Everything that a set of files says about a model. All square matrices have the same size and order of
/// DoFs.
struct ModelMatrices {
  std::optional<Eigen::SparseMatrix<double>> mass;                ///< M
  std::optional<Eigen::SparseMatrix<double>> damping;             ///< C
  std::optional<Eigen::SparseMatrix<double>> stiffness;           ///< K
  std::optional<Eigen::SparseMatrix<double>> structural_damping;  ///< K_i of K + i K_i
  std::optional<Eigen::SparseMatrix<double>> imaginary_damping;   ///< C_i of C + i C_i
  std::optional<Eigen::SparseMatrix<double>> constraints;         ///< G of G q = 0: k x n_dofs
  DoFLabels labels;                  ///< node and component of every DoF; empty if no file says them
  std::vector<std::string> formats;  ///< name_of() the format of each file, in their order
  std::vector<std::string> remarks;  ///< what a user should know, one sentence or more each
};

/// Files whose roles are known. An empty path is a file that was not given; a path may be `FILE:NAME`.
struct MatrixFiles {
  std::filesystem::path mass, damping, stiffness;
  std::filesystem::path dofs = {};  ///< a list of the DoFs, see read_model()
};

/**
 * Reads files whose roles follow from names.
 *
 * Where the files label the DoFs of their rows by node and component and do so differently, the DoFs of all
 * matrices are united in ascending order of node and component, and rows that a matrix does not have are
 * empty. Remarks say how many. Abaqus coordinate lists do not say their size; the smaller ones are enlarged
 * by empty rows at the end. Files in which labels alone say the order of the DoFs (DMIG, Abaqus matrix input)
 * and files without labels are combined only with a list of the DoFs.
 *
 * @param dofs A list as read_dof_labels() reads it; empty: none. It is in the order of the rows of matrices
 * without labels. Matrices with labels are brought to its order, if it lists theirs; if it lists none of
 * them, and all matrices have labels, it replaces them row by row, which a remark says.
 *
 * @throws FileError for a file that is wrong
 * @throws InvalidInput if a file that holds one matrix has a name that fits no role or two, if two matrices
 * have the same role, if sizes differ, or if labels repeat within a file where they have to be united. In a
 * file of several matrices, those without a role are named in a remark.
 */
ModelMatrices read_model(const std::vector<std::filesystem::path>& files,
                         const std::filesystem::path& dofs = {});

/// Reads files whose roles are given. The imaginary part of a complex K is its structural damping; a complex
/// matrix without an imaginary part other than zero is real. A complex mass is refused.
ModelMatrices read_matrices(const MatrixFiles& files);

/// Reads one matrix of any format. @param file The file, or `FILE:NAME` for one matrix of several
/// @throws FileError if the file holds several matrices and no name is given, or if the matrix is complex
Eigen::SparseMatrix<double> read_matrix(const std::filesystem::path& file);

/// Reads a matrix of one column of any format. @throws FileError as read_matrix(), or if it has several
/// columns
Vector read_vector(const std::filesystem::path& file);

/**
 * Reads the labels of DoFs in one of these forms: `node component` a line, the component a number 0 ... 6 or
 * a word such as x, y, z, rx, ry, rz; `node.component` a line (CalculiX' .dof); or, in Matrix Market format,
 * n_dofs / k node numbers, each for k = 1, 2, 3 or 6 DoFs (ANSYS' vector of DoFs). `#` begins a comment in
 * the first two.
 * @throws FileError with the line if it has another form, or not one label for each DoF
 */
DoFLabels read_dof_labels(const std::filesystem::path& file, GlobalIndex n_dofs);

/**
 * Reads the DoFs listed in a text file, in its order: one 0-based assembled index per line, `#` begins a
 * comment, blank lines are ignored:
 *
 * @code{.unparsed}
 * # clamped end
 * 0
 * 1    # y
 * @endcode
 *
 * A DoF that is listed twice, such as the corner of two clamped edges, is returned once.
 * @throws FileError with the line if an index is not a whole number, negative, or not below n_dofs (if given)
 */
std::vector<Index> read_dof_list(const std::filesystem::path& file,
                                 std::optional<GlobalIndex> n_dofs = std::nullopt);

/// Reads such a list, in which a line may also name a DoF by the node and component in `labels`: `12:x`, or
/// `12:1`. @throws FileError with the line also if no DoF, or more than one, has such a label
std::vector<Index> read_dof_list(const std::filesystem::path& file, GlobalIndex n_dofs,
                                 const DoFLabels& labels);

/// Writes such a file; `comment` may have several lines.
void write_dof_list(const std::filesystem::path& file, const std::vector<Index>& dofs,
                    const std::string& comment = "");

}  // namespace halfdof
