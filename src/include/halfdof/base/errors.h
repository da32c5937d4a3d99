// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

#include <filesystem>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

/**
 * @file
 * The exceptions of the library. Every message answers four questions: which quantity, which degrees of
 * freedom, what was found, and what to do. Invalid input throws in every build type; `assert` checks only the
 * internal logic of the library.
 */
namespace halfdof {

/// Base class of all exceptions that the library defines. Its constructor replaces control characters
/// in the message by escape sequences (printable()), because a message may quote names from files.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message);
};

/// Thrown if input data, a file or an option is invalid. Nothing was computed.
class InvalidInput : public Error {
 public:
  using Error::Error;
};

/// Thrown if a valid request cannot be met for this system, engine or size.
class NotAvailable : public Error {
 public:
  using Error::Error;
};

/// A square matrix could not be factorized, or is singular to working precision.
class SingularMatrix : public Error {
 public:
  using Error::Error;
};

/// An iteration stopped before it reached its tolerance.
class NoConvergence : public Error {
 public:
  NoConvergence(const std::string& message, double residual) : Error(message), residual_(residual) {}
  double residual() const { return residual_; }

 private:
  double residual_;
};

/// Thrown if the state of an integrator becomes infinite, NaN or implausibly large; the step was
/// undone.
class BlowUp : public Error {
 public:
  BlowUp(const std::string& message, double time, GlobalIndex dof) : Error(message), time_(time), dof_(dof) {}

  /// Time at the end of the failed step [s].
  double time() const { return time_; }
  /// The (worst) degree of freedom, in assembled numbering.
  GlobalIndex dof() const { return dof_; }

 private:
  double time_;
  GlobalIndex dof_;
};

/// At some state of a nonlinear system, the tangent mass or damping of a degree of freedom vanishes, so that
/// the DoF is not of the declared kind, and the number of states would change.
class KindChange : public Error {
 public:
  KindChange(const std::string& message, double time, GlobalIndex dof)
      : Error(message), time_(time), dof_(dof) {}

  /// Time of the state at which the kind would change [s].
  double time() const { return time_; }
  /// The first degree of freedom whose kind would change, in assembled numbering.
  GlobalIndex dof() const { return dof_; }

 private:
  double time_;
  GlobalIndex dof_;
};

/// Some degrees of freedom that make a matrix singular, with the cause and a remedy.
struct SingularPart {
  /// The singular matrix: "K_KK", "C_CC", "M_II", "D", "P" (lambda^2 M + lambda C + K), "K" or "constraints".
  std::string block;
  /// DoFs in assembled numbering, those with the largest entries in the null vectors first.
  std::vector<GlobalIndex> dofs;
  std::string cause, remedy;
  /// Names of the DoFs, with component and support point if these are known.
  std::vector<std::string> names = {};
};

/// The mixed-column matrix D is singular, so that the half degrees of freedom cannot be eliminated.
class SingularElimination : public Error {
 public:
  /// @param parts At least one part; all have the same `block`
  SingularElimination(const std::string& message, std::vector<SingularPart> parts)
      : Error(message), parts_(std::move(parts)) {}

  /// The groups of DoFs that make D singular, one for each cause; all groups together contain at most
  /// ten DoFs.
  const std::vector<SingularPart>& parts() const { return parts_; }
  const std::string& block() const { return parts_.front().block; }
  /// The DoFs of all parts.
  std::vector<GlobalIndex> dofs() const {
    std::vector<GlobalIndex> all;
    for (const SingularPart& part : parts_)
      all.insert(all.end(), part.dofs.begin(), part.dofs.end());
    return all;
  }

 private:
  std::vector<SingularPart> parts_;
};

/// The rank that was decided from the singular values of a matrix, and how clear the decision is.
struct RankDecision {
  std::string matrix;          ///< the name of the matrix in messages
  Index n_rows = 0;            ///< rows of the matrix
  Index n_columns = 0;         ///< columns of the matrix
  Index rank = 0;              ///< the rank r
  double smallest_kept = 0;    ///< sigma_r, the smallest singular value that counts as nonzero; for r = 0
                               ///< the size of the data
  double largest_dropped = 0;  ///< sigma_{r+1}, the largest singular value that counts as zero, or the
                               ///< rounding error if the rounding error is larger

  /// Returns sigma_r / sigma_{r+1}. The decision is clear if this ratio is large.
  double gap() const { return smallest_kept / largest_dropped; }
};

/// The singular values of a matrix have no clear gap between zero and nonzero ones, although the structure of
/// the system depends on the rank. Nothing was computed.
class AmbiguousRank : public Error {
 public:
  AmbiguousRank(const std::string& message, RankDecision decision)
      : Error(message), decision_(std::move(decision)) {}

  /// The best of the possible decisions, with the gap that was too small.
  const RankDecision& decision() const { return decision_; }

 private:
  RankDecision decision_;
};

/// A pencil with det(lambda E - A) = 0 for all lambda: the equations do not determine the unknowns, whatever
/// the data.
class SingularPencil : public Error {
 public:
  SingularPencil(const std::string& message, std::vector<Index> unknowns, std::vector<Index> equations,
                 Vector null_vector)
      : Error(message),
        unknowns_(std::move(unknowns)),
        equations_(std::move(equations)),
        null_vector_(std::move(null_vector)) {}

  /// Unknowns whose entries in the null vectors are not zero, those with the largest entries first; at most
  /// ten.
  const std::vector<Index>& unknowns() const { return unknowns_; }
  /// Linearly dependent rows, the largest entries of the left null vectors first; at most ten.
  const std::vector<Index>& equations() const { return equations_; }
  /// The null vector x of lambda E - A at the value of lambda for which the pencil was found singular;
  /// n entries, Euclidean norm one.
  const Vector& null_vector() const { return null_vector_; }

 private:
  std::vector<Index> unknowns_, equations_;
  Vector null_vector_;
};

/// An input number, or a value returned by a function of the application, is NaN or infinite.
class NotFinite : public InvalidInput {
 public:
  using InvalidInput::InvalidInput;
};

/// Returns the message of the operating system for an error number. @param error The value of errno
inline std::string system_message(int error) {
  return std::generic_category().message(error) + ".";
}

/// Thrown if a file cannot be read or written, or if its text violates its format. The message has the
/// form "K.mtx:12: what is wrong in this line, and what to do".
class FileError : public InvalidInput {
 public:
  FileError(const std::filesystem::path& file, GlobalIndex line, const std::string& reason)
      : InvalidInput(file.string() + ":" + std::to_string(line) + ": " + reason), file_(file), line_(line) {}

  /// An error that does not belong to a single line.
  FileError(const std::filesystem::path& file, const std::string& reason)
      : InvalidInput(file.string() + ": " + reason), file_(file) {}

  const std::filesystem::path& file() const { return file_; }

  /// Number of the line, counted from one; 0 if the error does not belong to a single line.
  GlobalIndex line() const { return line_; }

 private:
  std::filesystem::path file_;
  GlobalIndex line_ = 0;
};

/// A function of time has no value at the requested time. The message begins with the place in the input
/// where the function is defined, if the place is known.
class UndefinedFunction : public InvalidInput {
 public:
  /// @param place For example "case.toml:12: [load] expression"; empty if unknown
  UndefinedFunction(const std::string& place, const std::string& reason)
      : InvalidInput((place.empty() ? "" : place + ": ") + reason), place_(place), reason_(reason) {}

  const std::string& place() const { return place_; }
  const std::string& reason() const { return reason_; }

 private:
  std::string place_, reason_;
};

}  // namespace halfdof
