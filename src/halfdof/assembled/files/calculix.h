// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/files/file_matrix.h>

#include <filesystem>
#include <string>
#include <vector>

/**
 * @file
 * Matrices that CalculiX stores with `*FREQUENCY, SOLVER=MATRIXSTORAGE` (source matrixstorage.c of its
 * version 2.20): `JOB.sti` holds K and `JOB.mas` holds M (heat conduction: `.con` and `.sph`; buckling:
 * `.str`), one entry `row column value` a line, counted from one: the upper triangle of a symmetric matrix,
 * column by column, each column up to its diagonal, zeros included. `JOB.dof` names the degree of freedom of
 * each row as `node.component`, where 5.10 is component 10 of node 5. CalculiX has already eliminated single-
 * and multi-point constraints. With cyclic symmetry the matrix is the real form [R -I; I R] of a Hermitian
 * one, and `.dof` has a line for each row of R; both halves get its labels. Beams and shells are expanded to
 * solids there, whose new nodes `.dof` calls by the node of the beam, so labels may repeat.
 */
namespace halfdof::internal {

/// Returns whether an extension (of "b.sti.gz": .sti) is one of those above, without .dof; capitals or not.
bool has_calculix_extension(const std::filesystem::path& file);

/// Returns the name without .gz.
std::filesystem::path without_gz(const std::filesystem::path& file);

/// Returns the extension without .gz in small letters: ".sti" of "B.STI.gz".
std::string lower_case_extension(const std::filesystem::path& file);

/// Returns the name of the list of degrees of freedom beside a matrix: JOB.DOF if there is no JOB.dof.
std::filesystem::path list_of_dofs_of(const std::filesystem::path& matrix);

/// Whether a file is a list of degrees of freedom (.dof).
bool is_list_of_dofs(const std::filesystem::path& file);

/// Reads one matrix, and its degrees of freedom if `JOB.dof` lies beside it.
/// @throws FileError if an entry lies below the diagonal, if the last entry is not on the diagonal (the file
/// is cut off), or if `.dof` has neither n nor n/2 lines
std::vector<FileMatrix> read_calculix(const std::filesystem::path& file);

}  // namespace halfdof::internal
