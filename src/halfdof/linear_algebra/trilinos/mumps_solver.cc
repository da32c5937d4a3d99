// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/profile.h>
#include <halfdof/linear_algebra/trilinos/local_rows.h>
#include <halfdof/linear_algebra/trilinos/mumps_solver.h>

#include <Epetra_Comm.h>
#include <Epetra_Import.h>
#include <Epetra_Map.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <type_traits>
#include <utility>

namespace halfdof::trilinos {

namespace {

/// Error codes INFOG(1) of MUMPS.
constexpr int structurally_singular = -6, numerically_singular = -10, not_definite = -40;

/// Workspace for delayed pivots in addition to the estimate of MUMPS [%]: the first and the largest value.
constexpr int first_extra_space = 40, largest_extra_space = 10000;

/// Values of ICNTL(7), the choice of the ordering.
constexpr int order_given = 1, order_by_pord = 4, order_by_metis = 5;

/// Smallest order of a matrix for which nested dissection by PORD is used if METIS is not available.
constexpr int min_order_for_pord = 1000;

/// Returns whether an error code of MUMPS means that a larger workspace may suffice.
bool needs_more_space(int code) {
  constexpr std::array<int, 4> codes{-8, -9, -17, -20};
  return std::find(codes.begin(), codes.end(), code) != codes.end();
}

std::string ordering_name(int infog_7) {
  constexpr std::array<const char*, 7> names{"AMD", "given", "AMF", "SCOTCH", "PORD", "METIS", "QAMD"};
  const auto number = static_cast<std::size_t>(infog_7);
  return infog_7 >= 0 && number < names.size() ? names[number] : "MUMPS " + std::to_string(infog_7);
}

/// A MUMPS instance with the analysis of the pattern, which is stored for the next factorization. The pointer
/// is null while a factorization uses the instance.
template <class Scalar>
struct SpareInstance {
  std::unique_ptr<MumpsInstance<Scalar>> instance;
};

/// Sends the entries of a solution from the processes on which MUMPS stores them to the processes that own
/// them.
class SolutionRedistribution {
 public:
  SolutionRedistribution(std::vector<int> where, const Partition& to)
      : where_(std::move(where)), to_(map_of(to)), from_(source_map(where_, to)), import_(to_, from_) {}

  MultiVector apply(const MultiVector& x) const {
    MultiVector owned(to_.NumMyElements(), x.cols());
    view(to_, owned).Import(view(from_, x), import_, Insert);
    return owned;
  }

  ComplexMultiVector apply(const ComplexMultiVector& x) const {
    MultiVector parts(x.rows(), 2 * x.cols());
    parts << x.real(), x.imag();
    const MultiVector owned = apply(parts);
    ComplexMultiVector result(owned.rows(), x.cols());
    result.real() = owned.leftCols(x.cols());
    result.imag() = owned.rightCols(x.cols());
    return result;
  }

 private:
  static Epetra_Map source_map(std::vector<int> where, const Partition& to) {
    for (int& row : where)
      --row;
    return Epetra_Map(-1, static_cast<int>(where.size()), where.data(), 0,
                      *epetra_communicator(to.communicator()));
  }

  std::vector<int> where_;
  Epetra_Map to_;
  Epetra_Map from_;
  Epetra_Import import_;
};

/// A factorization of MUMPS.
template <class Scalar>
class MumpsFactorization : public ReportedFactorization<Scalar> {
 public:
  using Instance = MumpsInstance<Scalar>;

  MumpsFactorization(PatternPtr pattern, std::unique_ptr<Instance> instance,
                     std::weak_ptr<SpareInstance<Scalar>> spare)
      : pattern_(std::move(pattern)),
        instance_(std::move(instance)),
        spare_(std::move(spare)),
        log_determinant_(determinant_of(*instance_)),
        n_negative_(instance_->infog(12)) {}

  ~MumpsFactorization() override {
    const auto spare = spare_.lock();
    if (spare && !spare->instance) spare->instance = std::move(instance_);
  }

  DenseMatrix<Scalar> solve(ConstView<Scalar> b) const override {
    return solve(b, pattern_->rows, pattern_->columns, 1, redistribution_);
  }

  DenseMatrix<Scalar> solve_transposed(ConstView<Scalar> b) const override {
    return solve(b, pattern_->columns, pattern_->rows, 2, transposed_redistribution_);
  }

  LogDeterminant<Scalar> log_determinant() const override { return log_determinant_; }

  std::optional<MatrixInertia> inertia() const override {
    if (!pattern_->symmetric || !std::is_same_v<Scalar, double>) return std::nullopt;
    return MatrixInertia{pattern_->rows.n_global() - n_negative_, n_negative_};
  }

 private:
  /// Returns the determinant (RINFOG(12) + i RINFOG(13)) 2^INFOG(34).
  static LogDeterminant<Scalar> determinant_of(const Instance& mumps) {
    LogDeterminant<Scalar> result;
    if constexpr (std::is_same_v<Scalar, double>)
      result *= mumps.rinfog(12);
    else
      result *= Complex(mumps.rinfog(12), mumps.rinfog(13));
    result.log_modulus += mumps.infog(34) * std::log(2.);
    return result;
  }

  DenseMatrix<Scalar> solve(ConstView<Scalar> b, const Partition& from, const Partition& to, int which,
                            std::optional<SolutionRedistribution>& redistribution) const;

  PatternPtr pattern_;
  std::unique_ptr<Instance> instance_;
  std::weak_ptr<SpareInstance<Scalar>> spare_;
  LogDeterminant<Scalar> log_determinant_;
  GlobalIndex n_negative_;  ///< number of negative pivots of a symmetric matrix
  mutable std::optional<SolutionRedistribution> redistribution_, transposed_redistribution_;
};

template <class Scalar>
DenseMatrix<Scalar> MumpsFactorization<Scalar>::solve(
    ConstView<Scalar> b, const Partition& from, const Partition& to, int which,
    std::optional<SolutionRedistribution>& redistribution) const {
  const StageTimer stage("solve");
  if (b.cols() == 0) return DenseMatrix<Scalar>(to.n_local(), 0);
  DenseMatrix<Scalar> right_hand_side = b;
  std::vector<int> rows(static_cast<std::size_t>(from.n_local()));
  for (Index i = 0; i < from.n_local(); ++i)
    rows[static_cast<std::size_t>(i)] = static_cast<int>(from.global_index(i)) + 1;
  const int n_here = instance_->info(23);
  std::vector<int> where(static_cast<std::size_t>(n_here));
  where.reserve(1);  // MUMPS requires a valid pointer even if this process has no entries
  DenseMatrix<Scalar> solution(std::max(1, n_here), b.cols());

  Instance& mumps = *instance_;
  mumps.icntl(9) = which;
  mumps.icntl(20) = 10;  // right-hand sides distributed
  mumps.icntl(21) = 1;   // solutions distributed
  mumps->nrhs = static_cast<int>(b.cols());
  mumps->nloc_rhs = from.n_local();
  mumps->lrhs_loc = std::max(1, from.n_local());
  mumps->irhs_loc = rows.data();
  mumps->rhs_loc = Instance::numbers(right_hand_side.data());
  mumps->lsol_loc = std::max(1, n_here);
  mumps->isol_loc = where.data();
  mumps->sol_loc = Instance::numbers(solution.data());
  if (const int code = mumps.run(3); code < 0)
    throw Error(describe(*pattern_) + " was factorized, but a solution with its factors failed. " +
                explain_mumps_error(code, mumps.infog(2)));
  if (!redistribution) redistribution.emplace(std::move(where), to);
  return redistribution->apply(solution);
}

}  // namespace

template <class Scalar>
struct MumpsSolver<Scalar>::Implementation {
  using Instance = MumpsInstance<Scalar>;

  PatternPtr pattern;
  MumpsSymmetry symmetry;
  std::shared_ptr<Ordering> ordering;
  std::shared_ptr<SpareInstance<Scalar>> spare = std::make_shared<SpareInstance<Scalar>>();

  std::unique_ptr<Instance> analysed() const;
  int factorize(Instance& mumps) const;
  void complete_report(const Instance& mumps, FactorizationReport& report) const;
};

/// Returns the stored instance of a destroyed factorization, or a new instance after the analysis of the
/// pattern.
template <class Scalar>
std::unique_ptr<MumpsInstance<Scalar>> MumpsSolver<Scalar>::Implementation::analysed() const {
  if (spare->instance) return std::move(spare->instance);
  const Communicator& communicator = pattern->rows.communicator();
  auto instance = std::make_unique<Instance>(mpi_handle(communicator), symmetry);
  Instance& mumps = *instance;
  mumps.icntl(14) = first_extra_space;
  mumps.icntl(18) = 3;  // each process passes its own entries
  mumps.icntl(33) = 1;  // MUMPS also computes the determinant, which takes no additional time
  mumps->n = static_cast<int>(pattern->rows.n_global());
  mumps->nnz_loc = static_cast<std::int64_t>(pattern->entry_rows.size());
  mumps->irn_loc = const_cast<int*>(pattern->entry_rows.data());
  mumps->jcn_loc = const_cast<int*>(pattern->entry_columns.data());
  const bool known = !ordering->name.empty();
  mumps.icntl(7) = known ? order_given : order_by_metis;
  mumps->perm_in = ordering->positions.data();
  int code = mumps.run(1);
  // If METIS is not available, MUMPS uses a minimum fill ordering, which has more fill in 3D and a less
  // parallel elimination tree than nested dissection. PORD is used instead.
  if (!known && code >= 0 && mumps.infog(7) != order_by_metis && mumps->n > min_order_for_pord) {
    mumps.icntl(7) = order_by_pord;
    code = mumps.run(1);
  }
  if (code == structurally_singular)
    throw SingularMatrix(
        describe(*pattern) +
        " is singular for all values of its entries: the positions of its nonzero entries admit "
        "a rank of at most " +
        std::to_string(mumps.infog(2)) +
        ". Remove linearly dependent equations, or DoFs that no equation determines.");
  if (code < 0)
    throw Error(describe(*pattern) + " could not be analysed. " + explain_mumps_error(code, mumps.infog(2)));
  if (!known) {
    ordering->name = ordering_name(mumps.infog(7));
    if (communicator.rank() == 0) ordering->positions.assign(mumps->sym_perm, mumps->sym_perm + mumps->n);
  }
  return instance;
}

/// Factorizes the matrix with increasing workspace until the workspace suffices. @return The last error code
/// INFOG(1)
template <class Scalar>
int MumpsSolver<Scalar>::Implementation::factorize(Instance& mumps) const {
  int code = mumps.run(2);
  while (needs_more_space(code) && mumps.icntl(14) < largest_extra_space) {
    mumps.icntl(14) *= 2;
    code = mumps.run(2);
  }
  return code;
}

template <class Scalar>
void MumpsSolver<Scalar>::Implementation::complete_report(const Instance& mumps,
                                                          FactorizationReport& report) const {
  const double n_entries = count_from_info(mumps.infog(29));
  report.solver = Solver::mumps;
  report.ordering = ordering->name;
  report.n_factor_entries = static_cast<GlobalIndex>(n_entries);
  report.bytes = n_entries * sizeof(Scalar) + count_from_info(mumps.infog(10)) * sizeof(int);
  const double here = count_from_info(mumps.info(27));
  report.largest_share = n_entries > 0 ? pattern->rows.communicator().max(here) / n_entries : 1.;
  if (symmetry != MumpsSymmetry::unsymmetric) {
    // An unsymmetric factorization stores both factors, in the same order.
    report.alternative = Solver::mumps;
    report.alternative_factor_entries =
        2 * count_from_info(mumps.infog(20)) - static_cast<double>(pattern->rows.n_global());
  } else if (std::is_same_v<Scalar, double>) {
    report.alternative = Solver::klu;
  }
}

template <class Scalar>
MumpsSolver<Scalar>::MumpsSolver(PatternPtr pattern, MumpsSymmetry symmetry,
                                 std::shared_ptr<Ordering> ordering)
    : implementation_(new Implementation{std::move(pattern), symmetry, std::move(ordering)}) {}

template <class Scalar>
MumpsSolver<Scalar>::~MumpsSolver() = default;
template <class Scalar>
MumpsSolver<Scalar>::MumpsSolver(MumpsSolver&&) noexcept = default;
template <class Scalar>
MumpsSolver<Scalar>& MumpsSolver<Scalar>::operator=(MumpsSolver&&) noexcept = default;

template <class Scalar>
double MumpsSolver<Scalar>::n_factor_entries() {
  auto instance = implementation_->analysed();
  const double n_entries = count_from_info(instance->infog(20));
  implementation_->spare->instance = std::move(instance);
  return n_entries;
}

template <class Scalar>
double MumpsSolver<Scalar>::predicted_memory() {
  auto instance = implementation_->analysed();
  const double megabytes = instance->infog(16);
  implementation_->spare->instance = std::move(instance);
  return 1e6 * megabytes;
}

template <class Scalar>
void MumpsSolver<Scalar>::release_spare_instance() {
  implementation_->spare->instance.reset();
}

template <class Scalar>
ReportedFactorizationPtr<Scalar> MumpsSolver<Scalar>::factorize(const std::vector<Scalar>& values) {
  const PatternPtr& pattern = implementation_->pattern;
  auto instance = implementation_->analysed();
  (*instance)->a_loc = MumpsInstance<Scalar>::numbers(const_cast<Scalar*>(values.data()));
  const int code = implementation_->factorize(*instance);
  (*instance)->a_loc = nullptr;

  if (implementation_->symmetry == MumpsSymmetry::definite) {
    const bool has_negative_pivots = code >= 0 && instance->infog(12) > 0;
    if (code == numerically_singular || code == not_definite || has_negative_pivots) return nullptr;
  }
  if (code == numerically_singular)
    throw SingularMatrix(describe(*pattern) + " is singular: its factorization by MUMPS has only " +
                         std::to_string(instance->infog(2)) +
                         " nonzero pivots. Remove linearly dependent equations, or DoFs "
                         "that no equation determines.");
  if (code < 0)
    throw Error(describe(*pattern) + " could not be factorized. " +
                explain_mumps_error(code, instance->infog(2)));
  FactorizationReport report;
  implementation_->complete_report(*instance, report);
  auto result =
      std::make_unique<MumpsFactorization<Scalar>>(pattern, std::move(instance), implementation_->spare);
  result->report() = std::move(report);
  return result;
}

template class MumpsSolver<double>;
template class MumpsSolver<Complex>;

}  // namespace halfdof::trilinos
