// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/reduction/weierstrass/pencil_balance.h>
#include <halfdof/reduction/weierstrass/weierstrass_load.h>

#include <algorithm>
#include <cmath>
#include <ostream>
#include <sstream>
#include <utility>

namespace halfdof {

using namespace internal;
namespace {

/// Evaluates the i-th derivative of a load and checks the result.
Vector derivative(const DifferentiableLoad& load, std::size_t i, double time) {
  const Vector value = load.derivatives[i](time);
  if (value.size() == load.directions.cols() && value.allFinite()) return value;
  std::ostringstream message;
  message << "Derivative " << i << " of the load has " << value.size() << " entries at t = " << time
          << ", but the load has " << load.directions.cols()
          << " directions, or an entry is not finite. Return one finite entry for each direction.";
  throw InvalidInput(message.str());
}

/// @throws NotAvailable if fewer derivatives are given than the solution needs
void check_derivatives(Index needed, const DifferentiableLoad& load) {
  const auto given = static_cast<Index>(load.derivatives.size());
  if (given > needed) return;
  std::ostringstream message;
  message << "The load H = L u acts on the nilpotent part of the pencil, whose solution needs u and "
          << needed << " of its derivatives; " << given << " of these " << needed + 1
          << " functions were given, so that " << needed + 1 - given
          << (needed + 1 - given == 1 ? " is" : " are")
          << " missing. Give them in closed form: numerical differentiation would amplify errors.";
  throw NotAvailable(message.str());
}

}  // namespace

Index n_derivatives_needed(const WeierstrassForm& form, ConstView<double> directions) {
  return static_cast<Index>(std::max<std::size_t>(1, nilpotent_images(form, directions).size())) - 1;
}

AlgebraicSolution::AlgebraicSolution(const WeierstrassForm& form, DifferentiableLoad load)
    : load_(std::move(load)),
      images_(nilpotent_images(form, load_.directions)),
      n_infinite_(form.n_infinite()) {
  if (!images_.empty()) check_derivatives(static_cast<Index>(images_.size()) - 1, load_);
}

Vector AlgebraicSolution::at(double time) const {
  Vector v_2 = Vector::Zero(n_infinite_);
  for (std::size_t i = 0; i < images_.size(); ++i)
    v_2 -= images_[i] * derivative(load_, i, time);
  return v_2;
}

ConsistentValue consistent_value(const WeierstrassForm& form, const Vector& c, const DifferentiableLoad& load,
                                 double time, const ConsistentValueOptions& options) {
  ConsistentValue value;
  value.parts = form.restrict(c);
  const Vector v_2 = AlgebraicSolution(form, load).at(time);
  value.residual = value.parts.v_2 - v_2;
  value.parts.v_2 = v_2;
  value.x = c - form.T_2() * value.residual;
  const Vector unit = form.balance().columns;
  const Vector change = (value.x - c).cwiseQuotient(unit).cwiseAbs();
  const double size =
      std::max(c.cwiseQuotient(unit).lpNorm<Eigen::Infinity>(), change.lpNorm<Eigen::Infinity>());
  for (Index i = 0; i < c.size(); ++i)
    if (change[i] > options.tolerance * size)
      value.changes.push_back({i, c[i], value.x[i],
                               options.names.empty() ? "unknown " + std::to_string(i)
                                                     : options.names.at(static_cast<std::size_t>(i))});
  std::stable_sort(value.changes.begin(), value.changes.end(),
                   [](const ValueChange& a, const ValueChange& b) {
                     return std::abs(a.consistent - a.given) > std::abs(b.consistent - b.given);
                   });
  return value;
}

std::ostream& operator<<(std::ostream& out, const ConsistentValue& value) {
  constexpr std::size_t max_listed = 10;
  if (value.was_consistent()) return out << "The initial value is consistent.\n";
  out << value.changes.size() << " entries of the initial value were changed to make it consistent:\n";
  for (std::size_t i = 0; i < std::min(max_listed, value.changes.size()); ++i)
    out << "  " << value.changes[i].name << ": " << value.changes[i].given << " -> "
        << value.changes[i].consistent << '\n';
  return out;
}

}  // namespace halfdof
