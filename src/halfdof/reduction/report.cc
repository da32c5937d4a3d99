#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/reduced_system.h>

#include <cmath>
#include <iomanip>
#include <ostream>

namespace halfdof {

namespace {

void print_block(std::ostream& out, const EliminationBlock& block) {
  const FactorizationReport& report = block.factorization;
  out << "  " << std::left << std::setw(5) << block.name << std::right << std::setw(9) << report.n_rows
      << "  " << std::left << std::setw(9) << name_of(report.solver) << std::right;
  if (report.solver != Solver::diagonal)
    out << std::setw(12) << report.n_factor_entries << " entries in the factors (" << std::setprecision(3)
        << report.bytes / 1e6 << " MB, " << report.seconds << " s), condition about " << block.condition;
  out << "\n        " << report.reason
      << (report.ordering.empty() ? "" : ", " + report.ordering + " ordering");
  if (report.alternative != Solver::automatic) {
    out << "; the alternative is " << name_of(report.alternative);
    if (report.alternative_factor_entries > 0)
      out << ", with " << report.alternative_factor_entries << " entries predicted";
  }
  out << '\n';
}

}  // namespace

template <class Engine>
void ReducedSystem<Engine>::print_summary(std::ostream& out) const {
  print(out, classification(), assembled());
  if (communicator().rank() != 0) return;

  const std::streamsize precision = out.precision();
  out << "Elimination through D = [M J_I | C J_C | K J_K], "
      << (elimination().is_block_triangular() ? "block triangular" : "as a whole") << " (" << Engine::name
      << "):\n";
  for (const EliminationBlock& block : elimination().blocks())
    print_block(out, block);
  if (const double condition = elimination().condition(); elimination().is_badly_conditioned())
    out << "Warning: the elimination is badly conditioned (about " << condition
        << " after equilibration), so that about " << std::setprecision(2) << std::log10(condition)
        << " digits of the algebraic displacements and viscous rates are lost. Look for half degrees of "
           "freedom that "
           "are nearly free.\n";

  if (const auto needed = free().needed_prescribed(); !needed.empty()) {
    out << "The constrained degrees of freedom load the free ones through ";
    for (std::size_t i = 0; i < needed.size(); ++i)
      out << (i == 0 ? "" : ", ") << needed[i];
    out << (assembled().prescribed().value ? ".\n"
                                           : "; no motion is prescribed, so that they rest at zero.\n");
  }
  out.precision(precision);
}

template void ReducedSystem<InstantiatedEngine>::print_summary(std::ostream&) const;

}  // namespace halfdof
