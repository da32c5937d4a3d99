// SPDX-License-Identifier: LGPL-2.1-or-later
#include "shapes_file.h"

#include <halfdof/assembled/files/numpy_files.h>
#include <halfdof/base/atomic_file.h>
#include <halfdof/base/errors.h>
#include <halfdof/base/letter_case.h>
#include <halfdof/base/printable.h>
#include <halfdof/output/result_files.h>
#include <halfdof/spectrum/mode_shapes.h>

#include <iostream>

namespace halfdof::cli {

using namespace internal;

namespace {

void write_market(const std::filesystem::path& file, const ComplexMultiVector& shapes) {
  AtomicFile out(file);
  out.write("%%MatrixMarket matrix array complex general\n");
  out.write(std::to_string(shapes.rows()) + " " + std::to_string(shapes.cols()) + "\n");
  for (Eigen::Index j = 0; j < shapes.cols(); ++j)
    for (Eigen::Index i = 0; i < shapes.rows(); ++i) {
      out.write(shapes(i, j).real());
      out.write(" ");
      out.write(shapes(i, j).imag());
      out.write("\n");
    }
  out.commit();
}

void write(const std::filesystem::path& file, const std::vector<Complex>& eigenvalues,
           const ComplexMultiVector& shapes) {
  const std::string extension = lower_case(file.extension().string());
  ComplexMultiVector values(shapes.cols(), 1);
  for (Eigen::Index j = 0; j < shapes.cols(); ++j)
    values(j, 0) = eigenvalues[static_cast<std::size_t>(j)];
  if (extension == ".mtx")
    write_market(file, shapes);
  else if (extension == ".npz")
    write_npz(file, {{"eigenvalues", values}, {"shapes", shapes}});
  else
    write_matlab_file(file, {{"eigenvalues", values}, {"shapes", shapes}});
}

}  // namespace

void check_shapes_file(const std::filesystem::path& file) {
  const std::string extension = lower_case(file.extension().string());
  if (!file.empty() && extension != ".mtx" && extension != ".npz" && extension != ".mat")
    throw InvalidInput("--shapes names " + printable(file.string()) +
                       ". Give it the extension .mtx, .npz or .mat, which says the format.");
}

void write_shapes(const std::filesystem::path& file, const ReducedSystem<Engine>& reduced,
                  const std::vector<Complex>& eigenvalues) {
  constexpr double largest_residual = 1e-6;
  const ModeShapes found = shapes_of(reduced, eigenvalues);
  write(file, eigenvalues, found.shapes);
  if (found.n_repeated > 0)
    std::cerr << "halfdof: warning: " << found.n_repeated << " of the " << eigenvalues.size()
              << " shapes are combinations of others, as their eigenvalues have fewer eigenvectors than "
                 "copies (a rigid motion counts twice).\n";
  for (std::size_t j = 0; j < eigenvalues.size(); ++j)
    if (!(found.residuals[j] <= largest_residual))
      std::cerr << "halfdof: warning: Shape " << j << " (counted from 0), of the eigenvalue "
                << eigenvalues[j].real() << " + " << eigenvalues[j].imag()
                << " i, satisfies its equation only to " << found.residuals[j] << ".\n";
}

}  // namespace halfdof::cli
