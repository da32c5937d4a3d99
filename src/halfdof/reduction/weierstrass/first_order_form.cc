// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/reduction/weierstrass/weierstrass_form.h>

#include <sstream>
#include <utility>

namespace halfdof {
namespace {

void check_orders(ConstView<double> M, ConstView<double> C, ConstView<double> K) {
  const auto n = M.rows();
  for (const auto& [rows, columns] :
       {std::pair(M.rows(), M.cols()), std::pair(C.rows(), C.cols()), std::pair(K.rows(), K.cols())})
    if (rows != n || columns != n) {
      std::ostringstream message;
      message << "Mass, damping and stiffness are " << M.rows() << " x " << M.cols() << ", " << C.rows()
              << " x " << C.cols() << " and " << K.rows() << " x " << K.cols()
              << ". Give three square matrices of the same order.";
      throw InvalidInput(message.str());
    }
}

/// Returns the name of an unknown, such as "q_3".
std::string name(char quantity, Index dof) {
  return std::string(1, quantity) + '_' + std::to_string(dof);
}

std::vector<Index> nonzero_columns(ConstView<double> matrix) {
  std::vector<Index> columns;
  for (Index j = 0; j < matrix.cols(); ++j)
    if (!matrix.col(j).isZero(0.)) columns.push_back(j);
  return columns;
}

/// Returns a form of order n + extra.size() with zero matrices E, A and B, and the names of q and of the
/// extra unknowns.
FirstOrderForm form_with_extra_unknowns(Index n, const std::vector<Index>& extra, char quantity) {
  const Index n_x = n + static_cast<Index>(extra.size());
  FirstOrderForm form{MultiVector::Zero(n_x, n_x),
                      MultiVector::Zero(n_x, n_x),
                      MultiVector::Zero(n_x, n),
                      MultiVector::Identity(n, n_x),
                      {}};
  for (Index i = 0; i < n; ++i)
    form.names.push_back(name('q', i));
  for (const Index i : extra)
    form.names.push_back(name(quantity, i));
  return form;
}

}  // namespace

FirstOrderForm companion_form(ConstView<double> M, ConstView<double> C, ConstView<double> K) {
  check_orders(M, C, K);
  const Index n = static_cast<Index>(M.rows());
  std::vector<Index> all(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i)
    all[static_cast<std::size_t>(i)] = i;
  FirstOrderForm form = form_with_extra_unknowns(n, all, 'v');
  form.E.topLeftCorner(n, n).setIdentity();
  form.E.bottomRightCorner(n, n) = M;
  form.A.topRightCorner(n, n).setIdentity();
  form.A.bottomLeftCorner(n, n) = -K;
  form.A.bottomRightCorner(n, n) = -C;
  form.B.bottomRows(n).setIdentity();
  return form;
}

FirstOrderForm smallest_form(ConstView<double> M, ConstView<double> C, ConstView<double> K) {
  check_orders(M, C, K);
  const Index n = static_cast<Index>(M.rows());
  const std::vector<Index> columns = nonzero_columns(M), rows = nonzero_columns(M.transpose());
  const bool by_columns = columns.size() <= rows.size();
  const std::vector<Index>& kept = by_columns ? columns : rows;
  const Index n_kept = static_cast<Index>(kept.size());
  MultiVector J = MultiVector::Zero(n, n_kept);
  for (Index j = 0; j < n_kept; ++j)
    J(kept[static_cast<std::size_t>(j)], j) = 1;

  FirstOrderForm form = form_with_extra_unknowns(n, kept, by_columns ? 'v' : 'p');
  form.E.topLeftCorner(n, n) = C;
  form.E.topRightCorner(n, n_kept) = by_columns ? MultiVector(M * J) : J;
  form.E.bottomLeftCorner(n_kept, n) =
      by_columns ? MultiVector(J.transpose()) : MultiVector(J.transpose() * M);
  form.A.topLeftCorner(n, n) = -K;
  form.A.bottomRightCorner(n_kept, n_kept).setIdentity();
  form.B.topRows(n).setIdentity();
  return form;
}

SecondOrderWeierstrass weierstrass_of(ConstView<double> M, ConstView<double> C, ConstView<double> K,
                                      WeierstrassOptions options) {
  FirstOrderForm form = smallest_form(M, C, K);
  options.names = form.names;
  WeierstrassForm weierstrass(form.E, form.A, options);
  return {std::move(form), std::move(weierstrass)};
}

}  // namespace halfdof
