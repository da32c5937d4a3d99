// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/spectrum/structurally_damped_modes.h>

#include "model.h"
#include <filesystem>
#include <vector>

namespace halfdof::cli {

/// Where shapes are written, and the mesh that a .vtu file takes them on.
struct ShapesOutput {
  std::filesystem::path file, mesh;  ///< empty: not asked for
};

/// Checks that the extension of the file is one that write_shapes() knows, and that a mesh is given for .vtu
/// and only for it. @throws InvalidInput
void check_shapes_output(const ShapesOutput& output);

/**
 * Computes eigenvectors and writes them, one column for each eigenvalue, by the extension of the file: .mtx
 * (Matrix Market, a complex array), .npz (NumPy: arrays `eigenvalues` and `shapes`), .mat (MATLAB: the same),
 * or .vtu (VTK, by node and component on a mesh: a vector for each mode, or two, the real and the imaginary
 * part, where it is complex). Warns on standard error of columns that repeat others, and of columns that are
 * not accurate.
 */
void write_shapes(const ShapesOutput& output, const ReducedSystem<Engine>& reduced,
                  const std::vector<Complex>& eigenvalues);

/// Writes the shapes of the modes of a system with structural damping in the same way.
void write_shapes(const ShapesOutput& output, const StructurallyDampedSystem<Engine>& system,
                  const ReducedSystem<Engine>& of_embedding, const StructurallyDampedModes& modes);

}  // namespace halfdof::cli
