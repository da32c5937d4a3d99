// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/integrators/instantaneous_law_problem.h>
#include <halfdof/linear_algebra/entries.h>

#include <array>
#include <utility>

namespace halfdof::internal {

namespace {

Vector row_scales(const std::vector<NamedLaw>& laws, const std::vector<DoFKind>& kinds,
                  const Vector& diagonal) {
  std::array<double, 4> sums{}, counts{};
  std::array<bool, 4> keeps_unit{};
  std::size_t row = 0;
  for (const NamedLaw& named : laws)
    for (Index k = 0; k < named.law->dimension(); ++k, ++row) {
      const auto kind = static_cast<std::size_t>(kinds[row]);
      sums[kind] += diagonal[static_cast<Index>(row)];
      counts[kind] += 1;
      keeps_unit[kind] = keeps_unit[kind] || !named.law->is_positively_homogeneous();
    }
  Vector scales(diagonal.size());
  for (Index j = 0; j < scales.size(); ++j) {
    const auto kind = static_cast<std::size_t>(kinds[static_cast<std::size_t>(j)]);
    scales[j] = keeps_unit[kind] || !(sums[kind] > 0) ? 1. : counts[kind] / sums[kind];
  }
  return scales;
}

Vector block_diagonal(const std::vector<LocalMatrix>& blocks, std::size_t n_rows) {
  Vector diagonal(static_cast<Index>(n_rows));
  Index first = 0;
  for (const LocalMatrix& block : blocks) {
    diagonal.segment(first, block.rows()) = block.diagonal();
    first += static_cast<Index>(block.rows());
  }
  return diagonal;
}

OneStepProblem scaled_problem(const std::vector<NamedLaw>& laws, const OneStepProblem::Operator& W,
                              std::vector<LocalMatrix> blocks, const Vector& scale) {
  Index first = 0;
  for (LocalMatrix& block : blocks) {
    block = (scale.segment(first, block.rows()).asDiagonal() * block).eval();
    first += static_cast<Index>(block.rows());
  }
  const auto apply = [W, scale](const Vector& r, Vector& Wr) {
    W(r, Wr);
    Wr.array() *= scale.array();
  };
  return OneStepProblem(laws, apply, std::move(blocks));
}

}  // namespace

InstantaneousLawProblem::InstantaneousLawProblem(const std::vector<NamedLaw>& laws,
                                                 const std::vector<DoFKind>& kinds, const MultiVector& W)
    : scale_(row_scales(laws, kinds, W.diagonal())),
      solver_(OneStepProblem(laws, MultiVector(scale_.asDiagonal() * W))) {}

InstantaneousLawProblem::InstantaneousLawProblem(const std::vector<NamedLaw>& laws,
                                                 const std::vector<DoFKind>& kinds,
                                                 const OneStepProblem::Operator& W,
                                                 std::vector<LocalMatrix> diagonal_blocks)
    : scale_(row_scales(laws, kinds, block_diagonal(diagonal_blocks, kinds.size()))),
      solver_(scaled_problem(laws, W, std::move(diagonal_blocks), scale_)) {}

void InstantaneousLawProblem::solve(LawsAtTime& laws, const Vector& b, Vector& r, Vector& x) {
  solver_.solve(laws, scale_.cwiseProduct(b), r, x);
  x.array() /= scale_.array();
}

void InstantaneousLawProblem::solve(LawsAtTime& laws, const Vector& b, Vector& r, Vector& x,
                                    const Vector& rounding) {
  solver_.solve(laws, scale_.cwiseProduct(b), r, x, [&] { return Vector(scale_.cwiseProduct(rounding)); });
  x.array() /= scale_.array();
}

std::vector<ContactState> InstantaneousLawProblem::states(const LawsAtTime& laws, const Vector& b,
                                                          const Vector& r, const Vector& x) const {
  return problem().states(laws, scale_.cwiseProduct(b), r, scale_.cwiseProduct(x));
}

Vector InstantaneousLawProblem::response(const Vector& r) const {
  Vector Wr(r.size());
  problem().multiply(r, Wr);
  return Wr.cwiseQuotient(scale_);
}

}  // namespace halfdof::internal
