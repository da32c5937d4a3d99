// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/files/file_matrix.h>

#include <filesystem>
#include <vector>

/**
 * @file
 * Matrices that Abaqus writes with `*MATRIX GENERATE` and `*MATRIX OUTPUT` (Abaqus Analysis User's Guide,
 * Generating structural matrices): JOB_MASS1.mtx, JOB_STIF1.mtx, JOB_DMPV1.mtx (viscous damping) and
 * JOB_DMPS1.mtx (structural damping). Files with FORMAT=COORDINATE list `row column value`, counted from one;
 * the largest index is the size, so a mass matrix may have fewer rows than the stiffness. Files with
 * FORMAT=MATRIX INPUT list `node, component, node, component, value`; Abaqus gives its internal nodes
 * negative numbers. Rows are then in ascending order of node and component. Lines that begin with `*` are
 * comments.
 *
 * Neither layout says whether the matrix is symmetric. If a_ij and a_ji are both listed for some i != j, the
 * list is complete. If they are for no pair, the list is one triangle of a symmetric matrix: for
 * `*MATRIX INPUT` Abaqus has the same rule. A list by `row column value` with entries in both triangles and
 * without a pair is refused. A file that is cut off at the end of a line cannot be told from a complete one.
 */
namespace halfdof::internal {

std::vector<FileMatrix> read_abaqus_coordinate(const std::filesystem::path& file);
std::vector<FileMatrix> read_abaqus_matrix_input(const std::filesystem::path& file);

}  // namespace halfdof::internal
