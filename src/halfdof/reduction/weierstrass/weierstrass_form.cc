// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/text_table.h>
#include <halfdof/linear_algebra/dense/dense_decompositions.h>
#include <halfdof/linear_algebra/dense/dense_solves.h>
#include <halfdof/linear_algebra/dense/stack.h>
#include <halfdof/reduction/weierstrass/infinite_staircase.h>
#include <halfdof/reduction/weierstrass/pencil_balance.h>
#include <halfdof/reduction/weierstrass/singular_pencil.h>
#include <halfdof/reduction/weierstrass/weierstrass_form.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <ostream>
#include <sstream>
#include <utility>

namespace halfdof {

using namespace internal;
namespace {

void check_pencil(ConstView<double> E, ConstView<double> A, const WeierstrassOptions& options) {
  std::ostringstream message;
  if (E.rows() != E.cols() || A.rows() != E.rows() || A.cols() != E.cols()) {
    message << "E is " << E.rows() << " x " << E.cols() << " and A is " << A.rows() << " x " << A.cols()
            << ". Give two square matrices of the same order.";
    throw InvalidInput(message.str());
  }
  if (!E.allFinite() || !A.allFinite())
    throw InvalidInput("E or A has an entry that is not finite. Correct the matrices.");
  if (!options.names.empty() && options.names.size() != static_cast<std::size_t>(E.rows())) {
    message << "There are " << options.names.size() << " names for " << E.rows()
            << " unknowns. Give one name for each unknown, or no names.";
    throw InvalidInput(message.str());
  }
  if (E.rows() > options.max_order) {
    message
        << "The pencil is of order " << E.rows() << ", more than the limit of " << options.max_order
        << " for the Weierstrass form, because the work with its dense matrices grows with the cube of the "
           "order. Eliminate half DoFs by null columns, kernels or constraints, or raise max_order.";
    throw NotAvailable(message.str());
  }
}

/// Returns the 1-norm of a matrix, the largest column sum of moduli.
double norm_1(const MultiVector& X) {
  return X.size() > 0 ? X.cwiseAbs().colwise().sum().maxCoeff() : 0.;
}

}  // namespace

/// The matrices of equation (1) in balanced coordinates.
struct WeierstrassForm::Decoupled {
  MultiVector A_1, N, T, T_inverse, Z;
};

namespace {

/// The blocks of the staircase form [E_inf E_c; 0 E_f] and [A_inf A_c; 0 A_f], with (E_f, A_f) in
/// generalized Schur form.
struct StaircaseBlocks {
  MultiVector E_inf, E_c, A_inf, A_c, U_inf, U_f, V_inf, V_f;
  GeneralizedSchur finite;
};

StaircaseBlocks staircase_blocks(const InfiniteStaircase& staircase) {
  const Index n_inf = staircase.n_infinite(), n_f = staircase.n_finite();
  const auto &E = staircase.E, &A = staircase.A;
  StaircaseBlocks b{E.topLeftCorner(n_inf, n_inf),
                    {},
                    A.topLeftCorner(n_inf, n_inf),
                    {},
                    staircase.U.leftCols(n_inf),
                    {},
                    staircase.V.leftCols(n_inf),
                    {},
                    generalized_schur(A.bottomRightCorner(n_f, n_f), E.bottomRightCorner(n_f, n_f))};
  b.E_c = E.topRightCorner(n_inf, n_f) * b.finite.Z;
  b.A_c = A.topRightCorner(n_inf, n_f) * b.finite.Z;
  b.U_f = staircase.U.rightCols(n_f) * b.finite.Q;
  b.V_f = staircase.V.rightCols(n_f) * b.finite.Z;
  return b;
}

}  // namespace

WeierstrassForm::WeierstrassForm(ConstView<double> E_given, ConstView<double> A_given,
                                 const WeierstrassOptions& options) {
  check_pencil(E_given, A_given, options);
  balance_ = std::make_shared<const PencilBalance>(halfdof::balance(E_given, A_given));
  const MultiVector E = balance_->balanced_E(E_given), A = balance_->balanced_A(A_given);
  const std::optional<ExactStructure> exact = exact_structure(E, A);
  check_regular(E, A, exact, *balance_, options.names);
  InfiniteStaircase staircase = infinite_staircase(E, A, exact);
  weyr_ = staircase.weyr;
  decisions_ = std::move(staircase.decisions);

  const StaircaseBlocks b = staircase_blocks(staircase);
  const auto [R, L] = decouple_pencils(b.A_inf, b.finite.S, b.A_c, b.E_inf, b.finite.T, b.E_c);
  const auto A_inf = b.A_inf.triangularView<Eigen::Upper>();
  const auto T_f = b.finite.T.triangularView<Eigen::Upper>();
  Decoupled form;
  form.A_1 = T_f.solve(b.finite.S);
  form.N = A_inf.solve(b.E_inf);
  if (!form.A_1.allFinite() || !form.N.allFinite())
    throw NotAvailable(
        "The finite part of the pencil cannot be separated from its infinite part: in one of both parts, the "
        "matrix that should be regular is singular to double precision, although it is regular for the "
        "entries exactly as given. Set entries to zero that are only rounding errors.");
  const Index n = static_cast<Index>(E.rows());
  form.T.resize(n, n);
  form.T << b.V_f + b.V_inf * R, b.V_inf;
  form.T_inverse.resize(n, n);
  stack_rows(form.T_inverse, b.V_f.transpose(), b.V_inf.transpose() - R * b.V_f.transpose());
  form.Z.resize(n, n);
  stack_rows(form.Z, T_f.solve(b.U_f.transpose()), A_inf.solve(b.U_inf.transpose() + L * b.U_f.transpose()));

  for (std::size_t i = 0; i < b.finite.alpha.size(); ++i)
    finite_eigenvalues_.push_back(balance_->rate * b.finite.alpha[i] / b.finite.beta[static_cast<Index>(i)]);
  compute_accuracy(E, A, form);
  undo_balancing(std::move(form));
}

void WeierstrassForm::compute_accuracy(ConstView<double> E, ConstView<double> A, const Decoupled& form) {
  const Index n = static_cast<Index>(E.rows()), n_f = static_cast<Index>(form.A_1.rows()), n_inf = n - n_f;
  const MultiVector ET = E * form.T, AT = A * form.T;
  MultiVector Z_inverse(n, n);
  Z_inverse << ET.leftCols(n_f), AT.rightCols(n_inf);
  condition_of_T_ = norm_1(form.T) * norm_1(form.T_inverse);
  condition_of_Z_ = norm_1(form.Z) * norm_1(Z_inverse);

  MultiVector of_E = form.Z * ET, of_A = form.Z * AT;
  const double size = form.Z.norm() * std::max(ET.norm(), AT.norm());
  of_E.topLeftCorner(n_f, n_f).diagonal().array() -= 1;
  of_E.bottomRightCorner(n_inf, n_inf) -= form.N;
  of_A.topLeftCorner(n_f, n_f) -= form.A_1;
  of_A.bottomRightCorner(n_inf, n_inf).diagonal().array() -= 1;
  residual_ = size > 0 ? std::max(of_E.norm(), of_A.norm()) / size : 0.;
}

/// Returns from balanced to given coordinates: E = R^{-1} E_b S^{-1} / rate and A = R^{-1} A_b S^{-1}.
void WeierstrassForm::undo_balancing(Decoupled form) {
  const double rate = balance_->rate;
  const auto n_f = form.A_1.rows();
  A_1_ = rate * form.A_1;
  N_ = form.N / rate;
  T_ = balance_->columns.asDiagonal() * form.T;
  T_inverse_ = form.T_inverse * balance_->columns.cwiseInverse().asDiagonal();
  Z_ = form.Z * balance_->rows.asDiagonal();
  Z_.topRows(n_f) *= rate;
}

double WeierstrassForm::rounding() const {
  constexpr double growth = 1000;
  return growth * order() * std::numeric_limits<double>::epsilon();
}

std::vector<Index> WeierstrassForm::jordan_sizes_at_infinity() const {
  std::vector<Index> sizes;
  for (std::size_t j = weyr_.size(); j > 0; --j) {
    const Index n_larger = j < weyr_.size() ? weyr_[j] : 0;
    sizes.insert(sizes.end(), static_cast<std::size_t>(weyr_[j - 1] - n_larger), static_cast<Index>(j));
  }
  return sizes;
}

MultiVector WeierstrassForm::consistent_basis() const {
  return orthonormal_range(T_1());
}

Vector WeierstrassForm::lift(const WeierstrassParts& v) const {
  return T_1() * v.v_1 + T_2() * v.v_2;
}

WeierstrassParts WeierstrassForm::restrict(const Vector& x) const {
  if (x.size() != order())
    throw InvalidInput("The vector has " + std::to_string(x.size()) +
                       " entries, and the pencil is of order " + std::to_string(order()) +
                       ". Give one entry for each unknown.");
  const Vector v = T_inverse_ * x;
  return {v.head(n_finite()), v.tail(n_infinite())};
}

std::ostream& operator<<(std::ostream& out, const WeierstrassForm& form) {
  out << form.order() << " unknowns: " << form.n_finite() << " finite and " << form.n_infinite()
      << " infinite eigenvalues, nilpotency index " << form.nilpotency_index();
  const std::vector<Index> sizes = form.jordan_sizes_at_infinity();
  for (std::size_t first = 0; first < sizes.size();) {
    const auto count = std::count(sizes.begin(), sizes.end(), sizes[first]);
    out << (first == 0 ? "; blocks at infinity: " : ", ") << count << " of size " << sizes[first];
    first += static_cast<std::size_t>(count);
  }
  TextTable table({"rank of",
                   "rows",
                   "columns",
                   "rank",
                   {"smallest kept", NumberStyle::scientific, 1},
                   {"largest dropped", NumberStyle::scientific, 1},
                   {"gap", NumberStyle::scientific, 1}});
  for (const RankDecision& decision : form.rank_decisions())
    table.add_row({decision.matrix, decision.n_rows, decision.n_columns, decision.rank,
                   decision.smallest_kept, decision.largest_dropped, decision.gap()});
  return out << '\n'
             << table << "Condition of T " << to_text(form.condition_of_T(), NumberStyle::scientific, 1)
             << ", of Z " << to_text(form.condition_of_Z(), NumberStyle::scientific, 1) << ", residual "
             << to_text(form.residual(), NumberStyle::scientific, 1) << '\n';
}

}  // namespace halfdof
