// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/dense/dense_eigenvalues.h>
#include <halfdof/linear_algebra/ranks/dense_parts.h>
#include <halfdof/memory/block_exponential.h>
#include <halfdof/memory/contact_modes.h>

#include <string>

namespace halfdof {

using namespace internal;

std::vector<Index> ContactModes::first_coordinates() const {
  std::vector<Index> first = {0};
  for (const MultiVector& block : J)
    first.push_back(first.back() + static_cast<Index>(block.rows()));
  return first;
}

MultiVector ContactModes::W_C() const {
  return product_with_exact_zeros(C, B);
}

MultiVector ContactModes::rates_of(ConstView<double> R) const {
  MultiVector result(R.rows(), R.cols());
  Index first = 0;
  for (const MultiVector& block : J) {
    result.middleCols(first, block.rows()) = R.middleCols(first, block.rows()) * block;
    first += static_cast<Index>(block.rows());
  }
  return result;
}

MultiVector ContactModes::propagated(double time, ConstView<double> x) const {
  MultiVector result(x.rows(), x.cols());
  Index first = 0;
  for (const MultiVector& block : J) {
    result.middleRows(first, block.rows()) =
        block_exponential(block, time).E * x.middleRows(first, block.rows());
    first += static_cast<Index>(block.rows());
  }
  return result;
}

std::vector<Complex> ContactModes::eigenvalues() const {
  std::vector<Complex> all;
  for (const MultiVector& block : J) {
    const std::vector<Complex> of_block = halfdof::eigenvalues(block);
    all.insert(all.end(), of_block.begin(), of_block.end());
  }
  return all;
}

namespace {

void check_shape(const char* name, const MultiVector& matrix, Eigen::Index rows, Eigen::Index columns) {
  if (matrix.rows() != rows || matrix.cols() != columns)
    throw InvalidInput(
        "The matrix " + std::string(name) + " of contact modes is " + std::to_string(matrix.rows()) + " x " +
        std::to_string(matrix.cols()) + ", but must be " + std::to_string(rows) + " x " +
        std::to_string(columns) +
        ". The rows of B and B_f and the columns of C belong to the modal coordinates; the other rows "
        "and columns belong to contacts, loads and observed displacements.");
  if (!matrix.allFinite())
    throw InvalidInput(
        "The matrix " + std::string(name) +
        " of contact modes has an entry that is infinite or not a number. Give finite entries.");
}

}  // namespace

void check_contact_modes(const ContactModes& modes) {
  const Eigen::Index n = modes.first_coordinates().back(), m = modes.C.rows(), p = modes.B_f.cols();
  if (m == 0)
    throw InvalidInput(
        "The contact modes have no contact: the matrix C has no row. Give at least one row of C.");
  for (const MultiVector& block : modes.J) {
    check_shape("J", block, block.rows(), block.rows());
    if (block.rows() == 0)
      throw InvalidInput("A diagonal block J of the contact modes is empty. Remove the empty block.");
  }
  check_shape("B", modes.B, n, m);
  check_shape("B_f", modes.B_f, n, p);
  check_shape("C", modes.C, m, n);
  check_shape("W_K", modes.W_K, m, m);
  check_shape("W_f", modes.W_f, m, p);
  check_shape("observed.C", modes.observed.C, modes.observed.C.rows(), n);
  check_shape("observed.W_K", modes.observed.W_K, modes.observed.C.rows(), m);
  check_shape("observed.W_f", modes.observed.W_f, modes.observed.C.rows(), p);
}

ContactModes joined(const std::vector<WeightedModes>& structures) {
  if (structures.empty())
    throw InvalidInput(
        "The list of structures whose modes are to be joined is empty. Give at least one structure.");
  const Eigen::Index m = structures.front().weights.rows();
  Eigen::Index n = 0, p = 0, o = 0;
  for (const auto& [modes, T] : structures) {
    check_contact_modes(modes);
    check_shape("of weights", T, m, modes.n_contacts());
    n += modes.n_coordinates();
    p += modes.n_loads();
    o += modes.observed.C.rows();
  }
  const auto zero = [](Eigen::Index rows, Eigen::Index columns) -> MultiVector {
    return MultiVector::Zero(rows, columns);
  };
  ContactModes all{
      {}, zero(n, m), zero(n, p), zero(m, n), zero(m, m), zero(m, p), {zero(o, n), zero(o, m), zero(o, p)}};
  Eigen::Index x = 0, f = 0, row = 0;
  for (const auto& [modes, T] : structures) {
    const Eigen::Index n_k = modes.n_coordinates(), p_k = modes.n_loads(), o_k = modes.observed.C.rows();
    all.J.insert(all.J.end(), modes.J.begin(), modes.J.end());
    all.B.middleRows(x, n_k) = modes.B * T.transpose();
    all.B_f.block(x, f, n_k, p_k) = modes.B_f;
    all.C.middleCols(x, n_k) = T * modes.C;
    all.W_K += T * modes.W_K * T.transpose();
    all.W_f.middleCols(f, p_k) = T * modes.W_f;
    all.observed.C.block(row, x, o_k, n_k) = modes.observed.C;
    all.observed.W_K.middleRows(row, o_k) = modes.observed.W_K * T.transpose();
    all.observed.W_f.block(row, f, o_k, p_k) = modes.observed.W_f;
    x += n_k;
    f += p_k;
    row += o_k;
  }
  return all;
}

}  // namespace halfdof
