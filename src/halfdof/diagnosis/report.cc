// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/text_table.h>
#include <halfdof/diagnosis/diagnosis.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/mixed_column_matrix.h>
#include <halfdof/reduction/reduced_system.h>
#include <halfdof/reduction/tangent_differences.h>
#include <halfdof/reduction/unreduced_system.h>

#include <cmath>
#include <iomanip>
#include <ostream>
#include <string>

namespace halfdof {

using namespace internal;

namespace {

const TableCell no_value("-");

/// Returns a table cell with a number of entries, or a dash if the number is zero because the solver
/// does not report it.
TableCell entry_count(double n_entries) {
  return n_entries > 0 ? TableCell(static_cast<GlobalIndex>(n_entries)) : no_value;
}

/// Names the alternative solver of a factorization, such as "umfpack" or "mumps, unsymmetric"; the text
/// is empty if there is no alternative.
std::string alternative_of(const FactorizationReport& report) {
  if (report.alternative == Solver::automatic) return "";
  return std::string(name_of(report.alternative)) +
         (report.alternative == report.solver ? ", unsymmetric" : "");
}

TextTable table_of(const std::vector<EliminationBlock>& blocks) {
  TextTable table({"block",
                   "rows",
                   "structure",
                   "solver",
                   "ordering",
                   "entries in factors",
                   {"MB", NumberStyle::general, 3},
                   {"s", NumberStyle::general, 3},
                   {"condition", NumberStyle::general, 3},
                   "alternative",
                   "its entries"});
  for (const EliminationBlock& block : blocks) {
    const FactorizationReport& report = block.factorization;
    table.add_row({block.name, report.n_rows, report.reason,
                   report.solver == Solver::diagonal ? "division" : name_of(report.solver), report.ordering,
                   entry_count(static_cast<double>(report.n_factor_entries)),
                   report.bytes > 0 ? TableCell(report.bytes / 1e6) : no_value, report.seconds,
                   block.condition, alternative_of(report),
                   report.alternative == Solver::automatic ? TableCell("")
                                                           : entry_count(report.alternative_factor_entries)});
  }
  return table;
}

void print(std::ostream& out, const ConstraintReport& constraints) {
  out << "Constraints: " << constraints.n_position << " on displacements";
  if (constraints.n_hidden > 0) out << " (" << constraints.n_hidden << " of them hidden)";
  out << ", " << constraints.n_velocity << " on rates, by " << constraints.n_multipliers
      << " multipliers; multipliers and DoFs that constraints determine count as constrained.\n";
}

}  // namespace

template <class Engine>
void ReducedSystem<Engine>::print_summary(std::ostream& out) const {
  print(out, classification(), assembled());
  const std::string mismatch = depends_on_state() ? tangent_mismatch(*linearized_state_force()) : "";
  const bool dropped_rows_remain =
      classification().n_dropped_columns() > 0 && !unreduced().undropped().is_symmetric();
  if (communicator().rank() != 0) return;
  if (method() != ReductionMethod::null_columns)
    out << "Method: " << name_of(method()) << ". " << reason() << (reason().empty() ? "" : " ")
        << "The numbers count independent combinations of DoFs; each is named by one of its DoFs.\n";
  if (method() == ReductionMethod::constraints) print(out, constraints());
  if (dropped_rows_remain)
    out << "Note: the matrices are unsymmetric, so that the rows of dropped columns keep their entries.\n";

  const std::streamsize precision = out.precision();
  out << "Elimination through D = [M J_I | C J_C | K J_K], "
      << (elimination().is_block_triangular() ? "block triangular" : "as a whole") << " (" << Engine::name
      << "):\n"
      << table_of(elimination().blocks());
  if (const double condition = elimination().condition(); elimination().is_badly_conditioned())
    out << "Warning: the elimination is badly conditioned (about " << condition
        << " after equilibration), so that about " << std::setprecision(2) << std::log10(condition)
        << " digits of the algebraic displacements and viscous rates are lost. Look for half degrees of "
           "freedom that are nearly free.\n";

  if (!mismatch.empty())
    out << "Warning: " << mismatch
        << " Motions are computed with the force, eigenvalues and responses with the tangents.\n";
  if (const auto needed = free().needed_prescribed(); !needed.empty()) {
    out << "The constrained degrees of freedom load the free ones through ";
    for (std::size_t i = 0; i < needed.size(); ++i)
      out << (i == 0 ? "" : ", ") << needed[i];
    out << (assembled().prescribed().moves() ? ".\n"
                                             : "; no motion is prescribed, so that they rest at zero.\n");
  }
  out << diagnose(*this);
  out.precision(precision);
}

template void ReducedSystem<InstantiatedEngine>::print_summary(std::ostream&) const;

}  // namespace halfdof
