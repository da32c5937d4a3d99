#pragma once

#include <halfdof/base/file_error.h>
#include <halfdof/base/types.h>

#include <Eigen/SparseCore>

#include <filesystem>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace halfdof {

/// A named variable of a MATLAB file: a matrix (real, complex or sparse; a vector is n x 1), or text.
class MatlabVariable {
 public:
  using Sparse = Eigen::SparseMatrix<double>;
  using Value = std::variant<MultiVector, ComplexMultiVector, Sparse, std::string>;

  MatlabVariable(std::string name, ConstView<double> matrix)
      : name_(std::move(name)), value_(MultiVector(matrix)) {}
  MatlabVariable(std::string name, ConstView<Complex> matrix)
      : name_(std::move(name)), value_(ComplexMultiVector(matrix)) {}
  MatlabVariable(std::string name, Sparse matrix) : name_(std::move(name)), value_(std::move(matrix)) {}
  MatlabVariable(std::string name, std::string text) : name_(std::move(name)), value_(std::move(text)) {}

  const std::string& name() const { return name_; }
  const Value& value() const { return value_; }

 private:
  std::string name_;
  Value value_;
};

/**
 * Writes a MATLAB file (.mat, version 5, uncompressed), which MATLAB, Octave and SciPy load:
 *
 * @code
 * write_matlab_file("mount.mat", {{"A", A}, {"B", B}, {"K", stiffness}, {"state_order", "q_I, q_C, v_I"}});
 * @endcode
 *
 * Stored zeros of sparse matrices stay stored. The file appears only when it is complete (see AtomicFile).
 *
 * @throws InvalidInput if a name is no MATLAB identifier (a letter, then letters, digits and underscores, at
 * most 63) or is used twice, if text is not ASCII, or if a variable exceeds the 2 GiB that version 5 admits
 * @throws FileError if the file cannot be written
 */
void write_matlab_file(const std::filesystem::path& file, const std::vector<MatlabVariable>& variables);

}  // namespace halfdof
