// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <Eigen/SparseCore>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace halfdof::cli {

/// A term of the imaginary stiffness: a factor times the matrix of a file, or times the stiffness.
struct StructuralDampingTerm {
  double factor = 1;
  std::filesystem::path file;  ///< empty: the stiffness of the model
};

/// Returns the term for "0.02" (a loss factor of the whole stiffness), "K4.mtx" or "0.05*rubber.mtx".
/// @param place Names the option or key in messages @throws InvalidInput
StructuralDampingTerm structural_damping_from(const std::string& text, const std::string& place);

/// Adds terms to an imaginary stiffness. @throws InvalidInput if a matrix has another size than K
void add_structural_damping(const std::vector<StructuralDampingTerm>& terms,
                            const Eigen::SparseMatrix<double>& stiffness,
                            std::optional<Eigen::SparseMatrix<double>>& imaginary);

/// Why a case, which describes a motion in time, is refused, and what to do.
extern const char* const no_motion_of_a_case;

}  // namespace halfdof::cli
