// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/free_system.h>
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/base/profile.h>
#include <halfdof/classification/classification.h>
#include <halfdof/linear_algebra/entries.h>
#include <halfdof/linear_algebra/instantiate.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

namespace halfdof {

using namespace internal;

const char* name_of(DoFKind kind) {
  switch (kind) {
    case DoFKind::inertial:
      return "inertial";
    case DoFKind::viscous:
      return "viscous";
    case DoFKind::algebraic:
      return "algebraic";
    case DoFKind::constrained:
      return "constrained";
  }
  throw InvalidInput("There is no such kind of degree of freedom.");
}

namespace {

/// A column of mass or damping counts as null up to rounding if its norm is below this fraction of its
/// largest previous norm. With forces that balance up to a relative rounding error eps, the rate left
/// in a quadratic damper is of the order sqrt(eps).
constexpr double negligible_column = 1.5e-8;

constexpr std::size_t max_described = 10;  ///< largest number of nearly null columns of a matrix that are
                                           ///< described

/// Returns the positions of the DoFs of one kind among the free DoFs.
Selection positions_of_kind(const std::vector<DoFKind>& kinds, const Selection& free, DoFKind kind) {
  std::vector<Index> local(free.local().size() + 1);
  std::size_t n = 0;
  // Every position is written to local[n], and n grows only if the DoF is of this kind: the loop needs no
  // branch.
  for (std::size_t i = 0; i < free.local().size(); ++i) {
    local[n] = static_cast<Index>(i);
    n += kinds[static_cast<std::size_t>(free.local()[i])] == kind;
  }
  return Selection(std::vector<Index>(local.begin(), local.begin() + static_cast<std::ptrdiff_t>(n)),
                   free.partition());
}

/// The 1-norms of the columns of M or C, with the thresholds below which a column is null or nearly
/// null.
struct ColumnNorms {
  Vector norms;
  double largest;
  double null_below;
  double warn_below;

  bool is_null(Index j) const { return norms[j] <= null_below; }
  bool is_nearly_null(Index j) const { return !is_null(j) && norms[j] < warn_below; }
  /// Loops over all columns without an early exit, so that the compiler vectorizes the comparisons.
  bool has_nearly_null() const {
    int any = 0;
    for (Index j = 0; j < static_cast<Index>(norms.size()); ++j)
      any |= static_cast<int>(norms[j] > null_below) & static_cast<int>(norms[j] < warn_below);
    return any != 0;
  }
};

ColumnNorms column_norms_of(Vector norms, const Communicator& communicator,
                            const ClassificationOptions& options) {
  const double largest = communicator.max(norms.size() > 0 ? norms.maxCoeff() : 0.);
  return {std::move(norms), largest, options.null_tolerance * largest, options.nearly_null * largest};
}

/// Appends descriptions of the nearly null columns of one matrix. Only the columns j with decides[j]
/// count, those that determine the kind of their DoF. Collective.
template <class Engine>
void add_nearly_null(const FreeSystem<Engine>& system, char matrix, const ColumnNorms& columns,
                     const std::vector<bool>& decides, NearlyNullColumns& all) {
  std::vector<std::pair<GlobalIndex, Index>> chosen;
  const auto n = static_cast<Index>(columns.has_nearly_null() ? columns.norms.size() : 0);
  for (Index j = 0; j < n; ++j)
    if (decides[static_cast<std::size_t>(j)] && columns.is_nearly_null(j))
      chosen.emplace_back(system.assembled_index(j), j);
  const Communicator& communicator = system.dofs().communicator();
  all.n += communicator.count(static_cast<GlobalIndex>(chosen.size()));
  std::sort(chosen.begin(), chosen.end());
  chosen.resize(std::min(chosen.size(), max_described));

  std::ostringstream bytes;
  bytes.precision(17);
  for (const auto& [dof, j] : chosen)
    bytes << dof << ' ' << columns.norms[j] / columns.largest << ' ' << system.describe(j) << '\n';
  std::vector<NearlyNullColumn> of_matrix;
  for (const std::string& part : communicator.gather(bytes.str())) {
    std::istringstream lines(part);
    NearlyNullColumn column{matrix, 0, 0, {}};
    while (lines >> column.dof >> column.relative_norm && std::getline(lines >> std::ws, column.description))
      of_matrix.push_back(column);
  }
  std::sort(of_matrix.begin(), of_matrix.end(),
            [](const NearlyNullColumn& a, const NearlyNullColumn& b) { return a.dof < b.dof; });
  of_matrix.resize(std::min(of_matrix.size(), max_described));
  all.first.insert(all.first.end(), of_matrix.begin(), of_matrix.end());
}

void check_tolerances(const ClassificationOptions& options) {
  const auto require = [](double value, const char* name) {
    if (!(value >= 0 && value < 1))
      throw InvalidInput(std::string("The ") + name + " is " + number_text(value) +
                         ", but it must be at least 0 and below 1, because it is relative to the largest "
                         "column norm of the matrix. Give a number in this range.");
  };
  require(options.null_tolerance, "null tolerance");
  require(options.nearly_null, "threshold for nearly null columns");
}

}  // namespace

Classification::Classification(std::vector<DoFKind> kinds, const Selection& free,
                               NearlyNullColumns nearly_null, GlobalIndex n_dropped_columns)
    : kinds_(std::move(kinds)),
      inertial_(positions_of_kind(kinds_, free, DoFKind::inertial)),
      viscous_(positions_of_kind(kinds_, free, DoFKind::viscous)),
      algebraic_(positions_of_kind(kinds_, free, DoFKind::algebraic)),
      n_constrained_(
          free.partition().communicator().count(static_cast<GlobalIndex>(kinds_.size()) - free.n_local())),
      nearly_null_(std::move(nearly_null)),
      n_dropped_columns_(n_dropped_columns) {}

template <class Engine>
Classification classify_dofs(const FreeSystem<Engine>& system, const ClassificationOptions& options) {
  const StageTimer stage("classify");
  check_tolerances(options);
  const Communicator& communicator = system.dofs().communicator();
  const ColumnNorms M = column_norms_of(system.mass().column_norms(), communicator, options);
  const ColumnNorms C = column_norms_of(system.damping().column_norms(), communicator, options);

  const Selection& free = system.places();
  std::vector<DoFKind> kinds(static_cast<std::size_t>(system.assembled().dofs().n_local()),
                             DoFKind::constrained);
  std::vector<bool> has_no_mass(static_cast<std::size_t>(free.n_local()));
  GlobalIndex n_dropped = 0;
  for (Index j = 0; j < free.n_local(); ++j) {
    DoFKind& kind = kinds[static_cast<std::size_t>(free.local()[static_cast<std::size_t>(j)])];
    kind = !M.is_null(j) ? DoFKind::inertial : !C.is_null(j) ? DoFKind::viscous : DoFKind::algebraic;
    has_no_mass[static_cast<std::size_t>(j)] = M.is_null(j);
    n_dropped += (M.is_null(j) && M.norms[j] > 0) + (M.is_null(j) && C.is_null(j) && C.norms[j] > 0);
  }

  const std::vector<bool> all(has_no_mass.size(), true);
  NearlyNullColumns nearly_null;
  add_nearly_null(system, 'M', M, all, nearly_null);
  add_nearly_null(system, 'C', C, has_no_mass, nearly_null);
  return Classification(std::move(kinds), free, std::move(nearly_null), communicator.count(n_dropped));
}

template <class Engine>
Classification declared_kinds(const AssembledSystem<Engine>& system, const ClassificationOptions& options) {
  if (options.null_tolerance != 0)
    throw InvalidInput("A null tolerance of " + number_text(options.null_tolerance) +
                       " was given, but in a system with a state force the pattern of this force determines "
                       "the kinds of the degrees of freedom. Leave tiny entries out of "
                       "M, C and the pattern instead.");
  const Partition& dofs = system.dofs();
  const auto norms = [&](const typename Engine::Matrix& A,
                         const std::optional<typename Engine::Matrix>& pattern) -> Vector {
    Vector of_columns = FreeMatrix<Engine>(A, system.free()).column_norms();
    if (pattern) of_columns += FreeMatrix<Engine>(*pattern, system.free()).column_norms();
    return of_columns;
  };
  const Vector M = norms(system.M(), system.state_force().pattern.mass),
               C = norms(system.C(), system.state_force().pattern.damping);
  std::vector<DoFKind> kinds(static_cast<std::size_t>(dofs.n_local()), DoFKind::constrained);
  for (Index j = 0; j < system.free().n_local(); ++j)
    kinds[static_cast<std::size_t>(system.free().local()[static_cast<std::size_t>(j)])] =
        M[j] > 0   ? DoFKind::inertial
        : C[j] > 0 ? DoFKind::viscous
                   : DoFKind::algebraic;
  return Classification(std::move(kinds), system.free(), {}, 0);
}

template <class Engine>
void check_kinds(const AssembledSystem<Engine>& system, const Tangents<Engine>& tangents,
                 const Classification& declared, double time, ColumnHistory& so_far) {
  std::ostringstream found;
  const auto check_columns = [&](const Selection& kind, const typename Engine::Matrix& A,
                                 const std::optional<typename Engine::Matrix>& tangent,
                                 const std::optional<typename Engine::Matrix>& pattern, const char* name,
                                 const char* what, Vector& largest, Vector& first) {
    if (!pattern) return;
    const typename Engine::Matrix sum = tangent ? Engine::sum(1., A, 1., *tangent) : A;
    const Vector norms = FreeMatrix<Engine>(sum, system.free()).column_norms();
    largest = largest.size() > 0 ? Vector(largest.cwiseMax(norms)) : norms;
    const Vector diagonal = system.free().selected_rows(diagonal_of<Engine>(sum));
    if (first.size() == 0) first = diagonal;
    for (const Index j : kind.local()) {
      const bool has_changed_sign = diagonal[j] * first[j] < 0 && 2 * std::abs(diagonal[j]) > norms[j];
      if ((norms[j] > negligible_column * largest[j] && !has_changed_sign) || found.tellp() > 0) continue;
      const Index i = system.free().local()[static_cast<std::size_t>(j)];
      found << system.dofs().global_index(i) << ' ' << what << " was declared for " << system.describe(i)
            << ", but its tangent " << name << " is ";
      if (has_changed_sign)
        found << number_text(diagonal[j]) << " in this state and was " << number_text(first[j])
              << " at first, so that it was zero in between";
      else if (norms[j] > 0)
        found << number_text(norms[j]) << " in this state, negligible compared with "
              << number_text(largest[j]) << ", its largest value so far";
      else
        found << "zero in this state";
    }
  };
  const Tangents<Engine>& pattern = system.state_force().pattern;
  check_columns(declared.inertial(), system.M(), tangents.mass, pattern.mass, "mass", "a mass", so_far.mass,
                so_far.first_mass);
  check_columns(declared.viscous(), system.C(), tangents.damping, pattern.damping, "damping", "damping",
                so_far.damping, so_far.first_damping);
  so_far.is_empty = false;
  for (const std::string& report : system.dofs().communicator().gather(found.str())) {
    if (report.empty()) continue;
    const std::size_t blank = report.find(' ');
    throw KindChange("At t = " + number_text(time) +
                         " a degree of freedom changes its kind: " + report.substr(blank + 1) +
                         ". The number of states would change. Give this degree of freedom a small linear "
                         "mass or damping that remains, do not declare entries that vanish, "
                         "or start from another state.",
                     time, std::stoll(report.substr(0, blank)));
  }
}

template Classification declared_kinds(const AssembledSystem<InstantiatedEngine>&,
                                       const ClassificationOptions&);
template void check_kinds(const AssembledSystem<InstantiatedEngine>&, const Tangents<InstantiatedEngine>&,
                          const Classification&, double, ColumnHistory&);
template Classification classify_dofs(const FreeSystem<InstantiatedEngine>&, const ClassificationOptions&);

}  // namespace halfdof
