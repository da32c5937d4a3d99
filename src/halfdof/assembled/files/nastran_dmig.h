// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/files/file_matrix.h>

#include <filesystem>
#include <vector>

/**
 * @file
 * Matrices of DMIG cards (MSC Nastran Quick Reference Guide, DMIG), as Nastran and OptiStruct punch them
 * (`PARAM,EXTOUT,DMIGPCH`) and ANSYS exports them:
 *
 * @code{.unparsed}
 * DMIG    KAAX           0       6       2       0                              name, 0, IFO, TIN, TOUT
 * DMIG*   KAAX                         101               1                      column: node, component
 * *                    101               1 1.556000000D+02                      row: node, component, value
 * @endcode
 *
 * IFO is 1 (square), 6 (symmetric: one triangle), 2 or 9 (rectangular). TIN is 1 or 2 (real), 3 or 4
 * (complex: two numbers, with POLAR = 1 amplitude and phase in degrees). Fields are 8 or 16 characters wide
 * (cards with `*`), or separated by commas. Exponents may be written D+02 or, without a letter, 7.27-4.
 * Component 0 is a scalar point. The rows of the matrix are sorted in ascending order of node and component.
 * The columns of a rectangular matrix have labels of their own; with IFO = 9, the field of the node is the
 * number of the column, 1 to NCOL. Other cards and comments ($) are skipped. A file that is cut off at the
 * end of a card cannot be distinguished from a complete file.
 */
namespace halfdof::internal {

/// Reads all matrices in the order of their header cards.
/// @throws FileError with the line if a card is wrong, if a matrix has no header card or two header cards, or
///     if a symmetric matrix lists both a_ij and a_ji
std::vector<FileMatrix> read_nastran_dmig(const std::filesystem::path& file);

}  // namespace halfdof::internal
