// SPDX-License-Identifier: LGPL-2.1-or-later
#include "limit_cases.h"

#include <halfdof/base/errors.h>
#include <halfdof/base/text_table.h>

#include "convergence.h"
#include <iostream>

using namespace halfdof;

namespace {

Motion motion_of(const Chain& chain) {
  return by_implicit_euler(ChainModel(chain), evenly_spaced(0.1, 5.), 100);
}

/// Returns the chain whose last spring k_n is moved by x = -F_{n+1} / k_n at its end.
Chain pulled_by_soft_spring(Index n, Inertia inertia, double k_n) {
  Chain chain = chain_of(n, inertia, End::force_known);
  chain.end = End::displacement_known;
  chain.end_amplitude /= -k_n;
  chain.k[n] = k_n;
  return chain;
}

/// Returns the chain with its first n_light masses multiplied by a factor.
Chain with_light_nodes(Chain chain, Index n_light, double factor) {
  chain.mass.head(n_light) *= factor;
  return chain;
}

/// The distances of motions from their limits, with one row for each value of the parameter and one column
/// for each limit.
struct LimitTable {
  std::string parameter;
  std::vector<std::string> limits;
  std::vector<double> values;
  MultiVector distances;

  /// Returns the order of convergence to a limit.
  double order(Index limit) const {
    return Convergence::order(Eigen::Map<const Vector>(values.data(), distances.rows()),
                              distances.col(limit));
  }

  void print() const {
    std::vector<TextColumn> columns = {{parameter, NumberStyle::scientific, 0}};
    for (const std::string& limit : limits)
      columns.emplace_back(limit, NumberStyle::scientific, 1);
    TextTable table(columns);
    for (std::size_t i = 0; i < values.size(); ++i) {
      std::vector<TableCell> row = {values[i]};
      for (Index j = 0; j < distances.cols(); ++j)
        row.emplace_back(distances(static_cast<Index>(i), j));
      table.add_row(row);
    }
    std::cout << table << "order:";
    for (Index j = 0; j < distances.cols(); ++j)
      std::cout << ' ' << to_text(order(j), NumberStyle::fixed, 2);
    std::cout << '\n';
  }
};

LimitTable soft_last_spring(Index n) {
  LimitTable table{
      "k_n", {"dynamical", "semi-dynamical", "quasistatic"}, {1e-1, 1e-2, 1e-3, 1e-4}, MultiVector(4, 3)};
  Index j = 0;
  for (const Inertia inertia : {Inertia::dynamical, Inertia::semi_dynamical, Inertia::quasistatic}) {
    const Motion limit = motion_of(chain_of(n, inertia, End::force_known));
    for (Index i = 0; i < 4; ++i)
      table.distances(i, j) = limit.distance(
          motion_of(pulled_by_soft_spring(n, inertia, table.values[static_cast<std::size_t>(i)])));
    ++j;
  }
  return table;
}

LimitTable small_masses(Index n) {
  LimitTable table{
      "factor",
      {"dynamical to semi-dynamical", "semi-dynamical to quasistatic", "dynamical to quasistatic"},
      {1e-1, 1e-2, 1e-3, 1e-4},
      MultiVector(4, 3)};
  const Chain dynamical = chain_of(n, Inertia::dynamical, End::clamped);
  const Chain semi = chain_of(n, Inertia::semi_dynamical, End::clamped);
  const Motion to_semi = motion_of(semi),
               to_none = motion_of(chain_of(n, Inertia::quasistatic, End::clamped));
  for (Index i = 0; i < 4; ++i) {
    const double factor = table.values[static_cast<std::size_t>(i)];
    table.distances(i, 0) = to_semi.distance(motion_of(with_light_nodes(dynamical, n - 1, factor)));
    table.distances(i, 1) = to_none.distance(motion_of(with_light_nodes(semi, n, factor)));
    table.distances(i, 2) = to_none.distance(motion_of(with_light_nodes(dynamical, n, factor)));
  }
  return table;
}

void check(const LimitTable& table, double least_order) {
  table.print();
  for (Index j = 0; j < table.distances.cols(); ++j)
    if (!(table.order(j) >= least_order))
      throw Error("The motion converges to the limit \"" + table.limits[static_cast<std::size_t>(j)] +
                  "\" with order " + to_text(table.order(j)) + " in " + table.parameter + ", but at least " +
                  to_text(least_order) + " is expected.");
}

}  // namespace

void compare_limits(Index n) {
  std::cout << "\nA soft last spring, pulled by x = -F_{n+1} / k_n, against the known force F_{n+1}:\n";
  check(soft_last_spring(n), 0.9);
  std::cout << "\nMasses times a factor that goes to zero, against none (clamped):\n";
  check(small_masses(n), 0.4);
}
