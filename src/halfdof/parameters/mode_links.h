// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/parameters/mode_sample.h>

#include <optional>
#include <vector>

namespace halfdof::internal {

/// Which modes of one value continue as which ones of the next value.
struct ModeLink {
  std::vector<Index> target;      ///< for each mode of the first value its place at the next; -1: none
  std::vector<double> assurance;  ///< of each of these
  /// The modes of the first value whose continuation is not decided, with those that compete for it.
  std::vector<Index> undecided;
  /// The modes of the first value whose branches seem to cross or to veer within the step.
  std::vector<Index> crossing = {};
  /// The part of the step, between 0 and 1, after which two branches seem to cross or to veer.
  std::optional<double> seems_to_cross = {};

  bool is_decided() const { return undecided.empty() && !seems_to_cross; }
};

/// Returns the modal assurances a_ij, (3) of EigenvalueBranches, of the modes i of a and j of b, which belong
/// to two values of the parameter. Modes with equal eigenvalues have the assurance of their common
/// eigenspace. Shape: a.size() x b.size().
MultiVector modal_assurances(const ModeSample& a, const ModeSample& b);

/// Continues the modes of a as modes of b. @throws InvalidInput if the systems differ in size
ModeLink link(const ModeSample& a, const ModeSample& b, const BranchOptions& options);

/// Gives b the twins that a has, and turns the vectors of equal eigenvalues of b to those of a.
void carry_over(const ModeSample& a, ModeSample& b, const ModeLink& link);

}  // namespace halfdof::internal
