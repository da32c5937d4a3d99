#pragma once

#include <halfdof/base/printable.h>
#include <halfdof/base/types.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * What the library throws. Every message answers four questions: which quantity, which degrees of freedom,
 * what was found, what to do. Mistakes in the input throw in every build type; `assert` guards only our own
 * logic.
 */
namespace halfdof {

/// Base of everything that the library throws on purpose. What a message quotes, such as names from files, is
/// made printable().
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message) : std::runtime_error(printable(message)) {}
};

/// The data, file or option given is wrong: nothing was computed.
class InvalidInput : public Error {
 public:
  using Error::Error;
};

/// The request is well formed, but this system, engine or size does not admit it.
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

/// An integrator's state became infinite, NaN or absurdly large; the step was undone.
class BlowUp : public Error {
 public:
  BlowUp(const std::string& message, double time, GlobalIndex dof) : Error(message), time_(time), dof_(dof) {}

  /// End of the step that failed [s].
  double time() const { return time_; }
  /// Assembled index of the (worst) degree of freedom.
  GlobalIndex dof() const { return dof_; }

 private:
  double time_;
  GlobalIndex dof_;
};

/// At some state the tangent mass or damping of a degree of freedom vanishes, so that it is not of the kind
/// that was declared, and the number of states would change.
class KindChange : public Error {
 public:
  KindChange(const std::string& message, double time, GlobalIndex dof)
      : Error(message), time_(time), dof_(dof) {}

  /// Of that state [s].
  double time() const { return time_; }
  /// Assembled index of the first degree of freedom.
  GlobalIndex dof() const { return dof_; }

 private:
  double time_;
  GlobalIndex dof_;
};

/// What is wrong with some degrees of freedom.
struct SingularPart {
  std::string block;  ///< "K_KK", "C_CC", "M_II", "D", "P" (lambda^2 M + lambda C + K), "K", "constraints"
  std::vector<GlobalIndex> dofs;  ///< assembled, the largest entries of the null vectors first
  std::string cause, remedy;
  /// Of the DoFs, with component and support point where these are known.
  std::vector<std::string> names = {};
};

/// The mixed-column matrix D is singular: the half degrees of freedom cannot be eliminated by their columns.
class SingularElimination : public Error {
 public:
  /// @param parts One at least, of one block
  SingularElimination(const std::string& message, std::vector<SingularPart> parts)
      : Error(message), parts_(std::move(parts)) {}

  /// One for each cause; at most ten DoFs in all.
  const std::vector<SingularPart>& parts() const { return parts_; }
  const std::string& block() const { return parts_.front().block; }
  /// Those of all parts.
  std::vector<GlobalIndex> dofs() const {
    std::vector<GlobalIndex> all;
    for (const SingularPart& part : parts_)
      all.insert(all.end(), part.dofs.begin(), part.dofs.end());
    return all;
  }

 private:
  std::vector<SingularPart> parts_;
};

}  // namespace halfdof
