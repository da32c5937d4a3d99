// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model.h"
#include <filesystem>
#include <vector>

namespace halfdof::cli {

/// Checks that the extension of a file is one that write_shapes() knows. @throws InvalidInput
void check_shapes_file(const std::filesystem::path& file);

/**
 * Computes eigenvectors and writes them, one column for each eigenvalue, by the extension of the file: .mtx
 * (Matrix Market, a complex array), .npz (NumPy: arrays `eigenvalues` and `shapes`) or .mat (MATLAB: the
 * same). Warns on standard error of columns that repeat others, and of columns that are not accurate.
 */
void write_shapes(const std::filesystem::path& file, const ReducedSystem<Engine>& reduced,
                  const std::vector<Complex>& eigenvalues);

}  // namespace halfdof::cli
