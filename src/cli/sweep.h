// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/functions/parameters.h>

#include "case_argument.h"
#include "case_model.h"
#include <iosfwd>
#include <string>
#include <vector>

/**
 * @file
 * Values of parameters of a case, one after the other: --sweep.
 */
namespace halfdof::cli {

/// A parameter and its values.
struct Sweep {
  std::string parameter;
  std::vector<double> values;  ///< ascending or descending strictly
};

/// Returns the sweep of NAME=FROM:TO:STEP, NAME=A,B,C or NAME=log:FROM:TO:NUMBER. @throws InvalidInput
Sweep sweep_from(const std::string& text);

/// Returns the sweeps of a verb. @throws InvalidInput if there is no case, more than two sweeps, two over one
/// parameter, or one over a parameter that --set gives a value
std::vector<Sweep> sweeps_of(const CaseArgument& argument, const std::vector<std::string>& texts);

/// Returns the values of the parameters of all sweeps, the last one fastest; one empty point without sweeps.
std::vector<Parameters> points_of(const std::vector<Sweep>& sweeps);

/// The system of a case at values of its parameters, with sweeps over one or two of them.
class SweptCase {
 public:
  /// @throws InvalidInput as sweeps_of(), or if a sweep is over what is no parameter of a matrix
  SweptCase(const CaseArgument& argument, const ModelSource& source, const std::vector<std::string>& texts);

  const std::vector<Sweep>& sweeps() const { return sweeps_; }
  std::vector<Parameters> points() const { return points_of(sweeps_); }
  bool has_structural_damping() const { return system_.has_structural_damping(); }
  /// Returns the model and its reduction. An error is preceded on standard error by the values at which it
  /// occurs.
  ReducedModel reduced_at(const Parameters& point) const;

 private:
  const ModelSource& source_;
  std::vector<Sweep> sweeps_;
  CaseSystem system_;
};

/// Returns a text such as "omega = 5, mu = 0.1".
std::string text_of(const Parameters& point);

}  // namespace halfdof::cli
