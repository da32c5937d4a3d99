// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/files/model_remarks.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <set>
#include <utility>

namespace halfdof::internal {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

/// Describes the first five DoFs of a list: "DoF 1 (node 3, x), DoF 2 (node 3, y), ...".
std::string list_of_first(const std::vector<Index>& dofs, const DoFLabels& labels) {
  std::string text;
  const std::size_t n_shown = std::min(dofs.size(), std::size_t(5));
  for (std::size_t k = 0; k < n_shown; ++k)
    text += (k > 0 ? ", " : "") + labels.describe(dofs[k], dofs[k]);
  return text + (dofs.size() > n_shown ? ", ..." : "");
}

std::vector<const Sparse*> square_matrices(const ModelMatrices& model) {
  std::vector<const Sparse*> all;
  for (const auto* const matrix :
       {&model.mass, &model.damping, &model.stiffness, &model.structural_damping, &model.imaginary_damping})
    if (*matrix) all.push_back(&**matrix);
  return all;
}

void remark_repeated_labels(ModelMatrices& model) {
  const DoFLabels& labels = model.labels;
  std::vector<std::pair<GlobalIndex, Index>> all;
  for (std::size_t i = 0; i < labels.node.size(); ++i)
    all.emplace_back(labels.node[i], labels.component[i]);
  std::sort(all.begin(), all.end());
  const std::size_t n = all.size(),
                    n_different = static_cast<std::size_t>(std::unique(all.begin(), all.end()) - all.begin());
  if (n_different == n) return;
  model.remarks.push_back("The " + std::to_string(n) + " DoFs have " + std::to_string(n_different) +
                          " different labels: several DoFs have the same node and component. CalculiX writes "
                          "such labels for beams and shells, which it expands to "
                          "solids, and for cyclic symmetry.");
}

void remark_empty_equations(ModelMatrices& model) {
  const std::vector<const Sparse*> matrices = square_matrices(model);
  if (matrices.empty()) return;
  std::vector<bool> is_used(static_cast<std::size_t>(matrices[0]->rows()));
  for (const Sparse* const A : matrices)
    for (Index j = 0; j < A->outerSize(); ++j)
      for (Sparse::InnerIterator entry(*A, j); entry; ++entry)
        if (entry.value() != 0)
          is_used[static_cast<std::size_t>(j)] = is_used[static_cast<std::size_t>(entry.row())] = true;
  if (model.constraints)
    for (Index j = 0; j < model.constraints->outerSize(); ++j)
      if (Sparse::InnerIterator(*model.constraints, j)) is_used[static_cast<std::size_t>(j)] = true;
  std::vector<Index> empty;
  for (std::size_t i = 0; i < is_used.size(); ++i)
    if (!is_used[i]) empty.push_back(static_cast<Index>(i));
  if (empty.empty()) return;
  model.remarks.push_back(std::to_string(empty.size()) + " of the " + std::to_string(is_used.size()) +
                          " equations are empty in all matrices: " + list_of_first(empty, model.labels) +
                          ". The motion of these DoFs is not determined; list them as constrained.");
}

void remark_penalties(ModelMatrices& model) {
  std::vector<Index> fixed;
  for (Index j = 0; j < model.stiffness->outerSize(); ++j)
    // Abaqus adds 1e36 to the diagonal for a DoF with a boundary condition. The rest of the entry and the
    // rounding error are far below 1e26.
    if (std::abs(model.stiffness->coeff(j, j) - 1e36) < 1e26) fixed.push_back(j);
  if (fixed.empty()) return;
  model.remarks.push_back(
      "The diagonal of the stiffness is 1e36 at " + std::to_string(fixed.size()) +
      " DoFs: " + list_of_first(fixed, model.labels) +
      ". Abaqus writes this number for DoFs with a boundary condition. List these DoFs as constrained.");
}

/// Adds a remark if the signs of K or C seem to be reversed, because some programs use the equation M q'' = K
/// q + D q'.
void remark_signs(ModelMatrices& model) {
  for (const auto& [name, matrix] : {std::pair{"stiffness", &model.stiffness}, {"damping", &model.damping}}) {
    if (!*matrix) continue;
    const Eigen::VectorXd diagonal = (*matrix)->diagonal();
    if (diagonal.size() > 0 && diagonal.maxCoeff() <= 0 && diagonal.minCoeff() < 0)
      model.remarks.push_back("Every diagonal entry of the " + std::string(name) +
                              " that is not zero is negative. If the matrices belong to the equation M q'' = "
                              "K q + C q' + f, change the signs of K and C.");
  }
}

/// Whether columns i and j of A have the same entries outside of rows i and j.
bool are_equal_elsewhere(const Sparse& A, Index i, Index j) {
  const auto skip = [i, j](Sparse::InnerIterator& entry) {
    while (entry && (entry.row() == i || entry.row() == j || entry.value() == 0))
      ++entry;
  };
  Sparse::InnerIterator a(A, i), b(A, j);
  for (skip(a), skip(b); a && b; ++a, ++b, skip(a), skip(b))
    if (a.row() != b.row() || a.value() != b.value()) return false;
  return !a && !b;
}

/// Adds a remark about double Lagrange multipliers, which are pairs i, j with K_ii = K_jj = -a, K_ij = a > 0
/// and otherwise equal columns of K.
void remark_double_multipliers(ModelMatrices& model) {
  const Sparse& K = *model.stiffness;
  std::vector<Index> pairs;
  for (Index i = 0; i < K.outerSize(); ++i) {
    const double diagonal = K.coeff(i, i);
    if (!(diagonal < 0)) continue;
    for (Sparse::InnerIterator entry(K, i); entry; ++entry) {
      const auto j = static_cast<Index>(entry.row());
      if (j > i && entry.value() == -diagonal && K.coeff(j, j) == diagonal && are_equal_elsewhere(K, i, j))
        pairs.push_back(i);
    }
  }
  if (pairs.empty()) return;
  model.remarks.push_back(
      "The stiffness contains " + std::to_string(pairs.size()) +
      " pairs of double Lagrange multipliers, as code_aster writes them. The first DoFs of the pairs are " +
      list_of_first(pairs, model.labels) + ". Each pair represents one constraint.");
}

}  // namespace

void add_remarks(ModelMatrices& model) {
  remark_repeated_labels(model);
  remark_empty_equations(model);
  remark_signs(model);
  if (!model.stiffness) return;
  remark_penalties(model);
  remark_double_multipliers(model);
}

}  // namespace halfdof::internal
