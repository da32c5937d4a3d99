// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/engine.h>

#include <array>
#include <sstream>
#include <utility>

namespace halfdof {

namespace {

constexpr std::array<std::pair<Solver, const char*>, 9> solver_names{{{Solver::automatic, "automatic"},
                                                                      {Solver::diagonal, "diagonal"},
                                                                      {Solver::blocks, "blocks"},
                                                                      {Solver::cholmod, "cholmod"},
                                                                      {Solver::ldlt, "ldlt"},
                                                                      {Solver::umfpack, "umfpack"},
                                                                      {Solver::klu, "klu"},
                                                                      {Solver::mumps, "mumps"},
                                                                      {Solver::krylov, "krylov"}}};

}  // namespace

const char* name_of(Solver solver) {
  for (const auto& [value, name] : solver_names)
    if (value == solver) return name;
  return "unknown";
}

template <class Scalar>
LogDeterminant<Scalar> Factorization<Scalar>::log_determinant() const {
  throw NotAvailable(
      std::string("The determinant of a matrix is not available, because the linear solver \"") +
      name_of(report().solver) +
      "\" does not provide determinants. Choose another solver, or \"automatic\".");
}

template LogDeterminant<double> Factorization<double>::log_determinant() const;
template LogDeterminant<Complex> Factorization<Complex>::log_determinant() const;

Solver solver_from_name(const std::string& name) {
  std::string all;
  for (const auto& [value, known] : solver_names) {
    if (name == known) return value;
    all += (all.empty() ? "" : ", ") + std::string(known);
  }
  throw InvalidInput("There is no linear solver called \"" + name + "\". Choose one of the solvers " + all +
                     ".");
}

std::string describe(const FactorizationReport& report) {
  std::ostringstream text;
  text << name_of(report.solver) << (report.ordering.empty() ? "" : ", " + report.ordering);
  if (!report.iteration.empty()) text << ", " << report.iteration << ", " << report.n_steps << " steps";
  text << ": " << report.n_rows << " rows, " << report.n_entries << " entries";
  if (report.n_factor_entries > 0) text << ", " << report.n_factor_entries << " in the factors";
  if (report.bytes > 0) text << ", " << report.bytes / 1e6 << " MB";
  text << "; " << report.reason;
  return text.str();
}

}  // namespace halfdof
