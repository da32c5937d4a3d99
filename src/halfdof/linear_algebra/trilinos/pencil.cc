// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/trilinos/block_solver.h>
#include <halfdof/linear_algebra/trilinos/direct_solver.h>
#include <halfdof/linear_algebra/trilinos/krylov_solver.h>
#include <halfdof/linear_algebra/trilinos/local_rows.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace halfdof {

using namespace internal;

using namespace trilinos;

namespace {

/// The entries of one of several matrices, and the positions of these entries in the union of the patterns.
struct PositionedValues {
  std::vector<double> values;
  std::vector<Index> positions;

  template <class Scalar>
  void add_to(Scalar factor, std::vector<Scalar>& sum) const {
    if (factor == Scalar(0)) return;
    for (std::size_t k = 0; k < values.size(); ++k)
      sum[static_cast<std::size_t>(positions[k])] += factor * values[k];
  }
};

/// The union of the patterns of several matrices, and the entries of each matrix.
struct PatternUnion {
  std::shared_ptr<Pattern> pattern = std::make_shared<Pattern>();
  std::vector<PositionedValues> entries;
};

void check_factorizable(const TrilinosMatrix& A, const std::string& name) {
  if (A.rows().n_global() != A.columns().n_global())
    throw InvalidInput(name + " has " + std::to_string(A.rows().n_global()) + " rows and " +
                       std::to_string(A.columns().n_global()) +
                       " columns, but only a square matrix can be factorized.");
  if (const auto entry = TrilinosEngine::find_non_finite(A))
    throw InvalidInput(name + " has the entry " + std::to_string(entry->value) + " in row " +
                       std::to_string(entry->row) + ", column " + std::to_string(entry->column) +
                       ", but only a matrix with finite entries can be factorized. Correct this entry.");
}

/// Adds one local row of several matrices to the union of their patterns.
void add_row(Index row, GlobalIndex global_row, const std::vector<OwnedRows>& matrices,
             PatternUnion& result) {
  Pattern& pattern = *result.pattern;
  std::vector<OwnedRows::InnerIterator> next;
  for (const OwnedRows& matrix : matrices)
    next.emplace_back(matrix, row);
  while (true) {
    Eigen::Index column = pattern.columns.n_global();
    for (const auto& entry : next)
      if (entry) column = std::min<Eigen::Index>(column, entry.col());
    if (column == pattern.columns.n_global()) return;
    ++pattern.n_entries;
    const bool stored = !pattern.symmetric || column <= global_row;
    for (std::size_t m = 0; m < next.size(); ++m) {
      if (!next[m] || next[m].col() != column) continue;
      if (stored) {
        result.entries[m].values.push_back(next[m].value());
        result.entries[m].positions.push_back(static_cast<Index>(pattern.entry_rows.size()));
      }
      ++next[m];
    }
    if (!stored) continue;
    pattern.entry_rows.push_back(static_cast<int>(global_row) + 1);
    pattern.entry_columns.push_back(static_cast<int>(column) + 1);
  }
}

PatternUnion unite_patterns(const std::vector<const TrilinosMatrix*>& matrices,
                            const FactorizationOptions& options) {
  PatternUnion result;
  Pattern& pattern = *result.pattern;
  pattern.rows = matrices.front()->rows();
  pattern.columns = matrices.front()->columns();
  pattern.symmetric = options.solver != Solver::klu;  // KLU needs both triangles
  for (const TrilinosMatrix* matrix : matrices)
    pattern.symmetric = pattern.symmetric && TrilinosEngine::asymmetry(*matrix) <= options.symmetry_tolerance;

  std::vector<OwnedRows> rows;
  for (const TrilinosMatrix* matrix : matrices)
    rows.push_back(rows_by_global_columns(matrix->entries()));
  result.entries.resize(matrices.size());
  for (Index row = 0; row < pattern.rows.n_local(); ++row)
    add_row(row, pattern.rows.global_index(row), rows, result);
  pattern.n_entries = pattern.rows.communicator().count(pattern.n_entries);
  return result;
}

/// Largest number of rows for which the analysis of a factorization may gather the pattern on one process.
constexpr GlobalIndex max_rows_of_analysis = 2000000;

/// Returns the reason for a Krylov iteration as text; an empty text if a direct solver is to be used.
/// @param direct_solver Function that returns the direct solver, which is constructed at the first call
std::string reason_to_iterate(const LinearCombination<double>& A, const FactorizationOptions& options,
                              const std::function<DirectSolver<double>&()>& direct_solver) {
  if (options.solver == Solver::krylov) return "named in the options";
  if (options.solver != Solver::automatic) return "";
  const bool is_ordered = A.rows().n_global() <= max_rows_of_analysis;
  if ((is_ordered && !direct_solver().may_exceed_memory()) || has_small_blocks(A)) return "";
  if (is_ordered) return direct_solver().reason_of_memory();
  return "more than " + std::to_string(max_rows_of_analysis) +
         " rows, too many to order them for a factorization on one process";
}

/// Returns a Krylov iteration if reason_to_iterate() gives a reason, otherwise a direct factorization. If the
/// iteration does not converge, a direct factorization is used.
/// @param direct_solver Function that returns the direct solver, which is constructed at the first call
FactorizationPtr<double> factorize_or_iterate(const LinearCombination<double>& A,
                                              const FactorizationOptions& options,
                                              const std::function<DirectSolver<double>&()>& direct_solver,
                                              const std::function<std::vector<double>()>& values) {
  if (const std::string reason = reason_to_iterate(A, options, direct_solver); !reason.empty()) try {
      return iterate_krylov(A, options, reason);
    } catch (const NoConvergence&) {
      if (options.solver == Solver::krylov) throw;
    }
  return direct_solver().factorize(values(), A);
}

}  // namespace

FactorizationPtr<double> TrilinosEngine::factorize(const Matrix& A, const FactorizationOptions& options) {
  check_factorizable(A, "The matrix");
  std::optional<PatternUnion> single;
  std::optional<DirectSolver<double>> direct;
  const auto direct_solver = [&]() -> DirectSolver<double>& {
    if (!single) {
      single = unite_patterns({&A}, options);
      direct.emplace(single->pattern, std::make_shared<Ordering>(), options);
    }
    return *direct;
  };
  return factorize_or_iterate(LinearCombination<double>({{1., A}}), options, direct_solver,
                              [&] { return single->entries.front().values; });
}

FactorizationPtr<double> TrilinosEngine::factorize_definite(const Matrix& A) {
  try {
    const FactorizationPtr<double> result = factorize(A);
    return result->report().is_positive_definite ? result : nullptr;
  } catch (const SingularMatrix&) {
    return nullptr;
  }
}

namespace {

/// The data of the direct solvers of a pencil. The object is constructed when a direct solver is first
/// needed.
struct DirectPencil {
  PatternUnion united;
  std::shared_ptr<Ordering> ordering = std::make_shared<Ordering>();
  DirectSolver<double> real;
  DirectSolver<Complex> complex;

  DirectPencil(const std::array<TrilinosMatrix, 3>& matrices, const FactorizationOptions& options)
      : united(unite_patterns({&matrices[0], &matrices[1], &matrices[2]}, options)),
        real(united.pattern, ordering, options),
        complex(united.pattern, ordering, options) {}

  template <class Scalar>
  std::vector<Scalar> values(const std::array<Scalar, 3>& factors) const {
    std::vector<Scalar> sum(united.pattern->entry_rows.size(), Scalar(0));
    for (std::size_t m = 0; m < factors.size(); ++m)
      united.entries[m].add_to(factors[m], sum);
    return sum;
  }
};

}  // namespace

struct TrilinosPencil::Implementation {
  std::array<TrilinosMatrix, 3> matrices;
  FactorizationOptions options;
  std::optional<DirectPencil> direct_pencil = {};

  DirectPencil& direct() {
    if (!direct_pencil) direct_pencil.emplace(matrices, options);
    return *direct_pencil;
  }

  template <class Scalar>
  LinearCombination<Scalar> combination(const std::array<Scalar, 3>& factors) const {
    for (const Scalar factor : factors)
      if (!std::isfinite(std::abs(factor)))
        throw InvalidInput(
            "The factors a, b and c of the matrix a M + b C + c K must be finite, but one of them is "
            "infinite or NaN. Check the shift or frequency from which they are computed.");
    return LinearCombination<Scalar>(
        {{factors[0], matrices[0]}, {factors[1], matrices[1]}, {factors[2], matrices[2]}});
  }
};

TrilinosPencil::TrilinosPencil(const TrilinosMatrix& M, const TrilinosMatrix& C, const TrilinosMatrix& K,
                               const FactorizationOptions& options) {
  check_factorizable(M, "M");
  check_factorizable(C, "C");
  check_factorizable(K, "K");
  check_same_layout(M, C);
  check_same_layout(M, K);
  implementation_.reset(new Implementation{{M, C, K}, options});
}

TrilinosPencil::~TrilinosPencil() = default;
TrilinosPencil::TrilinosPencil(TrilinosPencil&&) noexcept = default;
TrilinosPencil& TrilinosPencil::operator=(TrilinosPencil&&) noexcept = default;

FactorizationPtr<double> TrilinosPencil::factorize(double a, double b, double c) const {
  Implementation& pencil = *implementation_;
  if (pencil.direct_pencil) pencil.direct_pencil->complex.release_spare_instance();
  const std::array<double, 3> factors{a, b, c};
  return factorize_or_iterate(
      pencil.combination(factors), pencil.options,
      [&]() -> DirectSolver<double>& { return pencil.direct().real; },
      [&] { return pencil.direct().values(factors); });
}

FactorizationPtr<Complex> TrilinosPencil::factorize(Complex a, Complex b, Complex c) const {
  const std::array<Complex, 3> factors{a, b, c};
  const LinearCombination<Complex> sum = implementation_->combination(factors);
  DirectPencil& direct = implementation_->direct();
  direct.real.release_spare_instance();
  return direct.complex.factorize(direct.values(factors), sum);
}

}  // namespace halfdof
