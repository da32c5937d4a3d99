// Fits the cost model of COST.md to what benchmark_cost measured, prints its coefficients, and draws both. Usage:
// benchmark_cost_model <cost.csv> [picture.png]
#include <halfdof/base/errors.h>
#include <halfdof/base/text_table.h>
#include <halfdof/output/plot.h>

#include <Eigen/Dense>

#include <algorithm>
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
    std::cerr << "usage: benchmark_cost_model <cost.csv> [picture.png]\n";
    return 2;
  }
  const std::vector<Fit> fits = fits_of(read(arguments[1]));
  print(fits);
  if (n_arguments < 3) return EXIT_SUCCESS;
  Plot plot{"Cost of set-up and steps, measured and fitted", {}};
  for (const char* const quantity : {"classify", "reduce", "factorize", "solve", "step", "Delassus"})
    plot.panels.push_back(panel_of(fits, quantity));
  plot.n_columns = 3;
  plot.width = 1400;
  write_png(plot, arguments[2]);
}
