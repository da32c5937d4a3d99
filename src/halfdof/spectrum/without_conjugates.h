#pragma once

#include <halfdof/base/communicator.h>

#include <vector>

namespace halfdof {

/// Eigenpairs without those that are the conjugate of the one before, whose results are conjugate, too.
class WithoutConjugates {
 public:
  /// Collective. @param vectors local entries, one column for each value
  WithoutConjugates(const Communicator& communicator, const std::vector<Complex>& values,
                    ConstView<Complex> vectors);
  /// Of vectors alone.
  WithoutConjugates(const Communicator& communicator, ConstView<Complex> vectors);

  /// Those that are left.
  const std::vector<Index>& columns() const { return columns_; }
  ComplexMultiVector vectors(ConstView<Complex> all) const { return all(Eigen::all, columns_); }
  ComplexVector values(const std::vector<Complex>& all) const;

  /// Which of those that are left stands for a column of all.
  Index source(Index j) const { return sources_[static_cast<std::size_t>(j)]; }
  /// All of them, from those that are left.
  ComplexMultiVector expanded(const ComplexMultiVector& few) const;
  std::vector<Complex> expanded(const ComplexVector& few) const;

 private:
  std::vector<Index> columns_, sources_;
};

}  // namespace halfdof
