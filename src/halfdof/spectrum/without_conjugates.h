// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/partition.h>

#include <vector>

namespace halfdof::internal {

/// Selects eigenpairs that are not the conjugate of the preceding one. The results of an omitted pair are the
/// conjugates of those of its partner.
class WithoutConjugates {
 public:
  /// Collective. @param vectors local entries, one column for each value
  WithoutConjugates(const Communicator& communicator, const std::vector<Complex>& values,
                    ConstView<Complex> vectors);
  /// Compares only vectors, without values.
  WithoutConjugates(const Communicator& communicator, ConstView<Complex> vectors);

  /// Columns of the selected eigenpairs.
  const std::vector<Index>& columns() const { return columns_; }
  ComplexMultiVector vectors(ConstView<Complex> all) const { return all(Eigen::all, columns_); }
  ComplexVector values(const std::vector<Complex>& all) const;

  /// Position among the selected pairs of the one that represents column j of all pairs.
  Index source(Index j) const { return sources_[static_cast<std::size_t>(j)]; }
  /// Returns the results of all pairs from those of the selected pairs.
  ComplexMultiVector expanded(const ComplexMultiVector& few) const;
  std::vector<Complex> expanded(const ComplexVector& few) const;

 private:
  std::vector<Index> columns_, sources_;
};

}  // namespace halfdof::internal
