// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/free_system.h>
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/consistent_state.h>
#include <halfdof/reduction/rounding_limits.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <ostream>
#include <sstream>
#include <utility>

namespace halfdof {

using namespace internal;

namespace {

constexpr std::size_t max_listed = 10;

/// A change of an initial value with its size relative to the largest entry of its vector.
struct RankedChange {
  double size;
  InitialChange change;
};

bool is_displacement(const RankedChange& ranked) {
  return ranked.change.quantity == "displacement";
}

/// Keeps only the largest changes of displacements and of rates, sorted with displacements first.
void keep_largest(std::vector<RankedChange>& changes) {
  std::stable_sort(changes.begin(), changes.end(), [](const RankedChange& a, const RankedChange& b) {
    return std::make_pair(is_displacement(a), a.size) > std::make_pair(is_displacement(b), b.size);
  });
  const auto rates = std::partition_point(changes.begin(), changes.end(), is_displacement);
  const auto first = static_cast<std::size_t>(rates - changes.begin()), all = changes.size();
  if (all - first > max_listed) changes.resize(first + max_listed);
  if (first > max_listed) changes.erase(changes.begin() + max_listed, rates);
}

/// Writes each change as one line of text, in which form processes exchange the changes.
std::string to_text(const std::vector<RankedChange>& changes) {
  std::ostringstream text;
  text.precision(std::numeric_limits<double>::max_digits10);
  for (const RankedChange& ranked : changes)
    text << ranked.size << ' ' << ranked.change.dof << ' ' << ranked.change.given << ' '
         << ranked.change.consistent << ' ' << ranked.change.quantity << ' ' << ranked.change.description
         << '\n';
  return text.str();
}

void append_from_text(const std::string& text, std::vector<RankedChange>& changes) {
  std::istringstream lines(text);
  RankedChange ranked;
  while (lines >> ranked.size >> ranked.change.dof >> ranked.change.given >> ranked.change.consistent >>
         ranked.change.quantity >> std::ws) {
    std::getline(lines, ranked.change.description);
    changes.push_back(ranked);
  }
}

/// Compares given initial values with consistent values and collects the differences.
template <class Engine>
class InitialValueComparison {
 public:
  InitialValueComparison(const AssembledSystem<Engine>& system, double tolerance)
      : system_(system), tolerance_(tolerance) {}

  /// Compares the entries `dofs` of one vector (local assembled DoFs), and appends the differences
  /// above the tolerance.
  void compare(const char* quantity, const std::vector<Index>& dofs, const Vector& given,
               const Vector& consistent) {
    const double here =
        given.size() ? std::max(given.cwiseAbs().maxCoeff(), consistent.cwiseAbs().maxCoeff()) : 0;
    const double scale = system_.dofs().communicator().max(here);
    for (const Index i : dofs) {
      const double difference = std::abs(given[i] - consistent[i]);
      if (difference <= tolerance_ * scale) continue;
      ++(quantity == std::string("displacement") ? n_displacements_ : n_rates_);
      changes_.push_back(
          {difference / scale,
           {system_.dofs().global_index(i), quantity, given[i], consistent[i], system_.describe(i)}});
    }
  }

  /// Returns the largest changes of all processes.
  ConsistencyReport report() {
    const Communicator& communicator = system_.dofs().communicator();
    keep_largest(changes_);
    std::vector<RankedChange> all;
    for (const std::string& text : communicator.gather(to_text(changes_)))
      append_from_text(text, all);
    keep_largest(all);
    ConsistencyReport report;
    report.n_displacements = communicator.count(n_displacements_);
    report.n_rates = communicator.count(n_rates_);
    report.n_changed = report.n_displacements + report.n_rates;
    for (RankedChange& ranked : all)
      report.largest.push_back(std::move(ranked.change));
    return report;
  }

 private:
  const AssembledSystem<Engine>& system_;
  double tolerance_;
  GlobalIndex n_displacements_ = 0, n_rates_ = 0;
  std::vector<RankedChange> changes_;
};

template <class Engine>
void check_given(const Vector& given, const char* name, const AssembledSystem<Engine>& system) {
  if (given.size() != system.dofs().n_local())
    throw InvalidInput(std::string("The initial ") + name + " has " + std::to_string(given.size()) +
                       " entries, but this process has " + std::to_string(system.dofs().n_local()) +
                       " assembled degrees of freedom. Give one value for each degree of freedom, also for "
                       "constrained and algebraic ones.");
  for (Index i = 0; i < given.size(); ++i)
    if (!std::isfinite(given[i]))
      throw InvalidInput(std::string("The initial ") + name + " is " + number_text(given[i]) + " on " +
                         system.describe(i) + ". Give a finite value, for example zero if it is unknown.");
}

/// Compares the initial values of a system with constraints. Every free DoF may be inconsistent, except
/// multipliers, which have no initial values.
template <class Engine>
void compare_constrained_system(InitialValueComparison<Engine>& comparison,
                                const ReducedSystem<Engine>& reduced, const Vector& displacement,
                                const Vector& rate, const AssembledMotion& lifted) {
  const FreeSystem<Engine>& free = reduced.free();
  const Vector parts = free.participation(reduced.classification().algebraic());
  std::vector<Index> dofs, with_rates;
  for (Index k = 0; k < parts.size(); ++k) {
    const Index i = reduced.assembled().free().local()[static_cast<std::size_t>(k)];
    if (reduced.is_multiplier(i)) continue;
    dofs.push_back(i);
    if (parts[k] <= negligible_participation) with_rates.push_back(i);
  }
  comparison.compare("displacement", dofs, displacement, lifted.displacement);
  if (free.has_offset(1)) comparison.compare("rate", with_rates, rate, lifted.rate);
}

/// Returns the local assembled DoFs of one kind.
std::vector<Index> dofs_of_kind(const Classification& classification, DoFKind kind) {
  std::vector<Index> dofs;
  for (std::size_t i = 0; i < classification.kinds().size(); ++i)
    if (classification.kinds()[i] == kind) dofs.push_back(static_cast<Index>(i));
  return dofs;
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const ConsistencyReport& report) {
  if (report.n_changed == 0)
    return out << "The initial values agree with the equations; nothing was changed.\n";
  const auto list = [&](const std::string& quantity, GlobalIndex n) {
    if (n == 0) return;
    out << n << " initial " << quantity << (n == 1 ? "" : "s")
        << " did not agree with the equations and follow" << (n == 1 ? "s" : "")
        << " from the other values:\n";
    GlobalIndex n_shown = 0;
    for (const InitialChange& change : report.largest) {
      if (change.quantity != quantity) continue;
      ++n_shown;
      out << "  " << change.quantity << " of " << change.description << ": given " << change.given
          << ", consistent " << change.consistent << '\n';
    }
    if (n > n_shown) out << "  ...\n";
  };
  list("displacement", report.n_displacements);
  list("rate", report.n_rates);
  return out;
}

void check_strict(const ConsistencyReport& report, double time, const ConsistencyOptions& options) {
  if (options.mode != ConsistencyOptions::Mode::strict || report.n_changed == 0) return;
  std::ostringstream message;
  message << "The initial values are not consistent at t = " << time << ". " << report
          << "Give the consistent values, or let the library adjust them (ConsistencyOptions::Mode::adjust).";
  throw InvalidInput(message.str());
}

template <class Engine>
void check_initial_values(const ReducedSystem<Engine>& reduced, const Vector& displacement,
                          const Vector& rate, const ConsistencyOptions& options) {
  call_together(reduced.communicator(), [&] {
    if (!(options.tolerance >= 0))
      throw InvalidInput("The tolerance of a consistent state is " + number_text(options.tolerance) +
                         ", but it must be zero or positive. Give a number such as 1e-10.");
    check_given(displacement, "displacement", reduced.assembled());
    check_given(rate, "rate", reduced.assembled());
  });
}

template <class Engine>
ConsistencyReport consistency_report(const ReducedSystem<Engine>& reduced, const Vector& displacement,
                                     const Vector& rate, double time, const AssembledMotion& lifted,
                                     const ConsistencyOptions& options) {
  const AssembledSystem<Engine>& assembled = reduced.assembled();
  InitialValueComparison<Engine> comparison(assembled, options.tolerance);
  const Classification& classification = reduced.classification();
  const std::vector<Index>& constrained = assembled.constrained().local();
  const auto of_coordinates = [&](Vector x) {
    x(reduced.free().places().local()) = reduced.free().restrict(x).eval();
    x(assembled.multipliers().local()).setZero();  // multipliers have no given values
    return x;
  };
  if (reduced.free().constraints()) {
    compare_constrained_system(comparison, reduced, displacement, rate, lifted);
  } else {
    comparison.compare("displacement", dofs_of_kind(classification, DoFKind::algebraic),
                       of_coordinates(displacement), of_coordinates(lifted.displacement));
    comparison.compare("rate", dofs_of_kind(classification, DoFKind::viscous), of_coordinates(rate),
                       of_coordinates(lifted.rate));
  }
  // The displacements and rates of moving constrained DoFs are known only if they were given as
  // functions.
  const PrescribedMotion& motion = assembled.prescribed();
  const bool at_rest = !motion.moves();
  if (motion.value || at_rest)
    comparison.compare("displacement", constrained, displacement, lifted.displacement);
  if (motion.rate || at_rest) comparison.compare("rate", constrained, rate, lifted.rate);

  ConsistencyReport report = comparison.report();
  check_strict(report, time, options);
  return report;
}

template <class Engine>
ConsistentState consistent_state(const ReducedSystem<Engine>& reduced, const Vector& displacement,
                                 const Vector& rate, double time, const ConsistencyOptions& options) {
  check_initial_values(reduced, displacement, rate, options);
  ConsistentState state;
  state.time = time;
  state.y = reduced.project(displacement, rate, time);
  state.report = consistency_report(reduced, displacement, rate, time, reduced.lift(state), options);
  return state;
}

template void check_initial_values(const ReducedSystem<InstantiatedEngine>&, const Vector&, const Vector&,
                                   const ConsistencyOptions&);
template ConsistencyReport consistency_report(const ReducedSystem<InstantiatedEngine>&, const Vector&,
                                              const Vector&, double, const AssembledMotion&,
                                              const ConsistencyOptions&);
template ConsistentState consistent_state(const ReducedSystem<InstantiatedEngine>&, const Vector&,
                                          const Vector&, double, const ConsistencyOptions&);

}  // namespace halfdof
