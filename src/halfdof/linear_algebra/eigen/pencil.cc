// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/eigen/direct_solver.h>
#include <halfdof/linear_algebra/eigen/engine.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

namespace halfdof {

using namespace internal;

namespace {

/// The nonzero entries of one of the matrices M, C and K, and the positions of these entries in the union of
/// the patterns.
struct PositionedValues {
  std::vector<double> values;
  std::vector<Index> positions;

  void add(double value, std::int64_t position) {
    if (value == 0.) return;
    values.push_back(value);
    positions.push_back(static_cast<Index>(position));
  }

  template <class Scalar>
  void add_to(Scalar factor, std::vector<Scalar>& sum) const {
    if (factor == Scalar(0)) return;
    for (std::size_t k = 0; k < values.size(); ++k)
      sum[static_cast<std::size_t>(positions[k])] += factor * values[k];
  }
};

/// The union of the patterns of M, C and K, and the entries of each matrix.
struct PatternUnion {
  std::shared_ptr<SquarePattern> pattern = std::make_shared<SquarePattern>();
  std::array<PositionedValues, 3> entries;
};

PatternUnion unite_patterns(const std::array<const EigenMatrix*, 3>& matrices) {
  using Entry = EigenMatrix::Entries::InnerIterator;
  PatternUnion result;
  SquarePattern& pattern = *result.pattern;
  pattern.n = matrices[0]->columns().n_local();
  pattern.starts.push_back(0);
  for (Index j = 0; j < pattern.n; ++j) {
    std::array<Entry, 3> next{Entry(matrices[0]->entries(), j), Entry(matrices[1]->entries(), j),
                              Entry(matrices[2]->entries(), j)};
    while (true) {
      Index row = pattern.n;
      for (Entry& entry : next) {
        while (entry && entry.value() == 0.)
          ++entry;
        if (entry) row = std::min(row, static_cast<Index>(entry.row()));
      }
      if (row == pattern.n) break;
      for (std::size_t m = 0; m < next.size(); ++m)
        if (next[m] && next[m].row() == row) {
          result.entries[m].add(next[m].value(), pattern.n_entries());
          ++next[m];
        }
      pattern.rows.push_back(row);
    }
    pattern.starts.push_back(pattern.n_entries());
  }
  return result;
}

}  // namespace

struct EigenPencil::Implementation {
  PatternPtr pattern;
  std::array<PositionedValues, 3> entries;
  std::shared_ptr<CholeskyAnalysis> analysis = std::make_shared<CholeskyAnalysis>();
  DirectSolver<double> real;
  DirectSolver<Complex> complex;

  Implementation(PatternUnion united, bool symmetric, const FactorizationOptions& options)
      : pattern(std::move(united.pattern)),
        entries(std::move(united.entries)),
        real(pattern, symmetric, options, analysis),
        complex(pattern, symmetric, options, analysis) {}

  template <class Scalar>
  std::vector<Scalar> values(const std::array<Scalar, 3>& factors) const {
    for (const Scalar factor : factors)
      if (!std::isfinite(std::abs(factor)))
        throw InvalidInput(
            "The factors a, b and c of the matrix a M + b C + c K must be finite, but one of them is "
            "infinite or NaN. Check the shift or frequency from which they are computed.");
    std::vector<Scalar> sum(pattern->rows.size(), Scalar(0));
    for (std::size_t m = 0; m < entries.size(); ++m)
      entries[m].add_to(factors[m], sum);
    return sum;
  }
};

EigenPencil::EigenPencil(const EigenMatrix& M, const EigenMatrix& C, const EigenMatrix& K,
                         const FactorizationOptions& options) {
  check_factorizable(M, "M");
  check_factorizable(C, "C");
  check_factorizable(K, "K");
  const GlobalIndex n = M.rows().n_global();
  if (C.rows().n_global() != n || K.rows().n_global() != n)
    throw InvalidInput("The matrices M, C and K must have the same size, but they have " + std::to_string(n) +
                       ", " + std::to_string(C.rows().n_global()) + " and " +
                       std::to_string(K.rows().n_global()) + " rows.");
  bool symmetric = true;
  for (const EigenMatrix* A : {&M, &C, &K})
    symmetric = symmetric && EigenEngine::asymmetry(*A) <= options.symmetry_tolerance;
  implementation_ = std::make_unique<Implementation>(unite_patterns({&M, &C, &K}), symmetric, options);
}

EigenPencil::~EigenPencil() = default;
EigenPencil::EigenPencil(EigenPencil&&) noexcept = default;
EigenPencil& EigenPencil::operator=(EigenPencil&&) noexcept = default;

FactorizationPtr<double> EigenPencil::factorize(double a, double b, double c) const {
  return implementation_->real.factorize(implementation_->values<double>({a, b, c}));
}

FactorizationPtr<Complex> EigenPencil::factorize(Complex a, Complex b, Complex c) const {
  return implementation_->complex.factorize(implementation_->values<Complex>({a, b, c}));
}

}  // namespace halfdof
