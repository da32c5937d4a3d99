// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/spectrum/without_conjugates.h>

namespace halfdof::internal {

WithoutConjugates::WithoutConjugates(const Communicator& communicator, const std::vector<Complex>& values,
                                     ConstView<Complex> vectors) {
  bool follows = false;
  for (Index j = 0; j < static_cast<Index>(vectors.cols()); ++j) {
    const auto at = static_cast<std::size_t>(j);
    follows = j > 0 && !follows && values[at] == std::conj(values[at - 1]) &&
              !communicator.any(vectors.col(j) != vectors.col(j - 1).conjugate());
    if (!follows) columns_.push_back(j);
    sources_.push_back(static_cast<Index>(columns_.size()) - 1);
  }
}

WithoutConjugates::WithoutConjugates(const Communicator& communicator, ConstView<Complex> vectors)
    : WithoutConjugates(communicator, std::vector<Complex>(static_cast<std::size_t>(vectors.cols())),
                        vectors) {}

ComplexVector WithoutConjugates::values(const std::vector<Complex>& all) const {
  ComplexVector few(static_cast<Eigen::Index>(columns_.size()));
  for (std::size_t k = 0; k < columns_.size(); ++k)
    few[static_cast<Eigen::Index>(k)] = all[static_cast<std::size_t>(columns_[k])];
  return few;
}

ComplexMultiVector WithoutConjugates::expanded(const ComplexMultiVector& few) const {
  ComplexMultiVector all(few.rows(), static_cast<Eigen::Index>(sources_.size()));
  for (Index j = 0; j < static_cast<Index>(sources_.size()); ++j) {
    const Index k = source(j);
    if (columns_[static_cast<std::size_t>(k)] == j)
      all.col(j) = few.col(k);
    else
      all.col(j) = few.col(k).conjugate();
  }
  return all;
}

std::vector<Complex> WithoutConjugates::expanded(const ComplexVector& few) const {
  std::vector<Complex> all;
  for (Index j = 0; j < static_cast<Index>(sources_.size()); ++j) {
    const Index k = source(j);
    all.push_back(columns_[static_cast<std::size_t>(k)] == j ? few[k] : std::conj(few[k]));
  }
  return all;
}

}  // namespace halfdof::internal
