// SPDX-License-Identifier: LGPL-2.1-or-later
#include "structural_damping.h"

#include <halfdof/assembled/files/fortran_fields.h>
#include <halfdof/assembled/files/model_files.h>
#include <halfdof/base/errors.h>
#include <halfdof/base/printable.h>

#include <cmath>

namespace halfdof::cli {

using namespace internal;

const char* const no_motion_of_a_case =
    "The matrices of the case have structural damping: the stiffness or the damping is complex. It describes "
    "harmonic motion only, since structural damping has no causal motion in time, and cases are motions. For "
    "modes and responses, give the files to `halfdof modes` and `halfdof response` by --model or "
    "--stiffness. "
    "For motions, replace a loss factor by Prony branches over the band of interest, which are viscous half "
    "DoFs (`halfdof prony`, then prony in [system]), or leave the structural damping out.";

StructuralDampingTerm structural_damping_from(const std::string& text, const std::string& place) {
  const auto factor_of = [&](std::string_view number) {
    const std::optional<double> factor = real_number(number);
    if (factor && (!std::isfinite(*factor) || *factor == 0))
      throw InvalidInput(place + " has the factor " + std::string(number) +
                         ". A loss factor is finite and not zero; leave it out for no damping.");
    return factor;
  };
  if (text.empty()) throw InvalidInput(place + " is empty. Give a loss factor, FILE or FACTOR*FILE.");
  if (const auto factor = factor_of(text)) {
    if (*factor < 0)
      throw InvalidInput(place + " is " + text + ". A loss factor of the whole stiffness is positive.");
    return {*factor, {}};
  }
  const std::size_t star = text.find('*');
  if (star == std::string::npos) return {1, text};
  const auto factor = factor_of(std::string_view(text).substr(0, star));
  if (!factor || star + 1 == text.size())
    throw InvalidInput(place + " is " + printable(text) +
                       ". Give a loss factor such as 0.02, a file, or FACTOR*FILE such as 0.05*rubber.mtx.");
  return {*factor, text.substr(star + 1)};
}

void add_structural_damping(const std::vector<StructuralDampingTerm>& terms,
                            const Eigen::SparseMatrix<double>& stiffness,
                            std::optional<Eigen::SparseMatrix<double>>& imaginary) {
  for (const StructuralDampingTerm& term : terms) {
    const Eigen::SparseMatrix<double> matrix = term.file.empty() ? stiffness : read_matrix(term.file);
    if (matrix.rows() != stiffness.rows() || matrix.cols() != stiffness.cols())
      throw InvalidInput("The structural damping " + printable(term.file.string()) + " is " +
                         std::to_string(matrix.rows()) + " x " + std::to_string(matrix.cols()) +
                         ", but the stiffness is " + std::to_string(stiffness.rows()) + " x " +
                         std::to_string(stiffness.cols()) +
                         ". Write it for the same degrees of freedom in the same order.");
    imaginary = imaginary ? Eigen::SparseMatrix<double>(*imaginary + term.factor * matrix)
                          : Eigen::SparseMatrix<double>(term.factor * matrix);
  }
}

}  // namespace halfdof::cli
