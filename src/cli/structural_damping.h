// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/assembled_system.h>

#include <Eigen/SparseCore>

#include "prony_branches.h"
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

/// Reads a matrix in the order of the DoFs of a model: by node and component if the file has labels, and as
/// it is otherwise. @param noun Names the matrix in messages: "structural damping"
/// @throws InvalidInput if its size, or a label, is not that of the model
Eigen::SparseMatrix<double> read_in_order_of(const DoFLabels& labels, Eigen::Index n_dofs,
                                             const std::filesystem::path& file, const std::string& noun);

/// Reads an imaginary stiffness in the same way: a real matrix, or the imaginary part of a complex one.
Eigen::SparseMatrix<double> read_losses_in_order_of(const DoFLabels& labels, Eigen::Index n_dofs,
                                                    const std::filesystem::path& file);

/// Reads constraints, whose columns are put in the order of the DoFs of a model if the file has labels, and
/// left as they are otherwise. Rows keep their order. @throws InvalidInput if a label is not that of the
/// model
Eigen::SparseMatrix<double> read_constraint_rows(const DoFLabels& labels, Eigen::Index n_dofs,
                                                 const std::filesystem::path& file);

/// Adds terms to an imaginary stiffness. @throws InvalidInput as read_losses_in_order_of()
void add_structural_damping(const std::vector<StructuralDampingTerm>& terms,
                            const Eigen::SparseMatrix<double>& stiffness, const DoFLabels& labels,
                            std::optional<Eigen::SparseMatrix<double>>& imaginary);

/// Refuses structural damping of a stiffness that also relaxes with a Prony series, whose losses would add
/// up. @param is_complex The files of the model hold structural damping, too
/// @returns whether both are given, so that only the user knows if they act on different elements
bool check_counted_once(const std::vector<StructuralDampingTerm>& terms, bool is_complex,
                        const std::vector<PronyPart>& prony);

/// Warns on standard error that structural damping and Prony series may act on the same elements.
void warn_of_added_losses();

/// Why a motion in time of a model with structural damping is refused, and what to do.
extern const char* const no_motion_of_a_case;

}  // namespace halfdof::cli
