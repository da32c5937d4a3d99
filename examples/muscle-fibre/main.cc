// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/text_table.h>
#include <halfdof/output/result_files.h>

#include <CLI/CLI.hpp>
#include <Eigen/LU>

#include "pictures.h"
#include "reference.h"
#include "small_masses.h"
#include <algorithm>
#include <cmath>
#include <exception>
#include <filesystem>
#include <iostream>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

using namespace halfdof;

namespace {

constexpr double end = 60;
constexpr int n_shown = 600;

/// Ends the example with an error if a condition is not met, because the example is also a test.
void require(bool is_met, const std::string& what) {
  if (!is_met) throw Error(what);
}

/// Prints why the elimination by null columns fails. It fails if at least one Z-disk is connected only to
/// massless nodes.
void print_null_column_failure(const Fibre& fibre) {
  const std::string refusal = refusal_by_null_columns(fibre);
  require(refusal.empty() == (fibre.n_sarcomeres == 1),
          "The elimination by null columns should fail if and only if there is more than one sarcomere.");
  std::cout << "Elimination by null columns: " << (refusal.empty() ? "possible." : refusal) << "\n\n";
}

/// Returns the largest difference of det(s - A_1) and P(s) / P_0 at four values of s, relative to the sum of
/// the moduli of the terms.
double error_of_polynomial(const WeierstrassForm& form, const std::vector<double>& P) {
  double error = 0;
  for (const double s : {-2.5, -0.4, 0.3, 2.}) {
    double value = 0, terms = 0;
    for (const double coefficient : P) {
      value = value * s + coefficient / P.front();
      terms = terms * std::abs(s) + std::abs(coefficient / P.front());
    }
    const Index n = form.n_finite();
    error = std::max(error,
                     std::abs((s * MultiVector::Identity(n, n) - form.A_1()).determinant() - value) / terms);
  }
  return error;
}

/// Computes E^ = (E - A)^{-1} E = T diag((1 - A_1)^{-1}, (N - 1)^{-1} N) T^{-1} from the Weierstrass form.
MultiVector Ehat_of(const WeierstrassForm& form) {
  const Index n_f = form.n_finite(), n_inf = form.n_infinite();
  MultiVector J = MultiVector::Zero(n_f + n_inf, n_f + n_inf);
  J.topLeftCorner(n_f, n_f) = (MultiVector::Identity(n_f, n_f) - form.A_1()).inverse();
  J.bottomRightCorner(n_inf, n_inf) =
      (form.N() - MultiVector::Identity(n_inf, n_inf)).partialPivLu().solve(form.N());
  return form.T() * J * form.T_inverse();
}

void compare_with_reference(const FibreModel& model) {
  const FibreReference reference = reference_of(model.fibre.stiffness);
  const WeierstrassForm& form = model.form;
  require(form.n_finite() + 1 == static_cast<Index>(reference.P.size()),
          "The number of finite eigenvalues is wrong.");
  require(form.nilpotency_index() == reference.index, "The nilpotency index is wrong.");
  Index rank = form.order();
  for (std::size_t j = 0; j < reference.ranks.size(); ++j) {
    rank -= j < form.weyr_characteristic().size() ? form.weyr_characteristic()[j] : 0;
    require(rank == reference.ranks[j], "The ranks of the powers of E^ are wrong.");
  }
  const double of_Ehat = (Ehat_of(form) - reference.Ehat).cwiseAbs().maxCoeff();
  const double of_P = error_of_polynomial(form, reference.P);
  std::cout << "Against exact arithmetic: errors of E^ = (E - A)^{-1} E " << of_Ehat
            << ", of its characteristic polynomial " << of_P << " (allowed 1e-12)\n\n";
  require(of_Ehat <= 1e-12 && of_P <= 1e-12,
          "The Weierstrass form differs from the result of exact arithmetic.");
}

/// Returns the text of a complex number, where real and imaginary parts below 1e-12 are omitted.
std::string rounded(Complex value) {
  constexpr double rounding = 1e-12;
  const double re = std::abs(value.real()) > rounding ? value.real() : 0;
  return std::abs(value.imag()) > rounding ? to_text(Complex(re, value.imag())) : to_text(re);
}

/// Prints the eigenvalues with their multiplicities. Rounding errors split the eigenvalue of a Jordan block
/// into several values, so that values with a distance below 1e-6 are replaced by their mean.
void print_eigenvalues(std::vector<Complex> values) {
  std::vector<std::pair<Complex, Index>> groups;
  while (!values.empty()) {
    const auto end_of_group =
        std::partition(values.begin(), values.end(),
                       [first = values.front()](Complex value) { return std::abs(value - first) < 1e-6; });
    const auto count = static_cast<Index>(end_of_group - values.begin());
    groups.emplace_back(std::accumulate(values.begin(), end_of_group, Complex()) / static_cast<double>(count),
                        count);
    values.erase(values.begin(), end_of_group);
  }
  std::sort(groups.begin(), groups.end(), [](const auto& a, const auto& b) {
    return std::pair(a.first.real(), a.first.imag()) < std::pair(b.first.real(), b.first.imag());
  });
  TextTable table({"finite eigenvalue", "times"});
  for (const auto& [value, count] : groups)
    table.add_row({rounded(value), count});
  std::cout << table;
}

void show_structure(const FibreModel& model) {
  std::cout << "x = (q, q'): " << model.form;
  if (model.fibre.n_sarcomeres == 2) compare_with_reference(model);
  print_eigenvalues(model.form.finite_eigenvalues());

  const Fibre& fibre = model.fibre;
  const SecondOrderWeierstrass smallest = weierstrass_of(fibre.M(), fibre.C(), fibre.K());
  const MultiVector smaller_load = smallest.first_order.B * fibre.L();
  std::cout << "\nDerivatives of the activation needed: "
            << n_derivatives_needed(smallest.weierstrass, smaller_load)
            << " for displacements (x = (q, v_N), order " << smallest.weierstrass.order() << ", index "
            << smallest.weierstrass.nilpotency_index() << "), "
            << n_derivatives_needed(model.form, model.load.directions) << " for rates (x = (q, q'), order "
            << model.form.order() << ", index " << model.form.nilpotency_index() << ")\n";
  std::cout << "The friction of the slide acts on the " << name_of(model.slide.parts[0])
            << " part, W_alg = " << model.slide.W_alg(0, 0) << "\n\n";
  require(model.form.n_finite() == 2 * fibre.n_sarcomeres + 3, "There should be 2 N + 3 finite eigenvalues.");
}

/// Computes the consistent value for a fibre at rest that is fully activated from the start.
void show_consistency(const FibreModel& model) {
  const Index n = model.fibre.n_dofs(), n_sarcomeres = model.fibre.n_sarcomeres;
  const DifferentiableLoad tetanus = {model.load.directions,
                                      {[=](double) { return Vector(Vector::Ones(n_sarcomeres)); },
                                       [=](double) { return Vector(Vector::Zero(n_sarcomeres)); }}};
  const ConsistentValue value =
      consistent_value(model.form, Vector::Zero(2 * n), tetanus, 0, {1e-10, model.fibre.names_of_state()});
  std::cout << "At rest, and already fully activated: " << value << '\n';
  require(consistent_value(model.form, value.x, tetanus).was_consistent(),
          "A projected value is not consistent.");
}

double difference(const FibreMotion& a, const FibreMotion& b) {
  return (a.q - b.q).cwiseAbs().maxCoeff() / b.q.cwiseAbs().maxCoeff();
}

/// The errors of runs with different values of a parameter x, which is the step size or the mass.
struct Series {
  std::vector<double> x, error;

  double order() const { return std::log(error.front() / error.back()) / std::log(x.front() / x.back()); }
  Curve curve(const std::string& name) const {
    const auto n = static_cast<Index>(x.size());
    return {name, Eigen::Map<const Vector>(x.data(), n), Eigen::Map<const Vector>(error.data(), n),
            CurveStyle::line_with_points};
  }
};

void print(const Series& series, const char* name) {
  TextTable table(
      {{name, NumberStyle::scientific, 1}, {"largest difference of q", NumberStyle::scientific, 1}});
  for (std::size_t i = 0; i < series.x.size(); ++i)
    table.add_row({series.x[i], series.error[i]});
  std::cout << table << "order " << to_text(series.order(), NumberStyle::fixed, 2) << "\n\n";
  require(series.order() > 0.85, std::string("The error decreases too slowly with the ") + name + ".");
}

/// Whether a comparison with small masses on all nodes is possible. Long fibres would be too stiff, and the
/// printed stiffness would be unstable.
bool allows_small_masses(const Fibre& fibre) {
  return fibre.n_sarcomeres <= (fibre.stiffness == Fibre::Stiffness::corrected ? 6 : 2);
}

Series over_step(const FibreModel& model, const FibreMotion& reference) {
  Series series;
  for (const int n_steps : {600, 2400, 9600}) {
    series.x.push_back(end / n_steps);
    series.error.push_back(difference(implicit_euler(model, end, n_steps, n_shown), reference));
  }
  return series;
}

Series over_mass(const FibreModel& model, const FibreMotion& reference) {
  Series series;
  for (const double mass : {1e-1, 1e-2, 1e-3}) {
    series.x.push_back(mass);
    series.error.push_back(difference(with_small_masses(model.fibre, mass, end, n_shown), reference));
  }
  return series;
}

CurvePanel measure_errors(const FibreModel& model, const FibreMotion& fine) {
  CurvePanel panel{"Relative differences of q",
                   {"step, or mass on all nodes", AxisScale::logarithmic},
                   {"", AxisScale::logarithmic}};
  const bool by_masses = allows_small_masses(model.fibre);
  std::cout << "Implicit Euler in Weierstrass form, beside "
            << (by_masses ? "event-driven runs with masses of 1e-5 on all nodes:\n" : "a short step:\n");
  const Series of_step =
      over_step(model, by_masses ? with_small_masses(model.fibre, 1e-5, end, n_shown) : fine);
  print(of_step, "step");
  panel.curves.push_back(of_step.curve("implicit Euler over its step"));
  if (!by_masses) return panel;
  std::cout << "Masses on all nodes (event-driven), beside none (implicit Euler with a short step):\n";
  const Series of_mass = over_mass(model, fine);
  print(of_mass, "mass");
  panel.curves.push_back(of_mass.curve("with masses over the mass"));
  return panel;
}

void write_table(const Fibre& fibre, const FibreMotion& motion, const std::filesystem::path& file) {
  std::vector<std::string> columns = {"t"};
  for (const std::string& name : fibre.names_of_state())
    columns.push_back(name);
  columns.push_back("friction");
  CsvTable csv(file, columns);
  for (Index i = 0; i < motion.time.size(); ++i) {
    Vector row(2 * fibre.n_dofs() + 1);
    row << motion.q.row(i).transpose(), motion.v.row(i).transpose(), motion.r[i];
    csv.add_row(motion.time[i], row);
  }
}

void run(const Fibre& fibre, const std::filesystem::path& output) {
  print_null_column_failure(fibre);
  const FibreModel model(fibre);
  show_structure(model);
  show_consistency(model);
  const FibreMotion motion = implicit_euler(model, end, fibre.n_sarcomeres <= 6 ? 240000 : 48000, n_shown);
  const auto n_sticking = std::count(motion.contact.begin(), motion.contact.end(), ContactState::stick);
  std::cout << "The slide sticks at " << n_sticking << " of " << motion.contact.size()
            << " instants until t = " << end << ".\n\n";
  const CurvePanel errors = measure_errors(model, motion);
  const std::filesystem::path table = output / "muscle-fibre.csv", picture = output / "muscle-fibre.png";
  write_table(fibre, motion, table);
  draw(fibre, motion, errors, picture);
  std::cout << "Written: " << table.string() << ", " << picture.string() << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("The muscle fibre of Dumont et al.: nodes without mass that float, and a slide that rubs.");
  Fibre fibre;
  std::filesystem::path output = ".";
  const std::map<std::string, Fibre::Stiffness> stiffnesses = {{"corrected", Fibre::Stiffness::corrected},
                                                               {"printed", Fibre::Stiffness::printed}};
  app.add_option("--sarcomeres", fibre.n_sarcomeres, "Number of sarcomeres")->check(CLI::Range(1, 100));
  app.add_option("--stiffness", fibre.stiffness, "As the paper prints it, or corrected")
      ->transform(CLI::CheckedTransformer(stiffnesses));
  app.add_option("--output", output, "Folder for table and picture")->check(CLI::ExistingDirectory);
  try {
    app.parse(argc, argv);
    run(fibre, output);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const InvalidInput& error) {
    std::cerr << error.what() << '\n';
    return 2;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
