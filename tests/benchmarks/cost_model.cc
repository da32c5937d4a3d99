// SPDX-License-Identifier: LGPL-2.1-or-later
// Fits the cost model of COST.md to what benchmark_cost and benchmark_cost_multigrid measured, draws both,
// and prints coefficients and what they predict. Usage: benchmark_cost_model <cost.csv> [multigrid.csv]
// [picture.png]
#include <halfdof/base/errors.h>
#include <halfdof/base/text_table.h>
#include <halfdof/plots/plot.h>

#include <Eigen/Dense>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <iostream>
#include <sstream>

using namespace halfdof;

namespace {

/// A row of the file of measurements.
struct Measured {
  std::string quantity;
  int dimension;
  double n, m, value;
};

std::vector<Measured> read(const std::string& file) {
  std::ifstream in(file);
  std::string line;
  if (!std::getline(in, line)) throw Error(file + " holds no table.");
  std::vector<Measured> all;
  while (std::getline(in, line)) {
    std::istringstream cells(line);
    Measured row;
    char comma;
    if (std::getline(cells, row.quantity, ',') &&
        cells >> row.dimension >> comma >> row.n >> comma >> row.m >> comma >> row.value)
      all.push_back(row);
  }
  return all;
}

using Function = double (*)(const Measured&);
struct Term {
  const char* text;
  Function value;
};

namespace terms {
const Term n{"n", [](const Measured& x) { return x.n; }};
const Term n_log_n{"n log2 n", [](const Measured& x) { return x.n * std::log2(x.n); }};
const Term n_4_3{"n^(4/3)", [](const Measured& x) { return std::pow(x.n, 4. / 3); }};
const Term n_3_2{"n^(3/2)", [](const Measured& x) { return std::pow(x.n, 1.5); }};
const Term n_2{"n^2", [](const Measured& x) { return x.n * x.n; }};
const Term m{"m", [](const Measured& x) { return x.m; }};
const Term m_2{"m^2", [](const Measured& x) { return x.m * x.m; }};
const Term log_n{"log2 n", [](const Measured& x) { return std::log2(x.n); }};
const Term one{"1", [](const Measured&) { return 1.; }};
}  // namespace terms

/// value = sum_k coefficients_k terms_k, all coefficients positive.
struct Fit {
  std::string quantity;
  int dimension;
  std::vector<Term> terms;
  std::vector<Measured> points;
  Vector coefficients;

  double at(const Measured& x) const {
    double sum = 0;
    for (std::size_t k = 0; k < terms.size(); ++k)
      sum += coefficients[static_cast<Eigen::Index>(k)] * terms[k].value(x);
    return sum;
  }
  double largest_deviation() const {
    double largest = 0;
    for (const Measured& point : points)
      largest = std::max(largest, std::abs(at(point) / point.value - 1));
    return largest;
  }
};

/// Least squares of relative deviations. Of all sets of terms whose coefficients are positive, the best.
void fit(Fit& of) {
  const auto n_points = static_cast<Eigen::Index>(of.points.size());
  const std::size_t n_terms = of.terms.size();
  double best = std::numeric_limits<double>::infinity();
  for (unsigned set = 1; set < 1u << n_terms; ++set) {
    std::vector<Eigen::Index> used;
    for (std::size_t k = 0; k < n_terms; ++k)
      if (set >> k & 1) used.push_back(static_cast<Eigen::Index>(k));
    MultiVector A(n_points, static_cast<Eigen::Index>(used.size()));
    for (Eigen::Index i = 0; i < n_points; ++i) {
      const Measured& point = of.points[static_cast<std::size_t>(i)];
      for (std::size_t k = 0; k < used.size(); ++k)
        A(i, static_cast<Eigen::Index>(k)) =
            of.terms[static_cast<std::size_t>(used[k])].value(point) / point.value;
    }
    const Vector ones = Vector::Ones(n_points);
    const Vector found = A.colPivHouseholderQr().solve(ones);
    const double deviation = (A * found - ones).norm();
    if (found.minCoeff() < 0 || deviation >= best) continue;
    best = deviation;
    of.coefficients = Vector::Zero(static_cast<Eigen::Index>(n_terms));
    for (std::size_t k = 0; k < used.size(); ++k)
      of.coefficients[used[k]] = found[static_cast<Eigen::Index>(k)];
  }
}

std::vector<Measured> points_of(const std::vector<Measured>& all, const std::string& quantity,
                                int dimension) {
  std::vector<Measured> points;
  for (const Measured& row : all)
    if (row.quantity == quantity && row.dimension == dimension) points.push_back(row);
  return points;
}

/// Where there are enough points.
void add(const std::vector<Measured>& all, const std::string& quantity, int dimension,
         const std::vector<Term>& terms, std::vector<Fit>& fits) {
  Fit of{quantity, dimension, terms, points_of(all, quantity, dimension), {}};
  if (of.points.size() < terms.size()) return;
  fit(of);
  fits.push_back(std::move(of));
}

std::vector<Fit> fits_of(const std::vector<Measured>& all) {
  using namespace terms;
  std::vector<Fit> fits;
  for (const int dimension : {2, 3}) {
    const Term fill = dimension == 2 ? n_log_n : n_4_3, work = dimension == 2 ? n_3_2 : n_2;
    add(all, "entries", dimension, {n}, fits);
    add(all, "classify", dimension, {n}, fits);
    add(all, "factor entries", dimension, {fill, n}, fits);
    add(all, "reduce", dimension, {work, n}, fits);
    add(all, "factorize", dimension, {work, fill}, fits);
    add(all, "solve", dimension, {fill, n}, fits);
    add(all, "step", dimension, {fill, n}, fits);
    add(all, "Delassus", dimension, {fill, n}, fits);
    add(all, "product", dimension, {one}, fits);
  }
  add(all, "laws", 0, {m, m_2}, fits);
  add(all, "reduce by iterations", 3, {n}, fits);
  add(all, "multigrid", 3, {n}, fits);
  add(all, "iterations", 3, {one, log_n}, fits);
  add(all, "iteration", 3, {n}, fits);
  return fits;
}

void print(const std::vector<Fit>& fits) {
  TextTable table({"quantity", "dimension", "model", "from", "to", "deviates by [%]"});
  for (const Fit& of : fits) {
    std::string model;
    for (std::size_t k = 0; k < of.terms.size(); ++k) {
      const double coefficient = of.coefficients[static_cast<Eigen::Index>(k)];
      if (coefficient != 0)
        model += (model.empty() ? "" : " + ") + to_text(coefficient, NumberStyle::scientific, 2) + ' ' +
                 of.terms[k].text;
    }
    const Measured &first = of.points.front(), &last = of.points.back();
    table.add_row({of.quantity, of.dimension == 0 ? "" : std::to_string(of.dimension), model,
                   to_text(std::max(first.n, first.m)), to_text(std::max(last.n, last.m)),
                   to_text(100 * of.largest_deviation(), NumberStyle::fixed, 0)});
  }
  std::cout << table;
}

double value_of(const std::vector<Fit>& fits, const std::string& quantity, double n, double m = 0) {
  for (const Fit& of : fits)
    if (of.quantity == quantity && (of.dimension == 3 || of.dimension == 0))
      return of.at({quantity, 3, n, m, 0});
  throw Error("Nothing was measured of \"" + quantity + "\".");
}

/// What is assumed of a cluster, a rank a core.
struct Cluster {
  double memory = 4e9;     ///< bandwidth of a rank [B/s]: a node's 200 GB/s for 50
  double network = 0.4e9;  ///< bandwidth of a rank [B/s]: a node's 25 GB/s for 64
  double latency = 2e-6;   ///< of a message [s]
  double coarsest = 1e-3;  ///< a direct solve with the thousand unknowns of the coarsest level [s]
};

/// The times of COST.md for trilinear elements, Krylov iterations with multigrid.
struct Iterative {
  double computing, network;  ///< of an iteration [s]
  double n_iterations, reduce, multigrid;

  double iteration() const { return computing + network; }
  double solve() const { return n_iterations * iteration(); }
};

Iterative predict(const std::vector<Fit>& fits, double n, double n_ranks, const Cluster& cluster) {
  constexpr double n_neighbours = 26, n_exchanges = 6, n_sums = 5, n_per_node = 4, coarsening = 27,
                   n_coarsest = 1000;
  const double slowdown = 12 / value_of(fits, "product", n) / cluster.memory;  // 12 bytes an entry
  const double n_levels = 1 + std::ceil(std::log(std::max(1., n / n_coarsest)) / std::log(coarsening));
  const double log_ranks = std::log2(n_ranks);
  Iterative result{};
  result.computing = slowdown * value_of(fits, "iteration", n) / n_ranks;
  if (n_ranks > 1) {
    double layer =
        6 * std::pow(n / n_ranks / n_per_node, 2. / 3) * n_per_node * 8;  // bytes to all neighbours
    for (int level = 0; level < n_levels; ++level, layer /= std::pow(coarsening, 2. / 3))
      result.network += n_exchanges * (n_neighbours * cluster.latency + layer / cluster.network);
    result.network += n_sums * 2 * log_ranks * cluster.latency;
    result.network +=
        2 * (cluster.coarsest + 2 * log_ranks * cluster.latency + 8 * n_coarsest / cluster.network);
  }
  result.n_iterations = value_of(fits, "iterations", n);
  result.reduce = slowdown * value_of(fits, "reduce by iterations", n) / n_ranks;
  result.multigrid = slowdown * value_of(fits, "multigrid", n) / n_ranks;
  return result;
}

void print_iterative(const std::vector<Fit>& fits) {
  const Cluster cluster;
  const double m = 1000;
  const auto column = [](const char* name) { return TextColumn(name, NumberStyle::general, 3); };
  TextTable table({column("DoFs"), column("ranks"), column("reduce [s]"), column("multigrid [s]"),
                   column("iterations"), column("step [s]"), column("of it network [%]"), column("GB a rank"),
                   column("1000 contacts: set-up [s]"), column("their laws [s]")});
  for (const auto& [n, n_ranks] : std::vector<std::array<double, 2>>{
           {1e5, 1}, {1e6, 10}, {1e7, 100}, {1e8, 1e3}, {1e9, 1e4}, {1e9, 1e3}, {1e9, 1e5}}) {
    const Iterative of = predict(fits, n, n_ranks, cluster);
    constexpr double n_matrices = 5;  // M, C, K, the step matrix and the levels
    const double bytes = 12 * n_matrices * value_of(fits, "entries", n) / n_ranks;
    table.add_row({n, n_ranks, of.reduce, of.multigrid, of.n_iterations, of.solve(),
                   100 * of.network / of.iteration(), 1e-9 * bytes, m * of.solve(),
                   value_of(fits, "laws", n, m)});
  }
  std::cout << "\nBy iterations, predicted for a cluster\n\n" << table;
}

void print_direct(const std::vector<Fit>& fits) {
  const auto column = [](const char* name) { return TextColumn(name, NumberStyle::general, 3); };
  TextTable table({column("DoFs"), column("entries of factors"), column("GB"), column("factorize [s]"),
                   column("step [s]"), column("step by multigrid [s]")});
  for (const double n : {1e4, 1e5, 3e5, 1e6, 4e6}) {
    const double entries = value_of(fits, "factor entries", n);
    table.add_row({n, entries, 8e-9 * entries, value_of(fits, "factorize", n), value_of(fits, "step", n),
                   value_of(fits, "iterations", n) * value_of(fits, "iteration", n)});
  }
  std::cout << "\nBy factors, predicted for the machine of the measurements\n\n" << table;
}

/// Measured points and fitted lines of one quantity.
CurvePanel panel_of(const std::vector<Fit>& fits, const std::string& quantity) {
  CurvePanel panel{quantity, {"n", AxisScale::logarithmic}, {"time [s]", AxisScale::logarithmic}, {}};
  for (const Fit& of : fits) {
    if (of.quantity != quantity) continue;
    const auto n_points = static_cast<Eigen::Index>(of.points.size());
    Vector n(n_points), measured(n_points), fitted(n_points);
    for (Eigen::Index i = 0; i < n_points; ++i) {
      const Measured& point = of.points[static_cast<std::size_t>(i)];
      n[i] = point.n;
      measured[i] = point.value;
      fitted[i] = of.at(point);
    }
    const std::string name = std::to_string(of.dimension) + "D";
    panel.curves.push_back({name, n, measured, CurveStyle::points});
    panel.curves.push_back({name + ", fitted", n, fitted, CurveStyle::dashed_line});
  }
  return panel;
}

}  // namespace

int main(int n_arguments, char** arguments) {
  if (n_arguments < 2) {
    std::cerr << "usage: benchmark_cost_model <cost.csv> [multigrid.csv] [picture.png]\n";
    return 2;
  }
  std::vector<Measured> all = read(arguments[1]);
  if (n_arguments > 2)
    for (const Measured& row : read(arguments[2]))
      all.push_back(row);
  const std::vector<Fit> fits = fits_of(all);
  print(fits);
  if (n_arguments > 2) {
    print_direct(fits);
    print_iterative(fits);
  }
  if (n_arguments < 4) return EXIT_SUCCESS;
  Plot plot{"Cost of set-up and steps, measured and fitted", {}};
  for (const char* const quantity : {"reduce", "factorize", "step", "Delassus", "multigrid", "iteration"})
    plot.panels.push_back(panel_of(fits, quantity));
  plot.n_columns = 3;
  plot.width = 1400;
  write_png(plot, arguments[3]);
}
