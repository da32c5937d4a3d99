// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/files/file_matrix.h>

#include <filesystem>
#include <string>
#include <vector>

/**
 * @file
 * Matrices that CalculiX stores with `*FREQUENCY, SOLVER=MATRIXSTORAGE` (see matrixstorage.c of CalculiX
 * 2.20). `JOB.sti` contains K and `JOB.mas` contains M (heat conduction: `.con` and `.sph`; buckling:
 * `.str`). Each line is an entry `row column value`, counted from one. The lines list the upper triangle of a
 * symmetric matrix column by column, each column up to its diagonal, zeros included. `JOB.dof` names the
 * degree of freedom of each row as `node.component`, where 5.10 is component 10 of node 5. CalculiX has
 * already eliminated single- and multi-point constraints. With cyclic symmetry, the matrix is the real form
 * [R -I; I R] of a Hermitian matrix R + iI, and `.dof` has one line for each row of R; both halves of the
 * rows get these labels. CalculiX expands beams and shells to solids and labels the new nodes with the node
 * of the beam, so that labels may repeat.
 */
namespace halfdof::internal {

/// Whether the extension of a file (of "b.sti.gz": .sti) is an extension of matrices of CalculiX: .sti, .mas,
/// .con, .sph or .str, in small letters or capitals.
bool has_calculix_extension(const std::filesystem::path& file);

/// Returns the name without .gz.
std::filesystem::path without_gz(const std::filesystem::path& file);

/// Returns the extension without .gz in small letters: ".sti" of "B.STI.gz".
std::string lower_case_extension(const std::filesystem::path& file);

/// Returns the name of the list of degrees of freedom that belongs to a matrix: JOB.DOF if this file exists
/// and JOB.dof does not, otherwise JOB.dof.
std::filesystem::path list_of_dofs_of(const std::filesystem::path& matrix);

/// Whether a file is a list of degrees of freedom (.dof).
bool is_list_of_dofs(const std::filesystem::path& file);

/// Reads one matrix, and its degrees of freedom if `JOB.dof` exists in the same directory.
/// @throws FileError if an entry lies below the diagonal, if the last entry is not on the diagonal (the file
/// is cut off), or if `.dof` has neither n nor n/2 lines
std::vector<FileMatrix> read_calculix(const std::filesystem::path& file);

}  // namespace halfdof::internal
