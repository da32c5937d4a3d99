// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/files/file_matrix.h>

#include <filesystem>
#include <vector>

/**
 * @file
 * Matrices that Abaqus writes with `*MATRIX GENERATE` and `*MATRIX OUTPUT` (Abaqus Analysis User's Guide,
 * Generating structural matrices): JOB_MASS1.mtx, JOB_STIF1.mtx, JOB_DMPV1.mtx (viscous damping) and
 * JOB_DMPS1.mtx (structural damping). Files with FORMAT=COORDINATE list `row column value`, counted from one.
 * The largest index is taken as the size of the matrix, so that a mass matrix may have fewer rows than the
 * stiffness matrix. Lines that begin with `*` are comments. Files with FORMAT=MATRIX INPUT list `node,
 * component, node, component, value`, where internal nodes of Abaqus have negative numbers. The rows of the
 * matrix are then sorted in ascending order of node and component.
 *
 * Neither format needs to say whether the matrix is symmetric. If a_ij and a_ji are both listed for some i !=
 * j, the list contains all entries. Otherwise the list is one triangle of a symmetric matrix; Abaqus has the
 * same rule for `*MATRIX INPUT`. A list in FORMAT=COORDINATE is rejected if it has entries in both triangles,
 * but a_ij and a_ji for no pair. A file that is cut off at the end of a line cannot be distinguished from a
 * complete file.
 */
namespace halfdof::internal {

std::vector<FileMatrix> read_abaqus_coordinate(const std::filesystem::path& file);
std::vector<FileMatrix> read_abaqus_matrix_input(const std::filesystem::path& file);

}  // namespace halfdof::internal
