// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/reduction/dense_form.h>
#include <halfdof/reduction/direction.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace halfdof {

using namespace internal;

namespace {

void check_entries(const std::vector<WeightedDoF>& entries) {
  if (entries.empty())
    throw InvalidInput(
        "A direction without degrees of freedom was given. Give at least one assembled DoF and its weight.");
  for (const WeightedDoF& entry : entries) {
    if (entry.dof < 0)
      throw InvalidInput(
          "A direction names DoF " + std::to_string(entry.dof) +
          ", but DoFs are numbered from 0 in assembled numbering. Give a number of at least 0.");
    if (!std::isfinite(entry.weight))
      throw InvalidInput("A direction has the weight " + number_text(entry.weight) + " on DoF " +
                         std::to_string(entry.dof) + ". Give a finite weight.");
  }
}

/// Adds the weights of equal DoFs. A sum that is smaller than the rounding errors of its terms counts
/// as zero.
std::vector<WeightedDoF> sum_weights_by_dof(std::vector<WeightedDoF> entries) {
  std::stable_sort(entries.begin(), entries.end(),
                   [](const WeightedDoF& a, const WeightedDoF& b) { return a.dof < b.dof; });
  std::vector<WeightedDoF> sums;
  for (auto next = entries.begin(); next != entries.end();) {
    const GlobalIndex dof = next->dof;
    double sum = 0, magnitude = 0;
    for (; next != entries.end() && next->dof == dof; ++next) {
      sum += next->weight;
      magnitude += std::abs(next->weight);
    }
    if (std::abs(sum) > 4 * std::numeric_limits<double>::epsilon() * magnitude) sums.push_back({dof, sum});
  }
  return sums;
}

std::vector<WeightedDoF> checked_entries(std::vector<WeightedDoF> entries) {
  check_entries(entries);
  const GlobalIndex first = entries.front().dof;
  std::vector<WeightedDoF> sums = sum_weights_by_dof(std::move(entries));
  if (sums.empty())
    throw InvalidInput("The weights of a direction cancel on all its DoFs (the first is DoF " +
                       std::to_string(first) +
                       "), so that the direction is zero. Check whether it describes the motion of a point "
                       "relative to the same point.");
  return sums;
}

using Triplets = std::vector<Eigen::Triplet<double>>;

std::shared_ptr<const Eigen::SparseMatrix<double>> assembled_columns(const Triplets& entries, Index n_rows,
                                                                     Index n_columns) {
  Eigen::SparseMatrix<double> columns(n_rows, n_columns);
  columns.setFromTriplets(entries.begin(), entries.end());
  return std::make_shared<const Eigen::SparseMatrix<double>>(std::move(columns));
}

/// Returns the position of a local assembled DoF in a selection, or -1 if the DoF is not selected.
Index position_in(const Selection& selection, Index local) {
  const auto found = std::lower_bound(selection.local().begin(), selection.local().end(), local);
  return found != selection.local().end() && *found == local
             ? static_cast<Index>(found - selection.local().begin())
             : -1;
}

}  // namespace

Direction::Direction(std::vector<WeightedDoF> entries) : entries_(checked_entries(std::move(entries))) {}

Direction combine(double alpha, const Direction& a, double beta, const Direction& b) {
  std::vector<WeightedDoF> entries;
  for (const WeightedDoF& entry : a.entries())
    entries.push_back({entry.dof, alpha * entry.weight});
  for (const WeightedDoF& entry : b.entries())
    entries.push_back({entry.dof, beta * entry.weight});
  return Direction(std::move(entries));
}

Direction between(GlobalIndex a, GlobalIndex b) {
  return Direction({{a, 1.}, {b, -1.}});
}

std::optional<double> parallel_factor(const Direction& a, const Direction& b) {
  const auto& x = a.entries();
  const auto& y = b.entries();
  if (x.size() != y.size()) return std::nullopt;
  const auto largest = std::max_element(x.begin(), x.end(), [](const WeightedDoF& i, const WeightedDoF& j) {
    return std::abs(i.weight) < std::abs(j.weight);
  });
  const double factor = y[static_cast<std::size_t>(largest - x.begin())].weight / largest->weight;
  const double tolerance = 1e-12 * std::abs(factor * largest->weight);
  for (std::size_t i = 0; i < x.size(); ++i)
    if (x[i].dof != y[i].dof || std::abs(y[i].weight - factor * x[i].weight) > tolerance) return std::nullopt;
  return factor;
}

DirectionMatrix::DirectionMatrix(const std::vector<Direction>& directions, const Partition& dofs,
                                 const Selection& free, const Selection& constrained)
    : communicator_(dofs.shared_communicator()) {
  Triplets of_free, of_constrained;
  for (std::size_t j = 0; j < directions.size(); ++j)
    for (const WeightedDoF& entry : directions[j].entries()) {
      if (entry.dof >= dofs.n_global())
        throw InvalidInput("Direction " + std::to_string(j) + " names DoF " + std::to_string(entry.dof) +
                           ", but the assembled DoFs run from 0 to " + std::to_string(dofs.n_global() - 1) +
                           ". Give a number in this range.");
      const Index local = dofs.local_index(entry.dof);
      if (local < 0) continue;
      const auto column = static_cast<Index>(j);
      if (const Index row = position_in(free, local); row >= 0)
        of_free.emplace_back(row, column, entry.weight);
      else
        of_constrained.emplace_back(position_in(constrained, local), column, entry.weight);
    }
  const auto n = static_cast<Index>(directions.size());
  free_ = forces_ = on_dofs_ = assembled_columns(of_free, free.n_local(), n);
  constrained_ = assembled_columns(of_constrained, constrained.n_local(), n);
}

DirectionMatrix::Columns DirectionMatrix::changed(const Change& change) const {
  constexpr double rounding = 1e-14;
  Triplets entries;
  Index n_rows = static_cast<Index>(change(MultiVector(on_dofs_->rows(), 0)).rows());
  for (Index first = 0; first < n_directions(); first += solve_batch) {
    const Index n = std::min(solve_batch, n_directions() - first);
    const MultiVector H(on_dofs_->middleCols(first, n)), transformed = change(H);
    n_rows = static_cast<Index>(transformed.rows());
    for (Index k = 0; k < n; ++k) {
      const double size = communicator_->max(H.rows() > 0 ? H.col(k).cwiseAbs().maxCoeff() : 0.);
      for (Index i = 0; i < n_rows; ++i)
        if (std::abs(transformed(i, k)) > rounding * size)
          entries.emplace_back(i, first + k, transformed(i, k));
    }
  }
  return assembled_columns(entries, n_rows, n_directions());
}

DirectionMatrix DirectionMatrix::in_coordinates(const Change& to_coordinates,
                                                const Change& to_equations) const {
  DirectionMatrix result = *this;
  result.free_ = changed(to_coordinates);
  result.forces_ = changed(to_equations);
  return result;
}

MultiVector DirectionMatrix::force(ConstView<double> r) const {
  return *forces_ * r;
}

MultiVector DirectionMatrix::columns(Index first, Index n) const {
  return MultiVector(forces_->middleCols(first, n));
}

Vector DirectionMatrix::dof_components(const Vector& x) const {
  Vector s = on_dofs_->transpose() * x;
  communicator_->sum(s.data(), static_cast<int>(s.size()));
  return s;
}

MultiVector DirectionMatrix::components(ConstView<double> x) const {
  MultiVector s = free_->transpose() * x;
  communicator_->sum(s.data(), static_cast<int>(s.size()));
  return s;
}

Vector DirectionMatrix::constrained_components(const Vector& x) const {
  Vector s = constrained_->transpose() * x;
  communicator_->sum(s.data(), static_cast<int>(s.size()));
  return s;
}

}  // namespace halfdof
