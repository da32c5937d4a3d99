// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/spectrum/assignment.h>

#include <string>

namespace halfdof::internal {
namespace {

/**
 * The state of the search. Reduced costs c(i, j) - u_j - v_i are never negative, and zero where row i is
 * given to column j: so the assignment made so far is optimal for its columns.
 */
class Assignment {
 public:
  explicit Assignment(ConstView<double> cost)
      : cost_(cost),
        column_price_(cost.cols()),
        row_price_(Vector::Zero(cost.rows())),
        row_of_(static_cast<std::size_t>(cost.cols()), -1),
        column_of_(static_cast<std::size_t>(cost.rows()), -1) {}

  /// Gives every column its cheapest row, if that row is still free.
  void start() {
    for (Index j = 0; j < cost_.cols(); ++j) {
      Index cheapest;
      column_price_[j] = cost_.col(j).minCoeff(&cheapest);
      if (column_of(cheapest) < 0) give(cheapest, j);
    }
  }

  bool has_row(Index column) const { return row_of_[static_cast<std::size_t>(column)] >= 0; }

  /// Assigns a row to this column at the least cost; other columns may change their rows for that.
  void augment(Index column) {
    const Index n_rows = static_cast<Index>(cost_.rows());
    Vector distance = cost_.col(column) - row_price_;
    distance.array() -= column_price_[column];
    std::vector<Index> previous(static_cast<std::size_t>(n_rows), column);
    std::vector<Index> visited, open(static_cast<std::size_t>(n_rows));
    for (Index i = 0; i < n_rows; ++i)
      open[static_cast<std::size_t>(i)] = i;

    Index row = take_nearest(distance, open);
    while (column_of(row) >= 0) {
      visited.push_back(row);
      const Index owner = column_of(row);
      const double here = distance[row] - column_price_[owner];
      for (const Index i : open) {
        const double through = here + cost_(i, owner) - row_price_[i];
        if (through < distance[i]) {
          distance[i] = through;
          previous[static_cast<std::size_t>(i)] = owner;
        }
      }
      row = take_nearest(distance, open);
    }

    const double length = distance[row];
    for (const Index i : visited) {
      row_price_[i] += distance[i] - length;
      column_price_[column_of(i)] -= distance[i] - length;
    }
    column_price_[column] += length;
    for (Index j = -1; j != column;) {
      j = previous[static_cast<std::size_t>(row)];
      const Index left = row_of_[static_cast<std::size_t>(j)];
      give(row, j);
      row = left;
    }
  }

  const std::vector<Index>& rows() const { return row_of_; }

 private:
  Index column_of(Index row) const { return column_of_[static_cast<std::size_t>(row)]; }

  void give(Index row, Index column) {
    row_of_[static_cast<std::size_t>(column)] = row;
    column_of_[static_cast<std::size_t>(row)] = column;
  }

  /// Removes the nearest open row and returns it; among equally near rows, a free one is preferred.
  Index take_nearest(const Vector& distance, std::vector<Index>& open) const {
    std::size_t nearest = 0;
    for (std::size_t k = 1; k < open.size(); ++k) {
      const double difference = distance[open[k]] - distance[open[nearest]];
      if (difference < 0 || (difference == 0 && column_of(open[k]) < 0 && column_of(open[nearest]) >= 0))
        nearest = k;
    }
    const Index row = open[nearest];
    open[nearest] = open.back();
    open.pop_back();
    return row;
  }

  ConstView<double> cost_;
  Vector column_price_, row_price_;
  std::vector<Index> row_of_, column_of_;
};

}  // namespace

std::vector<Index> cheapest_assignment(ConstView<double> cost) {
  if (cost.cols() > cost.rows())
    throw InvalidInput("The cost matrix of an assignment has " + std::to_string(cost.cols()) +
                       " columns, but only " + std::to_string(cost.rows()) +
                       " rows to give them. Transpose it.");
  if (!cost.allFinite())
    throw InvalidInput("A cost of the assignment is not finite. Replace it by a large number.");

  Assignment assignment(cost);
  if (cost.cols() > 0) assignment.start();
  for (Index j = 0; j < cost.cols(); ++j)
    if (!assignment.has_row(j)) assignment.augment(j);
  return assignment.rows();
}

}  // namespace halfdof::internal
